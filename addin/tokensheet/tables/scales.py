"""Units in headings: `memory_bytes [GB]`, so that cells hold 80 and not 80000000000, which Excel shows rounded."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tokensheet.units import Unit, parse

_PREFIXES: dict[str, Decimal] = {
    "n": Decimal("1e-9"),
    "u": Decimal("1e-6"),
    "µ": Decimal("1e-6"),
    "m": Decimal("1e-3"),
    "": Decimal(1),
    "k": Decimal(1000),
    "K": Decimal(1000),
    "M": Decimal(10) ** 6,
    "G": Decimal(10) ** 9,
    "T": Decimal(10) ** 12,
    "P": Decimal(10) ** 15,
    "Ki": Decimal(2) ** 10,
    "Mi": Decimal(2) ** 20,
    "Gi": Decimal(2) ** 30,
    "Ti": Decimal(2) ** 40,
}
_SMALL = {"n", "u", "µ", "m"}
_BASES: dict[str, str] = {"B": "byte", "FLOP": "flop", "s": "second", "W": "watt"}
_WORDS: dict[str, tuple[Decimal, str]] = {
    "thousand": (Decimal(1000), "1"),
    "million": (Decimal(10) ** 6, "1"),
    "billion": (Decimal(10) ** 9, "1"),
    "kUSD": (Decimal(1000), "usd"),
    "USD": (Decimal(1), "usd"),
}
EXAMPLES = "GB, GiB, GB/s, TFLOP/s, us, W, USD, million"


@dataclass(frozen=True, slots=True)
class Scale:
    """A unit as people write it: what SI has of it, and how often."""

    text: str
    factor: Decimal
    unit: Unit


def _names() -> dict[str, Scale]:
    found = {text: Scale(text, factor, parse(unit)) for text, (factor, unit) in _WORDS.items()}
    for prefix, factor in _PREFIXES.items():
        for base, unit in _BASES.items():
            if base == "s" and prefix not in {*_SMALL, ""}:
                continue
            if base != "s" and prefix in _SMALL - {"m"}:
                continue
            if base in {"B", "FLOP"} and prefix in _SMALL:
                continue
            text = f"{prefix}{base}"
            found[text] = Scale(text, factor, parse(unit))
    return found


SCALES = _names()


def scale(text: str) -> Scale:
    """The scale written as GB, TB/s, TFLOP/s, us, or a unit of formulas such as usd/hour.

    Raises:
        ValueError: the unit is not known.
    """
    above, slash, below = text.partition("/")
    known = SCALES.get(above.strip())
    if known is not None and (not slash or below.strip() == "s"):
        unit = known.unit / parse("second") if slash else known.unit
        return Scale(text, known.factor, unit)
    try:
        return Scale(text, Decimal(1), parse(text))
    except ValueError as error:
        raise ValueError(f"unit {text} is not known; units of columns are {EXAMPLES}") from error
