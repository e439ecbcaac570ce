"""Calls of a workbook's LAMBDA names, typed into cells and answered by IronCalc, beside the add-in's functions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ironcalc
from openpyxl.utils.cell import coordinate_to_tuple

from tests.tools.office import Input, Value
from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.lambda_functions import PREFIX

TOLERANCE = 1e-9
EMPTY = '""'
COLUMN = 60
"""Of a sheet, far from everything in it."""


def answers(
    path: Path, calls: Sequence[str], sets: Sequence[Input] = (), sheet: str = "Functions"
) -> list[Value]:
    """What cells show that hold the calls, after some other cells were changed; ranges are of `sheet`."""
    model = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
    titles = [each["name"] for each in model.get_worksheets_properties()]
    place = titles.index(sheet)
    for title, address, value in sets:
        model.set_user_input(
            titles.index(title), *coordinate_to_tuple(address), "" if value is None else str(value)
        )
    for row, call in enumerate(calls, 1):
        model.set_user_input(place, row, COLUMN, f"={call}")
    model.evaluate()
    found: list[Value] = []
    for row in range(1, len(calls) + 1):
        value = model.get_cell_value(place, row, COLUMN)
        failed = model.get_cell_type(place, row, COLUMN) == ironcalc.CellType.ErrorValue
        found.append(CellError(value) if failed else value if isinstance(value, str) else float(value))
    return found


def call(function: str, values: Sequence[Any]) -> str:
    """The text of a call: numbers, ids, nothing for None, two columns for a mapping of options."""
    texts = [_text(value) for value in values]
    while texts and not texts[-1]:
        texts.pop()
    return f"{PREFIX}{function}({','.join(texts)})"


def agree(found: Value, engine: Any) -> bool:
    """Whether a cell shows what a function answers; a failure is an error value."""
    if isinstance(engine, Failure) or isinstance(found, str):
        return isinstance(engine, Failure) and isinstance(found, CellError)
    return math.isclose(found, float(engine), rel_tol=TOLERANCE, abs_tol=0.0)


def disagreements(path: Path, cases: Sequence[tuple[str, Sequence[Any]]], functions: Functions) -> list[str]:
    """Calls whose cell is not what the add-in's function answers, a line each."""
    found = answers(path, [call(name, values) for name, values in cases])
    engine = [functions.call(name, values) for name, values in cases]
    return [
        f"{call(*case)}: cell {cell!r}, function {told}"
        for case, cell, told in zip(cases, found, engine, strict=True)
        if not agree(cell, told)
    ]


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        rows = ";".join(f'"{name}",{_text(said) or EMPTY}' for name, said in value.items())
        return f"{{{rows}}}" if rows else ""
    if value is None:
        return ""
    return f'"{value}"' if isinstance(value, str) else repr(float(value)).upper()
