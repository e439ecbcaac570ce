"""Where things stand in a planning workbook, before any cell is written.

A `Row` of a calculation has one formula, known as a function of the column, so that the same text runs
across the row, and the engine's value of each cell. An `InputCell` may be changed; a `CatalogTable` is looked up in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from openpyxl.utils import get_column_letter

from tokensheet.catalog import Entry
from tokensheet.texts import Phrase, Text
from tokensheet.workbook.finish import CellError

Cell = float | str | CellError

INPUTS, OPTIONS, CALCULATION, SUMMARY, CHECKS, ABOUT = (
    "Inputs",
    "Options",
    "Calculation",
    "Summary",
    "Checks",
    "About",
)
SENSITIVITY, VARIANTS, CHARTS_DATA = "Sensitivity", "Variants", "Charts data"
BILL, TEXTS = "Bill of materials", "Texts"
SERIES, SERIES_DATA = "Series", "Series data"
FUNCTIONS = "Functions"
KIND_SHEETS = {
    "accelerator": "Hardware",
    "link": "Links",
    "system": "Systems",
    "model": "Models",
    "format": "Formats",
    "profile": "Profiles",
    "price": "Prices",
}
OPTIONS_FIRST, CALCULATION_FIRST = 4, 6
"""Columns of the first candidate on Options and Calculation."""
FIRST_ROW = 5
"""First row of Calculation below its titles; Inputs and Options use the same."""
FIRST_RECORD = 6
"""First row of records in a catalogue sheet."""
SPARE_ROWS = 40
"""Rows kept free in each catalogue table for the reader's own records."""


@dataclass(frozen=True)
class Row:
    """One row of the Calculation sheet.

    Args:
        label: for people
        symbol: the name in formulas
        unit: of the value
        words: the formula in words
        source: where it stands
        formula: candidate index → text without `=`
        values: one a candidate
        heading: a section's title instead of a calculation
    """

    label: Text
    symbol: str = ""
    unit: str = ""
    words: Text = ""
    source: Text = ""
    formula: Callable[[int], str] | None = None
    values: Sequence[Cell] = ()
    heading: bool = False


@dataclass(frozen=True)
class InputCell:
    """A cell that the reader may change.

    Args:
        name: of an input, assumption or role
        label: for people
        unit: of a number; empty for an id
        values: what stands in it: one value on Inputs, one a candidate on Options; None is an empty cell
        kind: of record, for ids: the drop-down
        ends: (operator, bound) pairs for numbers
        note: reason or meaning
        word: text that may stand in place of a number
    """

    name: str
    label: Text
    unit: str
    values: Sequence[float | str | None]
    kind: str = ""
    ends: tuple[tuple[str, float], ...] = ()
    whole: bool = False
    note: str = ""
    word: str = ""


@dataclass(frozen=True)
class ConstantCell:
    """A number of Inputs that nobody changes: a constant of the formulas, or a number that a declaration says."""

    name: str
    value: float
    unit: str
    label: Text


@dataclass(frozen=True)
class Cells:
    """The cells of a reader and of constants.

    Args:
        inputs: cells that count for all candidates
        options: cells of single candidates
        constants: numbers that formulas name, below the inputs
    """

    inputs: Sequence[InputCell]
    options: Sequence[InputCell]
    constants: Sequence[ConstantCell]

    @cached_property
    def input_row(self) -> dict[str, int]:
        """Row on Inputs of a name."""
        return {c.name: FIRST_ROW + i for i, c in enumerate(self.inputs)}

    @cached_property
    def option_row(self) -> dict[str, int]:
        """Row on Options of a name."""
        return {c.name: FIRST_ROW + i for i, c in enumerate(self.options)}

    @cached_property
    def constant_row(self) -> dict[tuple[str, float], int]:
        """Row on Inputs of a constant, by name and number: two plugins may call different numbers alike."""
        first = FIRST_ROW + len(self.inputs) + 2
        return {(c.name, c.value): first + i for i, c in enumerate(self.constants)}


@dataclass
class CatalogTable:
    """A catalogue sheet: records as rows, numbers as columns; the reader may add rows below."""

    kind: str
    entries: Mapping[str, Entry]
    """By the id that a cell says: `plugin:id` where two plugins offer the same one."""
    columns: list[tuple[str, str, Phrase]]
    """(field, unit, text); the id comes first, source and state last."""
    texts: list[str] = field(default_factory=list)
    """Attributes that name another record, such as a device's link."""
    first: int = FIRST_RECORD

    @property
    def sheet(self) -> str:
        """Title of the sheet."""
        return KIND_SHEETS[self.kind]

    @property
    def last(self) -> int:
        """Last row that look-ups read, spare ones included."""
        return self.first + len(self.entries) + SPARE_ROWS - 1

    @cached_property
    def letters(self) -> dict[str, str]:
        """Field → letter of its column."""
        names = ["id", *self.texts, *(c[0] for c in self.columns)]
        return {name: get_column_letter(i) for i, name in reversed([*enumerate(names, 1)])}

    def column(self, name: str) -> str:
        """Letter of a field's column."""
        return self.letters[name]

    def area(self, name: str) -> str:
        """Absolute range of a field, spare rows included."""
        letter = self.column(name)
        return f"{self.sheet}!${letter}${self.first}:${letter}${self.last}"

    def position(self, id: str) -> float | CellError:
        """Where MATCH finds an id: by place, as text without case."""
        ids = [key.lower() for key in self.entries]
        return float(ids.index(id.lower()) + 1) if id.lower() in ids else CellError("#N/A")

    def id_of(self, entry: Entry) -> str:
        """The id as it stands in the table."""
        return next(key for key, each in self.entries.items() if each is entry)


def only_match(text: str, area: str) -> str:
    """Formula of the place of an id: MATCH alone would take `h100*` for the first that begins so, or the first of two."""
    there, place = f"SUMPRODUCT(--({area}={text}))", f"MATCH({text},{area},0)"
    return f"IF(AND({there}=1,INDEX({area},{place})={text}),{place},NA())"


def row_across(sheet: str, first: int, count: int, row: int) -> str:
    """Address of a row through all columns of candidates, fixed."""
    return f"{sheet}!${get_column_letter(first)}${row}:${get_column_letter(first + count - 1)}${row}"


def option_cell(index: int, row: int) -> str:
    """Address of a candidate's cell on Options, its row fixed."""
    return f"{OPTIONS}!{get_column_letter(OPTIONS_FIRST + index)}${row}"


def calculation_cell(index: int, row: int) -> str:
    """Address of a candidate's cell on Calculation as its own column refers to it."""
    return f"{get_column_letter(CALCULATION_FIRST + index)}{row}"
