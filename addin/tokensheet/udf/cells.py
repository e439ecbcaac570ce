"""Reads cells for xlwings without its own conversions, which lose digits and error values.

Loaded only where xlwings is installed.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from xlwings.conversion import Accessor, Pipeline


class Cells(Accessor):  # type: ignore[misc, unused-ignore]
    """The converter of every argument and answer: values as Excel has them, answers as rows."""

    @classmethod
    def reader(cls, options: Any) -> Any:
        """Stages from Excel to Python."""
        return Pipeline([read])

    @classmethod
    def writer(cls, options: Any) -> Any:
        """Stages from Python to Excel."""
        return Pipeline([write])


def read(context: Any) -> None:
    """Takes the values of a range; those of an expression are there already."""
    if context.range is None:
        return
    value = context.range.raw_value
    context.value = exact(value, context.range) if _has_money(value) else value


def exact(value: Any, cells: Any) -> Any:
    """The same values with all digits of the cells in a currency format.

    `Value` rounds those to four decimals; `Value2` does not, but cannot tell dates from numbers.
    """
    digits = cells.api.Value2
    if not isinstance(value, tuple):
        return digits
    return tuple(
        tuple(
            number if cell.__class__ is Decimal else cell for cell, number in zip(row, numbers, strict=True)
        )
        for row, numbers in zip(value, digits, strict=True)
    )


def _has_money(value: Any) -> bool:
    if not isinstance(value, tuple):
        return value.__class__ is Decimal
    return any(cell.__class__ is Decimal for row in value for cell in row)


def write(context: Any) -> None:
    """Makes a single answer a row of one; xlwings takes it out again."""
    if not isinstance(context.value, list):
        context.value = [[context.value]]
