"""Writes cells: text that can never become a formula, formulas with their value, inputs with their rules."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any
from unicodedata import east_asian_width

from openpyxl import Workbook
from openpyxl.cell.cell import Cell as OpenpyxlCell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.styles.cell_style import StyleArray
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.page import PageMargins
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.texts import Text, Texts, say
from tokensheet.untrusted import LONGEST_TEXT
from tokensheet.workbook import styles
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.layout import Cell

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
NAMES_OF_A_PAGE = 6
"""Columns of candidates on a printed page."""
NARROWER = 0.9
"""Average letter over the digit in which widths of columns are counted."""


def clean(text: str) -> str:
    """Text without characters that a workbook cannot hold."""
    return _CONTROL.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))[:LONGEST_TEXT]


def breadth(text: str) -> int:
    """Letters that a text is wide; a full-width one, such as a Chinese character, counts as two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def cell_at(sheet: Worksheet, row: int, column: int) -> OpenpyxlCell:
    """A cell of a sheet without merged ones."""
    cell = sheet.cell(row, column)
    assert isinstance(cell, OpenpyxlCell)
    return cell


@dataclass
class Book:
    """An openpyxl workbook being written, the value of each formula cell, and the reader's language.

    Texts are data (`str`: names, ids, what people wrote) and stay as they are, or phrases, which are translated.
    """

    texts: Texts = field(default_factory=Texts)
    workbook: Workbook = field(default_factory=Workbook)
    values: dict[tuple[str, str], Cell] = field(default_factory=dict)
    logo_row: float = 0
    """Height of the row that is kept for a company's logo, in points."""
    looks: dict[tuple[object, ...], tuple[tuple[object, ...], StyleArray]] = field(default_factory=dict)

    def sheet(self, title: str, color: str = "1B4F72") -> Worksheet:
        """A new sheet with gridlines off."""
        sheet: Worksheet = self.workbook.create_sheet(title)
        sheet.sheet_view.showGridLines = False
        sheet.sheet_properties.tabColor = color
        return sheet

    def text(
        self,
        sheet: Worksheet,
        row: int,
        column: int,
        text: Text,
        font: Font = styles.BODY,
        align: Alignment = styles.LEFT,
        fill: PatternFill | None = None,
    ) -> OpenpyxlCell:
        """A text cell: whatever it begins with, it stays text."""
        cell = cell_at(sheet, row, column)
        self.dress(cell, font, align, fill=fill)
        shown = clean(self.texts(text))
        if shown:  # an empty text is no text: engines part on it
            cell.value = shown
            cell.data_type = "s"
            if cell.value[:1] in "=+-@\t":
                cell.quotePrefix = True
        return cell

    def dress(
        self,
        cell: OpenpyxlCell,
        font: Font,
        align: Alignment,
        form: str = styles.PLAIN,
        fill: PatternFill | None = None,
        unlocked: bool = False,
    ) -> None:
        """Gives a cell its looks; the same ones are looked up in the workbook's lists only once."""
        look = (font, align, fill)
        key = (*map(id, look), form, unlocked)
        known = self.looks.get(key)
        if known is not None:
            cell._style = copy(known[1])  # type: ignore[attr-defined]
            return
        cell.font, cell.alignment, cell.number_format = font, align, form
        if fill is not None:
            cell.fill = fill
        if unlocked:
            cell.protection = styles.OPEN
        self.looks[key] = (look, copy(cell._style))  # type: ignore[attr-defined]

    def number(self, sheet: Worksheet, row: int, column: int, value: float, unit: str = "") -> OpenpyxlCell:
        """A number that is data, not calculated."""
        if not math.isfinite(value):
            raise ValueError(
                f"{sheet.title} {get_column_letter(column)}{row}: {value} is no number for a cell"
            )
        cell = cell_at(sheet, row, column)
        cell.value = int(value) if value == int(value) and abs(value) < 1e15 else value
        self.dress(cell, styles.BODY, styles.RIGHT, styles.number_format(unit, value))
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
        cell = cell_at(sheet, row, column)
        cell.value = f"={formula}"
        align = styles.RIGHT if not isinstance(value, str) or isinstance(value, CellError) else styles.LEFT
        form = styles.people(value) if form == styles.PEOPLE else form
        self.dress(cell, font, align, form or styles.number_format(unit, value))
        self.values[sheet.title, cell.coordinate] = value
        return cell

    def again(
        self, sheet: Worksheet, row: int, column: int, formula: str, value: Cell, formats: StyleArray
    ) -> None:
        """A formula that looks like one written before: for sheets with many cells."""
        cell = cell_at(sheet, row, column)
        cell.value = f"={formula}"
        cell._style = formats  # type: ignore[attr-defined]
        self.values[sheet.title, cell.coordinate] = value

    def input(
        self, sheet: Worksheet, row: int, column: int, value: float | str | None, unit: str = ""
    ) -> OpenpyxlCell:
        """A cell that the reader may change."""
        if isinstance(value, str):
            cell = self.text(sheet, row, column, value)
            cell.alignment = styles.RIGHT
        elif value is None:
            cell = cell_at(sheet, row, column)
        else:
            cell = self.number(sheet, row, column, float(value), unit)
        cell.font, cell.fill, cell.border = styles.INPUT, styles.INPUT_FILL, styles.BOX
        cell.protection = styles.OPEN
        return cell

    def header(self, sheet: Worksheet, row: int, titles: Iterable[Text]) -> None:
        """A row of column titles."""
        for column, title in enumerate(titles, 1):
            cell = self.text(sheet, row, column, title, styles.BOLD, styles.HEAD, styles.HEADER_FILL)
            cell.border = styles.UNDER

    def title(self, sheet: Worksheet, text: Text, note: Text) -> None:
        """The first two rows of every sheet."""
        self.text(sheet, 1, 1, text, styles.TITLE)
        self.text(sheet, 2, 1, note, styles.NOTE)
        sheet.row_dimensions[1].height = 24

    def fit(self, sheet: Worksheet, row: int, *texts: tuple[Text, float]) -> None:
        """A row high enough for wrapped texts in columns of the given widths; programs do not see to it alone."""
        lines = max(math.ceil(breadth(self.texts(text)) * NARROWER / width) for text, width in texts)
        if lines > 1:
            sheet.row_dimensions[row].height = 13.5 * lines

    def section(self, sheet: Worksheet, row: int, text: Text, width: int) -> None:
        """A coloured row that begins a section."""
        for column in range(1, width + 1):
            sheet.cell(row, column).fill = styles.SECTION_FILL
        self.text(sheet, row, 1, text, styles.SECTION, fill=styles.SECTION_FILL)


