"""Kinds of catalogue records: pydantic models that say what formulas can read."""

from __future__ import annotations

from tokensheet.schema.accelerator import Accelerator
from tokensheet.schema.base import Record
from tokensheet.schema.link import Link
from tokensheet.schema.model import Model
from tokensheet.schema.number_format import NumberFormat
from tokensheet.schema.price import Price
from tokensheet.schema.profile import Profile
from tokensheet.schema.system import System

KINDS: dict[str, type[Record]] = {
    "accelerator": Accelerator,
    "link": Link,
    "system": System,
    "model": Model,
    "format": NumberFormat,
    "profile": Profile,
    "price": Price,
}

HOOKS: dict[str, str] = {kind: f"tokensheet_{kind}s" for kind in KINDS}

SYNONYMS: dict[str, str] = {
    "gpu": "accelerator",
    "device": "accelerator",
    "card": "accelerator",
    "interconnect": "link",
    "network": "link",
    "machine": "system",
    "server": "system",
    "llm": "model",
    "quantization": "format",
    "quantisation": "format",
    "number format": "format",
    "assumption": "profile",
    "rent": "price",
}
"""What people call a kind → the kind."""


def kind_of(text: str) -> str | None:
    """The kind that a word means, singular or plural; None where it means none."""
    word = " ".join(text.lower().replace("_", " ").replace("-", " ").split())
    for name in (word, word.removesuffix("s")):
        if name in KINDS:
            return name
        if name in SYNONYMS:
            return SYNONYMS[name]
    return None
