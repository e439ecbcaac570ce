"""The sheet of the numbers that charts draw: rows of Calculation in units for people, and how far bands reach."""

from __future__ import annotations

from collections.abc import Sequence

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.failure import Failure
from tokensheet.graph import Inner
from tokensheet.recipe import Chart
from tokensheet.texts import Phrase, say, unit_text
from tokensheet.workbook import styles
from tokensheet.workbook.calculation import cell_value
from tokensheet.workbook.cells import Book, head_row, page, widths
from tokensheet.workbook.columns import calculated, candidate_names
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.labels import label_of
from tokensheet.workbook.layout import CHARTS_DATA, FIRST_ROW
from tokensheet.workbook.people import for_people

FIRST_COLUMN = 3


def charts_data(book: Book, contents: Contents, charts: Sequence[Chart]) -> dict[str, int]:
    """The numbers behind the charts, in units for people; gives the first row of each chart by its title."""
    sheet = book.sheet(CHARTS_DATA, "66727F")
    book.title(
        sheet,
        say(CHARTS_DATA),
        say("What the charts on Summary draw: rows of Calculation in units for people."),
    )
    book.header(sheet, FIRST_ROW - 1, (say("Row"), say("Unit")))
    candidate_names(book, sheet, contents, FIRST_COLUMN)
    row, first = FIRST_ROW, dict[str, int]()
    for chart in charts:
        book.section(sheet, row, Phrase(chart.title), FIRST_COLUMN + len(contents.names) - 1)
        row += 1
        first[chart.title] = row
        parts = chart.rows if chart.kind == "stacked" else ()
        for key in chart.every_row:
            number_row(book, sheet, contents, row, key, first[chart.title] + len(parts) if parts else 0)
            row += 1
        if parts:
            whole_row(book, sheet, contents, row, parts)
            row += 1
        if chart.low:
            reach(book, sheet, row, len(contents.names))
            row += 2
    widths(sheet, (46, 16, *([20] * len(contents.names))))
    head_row(sheet, FIRST_ROW - 1, contents.names, 20)
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"C{FIRST_ROW}")
    return first


def reach(book: Book, sheet: Worksheet, row: int, count: int) -> None:
    """How far the band of the three rows above goes down and up from its middle: what error bars draw."""
    middle, low, high = row - 3, row - 2, row - 1
    for offset, label, end in (
        (0, say("Down to the band's low end"), low),
        (1, say("Up to its high end"), high),
    ):
        book.text(sheet, row + offset, 1, label)
        book.text(sheet, row + offset, 2, str(sheet.cell(middle, 2).value or ""), styles.NOTE)
        for i in range(count):
            at = get_column_letter(FIRST_COLUMN + i)
            ends = [book.values[sheet.title, f"{at}{r}"] for r in (middle, end)]
            failed = [v for v in ends if isinstance(v, str)]
            value = failed[0] if failed else abs(float(ends[0]) - float(ends[1]))
            text = f"ABS({at}{middle}-{at}{end})"
            book.formula(sheet, row + offset, FIRST_COLUMN + i, text, value, form=styles.PEOPLE)


def number_row(book: Book, sheet: Worksheet, contents: Contents, row: int, key: str, whole: int = 0) -> None:
    """A node of all candidates in the unit for people, read from Calculation.

    `whole` is the row of the stack that it is a part of: where that has no answer no part is drawn, as what is left
    of a stack looks like a small one.
    """
    node = contents.graph.nodes[key]
    unit = for_people(contents.unit(key))
    book.text(sheet, row, 1, label_of(node.formula) if isinstance(node, Inner) else key)
    book.text(sheet, row, 2, unit_text(unit.name), styles.NOTE)
    for i in range(len(contents.names)):
        shown = unit.cell(contents.value(i, key))
        formula = calculated(contents, i, key) + unit.text
        if whole:
            formula = f"IF(ISNUMBER({get_column_letter(FIRST_COLUMN + i)}{whole}),{formula},NA())"
        book.formula(sheet, row, FIRST_COLUMN + i, formula, shown, unit.name, form=styles.PEOPLE)


def whole_row(book: Book, sheet: Worksheet, contents: Contents, row: int, parts: Sequence[str]) -> None:
    """The sum of a stack's rows, which stand above it."""
    unit = for_people(contents.unit(parts[0]))
    book.text(sheet, row, 1, say("All parts"))
    book.text(sheet, row, 2, unit_text(unit.name), styles.NOTE)
    for i in range(len(contents.names)):
        values = [contents.value(i, part) for part in parts]
        failed = next((cell_value(value) for value in values if isinstance(value, Failure)), None)
        if failed:
            for r in range(row - len(parts), row):
                book.values[sheet.title, f"{get_column_letter(FIRST_COLUMN + i)}{r}"] = CellError("#N/A")
        numbers = [value for value in values if not isinstance(value, Failure)]
        shown = failed or unit.number(sum(numbers))
        formula = "+".join(calculated(contents, i, part) for part in parts)
        formula = f"({formula}){unit.text}" if unit.text else formula
        book.formula(sheet, row, FIRST_COLUMN + i, formula, shown, unit.name, form=styles.PEOPLE)
