"""Stored values and reproducible bytes of an exported workbook."""

from __future__ import annotations

import io
import math
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from datetime import datetime

import openpyxl
import pytest
from openpyxl.chart import LineChart, Reference
from openpyxl.comments import Comment
from openpyxl.worksheet.formula import ArrayFormula

from tokensheet.workbook.finish import CellError, CellValue, StoredValueError, finish

VALUES: dict[tuple[str, str], CellValue] = {
    ("In & out", "B1"): 0.1 + 0.2,
    ("In & out", "B2"): 3,
    ("In & out", "B3"): -1.5e-300,
    ("In & out", "B4"): True,
    ("In & out", "B5"): "a < b & \"c\"\n é 漢 🙂",
    ("In & out", "B6"): CellError("#N/A"),
    ("In & out", "B7"): "#N/A",
    ("In & out", "B8"): "",
    ("It's", "AA10"): 1e300,
    ("It's", "AA11"): 12345678901234567890.0,
}  # fmt: skip


def sample() -> bytes:
    """A workbook as the exporter makes them: styles, a comment, a chart, an external link in a cell."""
    book = openpyxl.Workbook()
    first = book.worksheets[0]
    first.title = "In & out"
    second = book.create_sheet("It's")
    for (title, address), _ in VALUES.items():
        book[title][address] = '=IF(A1<2,"<f>&</c>",SUM(A1:A3))'
    first["B2"].number_format = "0.00"
    first["B2"].comment = Comment("seconds", "author")
    first["B7"] = ArrayFormula("B7", "=SUM(A1:A3*2)")
    first["A1"] = 1
    first["A2"] = "text <f> in a cell </c>"
    first["A3"].hyperlink = "https://example.org/a"
    chart = LineChart()
    chart.add_data(Reference(first, min_col=1, min_row=1, max_row=3))
    second.add_chart(chart, "C3")
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def parts(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name).decode() for name in package.namelist()}


def test_values_and_formulas_are_both_there() -> None:
    finished = finish(sample(), VALUES)
    values = openpyxl.load_workbook(io.BytesIO(finished), data_only=True)
    formulas = openpyxl.load_workbook(io.BytesIO(finished))
    for (title, address), value in VALUES.items():
        cell = values[title][address]
        assert (cell.value or "") == (value or "")
        assert (cell.data_type == "e") == isinstance(value, CellError)
        assert isinstance(cell.value, bool) == isinstance(value, bool)
        assert formulas[title][address].data_type == "f"
    assert formulas["In & out"]["B1"].value == '=IF(A1<2,"<f>&</c>",SUM(A1:A3))'
    assert formulas["In & out"]["B2"].number_format == "0.00"
    assert formulas["In & out"]["A2"].value == "text <f> in a cell </c>"


def test_every_number_survives_exactly() -> None:
    numbers = [1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 2**53 + 2, 1e15, 999999999999999.0, 123456789.123]
    book = openpyxl.Workbook()
    for row in range(1, len(numbers) + 1):
        book.worksheets[0].cell(row, 1, "=1")
    saved = io.BytesIO()
    book.save(saved)
    values = {("Sheet", f"A{row}"): number for row, number in enumerate(numbers, 1)}
    again = openpyxl.load_workbook(io.BytesIO(finish(saved.getvalue(), values)), data_only=True)
    assert [again["Sheet"][at].value for _, at in values] == numbers


def test_the_written_cell() -> None:
    sheet = parts(finish(sample(), VALUES))["xl/worksheets/sheet1.xml"]
    cells = dict(re.findall(r'<c r="(B\d)"([^>]*>.*?)</c>', sheet, re.DOTALL))
    assert cells["B2"].endswith("</f><v>3</v>")
    assert 't="' not in cells["B2"]
    assert cells["B4"].startswith(' t="b">') and cells["B4"].endswith("<v>1</v>")
    assert cells["B6"].startswith(' t="e">') and cells["B6"].endswith("<v>#N/A</v>")
    assert cells["B7"].startswith(' t="str">') and cells["B7"].endswith("<v>#N/A</v>")
    assert cells["B8"].startswith(' t="str">') and cells["B8"].endswith("<v></v>")


@pytest.mark.slow
def test_the_same_bytes_in_another_process_and_at_another_time() -> None:
    """Hash seeds, the clock and the order of saving must not show."""
    script = (
        "import sys; from tests.workbook.test_finish import *; "
        "sys.stdout.buffer.write(finish(sample(), VALUES))"
    )

    def run(seed: str) -> bytes:
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, check=True
        ).stdout

    first = run("1")
    assert first == run("2") == finish(sample(), VALUES)
    with zipfile.ZipFile(io.BytesIO(first)) as package:
        assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert package.namelist()[:2] == ["[Content_Types].xml", "_rels/.rels"]
        assert package.testzip() is None


