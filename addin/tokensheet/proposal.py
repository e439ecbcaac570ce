"""Proposals: TOML files that say what a planning workbook compares. All mistakes of a file are told at once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from tokensheet import untrusted
from tokensheet.arguments import number
from tokensheet.chosen import in_range
from tokensheet.errors import ProposalError, TokensheetError, first, hint, listed
from tokensheet.failure import Failure
from tokensheet.languages import Code
from tokensheet.planning import Planner
from tokensheet.proposal_names import SECTIONS, TWICE, told_twice, twice, under_current_names
from tokensheet.recipe_files import OWN_FILE, find, known
from tokensheet.toml_lines import Lines
from tokensheet.untrusted import LONGEST_NAME, LONGEST_TEXT

LARGEST_FILE = 1_000_000
MOST_RESULTS = 1000
LARGEST = "max"
"""Written for an input with a limit, such as `batch`: the largest that fits."""

Value = float | int | bool | str


class Candidate(BaseModel):
    """One plan to compare: a name, and choices and numbers by their names."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str = Field(min_length=1, max_length=LONGEST_NAME)

    @property
    def given(self) -> dict[str, Any]:
        """Everything but the name."""
        return dict(self.model_extra or {})


class Proposal(BaseModel):
    """What a workbook is made from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=1, max_length=120)
    customer: str = Field("", max_length=LONGEST_TEXT)
    prepared_by: str = Field("", max_length=LONGEST_TEXT)
    date: dt.date | None = None
    about: str = Field("", max_length=LONGEST_TEXT)
    valid_until: dt.date | None = None
    """Day up to which the offer stands; it is shown, and no formula reads the clock."""
    template: str = ""
    """Name of the recipe that says which results, charts and sheets there are, or of its file beside the proposal."""
    language: Code | None = None
    """Language of the workbook: `en`, `zh`, or one that the recipe brings; none is the recipe's."""
    workload: dict[str, Value] = {}
    """Choices and inputs of all candidates: model, context, prompt, output, batch."""
    assumptions: dict[str, Value] = {}
    """Profile, assumptions and prices of all candidates."""
    reasons: dict[str, Annotated[str, Field(max_length=LONGEST_TEXT)]] = {}
    """Why an assumption was chosen, by its name."""
    results: tuple[str, ...] = Field((), max_length=MOST_RESULTS)
    """Rows of Summary; those of the recipe where none are named."""
    candidates: tuple[Candidate, ...] = Field(min_length=1, max_length=12)
    _folder: Path | None = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _each_once(self) -> Proposal:
        """Nothing is given twice for all candidates."""
        for name in twice(self.workload, self.assumptions):
            raise PydanticCustomError(TWICE, "{told}", {"told": told_twice(name)})
        return self

    @property
    def folder(self) -> Path | None:
        """Where its file lies; none if it comes from elsewhere."""
        return self._folder

    @property
    def common(self) -> dict[str, Any]:
        """What all candidates share."""
        return {**self.workload, **self.assumptions}

    def given(self, candidate: Candidate) -> dict[str, Any]:
        """All choices and numbers of one candidate."""
        return {**self.common, **candidate.given}


def read(path: Path, planner: Planner) -> Proposal:
    """The proposal of a file, checked against the catalogue and the formulas.

    Raises:
        ProposalError: lists every mistake with its line.
    """
    try:
        text = untrusted.text(path, LARGEST_FILE)
    except OSError as error:
        raise ProposalError(f"{path}: {error.strerror or error}; give the path of a .toml file") from error
    except ValueError as error:
        raise ProposalError(f"{path.name}: {error}; a proposal is a page of text") from error
    return parse(text, planner, path.name, folder=path.parent)


def parse(
    text: str,
    planner: Planner,
    name: str = "proposal",
    *,
    lines: Lines | None = None,
    folder: Path | None = None,
) -> Proposal:
    """The proposal in a text.

    Args:
        text: TOML
        planner: catalogue and formulas
        name: of the file, for mistakes
        lines: where mistakes are said to stand, if not in the text
        folder: of the file, where a recipe of one's own may lie

    Raises:
        ProposalError: lists every mistake with its line.
    """
    try:
        data = untrusted.toml(text)
    except ValueError as error:
        raise ProposalError(f"{name}: {error}") from error
    lines = lines or Lines(text)
    renamed: list[str] = []
    if planner.registry.former:
        data, renamed = under_current_names(data, planner.registry.former, lines)
    wrong: Iterator[str] = iter(())
    proposal: Proposal | None = None
    try:
        proposal = Proposal.model_validate(data)
    except ValidationError as error:
        wrong = _wrong_form(error, lines)
    problems = first(chain(renamed, wrong, _Checker(planner, lines, folder).problems(data)))
    if problems or proposal is None:
        raise ProposalError(listed(name, problems))
    proposal._folder = folder
    return proposal


