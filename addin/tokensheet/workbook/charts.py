"""Native charts that follow the inputs: the pictures on Summary, which draw what the sheet of their numbers says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from openpyxl.chart import BarChart, Reference, ScatterChart, Series
from openpyxl.chart.data_source import NumDataSource, NumRef, StrRef
from openpyxl.chart.error_bar import ErrorBars
from openpyxl.chart.marker import Marker
from openpyxl.chart.series import SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.chart.text import RichText
from openpyxl.chart.title import Title
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.text import CharacterProperties, Font, Paragraph, ParagraphProperties
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.recipe import Chart
from tokensheet.texts import Phrase, Texts
from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book
from tokensheet.workbook.charts_data import FIRST_COLUMN
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.layout import CHARTS_DATA, FIRST_ROW

COLORS = (
    "1B4F72", "D68910", "1E8449", "A93226", "7D3C98", "5D6D7E", "2E86C1", "B7950B", "52BE80", "CD6155", "AF7AC5", "85929E",
)  # fmt: skip
WIDTH, HEIGHT = 18.0, 8.5
"""Centimetres of a chart."""
UPRIGHT = 4
"""Pictures up to which a sheet with few candidates is wider than high."""
FEW, MANY, HEIGHT_OF_A_NAME, HEIGHT_OF_A_ROW = 5, 9, 0.6, 0.529
"""Candidates for which that height is enough, and for which three charts are as wide as the table; centimetres for
each further candidate, and of a sheet's row."""
NUMBERS, POWERS = styles.PLAIN, "0E+00"
"""How axes write numbers: with their sign, which formats with conditions lose, as powers on logarithmic axes."""
ROWS_A_CHART = 19
"""Rows of a sheet that a chart covers, one of them empty."""


def draw(
    book: Book, target: Worksheet, contents: Contents, charts: Sequence[Chart], first: dict[str, int]
) -> None:
    """Places the charts below the cells of a sheet, two beside each other, or three where columns are many."""
    data = book.workbook[CHARTS_DATA]
    top, more = target.max_row + 2, max(0, len(contents.names) - FEW)
    height = HEIGHT + more * HEIGHT_OF_A_NAME
    rows = ROWS_A_CHART + math.ceil(more * HEIGHT_OF_A_NAME / HEIGHT_OF_A_ROW)
    columns = "AEJ" if len(contents.names) >= MANY else "AE"
    if len(charts) > UPRIGHT and not more:  # higher than wide
        target.page_setup.orientation = "portrait"
    for i, chart in enumerate(charts):
        made = picture(data, contents, chart, first[chart.title], book.texts)
        made.height = height
        if more and made.legend and chart.kind in {"points", "roofline"}:
            made.legend.position = "r"  # below, a line for each candidate would take the picture's place
        target.add_chart(made, f"{columns[i % len(columns)]}{top + i // len(columns) * rows}")


def picture(data: Worksheet, contents: Contents, chart: Chart, row: int, texts: Texts) -> Any:
    """The native chart of a block of rows."""
    count, units = len(contents.names), [_unit(data, row + i) for i in range(len(chart.rows))]
    title = texts(Phrase(chart.title))
    if chart.kind in {"bars", "stacked"}:
        found = bars(data, chart, title, row, count, units[0])
        values = [contents.value(i, key) for key in chart.rows for i in range(count)]
        if not chart.logarithmic and not any(isinstance(v, float) and v < 0 for v in values):
            found.y_axis.scaling.min = 0  # a bar's length is its number
        return found
    if chart.kind == "points":
        found = scatter(title, _axis(data, row), _axis(data, row + 1))
        for i in range(count):
            found.series.append(point(data, FIRST_COLUMN + i, (row, row), (row + 1, row + 1), i))
        return found
    found = scatter(title, units[6], units[7], logarithmic=True)
    for i in range(count):
        column = FIRST_COLUMN + i
        found.series.append(line(data, column, (row, row + 2), (row + 3, row + 5), i))
    for i in range(count):
        found.series.append(point(data, FIRST_COLUMN + i, (row + 6, row + 6), (row + 7, row + 7), i))
    found.legend.legendEntry = [_unlisted(i) for i in range(count)]  # the points tell the colours
    return found


def bars(data: Worksheet, chart: Chart, title: str, row: int, count: int, unit: str) -> BarChart:
    """Bars of each candidate: a row is a series, side by side or stacked."""
    found = BarChart()
    found.type, found.gapWidth = "bar", 60
    if chart.kind == "stacked":
        found.grouping, found.overlap = "stacked", 100
    categories = Reference(
        data, min_col=FIRST_COLUMN, max_col=FIRST_COLUMN + count - 1, min_row=FIRST_ROW - 1
    )
    for i in range(len(chart.rows)):
        values = Reference(data, min_col=FIRST_COLUMN, max_col=FIRST_COLUMN + count - 1, min_row=row + i)
        series = Series(values)
        series.tx = named(data, 1, row + i)
        series.graphicalProperties = GraphicalProperties(solidFill=COLORS[i % len(COLORS)])
        found.series.append(series)
    if chart.low:
        found.series[0].errBars = error_bars(data, row + 3, count)
        found.series.append(unseen(data, row + 2, count))
        found.overlap = 100
    found.set_categories(categories)
    dress(found, title, "", unit)
    found.x_axis.scaling.orientation = "maxMin"  # the first candidate on top
    found.x_axis.tickLblSkip = 1  # each candidate is named
    found.y_axis.crosses = "max"
    if chart.logarithmic:
        found.y_axis.scaling.logBase = 10
    if len(chart.rows) == 1:
        found.legend = None
    return found


