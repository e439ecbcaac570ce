"""Columns of candidates on every sheet that has them: their names as Options says them, their cells on Calculation."""

from __future__ import annotations

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.layout import CALCULATION, CALCULATION_FIRST, FIRST_ROW, OPTIONS, OPTIONS_FIRST


def candidate_names(book: Book, sheet: Worksheet, contents: Contents, first: int) -> None:
    """The candidates' names, as Options says them, above their columns."""
    for i, name in enumerate(contents.names):
        source = f"{OPTIONS}!{get_column_letter(OPTIONS_FIRST + i)}${FIRST_ROW - 1}"
        cell = book.formula(sheet, FIRST_ROW - 1, first + i, f'{source}&""', name, font=styles.BOLD)
        cell.alignment, cell.fill, cell.border = styles.HEAD, styles.HEADER_FILL, styles.UNDER


def calculated(contents: Contents, index: int, key: str) -> str:
    """Address of a candidate's value on Calculation."""
    return f"{CALCULATION}!{get_column_letter(CALCULATION_FIRST + index)}{contents.row_of[key]}"
