"""The Sensitivity sheet: one input at a time, a list of batches, a grid of batch and context; all of it live.

Every number is read from Variants, where each variant has the whole calculation in a column of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from openpyxl.chart import BarChart, Reference, Series
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.graph import Inner
from tokensheet.interpret import Failure
from tokensheet.recipe import Recipe
from tokensheet.texts import Text, say, unit_text
from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book, page, widths
from tokensheet.workbook.charts import COLORS, ROWS_A_CHART, dress, named, scatter
from tokensheet.workbook.influence import STEP, Influence, influences
from tokensheet.workbook.layout import (
    CALCULATION_FIRST,
    OPTIONS,
    OPTIONS_FIRST,
    SENSITIVITY,
    VARIANTS,
    Cell,
    InputCell,
)
from tokensheet.workbook.plan import BATCH, BATCH_LIMIT, FIRST_ROW, Plan
from tokensheet.workbook.rows import cell_value, label_of
from tokensheet.workbook.rules import rule
from tokensheet.workbook.sheets import CALCULATION_HEADS, PEOPLE, scaled
from tokensheet.workbook.variants import CONTEXT, Places, Variant, VariantPlan, letter

ONE_WAY, BATCHES, GRID = 8, 12, 5
"""Inputs of the one-way table, batches of the list, batches and contexts of the grid: each at most."""
LARGE = 250
"""Nodes behind the results from which on there are fewer variants, so that the file stays small."""
FIRST = 3
GRID_FIRST = FIRST + 2
ONE_WAY_ROW, HEAD_ROWS = 9, 6
"""First row of the one-way table, and how many rows say what is varied."""
SHARE = "+0.0%;-0.0%;0.0%"
"""First column of numbers; of the grid, which leaves one empty beside its contexts."""


@dataclass
class Sensitivity:
    """What is varied of one candidate, and where it stands on the sheet.

    Attributes:
        measures: results of the one-way table and the grid
        sweep: results of the table over the batch
    """

    plan: Plan
    base: int
    measures: list[str]
    sweep: list[str]
    varied: list[Influence]
    batches: list[float]
    contexts: list[float]
    picked: list[int]
    """Places in the list of batches that the grid shows."""
    variants: VariantPlan = field(init=False)

    def __post_init__(self) -> None:
        end = get_column_letter(FIRST + max(len(self.batches), 1) - 1)
        last = self.grid_row + len(self.contexts) - 1
        places = Places(
            "$C$5", "$C$7", f"$C${self.batch_row}:${end}${self.batch_row}", f"$C${self.grid_row}:$C${last}"
        )
        results = list(dict.fromkeys([*self.measures, *self.sweep]))
        self.variants = VariantPlan(self.plan, self.base, results, self.columns(), places)

    @property
    def batch_row(self) -> int:
        """Row of the list of batches."""
        return ONE_WAY_ROW + HEAD_ROWS + 5 * len(self.measures) + 2 if self.varied else ONE_WAY_ROW + 1

    @property
    def grid_row(self) -> int:
        """Row of the first context of the grid of the first measure."""
        return self.batch_row + len(self.sweep) + 6

    def columns(self) -> list[Variant]:
        """Variants in the order of their columns: as it is, lower, higher, batches, grid context by context."""
        found = [Variant(say("as it is"), {})]
        for sign, word in ((-1, "{name} lower"), (1, "{name} higher")):
            found += [
                Variant(say(word, name=i.name), {i.name: i.changed(sign)}, i.name, sign, i.least, i.most)
                for i in self.varied
            ]
        found += [
            Variant(say("batch {batch}", batch=b), {BATCH: b}, batch=i) for i, b in enumerate(self.batches, 1)
        ]
        for j, context in enumerate(self.contexts, 1):
            for i in self.picked:
                batch = self.batches[i - 1]
                changes = {BATCH: batch, CONTEXT: context}
                name = say("batch {batch}, context {context}", batch=batch, context=context)
                found.append(Variant(name, changes, batch=i, context=j))
        return found

    def first(self, block: str) -> int:
        """Index of the first variant of a block."""
        many = len(self.varied)
        return {"lower": 1, "higher": 1 + many, "batch": 1 + 2 * many}.get(
            block, 1 + 2 * many + len(self.batches)
        )


def sensitivity_of(plan: Plan, recipe: Recipe) -> Sensitivity | None:
    """What can be varied of the first candidate that has an answer; None where nothing has."""
    measures = _measures(plan)
    base = next(
        (
            i
            for i in range(len(plan.names))
            if not any(isinstance(plan.value(i, m), Failure) for m in measures)
        ),
        None,
    )
    if base is None or not measures:
        return None
    rows = [r for r in recipe.sweep if r in plan.graph.nodes]
    batches = _batches(plan, base) if BATCH in plan.graph.nodes else []
    contexts = _contexts(plan, base) if batches else []
    places = [round(i * (len(batches) - 1) / (GRID - 1)) + 1 for i in range(GRID)] if contexts else []
    varied = influences(plan, base, measures, ONE_WAY)
    if not varied and not batches:
        return None
    sweep = list(dict.fromkeys([*measures, *rows]))
    if len(set[str]().union(*(plan.graph.needed(r) for r in sweep))) > LARGE:
        varied, contexts, places = varied[:5], contexts[1:4], places[::2]
    return Sensitivity(plan, base, measures, sweep, varied, batches, contexts, sorted(set(places)))


def _measures(plan: Plan) -> list[str]:
    """The first result that is a time and the first that is about money."""
    units = {r: str(plan.registry.nodes[r].unit) for r in plan.proposal.results}
    times = [r for r, unit in units.items() if unit == "second"]
    money = [r for r, unit in units.items() if "usd" in unit and unit != "usd/hour"]
    return times[:1] + money[:1]


def _batches(plan: Plan, base: int) -> list[float]:
    """Powers of two up to the largest batch that fits."""
    largest = plan.value(base, BATCH_LIMIT)
    most = 1024.0 if isinstance(largest, Failure) else largest
    return [float(2**i) for i in range(BATCHES) if 2**i <= max(most, 16)]


def _contexts(plan: Plan, base: int) -> list[float]:
    """A quarter to four times the candidate's context."""
    leaf = plan.walks[base].values.get(CONTEXT)
    if not isinstance(leaf, float | int):
        return []
    return (
        [float(round(leaf * share)) for share in (1 / 4, 1 / 2, 1, 2, 4)]
        if leaf >= 4
        else [0.0, 1024.0, 2048.0, 4096.0, 8192.0]
    )


