"""Workbook recipes: TOML files of plugins that say which results, charts, sheets and prose a workbook has."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tokensheet.errors import ProposalError, TokensheetError, hint, listed
from tokensheet.planning import Planner

if TYPE_CHECKING:
    from tokensheet.proposal import Proposal

STANDARD = "capacity-plan"
"""The recipe of a proposal that names none."""

Sheet = Literal["Charts data", "Sensitivity", "Bill of materials"]
"""Sheets that a recipe may leave out; all others always belong to a workbook."""

LEAST: dict[str, int] = {"bars": 1, "stacked": 1, "points": 2, "roofline": 8}
"""Rows that a kind of chart takes at least."""


class Chart(BaseModel):
    """A chart on Summary: its rows are results of formulas, its columns the candidates.

    `bars` and `stacked` draw each row as a series; `points` draws a candidate at (first row, second row);
    `roofline` takes x and y of three corners of the roof, then x and y of the plan.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=1, max_length=80)
    kind: Literal["bars", "stacked", "points", "roofline"]
    rows: tuple[str, ...] = Field(min_length=1)
    logarithmic: bool = False


class Prose(BaseModel):
    """A paragraph on About."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    heading: str = Field(min_length=1, max_length=60)
    text: str = Field(min_length=1)


class Recipe(BaseModel):
    """What a workbook shows besides inputs, options, calculation, checks and catalogue."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=1, max_length=80)
    results: tuple[str, ...] = ()
    """Rows of Summary where the proposal names none."""
    sheets: tuple[Sheet, ...] = ()
    sweep: tuple[str, ...] = ()
    """Rows of the table over the batch on Sensitivity, besides the measures that all of it shows."""
    charts: tuple[Chart, ...] = Field((), max_length=12)
    prose: tuple[Prose, ...] = ()

    def names(self) -> list[str]:
        """Every formula that the recipe names."""
        return [*self.results, *self.sweep, *(row for chart in self.charts for row in chart.rows)]


def parse(text: str, planner: Planner, name: str) -> Recipe:
    """The recipe in a text.

    Raises:
        ProposalError: lists every mistake.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProposalError(f"{name}: {error}") from error
    try:
        recipe = Recipe.model_validate(data)
    except ValidationError as error:
        raise ProposalError(listed(name, [_problem(e) for e in error.errors(include_url=False)])) from error
    formulas = planner.registry.formulas()
    problems = [
        f"nothing is called {row}{hint(row, formulas)}" for row in recipe.names() if row not in formulas
    ]
    problems += [
        f"chart {chart.title!r} has {len(chart.rows)} rows; {chart.kind} takes {LEAST[chart.kind]}"
        for chart in recipe.charts
        if len(chart.rows) < LEAST[chart.kind]
    ]
    if problems:
        raise ProposalError(listed(name, problems))
    return recipe


def _problem(error: object) -> str:
    assert isinstance(error, dict)
    where = [str(part) for part in error["loc"]]
    what = str(error["msg"])
    if error["type"] == "extra_forbidden":
        parts = {"charts": Chart.model_fields, "prose": Prose.model_fields}
        known = parts.get(where[0], Recipe.model_fields) if len(where) > 1 else Recipe.model_fields
        what = f"unknown key{hint(where[-1], known)}"
    return f"{'.'.join(where)}: {what}"


def with_results(proposal: Proposal, planner: Planner) -> Proposal:
    """The proposal with the results of its recipe where it names none."""
    recipe = find(planner, proposal.template)
    if not recipe.results or "results" in proposal.model_fields_set:
        return proposal
    return proposal.model_copy(update={"results": recipe.results})


def known(planner: Planner) -> dict[str, Path]:
    """Recipes of all plugins: name of the file without its ending → file; two of one name are told apart by plugin."""
    found: dict[str, Path] = {}
    offered = planner.registry.templates()
    names = [path.stem for path, _ in offered]
    for path, owner in offered:
        found[path.stem if names.count(path.stem) == 1 else f"{owner.plugin}:{path.stem}"] = path
    return found


def find(planner: Planner, name: str) -> Recipe:
    """The recipe of a name; an empty one where no plugin offers any and none is asked for.

    Raises:
        ProposalError: no plugin offers it, or it has mistakes.
    """
    recipes = known(planner)
    chosen = name or STANDARD
    if not name and chosen not in recipes:
        return Recipe(title="plain")
    if chosen not in recipes:
        raise ProposalError(f"template: no recipe is called {chosen}{hint(chosen, recipes)}")
    try:
        return parse(recipes[chosen].read_text(encoding="utf-8"), planner, recipes[chosen].name)
    except (OSError, UnicodeDecodeError) as error:
        raise ProposalError(f"template {chosen}: {error}; the plugin that offers it is damaged") from error
    except TokensheetError:
        if not name:  # a standard recipe may name formulas of a plugin that is switched off
            return Recipe(title="plain")
        raise
