"""Families with routed experts and ordinary attention."""

from __future__ import annotations

from typing import Any

from tokensheet.config_import.families.common import Family, experts, first_dense, llama, plain, vocabulary
from tokensheet.config_import.families.dense import olmo2, qwen2, qwen3
from tokensheet.config_import.keys import Fields
from tokensheet.config_import.layer_kinds import every, listed_kinds, window_fields


def _mixtral(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | experts(f, "mlp_width")
    return fields | window_fields(f, fields["layers"])


def sparse_layers(f: Fields, layers: int) -> dict[str, Any]:
    """Layers with experts by `decoder_sparse_step` and `mlp_only_layers`."""
    step = f.count("decoder_sparse_step", 1)
    only = f.listing("mlp_only_layers") or []
    sparse = sum(1 for i in range(layers) if i not in only and step > 0 and (i + 1) % step == 0)
    fields: dict[str, Any] = {"moe_layers": sparse, "dense_layers": layers - sparse}
    return fields | ({"mlp_width": f.need("mlp_width")} if layers - sparse else {"mlp_width": 0})


def shared_of_one_width(f: Fields) -> dict[str, Any]:
    """One shared expert with a gate, where its width is given."""
    width = f.whole("shared_expert_intermediate_size")
    if not width:
        return {}
    return {"shared_experts": 1, "shared_expert_width": width, "shared_expert_gate": True}


def _qwen2_moe(f: Fields) -> dict[str, Any]:
    fields = qwen2(f) | experts(f)
    f.need("shared_expert_intermediate_size")
    return fields | shared_of_one_width(f) | sparse_layers(f, fields["layers"])


def _qwen3_moe(f: Fields) -> dict[str, Any]:
    f.ignore("use_qk_norm", "shared_expert_intermediate_size", "intermediate_size")
    fields = qwen3(f) | experts(f)
    return fields | sparse_layers(f, fields["layers"])


def _phimoe(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | experts(f, "mlp_width") | {"norm": "layer"}
    if f.flag("attention_bias", False):
        fields["attention_bias"] = "qkvo"
    if f.flag("lm_head_bias", False):
        fields["head_bias"] = True
    return fields | window_fields(f, fields["layers"])


def _gpt_oss(f: Fields) -> dict[str, Any]:
    f.need("head_size")
    fields = plain(f, heads_without_kv=False) | experts(f, "mlp_width")
    fields |= {"attention_sinks": True, "router_bias": True, "expert_bias": True}
    if f.flag("attention_bias", True, "as gpt-oss has it"):
        fields["attention_bias"] = "qkvo"
    if not f.has("layer_types"):
        f.assume("layer_types is not given: every second layer is global, as gpt-oss has it")
    return fields | window_fields(f, fields["layers"], every(2))


def _minimax_m2(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | experts(f, "mlp_width")
    if f.whole("shared_intermediate_size"):
        f.problem("shared_intermediate_size is not modelled for this family")
    if any(kind != 1 for kind in f.listing("attn_type_list") or []):
        f.problem("attn_type_list names layers without full attention: not modelled for this family")
    if f.flag("use_qk_norm", True):
        fields["qk_norm"] = "full" if f.text("qk_norm_type") in ("", "per_layer") else "head"
    fields["router_bias"] = f.flag("use_routing_bias", True)
    if f.flag("use_mtp", False):
        f.not_modelled.append("layers for multi-token prediction")
    return fields


def _glm4_moe(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | experts(f) | {"mlp_width": f.need("mlp_width")}
    if f.flag("use_qk_norm", False):
        fields["qk_norm"] = "head"
    if f.flag("attention_bias", False):
        fields["attention_bias"] = "qkv"
    return fields | first_dense(f, fields["layers"]) | {"router_bias": True}


def _dots1(f: Fields) -> dict[str, Any]:
    fields = llama(f) | experts(f) | {"qk_norm": "head", "router_bias": True}
    return fields | first_dense(f, fields["layers"])


def _deepseek_moe(f: Fields) -> dict[str, Any]:
    fields = llama(f) | experts(f)
    return fields | first_dense(f, fields["layers"])


def _bailing(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | experts(f) | {"mlp_width": f.need("mlp_width")}
    if f.flag("use_qkv_bias", False):
        fields["attention_bias"] = "qkv"
    if f.flag("use_bias", False):
        fields["attention_bias"] = fields.get("attention_bias", "") + "o"
    if f.flag("use_qk_norm", False):
        fields["qk_norm"] = "head"
    width = f.whole("moe_shared_expert_intermediate_size")
    if width and fields.get("shared_experts"):
        fields["shared_expert_width"] = width
    return fields | first_dense(f, fields["layers"])


def _bailing_v2(f: Fields) -> dict[str, Any]:
    fields = _bailing(f)
    fields["router_bias"] = f.flag("moe_router_enable_expert_bias", True)
    return fields | {"qk_norm": "head" if f.flag("use_qk_norm", True) else ""}


def _hunyuan(f: Fields) -> dict[str, Any]:
    fields = llama(f)
    if f.flag("use_cla", False):
        f.problem("use_cla: a cache shared between layers is not modelled")
    if f.flag("use_qk_norm", True):
        fields["qk_norm"] = "head"
    if (f.whole("experts") or 0) <= 1:
        return fields
    width = f.whole("expert_width")
    if width is None:
        f.assume(f"moe_intermediate_size is not given: {fields['mlp_width']} as intermediate_size")
        width = fields["mlp_width"]
    shared = f.whole("shared_experts") if f.flag("use_mixed_mlp_moe", True) else 0
    top = {"experts": f.need("experts"), "experts_per_token": f.need("experts_per_token")}
    return fields | top | {"expert_width": width, "shared_experts": shared or 0, "mlp_width": 0}


def _ernie_moe(f: Fields) -> dict[str, Any]:
    fields = plain(f) | experts(f) | {"mlp_width": f.need("mlp_width")}
    if f.flag("use_bias", False):
        f.problem("use_bias is not modelled for this family")
    fields["router_bias"] = f.flag("moe_use_aux_free", True)
    last = f.whole("moe_layer_end_index")
    if last is not None and fields["layers"] and last < fields["layers"] - 1:
        f.problem(f"moe_layer_end_index {last}: dense layers after the experts are not modelled")
    return fields | first_dense(f, fields["layers"])


def _olmoe(f: Fields) -> dict[str, Any]:
    fields = olmo2(f) | experts(f, "mlp_width")
    return fields | {"mlp_width": 0}


def _dbrx(f: Fields) -> dict[str, Any]:
    attention, mlp = f.part("attn_config"), f.part("ffn_config")
    layers, d_model, heads = f.need("layers"), f.need("d_model"), f.need("heads")
    return {
        "layers": layers,
        "d_model": d_model,
        "vocabulary": vocabulary(f),
        "max_context": f.whole("max_context"),
        "heads": heads,
        "kv_heads": attention.need("kv_heads"),
        "head_size": d_model // heads if heads and d_model % heads == 0 else 0,
        "experts": mlp.need("experts"),
        "experts_per_token": mlp.need("experts_per_token"),
        "expert_width": mlp.need("expert_width"),
        "norm": "layer-no-bias",
    }


def _grok(f: Fields) -> dict[str, Any]:
    return plain(f, heads_without_kv=False) | experts(f, "mlp_width") | {"norms_per_layer": 4}


def _granitemoe(f: Fields) -> dict[str, Any]:
    fields = llama(f) | experts(f, "mlp_width") | {"mlp_width": 0}
    width = f.whole("shared_intermediate_size")
    if width:
        fields |= {"shared_experts": 1, "shared_expert_width": width}
    return fields


def _llama4(f: Fields) -> dict[str, Any]:
    f.ignore("use_qk_norm", "intermediate_size_mlp", "no_rope_layers", "no_rope_layer_interval")
    fields = plain(f, heads_without_kv=False) | experts(f, "mlp_width")
    layers = fields["layers"]
    step = f.count("interleave_moe_layer_step", 1, "as Llama 4 has it")
    listed = f.listing("moe_layers")
    sparse = (
        len(listed) if listed is not None else sum(1 for i in range(layers) if step and (i + 1) % step == 0)
    )
    fields |= {"moe_layers": sparse, "dense_layers": layers - sparse, "shared_experts": 1}
    if layers - sparse:
        fields["mlp_width"] = f.need("intermediate_size_mlp")
    if f.flag("attention_bias", False):
        fields["attention_bias"] = "qkvo"
    if not f.has("layer_types") and f.has("window"):
        rope = f.listing("no_rope_layers") or []
        chunked = [bool(item) for item in rope]
        if len(chunked) == layers and layers:
            return fields | window_fields(f, layers, lambda layer: chunked[layer])
        step = f.count("no_rope_layer_interval", 4, "as Llama 4 has it")
        return fields | window_fields(f, layers, every(step))
    return fields | window_fields(f, layers)


def _arctic(f: Fields) -> dict[str, Any]:
    fields = llama(f) | experts(f, "mlp_width") | {"mlp_width": 0}
    if (f.whole("moe_layer_frequency") or 1) != 1:
        f.problem("moe_layer_frequency above 1 is not modelled for this family")
    if f.flag("use_residual", False) or f.flag("parallel_attn_mlp_res", False):
        fields["parallel_mlp_width"] = fields["d_model"]
        f.assume("the MLP beside the experts is as wide as the model, as Arctic has it")
    return fields


def _mimo_v2(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | experts(f) | {"mlp_width": f.need("mlp_width")}
    fields["value_head_size"] = f.count("value_size", fields["head_size"])
    pattern = f.listing("hybrid_layer_pattern")
    kinds = listed_kinds(f, fields["layers"]) if pattern is None else None
    local = kinds["window"] if kinds is not None else 0
    if pattern is not None:
        local = sum(1 for item in pattern if item == 1)
        if len(pattern) != fields["layers"]:
            f.problem(
                f"hybrid_layer_pattern has {len(pattern)} entries: num_hidden_layers is {fields['layers']}"
            )
    elif kinds is None:
        f.missing.append("hybrid_layer_pattern")
    if local:
        group = {
            "layers": local,
            "window": True,
            "heads": f.count("swa_num_attention_heads", fields["heads"]),
            "kv_heads": f.need("swa_num_key_value_heads"),
            "head_size": f.count("swa_head_dim", fields["head_size"]),
            "value_head_size": f.count("swa_v_head_dim", fields["value_head_size"]),
        }
        f.flag("add_swa_attention_sink_bias", False)  # one number a head: too few to count
        fields |= {"window_layers": local, "window": f.need("window"), "attention_groups": (group,)}
    sparse = f.listing("moe_layer_freq")
    dense = sum(1 for item in sparse if item == 0) if sparse is not None else 1
    f.not_modelled.append("layers for multi-token prediction")
    return fields | {"dense_layers": dense, "moe_layers": fields["layers"] - dense, "router_bias": True}


FAMILIES: dict[str, Family] = {
    "mixtral": Family(_mixtral, proof="mixtral-8x22b"),
    "qwen2_moe": Family(_qwen2_moe, proof="qwen2-57b-a14b"),
    "qwen3_moe": Family(_qwen3_moe, proof="qwen3-30b-a3b"),
    "qwen3_vl_moe_text": Family(_qwen3_moe),
    "qwen3_vl_moe": Family(_qwen3_moe),
    "qwen3_omni_moe_text": Family(_qwen3_moe),
    "phimoe": Family(_phimoe, proof="phi-3.5-moe"),
    "gpt_oss": Family(_gpt_oss, proof="gpt-oss-120b"),
    "minimax_m2": Family(_minimax_m2, proof="minimax-m2"),
    "glm4_moe": Family(_glm4_moe, proof="glm-4.5"),
    "glm4v_moe_text": Family(_glm4_moe),
    "dots1": Family(_dots1, proof="dots-llm1"),
    "deepseek": Family(_deepseek_moe, proof="deepseek-moe-16b"),
    "bailing_moe": Family(_bailing, proof="ling-lite"),
    "bailing_moe_v2": Family(_bailing_v2, proof="ling-mini-2.0"),
    "hunyuan": Family(_hunyuan, tied=True, proof="hunyuan-a13b"),
    "hunyuan_v1_moe": Family(_hunyuan, tied=True, proof="hunyuan-a13b"),
    "ernie4_5_moe": Family(_ernie_moe, tied=True, proof="ernie-4.5-21b-a3b"),
    "olmoe": Family(_olmoe, proof="olmoe-1b-7b"),
    "dbrx": Family(_dbrx, proof="dbrx"),
    "grok-1": Family(_grok, tied=True, proof="grok-1"),
    "granitemoe": Family(_granitemoe, tied=True),
    "granitemoeshared": Family(_granitemoe, tied=True),
    "llama4_text": Family(_llama4, proof="llama-4-maverick"),
    "llama4": Family(_llama4, proof="llama-4-maverick"),
    "arctic": Family(_arctic, proof="arctic"),
    "mimo_v2_flash": Family(_mimo_v2, proof="mimo-v2-flash"),
}
"""`model_type` → family."""
