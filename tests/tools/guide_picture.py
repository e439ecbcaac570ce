"""Makes the pictures of the guide, `docs/guide/*.png`: the functions in the cells of a real LibreOffice.

Run as `python -m tests.tools.guide_picture`; needs LibreOffice and pdftoppm.
"""

from __future__ import annotations

import json
import re
import struct
import subprocess
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

import tokensheet
from tests.tools.office import Office
from tokensheet.calc import extension
from tokensheet.functions import Functions

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
OURS = re.compile(r"\b(?=[A-Z])(?!SUM\()([A-Z][A-Z0-9_]+)\(")
PREFIX = "ORG.TOKENSHEET.FUNCTIONS."
"""LibreOffice 7.4 reads functions of an extension in an .xlsx under their full names; what is shown is typed."""

FONT = "DejaVu Sans"
INPUT, HEAD = PatternFill("solid", fgColor="FFF2CC"), PatternFill("solid", fgColor="DDEBF7")
PLAN: tuple[tuple[str, str | float], ...] = (
    ("model", "llama-3.1-70b"),
    ("gpu", "h100-sxm-80gb"),
    ("gpus", 8),
    ("context", 4096),
    ("batch", 16),
    ("options", "weights=fp8"),
)
SINGLE = (
    ("KV cache", "=KV_BYTES(B2,B5,B6)", "0.00E+00", "bytes"),
    ("fits", "=FITS(B2,B3,B4,B5,B6,B7)", "0", "1 is yes"),
    ("a step", "=DECODE_LATENCY(B2,B3,B4,B5,B6,B7)", "0.00000", "seconds"),
    ("speed", "=TOKENS_PER_SECOND(B2,B3,B4,B5,B6,B7)", "#,##0", "tokens a second"),
    ("room for", "=MAX_BATCH(B2,B3,B4,B5,B7)", "#,##0", "sequences"),
    ("for a dollar", "=TOKENS_PER_DOLLAR(B2,B3,B4,20,B5,B6,B7)", "#,##0", "tokens at 20 USD an hour"),
    ("one 4090", '=TOKENS_PER_SECOND(B2,"rtx-4090",1,B5,B6)', "#,##0", "it does not fit"),
    ("their sum", "=SUM(C13,C16)", "#,##0", "an error too, never too low"),
)
WHY = '=WHY("tokens_per_second",B2,"rtx-4090",1,B5,B6)'
CONTEXTS, BATCHES = (1024, 4096, 16384, 65536), (1, 4, 16, 64)
TABLE = "=DECODE_LATENCY(B2,B3,B4,A11:A14,B10:E10,B7)*1000"


def with_full_names(formula: str) -> str:
    """The formula as it must stand in a file."""
    return OURS.sub(rf"{PREFIX}\1(", formula)


def plan(sheet: Worksheet, title: str, widths: Mapping[str, float]) -> None:
    """The cells that the functions read, and the look of the sheet."""
    sheet["A1"] = title
    sheet["A1"].font = Font(FONT, bold=True, size=12)
    for row, (name, value) in enumerate(PLAN, 2):
        sheet.cell(row, 1, name)
        cell = sheet.cell(row, 2, value)
        cell.fill, cell.alignment = INPUT, Alignment(horizontal="left")
    for column, width in widths.items():
        sheet.column_dimensions[column].width = width
    sheet.print_options.headings = sheet.print_options.gridLines = True
    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)


def single_cells(sheet: Worksheet) -> None:
    """One function a row, what is typed beside what it shows."""
    plan(sheet, "Functions in cells", {"A": 13, "B": 48, "C": 14, "D": 27})
    for column, text in zip("ABCD", ("result", "what is typed", "what it shows", "unit"), strict=True):
        sheet[f"{column}9"] = text
        sheet[f"{column}9"].font, sheet[f"{column}9"].fill = Font(FONT, bold=True), HEAD
    for row, (label, formula, shown, unit) in enumerate(SINGLE, 10):
        sheet[f"A{row}"], sheet[f"B{row}"], sheet[f"D{row}"] = label, f" {formula}", unit
        sheet[f"C{row}"] = with_full_names(formula)
        sheet[f"C{row}"].number_format = shown
    last = 10 + len(SINGLE)
    sheet[f"A{last}"], sheet[f"B{last}"] = "why", f" {WHY}"
    sheet[f"A{last + 1}"] = with_full_names(WHY)
    sheet[f"A{last + 1}"].alignment = Alignment(wrap_text=True, vertical="top")
    sheet.merge_cells(f"A{last + 1}:D{last + 2}")
    sheet.print_area = f"A1:D{last + 2}"


