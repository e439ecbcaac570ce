"""Finds the language model inside a configuration that also describes eyes, ears or a wrapper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokensheet.config_import.keys import ALIASES

NESTED = (
    "text_config",
    "llm_config",
    "language_config",
    "thinker_config",
    "language_model_config",
    "language_model",
    "lm_config",
    "text_model_config",
)
"""Keys under which a language model is nested, in the order in which they are tried."""

INHERITED = ("dtype", "torch_dtype", "tie_word_embeddings", "quantization_config")
"""What holds for the inside too, where the inside does not say it."""

SENSES = {
    "vision_config": "the vision tower",
    "visual": "the vision tower",
    "vision_tower": "the vision tower",
    "mm_vision_tower": "the vision tower",
    "audio_config": "the audio tower",
    "talker_config": "the speech decoder (talker)",
    "code2wav_config": "the speech decoder (code2wav)",
}


def find(config: Mapping[str, Any]) -> tuple[dict[str, Any], str, list[str]]:
    """The language part with what it inherits, the path to it, and the parts that are no language model."""
    inner, senses = dict(config), _senses(config)
    path: list[str] = []
    while True:
        step = _step(inner)
        if step is None:
            return inner, ".".join(path), senses
        path.append(step)
        nested = dict(inner[step])
        for key in INHERITED:
            twins = ALIASES["dtype"] if key in ALIASES["dtype"] else (key,)
            if inner.get(key) is not None and all(nested.get(twin) is None for twin in twins):
                nested[key] = inner[key]
        if nested.get("model_type") is None and inner.get("model_type") is not None:
            nested["model_type"] = inner["model_type"]
        if nested.get("architectures") is None and inner.get("architectures") is not None:
            nested["architectures"] = inner["architectures"]
        senses += [sense for sense in _senses(nested) if sense not in senses]
        inner = nested


def _step(config: Mapping[str, Any]) -> str | None:
    """The key that leads further in; none where the numbers stand on this level."""
    inside = [key for key in NESTED if isinstance(config.get(key), Mapping) and config[key]]
    if not inside:
        return None
    if _has_shape(config) and not any(_has_shape(config[key]) for key in inside):
        return None
    return inside[0]


def _has_shape(config: Mapping[str, Any]) -> bool:
    stated = any(config.get(key) is not None for key in ALIASES["d_model"])
    return stated or any(_has_shape(config[k]) for k in NESTED if isinstance(config.get(k), Mapping))


def _senses(config: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(text for key, text in SENSES.items() if config.get(key)))
