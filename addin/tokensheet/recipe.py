"""A workbook recipe, TOML that says which results, charts, sheets and prose a workbook has; all mistakes of one at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tokensheet import untrusted
from tokensheet.chosen import in_range
from tokensheet.declare import Assumption, Input
from tokensheet.errors import ProposalError, TokensheetError, first, hint, listed
from tokensheet.failure import Failure
from tokensheet.languages import Code, Language, Words, known_texts, language, problems_of
from tokensheet.planning import Planner
from tokensheet.texts import ENGLISH
from tokensheet.toml_lines import Lines
from tokensheet.untrusted import LONGEST_NAME, LONGEST_TEXT

Sheet = Literal["Charts data", "Sensitivity", "Series", "Bill of materials"]
"""Sheets that a recipe may leave out; all others always belong to a workbook."""

MOST_ROWS = 200
"""Rows of a list in a recipe."""
COLOR = r"^(#[0-9A-Fa-f]{6})?$"
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
    rows: tuple[str, ...] = Field(min_length=1, max_length=MOST_ROWS)
    low: str = ""
    high: str = ""
    """Rows of the band of the first row, drawn as error bars on `bars`."""
    logarithmic: bool = False

    @property
    def every_row(self) -> tuple[str, ...]:
        """All rows, those of the band too."""
        return (*self.rows, *filter(None, (self.low, self.high)))


class SeriesChart(BaseModel):
    """A chart on Series: some rows of its table over the table's numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=1, max_length=80)
    kind: Literal["lines", "bars", "stacked"]
    rows: tuple[str, ...] = Field(min_length=1, max_length=MOST_ROWS)


class Series(BaseModel):
    """A table on Series: results of one candidate over a list of numbers of one input, and its charts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=1, max_length=80)
    over: str = Field(min_length=1)
    values: tuple[float, ...] = Field(min_length=2, max_length=60)
    rows: tuple[str, ...] = Field(min_length=1, max_length=MOST_ROWS)
    charts: tuple[SeriesChart, ...] = Field((), max_length=6)


class Prose(BaseModel):
    """A paragraph on About."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    heading: str = Field(min_length=1, max_length=LONGEST_NAME)
    text: str = Field(min_length=1, max_length=LONGEST_TEXT)


class Look(BaseModel):
    """Fonts and colours; what is left out stays as usual."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    brand: str = Field("", pattern=r"^([\w-][\w. -]*\.xlsx)?$")
    """Name of a workbook beside the recipe that has a company's looks; what stands here goes over them."""
    font: str = Field("", max_length=31)
    title_font: str = Field("", max_length=31)
    accent: str = Field("", pattern=COLOR)
    charts: tuple[Annotated[str, Field(pattern=COLOR)], ...] = Field((), max_length=12)


