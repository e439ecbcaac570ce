"""Workbooks that come back from somebody: `tokensheet read` and `diff` take no code, no entity and no bomb from them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils import get_column_letter

from tests.tools.hostile import PIECES, answered, damaged, refused, storable, tried
from tokensheet import planner, proposal
from tokensheet.cli.compare import differences, of_workbook
from tokensheet.cli.read_back import as_toml
from tokensheet.workbook import opened
from tokensheet.workbook.layout import KIND_SHEETS
from tokensheet.workbook.opened import Opened
from tokensheet.workbook.reading import read_workbook

PLANNER = planner()
EXPORTED = sorted((Path(__file__).parents[2] / "workbooks").glob("*.xlsx"))
BOOK, STYLES, RELATIONS = "xl/workbook.xml", "xl/styles.xml", "xl/_rels/workbook.xml.rels"
Parts = dict[str, bytes]


def needed() -> tuple[Parts, dict[str, str]]:
    """The parts of an exported workbook that are read, but for the catalogue's sheets; titles and parts of its sheets."""
    with Opened(EXPORTED[0]) as book, zipfile.ZipFile(EXPORTED[0]) as package:
        sheets = {title: part for title, part in book.parts.items() if title not in KIND_SHEETS.values()}
        wanted = {*sheets.values(), BOOK, STYLES, RELATIONS, "_rels/.rels"}
        return {name: package.read(name) for name in package.namelist() if name in wanted}, sheets


PARTS, SHEETS = needed()
READ = [
    title for title in ("About", "Summary", "Inputs", "Options", "Calculation", "Texts") if title in SHEETS
]
OPTIONS = SHEETS["Options"]


def package(parts: Mapping[str, bytes], **more: Any) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", **more) as written:
        for name, data in parts.items():
            written.writestr(name, data)
    return held.getvalue()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("book") / "back.xlsx"


def came_back(file: Path, data: bytes) -> None:
    """All that is done with a workbook of a customer."""
    file.write_bytes(data)
    book = read_workbook(file)
    text = as_toml(book, PLANNER, None)
    differences(of_workbook(book, PLANNER), of_workbook(book, PLANNER))
    proposal.parse(text, PLANNER)
    text.encode()


@pytest.mark.slow
def test_a_workbook_is_read_as_openpyxl_reads_it() -> None:
    """Every value of every sheet."""
    path = EXPORTED[0]
    theirs = openpyxl.load_workbook(path, data_only=True)
    with Opened(path) as ours:
        assert list(ours.parts) == theirs.sheetnames
        for sheet in theirs:
            rows = sheet.iter_rows(max_col=opened.LAST_COLUMN, values_only=True)
            wanted = [row for row in rows if any(v is not None for v in row)]
            assert [row[: len(wanted[0])] for row in ours.rows(sheet.title, 1)] == wanted


def test_strings_dates_and_errors_as_other_programs_save_them(file: Path) -> None:
    """Shared and inline texts in runs, how they are read aloud, truth, dates, numbers beyond all, cells without places."""
    cells = """<row r="2"><c r="B2" t="s"><v>0</v></c><c t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> b</t></r></is></c>
      <c t="b"><v>1</v></c><c s="1"><v>46054</v></c><c t="e"><v>#N/A</v></c><c><v>1e999</v></c><c t="str"><f>A1</f><v>x_x000D_y</v></c>
      <c><f>1+1</f></c><c><v>2.50</v></c></row><row><c><v>7</v></c></row>"""
    strings = "<sst><si><t>te</t><r><t>xt</t></r><rPh><t>aloud</t></rPh></si></sst>"
    styles = """<styleSheet><numFmts><numFmt numFmtId="170" formatCode="d/m/yy"/></numFmts>
      <cellXfs><xf/><xf numFmtId="170"/></cellXfs></styleSheet>"""
    relations = PARTS[RELATIONS].replace(
        b"</Relationships>",
        b'<Relationship Id="s" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
    )
    sheet = f"<x:worksheet xmlns:x='a'><x:sheetData>{cells}</x:sheetData></x:worksheet>"
    more = {
        OPTIONS: sheet.encode(),
        STYLES: styles.encode(),
        RELATIONS: relations,
        "xl/sharedStrings.xml": strings.encode(),
    }
    file.write_bytes(package(PARTS | more))
    with Opened(file) as book:
        first, second = (row[:10] for row in book.rows("Options", 1))
    assert first == (None, "text", "a b", True, "2026-02-01 00:00:00", "#N/A", "1e999", "x\ry", None, 2.5)
    assert second[0] == 7.0


