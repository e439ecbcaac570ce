"""The quick reader of workbook files reads what openpyxl reads."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.tools.cells_in_file import Cells, cells
from tests.tools.office import Value
from tokensheet.workbook.finish import CellError

WORKBOOKS = sorted((Path(__file__).parents[2] / "workbooks").glob("*.xlsx"))


def by_openpyxl(data: bytes) -> Cells:
    """The same by the library that wrote the file."""
    found = Cells({}, {})
    for sheet in openpyxl.load_workbook(io.BytesIO(data)).worksheets:
        for row in sheet.iter_rows():
            found.formulas.update(
                {(sheet.title, c.coordinate): str(c.value) for c in row if c.data_type == "f"}
            )
    for sheet in openpyxl.load_workbook(io.BytesIO(data), data_only=True).worksheets:
        kept = found.values.setdefault(sheet.title, {})
        for row in sheet.iter_rows():
            kept.update({c.coordinate: plain(c) for c in row if c.value is not None})
    return found


def plain(cell: Any) -> Value:
    if cell.data_type == "e":
        return CellError(cell.value)
    return float(cell.value) if isinstance(cell.value, bool | int | float) else str(cell.value)


@pytest.mark.slow
@pytest.mark.parametrize("path", WORKBOOKS, ids=lambda path: path.stem)
def test_exported_workbooks_are_read_as_openpyxl_reads_them(path: Path) -> None:
    data = path.read_bytes()
    found = cells(data)
    assert len(found.formulas) > 1000
    assert found == by_openpyxl(data)


def test_texts_of_a_list_numbers_flags_and_errors() -> None:
    """As a library writes them: texts in a list of their own, formulas without a value."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "A & B"
    for row in (
        ("one", "<two>", "one", " three ", ""),
        (1, 2.5, -1e-300, True, None),
        ("#N/A", "=1<2", '="a"&"b"'),
    ):
        sheet.append(row)
    saved = io.BytesIO()
    book.save(saved)
    found = cells(saved.getvalue())
    assert found == by_openpyxl(saved.getvalue())
    assert found.formulas == {("A & B", "B3"): "=1<2", ("A & B", "C3"): '="a"&"b"'}
    assert found.values["A & B"]["D1"] == " three "
    assert isinstance(found.values["A & B"]["A3"], CellError)
