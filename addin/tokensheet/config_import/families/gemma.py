"""Gemma: tied heads, wide vocabularies, local and global layers."""

from __future__ import annotations

from typing import Any

from tokensheet.config_import.families.common import Family, experts, llama, plain
from tokensheet.config_import.keys import Fields
from tokensheet.config_import.layer_kinds import every, listed_kinds, window_fields

GEMMA3_DEFAULTS = {
    "vocab_size": 262_208,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "max_position_embeddings": 131_072,
    "sliding_window": 4096,
}
"""What a Gemma 3 text configuration means where it leaves a key out (its published 4B file does)."""


def _gemma(f: Fields) -> dict[str, Any]:
    f.need("head_size")
    return llama(f, heads_without_kv=False)


def _gemma2(f: Fields) -> dict[str, Any]:
    f.need("head_size")
    fields = llama(f, heads_without_kv=False) | {"norms_per_layer": 4}
    return fields | window_fields(f, fields["layers"], every(2))


def _gemma3(f: Fields) -> dict[str, Any]:
    left_out = {k: v for k, v in GEMMA3_DEFAULTS.items() if f.config.get(k) is None}
    for key, value in left_out.items():
        f.assume(f"{key} is not given: {value}, Gemma 3's own default")
    filled = f.filled(left_out)
    fields = llama(filled) | {"norms_per_layer": 4, "qk_norm": "head"}
    period = 0
    if not f.has("layer_types"):
        period = f.whole("sliding_window_pattern") or f.count("_sliding_window_pattern", 0)
        if not period:
            f.assume("sliding_window_pattern is not given: 6, Gemma 3's own default")
            period = 6
    return fields | window_fields(filled, fields["layers"], every(period))


def _gemma4(f: Fields) -> dict[str, Any]:
    for key in ("hidden_size_per_layer_input", "num_kv_shared_layers"):
        if f.whole(key):
            f.problem(f"{key} is {f.whole(key)}: per-layer inputs and shared caches are not modelled")
    f.whole("vocab_size_per_layer_input")  # of no use without per-layer inputs
    if f.flag("use_double_wide_mlp", False):
        f.problem("use_double_wide_mlp is not modelled")
    fields = plain(f, heads_without_kv=False) | {"mlp_width": f.need("mlp_width"), "qk_norm": "head"}
    if f.flag("attention_bias", False):
        fields["attention_bias"] = "qkvo"
    kinds = listed_kinds(f, fields["layers"])
    if kinds is None:
        f.missing.append("layer_types")
        return fields
    local = {"heads": fields["heads"], "kv_heads": fields["kv_heads"], "head_size": fields["head_size"]}
    fields["head_size"] = f.count("global_head_dim", fields["head_size"])
    fields["kv_heads"] = f.count("num_global_key_value_heads", fields["kv_heads"])
    fields["keys_are_values"] = f.flag("attention_k_eq_v", False)
    fields |= window_fields(f, fields["layers"])
    if fields.get("window_layers"):
        fields["attention_groups"] = ({"layers": kinds["window"], "window": True, **local},)
    fields["norms_per_layer"] = 4
    if f.flag("enable_moe_block", False):
        width = fields.pop("mlp_width")
        fields |= experts(f) | {"dense_layers": 0, "parallel_mlp_width": width, "norms_per_layer": 7}
    return fields


FAMILIES: dict[str, Family] = {
    "gemma": Family(_gemma, tied=True, proof="gemma-7b"),
    "gemma2": Family(_gemma2, tied=True, proof="gemma-2-27b"),
    "gemma3_text": Family(_gemma3, tied=True, proof="gemma-3-27b"),
    "gemma3": Family(_gemma3, tied=True, proof="gemma-3-27b"),
    "gemma4_text": Family(_gemma4, tied=True),
    "gemma4": Family(_gemma4, tied=True),
}
"""`model_type` → family."""
