"""The Variants sheet: the calculation of every variant, a column each."""

from __future__ import annotations

from tokensheet.texts import say
from tokensheet.workbook.cells import Book, page, widths
from tokensheet.workbook.layout import FIRST_ROW, VARIANTS
from tokensheet.workbook.row_cells import WIDTHS, row_cells
from tokensheet.workbook.sheets import CALCULATION_HEADS
from tokensheet.workbook.varying import Sensitivity


def variants_sheet(book: Book, found: Sensitivity) -> None:
    """The calculation of every variant, a column each."""
    sheet, contents = book.sheet(VARIANTS, "66727F"), found.variants
    book.title(
        sheet,
        say(VARIANTS),
        say(
            "The whole calculation again for changes of one candidate, a column a change; Sensitivity reads it."
        ),
    )
    book.header(sheet, FIRST_ROW - 1, (*CALCULATION_HEADS, *(v.name for v in contents.variants)))
    row_cells(book, sheet, contents.rows, len(contents.names))
    widths(sheet, (*WIDTHS, *([16] * len(contents.names))))
    sheet.row_dimensions[FIRST_ROW - 1].height = 46
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"F{FIRST_ROW}")