def page(
    book: Book,
    sheet: Worksheet,
    repeat: str,
    freeze: str,
    landscape: bool = True,
    wide: int = 1,
    high: int = 0,
) -> None:
    """Prints on A4 or Letter, titles repeated, so many pages wide and high; 0 is as many as it takes."""
    sheet.page_setup.orientation = "landscape" if landscape else "portrait"
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = wide, high
    sheet.sheet_properties.pageSetUpPr.fitToPage = True  # type: ignore[union-attr]
    sheet.page_margins = PageMargins(left=0.5, right=0.5, top=0.6, bottom=0.7, header=0.3, footer=0.3)
    sheet.print_title_rows = repeat
    sheet.freeze_panes = freeze
    footer: Any = sheet.oddFooter
    footer.left.text, footer.right.text = (
        "&A",
        book.texts(say("page {page} of {pages}", page="&P", pages="&N")),
    )
    sheet.protection.sheet = True
    sheet.protection.formatColumns = False
    sheet.protection.formatRows = False


def pages_across(sheet: Worksheet, names: Sequence[str], repeated: str) -> int:
    """How many printed pages beside each other columns of candidates take; the columns repeated say what a row is."""
    found = math.ceil(len(names) / NAMES_OF_A_PAGE)
    if found > 1:
        sheet.print_title_cols = repeated
    return found


def head_row(sheet: Worksheet, row: int, names: Iterable[str], width: float) -> None:
    """Makes the row of candidates' names as high as the longest of them is in a column of a width."""
    lines = max((math.ceil(breadth(name) / width) for name in names), default=1)
    sheet.row_dimensions[row].height = max(32, 14.5 * lines)


def widths(sheet: Worksheet, widths: tuple[float, ...]) -> None:
    """Widths of the first columns, in characters."""
    for i, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(i)].width = width
