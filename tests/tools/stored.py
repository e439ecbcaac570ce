"""What a workbook file holds without recalculation, and how two sets of values differ."""

from __future__ import annotations

import math
from pathlib import Path

from tests.tools.cells_in_file import cells
from tests.tools.office import Value, Values


def values(path: Path | str) -> Values:
    """The values stored in the file, in the shape that the engines answer in."""
    return cells(path).values


def differences(one: Values, other: Values, tolerance: float = 1e-9, rounding: float = 0.0) -> list[str]:
    """One line for each cell whose values differ in kind, text or, relatively, in number.

    Empty text and an empty cell count as equal: engines do not agree on which of them they report.

    Args:
        one: values by sheet and address
        other: the same by another engine
        tolerance: relative difference of two numbers that are equal
        rounding: absolute difference that is the last digit of numbers near 1, of which one was subtracted
    """
    lines = []
    for sheet in sorted(one.keys() | other.keys()):
        left, right = one.get(sheet, {}), other.get(sheet, {})
        for address in sorted(left.keys() | right.keys()):
            a, b = left.get(address, ""), right.get(address, "")
            if not same(a, b, tolerance, rounding):
                lines.append(f"{sheet}!{address}: {a!r} and {b!r}")
    return lines


def same(a: Value, b: Value, tolerance: float, rounding: float = 0.0) -> bool:
    """Whether two values are equal in kind, text or, relatively, in number."""
    if isinstance(a, str) or isinstance(b, str):
        return type(a) is type(b) and a == b
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=rounding)
