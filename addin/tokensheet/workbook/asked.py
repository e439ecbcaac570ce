"""What of a recipe a proposal can answer: charts, further rows and checks that need nothing it does not give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokensheet.declare import Input
from tokensheet.expanding import expand
from tokensheet.needs import needs
from tokensheet.recipe import Chart, Recipe, Series
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.layout import SENSITIVITY, SERIES


@dataclass(frozen=True)
class Asked:
    """The parts of a recipe that a workbook shows."""

    charts: list[Chart]
    series: list[Series]
    sweep: list[str]
    checks: list[str]

    def rows(self) -> Iterable[str]:
        """Formulas to calculate besides the results."""
        charts = (row for chart in self.charts for row in chart.every_row)
        series = (row for each in self.series for row in each.rows)
        return [*charts, *series, *self.sweep, *self.checks]


def asked(contents: Contents, recipe: Recipe) -> Asked:
    """What a recipe asks that the results of a workbook, or the proposal, give the numbers for."""
    series = recipe.series if SERIES in recipe.sheets else ()
    swept = recipe.sweep if SENSITIVITY in recipe.sheets else ()
    return Asked(
        [chart for chart in recipe.charts if affordable(contents, chart.every_row)],
        [each for each in series if given_for(contents, each.rows)],
        [row for row in swept if affordable(contents, [row])],
        [check for check in recipe.checks if concerned(contents, check)],
    )


def affordable(contents: Contents, rows: Sequence[str]) -> bool:
    """Whether rows can be calculated from what the results need and what the proposal gives.

    Inputs with a default count only beside one that is given: nobody asked for a cost that rests on defaults.
    """
    known = {leaf.key for leaf in contents.graph.leaves}
    graph = expand(contents.registry, rows, linked=contents.registry.limits)
    new = [leaf for leaf in graph.leaves if leaf.key not in known]
    given = [leaf for leaf in new if leaf.name in contents.said.common]
    defaults = [n for n in new if isinstance(n.definition, Input) and n.definition.default is not None]
    return not new or (bool(given) and all(leaf in given or leaf in defaults for leaf in new))


def concerned(contents: Contents, check: str) -> bool:
    """Whether a check belongs to a proposal: it states something that the check reads, and every input needed."""
    parameters = contents.registry.parameters(check, contents.registry.formulas()[check])
    read = {p for p in parameters.values() if isinstance(p, str)}
    if not any(name in given for given in contents.said.given for name in read):
        return False
    return given_for(contents, [check])


def given_for(contents: Contents, rows: Sequence[str]) -> bool:
    """Whether every candidate gives what rows cannot do without."""
    return needs(contents.registry, rows) <= contents.said.by_all