@given(data=st.data())
@tried(12)
@pytest.mark.slow
def test_damaged_sheets_are_read_or_refused(file: Path, data: st.DataObject) -> None:
    part = data.draw(
        st.sampled_from([*(SHEETS[title] for title in READ), BOOK, STYLES, RELATIONS, "_rels/.rels"])
    )
    text = data.draw(
        damaged(
            [PARTS[part].decode()],
            (*PIECES, "<row>", "<c>", "</c>", "<v>", 't="s"', 's="9"', 'r="ZZZ1"', "&#55296;"),
        )
    )
    answered(lambda: came_back(file, package(PARTS | {part: storable(text)})))


CELLS = (
    "nan",
    "inf",
    "=1+1",
    "x = 1\n[[candidates]]",
    "max",
    '"',
    "2026-02-30",
    "a" * 40_000,
    1e300,
    -1,
    True,
    0.5,
    "",
)


@given(
    changes=st.lists(
        st.tuples(st.sampled_from(READ[:5]), st.integers(1, 60), st.integers(1, 8), st.sampled_from(CELLS)),
        max_size=6,
    )
)
@tried(15)
@pytest.mark.slow
def test_whatever_is_typed_into_cells_is_read_or_refused(
    file: Path, changes: list[tuple[str, int, int, Any]]
) -> None:
    rows: dict[str, dict[int, dict[int, Any]]] = {}
    with Opened(EXPORTED[0]) as book:
        for title in READ:
            book.row(title, 1)
            rows[title] = {n: dict(row) for n, row in book.read[title].items()}
    for title, row, column, value in changes:
        rows[title].setdefault(row, {})[column] = value
    made = {SHEETS[title]: sheet_of(cells) for title, cells in rows.items()}
    answered(lambda: came_back(file, package(PARTS | made)))


def sheet_of(rows: Mapping[int, Mapping[int, Any]]) -> bytes:
    """A sheet of texts and numbers."""
    text = "".join(
        f'<row r="{n}">{"".join(f"<c r={quoteattr(place(n, c))} {typed(v)}</c>" for c, v in sorted(row.items()))}</row>'
        for n, row in sorted(rows.items())
    )
    return f"<worksheet><sheetData>{text}</sheetData></worksheet>".encode()


def place(row: int, column: int) -> str:
    return f"{get_column_letter(column)}{row}"


def typed(value: Any) -> str:
    if isinstance(value, bool):
        return f't="b"><v>{value:d}</v>'
    return f"><v>{value!r}</v>" if isinstance(value, float | int) else f't="str"><v>{escape(value)}</v>'


@given(where=st.floats(0, 1), data=st.binary(min_size=1, max_size=8))
@tried(12)
@pytest.mark.slow
def test_damaged_packages_are_read_or_refused(file: Path, where: float, data: bytes) -> None:
    whole = package({name: PARTS[name] for name in PARTS}, compression=zipfile.ZIP_DEFLATED)
    at = int(where * len(whole))
    answered(lambda: came_back(file, whole[:at] + data + whole[at + len(data) :]))


def sheet(cells: str) -> Parts:
    """The workbook with other rows on Options."""
    return PARTS | {OPTIONS: f"<worksheet><sheetData>{cells}</sheetData></worksheet>".encode()}


