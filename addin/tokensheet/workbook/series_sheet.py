"""The Series sheets: results over a list of numbers with their charts, and the rows that calculate them."""

from __future__ import annotations

from typing import Any

from openpyxl.chart import BarChart, LineChart, Reference, Series
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.declare import Assumption, Input
from tokensheet.recipe import SeriesChart
from tokensheet.texts import Phrase, say, unit_text
from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book, page, widths
from tokensheet.workbook.charts import COLORS, ROWS_A_CHART, dress, named
from tokensheet.workbook.columns import candidate_chooser
from tokensheet.workbook.labels import label_of
from tokensheet.workbook.layout import (
    CALCULATION_FIRST,
    FIRST_ROW,
    SERIES,
    SERIES_DATA,
    InputCell,
)
from tokensheet.workbook.people import for_people
from tokensheet.workbook.row_cells import WIDTHS, row_cells
from tokensheet.workbook.rules import rule
from tokensheet.workbook.series import FIRST, AllSeries, SeriesCalculation
from tokensheet.workbook.sheets import CALCULATION_HEADS, COUNTS


def series(book: Book, found: AllSeries) -> None:
    """Each series as a block: the list of numbers, which may be changed, and its rows; charts below."""
    sheet, contents = book.sheet(SERIES, "1E6B34"), found.contents
    book.title(
        sheet,
        say(SERIES),
        say(
            "One candidate over lists of numbers. Yellow cells may be changed; the rows stand on Series data."
        ),
    )
    book.header(sheet, FIRST_ROW - 1, (say("What"), say("Unit"), say("Value")))
    candidate_chooser(book, sheet, contents, found.base)
    for each in found.parts:
        _block(book, sheet, each)
    most = max(len(p.names) for p in found.parts)
    widths(sheet, (50, 16, *([11] * most)))
    top, place = sheet.max_row + 2, 0
    for each in found.parts:
        for chart in _charts(book, sheet, each):
            sheet.add_chart(chart, f"{'AG'[place % 2]}{top + place // 2 * ROWS_A_CHART}")
            place += 1
    sheet.row_breaks.append(Break(id=top - 2))  # pictures have pages of their own
    page(book, sheet, "1:2", f"C{FIRST_ROW}")


def series_data(book: Book, found: AllSeries) -> None:
    """The rows that calculate the series, a column for each number of a list."""
    sheet, most = book.sheet(SERIES_DATA, "66727F"), max(len(p.names) for p in found.parts)
    book.title(
        sheet,
        say(SERIES_DATA),
        say(
            "What each list of Series moves, calculated for each of its numbers; the rest is from Calculation."
        ),
    )
    book.header(sheet, FIRST_ROW - 1, CALCULATION_HEADS)
    row_cells(book, sheet, found.rows, most)
    widths(sheet, (*WIDTHS, *([16] * most)))
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"{get_column_letter(CALCULATION_FIRST)}{FIRST_ROW}")


def _block(book: Book, sheet: Worksheet, each: SeriesCalculation) -> None:
    """The list and its rows, in units for people."""
    row, over, many = each.list_row, each.wanted.over, len(each.names)
    definition = each.registry.nodes[over]
    assert isinstance(definition, Input | Assumption)
    book.section(sheet, row - 1, Phrase(each.wanted.title), FIRST + many - 1)
    book.text(sheet, row, 1, label_of(definition), styles.BOLD)
    book.text(sheet, row, 2, unit_text(definition.unit), styles.NOTE)
    for i, given in enumerate(each.wanted.values):
        book.input(sheet, row, FIRST + i, given, definition.unit)
    bounds = definition.range
    area = f"C{row}:{get_column_letter(FIRST + many - 1)}{row}"
    cell = InputCell(over, label_of(definition), definition.unit, (), "", bounds.ends, bounds.whole)
    made = rule(cell, f"C{row}", book.texts)
    made.add(area)
    sheet.add_data_validation(made)
    for number, key in enumerate(each.wanted.rows, row + 1):
        unit = for_people(each.unit(key))
        book.text(sheet, number, 1, label_of(each.registry.nodes[key]))
        book.text(sheet, number, 2, unit_text(unit.name), styles.NOTE)
        for i in range(many):
            shown = unit.cell(each.value(i, key))
            address = f"'{SERIES_DATA}'!{get_column_letter(CALCULATION_FIRST + i)}{each.row_of[key]}"
            form = styles.WHOLE if unit.name in COUNTS else styles.PEOPLE
            book.formula(sheet, number, FIRST + i, address + unit.text, shown, unit.name, form=form)


def _charts(book: Book, sheet: Worksheet, each: SeriesCalculation) -> list[Any]:
    """Lines, bars and stacked bars of a block, as its recipe says."""
    return [_chart(book, sheet, each, chart) for chart in each.wanted.charts]


def _chart(book: Book, sheet: Worksheet, each: SeriesCalculation, wanted: SeriesChart) -> Any:
    chart: Any = LineChart() if wanted.kind == "lines" else BarChart()
    if wanted.kind == "stacked":
        chart.grouping, chart.overlap = "stacked", 100
    end = FIRST + len(each.names) - 1
    rows = [each.list_row + 1 + each.wanted.rows.index(key) for key in wanted.rows]
    for i, row in enumerate(rows):
        made = Series(Reference(sheet, min_col=FIRST, max_col=end, min_row=row))
        made.tx = named(sheet, 1, row)
        color = COLORS[i % len(COLORS)]
        if wanted.kind == "lines":
            made.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=color, w=22225))
            made.smooth = False
        else:
            made.graphicalProperties = GraphicalProperties(solidFill=color)
            made.invertIfNegative = False
        chart.series.append(made)
    chart.set_categories(Reference(sheet, min_col=FIRST, max_col=end, min_row=each.list_row))
    unit = str(sheet.cell(each.list_row, 2).value)
    x = str(sheet.cell(each.list_row, 1).value) + (f" ({unit})" if unit != "1" else "")
    dress(chart, book.texts(Phrase(wanted.title)), x, str(sheet.cell(rows[0], 2).value))
    if wanted.kind == "lines":
        chart.display_blanks = "span"  # LibreOffice lets a line with gaps fall to 0
    chart.x_axis.tickLblPos, chart.x_axis.number_format = "low", "General"
    numbers = [each.value(i, key) for key in wanted.rows for i in range(len(each.names))]
    if wanted.kind != "lines" and all(isinstance(n, float) and n >= 0 for n in numbers):
        chart.y_axis.scaling.min = 0  # a bar's length is its number
    if len(rows) == 1:
        chart.legend = None
    return chart
