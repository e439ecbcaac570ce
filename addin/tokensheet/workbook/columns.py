"""Columns of candidates on every sheet that has them: their names as Options says them, their cells on Calculation."""

from __future__ import annotations

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.texts import say, unit_text
from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.layout import (
    CALCULATION,
    CALCULATION_FIRST,
    FIRST_ROW,
    OPTIONS,
    OPTIONS_FIRST,
    InputCell,
    row_across,
)
from tokensheet.workbook.rules import rule

CHOOSER_ROW, CHOSEN = 5, "$C$5"
"""Where a sheet says which candidate it shows."""


def candidate_names(book: Book, sheet: Worksheet, contents: Contents, first: int) -> None:
    """The candidates' names, as Options says them, above their columns."""
    for i, name in enumerate(contents.names):
        source = f"{OPTIONS}!{get_column_letter(OPTIONS_FIRST + i)}${FIRST_ROW - 1}"
        cell = book.formula(sheet, FIRST_ROW - 1, first + i, f'{source}&""', name, font=styles.BOLD)
        cell.alignment, cell.fill, cell.border = styles.HEAD, styles.HEADER_FILL, styles.UNDER


def candidate_chooser(book: Book, sheet: Worksheet, contents: Contents, base: int) -> None:
    """The cell in which the reader says which candidate a sheet shows, and below it that candidate's name."""
    row, count = CHOOSER_ROW, len(contents.names)
    label = say("Candidate: its number on Options")
    book.text(sheet, row, 1, label)
    book.text(sheet, row, 2, unit_text("1"), styles.NOTE)
    book.input(sheet, row, 3, base + 1, "1")
    one = InputCell("", label, "1", (), "", ends=(("<=", count), (">=", 1)), whole=True)
    made = rule(one, f"C{row}", book.texts, called=label)
    made.add(f"C{row}")
    sheet.add_data_validation(made)
    book.text(sheet, row + 1, 1, say("Candidate"))
    book.text(sheet, row + 1, 2, say("name"), styles.NOTE)
    names = row_across(OPTIONS, OPTIONS_FIRST, count, FIRST_ROW - 1)
    book.formula(sheet, row + 1, 3, f'INDEX({names},{CHOSEN})&""', contents.names[base])


def calculated(contents: Contents, index: int, key: str) -> str:
    """Address of a candidate's value on Calculation."""
    return f"{CALCULATION}!{get_column_letter(CALCULATION_FIRST + index)}{contents.row_of[key]}"
