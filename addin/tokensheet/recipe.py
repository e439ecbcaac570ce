"""Workbook recipes: TOML files of plugins that say which results, charts, sheets and prose a workbook has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tokensheet import untrusted
from tokensheet.declare import Assumption, Input
from tokensheet.errors import ProposalError, TokensheetError, first, hint, listed
from tokensheet.languages import Code, Language, Words, known_texts, language, problems_of
from tokensheet.planning import Planner
from tokensheet.texts import ENGLISH
from tokensheet.toml_lines import Lines

if TYPE_CHECKING:
    from tokensheet.proposal import Proposal

STANDARD = "capacity-plan"
"""The recipe of a proposal that names none."""

Sheet = Literal["Charts data", "Sensitivity", "Series", "Bill of materials"]
"""Sheets that a recipe may leave out; all others always belong to a workbook."""

OWN_FILE = ".toml"
"""How a template ends that is the path of a file; other names are of recipes that plugins offer."""
LARGEST_FILE = 1_000_000
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

    heading: str = Field(min_length=1, max_length=60)
    text: str = Field(min_length=1, max_length=32_000)


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
    problems += _wrong_series(recipe, planner, lines) + _wrong_texts(recipe, planner, lines)
    if problems:
        raise ProposalError(listed(name, problems))
    return recipe


def _wrong_series(recipe: Recipe, planner: Planner, lines: Lines) -> list[str]:
    """A line for each series that cannot be calculated or drawn."""
    found = []
    numbers = {n for n, d in planner.registry.nodes.items() if isinstance(d, Input | Assumption)}
    for i, series in enumerate(recipe.series):
        if series.over not in numbers:
            found.append(
                f"{lines.of(('series', i, 'over'))}no input or assumption is called {series.over}{hint(series.over, numbers)}"
            )
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


def all_texts(planner: Planner) -> set[str]:
    """The texts of all recipes that can be read, in English."""
    found: set[str] = set()
    for name in known(planner):
        try:
            found |= find(planner, name).own_texts()
        except TokensheetError:  # who asks for the recipe is told
            continue
    return found


def with_results(proposal: Proposal, planner: Planner) -> Proposal:
    """The proposal with the results of its recipe where it names none."""
    if proposal.results:
        return proposal
    recipe = find(planner, proposal.template, proposal.folder)
    if not recipe.results:
        what = (
            f"template {proposal.template} names" if proposal.template else "no template is there that names"
        )
        raise ProposalError(f"{proposal.title}: {what} no results; name some: results = [...]")
    return proposal.model_copy(update={"results": recipe.results})


def known(planner: Planner) -> dict[str, Path]:
    """Recipes of all plugins: name of the file without its ending → file; two of one name are told apart by plugin."""
    found: dict[str, Path] = {}
    offered = planner.registry.templates()
    names = [path.stem for path, _ in offered]
    for path, owner in offered:
        found[path.stem if names.count(path.stem) == 1 else f"{owner.plugin}:{path.stem}"] = path
    return found


def own_file(name: str, folder: Path | None) -> Path:
    """The file of a recipe that a proposal names by its path.

    Args:
        name: as it stands in the proposal, such as `acme-recipe.toml`
        folder: of the proposal; none where it is no file

    Raises:
        ProposalError: it is not beside the proposal or below.
    """
    if folder is None:
        raise ProposalError(f"template: {name} is a file, but this proposal is none that it could lie beside")
    try:
        home = folder.resolve()
        path = (home / name).resolve()
        if Path(name).is_absolute() or not path.is_relative_to(home):
            raise ProposalError(f"template: {name} is not in the proposal's folder; put the recipe beside it")
        if not path.is_file():
            raise ProposalError(f"template: no file {name} is beside the proposal")
    except (OSError, ValueError) as error:  # a null character, or a name that is too long
        raise ProposalError(f"template: {name!r:.80} cannot be read: {error}") from error
    return path


def file_of(planner: Planner, name: str, folder: Path | None) -> Path:
    """The file of a recipe: a plugin's by its name, one's own by a path that ends in .toml.

    Raises:
        ProposalError: there is none.
    """
    if name.endswith(OWN_FILE):
        return own_file(name, folder)
    recipes = known(planner)
    if name not in recipes:
        raise ProposalError(
            f"template: no recipe is called {name}{hint(name, recipes)}; a file of one's own ends in {OWN_FILE}"
        )
    return recipes[name]


def brand_of(recipe: Recipe, planner: Planner, name: str, folder: Path | None = None) -> Path | None:
    """The workbook with a company's looks that a recipe names, which lies beside it.

    Raises:
        ProposalError: there is none.
    """
    if not recipe.look.brand:
        return None
    path = file_of(planner, name or STANDARD, folder).with_name(recipe.look.brand)
    if not path.is_file():
        raise ProposalError(
            f"template {name or STANDARD}: no {path.name} beside it; look.brand names a workbook there"
        )
    return path


def find(planner: Planner, name: str, folder: Path | None = None) -> Recipe:
    """The recipe of a name; an empty one where no plugin offers any and none is asked for.

    Args:
        planner: catalogue and formulas, for the names in it
        name: a recipe's, or the path of a file of one's own
        folder: of the proposal, where such a path begins

    Raises:
        ProposalError: there is none, or it has mistakes.
    """
    chosen = name or STANDARD
    if not name and chosen not in known(planner):
        return Recipe(title="plain")
    path = file_of(planner, chosen, folder)
    try:
        return parse(untrusted.text(path, LARGEST_FILE), planner, path.name)
    except (OSError, ValueError) as error:
        what = "mend it" if name.endswith(OWN_FILE) else "the plugin that offers it is damaged"
        raise ProposalError(f"template {chosen}: {error}; {what}") from error
    except TokensheetError:
        if not name:  # a standard recipe may name formulas of a plugin that is switched off
            return Recipe(title="plain")
        raise
