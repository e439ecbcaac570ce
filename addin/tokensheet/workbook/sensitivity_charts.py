"""Pictures of the Sensitivity sheet: a tornado for each measure, and curves over the list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openpyxl.chart import BarChart, Reference, Series
from openpyxl.chart.marker import Marker
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties

from tokensheet.texts import Text, say
from tokensheet.workbook.charts import COLORS, ROWS_A_CHART, dress, named, scatter
from tokensheet.workbook.labels import spaced
from tokensheet.workbook.varying import FIRST, ONE_WAY_ROW

if TYPE_CHECKING:
    from tokensheet.workbook.sensitivity import SensitivitySheet


def add_charts(on: SensitivitySheet, top: int) -> int:
    """A tornado for each measure, and curves over the list, two beside each other; gives the number of such rows."""
    made = [_tornado(on, m) for m in on.found.measures] if on.found.varied else []
    if on.found.across.numbers:
        rows = {key: on.found.list_row + 1 + i for i, key in enumerate(on.found.sweep)}
        first, name = on.found.list_row, spaced(on.found.across.name)
        made += [
            _curve(on, say("{label} against {name}", label=on.label(key), name=name), first, row)
            for key, row in rows.items()
        ]
        speeds = [k for k in rows if str(on.contents.registry.nodes[k].unit).startswith("token/second")]
        if len(speeds) > 1:
            title = say("{label} against {name}", label=on.label(speeds[1]), name=on.label(speeds[0]))
            made.append(_curve(on, title, rows[speeds[0]], rows[speeds[1]]))
    for i, chart in enumerate(made):
        on.sheet.add_chart(chart, f"{'AE'[i % 2]}{top + i // 2 * ROWS_A_CHART}")
    return (len(made) + 1) // 2


def _unit(on: SensitivitySheet, row: int) -> str:
    """Unit of a row, as the sheet says it."""
    return str(on.sheet.cell(row, 2).value or "")


def _tornado(on: SensitivitySheet, measure: str) -> BarChart:
    """How far each input moves a measure, lower and higher on one line."""
    found, row = BarChart(), on.measure_row(measure)
    found.type, found.grouping, found.overlap, found.gapWidth = "bar", "clustered", 100, 40
    last = FIRST + len(on.found.varied) - 1
    for i, at in enumerate((row + 3, row + 4)):
        series = Series(Reference(on.sheet, min_col=FIRST, max_col=last, min_row=at))
        series.tx = named(on.sheet, 1, at)
        series.graphicalProperties = GraphicalProperties(solidFill=COLORS[i])
        series.invertIfNegative = False
        found.series.append(series)
    found.set_categories(Reference(on.sheet, min_col=FIRST, max_col=last, min_row=ONE_WAY_ROW + 1))
    texts = on.book.texts
    title = texts(say("{label}: one step of each input", label=on.label(measure)))
    dress(found, title, "", texts(say("change")))
    found.x_axis.scaling.orientation, found.x_axis.tickLblPos = "maxMin", "low"
    found.y_axis.crosses, found.y_axis.number_format = "max", "0%"
    return found


def _curve(on: SensitivitySheet, title: Text, x: int, y: int) -> Any:
    """A line through the list across."""
    found = scatter(on.book.texts(title), _axis(on, x), _axis(on, y))
    last = FIRST + len(on.found.across.numbers) - 1
    xs, ys = (Reference(on.sheet, min_col=FIRST, max_col=last, min_row=r) for r in (x, y))
    series = Series(ys, xs)
    series.tx, series.smooth = named(on.sheet, FIRST, 6), False
    series.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=COLORS[0], w=19050))
    series.marker = Marker(symbol="circle", size=6)
    series.marker.graphicalProperties = GraphicalProperties(solidFill=COLORS[0])
    found.series.append(series)
    found.legend = None
    if x == on.found.list_row:
        found.x_axis.scaling.logBase = 2
    return found


def _axis(on: SensitivitySheet, row: int) -> str:
    """Title of an axis that draws a row."""
    return f"{on.sheet.cell(row, 1).value} ({_unit(on, row)})"