def unseen(data: Worksheet, row: int, count: int) -> Any:
    """Bars that are not drawn, as long as the upper ends of a band: so the axis reaches them in every program."""
    found: Any = Series(Reference(data, min_col=FIRST_COLUMN, max_col=FIRST_COLUMN + count - 1, min_row=row))
    found.tx = named(data, 1, row)
    found.graphicalProperties = GraphicalProperties(noFill=True)
    found.graphicalProperties.line = LineProperties(noFill=True)
    return found


def error_bars(data: Worksheet, row: int, count: int) -> Any:
    """Error bars whose reach down stands in a row, and up in the next."""
    last = get_column_letter(FIRST_COLUMN + count - 1)
    down, up = (
        NumDataSource(
            numRef=NumRef(
                f=f"{quote_sheetname(data.title)}!${get_column_letter(FIRST_COLUMN)}${r}:${last}${r}"
            )
        )
        for r in (row, row + 1)
    )
    found: Any = ErrorBars(errDir="y", errBarType="both", errValType="cust", plus=up, minus=down)
    found.spPr = GraphicalProperties(ln=LineProperties(solidFill="D68910", w=19050))
    # the order that the standard asks for: openpyxl writes `minus` before `plus`
    found.__elements__ = ("errDir", "errBarType", "errValType", "noEndCap", "plus", "minus", "val", "spPr")
    return found


def scatter(title: str, x: str, y: str, logarithmic: bool = False) -> Any:
    """An empty chart of points or lines."""
    found = ScatterChart()
    found.style, found.scatterStyle = 2, "lineMarker"
    dress(found, title, x, y)
    if logarithmic:
        for axis in (found.x_axis, found.y_axis):
            axis.scaling.logBase, axis.crosses, axis.number_format = 10, "min", POWERS
    return found


def point(data: Worksheet, column: int, x: tuple[int, int], y: tuple[int, int], index: int) -> Any:
    """A candidate's point."""
    series = _series(data, column, x, y)
    series.marker = Marker(symbol="circle", size=9)
    color = COLORS[index % len(COLORS)]
    series.marker.graphicalProperties = GraphicalProperties(solidFill=color)
    series.marker.graphicalProperties.line = LineProperties(solidFill="FFFFFF")
    series.graphicalProperties = GraphicalProperties(ln=LineProperties(noFill=True))
    return series


def line(data: Worksheet, column: int, x: tuple[int, int], y: tuple[int, int], index: int) -> Any:
    """A candidate's line through several cells of its column."""
    series = _series(data, column, x, y)
    series.marker = Marker(symbol="none")
    series.graphicalProperties = GraphicalProperties(
        ln=LineProperties(solidFill=COLORS[index % len(COLORS)], w=19050)
    )
    return series


def _series(data: Worksheet, column: int, x: tuple[int, int], y: tuple[int, int]) -> Any:
    xs, ys = (Reference(data, min_col=column, max_col=column, min_row=a, max_row=b) for a, b in (x, y))
    series: Any = Series(ys, xs)
    series.tx = named(data, column, FIRST_ROW - 1)
    series.smooth = False
    return series


def named(data: Worksheet, column: int, row: int) -> SeriesLabel:
    """A series' name that follows a cell."""
    return SeriesLabel(StrRef(f"{quote_sheetname(data.title)}!${get_column_letter(column)}${row}"))


def dress(chart: Any, title: str, x: str, y: str) -> None:
    """Titles, axes that are seen, size and legend: the same for all charts."""
    chart.title = _title(title, 1200, bold=True)
    chart.width, chart.height = WIDTH, HEIGHT
    chart.legend.position = "b"
    chart.display_blanks = "gap"
    for axis, text in ((chart.x_axis, x), (chart.y_axis, y)):
        axis.delete = False
        axis.title = _title(text, 900) if text else None
        axis.txPr = RichText(
            p=[Paragraph(pPr=ParagraphProperties(defRPr=_letters(800)), endParaRPr=_letters(800))]
        )
        axis.number_format, axis.majorTickMark = NUMBERS, "out"
    chart.y_axis.majorGridlines.spPr = GraphicalProperties(ln=LineProperties(solidFill="E1E6EA"))
    chart.x_axis.majorGridlines = None


def _letters(size: int, bold: bool = False) -> CharacterProperties:
    return CharacterProperties(sz=size, b=bold, latin=Font(typeface=styles.FACE))


def _title(text: str, size: int, bold: bool = False) -> Title:
    from openpyxl.chart.text import Text
    from openpyxl.drawing.text import RegularTextRun

    run = RegularTextRun(rPr=_letters(size, bold), t=text)
    paragraph = Paragraph(pPr=ParagraphProperties(defRPr=_letters(size, bold)), r=[run])
    return Title(tx=Text(rich=RichText(p=[paragraph])), overlay=False)


def _unlisted(index: int) -> Any:
    from openpyxl.chart.legend import LegendEntry

    return LegendEntry(idx=index, delete=True)


def _unit(data: Worksheet, row: int) -> str:
    return str(data.cell(row, 2).value or "")


def _axis(data: Worksheet, row: int) -> str:
    return f"{data.cell(row, 1).value} ({_unit(data, row)})"
