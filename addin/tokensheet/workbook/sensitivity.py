"""The Sensitivity sheet: one input at a time, a list of numbers of one, a grid of two; all of it live.

Every number is read from Variants, where each variant has the whole calculation in a column of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.declare import Input
from tokensheet.graph import Inner
from tokensheet.texts import Text, capital, say, unit_text
from tokensheet.workbook import row_keys, styles
from tokensheet.workbook.cells import Book, page, widths
from tokensheet.workbook.charts import ROWS_A_CHART
from tokensheet.workbook.columns import candidate_chooser
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.influence import STEP
from tokensheet.workbook.labels import label_of, spaced
from tokensheet.workbook.layout import (
    FIRST_ROW,
    SENSITIVITY,
    VARIANTS,
    Cell,
    InputCell,
)
from tokensheet.workbook.people import for_people
from tokensheet.workbook.rules import rule
from tokensheet.workbook.sensitivity_charts import add_charts
from tokensheet.workbook.variant_rows import letter
from tokensheet.workbook.varying import FIRST, HEAD_ROWS, ONE_WAY_ROW, STEP_ROW, Sensitivity

GRID_FIRST = FIRST + 2
"""First column of the grid, which leaves one empty beside its contexts."""
SHARE = "+0.0%;-0.0%;0.0%"
CHOICE_HEAD, ROWS_OF_A_PAGE, CHART_ROWS_OF_A_PAGE = 2, 60, 3
"""Rows above the list of what may be varied, and what a printed page has room for."""


class SensitivitySheet:
    """Writes the Sensitivity sheet."""

    def __init__(self, book: Book, found: Sensitivity) -> None:
        self.book, self.found, self.contents = book, found, found.contents
        self.sheet: Worksheet = book.sheet(SENSITIVITY, "1E6B34")

    def write(self) -> None:
        """All tables, then the charts below them."""
        book, sheet, found = self.book, self.sheet, self.found
        width = max(len(found.varied), len(found.across.numbers), len(found.picked) + 2)
        book.title(
            sheet,
            say(SENSITIVITY),
            say(
                "What the results hang on. Yellow cells may be changed; "
                "every number is a whole calculation on Variants."
            ),
        )
        book.header(sheet, FIRST_ROW - 1, (say("What"), say("Unit"), say("Value")))
        candidate_chooser(book, sheet, self.contents, found.base)
        self.input(STEP_ROW, say("Step of the one-way table"), "1", [STEP], ((">", 0), ("<=", 0.9)))
        if found.varied:
            self.one_way(ONE_WAY_ROW, width)
        if found.across.numbers:
            self.sweep(found.list_row, width)
        if found.down.numbers:
            for i, measure in enumerate(found.measures):
                self.grid(found.grid_row + i * (len(found.down.numbers) + 4), measure, i == 0, width)
        widths(sheet, (50, 16, *([18] * width)))
        if found.choices:
            self.choices(found.choice_row, width)
        top = sheet.max_row + 2
        pictures = add_charts(self, top)
        chosen = found.choice_row - CHOICE_HEAD
        between = [chosen + 1] if found.choices and chosen > ROWS_OF_A_PAGE / 2 else []
        rows_of_pictures = range(top, top + pictures * ROWS_A_CHART, CHART_ROWS_OF_A_PAGE * ROWS_A_CHART)
        for row in (
            *between,
            *rows_of_pictures,
        ):  # neither the list nor a picture is cut by the end of a page
            sheet.row_breaks.append(Break(id=row - 2))  # after a row that is empty
        page(book, sheet, "1:2", f"C{FIRST_ROW}")

    def input(
        self, row: int, label: Text, unit: str, values: Sequence[float], ends: Any, *, whole: bool = False
    ) -> None:
        """A row of cells that the reader may change, with their rule."""
        self.book.text(self.sheet, row, 1, label)
        self.book.text(self.sheet, row, 2, unit_text(unit), styles.NOTE)
        for i, value in enumerate(values):
            self.book.input(self.sheet, row, FIRST + i, value, unit)
        self.rule(label, f"C{row}", f"C{row}:{get_column_letter(FIRST + len(values) - 1)}{row}", ends, whole)

    def rule(self, label: Text, first: str, area: str, ends: Any, whole: bool = False) -> None:
        """Adds the rule of input cells."""
        made = rule(InputCell("", label, "", (), "", ends, whole), first, self.book.texts, called=label)
        made.add(area)
        self.sheet.add_data_validation(made)

    def read(
        self,
        row: int,
        label: Text,
        key: str,
        first: int,
        count: int,
        start: int = FIRST,
        fixed: bool = False,
        given: int = 0,
    ) -> None:
        """A row of a variant's numbers, in units for people.

        `fixed` repeats one variant; `given` is a row whose cell must hold a number, else there is nothing to show.
        """
        contents = self.found.variants
        unit = for_people(contents.unit(key))
        if label:
            self.book.text(self.sheet, row, 1, label)
        self.book.text(self.sheet, row, 2, unit_text(unit.name), styles.NOTE)
        for i in range(count):
            index = first if fixed else first + i
            shown = unit.cell(contents.value(index, key))
            dollar = "$" if fixed else ""
            text = f"{VARIANTS}!{dollar}{letter(index)}{contents.row_of[key]}{unit.text}"
            if given:
                text = f"IF(ISNUMBER({get_column_letter(start + i)}{given}),{text},NA())"
            self.book.formula(self.sheet, row, start + i, text, shown, unit.name, form=styles.PEOPLE)

    def define(self, row: int, label: Text, key: str, first: int) -> None:
        """A row of what the one-way variants are made from."""
        contents, many = self.found.variants, len(self.found.varied)
        values = contents.row(key).values
        self.book.text(self.sheet, row, 1, label)
        self.book.text(self.sheet, row, 2, say("as above"), styles.NOTE)
        for i in range(many):
            address = f"{VARIANTS}!{letter(first + i)}{contents.row_of[key]}"
            self.book.formula(self.sheet, row, FIRST + i, address, values[first + i], form=styles.PEOPLE)

    def one_way(self, row: int, width: int) -> None:
        """One input at a time: its numbers, the measures at each, and how far they move."""
        found, many = self.found, len(self.found.varied)
        low, high = found.first("lower"), found.first("higher")
        self.book.section(
            self.sheet, row, say("One input at a time, one step lower and higher"), FIRST + width - 1
        )
        self.book.text(self.sheet, row + 1, 1, say("Input"), styles.BOLD)
        self.book.text(self.sheet, row + 1, 2, say("from the list below"), styles.NOTE)
        self.book.text(self.sheet, row + 2, 1, say("Unit"))
        self.book.text(self.sheet, row + 2, 2, say("text"), styles.NOTE)
        for i, each in enumerate(found.varied):
            at = get_column_letter(FIRST + i)
            self.book.input(self.sheet, row + 1, FIRST + i, each.name).alignment = styles.RIGHT_SHRUNK
            unit = self.book.texts(unit_text(str(self.contents.registry.nodes[each.name].unit)))
            text = (
                f'IF({at}{row + 1}="","",INDEX({self.listed("B")},MATCH({at}{row + 1},{self.listed("C")},0)))'
            )
            self.book.formula(self.sheet, row + 2, FIRST + i, text, unit).alignment = styles.RIGHT
        first, last = (f"{get_column_letter(FIRST + i)}{row + 1}" for i in (0, many - 1))
        made = rule(
            InputCell("", say("Input"), "", ()),
            first,
            self.book.texts,
            self.listed("C"),
            missing=(say("Not in the list"), say("Choose a name from the list below the tables.")),
        )
        made.add(f"{first}:{last}")
        self.sheet.add_data_validation(made)
        self.define(row + 3, say("In use"), row_keys.NUMBER_NOW, low)
        self.define(row + 4, say("Lower"), row_keys.NUMBER_CHANGED, low)
        self.define(row + 5, say("Higher"), row_keys.NUMBER_CHANGED, high)
        lower = row + 4
        row += HEAD_ROWS
        for measure in found.measures:
            label = self.label(measure)
            self.read(row, say("{label}: as it is", label=label), measure, 0, many, fixed=True)
            self.read(row + 1, say("{label}: input lower", label=label), measure, low, many, given=lower)
            self.read(row + 2, say("{label}: input higher", label=label), measure, high, many, given=lower)
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
            nothing = CellError("#DIV/0!") if not failed and not float(now) else None
            value = nothing or (failed[0] if failed else float(moved) / float(now) - 1)
            self.book.formula(self.sheet, row, column, f"{at}{of}/{at}{start}-1", value, form=SHARE)

    def measure_row(self, measure: str) -> int:
        """Row of a measure as it is, in the one-way table."""
        return ONE_WAY_ROW + HEAD_ROWS + 5 * self.found.measures.index(measure)

    def stored(self, row: int, column: int) -> Cell:
        """The value that a formula cell has been given."""
        return self.book.values[SENSITIVITY, f"{get_column_letter(column)}{row}"]

    def sweep(self, row: int, width: int) -> None:
        """Results over the list across."""
        found, name = self.found, self.found.across.name
        definition = self.contents.registry.nodes[name]
        assert isinstance(definition, Input)
        title = say("Over a list: {name}", name=spaced(name))
        self.book.section(self.sheet, row - 1, title, FIRST + width - 1)
        ends, label = definition.range.ends, capital(spaced(name))
        self.input(row, label, definition.unit, found.across.numbers, ends)
        for i, key in enumerate(found.sweep, row + 1):
            self.read(i, self.label(key), key, found.first("list"), len(found.across.numbers))

    def grid(self, row: int, measure: str, first: bool, width: int) -> None:
        """A measure at each pair of numbers across and down."""
        book, sheet, found = self.book, self.sheet, self.found
        across, down = (self.contents.registry.nodes[axis.name] for axis in (found.across, found.down))
        assert isinstance(across, Input) and isinstance(down, Input)
        names = {"across": spaced(across.name), "down": spaced(down.name)}
        many = len(found.picked)
        title = say("{label}: {across} across, {down} down", label=self.label(measure), **names)
        book.section(sheet, row - 3, title, FIRST + width - 1)
        book.text(sheet, row - 2, 1, say("Places in the list: {name}", name=names["across"]))
        book.text(sheet, row - 2, 2, "1", styles.NOTE)
        book.text(sheet, row - 1, 1, capital(names["across"]))
        book.text(sheet, row - 1, 2, unit_text(across.unit), styles.NOTE)
        end = get_column_letter(FIRST + len(found.across.numbers) - 1)
        area = f"$C${found.list_row}:${end}${found.list_row}"
        for i, place in enumerate(found.picked):
            column = GRID_FIRST + i
            book.number(sheet, row - 2, column, place)
            text = f"INDEX({area},{get_column_letter(column)}{row - 2})"
            book.formula(sheet, row - 1, column, text, found.across.numbers[place - 1], font=styles.BOLD)
        for j, number in enumerate(found.down.numbers):
            start = found.first("grid") + j * many
            label = say("{label}, {down}:", label=self.label(measure), down=names["down"])
            self.read(row + j, label, measure, start, many, GRID_FIRST)
            if first:
                book.input(sheet, row + j, FIRST, number, down.unit)
            else:
                book.formula(sheet, row + j, FIRST, f"$C{found.grid_row + j}", number, down.unit)
        if first:
            area = f"C{row}:C{row + len(found.down.numbers) - 1}"
            self.rule(capital(names["down"]), f"C{row}", area, down.range.ends)

    def label(self, key: str) -> Text:
        """What people call a result."""
        node = self.contents.graph.nodes[key]
        return label_of(node.formula) if isinstance(node, Inner) else key

    def listed(self, column: str) -> str:
        """A column of the list of what may be varied."""
        first = self.found.choice_row
        return f"${column}${first}:${column}${first + len(self.found.choices) - 1}"

    def choices(self, row: int, width: int) -> None:
        """What the one-way table may vary: name, unit, least and most."""
        book, sheet = self.book, self.sheet
        book.section(sheet, row - 2, say("What may be varied, by what matters most"), FIRST + width - 1)
        heads = (say("Meaning"), say("Unit"), say("Name"), say("At least"), say("At most"))
        book.header(sheet, row - 1, heads)
        for number, each in enumerate(self.found.choices, row):
            definition = self.contents.registry.nodes[each.name]
            book.text(sheet, number, 1, label_of(definition), align=styles.WRAP)
            book.fit(sheet, number, (label_of(definition), 50))
            book.text(sheet, number, 2, unit_text(str(definition.unit)), styles.NOTE)
            book.text(sheet, number, 3, each.name, align=styles.SHRUNK)
            for column, bound in ((4, each.least), (5, each.most)):
                if bound is not None:
                    book.number(sheet, number, column, bound)
