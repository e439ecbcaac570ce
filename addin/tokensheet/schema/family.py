"""A number for a device's product family, by which formulas tell that a machine or a price is of other devices."""

from __future__ import annotations

import re
import zlib

_VARIANT = re.compile(r"\d+gb|sxm\d*|pcie|nvl|oam")
"""Parts of an id that tell variants of one product apart: the size of the memory, the form of the board."""


def family(id: str) -> float:
    """The same number for all variants of a product: `h100-sxm-80gb`, `h100-nvl-94gb` and a plugin's `own-h100`.

    The family is the id from its first part with a digit on, without what only tells variants apart: `rtx-6000-ada` and
    `rtx-pro-6000-bw` are two. An id without such a part is a family of its own. What follows an @ changes no product.
    """
    parts = [p for p in id.casefold().split("@")[0].split("-") if not _VARIANT.fullmatch(p)]
    first = next((i for i, p in enumerate(parts) if any(c.isdigit() for c in p)), 0)
    return named_number("-".join(parts[first:]) or id)


def named_number(name: str) -> float:
    """A number that stands for a name in formulas, which know no text; capitals do not matter."""
    return float(zlib.crc32(name.casefold().encode()))