def _wrong_form(error: ValidationError, lines: Lines) -> Iterator[str]:
    """A line for each key that is unknown, missing or of another kind."""
    for e in error.errors(include_url=False):
        if e["type"] == TWICE:  # told with its line by the checker
            continue
        where = tuple(e["loc"])
        what = e["msg"]
        if e["type"] == "extra_forbidden":
            what = f"unknown key{hint(str(where[-1]), Proposal.model_fields)}"
        yield f"{lines.of(where)}{'.'.join(map(str, where))}: {what}"


class _Checker:
    """Names, ids and numbers of a proposal against the registry; works on raw data so that nothing hides."""

    def __init__(self, planner: Planner, lines: Lines, folder: Path | None) -> None:
        self.planner, self.lines, self.folder = planner, lines, folder

    def problems(self, data: Mapping[str, Any]) -> Iterator[str]:
        for section in SECTIONS:
            yield from self.table((section,), data.get(section, {}))
        for name in twice(*(data.get(section) for section in SECTIONS)):
            yield f"{self.lines.of((SECTIONS[-1], name))}{told_twice(name)}"
        candidates = data.get("candidates", [])
        names: set[str] = set()
        for i, candidate in enumerate(candidates if isinstance(candidates, list) else []):
            if not isinstance(candidate, dict):
                continue
            yield from self.table(("candidates", i), {k: v for k, v in candidate.items() if k != "name"})
            title = str(candidate.get("name", ""))
            if title and title in names:
                yield f"{self.lines.of(('candidates', i, 'name'))}two candidates are called {title!r}"
            names.add(title)
        yield from self.results(data.get("results", []))
        template = data.get("template")
        template = template if isinstance(template, str) else ""
        try:
            if template and (template.endswith(OWN_FILE) or template not in known(self.planner)):
                find(self.planner, template, self.folder)
        except TokensheetError as error:
            yield f"{self.lines.of(('template',))}{error}"
            template = ""
        yield from self.language(data.get("language"), template)
        reasons = data.get("reasons", {})
        for key in reasons if isinstance(reasons, dict) else ():
            if key not in self.planner.registry.nodes and key not in self.planner.registry.roles:
                yield f"{self.lines.of(('reasons', key))}reasons: nothing is called {key}{hint(key, self.planner.registry.known)}"

    def results(self, results: Any) -> Iterator[str]:
        formulas = self.planner.registry.formulas()
        for result in results if isinstance(results, list) else ():
            if isinstance(result, str) and result not in formulas:
                near = hint(result, formulas)
                yield f"{self.lines.of(('results',))}results: nothing is called {result}{near}"

    def language(self, code: Any, template: str) -> Iterator[str]:
        if not isinstance(code, str):
            return
        try:
            find(self.planner, template, self.folder).spoken(self.planner, code)
        except TokensheetError as error:
            yield f"{self.lines.of(('language',))}{error}"

    def table(self, where: tuple[str | int, ...], values: Any) -> Iterator[str]:
        for key, value in values.items() if isinstance(values, dict) else ():
            problem = self.value(key, value)
            if problem:
                yield f"{self.lines.of((*where, key))}{problem}"

    def value(self, key: str, value: Any) -> str | None:
        registry = self.planner.registry
        if key in registry.roles:
            if not isinstance(value, str):
                return f"{key} is {value!r}; give an id in quotes"
            try:
                registry.catalog(registry.roles[key].kind).find(value)
            except TokensheetError as error:
                return f"{key}: {error}"
            return None
        definition = registry.nodes.get(key)
        if definition is None:
            return f"unknown key {key}{hint(key, self.planner.registry.known)}"
        if key in registry.limits and value == LARGEST:
            return None
        found = number(key, value)
        if isinstance(found, Failure):
            return found.reason
        if found is None:
            return f"{key} is empty; give a number or leave it out"
        checked = in_range(key, definition, found)
        return checked.reason if isinstance(checked, Failure) else None
