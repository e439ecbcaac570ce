"""What typeset mathematics is made of: signs in rows, fractions, powers, roots, brackets, cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Sign:
    """One name, number, operator or word."""

    kind: Literal["name", "number", "operator", "word"]
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """Parts side by side."""

    parts: tuple[Layout, ...]


@dataclass(frozen=True, slots=True)
class Fraction:
    """One part above another; the bar brackets both."""

    above: Layout
    below: Layout


@dataclass(frozen=True, slots=True)
class Power:
    """An exponent; its place brackets it."""

    base: Layout
    exponent: Layout


@dataclass(frozen=True, slots=True)
class Root:
    """A square root; its bar brackets what is below."""

    of: Layout


@dataclass(frozen=True, slots=True)
class Bracketed:
    """A part in a pair of brackets, which `BRACKETS` names."""

    of: Layout
    pair: str = "round"


@dataclass(frozen=True, slots=True)
class Cases:
    """Values with the test of each, behind one brace; the last has none."""

    rows: tuple[tuple[Layout, Layout | None], ...]


Layout = Sign | Row | Fraction | Power | Root | Bracketed | Cases

BRACKETS = {
    "round": ("(", ")"),
    "truth": ("[", "]"),
    "abs": ("|", "|"),
    "ceil": ("⌈", "⌉"),
    "floor": ("⌊", "⌋"),
}
"""Pairs of brackets; `[…]` is 1 where what stands in it holds and 0 where not."""
