"""Rows of a calculation as cells: what Variants and Series data show alike, a column for each case."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.texts import unit_text
from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book
from tokensheet.workbook.layout import CALCULATION_FIRST, FIRST_ROW, Cell, Row

WIDTHS = (46, 30, 14, 60, 30)
"""Of label, symbol, unit, words and source."""


def row_cells(book: Book, sheet: Worksheet, rows: Sequence[Row], columns: int) -> None:
    """Label, symbol, unit, words, source, then the row's formula in each column; data where there is none."""
    for number, row in enumerate(rows, FIRST_ROW):
        if row.heading:
            book.section(sheet, number, row.label, CALCULATION_FIRST + columns - 1)
            continue
        for column, text in enumerate((row.label, row.symbol, unit_text(row.unit), row.words, row.source), 1):
            book.text(sheet, number, column, text, styles.NOTE if column > 1 else styles.BODY)
        formats = None
        for i, value in enumerate(row.values):
            column = CALCULATION_FIRST + i
            if row.formula is None:
                _data(book, sheet, number, column, value)
            elif formats is None:
                cell = book.formula(sheet, number, column, row.formula(i), value, form=styles.PLAIN)
                formats = copy(cell._style)  # type: ignore[attr-defined]
            else:
                book.again(sheet, number, column, row.formula(i), value, formats)


def _data(book: Book, sheet: Worksheet, row: int, column: int, value: Cell) -> None:
    """A text or a number that is not calculated."""
    if isinstance(value, str):
        book.text(sheet, row, column, value)
    else:
        book.number(sheet, row, column, value)
