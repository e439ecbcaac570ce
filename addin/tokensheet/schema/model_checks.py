"""What follows from the fields of a model record, and what makes one impossible."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tokensheet.schema.mixers import Latent

if TYPE_CHECKING:
    from tokensheet.schema.model import Model

MISSING = -1
"""Stands for a count that was not given, until `problems` says so."""


def fill(given: dict[str, Any]) -> dict[str, Any]:
    """The fields of a record with the defaults that follow from other fields."""
    values = {name: value for name, value in given.items() if value is not None}

    def whole(name: str) -> int:
        value = values.get(name, 0)
        if not isinstance(value, int | float) or not math.isfinite(value) or value != int(value):
            raise ValueError(f"{name}={value!r}: a whole number is needed")
        return int(value)

    layers, heads, d_model = whole("layers"), whole("heads"), whole("d_model")
    latent = values.get("latent")
    if latent is not None:
        latent = Latent.model_validate(latent)
        values.setdefault("kv_heads", heads)
        values.setdefault("head_size", latent.nope_size + latent.rope_size)
        values.setdefault("value_head_size", latent.value_size)
    values.setdefault("kv_heads", MISSING if heads else 0)
    values.setdefault("head_size", d_model // heads if heads and d_model % heads == 0 else 0)
    values.setdefault("value_head_size", values["head_size"])
    if "full_layers" not in values:
        others = ("window_layers", "latent_layers", "recurrent_layers", "other_layers")
        values["full_layers"] = layers - sum(whole(name) for name in others)
    if "moe_layers" not in values:
        values["moe_layers"] = layers - whole("dense_layers") if values.get("experts") else 0
    values.setdefault("dense_layers", layers - whole("moe_layers"))
    values.setdefault("sparse_layers", whole("latent_layers") if values.get("indexer") else 0)
    return values


def problems(model: Model) -> list[str]:
    """Everything that is impossible in a record, as `field=value: cause`."""
    found = _counts(model)
    if found:
        return found
    return _layers(model) + _attention(model) + _mlp(model) + _published(model)


def _counts(model: Model) -> list[str]:
    found = []
    if model.kv_heads == MISSING:
        found.append("kv_heads is missing: state it, also where it equals heads")
    for name, value in model.__dict__.items():
        if isinstance(value, int) and value < 0 and not (name == "kv_heads" and value == MISSING):
            found.append(f"{name}={value}: a count cannot be negative")
    for name in ("layers", "d_model"):
        if getattr(model, name) == 0:
            found.append(f"{name}=0: a model has at least one")
    parts = (model.latent, model.indexer, model.recurrent, *model.attention_groups, *model.mlp_groups)
    for part in parts:
        if part is not None:
            found += [
                f"{type(part).__name__} {text}: a count cannot be negative" for text in part.negative_fields()
            ]
    return found


def _layers(model: Model) -> list[str]:
    found = []
    kinds = ("full_layers", "window_layers", "latent_layers", "recurrent_layers", "other_layers")
    counts = {name: getattr(model, name) for name in kinds}
    layers = model.layers
    if sum(counts.values()) > layers and not model.parallel_mixers:
        listed = " + ".join(f"{name}={value}" for name, value in counts.items() if value)
        found.append(
            f"{listed}: more than layers={layers}; with several mixers in a layer set parallel_mixers"
        )
    found += [
        f"{name}={value}: more than layers={layers}" for name, value in counts.items() if value > layers
    ]
    for name, part in (("latent", model.latent), ("recurrent", model.recurrent)):
        value = counts[f"{name}_layers"]
        if value and part is None:
            found.append(f"{name}_layers={value}: `{name}` with their shape is missing")
        if part is not None and not value:
            found.append(f"{name} is given: but {name}_layers=0")
    if model.window_layers and not model.window:
        found.append(f"window_layers={model.window_layers}: window is missing")
    if model.window and not model.window_layers and not model.other_layers:
        found.append(f"window={model.window}: but window_layers=0")
    if model.sparse_layers > layers:
        found.append(f"sparse_layers={model.sparse_layers}: more than layers={layers}")
    if model.indexer and not model.latent_layers:
        found.append("indexer is given: but latent_layers=0")
    if model.other_layers and not model.other_layer_parameters:
        found.append(f"other_layers={model.other_layers}: other_layer_parameters is missing")
    for window, name in ((False, "full_layers"), (True, "window_layers")):
        grouped = sum(g.layers for g in model.attention_groups if g.window == window)
        if grouped > counts[name]:
            found.append(f"attention_groups hold {grouped} layers: more than {name}={counts[name]}")
    return found


def _attention(model: Model) -> list[str]:
    found = []
    if model.full_layers + model.window_layers + model.latent_layers:
        if not model.heads:
            found.append("heads=0: layers with attention need heads; without attention set full_layers=0")
        elif not model.head_size:
            whole = f"d_model={model.d_model} is not divisible by heads={model.heads}"
            found.append(f"head_size=0: {whole}, so state head_size")
        if model.heads and not model.kv_heads:
            found.append("kv_heads=0: layers with attention need them")
    if model.kv_heads and model.heads % model.kv_heads:
        found.append(f"kv_heads={model.kv_heads}: heads={model.heads} is not divisible by it")
    for group in model.attention_groups:
        heads = group.heads or model.heads
        kv_heads = group.kv_heads or model.kv_heads
        if kv_heads and heads % kv_heads:
            found.append(f"attention_groups kv_heads={kv_heads}: heads={heads} is not divisible by it")
    if set(model.attention_bias) - set("qkvo") or len(set(model.attention_bias)) < len(model.attention_bias):
        found.append(f"attention_bias={model.attention_bias!r}: letters of q, k, v and o, each once")
    return found


def _mlp(model: Model) -> list[str]:
    found = []
    if model.dense_layers + model.moe_layers > model.layers:
        both = f"dense_layers={model.dense_layers} + moe_layers={model.moe_layers}"
        found.append(f"{both}: more than layers={model.layers}")
    grouped = sum(g.layers for g in model.mlp_groups)
    if grouped > model.dense_layers:
        found.append(f"mlp_groups hold {grouped} layers: more than dense_layers={model.dense_layers}")
    if model.dense_layers > grouped and not model.mlp_width and model.taken_parameters is None:
        found.append(
            f"mlp_width=0: dense_layers={model.dense_layers} need a width; without MLP set dense_layers=0"
        )
    if model.experts_per_token > model.experts:
        found.append(f"experts_per_token={model.experts_per_token}: more than experts={model.experts}")
    if model.experts:
        for name in ("experts_per_token", "moe_layers", "expert_width"):
            if not getattr(model, name):
                found.append(f"{name}=0: experts={model.experts} need it")
    else:
        for name in ("moe_layers", "expert_width", "shared_experts", "expert_latent", "parallel_mlp_width"):
            if getattr(model, name):
                found.append(f"{name}={getattr(model, name)}: but experts=0")
    if model.taken_parameters is not None and not found and model.counts.mlp < 0:
        found.append(f"taken_parameters={model.taken_parameters:g}: less than the other parts together")
    return found


def _published(model: Model) -> list[str]:
    found = []
    for name in ("published_parameters", "published_active_parameters"):
        value = getattr(model, name)
        if value is not None and value < 1_000_000:
            found.append(f"{name}={value}: it counts parameters, not millions or billions of them")
    if model.taken_parameters is not None and model.taken_parameters < 1_000_000:
        found.append(
            f"taken_parameters={model.taken_parameters:g}: it counts parameters, not billions of them"
        )
    return found
