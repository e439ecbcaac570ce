"""A candidate over a list of numbers of one input: hours of a day, years of a plan, contexts.

What the input moves is calculated again in a column for each number, by the formulas of Calculation;
everything else is read from there. So a series of a large plan stays small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter

from tokensheet.arguments import NodeRef
from tokensheet.declare import Assumption, Input
from tokensheet.errors import ExportError, ProposalError
from tokensheet.failure import Failure
from tokensheet.graph import Inner
from tokensheet.proposal import LARGEST, Proposal
from tokensheet.recipe import Recipe
from tokensheet.recipe import Series as Wanted
from tokensheet.texts import Phrase, say
from tokensheet.workbook.formula_rows import FormulaRows
from tokensheet.workbook.labels import label_of
from tokensheet.workbook.layout import CALCULATION, CALCULATION_FIRST, SERIES, Cell, Row
from tokensheet.workbook.plan import FIRST_ROW, Plan, same

CANDIDATE = "$C$5"
"""Where Series says which candidate it shows."""
FIRST = 3
"""First column of numbers on Series."""
FIRST_BLOCK = 8
"""Row of the first series' title on Series."""


def started(proposal: Proposal, recipe: Recipe) -> Proposal:
    """The proposal with the first number of each series where it says none: Calculation shows that one."""
    first = {s.over: s.values[0] for s in recipe.series if SERIES in recipe.sheets}
    stated = {name for c in proposal.candidates for name in proposal.given(c)}
    missing = {name: value for name, value in first.items() if name not in stated}
    return proposal.model_copy(update={"workload": {**proposal.workload, **missing}})


class SeriesPlan(Plan):
    """One series: a column for each number, with the main plan's formulas for what the input moves.

    Args:
        main: the plan of the workbook, its rows written
        base: index of the candidate as exported
        wanted: title, input, numbers and rows
        rows: of all series, to which this adds its own
        row: of the list of numbers on Series
    """

    def __init__(self, main: Plan, base: int, wanted: Wanted, rows: list[Row], row: int) -> None:
        self.main, self.base, self.wanted, self.row = main, base, wanted, row
        self.registry, self.graph, self.tables = main.registry, main.graph, main.tables
        self.constant_row, self.pinnable = main.constant_row, main.pinnable
        self.names = [f"{value:g}" for value in wanted.values]
        self.rows, self.row_of = rows, {}
        self.moved = moved(main, wanted)
        self.walks = [main.walks[base].changed({wanted.over: value}) for value in wanted.values]
        self._write()

    def _write(self) -> None:
        writer, over = FormulaRows(self), self.wanted.over
        definition = self.registry.nodes[over]
        assert isinstance(definition, Input | Assumption)
        writer.heading(Phrase(self.wanted.title))
        listed = writer.add(
            f"listed {over}",
            label_of(definition),
            definition.unit,
            say("from the list on Series"),
            "",
            self._listed,
            list(self.wanted.values),
        )
        writer.in_range(over, listed, definition, list(self.wanted.values))
        for node in self.moved:
            for key in self._read_by(node):
                if key not in self.row_of:
                    self._from_calculation(writer, key)
            writer.formula(node)

    def _listed(self, i: int) -> str:
        """A number of the list; an empty cell is none."""
        cell = f"{SERIES}!{get_column_letter(FIRST + i)}${self.row}"
        return f'IF({cell}="","",{cell})'

    def _read_by(self, node: Inner) -> list[str]:
        """Keys that a node's row reads, the number stated for it among them."""
        stated = f"pin of {node.name}"
        keys = [w for w in node.wires.values() if isinstance(w, str)]
        keys += [c for c in node.checks if not self.graph.is_warning(c)]
        return [*keys, *([stated] if stated in self.main.row_of else [])]

    def _from_calculation(self, writer: FormulaRows, key: str) -> None:
        """A row that no number of the list moves."""
        number = self.main.row_of[key]
        there = self.main.rows[number - FIRST_ROW]
        end = get_column_letter(CALCULATION_FIRST + len(self.main.names) - 1)
        area = f"{CALCULATION}!${get_column_letter(CALCULATION_FIRST)}${number}:${end}${number}"
        values: list[Cell] = [there.values[self.base]] * len(self.names)
        text = f"INDEX({area},{SERIES}!{CANDIDATE})"
        words = say("from Calculation")
        writer.add(key, there.label, there.unit, words, "", lambda i: text, values, there.symbol)

    def verify(self) -> None:
        """Each row at each number is what the functions answer.

        Raises:
            ExportError: a mistake in the program.
        """
        given = self.main.given[self.base]
        limits = self.registry.limits.items()
        given = {**given, **{name: NodeRef(limit) for name, limit in limits if given.get(name) == LARGEST}}
        for i, value in enumerate(self.wanted.values):
            engine = self.main.planner.several(self.wanted.rows, {**given, self.wanted.over: value})
            for name, answer in engine.items():
                mine = self.walks[i].value(name)
                if not same(mine, answer):
                    raise ExportError(
                        f"{self.wanted.title} at {self.wanted.over} {value:g}: {name} is {mine} in the workbook and "
                        f"{answer} by the function; please report this"
                    )


def moved(plan: Plan, wanted: Wanted) -> list[Inner]:
    """The formulas behind the rows that the input moves, each after what it reads.

    Raises:
        ProposalError: a batch is the largest that fits, and the input moves that.
    """
    needed = set[str]().union(*(plan.graph.needed(row) for row in wanted.rows))
    keys = plan.graph.moved({wanted.over}) & needed
    for name in plan.registry.limits.keys() & keys:
        if any(given.get(name) == LARGEST for given in plan.given):
            raise ProposalError(
                f'series {wanted.title!r} moves the largest {name}; state a number in place of {name} = "{LARGEST}"'
            )
    rows = [row for row in wanted.rows if row not in keys]
    if rows:
        raise ProposalError(f"series {wanted.title!r}: {', '.join(rows)} does not follow from {wanted.over}")
    limits = plan.registry.limits
    return [node for node in plan.graph.inner if node.key in keys and node.name not in limits]


@dataclass
class AllSeries:
    """Every series of a workbook, with the rows that calculate them.

    Attributes:
        rows: of Series data
        plans: one a series
    """

    plan: Plan
    base: int
    rows: list[Row] = field(default_factory=list)
    plans: list[SeriesPlan] = field(default_factory=list)


def all_series(plan: Plan, asked: Sequence[Wanted]) -> AllSeries | None:
    """The series of a plan, for its first candidate that has an answer; None without any."""
    if not asked:
        return None
    names = [name for each in asked for name in each.rows]
    answered = (
        i for i in range(len(plan.names)) if not any(isinstance(plan.value(i, n), Failure) for n in names)
    )
    found = AllSeries(plan, next(answered, 0))
    row = FIRST_BLOCK
    for each in asked:
        made = SeriesPlan(plan, found.base, each, found.rows, row + 1)
        made.verify()
        found.plans.append(made)
        row += len(each.rows) + 3
    return found
