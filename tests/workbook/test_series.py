"""Series: results over a list of numbers are the functions' own, follow the cells, and mistakes are told."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.tools import ironcalc_engine, stored
from tests.tools.office import Office
from tests.tools.planbook import formula_cells, only_formulas
from tests.workbook.test_lint import unexplained
from tokensheet import recipe, recipe_files
from tokensheet.errors import ProposalError
from tokensheet.failure import Failure
from tokensheet.planning import Planner
from tokensheet.proposal import Proposal
from tokensheet.workbook import build as built

pytestmark = pytest.mark.slow

PLANNER = Planner.of()
TEXT = """
title = "Lists"
results = ["decode_latency", "tokens_per_dollar"]
sheets = ["Series"]

[[series]]
title = "Contexts"
over = "context"
values = [1024, 4096, 16384]
rows = ["decode_latency", "tokens_per_second", "kv_bytes"]
[[series.charts]]
title = "Speed"
kind = "lines"
rows = ["decode_latency"]
[[series.charts]]
title = "Cache"
kind = "bars"
rows = ["kv_bytes"]

[[series]]
title = "Electricity"
over = "electricity_price"
values = [0.05, 0.1, 0.2]
rows = ["tokens_per_dollar", "capital_per_million", "power_per_million"]
[[series.charts]]
title = "Cost"
kind = "stacked"
rows = ["capital_per_million", "power_per_million"]

