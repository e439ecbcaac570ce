"""What Sensitivity varies of a candidate, and where it stands on the sheet."""

from __future__ import annotations

from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter

from tokensheet.interpret import Failure
from tokensheet.recipe import Recipe
from tokensheet.texts import say
from tokensheet.workbook.influence import Influence, influences
from tokensheet.workbook.plan import BATCH, BATCH_LIMIT, Plan
from tokensheet.workbook.variants import CONTEXT, Places, Variant, VariantPlan

ONE_WAY, CHOICES, BATCHES, GRID = 8, 20, 12, 5
"""Inputs of the one-way table and of the list to choose from, batches of the list, batches and contexts of the
grid: each at most."""
LARGE = 250
"""Nodes behind the results from which on there are fewer variants, so that the file stays small."""
FIRST = 3
"""First column of numbers."""
ONE_WAY_ROW, HEAD_ROWS = 9, 6
"""First row of the one-way table, and how many rows say what is varied."""
CHOICE_COLUMNS = {"choices": "C", "least": "D", "most": "E"}
"""Columns of the list of what may be varied."""


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
    batches: list[float]
    contexts: list[float]
    picked: list[int]
    """Places in the list of batches that the grid shows."""
    choices: list[Influence]
    """What may be varied, by what matters most."""
    shown: int
    """Columns of the one-way table."""
    variants: VariantPlan = field(init=False)

    def __post_init__(self) -> None:
        end = get_column_letter(FIRST + max(len(self.batches), 1) - 1)
        last = self.grid_row + len(self.contexts) - 1
        row, lines = ONE_WAY_ROW + 1, f"{self.choice_row}:${{}}${self.choice_row + len(self.choices) - 1}"
        names = {key: f"${at}${lines.format(at)}" for key, at in CHOICE_COLUMNS.items()}
        places = Places(
            candidate="$C$5",
            step="$C$7",
            batches=f"$C${self.batch_row}:${end}${self.batch_row}",
            contexts=f"$C${self.grid_row}:$C${last}",
            varied=f"$C${row}:${get_column_letter(FIRST + max(self.shown, 1) - 1)}${row}",
            **names,
        )
        results = list(dict.fromkeys([*self.measures, *self.sweep]))
        may = [choice.name for choice in self.choices]
        self.variants = VariantPlan(self.plan, self.base, results, self.columns(), places, may)

    @property
    def varied(self) -> list[Influence]:
        """What the one-way table varies as exported; the reader may choose others."""
        return self.choices[: self.shown]

    @property
    def choice_row(self) -> int:
        """First row of the list of what may be varied, below everything else."""
        many = len(self.contexts)
        return (
            self.grid_row + len(self.measures) * (many + 4) if many else self.batch_row + len(self.sweep) + 4
        )

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
        for sign, word in ((-1, "input {name} lower"), (1, "input {name} higher")):
            found += [
                Variant(say(word, name=str(n)), {i.name: i.changed(sign)}, i.name, sign, i.least, i.most, n)
                for n, i in enumerate(self.varied, 1)
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
    choices, shown = influences(plan, base, measures, CHOICES), ONE_WAY
    if not choices and not batches:
        return None
    sweep = list(dict.fromkeys([*measures, *rows]))
    if len(set[str]().union(*(plan.graph.needed(r) for r in sweep))) > LARGE:
        choices, shown, contexts, places = choices[:10], 5, contexts[1:4], places[::2]
    shown = min(shown, len(choices))
    return Sensitivity(plan, base, measures, sweep, batches, contexts, sorted(set(places)), choices, shown)


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
