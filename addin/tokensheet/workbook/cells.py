"""Writes cells: text that can never become a formula, formulas with their value, inputs with their rules."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from openpyxl import Workbook
from openpyxl.cell.cell import Cell as OpenpyxlCell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.printing.excel import number_text
from tokensheet.workbook import styles
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.layout import Cell, InputCell

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
LONGEST = 32_000


def clean(text: str) -> str:
    """Text without characters that a workbook cannot hold."""
    return _CONTROL.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))[:LONGEST]


@dataclass
class Book:
    """An openpyxl workbook being written, and the value of each formula cell."""

    workbook: Workbook = field(default_factory=Workbook)
    values: dict[tuple[str, str], Cell] = field(default_factory=dict)

    def sheet(self, title: str, color: str = "1B4F72") -> Worksheet:
        """A new sheet with gridlines off."""
        sheet = self.workbook.create_sheet(title)
        sheet.sheet_view.showGridLines = False
        sheet.sheet_properties.tabColor = color
        return sheet

    def text(
        self,
        sheet: Worksheet,
        row: int,
        column: int,
        text: str,
        font: Font = styles.BODY,
        align: Alignment = styles.LEFT,
        fill: PatternFill | None = None,
    ) -> OpenpyxlCell:
        """A text cell: whatever it begins with, it stays text."""
        cell: OpenpyxlCell = sheet.cell(row, column)
        if text:  # an empty text is no text: engines part on it
            cell.value = clean(str(text))
            cell.data_type = "s"
            if cell.value[:1] in "=+-@\t":
                cell.quotePrefix = True  # type: ignore[assignment]
        cell.font, cell.alignment = font, align
        if fill is not None:
            cell.fill = fill
        return cell

    def number(self, sheet: Worksheet, row: int, column: int, value: float, unit: str = "", font: Font = styles.BODY) -> OpenpyxlCell:
        """A number that is data, not calculated."""
        if not math.isfinite(value):
            raise ValueError(f"{sheet.title} {get_column_letter(column)}{row}: {value} is no number for a cell")
        cell: OpenpyxlCell = sheet.cell(row, column)
        cell.value = int(value) if value == int(value) and abs(value) < 1e15 else value
        cell.font, cell.alignment = font, styles.RIGHT
        cell.number_format = styles.number_format(unit, value)
        return cell

    def formula(
        self,
        sheet: Worksheet,
        row: int,
        column: int,
        formula: str,
        value: Cell,
        unit: str = "",
        font: Font = styles.BODY,
        form: str | None = None,
    ) -> OpenpyxlCell:
        """A formula cell with the value that the engine gives it."""
        cell: OpenpyxlCell = sheet.cell(row, column)
        cell.value = f"={formula}"
        cell.font = font
        cell.alignment = styles.RIGHT if not isinstance(value, str) or isinstance(value, CellError) else styles.LEFT
        cell.number_format = form or styles.number_format(unit, value)
        self.values[sheet.title, cell.coordinate] = value
        return cell

    def input(self, sheet: Worksheet, row: int, column: int, value: float | str | None, unit: str = "") -> OpenpyxlCell:
        """A cell that the reader may change."""
        if isinstance(value, str):
            cell = self.text(sheet, row, column, value)
            cell.alignment = styles.RIGHT
        elif value is None:
            cell = sheet.cell(row, column)
        else:
            cell = self.number(sheet, row, column, float(value), unit)
        cell.font, cell.fill, cell.border = styles.INPUT, styles.INPUT_FILL, styles.BOX
        cell.protection = styles.OPEN
        return cell

    def header(self, sheet: Worksheet, row: int, titles: Iterable[str], start: int = 1) -> None:
        """A row of column titles."""
        for i, title in enumerate(titles):
            cell = self.text(sheet, row, start + i, title, styles.BOLD, styles.HEAD, styles.HEADER_FILL)
            cell.border = styles.UNDER

    def title(self, sheet: Worksheet, text: str, note: str) -> None:
        """The first two rows of every sheet."""
        self.text(sheet, 1, 1, text, styles.TITLE)
        self.text(sheet, 2, 1, note, styles.NOTE)
        sheet.row_dimensions[1].height = 24

    def section(self, sheet: Worksheet, row: int, text: str, width: int) -> None:
        """A coloured row that begins a section."""
        for column in range(1, width + 1):
            sheet.cell(row, column).fill = styles.SECTION_FILL
        self.text(sheet, row, 1, text, styles.SECTION, fill=styles.SECTION_FILL)


def rule(cell: InputCell, list_area: str | None, free_text: bool = False) -> DataValidation | None:
    """The rule of an input cell: a drop-down of ids, or limits of a number."""
    if list_area is not None:
        found = DataValidation(type="list", formula1=list_area, allow_blank=True, showErrorMessage=True)
        found.errorTitle, found.error = "Not in the catalogue", "Choose an id from the list, or add a row to the catalogue sheet."
        return found
    if free_text or not cell.limits:
        return None
    signs = {">": "greaterThan", ">=": "greaterThanOrEqual", "<=": "lessThanOrEqual"}
    low = [(s, b) for s, b in cell.limits if s != "<="]
    high = [b for s, b in cell.limits if s == "<="]
    kind = "whole" if cell.whole else "decimal"
    if low and high and low[0][0] == ">=":
        found = DataValidation(type=kind, operator="between", formula1=number_text(low[0][1]), formula2=number_text(high[0]))
        words = f"between {low[0][1]:g} and {high[0]:g}"
    else:
        sign, bound = low[0] if low else ("<=", high[0])
        found = DataValidation(type=kind, operator=signs[sign], formula1=number_text(bound))
        words = {">": "above", ">=": "at least", "<=": "at most"}[sign] + f" {bound:g}"
    found.allow_blank, found.showErrorMessage = True, True
    found.errorTitle, found.error = "Out of range", f"{cell.name}: give a {'whole number' if cell.whole else 'number'} {words}."
    return found


def page(sheet: Worksheet, repeat: str, freeze: str, landscape: bool = True) -> None:
    """Prints on A4 or Letter, one page wide, titles repeated."""
    sheet.page_setup.orientation = "landscape" if landscape else "portrait"
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True  # type: ignore[union-attr]
    sheet.print_title_rows = repeat
    sheet.freeze_panes = freeze
    sheet.oddFooter.left.text = "&A"
    sheet.oddFooter.right.text = "page &P of &N"
    sheet.protection.sheet = True
    sheet.protection.formatColumns = False
    sheet.protection.formatRows = False
