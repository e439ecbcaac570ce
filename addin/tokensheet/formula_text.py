"""The text of a formula in a sheet: which functions it calls, and the texts of their arguments.

`celltext` reads and evaluates formulas of the terminal, which has no cells; here arguments may be cells, and
nothing is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Container

from tokensheet.errors import ArgumentError

CALL = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\(")
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
"""A text, or the name of a sheet or file before a cell."""
PAIRS = {"(": ")", "{": "}", "[": "]"}


def called(formula: str) -> list[str]:
    """Names of the functions that a cell's formula calls, in capitals; none for a cell without a formula."""
    return [name.upper() for name in CALL.findall(masked(formula))] if formula.startswith("=") else []


def first_call(formula: str, names: Container[str]) -> tuple[str, list[str]] | None:
    """The first call of one of some functions, with the texts of its arguments; None without one.

    Args:
        formula: with English names and commas, as Excel's `Formula` gives it
        names: of the functions, in capitals

    Raises:
        ArgumentError: the call has no end.
    """
    blanked = masked(formula)
    if not formula.startswith("="):
        return None
    for found in CALL.finditer(blanked):
        if found[1].upper() in names:
            return found[1].upper(), _arguments(formula, blanked, found.end())
    return None


def masked(formula: str) -> str:
    """The text with every quoted part blanked, so that its signs are not taken for those of the formula."""
    return QUOTED.sub(lambda found: " " * len(found[0]), formula)


def _arguments(formula: str, blanked: str, start: int) -> list[str]:
    """Texts between the commas of the call that begins at a place."""
    found: list[str] = []
    closing: list[str] = []
    begin = start
    for place in range(start, len(blanked)):
        sign = blanked[place]
        if sign in PAIRS:
            closing.append(PAIRS[sign])
        elif closing and sign == closing[-1]:
            closing.pop()
        elif not closing and sign in ",)":
            found.append(formula[begin:place].strip())
            begin = place + 1
            if sign == ")":
                return [] if found == [""] else found
    raise ArgumentError(f"the formula ends too early: {formula:.80}")
