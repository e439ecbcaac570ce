"""Families with multi-head latent attention."""

from __future__ import annotations

from typing import Any

from tokensheet.config_import.families.common import Family, experts, first_dense, llama, vocabulary
from tokensheet.config_import.keys import Fields


def latent_columns(f: Fields) -> dict[str, Any]:
    """Layers, width and the ranks of latent attention; head_dim and KV heads of the file play no part."""
    f.ignore("head_dim", "num_key_value_heads", "qk_head_dim")
    layers = f.need("layers")
    shape = {
        "kv_rank": f.need("kv_rank"),
        "rope_size": f.need("rope_size"),
        "nope_size": f.need("nope_size"),
        "value_size": f.need("value_size"),
        "query_rank": f.whole("query_rank") or 0,
    }
    fields: dict[str, Any] = {
        "layers": layers,
        "d_model": f.need("d_model"),
        "vocabulary": vocabulary(f),
        "max_context": f.whole("max_context"),
        "heads": f.need("heads"),
        "latent_layers": layers,
        "latent": shape,
    }
    if f.flag("attention_bias", False):
        fields["attention_bias"] = "qko" if shape["query_rank"] else "ko"
    return fields


def _deepseek_v2(f: Fields) -> dict[str, Any]:
    small = not f.has("kv_rank") and f.raw("use_mla") is False  # the small vision models of the family
    fields = llama(f) if small else latent_columns(f)
    if not f.has("experts"):
        return fields | {"mlp_width": f.need("mlp_width")}
    fields |= experts(f) | {"mlp_width": f.need("mlp_width")}
    return fields | first_dense(f, fields["layers"])


def _deepseek_v3(f: Fields) -> dict[str, Any]:
    fields = _deepseek_v2(f)
    fields["router_bias"] = f.text("topk_method") in ("", "noaux_tc")
    return fields


def _sparse(f: Fields) -> dict[str, Any]:
    """With an indexer that chooses the cached tokens to read."""
    fields = _deepseek_v3(f)
    fields["indexer"] = {"heads": f.need("index_n_heads"), "size": f.need("index_head_dim")}
    f.not_modelled.append("the indexer's own key cache, and that attention reads only the tokens it chooses")
    return fields


def _minicpm3(f: Fields) -> dict[str, Any]:
    if not f.has("value_size"):
        heads, d_model = f.need("heads"), f.need("d_model")
        size = d_model // heads if heads else 0
        f.assume(
            f"v_head_dim is not given: {size}, the width of the model over its heads, as MiniCPM3 has it"
        )
        f = f.filled({"v_head_dim": size})
    return latent_columns(f) | {"mlp_width": f.need("mlp_width")}


def _kimi_linear(f: Fields) -> dict[str, Any]:
    fields = latent_columns(f)
    shape = f.part("linear_attn_config")
    delta, full = shape.listing("kda_layers"), shape.listing("full_attn_layers")
    if delta is None or full is None:
        f.missing += [key for key in ("kda_layers", "full_attn_layers") if shape.listing(key) is None]
        return fields
    if len(delta) + len(full) != fields["layers"]:
        f.problem(
            f"kda_layers and full_attn_layers name {len(delta) + len(full)} layers of {fields['layers']}"
        )
    fields |= {"latent_layers": len(full), "recurrent_layers": len(delta)}
    fields["recurrent"] = {
        "kind": "kimi-delta",
        "heads": shape.need("heads"),
        "head_size": shape.need("head_size"),
        "conv": shape.count("short_conv_kernel_size", 4),
    }
    fields["recurrent"]["full_gate"] = shape.flag("use_full_rank_gate", False)
    fields["latent"]["gate"] = f.flag("mla_use_output_gate", False)
    fields |= experts(f) | {"mlp_width": f.need("mlp_width"), "router_bias": True}
    fields["expert_latent"] = f.whole("routed_expert_hidden_size") or 0
    return fields | first_dense(f, fields["layers"])


FAMILIES: dict[str, Family] = {
    "deepseek_v2": Family(_deepseek_v2, proof="deepseek-v2"),
    "deepseek_v3": Family(_deepseek_v3, proof="deepseek-v3"),
    "deepseek_v32": Family(_sparse, proof="deepseek-v3.2"),
    "kimi_k2": Family(_deepseek_v3, proof="kimi-k2"),
    "glm_moe_dsa": Family(_sparse, proof="glm-5"),
    "glm4_moe_lite": Family(_deepseek_v3),
    "minicpm3": Family(_minicpm3, tied=True),
    "kimi_linear": Family(_kimi_linear, proof="kimi-linear-48b-a3b"),
}
"""`model_type` → family."""