class Recipe(BaseModel):
    """What a workbook shows besides inputs, options, calculation, checks and catalogue."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=1, max_length=80)
    results: tuple[str, ...] = Field((), max_length=MOST_ROWS)
    """Rows of Summary where the proposal names none."""
    sheets: tuple[Sheet, ...] = Field((), max_length=MOST_ROWS)
    sweep: tuple[str, ...] = Field((), max_length=MOST_ROWS)
    """Rows of the table over the batch on Sensitivity, besides the measures that all of it shows."""
    vary: tuple[str, ...] = Field((), max_length=MOST_ROWS)
    """Inputs that the one-way table of Sensitivity shows first, where they move its results."""
    checks: tuple[str, ...] = Field((), max_length=MOST_ROWS)
    """Checks besides those of the results; one stands on Checks where the proposal states what it reads."""
    series: tuple[Series, ...] = Field((), max_length=8)
    charts: tuple[Chart, ...] = Field((), max_length=12)
    prose: tuple[Prose, ...] = Field((), max_length=MOST_ROWS)
    language: Code | None = None
    """Language of its workbooks where the proposal names none, and of its texts."""
    texts: dict[str, Words] = {}
    """English → words of that language: a language that nobody else has, or other words than they have."""
    look: Look = Look()

    def named(self) -> list[tuple[tuple[str | int, ...], tuple[str, ...]]]:
        """The formulas that the recipe names, by the place where it does."""
        charts = [(("charts", i, "rows"), chart.every_row) for i, chart in enumerate(self.charts)]
        series = [(("series", i, "rows"), each.rows) for i, each in enumerate(self.series)]
        own = [((key,), getattr(self, key)) for key in ("results", "sweep", "checks")]
        return [*own, *charts, *series]

    def own_texts(self) -> set[str]:
        """The texts that the recipe itself shows, in English."""
        titles = {chart.title for chart in self.charts} | {series.title for series in self.series}
        titles |= {chart.title for series in self.series for chart in series.charts}
        return titles | {p.heading for p in self.prose} | {" ".join(p.text.split()) for p in self.prose}

    def spoken(self, planner: Planner, code: str = "") -> Language:
        """The language of a code, of the recipe's own where none is given, with the recipe's words for it.

        Raises:
            TokensheetError: nobody has words of it.
        """
        code = code or self.language or ENGLISH
        return language(planner.registry, code, self.texts if code == self.language else None)


def parse(text: str, planner: Planner, name: str) -> Recipe:
    """The recipe in a text.

    Raises:
        ProposalError: lists every mistake.
    """
    try:
        data = untrusted.toml(text)
    except ValueError as error:
        raise ProposalError(f"{name}: {error}") from error
    lines = Lines(text)
    try:
        recipe = Recipe.model_validate(data)
    except ValidationError as error:
        raise ProposalError(
            listed(name, first(_problem(e, lines) for e in error.errors(include_url=False)))
        ) from error
    problems = first(_unknown(recipe, planner, lines))
    problems += [
        f"{lines.of(('charts', i))}chart {chart.title!r} has {len(chart.rows)} rows; {chart.kind} takes {LEAST[chart.kind]}"
        for i, chart in enumerate(recipe.charts)
        if len(chart.rows) < LEAST[chart.kind]
    ]
    problems += [
        f"{lines.of(('charts', i))}chart {chart.title!r}: low and high go together, on bars of one row"
        for i, chart in enumerate(recipe.charts)
        if (chart.low or chart.high)
        and not (chart.low and chart.high and chart.kind == "bars" and len(chart.rows) == 1)
    ]
    problems += _wrong_varied(recipe, planner, lines)
    problems += _wrong_series(recipe, planner, lines) + _wrong_texts(recipe, planner, lines)
    if problems:
        raise ProposalError(listed(name, problems))
    return recipe


def _wrong_varied(recipe: Recipe, planner: Planner, lines: Lines) -> list[str]:
    """A line for each name of `vary` that nothing has."""
    nodes = planner.registry.nodes
    where = lines.of(("vary",))
    return [
        f"{where}no input, assumption or fact is called {name}{hint(name, nodes)}"
        for name in recipe.vary
        if name not in nodes
    ]


def _wrong_series(recipe: Recipe, planner: Planner, lines: Lines) -> list[str]:
    """A line for each series that cannot be calculated or drawn."""
    found = []
    numbers = {n: d for n, d in planner.registry.nodes.items() if isinstance(d, Input | Assumption)}
    for i, series in enumerate(recipe.series):
        if series.over not in numbers:
            found.append(
                f"{lines.of(('series', i, 'over'))}no input or assumption is called {series.over}{hint(series.over, numbers)}"
            )
        else:
            checked = (in_range(series.over, numbers[series.over], value) for value in series.values)
            where = lines.of(("series", i, "values"))
            found += [f"{where}{value.reason}" for value in checked if isinstance(value, Failure)]
        for chart in series.charts:
            other = [row for row in chart.rows if row not in series.rows]
            if other:
                found.append(
                    f"{lines.of(('series', i, 'rows'))}chart {chart.title!r}: {', '.join(other)} is not among the rows "
                    f"of {series.title!r}"
                )
    return found


def _wrong_texts(recipe: Recipe, planner: Planner, lines: Lines) -> list[str]:
    """A line for each text in another language that has no place in a workbook."""
    registry = planner.registry
    if not recipe.texts:
        if recipe.language is None:
            return []
        try:
            recipe.spoken(planner)
        except TokensheetError as error:
            return [f"{lines.of(('language',))}{error}"]
        return []
    if recipe.language is None:
        return [f'{lines.of(("texts",))}texts: say which language they are in, such as language = "de"']
    return problems_of(recipe.texts, lines, known_texts(registry) | recipe.own_texts())


def _unknown(recipe: Recipe, planner: Planner, lines: Lines) -> Iterator[str]:
    """A line for each name that no formula has."""
    formulas = planner.registry.formulas()
    for where, rows in recipe.named():
        for row in rows:
            if row not in formulas:
                yield f"{lines.of(where)}nothing is called {row}{hint(row, formulas)}"


def _problem(error: object, lines: Lines) -> str:
    assert isinstance(error, dict)
    where = [str(part) for part in error["loc"]]
    what = str(error["msg"])
    if error["type"] == "extra_forbidden":
        parts = {"charts": Chart.model_fields, "series": Series.model_fields, "prose": Prose.model_fields}
        parts["look"] = Look.model_fields
        known = parts.get(where[0], Recipe.model_fields) if len(where) > 1 else Recipe.model_fields
        what = f"unknown key{hint(where[-1], known)}"
    return f"{lines.of(tuple(error['loc']))}{'.'.join(where)}: {what}"
