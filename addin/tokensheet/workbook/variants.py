"""Variants of one candidate: the same calculation again, a column for each change of an input.

A variant's option cells are the candidate's own, except those that the variant changes. All else is
calculated by the rows that candidates have, so no cell of Sensitivity is a simplification.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from openpyxl.utils import get_column_letter

from tokensheet.expanding import expand
from tokensheet.graph import Graph
from tokensheet.proposal import Candidate
from tokensheet.texts import Text, Texts, capital, say
from tokensheet.workbook.input_cells import cell_of
from tokensheet.workbook.labels import spaced
from tokensheet.workbook.layout import (
    CALCULATION,
    CALCULATION_FIRST,
    OPTIONS,
    OPTIONS_FIRST,
    SENSITIVITY,
    Cell,
    InputCell,
    Row,
    calculation_cell,
)
from tokensheet.workbook.plan import FIRST_ROW, Plan
from tokensheet.workbook.rows import write_rows


@dataclass(frozen=True)
class Variant:
    """One column.

    Args:
        name: for people
        varied: name whose number in use is multiplied, if any
        direction: -1 or 1 times the step of the one-way table
        least: of the changed number
        most: of the changed number
        column: place in the one-way table, from 1; 0 outside it
        places: axis of the lists → place in its list, from 1; the candidate's own where there is none
        changes: the numbers that this comes to, as exported
    """

    name: Text
    changes: Mapping[str, float]
    varied: str = ""
    direction: float = 0
    least: float | None = None
    most: float | None = None
    column: int = 0
    places: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Places:
    """Where Sensitivity keeps what variants read: addresses of cells and of lists, without the sheet.

    `lists` has the list of each axis, by the input's name.
    """

    candidate: str
    step: str
    lists: Mapping[str, str]
    varied: str
    choices: str
    least: str
    most: str


class VariantPlan(Plan):
    """The plan of the Variants sheet: a candidate of another plan under changes, with that plan's cells.

    Args:
        main: the plan of the workbook
        base: index of the candidate as exported
        results: what is calculated; each is part of the main plan's graph
        variants: the columns
        places: where Sensitivity keeps its inputs
        choices: names that a reader may choose to vary
    """

    def __init__(
        self,
        main: Plan,
        base: int,
        results: Sequence[str],
        variants: Sequence[Variant],
        places: Places,
        choices: Sequence[str],
    ) -> None:
        self.choices = choices
        self.main, self.base, self.variants, self.places = main, base, variants, places
        self.planner, self.registry, self.extras = main.planner, main.registry, ()
        self.names = [Texts()(v.name) for v in variants]
        named = tuple(Candidate.model_construct(name=name) for name in self.names)
        self.proposal = main.proposal.model_copy(update={"results": tuple(results), "candidates": named})
        self.common = main.common
        self.single = [{**main.single[base], **v.changes} for v in variants]
        self.given = [{**self.common, **each} for each in self.single]
        self.graph: Graph = expand(self.registry, self._outputs(), linked=self.registry.limits)
        self.roles, self.tables = self._roles(), main.tables
        self.pinnable = self._pinnable(choices)
        self.inputs, self.input_row = main.inputs, main.input_row
        self.constants, self.constant_row = main.constants, main.constant_row
        self.options = self._options()
        self.option_row = {c.name: 0 for c in self.options}  # rows are known once they are written
        self.rows: list[Row] = []
        self.row_of: dict[str, int] = {}
        self.chosen = [self._choose(i) for i in range(len(self.names))]
        self.walks = [self._interpreter(i) for i in range(len(self.names))]
        self.define()
        write_rows(self)

    def option(self, index: int, name: str) -> str:
        """Address of what a variant says for a name, in its own column."""
        return calculation_cell(index, self.row_of[f"variant's {name}"])

    def _options(self) -> list[InputCell]:
        """Options of the candidate that the results read, and those that variants change."""
        changed = {name for v in self.variants for name in v.changes} | set(self.choices)
        used = {*self.roles.values(), "profile", *self.registry.limits, *self.pinnable}
        used |= {leaf.name for leaf in self.graph.leaves} | changed
        found = {c.name: c for c in self.main.options if c.name in used}
        for name in sorted(changed - found.keys()):
            found[name] = cell_of(self, name, [])
        return [replace(c, values=[s.get(n, self._own(n)) for s in self.single]) for n, c in found.items()]

    def _own(self, name: str) -> float | str | None:
        """What the candidate's own cell on Options says."""
        return next((c.values[self.base] for c in self.main.options if c.name == name), None)

    # ---- rows that say what a variant is

    def put(
        self,
        key: str,
        label: Text,
        unit: str,
        words: Text,
        values: Sequence[Cell],
        text: str | None,
        symbol: str = "",
    ) -> None:
        """A row whose formula is a text with `{c}` for the column's letter; data where there is none."""
        formula = None if text is None else lambda i: text.replace("{c}", letter(i))
        self.rows.append(Row(label, symbol or key, unit, words, "", formula, values))
        self.row_of[key] = FIRST_ROW + len(self.rows) - 1

    def define(self) -> None:
        """What is varied and by how much, then the options of each variant."""
        many, row = self.variants, self.row_of
        self.rows.append(Row(say("What the variant changes"), heading=True))
        self.put("column", say("Place in the one-way table"), "1", "", [v.column or "" for v in many], None)
        chosen = f'INDEX({self.place("varied")},{{c}}{row["column"]})&""'
        self.put(
            "varied",
            say("Input that is changed"),
            "name",
            say("as chosen on Sensitivity"),
            [v.varied for v in many],
            f'IF({{c}}{row["column"]}="","",{chosen})',
        )
        at: list[Cell] = [float(self.choices.index(v.varied) + 1) if v.varied else "" for v in many]
        self.put(
            "nearest choice",
            say("Its first place in the list to choose from"),
            "row",
            "",
            at,
            f'IF({{c}}{row["varied"]}="","",MATCH({{c}}{row["varied"]},{self.place("choices")},0))',
        )
        near = f"{{c}}{row['nearest choice']}"
        same = f"INDEX({self.place('choices')},{near})={{c}}{row['varied']}"
        words = say("if it is that name as a whole, without wildcards")
        self.put(
            "choice",
            say("Its place in the list to choose from"),
            "row",
            words,
            at,
            f'IF({near}="","",IF({same},{near},NA()))',
        )
        self.put("direction", say("Lower or higher"), "1", "", [v.direction or "" for v in many], None)
        for key, label, values in (
            ("least", say("Least that is allowed"), [_or_empty(v.least) for v in many]),
            ("most", say("Most that is allowed"), [_or_empty(v.most) for v in many]),
        ):
            bound = f"INDEX({self.place(key)},{{c}}{row['choice']})"
            text = f'IF({{c}}{row["varied"]}="","",IF({bound}="","",{bound}))'
            self.put(key, label, "SI", say("of what is changed, if it has a limit"), values, text)
        for axis in self.places.lists:
            places: list[Cell] = [v.places.get(axis, "") for v in many]
            self.put(
                f"{axis} place", say("Place in the list: {name}", name=spaced(axis)), "1", "", places, None
            )
        last = FIRST_ROW + len(self.main.rows) - 1
        first_letter = get_column_letter(CALCULATION_FIRST)
        end = get_column_letter(CALCULATION_FIRST + len(self.main.names) - 1)
        found = (
            f"INDEX({CALCULATION}!${first_letter}${FIRST_ROW}:${end}${last},"
            f"MATCH({{c}}{row['varied']},{CALCULATION}!$B${FIRST_ROW}:$B${last},0),{self.place('candidate')})"
        )
        now = [self.now(v) for v in many]
        test = f'{{c}}{row["varied"]}=""'
        self.put(
            "number now", say("Number in use"), "SI", say("from Calculation"), now, f'IF({test},"",{found})'
        )
        changed: list[Cell] = [v.changes[v.varied] if v.varied else "" for v in many]
        moved = f"{{c}}{row['number now']}*(1+{{c}}{row['direction']}*{self.place('step')})"
        limited = f"MIN({{c}}{row['most']},MAX({{c}}{row['least']},{moved}))"
        words = say("the number in use, one step lower or higher, within what is allowed")
        self.put("number changed", say("Number changed"), "SI", words, changed, f'IF({test},"",{limited})')
        self.rows.append(Row(say("Options of the variant"), heading=True))
        for cell in self.options:
            self.define_option(cell)

    def define_option(self, cell: InputCell) -> None:
        """The candidate's own cell, unless the variant says otherwise."""
        name, label = cell.name, capital(cell.label)
        count, row, before = len(self.variants), self.row_of, '""'
        if name in self.main.option_row:
            number, end = (
                self.main.option_row[name],
                get_column_letter(OPTIONS_FIRST + len(self.main.names) - 1),
            )
            area = f"{OPTIONS}!${get_column_letter(OPTIONS_FIRST)}${number}:${end}${number}"
            found = f"INDEX({area},{self.place('candidate')})"
            own = [_or_empty(self._own(name))] * count
            self.put(
                f"own {name}",
                say("{label}: the candidate's", label=label),
                cell.unit or "id",
                "",
                own,
                f'IF({found}="","",{found})',
            )
            before = f"{{c}}{row[f'own {name}']}"
        values = [_or_empty(v) for v in cell.values]
        if any(name in v.places for v in self.variants):
            place, area = f"{{c}}{row[f'{name} place']}", f"{SENSITIVITY}!{self.places.lists[name]}"
            text = f'IF({place}="",{before},INDEX({area},{place}))'
            own = [
                v if name in w.places else _or_empty(self._own(name))
                for v, w in zip(values, self.variants, strict=True)
            ]
            self.put(
                f"listed {name}", say("{label}: from the list", label=label), cell.unit or "id", "", own, text
            )
            before = f"{{c}}{row[f'listed {name}']}"
        number = FIRST_ROW + len(self.rows)
        text = f"IF({{c}}${row['varied']}=$B{number},{{c}}${row['number changed']},{before})"
        self.put(
            f"variant's {name}",
            label,
            cell.unit or "id",
            say("changed, or the candidate's own"),
            values,
            text,
            name,
        )

    def now(self, variant: Variant) -> Cell:
        """The number in use that a variant changes."""
        if not variant.varied:
            return ""
        found = self.main.value(self.base, in_use(self.main, variant.varied))
        assert isinstance(found, float)
        return found

    def place(self, name: str) -> str:
        """Address of one of Sensitivity's inputs."""
        return f"{SENSITIVITY}!{getattr(self.places, name)}"


def in_use(plan: Plan, name: str) -> str:
    """Key of the row of Calculation with the number in use for a name: a fact's or an input's."""
    return name if name in plan.graph.nodes else next(n.key for n in plan.graph.leaves if n.name == name)


def letter(index: int) -> str:
    """Letter of a variant's column."""
    return get_column_letter(CALCULATION_FIRST + index)


def _or_empty(value: float | str | None) -> Cell:
    return "" if value is None else value if isinstance(value, str) else float(value)
