"""An exported workbook as its reader meets it: cells found by their names, inputs changed, results read.

The places are read from the file itself (the columns of names), not from the exporter's plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from openpyxl.utils.cell import coordinate_to_tuple, get_column_letter

from tests.tools.cells_in_file import cells
from tests.tools.office import Input, Value, Values
from tokensheet.arguments import NodeRef
from tokensheet.failure import Value as EngineValue
from tokensheet.planning import Planner
from tokensheet.proposal import Proposal
from tokensheet.workbook.build import Export, build

Scalar = float | str | None
HEAD = 4
"""Row of the column titles on every sheet."""
LARGEST = "max"


@dataclass
class Settings:
    """What the reader has put into the cells: shared ones, and each candidate's own."""

    inputs: dict[str, Scalar] = field(default_factory=dict)
    options: list[dict[str, Scalar]] = field(default_factory=list)


@dataclass(frozen=True)
class Planbook:
    """A workbook and where its inputs and results stand.

    Attributes:
        inputs: name → address on Inputs
        options: name → addresses on Options, one a candidate
        results: name → addresses on Calculation, one a candidate
        summary: label → row on Summary
        start: what the inputs hold as exported
    """

    path: Path
    export: Export
    proposal: Proposal
    inputs: Mapping[str, str]
    options: Mapping[str, list[str]]
    results: Mapping[str, list[str]]
    summary: Mapping[str, int]
    start: Settings

    @property
    def count(self) -> int:
        """Number of candidates."""
        return len(self.proposal.candidates)

    def sets(self, settings: Settings) -> list[Input]:
        """The cells that bring the exported workbook to these settings."""
        found: list[Input] = [("Inputs", self.inputs[n], v) for n, v in settings.inputs.items()]
        for i, own in enumerate(settings.options):
            found += [("Options", self.options[n][i], v) for n, v in own.items()]
        return found

    def given(self, settings: Settings, index: int) -> dict[str, Any]:
        """The arguments of a function that mean the same as a candidate's cells."""
        shared = {**self.start.inputs, **settings.inputs}
        own = {**self.start.options[index], **(settings.options[index] if settings.options else {})}
        merged = {**shared, **{n: v for n, v in own.items() if v is not None}}
        found: dict[str, Any] = {n: v for n, v in merged.items() if v is not None}
        if found.get("batch") == LARGEST:
            found["batch"] = NodeRef("max_batch")
        return found

    def result(self, values: Values, index: int, name: str) -> Value:
        """A result's value on Calculation; an empty text where the cell is empty."""
        return values["Calculation"].get(self.results[name][index], "")

    def engine(self, planner: Planner, settings: Settings, index: int, name: str) -> EngineValue:
        """The function's answer for the same settings."""
        return planner.one(name, self.given(settings, index))


def planbook(planner: Planner, proposal: Proposal, path: Path) -> Planbook:
    """The exported workbook of a proposal, written to `path`."""
    export = build(planner, proposal)
    path.write_bytes(export.xlsx)
    sheets = cells(export.xlsx).values
    count = len(proposal.candidates)
    inputs = {
        n: f"C{row}"
        for n, row in _named(sheets["Inputs"], 2).items()
        if n != "" and not n.isupper() and is_input(n)
    }
    options = {n: _across(4, row, count) for n, row in _named(sheets["Options"], 2).items()}
    results = {n: _across(6, row, count) for n, row in _named(sheets["Calculation"], 2).items()}
    start = Settings(
        {n: _plain(sheets["Inputs"].get(at)) for n, at in inputs.items()},
        [{n: _plain(sheets["Options"].get(at[i])) for n, at in options.items()} for i in range(count)],
    )
    summary = _named(sheets["Summary"], 1)
    return Planbook(path, export, proposal, inputs, options, results, summary, start)


def formula_cells(path: Path) -> dict[tuple[str, str], str]:
    """Sheet and address of every formula cell → its formula."""
    return cells(path).formulas


def only_formulas(values: Values, cells: Mapping[tuple[str, str], str]) -> Values:
    """The values of the formula cells; what an engine leaves out is an empty text."""
    found: Values = {}
    for sheet, address in cells:
        found.setdefault(sheet, {})[address] = values.get(sheet, {}).get(address, "")
    return found


def is_input(name: str) -> bool:
    """Whether a row of Inputs is one that a reader may change: constants stand below, named otherwise."""
    return not name.startswith("default of ") and "." not in name


def _named(sheet: Mapping[str, Value], column: int) -> dict[str, int]:
    """Texts below the titles of a column → their row."""
    placed = ((coordinate_to_tuple(at), value) for at, value in sheet.items())
    found = {row: str(value) for (row, at), value in placed if at == column and row > HEAD}
    return {found[row]: row for row in sorted(found)}


def _across(first: int, row: int, count: int) -> list[str]:
    return [f"{get_column_letter(first + i)}{row}" for i in range(count)]


def _plain(value: Value | None) -> Scalar:
    return value if value is None or isinstance(value, float) else str(value)
