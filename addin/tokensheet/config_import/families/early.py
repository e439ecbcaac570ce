"""Families with layer norms and MLPs of two matrices, most of them from before 2024."""

from __future__ import annotations

from typing import Any

from tokensheet.config_import.families.common import Family, plain
from tokensheet.config_import.keys import Fields

BIASES = {"attention_bias": "qkvo", "mlp_bias": True}
LAYER_NORMS = {"norm": "layer", "gated_mlp": False}


def _width(f: Fields, d_model: int) -> int:
    if f.has("mlp_width"):
        return f.whole("mlp_width") or 0
    f.assume(f"{f.usual('mlp_width')} is not given: 4 times the width of the model, as the family has it")
    return 4 * d_model


def _positions(f: Fields, extra: int = 0) -> dict[str, Any]:
    return {"learned_positions": f.need("max_context") + extra}


def _gpt2(f: Fields) -> dict[str, Any]:
    fields = plain(f)
    return fields | BIASES | LAYER_NORMS | {"mlp_width": _width(f, fields["d_model"])} | _positions(f)


def _gpt_bigcode(f: Fields) -> dict[str, Any]:
    fields = _gpt2(f)
    if f.flag("multi_query", True, "as GPT-BigCode has it"):
        fields["kv_heads"] = 1
        f.assumptions[:] = [text for text in f.assumptions if not text.startswith("num_key_value_heads")]
    return fields


def _gpt_neo(f: Fields) -> dict[str, Any]:
    fields = plain(f)
    layers = f.listing("attention_layers")
    if layers is None:
        f.missing.append("attention_layers")
        layers = []
    elif len(layers) != fields["layers"] or not set(map(str, layers)) <= {"global", "local"}:
        f.problem("attention_layers needs `global` or `local` once a layer")
    local = layers.count("local")
    if local:
        fields |= {"window_layers": local, "window": f.count("window_size", 256, "as GPT-Neo has it")}
    widths = {"mlp_width": _width(f, fields["d_model"]), "attention_bias": "o", "mlp_bias": True}
    return fields | LAYER_NORMS | widths | _positions(f)


def _gpt_neox(f: Fields) -> dict[str, Any]:
    fields = plain(f) | LAYER_NORMS | {"mlp_width": _width(f, f.need("d_model"))}
    bias = f.flag("attention_bias", True)
    f.ignore("use_parallel_residual")
    return fields | {"attention_bias": "qkvo" if bias else "", "mlp_bias": True}


def _gptj(f: Fields) -> dict[str, Any]:
    fields = plain(f) | LAYER_NORMS | {"mlp_width": _width(f, f.need("d_model"))}
    return fields | {"mlp_bias": True, "norms_per_layer": 1, "head_bias": True}


def _opt(f: Fields) -> dict[str, Any]:
    fields = plain(f)
    fields |= BIASES | LAYER_NORMS | {"mlp_width": f.need("mlp_width")} | _positions(f, extra=2)
    width = f.whole("word_embed_proj_dim")
    if width and width != fields["d_model"]:
        fields["embedding_width"] = width
    if not f.flag("do_layer_norm_before", True) or f.flag("_remove_final_layer_norm", False):
        fields["final_norms"] = 0
    if not f.flag("enable_bias", True):
        fields |= {"attention_bias": "", "mlp_bias": False}
    return fields


def _bloom(f: Fields) -> dict[str, Any]:
    fields = plain(f)
    return fields | BIASES | LAYER_NORMS | {"mlp_width": 4 * fields["d_model"], "embedding_norm": True}


def _mpt(f: Fields) -> dict[str, Any]:
    fields = plain(f)
    attention = f.part("attn_config")
    if attention.has("kv_heads"):
        fields["kv_heads"] = attention.need("kv_heads")
    if attention.raw("attn_type") == "multiquery_attention":
        fields["kv_heads"] = 1
    if attention.flag("qk_ln", False):
        f.problem("attn_config.qk_ln is not modelled")
    width = f.count("expansion_ratio", 4) * fields["d_model"]
    fields |= {"mlp_width": width, "gated_mlp": False, "norm": "layer-no-bias"}
    if not f.flag("no_bias", True, "as MPT has it"):
        fields |= BIASES | {"norm": "layer"}
    if attention.config and not attention.flag("alibi", True):
        fields |= _positions(f)
    return fields


def _phi(f: Fields) -> dict[str, Any]:
    if f.flag("qk_layernorm", False):
        f.problem("qk_layernorm is not modelled for this family")
    fields = plain(f) | BIASES | LAYER_NORMS
    return fields | {"mlp_width": f.need("mlp_width"), "norms_per_layer": 1, "head_bias": True}


def _falcon(f: Fields) -> dict[str, Any]:
    new = f.flag("new_decoder_architecture", False)
    fields = plain(f, heads_without_kv=not new)
    if not new:
        one = f.flag("multi_query", True, "as Falcon has it")
        fields["kv_heads"] = 1 if one else fields["heads"]
        f.assumptions[:] = [text for text in f.assumptions if not text.startswith("num_key_value_heads")]
    norms = 2
    if new:
        norms = f.count("num_ln_in_parallel_attn", 2)
    elif f.flag("parallel_attn", True):
        norms = 1
    fields |= {"mlp_width": _width(f, fields["d_model"]), "norms_per_layer": norms} | LAYER_NORMS
    return fields | (BIASES if f.flag("bias", False) else {})


FAMILIES: dict[str, Family] = {
    "gpt2": Family(_gpt2, tied=True, proof="gpt2"),
    "gpt_bigcode": Family(_gpt_bigcode, tied=True, proof="starcoder-15b"),
    "gpt_neo": Family(_gpt_neo, tied=True),
    "gpt_neox": Family(_gpt_neox, proof="gpt-neox-20b"),
    "gptj": Family(_gptj, proof="gpt-j-6b"),
    "opt": Family(_opt, tied=True, proof="opt-30b"),
    "bloom": Family(_bloom, tied=True, proof="bloom-176b"),
    "mpt": Family(_mpt, tied=True, proof="mpt-7b"),
    "phi": Family(_phi, proof="phi-2"),
    "falcon": Family(_falcon, tied=True, proof="falcon-40b"),
    "refinedweb": Family(_falcon, tied=True, proof="falcon-40b"),
    "refinedwebmodel": Family(_falcon, tied=True, proof="falcon-7b"),
}
"""`model_type` → family."""