def test_the_stamp_is_the_documents_time() -> None:
    finished = finish(sample(), VALUES, stamp="2031-02-03T04:05:06Z")
    properties = openpyxl.load_workbook(io.BytesIO(finished)).properties
    assert (properties.created, properties.modified) == (datetime(2031, 2, 3, 4, 5, 6),) * 2
    with pytest.raises(StoredValueError, match="give a UTC time"):
        finish(sample(), VALUES, stamp="yesterday")


def test_relationship_targets_are_relative_unless_external() -> None:
    relations = {
        name: text for name, text in parts(finish(sample(), VALUES)).items() if name.endswith(".rels")
    }
    assert not any('Target="/' in text for text in relations.values())
    assert 'Target="worksheets/sheet1.xml"' in relations["xl/_rels/workbook.xml.rels"]
    assert 'Target="../comments/comment1.xml"' in relations["xl/worksheets/_rels/sheet1.xml.rels"]
    assert 'Target="https://example.org/a"' in relations["xl/worksheets/_rels/sheet1.xml.rels"]


def test_a_calculation_chain_is_dropped() -> None:
    with_chain = parts(sample())
    with_chain["xl/calcChain.xml"] = "<calcChain/>"
    for name, last, element in [
        ("[Content_Types].xml", "</Types>", '<Override PartName="/xl/calcChain.xml" ContentType="x" />'),
        ("xl/_rels/workbook.xml.rels", "</Relationships>", '<Relationship Id="c" Target="calcChain.xml"/>'),
    ]:
        with_chain[name] = with_chain[name].replace(last, element + last)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        for name, text in with_chain.items():
            package.writestr(name, text)
    assert finish(made.getvalue(), VALUES) == finish(sample(), VALUES)


def changed(**changes: CellValue | None) -> Mapping[tuple[str, str], CellValue]:
    """`VALUES` with other values in the first sheet; None takes one away."""
    values = VALUES | {("In & out", at): value for at, value in changes.items() if value is not None}
    return {at: value for at, value in values.items() if changes.get(at[1], value) is not None}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (changed(B1=None, B2=None), "no value for In & out!B1, In & out!B2"),
        ({}, "no value for .* and 5 more"),
        (changed(A1=1.0), "values for cells without a formula: In & out!A1"),
        (changed(D9=1.0), "values for cells without a formula: In & out!D9"),
        (VALUES | {("Nowhere", "A1"): 1.0}, "values for cells without a formula: Nowhere!A1"),
        (changed(B1=math.nan), "In & out!B1 would hold number nan"),
        (changed(B1=-math.inf), "In & out!B1 would hold number -inf"),
        (
            changed(B1=CellError("#OOPS")),
            "In & out!B1 would hold error value '#OOPS'; the errors are #DIV/0!",
        ),
        (changed(B1="a\x00b"), "In & out!B1 would hold text .* with a control character"),
        (changed(B1="a\ud800"), "with a control character"),
        (changed(B1="x" * 32768), "text of 32768 characters"),
        (changed(B1=[1]), "In & out!B1 would hold a list"),  # type: ignore[arg-type]
    ],
)
def test_a_mismatch_is_a_bug_that_names_cells(
    values: Mapping[tuple[str, str], CellValue], message: str
) -> None:
    with pytest.raises(StoredValueError, match=message):
        finish(sample(), values)


def test_formulas_over_several_cells_are_refused() -> None:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = ArrayFormula("A1:A3", "=B1:B3*2")
    saved = io.BytesIO()
    book.save(saved)
    with pytest.raises(StoredValueError, match="Sheet!A1 is a formula over several cells"):
        finish(saved.getvalue(), {("Sheet", "A1"): 1.0})


def test_a_styled_cell_without_content_is_empty_and_not_a_number() -> None:
    """openpyxl calls it a number; IronCalc then reads 0 where Excel reads nothing."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet["A1"].number_format = "0.00"
    sheet["A2"] = '=IF(A1="",1,2)'
    saved = io.BytesIO()
    book.save(saved)
    made = finish(saved.getvalue(), {("Sheet", "A2"): 1})
    (cell,) = re.findall(r'<c r="A1"[^>]*>', parts(made)["xl/worksheets/sheet1.xml"])
    assert " t=" not in cell and cell.endswith("/>")
    assert 's="' in cell
