"""The articles' worked numbers, each as a candidate of an exported workbook that spreadsheets recalculate."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import tokensheet
from tests.tools import ironcalc_engine, stored
from tests.tools.office import Office, Values
from tests.tools.planbook import Planbook, planbook
from tokensheet.celltext import ArrayLiteral, FunctionCall, Literal, parse
from tokensheet.proposal import Proposal

PLANNER = tokensheet.planner()
ARTICLES = Path(__file__).parents[1] / "data" / "articles.csv"
HEADLINES = [
    "K01",
    "K03",
    "K08",
    "K09",
    "K12",
    "K15",
    "K18",
    "K21",
    "L01",
    "L03",
    "L07",
    "L10",
    "L12",
    "L13",
    "L15",
    "L21",
    "L23",
    "L28",
    "L30",
    "L33",
]
"""Numbers that stand for all parts of the calculation; none of them may fall out of this test."""
CANDIDATES = 12


@dataclass(frozen=True)
class Case:
    """A worked number: the result's name, what a candidate is given, and the right value."""

    id: str
    result: str
    given: Mapping[str, Any]
    expected: float


def cases() -> Iterator[Case]:
    """The numbers of one function call; quotients and look-ups of a fact fit no candidate."""
    with ARTICLES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            call = parse(row["cell"])
            if isinstance(call, FunctionCall) and call.name in PLANNER.registry.functions:
                yield Case(row["id"], call.name.lower(), given(call), float(row["expected"]))


def given(call: FunctionCall) -> dict[str, Any]:
    """Arguments and options of a call; a cost that is a call of its own stays one: its inputs are given."""
    names = PLANNER.registry.functions[call.name].cell or ()
    found: dict[str, Any] = {}
    for name, part in zip(names, call.arguments, strict=False):
        if isinstance(part, Literal):
            found[name] = part.value
        elif isinstance(part, ArrayLiteral):
            found |= {str(key): value for key, value in part.rows}
        else:
            assert isinstance(part, FunctionCall) and part.name.lower() == name
            found |= given(part)
    return found


CASES = list(cases())


def test_the_headlines_fit_a_workbook() -> None:
    assert set(HEADLINES) <= {case.id for case in CASES}


Books = list[tuple[Planbook, tuple[Case, ...]]]


def exported(cases: Sequence[Case], folder: Path) -> Books:
    """Workbooks of twelve cases each."""
    found = []
    for i in range(0, len(cases), CANDIDATES):
        part = tuple(cases[i : i + CANDIDATES])
        proposal = Proposal.model_validate(
            {
                "title": "Worked numbers",
                "template": "one-page",
                "results": list(dict.fromkeys(case.result for case in part)),
                "candidates": [{"name": case.id, **case.given} for case in part],
            }
        )
        found.append((planbook(PLANNER, proposal, folder / f"articles-{i}.xlsx"), part))
    return found


@pytest.fixture(scope="module")
def headlines(tmp_path_factory: pytest.TempPathFactory) -> Books:
    return exported([c for c in CASES if c.id in HEADLINES], tmp_path_factory.mktemp("headlines"))


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Books:
    return exported(CASES, tmp_path_factory.mktemp("articles"))


def wrong(book: Planbook, part: tuple[Case, ...], values: Values) -> list[str]:
    """Cases whose cell is not the right value to 1e-6."""
    lines = []
    for i, case in enumerate(part):
        cell = book.result(values, i, case.result)
        if isinstance(cell, str) or not math.isclose(cell, case.expected, rel_tol=1e-6):
            lines.append(f"{case.id}: {case.result} is {cell!r}, not {case.expected}")
    return lines


@pytest.mark.slow
def test_the_stored_values_are_the_worked_numbers(headlines: Books) -> None:
    """What a previewer shows."""
    assert [line for book, part in headlines for line in wrong(book, part, stored.values(book.path))] == []


@pytest.mark.slow
def test_ironcalc_calculates_the_worked_numbers(headlines: Books) -> None:
    """What a spreadsheet engine makes of the formulas."""
    assert [
        line for book, part in headlines for line in wrong(book, part, ironcalc_engine.values(book.path))
    ] == []


@pytest.mark.slow
def test_both_engines_calculate_all_worked_numbers(books: Books, office: Office) -> None:
    """What a real spreadsheet and another engine make of every number, stored values ignored."""
    for calculate in (ironcalc_engine.values, office.values):
        assert [line for book, part in books for line in wrong(book, part, calculate(book.path))] == []