# ---- the sheets


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
                data(book, sheet, number, column, value)
            elif formats is None:
                cell = book.formula(sheet, number, column, row.formula(i), value, form=styles.PEOPLE)
                formats = copy(cell._style)  # type: ignore[attr-defined]
            else:
                book.again(sheet, number, column, row.formula(i), value, formats)
    widths(sheet, (46, 30, 14, 60, 30, *([16] * len(plan.names))))
    sheet.row_dimensions[FIRST_ROW - 1].height = 46
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"F{FIRST_ROW}")


def data(book: Book, sheet: Worksheet, row: int, column: int, value: Cell) -> None:
    """A text or a number that is not calculated."""
    if isinstance(value, str):
        book.text(sheet, row, column, value)
    else:
        book.number(sheet, row, column, value)


class SensitivitySheet:
    """Writes the Sensitivity sheet."""

    def __init__(self, book: Book, found: Sensitivity) -> None:
        self.book, self.found, self.plan = book, found, found.plan
        self.sheet: Worksheet = book.sheet(SENSITIVITY, "1E6B34")

    def write(self) -> None:
        """All tables, then the charts below them."""
        book, sheet, found = self.book, self.sheet, self.found
        width = max(len(found.varied), len(found.batches), len(found.picked) + 2)
        book.title(
            sheet,
            say(SENSITIVITY),
            say(
                "What the results hang on. Yellow cells may be changed; "
                "every number is a whole calculation on Variants."
            ),
        )
        book.header(sheet, FIRST_ROW - 1, (say("What"), say("Unit"), say("Value")))
        count = len(self.plan.names)
        self.input(
            5,
            say("Candidate: its number on Options"),
            "1",
            [found.base + 1],
            (("<=", count), (">=", 1)),
            whole=True,
        )
        book.text(sheet, 6, 1, say("Candidate"))
        book.text(sheet, 6, 2, say("name"), styles.NOTE)
        end = get_column_letter(OPTIONS_FIRST + count - 1)
        area = f"{OPTIONS}!${get_column_letter(OPTIONS_FIRST)}${FIRST_ROW - 1}:${end}${FIRST_ROW - 1}"
        book.formula(sheet, 6, FIRST, f'INDEX({area},$C$5)&""', self.plan.names[found.base])
        self.input(7, say("Step of the one-way table"), "1", [STEP], ((">", 0), ("<=", 0.9)))
        if found.varied:
            self.one_way(ONE_WAY_ROW, width)
        if found.batches:
            self.sweep(found.batch_row, width)
        if found.contexts:
            for i, measure in enumerate(found.measures):
                self.grid(found.grid_row + i * (len(found.contexts) + 4), measure, i == 0, width)
        widths(sheet, (50, 16, *([18] * width)))
        self.charts(sheet.max_row + 2)
        page(book, sheet, f"1:{FIRST_ROW - 1}", f"C{FIRST_ROW}")

    def input(
        self, row: int, label: Text, unit: str, values: Sequence[float], limits: Any, *, whole: bool = False
    ) -> None:
        """A row of cells that the reader may change, with their rule."""
        self.book.text(self.sheet, row, 1, label)
        self.book.text(self.sheet, row, 2, unit_text(unit), styles.NOTE)
        for i, value in enumerate(values):
            self.book.input(self.sheet, row, FIRST + i, value, unit)
        self.rule(
            label, f"C{row}", f"C{row}:{get_column_letter(FIRST + len(values) - 1)}{row}", limits, whole
        )

    def rule(self, label: Text, first: str, area: str, limits: Any, whole: bool = False) -> None:
        """Adds the rule of input cells."""
        made = rule(InputCell("", label, "", (), "", limits, whole), first, self.book.texts, called=label)
        made.add(area)
        self.sheet.add_data_validation(made)

    def read(
        self, row: int, label: Text, key: str, first: int, count: int, start: int = FIRST, fixed: bool = False
    ) -> None:
        """A row of a variant's numbers, in units for people; `fixed` repeats one variant."""
        plan = self.found.variants
        node = plan.graph.nodes[key]
        raw = node.formula.unit if isinstance(node, Inner) else node.definition.unit
        unit, text, factor = PEOPLE.get(str(raw), (str(raw), "", 1.0))
        if label:
            self.book.text(self.sheet, row, 1, label)
        self.book.text(self.sheet, row, 2, unit_text(unit), styles.NOTE)
        for i in range(count):
            index = first if fixed else first + i
            value = plan.value(index, key)
            shown: Cell = cell_value(value) if isinstance(value, Failure) else scaled(value, factor, text)
            dollar = "$" if fixed else ""
            address = f"{VARIANTS}!{dollar}{letter(index)}{plan.row_of[key]}"
            self.book.formula(self.sheet, row, start + i, address + text, shown, unit, form=styles.PEOPLE)

    def define(self, row: int, label: Text, key: str, first: int) -> None:
        """A row of what the one-way variants are made from."""
        plan, many = self.found.variants, len(self.found.varied)
        values = plan.rows[plan.row_of[key] - FIRST_ROW].values
        self.book.text(self.sheet, row, 1, label)
        self.book.text(self.sheet, row, 2, say("as above"), styles.NOTE)
        for i in range(many):
            address = f"{VARIANTS}!{letter(first + i)}{plan.row_of[key]}"
            self.book.formula(self.sheet, row, FIRST + i, address, values[first + i], form=styles.PEOPLE)

    def one_way(self, row: int, width: int) -> None:
        """One input at a time: its numbers, the measures at each, and how far they move."""
        found, many = self.found, len(self.found.varied)
        low, high = found.first("lower"), found.first("higher")
        self.book.section(
            self.sheet, row, say("One input at a time, one step lower and higher"), FIRST + width - 1
        )
        self.book.header(self.sheet, row + 1, (say("Input"), "", *(i.name for i in found.varied)))
        self.sheet.row_dimensions[row + 1].height = 32
        self.book.text(self.sheet, row + 2, 1, say("Unit"))
        for i, each in enumerate(found.varied):
            unit = str(self.plan.registry.nodes[each.name].unit)
            self.book.text(self.sheet, row + 2, FIRST + i, unit_text(unit), styles.NOTE, styles.RIGHT)
        self.define(row + 3, say("In use"), "number now", low)
        self.define(row + 4, say("Lower"), "number changed", low)
        self.define(row + 5, say("Higher"), "number changed", high)
        row += HEAD_ROWS
        for measure in found.measures:
            label = self.label(measure)
            self.read(row, say("{label}: as it is", label=label), measure, 0, many, fixed=True)
            self.read(row + 1, say("{label}: input lower", label=label), measure, low, many)
            self.read(row + 2, say("{label}: input higher", label=label), measure, high, many)
            self.change(row + 3, say("{label}: change when lower", label=label), measure, row + 1)
            self.change(row + 4, say("{label}: change when higher", label=label), measure, row + 2)
            row += 5

    def change(self, row: int, label: Text, measure: str, of: int) -> None:
        """How far a measure moves, as a share of what it is."""
        self.book.text(self.sheet, row, 1, label, styles.BOLD)
        self.book.text(self.sheet, row, 2, say("share"), styles.NOTE)
        start = self.measure_row(measure)
        for column in range(FIRST, FIRST + len(self.found.varied)):
            moved, now, at = self.stored(of, column), self.stored(start, column), get_column_letter(column)
            failed = [v for v in (moved, now) if isinstance(v, str)]
            value = failed[0] if failed else float(moved) / float(now) - 1
            self.book.formula(self.sheet, row, column, f"{at}{of}/{at}{start}-1", value, form=SHARE)

    def measure_row(self, measure: str) -> int:
        """Row of a measure as it is, in the one-way table."""
        return ONE_WAY_ROW + HEAD_ROWS + 5 * self.found.measures.index(measure)

    def stored(self, row: int, column: int) -> Cell:
        """The value that a formula cell has been given."""
        return self.book.values[SENSITIVITY, f"{get_column_letter(column)}{row}"]

    def sweep(self, row: int, width: int) -> None:
        """Results over a list of batches."""
        found = self.found
        self.book.section(self.sheet, row - 1, say("Batch by batch"), FIRST + width - 1)
        limits = ((">", 0),)
        self.input(row, say("Batches"), "sequence", found.batches, limits)
        for i, key in enumerate(found.sweep, row + 1):
            self.read(i, self.label(key), key, found.first("batch"), len(found.batches))

    def grid(self, row: int, measure: str, first: bool, width: int) -> None:
        """A measure at each batch and context."""
        book, sheet, found = self.book, self.sheet, self.found
        many, title = len(found.picked), say("{label}: batch across, context down", label=self.label(measure))
        book.section(sheet, row - 3, title, FIRST + width - 1)
        book.text(sheet, row - 2, 1, say("Places in the list of batches"))
        book.text(sheet, row - 2, 2, "1", styles.NOTE)
        book.text(sheet, row - 1, 1, say("Batch"))
        book.text(sheet, row - 1, 2, unit_text("sequence"), styles.NOTE)
        end = get_column_letter(FIRST + len(found.batches) - 1)
        area = f"$C${found.batch_row}:${end}${found.batch_row}"
        for i, place in enumerate(found.picked):
            column = GRID_FIRST + i
            book.number(sheet, row - 2, column, place)
            text = f"INDEX({area},{get_column_letter(column)}{row - 2})"
            book.formula(sheet, row - 1, column, text, found.batches[place - 1], font=styles.BOLD)
        for j, context in enumerate(found.contexts):
            start = found.first("grid") + j * many
            label = say("{label} at a context of", label=self.label(measure))
            self.read(row + j, label, measure, start, many, GRID_FIRST)
            if first:
                book.input(sheet, row + j, FIRST, context, "token")
            else:
                book.formula(sheet, row + j, FIRST, f"$C{found.grid_row + j}", context, "token")
        if first:
            self.rule(say("Contexts"), f"C{row}", f"C{row}:C{row + len(found.contexts) - 1}", ((">=", 0),))

    def label(self, key: str) -> Text:
        """What people call a result."""
        node = self.plan.graph.nodes[key]
        return label_of(node.formula) if isinstance(node, Inner) else key

    # ---- pictures

    def charts(self, top: int) -> None:
        """A tornado for each measure, and curves over the batch."""
        made = [self.tornado(m) for m in self.found.measures] if self.found.varied else []
        if self.found.batches:
            rows = {key: self.found.batch_row + 1 + i for i, key in enumerate(self.found.sweep)}
            batch = self.found.batch_row
            made += [
                self.curve(say("{label} against batch", label=self.label(m)), batch, rows[m])
                for m in self.found.measures
            ]
            speeds = [k for k in rows if str(self.plan.registry.nodes[k].unit).startswith("token/second")]
            if len(speeds) > 1:
                title = say("Throughput: a user against a device")
                made.append(self.curve(title, rows[speeds[0]], rows[speeds[1]]))
        for i, chart in enumerate(made):
            self.sheet.add_chart(chart, f"{'AE'[i % 2]}{top + i // 2 * ROWS_A_CHART}")

    def unit(self, row: int) -> str:
        """Unit of a row, as the sheet says it."""
        return str(self.sheet.cell(row, 2).value or "")

    def tornado(self, measure: str) -> BarChart:
        """How far each input moves a measure, lower and higher on one line."""
        found, row = BarChart(), self.measure_row(measure)
        found.type, found.grouping, found.overlap, found.gapWidth = "bar", "clustered", 100, 40
        last = FIRST + len(self.found.varied) - 1
        for i, at in enumerate((row + 3, row + 4)):
            series = Series(Reference(self.sheet, min_col=FIRST, max_col=last, min_row=at))
            series.tx = named(self.sheet, 1, at)
            series.graphicalProperties = GraphicalProperties(solidFill=COLORS[i])
            series.invertIfNegative = False
            found.series.append(series)
        found.set_categories(Reference(self.sheet, min_col=FIRST, max_col=last, min_row=ONE_WAY_ROW + 1))
        texts = self.book.texts
        title = texts(say("{label}: one step of each input", label=self.label(measure)))
        dress(found, title, "", texts(say("change")))
        found.x_axis.scaling.orientation, found.x_axis.tickLblPos = "maxMin", "low"
        found.y_axis.crosses, found.y_axis.number_format = "max", "0%"
        return found

    def curve(self, title: Text, x: int, y: int) -> Any:
        """A line through the list of batches."""
        from openpyxl.chart.marker import Marker
        from openpyxl.drawing.line import LineProperties

        found = scatter(self.book.texts(title), self.axis(x), self.axis(y))
        last = FIRST + len(self.found.batches) - 1
        xs, ys = (Reference(self.sheet, min_col=FIRST, max_col=last, min_row=r) for r in (x, y))
        series = Series(ys, xs)
        series.tx, series.smooth = named(self.sheet, FIRST, 6), False
        series.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=COLORS[0], w=19050))
        series.marker = Marker(symbol="circle", size=6)
        series.marker.graphicalProperties = GraphicalProperties(solidFill=COLORS[0])
        found.series.append(series)
        found.legend = None
        if x == self.found.batch_row:
            found.x_axis.scaling.logBase = 2
        return found

    def axis(self, row: int) -> str:
        """Title of an axis that draws a row."""
        return f"{self.sheet.cell(row, 1).value} ({self.unit(row)})"
