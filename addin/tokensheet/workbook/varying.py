"""What Sensitivity varies of a candidate, and where it stands on the sheet."""

from __future__ import annotations

from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter

from tokensheet.declare import Input
from tokensheet.failure import Failure
from tokensheet.recipe import Recipe
from tokensheet.texts import say
from tokensheet.workbook.columns import CHOSEN
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.influence import Influence, influences
from tokensheet.workbook.labels import spaced
from tokensheet.workbook.variant_rows import write_variants
from tokensheet.workbook.variants import Addresses, Variant, Variants

ONE_WAY, CHOICES, LISTED, GRID = 8, 20, 12, 5
"""Inputs of the one-way table and of the list to choose from, numbers of the list and of each side of
the grid: each at most."""
LARGE = 500
"""Nodes behind the results from which on there are fewer variants, so that the file stays small."""
FIRST = 3
"""First column of numbers."""
STEP_ROW, ONE_WAY_ROW, HEAD_ROWS = 7, 9, 6
"""Row of the step, first row of the one-way table, and how many rows say what is varied."""
CHOICE_COLUMNS = {"choices": "C", "least": "D", "most": "E"}
"""Columns of the list of what may be varied."""


@dataclass(frozen=True)
class Axis:
    """An input and the numbers at which results are shown; none where there is no such input."""

    name: str = ""
    numbers: list[float] = field(default_factory=list)


@dataclass
class Sensitivity:
    """What is varied of one candidate, and where it stands on the sheet.

    Attributes:
        measures: results of the one-way table and the grid
        sweep: results of the table over the batch
    """

    contents: Contents
    base: int
    measures: list[str]
    sweep: list[str]
    across: Axis
    down: Axis
    picked: list[int]
    """Places in the list across that the grid shows."""
    choices: list[Influence]
    """What may be varied, by what matters most."""
    shown: int
    """Columns of the one-way table."""
    variants: Variants = field(init=False)

    def __post_init__(self) -> None:
        end = get_column_letter(FIRST + max(len(self.across.numbers), 1) - 1)
        last = self.grid_row + len(self.down.numbers) - 1
        row, lines = ONE_WAY_ROW + 1, f"{self.choice_row}:${{}}${self.choice_row + len(self.choices) - 1}"
        names = {key: f"${at}${lines.format(at)}" for key, at in CHOICE_COLUMNS.items()}
        addresses = Addresses(
            candidate=CHOSEN,
            step=f"$C${STEP_ROW}",
            lists={
                self.across.name: f"$C${self.list_row}:${end}${self.list_row}",
                self.down.name: f"$C${self.grid_row}:$C${last}",
            },
            varied=f"$C${row}:${get_column_letter(FIRST + max(self.shown, 1) - 1)}${row}",
            **names,
        )
        results = list(dict.fromkeys([*self.measures, *self.sweep]))
        may = [choice.name for choice in self.choices]
        self.variants = Variants(self.contents, self.base, results, self.columns(), addresses, may)
        write_variants(self.variants)

    @property
    def varied(self) -> list[Influence]:
        """What the one-way table varies as exported; the reader may choose others."""
        return self.choices[: self.shown]

    @property
    def choice_row(self) -> int:
        """First row of the list of what may be varied, below everything else."""
        many = len(self.down.numbers)
        return (
            self.grid_row + len(self.measures) * (many + 4) if many else self.list_row + len(self.sweep) + 4
        )

    @property
    def list_row(self) -> int:
        """Row of the list across, such as of batches."""
        return ONE_WAY_ROW + HEAD_ROWS + 5 * len(self.measures) + 2 if self.varied else ONE_WAY_ROW + 1

    @property
    def grid_row(self) -> int:
        """Row of the first number down, such as a context, of the grid of the first measure."""
        return self.list_row + len(self.sweep) + 6

    def columns(self) -> list[Variant]:
        """Variants in the order of their columns: as it is, lower, higher, batches, grid context by context."""
        found = [Variant(say("as it is"), {})]
        for sign, word in ((-1, "input {name} lower"), (1, "input {name} higher")):
            found += [
                Variant(say(word, name=str(n)), {i.name: i.changed(sign)}, i.name, sign, i.least, i.most, n)
                for n, i in enumerate(self.varied, 1)
            ]
        across, down = self.across.name, self.down.name
        for place, number in enumerate(self.across.numbers, 1):
            name = say("{name} {number}", name=spaced(across), number=number)
            found.append(Variant(name, {across: number}, places={across: place}))
        for row, other in enumerate(self.down.numbers, 1):
            for place in self.picked:
                changes = {across: self.across.numbers[place - 1], down: other}
                words = say(
                    "{name} {number}, {other} {second}",
                    name=spaced(across),
                    number=changes[across],
                    other=spaced(down),
                    second=other,
                )
                found.append(Variant(words, changes, places={across: place, down: row}))
        return found

    def first(self, block: str) -> int:
        """Index of the first variant of a block."""
        many = len(self.varied)
        return {"lower": 1, "higher": 1 + many, "list": 1 + 2 * many}.get(
            block, 1 + 2 * many + len(self.across.numbers)
        )


