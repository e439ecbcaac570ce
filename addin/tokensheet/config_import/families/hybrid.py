"""Families with a recurrent state: state space models, linear attention, and mixtures with attention."""

from __future__ import annotations

from typing import Any

from tokensheet.config_import.families.common import Family, experts, llama, plain, vocabulary
from tokensheet.config_import.families.moe import shared_of_one_width, sparse_layers
from tokensheet.config_import.keys import Fields
from tokensheet.config_import.layer_kinds import listed_kinds

BLOCKS = {"M": "recurrent", "*": "full", "-": "dense", "E": "moe"}
"""Letters of `hybrid_override_pattern`: one mixer or one MLP a block."""

BLOCK_WORDS = {"mamba": "M", "attention": "*", "mlp": "-", "moe": "E"}
"""Words of `layers_block_type` → the same letters."""


def _columns(f: Fields) -> dict[str, Any]:
    """A model without attention."""
    layers = f.need("layers")
    return {
        "layers": layers,
        "d_model": f.need("d_model"),
        "vocabulary": vocabulary(f),
        "max_context": f.whole("max_context"),
        "full_layers": 0,
        "recurrent_layers": layers,
        "dense_layers": 0,
    }


def _mamba1_shape(f: Fields, d_model: int, prefix: str = "") -> dict[str, Any]:
    inner = f.whole("mlp_width") if not prefix else None
    if not inner:
        inner = f.count(f"{prefix}expand", 2, "as Mamba has it") * d_model
    rank = f.raw(f"{prefix}dt_rank") if prefix else f.raw("time_step_rank")
    if rank is None or rank == "auto":
        rank = -(-d_model // 16)
    return {
        "kind": "mamba1",
        "inner": inner,
        "state": f.need("state"),
        "rank": rank,
        "conv": f.count("conv", 4, "as Mamba has it"),
    }


def _mamba(f: Fields) -> dict[str, Any]:
    fields = _columns(f)
    f.ignore("intermediate_size", "expand", "use_conv_bias")
    if f.flag("use_bias", False):
        f.problem("use_bias is not modelled for this family")
    return fields | {"recurrent": _mamba1_shape(f, fields["d_model"]), "norms_per_layer": 1}


def _mamba2_shape(f: Fields, prefix: str) -> dict[str, Any]:
    heads = {"": ("num_heads", "head_dim"), "mamba_": ("mamba_n_heads", "mamba_d_head")}
    count, size = heads.get(prefix, ("mamba_num_heads", "mamba_head_dim"))
    return {
        "kind": "mamba2",
        "heads": f.need(count),
        "head_size": f.need(size),
        "state": f.need("state"),
        "groups": f.need("mamba_n_groups" if prefix == "mamba_" else "n_groups"),
        "conv": f.count("conv", 4, "as Mamba-2 has it"),
        "conv_bias": f.flag("mamba_conv_bias" if prefix == "mamba_" else "use_conv_bias", True),
        "projection_bias": f.flag("mamba_proj_bias" if prefix else "use_bias", False),
    }


def _mamba2(f: Fields) -> dict[str, Any]:
    return _columns(f) | {"recurrent": _mamba2_shape(f, ""), "norms_per_layer": 1}


def _nemotron_h(f: Fields) -> dict[str, Any]:
    named = f.listing("layers_block_type")
    if named is not None:  # newer files write words instead of letters
        letters = "".join(BLOCK_WORDS.get(str(word), "?") for word in named)
        f = f.filled({"hybrid_override_pattern": letters, "num_hidden_layers": f.raw("layers") or len(named)})
    f.ignore("intermediate_size", "time_step_rank")
    fields = plain(f, heads_without_kv=False) | {"gated_mlp": False}
    layers, pattern = fields["layers"], f.text("hybrid_override_pattern")
    if not pattern:
        f.missing.append("hybrid_override_pattern")
        return fields
    unknown = sorted(set(pattern) - set(BLOCKS))
    if unknown:
        f.problem(f"hybrid_override_pattern has the letters {''.join(unknown)[:20]!r}: not modelled")
    if layers and len(pattern) != layers:
        f.problem(f"hybrid_override_pattern has {len(pattern)} letters: num_hidden_layers is {layers}")
    fields |= {
        "full_layers": pattern.count("*"),
        "recurrent_layers": pattern.count("M"),
        "dense_layers": pattern.count("-"),
        "moe_layers": pattern.count("E"),
        "norm_vectors": len(pattern),
    }
    if "M" in pattern:
        fields["recurrent"] = _mamba2_shape(f, "nemotron")
    if "-" in pattern:
        fields["mlp_width"] = f.need("mlp_width")
    if f.flag("attention_bias", False):
        fields["attention_bias"] = "qkvo"
    if "E" in pattern:
        fields |= experts(f) | {"router_bias": True}
        fields["shared_expert_width"] = f.whole("moe_shared_expert_intermediate_size") or 0
        fields["expert_latent"] = f.whole("moe_latent_size") or 0
    return fields


def _period(f: Fields, layers: int, name: str) -> int:
    """Layers i with i % period = offset."""
    period, offset = f.need(f"{name}_period"), f.need(f"{name}_offset")
    return sum(1 for layer in range(layers) if period and layer % period == offset)


def _jamba(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | {"mlp_width": f.need("mlp_width")}
    layers = fields["layers"]
    full = _period(f, layers, "attn_layer")
    fields |= {"full_layers": full, "recurrent_layers": layers - full}
    fields["recurrent"] = _mamba1_shape(f, fields["d_model"], "mamba_") | {"inner_norms": True}
    f.ignore("mamba_conv_bias")
    if f.flag("mamba_proj_bias", False):
        f.problem("mamba_proj_bias is not modelled for this family")
    if f.need("experts") > 1:
        sparse = _period(f, layers, "expert_layer")
        fields |= experts(f, "mlp_width") | {"moe_layers": sparse, "dense_layers": layers - sparse}
    return fields


def _granite_hybrid(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False)
    kinds = listed_kinds(f, fields["layers"])
    if kinds is None:
        f.missing.append("layer_types")
        return fields
    fields["full_layers"], fields["recurrent_layers"] = kinds["full"], kinds["recurrent"]
    if kinds["recurrent"]:
        fields["recurrent"] = _mamba2_shape(f, "mamba_")
    if f.flag("attention_bias", False):
        fields["attention_bias"] = "qkvo"
    shared = f.need("shared_intermediate_size")
    if not f.whole("experts"):
        return fields | {"mlp_width": shared}
    fields |= experts(f, "mlp_width")
    return fields | {"shared_experts": 1, "shared_expert_width": shared}


def _falcon_h1(f: Fields) -> dict[str, Any]:
    fields = llama(f, heads_without_kv=False)
    fields |= {"full_layers": fields["layers"], "recurrent_layers": fields["layers"], "parallel_mixers": True}
    fields["recurrent"] = _mamba2_shape(f, "mamba_") | {"norm": f.flag("mamba_rms_norm", False)}
    return fields


def _delta_net(f: Fields, fields: dict[str, Any]) -> dict[str, Any]:
    """Layers of gated delta rule beside gated attention."""
    layers = fields["layers"]
    kinds = listed_kinds(f, layers)
    f.ignore("full_attention_interval", "use_qk_norm", "intermediate_size")
    if kinds is None:
        period = f.need("full_attention_interval")
        full = layers // period if period else 0
    else:
        full = kinds["full"]
    fields |= {"full_layers": full, "recurrent_layers": layers - full, "qk_norm": "head"}
    fields["recurrent"] = {
        "kind": "deltanet",
        "key_heads": f.need("linear_num_key_heads"),
        "key_size": f.need("linear_key_head_dim"),
        "value_heads": f.need("linear_num_value_heads"),
        "value_size": f.need("linear_value_head_dim"),
        "conv": f.count("conv", 4, "as Qwen3-Next has it"),
    }
    if f.flag("attn_output_gate", True):
        fields["attention_gate"] = "full"
    if f.flag("attention_bias", False):
        fields["attention_bias"] = "qkvo"
    return fields


def _qwen3_next(f: Fields) -> dict[str, Any]:
    fields = _delta_net(f, plain(f, heads_without_kv=False)) | experts(f)
    return fields | shared_of_one_width(f) | sparse_layers(f, fields["layers"])


def _qwen35(f: Fields) -> dict[str, Any]:
    return _delta_net(f, plain(f, heads_without_kv=False)) | {"mlp_width": f.need("mlp_width")}


def _minimax_text(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | experts(f, "mlp_width")
    layers, kinds = fields["layers"], f.listing("attn_type_list")
    if kinds is not None:
        full = sum(1 for kind in kinds if kind == 1)
        if layers and len(kinds) != layers:
            f.problem(f"attn_type_list has {len(kinds)} entries: num_hidden_layers is {layers}")
    else:
        counted = listed_kinds(f, layers)
        if counted is None:
            f.missing.append("attn_type_list")
        full = counted["full"] if counted else 0
    fields |= {"full_layers": full, "recurrent_layers": layers - full}
    fields["recurrent"] = {"kind": "lightning", "heads": fields["heads"], "head_size": fields["head_size"]}
    shared = f.whole("shared_intermediate_size")
    if shared:
        f.problem("shared_intermediate_size is not modelled for this family")
    return fields


def _rwkv5(f: Fields) -> dict[str, Any]:
    fields = _columns(f)
    d_model, size = fields["d_model"], f.count("head_size", 64, "as RWKV-5 has it")
    inner = f.count("attention_hidden_size", d_model)
    width = f.whole("mlp_width")
    if width is None:
        width = int(3.5 * d_model) // 32 * 32
        f.assume(
            f"intermediate_size is not given: {width}, 3.5 times the width in steps of 32, as RWKV-5 has it"
        )
    if size and inner % size:
        f.problem(f"attention_hidden_size {inner} is not divisible by head_size {size}")
    fields["recurrent"] = {"kind": "rwkv5", "heads": inner // size if size else 0, "head_size": size}
    fields["recurrent"]["width"] = d_model
    mlp = {"mlp_width": width, "gated_mlp": False, "dense_layers": fields["layers"]}
    return fields | mlp | {"norm": "layer", "embedding_norm": True}


FAMILIES: dict[str, Family] = {
    "mamba": Family(_mamba, tied=True, proof="mamba-2.8b"),
    "falcon_mamba": Family(_mamba, tied=True, proof="falcon-mamba-7b"),
    "mamba2": Family(_mamba2),
    "nemotron_h": Family(_nemotron_h, proof="nemotron-h-8b"),
    "jamba": Family(_jamba, proof="jamba-v0.1"),
    "granitemoehybrid": Family(_granite_hybrid, tied=True, proof="granite-4.0-h-small"),
    "falcon_h1": Family(_falcon_h1),
    "qwen3_next": Family(_qwen3_next, proof="qwen3-next-80b-a3b"),
    "qwen3_5_text": Family(_qwen35, proof="qwen3.5-27b"),
    "qwen3_5": Family(_qwen35, proof="qwen3.5-27b"),
    "qwen3_5_moe_text": Family(_qwen3_next, proof="qwen3.5-35b-a3b"),
    "qwen3_5_moe": Family(_qwen3_next, proof="qwen3.5-35b-a3b"),
    "minimax_text_01": Family(_minimax_text, proof="minimax-text-01"),
    "minimax": Family(_minimax_text, proof="minimax-text-01"),
    "minimax_m1": Family(_minimax_text, proof="minimax-text-01"),
    "rwkv5": Family(_rwkv5),
}
"""`model_type` → family."""
