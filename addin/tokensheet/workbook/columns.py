"""Columns of candidates on every sheet that has them: their names as Options says them, their cells on Calculation."""

from __future__ import annotations

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book
from tokensheet.workbook.layout import CALCULATION, CALCULATION_FIRST, OPTIONS, OPTIONS_FIRST
from tokensheet.workbook.plan import FIRST_ROW, Plan


def candidate_names(book: Book, sheet: Worksheet, plan: Plan, first: int) -> None:
    """The candidates' names, as Options says them, above their columns."""
    for i, name in enumerate(plan.names):
        source = f"{OPTIONS}!{get_column_letter(OPTIONS_FIRST + i)}${FIRST_ROW - 1}"
        cell = book.formula(sheet, FIRST_ROW - 1, first + i, f'{source}&""', name, font=styles.BOLD)
        cell.alignment, cell.fill, cell.border = styles.HEAD, styles.HEADER_FILL, styles.UNDER


def calculated(plan: Plan, index: int, key: str) -> str:
    """Address of a candidate's value on Calculation."""
    return f"{CALCULATION}!{get_column_letter(CALCULATION_FIRST + index)}{plan.row_of[key]}"