[[series]]
title = "Batches"
over = "batch"
values = [1, 8, 64]
rows = ["decode_latency", "memory_per_device"]
"""
BATCHES = [1.0, 8.0, 64.0]
CANDIDATES: list[dict[str, Any]] = [
    {"name": "eight", "gpu": "h100-sxm-80gb", "gpus": 8, "batch": 4},
    {"name": "four", "gpu": "h100-sxm-80gb", "gpus": 4, "batch": 2, "electricity_price": 0.3},
]
COMMON = {"model": "llama-2-70b", "context": 4096}


def proposal(**more: Any) -> Proposal:
    given = {"title": "Lists", "workload": COMMON, "candidates": CANDIDATES, **more}
    return Proposal.model_validate(given)


@pytest.fixture
def lists(monkeypatch: pytest.MonkeyPatch) -> recipe.Recipe:
    """Exports follow the recipe above."""
    made = recipe.parse(TEXT, PLANNER, "lists.toml")
    monkeypatch.setattr(built, "find", lambda *_: made)
    monkeypatch.setattr(recipe_files, "find", lambda *_: made)
    return made


@cache
def exported() -> bytes:
    """The workbook of the recipe above, built once by the first test that follows it."""
    return built.build(PLANNER, proposal()).xlsx


@pytest.fixture
def file(tmp_path: Path, lists: recipe.Recipe) -> Path:
    path = tmp_path / "plan.xlsx"
    path.write_bytes(exported())
    return path


def answers(given: dict[str, Any], name: str, over: str, values: list[float]) -> list[float]:
    found = [PLANNER.one(name, {**given, over: value}) for value in values]
    return [v for v in found if not isinstance(v, Failure)]


def numbers(values: dict[str, Any], row: int) -> list[Any]:
    return [values[f"{column}{row}"] for column in "CDE"]


def test_both_engines_calculate_what_is_stored_and_the_rules_hold(file: Path, office: Office) -> None:
    cells = formula_cells(file)
    assert {"Series", "Series data"} <= {sheet for sheet, _ in cells}
    kept = only_formulas(stored.values(file), cells)
    for values in (ironcalc_engine.values(file), office.values(file)):
        assert stored.differences(kept, only_formulas(values, cells), 1e-12) == []
    assert unexplained(file.read_bytes()) == []


SETS: list[tuple[str, list[tuple[str, str, Any]], dict[str, Any], list[float], list[float]]] = [
    ("as exported", [], CANDIDATES[0], [1024, 4096, 16384], [0.05, 0.1, 0.2]),
    ("the other candidate", [("Series", "C5", 2.0)], CANDIDATES[1], [1024, 4096, 16384], [0.05, 0.1, 0.2]),
    (
        "other numbers",
        [("Series", "D9", 777.0), ("Series", "E15", 1.0)],
        CANDIDATES[0],
        [1024, 777, 16384],
        [0.05, 0.1, 1.0],
    ),
    (
        "another device",
        [("Options", "gpu", "a100-sxm-80gb")],
        {**CANDIDATES[0], "gpu": "a100-sxm-80gb"},
        [1024, 4096, 16384],
        [0.05, 0.1, 0.2],
    ),
]


@pytest.mark.parametrize(
    ("sets", "candidate", "contexts", "prices"), [s[1:] for s in SETS], ids=[s[0] for s in SETS]
)
def test_every_number_is_the_functions_own(
    file: Path,
    sets: list[tuple[str, str, Any]],
    candidate: dict[str, Any],
    contexts: list[float],
    prices: list[float],
) -> None:
    names: Any = openpyxl.load_workbook(file)["Options"]["B"]
    rows = {c.value: int(c.row) for c in names}
    places = [(s, f"D{rows[at]}" if at in rows else at, v) for s, at, v in sets]
    found = ironcalc_engine.values(file, places)["Series"]
    given = {**COMMON, **{k: v for k, v in candidate.items() if k != "name"}}
    shown = {"decode_latency": (10, 1000), "tokens_per_second": (11, 1), "kv_bytes": (12, 2.0**-30)}
    for name, (row, factor) in shown.items():
        wanted = [v * factor for v in answers(given, name, "context", contexts)]
        assert numbers(found, row) == pytest.approx(wanted, rel=1e-12)
    for row, name in enumerate(("tokens_per_dollar", "capital_per_million", "power_per_million"), 16):
        wanted = answers(given, name, "electricity_price", prices)
        assert numbers(found, row) == pytest.approx(wanted, rel=1e-12)
    for row, (name, factor) in enumerate((("decode_latency", 1000), ("memory_per_device", 2.0**-30)), 22):
        wanted = [v * factor for v in answers(given, name, "batch", BATCHES)]
        assert len(wanted) == len(BATCHES)
        assert numbers(found, row) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("typed", [-1.0, None], ids=["out of range", "empty, which is not 0"])
def test_a_number_that_cannot_be_is_an_error(file: Path, typed: float | None) -> None:
    found = ironcalc_engine.values(file, [("Series", "D9", typed)])["Series"]
    assert [isinstance(v, str) for v in numbers(found, 10)] == [False, True, False]


def test_only_what_the_input_moves_is_calculated_again(file: Path) -> None:
    """The price of electricity moves no time: that is read from Calculation."""
    sheet: Any = openpyxl.load_workbook(file)["Series data"]
    start, end = (next(c.row for c in sheet["A"] if c.value == title) for title in ("Electricity", "Batches"))
    formulas = {sheet.cell(r, 2).value: sheet.cell(r, 6).value for r in range(start + 1, end)}
    calculated = [name for name, text in formulas.items() if not text.startswith("=INDEX(Calculation!")]
    assert "power_per_million" in calculated and "tokens_per_dollar" in calculated
    assert not {"decode_latency", "weight_bytes"} & set(calculated)


def test_charts_are_those_of_the_recipe(file: Path) -> None:
    book: Any = openpyxl.load_workbook(file)
    kinds = [type(chart).__name__ for chart in book["Series"]._charts]
    assert kinds == ["LineChart", "BarChart", "BarChart"]


def test_without_the_inputs_there_is_no_series(lists: recipe.Recipe) -> None:
    """A proposal that gives no device has results of models only."""
    bare = proposal(candidates=[{"name": "model"}], results=["kv_bytes"])
    made = built.build(PLANNER, bare)
    assert "## Series" not in made.text and "## Calculation" in made.text


WRONG = [
    (
        'over = "context"',
        'over = "contxt"',
        "line 8: no input or assumption is called contxt; nearest are context",
    ),
    (
        'rows = ["kv_bytes"]',
        'rows = ["kv_byte"]',
        "chart 'Cache': kv_byte is not among the rows of 'Contexts'",
    ),
    ('"kv_bytes"]\n[[', '"kv_bites"]\n[[', "line 10: nothing is called kv_bites; nearest are kv_bytes"),
    ("values = [1024, 4096, 16384]", "values = [1024]", "line 9: series.0.values"),
    ("values = [1, 8, 64]", "values = [0, 8, -1]", "batch is 0; it must be above 0"),
    ("values = [1, 8, 64]", "values = [0, 8, -1]", "batch is -1; it must be above 0"),
    (
        "values = [0.05, 0.1, 0.2]",
        "values = [0.05, -0.1]",
        "electricity_price is -0.1; it must be at least 0",
    ),
    ('kind = "bars"', 'kind = "pie"', "'lines', 'bars' or 'stacked'"),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG, ids=[w[1][:20] for w in WRONG])
def test_mistakes_of_a_recipe_are_told_with_their_line(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(ProposalError, match=re.escape(message)):
        recipe.parse(TEXT.replace(old, new, 1), PLANNER, "lists.toml")


def test_a_row_that_the_input_does_not_move_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT.replace('"power_per_million"]\n[[', '"power_per_million", "decode_latency"]\n[[')
    made = recipe.parse(text, PLANNER, "lists.toml")
    monkeypatch.setattr(built, "find", lambda *_: made)
    monkeypatch.setattr(recipe_files, "find", lambda *_: made)
    with pytest.raises(ProposalError, match="decode_latency does not follow from electricity_price"):
        built.build(PLANNER, proposal())


def test_a_largest_batch_that_the_input_moves_is_refused(lists: recipe.Recipe) -> None:
    largest = [{**CANDIDATES[0], "batch": "max"}]
    with pytest.raises(ProposalError, match="moves the largest batch"):
        built.build(PLANNER, proposal(candidates=largest))