ENTITIES = b'<!DOCTYPE a [<!ENTITY e "eeeeeeeeee">]><worksheet><sheetData><row><c t="str"><v>&e;</v></c></row></sheetData></worksheet>'
OUTSIDE = b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>'
TWICE = "".join(
    f'<row r="{r}"><c r="A{r}" t="str"><v>Tensor</v></c><c r="B{r}" t="str"><v>tp</v></c></row>'
    for r in (5, 6)
)
NAMES = '<row r="4"><c r="D4" t="str"><v>{}</v></c><c r="E4" t="str"><v>{}</v></c><c r="F4" t="str"><v>{}</v></c></row>'

HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "no zip": (lambda: b"hello", "is no workbook"),
    "an empty zip": (lambda: package({}), "is no workbook"),
    "a bomb": (lambda: package(PARTS | {OPTIONS: b" " * 40_000_001}, compression=zipfile.ZIP_DEFLATED), "is larger than 40,000,000 bytes"),
    "entities": (lambda: package(PARTS | {OPTIONS: ENTITIES}), "has a document type"),
    "entities in UTF-16": (lambda: package(PARTS | {OPTIONS: ENTITIES.decode().encode("utf-16")}), "has a document type"),
    "a file of this machine": (lambda: package(PARTS | {"_rels/.rels": OUTSIDE}), "has a document type"),
    "parts": (lambda: package({f"p{i}": b"" for i in range(5_001)}), "has 5,001 parts"),
    "a compression that takes long": (lambda: package(PARTS, compression=zipfile.ZIP_BZIP2), "is damaged"),
    "a row far down": (lambda: package(sheet('<row r="999999999"><c t="str"><v>a</v></c></row>')), "in row 999,999,999 holds"),
    "a row of many digits": (lambda: package(sheet(f'<row r="{"9" * 5000}"><c t="str"><v>a</v></c></row>')), "is damaged"),
    "cells": (lambda: package(sheet("<row>" + "<c/>" * 400_001 + "</row>")), "more than 400,000 cells"),
    "a depth": (lambda: package(PARTS | {OPTIONS: b"<a>" * 1_000_000}), "is damaged"),
    "a text that is not there": (lambda: package(sheet('<row><c t="s"><v>-1</v></c></row>')), "is damaged"),
    "a sheet less": (lambda: package(PARTS | {BOOK: PARTS[BOOK].replace(b'"Options"', b'"Option"')}), "has no sheet Options"),
    "two candidates of one name": (lambda: package(sheet(NAMES.format("a", "b", "a"))), "two candidates are called 'a'"),
    "a candidate without a name": (lambda: package(sheet(NAMES.format("a", "", "b"))), "candidate 2 has no name"),
    "two rows of one name": (lambda: package(sheet(NAMES.format("a", "b", "c") + TWICE)), "two rows are called tp; delete one"),
}  # fmt: skip


@pytest.mark.parametrize(("made", "words"), HOSTILE.values(), ids=HOSTILE)
@pytest.mark.slow
def test_what_must_not_pass_is_told(made: Callable[[], bytes], words: str, file: Path) -> None:
    refused(lambda: came_back(file, made()), words)


def test_the_parts_that_are_damaged_are_whole_before(file: Path) -> None:
    came_back(file, package(PARTS))
    assert len(read_workbook(file).names) > 1


def test_a_cell_far_to_the_right_and_an_empty_row_far_down_do_no_harm(file: Path) -> None:
    """A reader's note beside the table, and the formats that programs leave on the last row."""
    more = b'<row r="1048576"><c r="A1048576" s="1"/></row>'
    far = PARTS[OPTIONS].replace(
        b"</sheetData>", b'<row r="9"><c r="XFD9" t="str"><v>note</v></c></row>' + more + b"</sheetData>"
    )
    assert far != PARTS[OPTIONS]
    came_back(file, package(PARTS | {OPTIONS: far}))
