"""Which family a configuration belongs to, or why none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tokensheet.config_import import quantization
from tokensheet.config_import.errors import ConfigError
from tokensheet.config_import.families import FAMILIES, REFUSED
from tokensheet.config_import.families.common import Family
from tokensheet.config_import.keys import ALIASES
from tokensheet.errors import nearest

HEADS = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "ForSequenceClassification", "Model")
"""Endings of an architecture's name that do not name the family."""


def family_of(config: Mapping[str, Any], inner: Mapping[str, Any], path: str) -> tuple[str, Family]:
    """The name of the architecture and how it is read.

    Raises:
        ConfigError: the file names no architecture, one that does not fit, or one that is not known.
    """
    kind = inner.get("model_type")
    named = inner.get("architectures")
    first = named[0] if isinstance(named, list) and named and isinstance(named[0], str) else ""
    key = kind.lower() if isinstance(kind, str) else _kind_of(first)
    shown = (first or (kind if isinstance(kind, str) else "")).strip()[:80]
    where = f" in {path}" if path else ""
    if not key:
        block = config.get("quantization_config")
        problems = [f"model_type and architectures are missing{where}"]
        problems.append(
            "missing keys: "
            + ", ".join(ALIASES[name][0] for name in ("layers", "d_model", "heads", "vocabulary"))
        )
        if isinstance(block, Mapping):
            found = quantization.declared(block)
            problems += [
                f"it holds a quantisation block: {text}" for text in (found.decided if found else ())
            ]
        raise ConfigError("the configuration", problems, ("model_type",))
    outer = str(config.get("model_type") or "").lower()
    if outer in REFUSED:
        key = outer
    if True in (config.get("is_encoder_decoder"), inner.get("is_encoder_decoder")) and key not in REFUSED:
        raise ConfigError(shown or key, [f"model_type {key!r} pairs an encoder with a decoder: not modelled"])
    if key not in FAMILIES and _kind_of(first) in REFUSED:
        key = _kind_of(first)
    if key in REFUSED:
        why = f"{shown or key} (model_type {key!r}) is not supported: {REFUSED[key]}"
        raise ConfigError(shown or key, [why, "a plugin can add a record for it, or use a measured value"])
    family = FAMILIES.get(key)
    if family is None:
        close = nearest(key, FAMILIES)
        near = f"; nearest are {', '.join(close)}" if close else ""
        why = f"architecture {shown or key} (model_type {key[:60]!r}) is not known{near}"
        raise ConfigError(shown or key[:60], [why, "a plugin can add a record for it; nothing was computed"])
    return shown or key, family


def _kind_of(architecture: str) -> str:
    """The `model_type` that an architecture's name stands for; empty where none is known."""
    for ending in HEADS:
        architecture = architecture.removesuffix(ending)
    plain = architecture.lower()
    return next((kind for kind in (*FAMILIES, *REFUSED) if re.sub(r"[_\-]", "", kind) == plain), plain)
