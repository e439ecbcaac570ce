"""A number for a device's product family, by which formulas tell that a machine or a price is of other devices."""

from __future__ import annotations

import zlib


def family(id: str) -> float:
    """The same number for all variants of a product: `h100-sxm-80gb`, `h100-nvl-94gb` and a plugin's `own-h100`.

    The family is the first part of the id with a digit in it; an id without digits is a family of its own.
    """
    parts = id.split("-")
    return named_number(next((p for p in parts if any(c.isdigit() for c in p)), id))


def named_number(name: str) -> float:
    """A number that stands for a name in formulas, which know no text; capitals do not matter."""
    return float(zlib.crc32(name.casefold().encode()))
