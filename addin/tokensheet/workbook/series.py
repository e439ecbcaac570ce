"""A candidate over a list of numbers of one input: hours of a day, years of a fleet, contexts.

What the input moves is calculated again in a column for each number, by the formulas of Calculation;
everything else is read from there. So a series of a large calculation stays small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter

from tokensheet.declare import Assumption, Input
from tokensheet.errors import ExportError, ProposalError
from tokensheet.failure import Failure
from tokensheet.graph import Inner
from tokensheet.proposal import LARGEST, Proposal
from tokensheet.recipe import Recipe
from tokensheet.recipe import Series as Wanted
from tokensheet.texts import Phrase, say
from tokensheet.workbook import row_keys
from tokensheet.workbook.calculation import Calculation, same
from tokensheet.workbook.columns import CHOSEN
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.formula_rows import FormulaRows
from tokensheet.workbook.labels import label_of
from tokensheet.workbook.layout import CALCULATION, CALCULATION_FIRST, SERIES, Cell, Row, row_across
from tokensheet.workbook.said import as_call

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


class SeriesCalculation(Calculation):
    """One series: a column for each number, with the formulas of Calculation for what the input moves.

    Args:
        main: the contents of the workbook, its rows written
        base: index of the candidate as exported
        wanted: title, input, numbers and rows
        rows: of all series, to which this adds its own
        row: of the list of numbers on Series
    """

    def __init__(self, main: Contents, base: int, wanted: Wanted, rows: list[Row], row: int) -> None:
        walks = [main.walks[base].changed({wanted.over: value}) for value in wanted.values]
        names = [f"{value:g}" for value in wanted.values]
        super().__init__(main.registry, main.graph, names, walks, main.constant_row, rows)
        self.main, self.base, self.wanted, self.list_row = main, base, wanted, row

    def write(self) -> None:
        """The rows of what the input moves, each after what it reads."""
        writer, over = FormulaRows(self), self.wanted.over
        definition = self.registry.nodes[over]
        assert isinstance(definition, Input | Assumption)
        self.heading(Phrase(self.wanted.title))
        listed = self.add(
            row_keys.listed(over),
            label_of(definition),
            definition.unit,
            say("from the list on Series"),
            "",
            self._listed,
            list(self.wanted.values),
        )
        writer.in_range(over, listed, definition, list(self.wanted.values))
        for node in moved(self.main, self.wanted):
            for key in self._read_by(node):
                if key not in self.row_of:
                    self._from_calculation(key)
            writer.formula(node)
        self.check_rows()

    def _listed(self, i: int) -> str:
        """A number of the list; an empty cell is none."""
        cell = f"{SERIES}!{get_column_letter(FIRST + i)}${self.list_row}"
        return f'IF({cell}="","",{cell})'

    def _read_by(self, node: Inner) -> list[str]:
        """Keys that a node's row reads, the number stated for it among them."""
        stated = row_keys.stated(node.name)
        return [*self.graph.read_by(node), *([stated] if stated in self.main.row_of else [])]

    def _from_calculation(self, key: str) -> None:
        """A row that no number of the list moves."""
        number, there = self.main.row_of[key], self.main.row(key)
        area = row_across(CALCULATION, CALCULATION_FIRST, len(self.main.names), number)
        values: list[Cell] = [there.values[self.base]] * len(self.names)
        text = f"INDEX({area},{SERIES}!{CHOSEN})"
        words = say("from Calculation")
        self.add(key, there.label, there.unit, words, "", lambda i: text, values, there.symbol)

    def verify(self) -> None:
        """Each row at each number is what the functions answer.

        Raises:
            ExportError: a mistake in the program.
        """
        given = as_call(self.registry, self.main.said.given[self.base])
        for i, value in enumerate(self.wanted.values):
            engine = self.main.planner.several(self.wanted.rows, {**given, self.wanted.over: value})
            for name, answer in engine.items():
                mine = self.value(i, name)
                if not same(mine, answer):
                    raise ExportError(
                        f"{self.wanted.title} at {self.wanted.over} {value:g}: {name} is {mine} in the workbook and "
                        f"{answer} by the function; please report this"
                    )


def moved(contents: Contents, wanted: Wanted) -> list[Inner]:
    """The formulas behind the rows that the input moves, each after what it reads.

    Raises:
        ProposalError: a batch is the largest that fits, and the input moves that.
    """
    needed = set[str]().union(*(contents.graph.needed(row) for row in wanted.rows))
    keys = contents.graph.moved({wanted.over}) & needed
    for name in contents.registry.limits.keys() & keys:
        if any(given.get(name) == LARGEST for given in contents.said.given):
            raise ProposalError(
                f'series {wanted.title!r} moves the largest {name}; state a number in place of {name} = "{LARGEST}"'
            )
    rows = [row for row in wanted.rows if row not in keys]
    if rows:
        raise ProposalError(f"series {wanted.title!r}: {', '.join(rows)} does not follow from {wanted.over}")
    limits = contents.registry.limits
    return [node for node in contents.graph.inner if node.key in keys and node.name not in limits]


@dataclass
class AllSeries:
    """Every series of a workbook, with the rows that calculate them.

    Attributes:
        rows: of Series data
        parts: one a series
    """

    contents: Contents
    base: int
    rows: list[Row] = field(default_factory=list)
    parts: list[SeriesCalculation] = field(default_factory=list)


def all_series(contents: Contents, asked: Sequence[Wanted]) -> AllSeries | None:
    """The series of a workbook, for the first candidate that has an answer; None without any."""
    if not asked:
        return None
    names = [name for each in asked for name in each.rows]
    answered = (
        i
        for i in range(len(contents.names))
        if not any(isinstance(contents.value(i, n), Failure) for n in names)
    )
    found = AllSeries(contents, next(answered, 0))
    row = FIRST_BLOCK
    for each in asked:
        made = SeriesCalculation(contents, found.base, each, found.rows, row + 1)
        made.write()
        made.verify()
        found.parts.append(made)
        row += len(each.rows) + 3
    return found
