"""Unit algebra for the load-time check: a unit is a product of named units with exponents.

Every named unit is a dimension of its own (`hour` is not `second`): converting needs a constant
such as `SECONDS_PER_HOUR`, so a forgotten factor is a load error. Counts (token, layer, gpu, flag …)
are labels without dimension.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

DIMENSIONS = frozenset(
    ["byte", "flop", "second", "hour", "month", "year", "usd", "watt", "kilowatt", "joule", "gram", "million"]
)
LABELS = frozenset(
    [
        "1",
        "token",
        "layer",
        "head",
        "gpu",
        "flag",
        "count",
        "element",
        "parameter",
        "sequence",
        "request",
        "expert",
        "stage",
        "node",
        "system",
        "share",
        "step",
        "user",
        "replica",
        "unit",
        "message",
    ]
)

_TOKEN = re.compile(r"\s*([A-Za-z_]+|1|\*\*|\^|[*/()·]|-?\d+)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A product of dimensions, e.g. byte¹·second⁻¹; no factors means a plain number."""

    powers: tuple[tuple[str, float], ...] = ()

    def __mul__(self, other: Unit) -> Unit:
        return _product_of(self, other, 1) if other.powers else self

    def __truediv__(self, other: Unit) -> Unit:
        return _product_of(self, other, -1) if other.powers else self

    def __pow__(self, exponent: float) -> Unit:
        return _unit({name: power * exponent for name, power in self.powers})

    @property
    def is_plain(self) -> bool:
        """Whether this is a number without dimension."""
        return not self.powers

    def __str__(self) -> str:
        above = "*".join(_factor(name, power) for name, power in self.powers if power > 0) or "1"
        below = [_factor(name, -power) for name, power in self.powers if power < 0]
        if not below:
            return above
        return f"{above}/{below[0]}" if len(below) == 1 else f"{above}/({'*'.join(below)})"


PLAIN = Unit()


def _factor(name: str, power: float) -> str:
    return name if power == 1 else f"{name}^{power:g}"


@lru_cache(maxsize=4096)
def _product_of(one: Unit, other: Unit, sign: int) -> Unit:
    powers = dict(one.powers)
    for name, power in other.powers:
        powers[name] = powers.get(name, 0.0) + sign * power
    return _unit(powers)


def _unit(powers: Mapping[str, float]) -> Unit:
    return Unit(tuple(sorted((name, power) for name, power in powers.items() if power)))


@lru_cache(maxsize=512)
def parse(text: str) -> Unit:
    """The unit written as `byte/second`, `usd/(kilowatt*hour)`, `flag`, `1`.

    Raises:
        ValueError: a word is neither a unit nor a label; lists the words.
    """
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != re.sub(r"\s", "", text) or not tokens:
        raise ValueError(f"unit {text!r} cannot be read; write it as byte/second or usd/(kilowatt*hour)")
    unit, rest = _product(tokens, text)
    if rest:
        raise ValueError(f"unit {text!r} cannot be read after {rest[0]!r}")
    return unit


def _product(tokens: list[str], text: str) -> tuple[Unit, list[str]]:
    unit, tokens = _power(tokens, text)
    while tokens and tokens[0] in {"*", "/", "·"}:
        sign, tokens = tokens[0], tokens[1:]
        other, tokens = _power(tokens, text)
        unit = unit / other if sign == "/" else unit * other
    return unit, tokens


def _power(tokens: list[str], text: str) -> tuple[Unit, list[str]]:
    if not tokens:
        raise ValueError(f"unit {text!r} ends too early")
    word, tokens = tokens[0], tokens[1:]
    if word == "(":
        unit, tokens = _product(tokens, text)
        if not tokens or tokens[0] != ")":
            raise ValueError(f"unit {text!r} lacks a closing bracket")
        tokens = tokens[1:]
    elif word in LABELS:
        unit = PLAIN
    elif word in DIMENSIONS:
        unit = Unit(((word, 1.0),))
    else:
        known = ", ".join(sorted(DIMENSIONS))
        raise ValueError(f"unit {text!r}: {word!r} is not a unit; units are {known}; counts are 1")
    if tokens and tokens[0] in {"**", "^"}:
        if len(tokens) == 1 or not tokens[1].lstrip("-").isdigit():
            raise ValueError(f"unit {text!r} cannot be read: a power is a whole number")
        unit, tokens = unit ** float(tokens[1]), tokens[2:]
    return unit, tokens
