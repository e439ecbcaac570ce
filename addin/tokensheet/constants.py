"""Numbers with a meaning and a unit: in a formula they keep their name, in a workbook they get a cell."""

from __future__ import annotations


class Constant(float):
    """A float that knows its name, unit and meaning; arithmetic with it gives plain floats."""

    name: str
    unit: str
    text: str

    def __new__(cls, name: str, value: float, unit: str, text: str) -> Constant:
        """A named number."""
        self = super().__new__(cls, value)
        self.name, self.unit, self.text = name, unit, text
        return self

    def __reduce__(self) -> tuple[type[Constant], tuple[str, float, str, str]]:
        return Constant, (self.name, float(self), self.unit, self.text)


FLOPS_PER_MAC = Constant("FLOPS_PER_MAC", 2.0, "flop", "operations of one multiply-add")
BYTES_PER_16_BIT = Constant("BYTES_PER_16_BIT", 2.0, "byte", "size of a number in bf16 or fp16")
ONE_HOUR = Constant("ONE_HOUR", 1.0, "hour", "an hour")
SECONDS_PER_HOUR = Constant("SECONDS_PER_HOUR", 3600.0, "second/hour", "seconds in an hour")
HOURS_PER_DAY = Constant("HOURS_PER_DAY", 24.0, "1", "hours in a day")
HOURS_PER_MONTH = Constant("HOURS_PER_MONTH", 730.0, "hour/month", "hours in a month: 8760/12")
HOURS_PER_YEAR = Constant("HOURS_PER_YEAR", 8760.0, "hour/year", "hours in a year of 365 days")
MONTHS_PER_YEAR = Constant("MONTHS_PER_YEAR", 12.0, "month/year", "months in a year")
WATTS_PER_KILOWATT = Constant("WATTS_PER_KILOWATT", 1000.0, "watt/kilowatt", "watts in a kilowatt")
PER_MILLION = Constant("PER_MILLION", 1e6, "1/million", "a million")
ROUNDING = Constant("ROUNDING", 1e-9, "1", "slack for the rounding of a quotient that should be whole")
LARGEST_EXPONENT = Constant("LARGEST_EXPONENT", 600.0, "1", "beyond this exp() leaves the range of numbers")
UNLIMITED = Constant("UNLIMITED", 1e300, "1", "more than anything that occurs")
