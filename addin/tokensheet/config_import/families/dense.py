"""Families with dense MLPs whose attention is full or by windows."""

from __future__ import annotations

from typing import Any

from tokensheet.config_import.families.common import Family, llama, plain
from tokensheet.config_import.keys import Fields
from tokensheet.config_import.layer_kinds import every, listed_kinds, window_fields


def _llama(f: Fields) -> dict[str, Any]:
    return llama(f)


def _smollm3(f: Fields) -> dict[str, Any]:
    f.ignore("no_rope_layers", "no_rope_layer_interval")
    fields = llama(f)
    return fields | _late_windows(f, fields["layers"])


def _mistral(f: Fields) -> dict[str, Any]:
    fields = llama(f, heads_without_kv=False)
    if "sliding_window" not in f.config:
        f.assume(
            "sliding_window is not given: no window, as all but the first release; transformers takes 4096"
        )
    return fields | window_fields(f, fields["layers"])


def _qwen(f: Fields) -> dict[str, Any]:
    if not f.flag("no_bias", True):
        f.problem("no_bias false: biases outside queries, keys and values are not modelled for this family")
    fields = plain(f)
    both = f.need("mlp_width")
    if both % 2:
        f.problem(f"intermediate_size {both} counts gate and up matrix together: it must be even")
    f.assume(f"intermediate_size {both} counts gate and up matrix together: each is {both // 2} wide")
    return fields | {"mlp_width": both // 2, "attention_bias": "qkv"}


def _late_windows(f: Fields, layers: int) -> dict[str, Any]:
    """Windows from the layer `max_window_layers` on; without that key none is known to be meant."""
    f.whole("window")
    listed_kinds(f, layers)
    if f.flag("use_sliding_window", False) and f.has("window") and not f.has("layer_types"):
        first = f.whole("max_window_layers")
        if first is None:
            f.missing.append("max_window_layers")
            return {}
        return window_fields(f, layers, lambda layer: layer >= first)
    return window_fields(f, layers) if f.flag("use_sliding_window", False) else {}


def qwen2(f: Fields) -> dict[str, Any]:
    """Biases on queries, keys and values."""
    fields = plain(f) | {"mlp_width": f.need("mlp_width"), "attention_bias": "qkv"}
    return fields | _late_windows(f, fields["layers"])


def qwen3(f: Fields) -> dict[str, Any]:
    """Norms on queries and keys instead of biases."""
    fields = llama(f, heads_without_kv=False) | {"qk_norm": "head"}
    return fields | _late_windows(f, fields["layers"])


def _internlm2(f: Fields) -> dict[str, Any]:
    fields = plain(f) | {"mlp_width": f.need("mlp_width")}
    return fields | ({"attention_bias": "qkvo"} if f.flag("bias", False) else {})


def _internlm3(f: Fields) -> dict[str, Any]:
    fields = plain(f) | {"mlp_width": f.need("mlp_width")}
    if f.flag("qkv_bias", False):
        fields["attention_bias"] = "qkv"
    if f.flag("bias", False):
        fields |= {"attention_bias": fields.get("attention_bias", "") + "o", "mlp_bias": True}
    return fields


def _minicpm(f: Fields) -> dict[str, Any]:
    if f.whole("experts"):
        f.problem("MiniCPM with experts is not modelled")
    return llama(f)


def _phi3(f: Fields) -> dict[str, Any]:
    fields = plain(f) | {"mlp_width": f.need("mlp_width")}
    return fields | window_fields(f, fields["layers"])


def _phi3small(f: Fields) -> dict[str, Any]:
    f.not_modelled.append("block-sparse attention in some layers: all layers count as full")
    every = max(1, f.count("dense_attention_every_n_layers", 2, "as Phi-3-small has it"))
    fields = plain(f, heads_without_kv=False) | {"mlp_width": f.need("mlp_width")}
    fields["sparse_layers"] = fields["layers"] - fields["layers"] // every
    return fields | {"attention_bias": "qkvo", "mlp_bias": True, "norm": "layer"}


def _stablelm(f: Fields) -> dict[str, Any]:
    fields = plain(f) | {"mlp_width": f.need("mlp_width"), "norm": "layer"}
    if f.flag("use_qkv_bias", False):
        fields["attention_bias"] = "qkv"
    if f.flag("qk_layernorm", False):
        fields |= {"qk_norm": "full", "norm": "layer-no-bias"}
    if f.flag("use_parallel_residual", False):
        fields["norms_per_layer"] = 1
    return fields


def _starcoder2(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | {"mlp_width": f.need("mlp_width"), "gated_mlp": False}
    if f.flag("use_bias", True, "as StarCoder2 has them"):
        fields |= {"attention_bias": "qkvo", "mlp_bias": True}
    return fields | {"norm": "layer"} | window_fields(f, fields["layers"])


def _cohere(f: Fields) -> dict[str, Any]:
    fields = llama(f) | {"norm": "layer-no-bias", "norms_per_layer": 1}
    return fields | ({"qk_norm": "full"} if f.flag("use_qk_norm", False) else {})


def _cohere2(f: Fields) -> dict[str, Any]:
    fields = llama(f) | {"norm": "layer-no-bias", "norms_per_layer": 1}
    period = f.whole("layer_switch") or 0
    if not f.has("layer_types") and not period:
        period = f.count("sliding_window_pattern", 4, "as Cohere 2 has it")
    return fields | window_fields(f, fields["layers"], every(period))


def _olmo(f: Fields) -> dict[str, Any]:
    return llama(f) | {"norm": "none"}


def olmo2(f: Fields) -> dict[str, Any]:
    """Norms as wide as all heads on queries and keys."""
    return llama(f) | {"qk_norm": "full"}


def _olmo3(f: Fields) -> dict[str, Any]:
    fields = olmo2(f)
    return fields | window_fields(f, fields["layers"], every(4))


def _glm(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | {"mlp_width": f.need("mlp_width")}
    return fields | ({"attention_bias": "qkv"} if f.flag("attention_bias", True, "as GLM-4 has it") else {})


def _glm4(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | {"mlp_width": f.need("mlp_width"), "norms_per_layer": 4}
    return fields | ({"attention_bias": "qkv"} if f.flag("attention_bias", False) else {})


def _chatglm(f: Fields) -> dict[str, Any]:
    groups = f.whole("multi_query_group_num")
    grouped = f.flag("multi_query_attention", False)
    if grouped and not groups:
        f.missing.append("kv_heads")
    fields = plain(f) if not grouped else plain(f, heads_without_kv=False)
    if not grouped:
        fields["kv_heads"] = fields["heads"]
    fields["mlp_width"] = f.need("mlp_width")
    if f.flag("add_qkv_bias", False):
        fields["attention_bias"] = "qkv"
    if f.flag("add_bias_linear", False):
        fields |= {"attention_bias": "qkvo", "mlp_bias": True}
    return fields | ({} if f.flag("rmsnorm", True) else {"norm": "layer"})


def _nemotron(f: Fields) -> dict[str, Any]:
    return llama(f, heads_without_kv=False) | {"gated_mlp": False, "norm": "layer"}


def _exaone4(f: Fields) -> dict[str, Any]:
    fields = llama(f) | {"qk_norm": "head"}
    pattern = f.raw("sliding_window_pattern")
    if isinstance(pattern, str) and pattern and not f.has("layer_types"):
        return fields | window_fields(f, fields["layers"], lambda layer: pattern[layer % len(pattern)] == "L")
    period = 0
    if f.has("window") and not f.has("layer_types"):
        period = f.need("sliding_window_pattern")
    return fields | window_fields(f, fields["layers"], every(period))


def _seed_oss(f: Fields) -> dict[str, Any]:
    fields = plain(f, heads_without_kv=False) | {"mlp_width": f.need("mlp_width")}
    bias = "qkv" if f.flag("attention_bias", True, "as Seed-OSS has it") else ""
    return fields | {"attention_bias": bias + ("o" if f.flag("attention_out_bias", False) else "")}


def _apertus(f: Fields) -> dict[str, Any]:
    return llama(f) | {"gated_mlp": False, "qk_norm": "head"}


def _ungated(f: Fields) -> dict[str, Any]:
    return llama(f) | {"gated_mlp": False}


def _hunyuan_dense(f: Fields) -> dict[str, Any]:
    fields = llama(f)
    return fields | ({"qk_norm": "head"} if f.flag("use_qk_norm", True, "as HunYuan has it") else {})


def _ernie(f: Fields) -> dict[str, Any]:
    fields = plain(f) | {"mlp_width": f.need("mlp_width")}
    if f.flag("use_bias", False):
        fields |= {"attention_bias": "qkvo", "mlp_bias": True}
    return fields


def _mimo(f: Fields) -> dict[str, Any]:
    fields = llama(f) | {"attention_bias": "qkv" if f.flag("attention_bias", True) else ""}
    return fields | _late_windows(f, fields["layers"])


FAMILIES: dict[str, Family] = {
    "llama": Family(_llama, proof="llama-3.1-8b"),
    "baichuan": Family(_llama, proof="baichuan-7b"),
    "yi": Family(_llama, proof="yi-6b"),
    "granite": Family(_llama, proof="granite-3.0-8b"),
    "smollm3": Family(_smollm3, tied=True, proof="smollm3-3b"),
    "exaone": Family(_llama, proof="exaone-3.5-7.8b"),
    "mistral": Family(_mistral, proof="mistral-7b-v0.3"),
    "ministral": Family(_mistral, proof="ministral-8b"),
    "ministral3": Family(_mistral),
    "qwen": Family(_qwen, proof="qwen-7b"),
    "qwen2": Family(qwen2, proof="qwen2-7b"),
    "qwen2_vl_text": Family(qwen2),
    "qwen2_vl": Family(qwen2),
    "qwen2_5_vl_text": Family(qwen2),
    "qwen2_5_vl": Family(qwen2),
    "qwen2_5_omni_text": Family(qwen2),
    "qwen3": Family(qwen3, proof="qwen3-32b"),
    "qwen3_vl_text": Family(qwen3),
    "qwen3_vl": Family(qwen3),
    "internlm2": Family(_internlm2, proof="internlm2-20b"),
    "internlm3": Family(_internlm3, proof="internlm3-8b"),
    "minicpm": Family(_minicpm, tied=True),
    "phi3": Family(_phi3, proof="phi-4"),
    "phi3small": Family(_phi3small, tied=True, proof="phi-3-small"),
    "stablelm": Family(_stablelm, proof="stablelm-2-12b"),
    "starcoder2": Family(_starcoder2, tied=True, proof="starcoder2-15b"),
    "cohere": Family(_cohere, tied=True, proof="command-r"),
    "cohere2": Family(_cohere2, tied=True, proof="command-r7b"),
    "olmo": Family(_olmo, proof="olmo-7b"),
    "olmo2": Family(olmo2, proof="olmo-2-7b"),
    "olmo3": Family(_olmo3, proof="olmo-3-7b"),
    "glm": Family(_glm, proof="glm-4-9b"),
    "glm4": Family(_glm4, proof="glm-4-32b-0414"),
    "glm4v_text": Family(_glm4),
    "chatglm": Family(_chatglm, proof="chatglm3-6b"),
    "nemotron": Family(_nemotron, proof="nemotron-4-340b"),
    "exaone4": Family(_exaone4, proof="exaone-4.0-32b"),
    "seed_oss": Family(_seed_oss, proof="seed-oss-36b"),
    "apertus": Family(_apertus, proof="apertus-8b"),
    "arcee": Family(_ungated, proof="afm-4.5b"),
    "hunyuan_v1_dense": Family(_hunyuan_dense, tied=True, proof="hunyuan-7b"),
    "ernie4_5": Family(_ernie, tied=True),
    "mimo": Family(_mimo, proof="mimo-7b"),
}
"""`model_type` → family."""
