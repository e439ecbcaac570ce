"""Families whose configuration lists the attention and the MLP of each layer, as a search over architectures left them."""

from __future__ import annotations

from typing import Any

from tokensheet.config_import.families.common import Family, head_size, vocabulary
from tokensheet.config_import.keys import Fields


def _deci(f: Fields) -> dict[str, Any]:
    """One attention and one MLP block a layer, each with its own shape or none."""
    layers, d_model, heads = f.need("layers"), f.need("d_model"), f.need("heads")
    blocks = f.listing("block_configs")
    if blocks is None:
        f.missing.append("block_configs")
        return {}
    if layers and len(blocks) != layers:
        f.problem(f"block_configs has {len(blocks)} entries: num_hidden_layers is {layers}")
    kv: dict[int, int] = {}
    widths: dict[int, int] = {}
    for number, block in enumerate(blocks):
        attention, mlp = _deci_block(f, number, block, d_model, heads)
        if attention:
            kv[attention] = kv.get(attention, 0) + 1
        if mlp:
            widths[mlp] = widths.get(mlp, 0) + 1
    common = max(kv, key=lambda heads: kv[heads]) if kv else 0
    others = tuple({"layers": n, "kv_heads": k} for k, n in kv.items() if k != common)
    return {
        "layers": layers,
        "d_model": d_model,
        "vocabulary": vocabulary(f),
        "max_context": f.whole("max_context"),
        "heads": heads,
        "kv_heads": common,
        "head_size": head_size(f, d_model, heads),
        "full_layers": sum(kv.values()),
        "attention_groups": others,
        "dense_layers": sum(widths.values()),
        "mlp_groups": tuple({"layers": n, "width": w} for w, n in widths.items()),
        "norm_vectors": sum(kv.values()) + sum(widths.values()),
    }


def _deci_block(f: Fields, number: int, block: Any, d_model: int, heads: int) -> tuple[int, int]:
    """KV heads and MLP width of one block; 0 where it has none."""
    attention = block.get("attention") if isinstance(block, dict) else None
    mlp = block.get("ffn") if isinstance(block, dict) else None
    if not isinstance(attention, dict) or not isinstance(mlp, dict):
        f.problem(f"block_configs[{number}] needs attention and ffn")
        return 0, 0
    if attention.get("replace_with_linear") or mlp.get("replace_with_linear"):
        f.problem(f"block_configs[{number}] replaces a block by a linear layer: not modelled")
    kv_heads = width = 0
    if not attention.get("no_op"):
        group = attention.get("n_heads_in_group")
        if isinstance(group, int) and group > 0 and heads % group == 0:
            kv_heads = heads // group
        else:
            f.problem(
                f"block_configs[{number}].attention.n_heads_in_group is {group!r}: it must divide {heads}"
            )
    if not mlp.get("no_op"):
        factor = mlp.get("ffn_mult")
        if isinstance(factor, (int, float)) and 0 < factor < 1000:
            width = -(-int(2 * factor * d_model / 3) // 256) * 256
        else:
            f.problem(f"block_configs[{number}].ffn.ffn_mult is {factor!r}: a number is needed")
    return kv_heads, width


FAMILIES: dict[str, Family] = {
    "nemotron-nas": Family(_deci, proof="nemotron-super-49b"),
    "deci": Family(_deci, proof="nemotron-super-49b"),
}
"""`model_type` → family."""
