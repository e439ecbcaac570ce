"""The closed vocabulary of formulas, as a table: each word with its scalar, array and Excel form.

Anything that is not here (loops, other calls, attributes, strings) has no cell form and is refused
when the formula is read. `EDGES` are the values at which the forms could part; a test puts them
through a real spreadsheet.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tokensheet.units import PLAIN, Unit


@dataclass(frozen=True, slots=True)
class Word:
    """One function of the vocabulary."""

    python: str
    """How an author writes it."""
    function: Callable[..., Any]
    """What it must be in the author's module: the check that `ceil` is `math.ceil`."""
    scalar: str
    """Code for plain floats; `{}` holds the arguments."""
    array: str
    """Code for NumPy arrays; pairs are folded."""
    excel: str
    """Excel text; `{}` holds the arguments."""
    arity: tuple[int, int | None]
    unit: Callable[[list[Unit]], Unit | None]
    """The result's unit; None when the arguments' units do not suit the word."""
    edges: tuple[tuple[float, ...], ...]


def _same(units: list[Unit]) -> Unit | None:
    return units[0] if all(u == units[0] for u in units) else None


def _plain(units: list[Unit]) -> Unit | None:
    return PLAIN if all(u.is_plain for u in units) else None


def _root(units: list[Unit]) -> Unit | None:
    return units[0] ** 0.5


_PAIRS = ((1.0, 2.0), (2.0, 1.0), (-1.0, 0.0), (0.0, 0.0), (-3.5, -3.25), (1e300, 1.0), (1e-300, 0.0))
_SINGLES = tuple((v,) for v in (0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, 7.0, 1e15, -1e15, 123456.789))

WORDS: dict[str, Word] = {
    "max": Word("max", max, "max({})", "maximum({})", "MAX({})", (2, None), _same, _PAIRS),
    "min": Word("min", min, "min({})", "minimum({})", "MIN({})", (2, None), _same, _PAIRS),
    "abs": Word("abs", abs, "abs({})", "absolute({})", "ABS({})", (1, 1), _same, _SINGLES),
    "ceil": Word(
        "math.ceil", math.ceil, "float(ceil({}))", "ceil({})", "-INT(-({}))", (1, 1), _same, _SINGLES
    ),
    "floor": Word(
        "math.floor", math.floor, "float(floor({}))", "floor({})", "INT({})", (1, 1), _same, _SINGLES
    ),
    "sqrt": Word("math.sqrt", math.sqrt, "sqrt({})", "sqrt({})", "SQRT({})", (1, 1), _root, _SINGLES),
    "exp": Word(
        "math.exp",
        math.exp,
        "exp({})",
        "exp({})",
        "EXP({})",
        (1, 1),
        _plain,
        (*_SINGLES[:9], (700.0,), (710.0,)),
    ),
    "log": Word(
        "math.log", math.log, "log({})", "log({})", "LN({})", (1, 1), _plain, (*_SINGLES, (1e300,), (1e-300,))
    ),
}

BY_FUNCTION: dict[Any, str] = {word.function: name for name, word in WORDS.items()}

HINTS: dict[str, str] = {
    "pow": "write x ** y",
    "sum": "write the terms with +",
    "round": "use math.floor(x + 0.5) or math.ceil",
    "int": "use math.floor",
    "float": "a formula sees numbers only; leave the conversion out",
    "log2": "write math.log(x) / math.log(2)",
    "log10": "write math.log(x) / math.log(10)",
    "len": "a formula sees numbers only; make it an input",
    "range": "a formula has no loops; find the closed form",
}