def sensitivity_of(contents: Contents, recipe: Recipe) -> Sensitivity | None:
    """What can be varied of the first candidate that has an answer; None where nothing has."""
    measures = _measures(contents)
    base = next(
        (
            i
            for i in range(len(contents.names))
            if not any(isinstance(contents.value(i, m), Failure) for m in measures)
        ),
        None,
    )
    if base is None or not measures:
        return None
    rows = [r for r in recipe.sweep if r in contents.graph.nodes]
    across = _across(contents, base) if rows else Axis()
    down = _down(contents, base) if across.numbers else Axis()
    many = len(across.numbers)
    places = [round(i * (many - 1) / (GRID - 1)) + 1 for i in range(GRID)] if down.numbers else []
    choices, shown = influences(contents, base, measures, CHOICES, recipe.vary), ONE_WAY
    if not choices and not across.numbers:
        return None
    sweep = list(dict.fromkeys([*measures, *rows]))
    if len(set[str]().union(*(contents.graph.needed(r) for r in sweep))) > LARGE:
        choices, shown, places = choices[:10], 5, places[::2]
        down = Axis(down.name, down.numbers[1:4])
    shown = min(shown, len(choices))
    return Sensitivity(contents, base, measures, sweep, across, down, sorted(set(places)), choices, shown)


def _measures(contents: Contents) -> list[str]:
    """The first result that is a time and the first that is about money."""
    units = {
        r: str(contents.registry.nodes[r].unit) for r in contents.proposal.results if not _only_0(contents, r)
    }
    times = [r for r, unit in units.items() if unit == "second"]
    money = [r for r, unit in units.items() if "usd" in unit and unit != "usd/hour"]
    return times[:1] + money[:1]


def _only_0(contents: Contents, result: str) -> bool:
    """Whether a result is 0 wherever it has an answer, such as a rent of what is bought: no share of it is a change."""
    values = [
        v for i in range(len(contents.names)) if not isinstance(v := contents.value(i, result), Failure)
    ]
    return bool(values) and not any(values)


def _across(contents: Contents, base: int) -> Axis:
    """Powers of two up to the largest number of the first input that has a limit, such as the batch."""
    name = next((n for n in contents.registry.limits if n in contents.graph.nodes), "")
    if not name:
        return Axis()
    largest = contents.value(base, contents.registry.limits[name])
    most = 1024.0 if isinstance(largest, Failure) else largest
    return Axis(name, [float(2**i) for i in range(LISTED) if 2**i <= max(most, 16)])


def _down(contents: Contents, base: int) -> Axis:
    """A quarter to four times the candidate's number of the first input that is a list's axis, such as the context."""
    inputs = [leaf for leaf in contents.graph.leaves if isinstance(leaf.definition, Input)]
    name = next((n.name for n in inputs if isinstance(n.definition, Input) and n.definition.list_axis), "")
    leaf = contents.walks[base].values.get(name)
    if not isinstance(leaf, float | int):
        return Axis()
    shares = [float(round(leaf * share)) for share in (1 / 4, 1 / 2, 1, 2, 4)]
    return Axis(name, shares if leaf >= 4 else [0.0, 1024.0, 2048.0, 4096.0, 8192.0])
