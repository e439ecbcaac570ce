"""How people are shown numbers: milliseconds for seconds and GiB for bytes; programs and Calculation keep SI units."""

from __future__ import annotations

from dataclasses import dataclass

from tokensheet.failure import Failure, Value
from tokensheet.workbook.calculation import cell_value
from tokensheet.workbook.layout import Cell


@dataclass(frozen=True)
class PeopleUnit:
    """A unit for people.

    Args:
        name: of the unit
        text: behind the cell with the number in SI units, as `*1000`
        factor: the same as a number
    """

    name: str
    text: str = ""
    factor: float = 1.0

    def number(self, value: float) -> float:
        """The number in this unit."""
        return value * self.factor

    def cell(self, value: Value) -> Cell:
        """An engine's value as the cell holds it."""
        return cell_value(value) if isinstance(value, Failure) else self.number(value)


OTHER = {
    "second": PeopleUnit("ms", "*1000", 1000.0),
    "byte": PeopleUnit("GiB", "/1024/1024/1024", 1 / 2**30),
}


def for_people(unit: str) -> PeopleUnit:
    """How a unit is shown."""
    return OTHER.get(unit, PeopleUnit(unit))