def ranges(sheet: Worksheet) -> None:
    """One function over a column and a row: a table of steps."""
    plan(sheet, "One function, many answers", {"A": 13, "B": 19, "C": 14, "D": 14, "E": 14})
    sheet["A9"] = f" {TABLE}"
    sheet.print_area = "A1:E14"
    sheet["A10"] = "context"
    for column, batch in zip("BCDE", BATCHES, strict=True):
        sheet[f"{column}10"] = batch
    for row, context in enumerate(CONTEXTS, 11):
        sheet[f"A{row}"] = context
    for cell in (*sheet["A10:E10"][0], *(row[0] for row in sheet["A11:A14"])):
        cell.fill = HEAD
    sheet["B11"] = ArrayFormula("B11:E14", with_full_names(TABLE))
    for row in sheet["B11:E14"]:
        for cell in row:
            cell.number_format = "0.00"


KEYWORD = b"Values"
"""Of the part of a picture that keeps what its cells showed, so that a test can tell an old one."""

PICTURES = {"functions": (single_cells, "951", "402"), "ranges": (ranges, "762", "310")}
"""Of each picture: what is on it, and its size in pixels."""


def expected(picture: str) -> dict[str, str]:
    """Cells of a picture and their formulas, with the values of other cells written in."""
    given = {f"B{row}": json.dumps(value) for row, (_, value) in enumerate(PLAN, 2)}
    given |= {
        "A11:A14": f"{{{';'.join(map(str, CONTEXTS))}}}",
        "B10:E10": f"{{{','.join(map(str, BATCHES))}}}",
    }
    formulas = {f"C{row}": formula for row, (_, formula, _, _) in enumerate(SINGLE, 10)}
    formulas = {cell: text for cell, text in formulas.items() if not text.startswith("=SUM")}
    if picture == "ranges":
        formulas = {"B11": TABLE}
    return {c: re.sub(r"\b[A-E]\d+(:[A-E]\d+)?\b", lambda m: given[m[0]], t) for c, t in formulas.items()}


def with_values(png: bytes, values: Mapping[str, object]) -> bytes:
    """A picture that keeps the values of its cells."""
    data = KEYWORD + b"\0" + json.dumps(values).encode()
    chunk = struct.pack(">I", len(data)) + b"tEXt" + data + struct.pack(">I", zlib.crc32(b"tEXt" + data))
    return png[:-12] + chunk + png[-12:]


def values_of(png: bytes) -> dict[str, object]:
    """What the cells of a picture showed."""
    begin = png.index(b"tEXt" + KEYWORD + b"\0")
    (length,) = struct.unpack(">I", png[begin - 4 : begin])
    found: dict[str, object] = json.loads(png[begin + 5 + len(KEYWORD) : begin + 4 + length])
    return found


def main() -> None:
    """Fills the sheets, prints them, keeps their cells without the margins of the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with zipfile.ZipFile(extension.build(Functions(tokensheet.planner()), folder)) as package:
            package.extractall(folder / "extensions" / "tokensheet")
        office = Office(extensions=folder / "extensions")
        try:
            for picture, (fill, width, height) in PICTURES.items():
                book = Workbook()
                assert book.active
                fill(book.active)
                book.save(folder / f"{picture}.xlsx")
                office.recalculated(folder / f"{picture}.xlsx", folder / f"{picture}.pdf")
                crop = ("-x", "74", "-y", "99", "-W", width, "-H", height)
                page = folder / picture
                subprocess.run(
                    ["pdftoppm", "-r", "100", "-png", "-singlefile", *crop, f"{page}.pdf", page], check=True
                )
                (cells,) = office.values(folder / f"{picture}.xlsx").values()
                png = with_values(page.with_suffix(".png").read_bytes(), cells)
                (GUIDE / f"{picture}.png").write_bytes(png)
        finally:
            office.close()


if __name__ == "__main__":
    main()
