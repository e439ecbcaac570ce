"""The Variants sheet: the calculation of every variant, a column each."""

from __future__ import annotations

from copy import copy

from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.texts import say, unit_text
from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book, page, widths
from tokensheet.workbook.layout import CALCULATION_FIRST, VARIANTS, Cell
from tokensheet.workbook.plan import FIRST_ROW
from tokensheet.workbook.sheets import CALCULATION_HEADS
from tokensheet.workbook.varying import Sensitivity


def variants_sheet(book: Book, found: Sensitivity) -> None:
    """The calculation of every variant, a column each."""
    sheet, plan = book.sheet(VARIANTS, "66727F"), found.variants
    book.title(
        sheet,
        say(VARIANTS),
        say(
            "The whole calculation again for changes of one candidate, a column a change; Sensitivity reads it."
        ),
    )
    book.header(sheet, FIRST_ROW - 1, (*CALCULATION_HEADS, *(v.name for v in plan.variants)))
    width = CALCULATION_FIRST + len(plan.names) - 1
    for number, row in enumerate(plan.rows, FIRST_ROW):
        if row.heading:
            book.section(sheet, number, row.label, width)
            continue
        for column, text in enumerate((row.label, row.symbol, unit_text(row.unit), row.words, row.source), 1):
            book.text(sheet, number, column, text, styles.NOTE if column > 1 else styles.BODY)
        formats = None
        for i, value in enumerate(row.values):
            column = CALCULATION_FIRST + i
            if row.formula is None:
                _data(book, sheet, number, column, value)
            elif formats is None:
                cell = book.formula(sheet, number, column, row.formula(i), value, form=styles.PEOPLE)
                formats = copy(cell._style)  # type: ignore[attr-defined]
            else:
                book.again(sheet, number, column, row.formula(i), value, formats)
    widths(sheet, (46, 30, 14, 60, 30, *([16] * len(plan.names))))
    sheet.row_dimensions[FIRST_ROW - 1].height = 46
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"F{FIRST_ROW}")


def _data(book: Book, sheet: Worksheet, row: int, column: int, value: Cell) -> None:
    """A text or a number that is not calculated."""
    if isinstance(value, str):
        book.text(sheet, row, column, value)
    else:
        book.number(sheet, row, column, value)
