"""What most families share: the plain columns, and how a family is declared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tokensheet.config_import.keys import Fields

Build = Callable[[Fields], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Family:
    """How configurations of one `model_type` become a record."""

    build: Build
    tied: bool = False
    """Whether head and embedding are one where the configuration does not say it."""
    proof: str = ""
    """A catalogue model of this kind whose count agrees with its published one; empty: not verified."""


def plain(f: Fields, heads_without_kv: bool = True) -> dict[str, Any]:
    """Layers, width, vocabulary, heads and MLP of a transformer with full attention.

    Args:
        f: the configuration
        heads_without_kv: where no key says the KV heads, there are as many as heads
    """
    layers, d_model, heads = f.need("layers"), f.need("d_model"), f.need("heads")
    fields: dict[str, Any] = {
        "layers": layers,
        "d_model": d_model,
        "vocabulary": vocabulary(f),
        "heads": heads,
        "max_context": f.whole("max_context"),
    }
    fields["kv_heads"] = kv_heads(f, heads, heads_without_kv)
    fields["head_size"] = head_size(f, d_model, heads)
    return fields


def vocabulary(f: Fields) -> int:
    """Rows of the embedding; without them embedding and head are left out, and that is said."""
    if not f.has("vocabulary"):
        f.incomplete.append("vocab_size is not given: embedding and head are missing in the count; add it")
    return f.whole("vocabulary") or 0


def kv_heads(f: Fields, heads: int, heads_without_kv: bool) -> int:
    """Key and value heads, or as many as query heads where the family's rule says so."""
    if not f.has("kv_heads"):
        if heads_without_kv:
            f.assume(
                f"num_key_value_heads is not given: {heads} as there are heads, which is this family's rule"
            )
            return heads
        return f.need("kv_heads")
    return f.whole("kv_heads") or 0


def head_size(f: Fields, d_model: int, heads: int) -> int:
    """The size of a head, or d_model/heads where the configuration leaves it open."""
    size = f.whole("head_size")
    if size is not None:
        return size
    if heads and d_model % heads:
        f.problem(f"head_dim is not given: {f.usual('d_model')} {d_model} is not divisible by {heads} heads")
        return 0
    return d_model // heads if heads else 0


def llama(f: Fields, heads_without_kv: bool = True) -> dict[str, Any]:
    """A gated MLP, root-mean-square norms, biases where switches say so."""
    fields = plain(f, heads_without_kv)
    fields["mlp_width"] = f.need("mlp_width")
    if f.flag("attention_bias", False):
        fields["attention_bias"] = "qkvo"
    if f.flag("mlp_bias", False):
        fields["mlp_bias"] = True
    return fields


def experts(f: Fields, width: str = "expert_width") -> dict[str, Any]:
    """Routed experts; `width` names the key that holds their width."""
    found: dict[str, Any] = {
        "experts": f.need("experts"),
        "experts_per_token": f.need("experts_per_token"),
        "expert_width": f.need(width),
    }
    shared = f.whole("shared_experts")
    if shared:
        found["shared_experts"] = shared
    return found


def first_dense(f: Fields, layers: int) -> dict[str, Any]:
    """Dense layers before those with experts; the experts then stand in every layer."""
    if (f.whole("moe_layer_freq") or 1) != 1 or (f.whole("moe_layer_interval") or 1) != 1:
        f.problem("experts that do not stand in every layer after the first dense ones are not modelled here")
    kinds = f.listing("mlp_layer_types")
    if kinds is not None:
        dense = sum(1 for kind in kinds if kind == "dense")
        if len(kinds) != layers or dense + kinds.count("sparse") != layers:
            f.problem(f"mlp_layer_types needs `dense` or `sparse` once for each of {layers} layers")
        return {"dense_layers": min(dense, layers), "moe_layers": max(layers - dense, 0)}
    dense = min(f.whole("dense_first") or 0, layers)
    return {"dense_layers": dense, "moe_layers": layers - dense}
