"""Sensitivity: every cell is the function's own answer for the changed input, and follows the cells."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import tokensheet
from tests.tools import ironcalc_engine, stored
from tests.tools.office import Office
from tests.tools.planbook import formula_cells, only_formulas
from tokensheet.arguments import NodeRef
from tokensheet.failure import Failure
from tokensheet.planning import Planner
from tokensheet.proposal import Proposal
from tokensheet.recipe_files import find
from tokensheet.workbook.build import build
from tokensheet.workbook.contents import contents_of
from tokensheet.workbook.influence import influences
from tokensheet.workbook.rows import write_rows
from tokensheet.workbook.varying import Sensitivity, sensitivity_of

pytestmark = pytest.mark.slow

PLANNER = tokensheet.planner()
GIVEN: dict[str, Any] = {
    "title": "Sensitivity",
    "workload": {"model": "llama-2-70b", "context": 4096, "gpus": 8},
    "results": ["decode_latency", "tokens_per_dollar", "cost_per_hour"],
    "candidates": [
        {"name": "too small", "gpu": "rtx-4090", "gpus": 1},
        {"name": "cheap", "gpu": "rtx-4090", "batch": 4, "system": "li-8x4090-pcie"},
        {"name": "fast", "gpu": "h100-sxm-80gb", "batch": "max"},
    ],
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sensitivity") / "plan.xlsx"
    path.write_bytes(build(PLANNER, Proposal.model_validate(GIVEN)).xlsx)
    return path


@pytest.fixture(scope="module")
def found() -> Sensitivity:
    proposal = Proposal.model_validate(GIVEN)
    recipe = find(PLANNER, "")
    contents = contents_of(PLANNER, proposal, [*(r for c in recipe.charts for r in c.rows), *recipe.sweep])
    write_rows(contents)
    made = sensitivity_of(contents, recipe)
    assert made is not None
    return made


def test_the_first_candidate_with_an_answer_is_varied(found: Sensitivity) -> None:
    assert found.contents.names[found.base] == "cheap"


def test_every_variant_is_the_functions_own_answer(found: Sensitivity) -> None:
    """`verify` asks the functions for every result of every variant."""
    assert len(found.variants.names) > 30
    found.variants.verify()


def test_stored_values_are_what_both_engines_calculate(file: Path, office: Office) -> None:
    """Every formula cell, those of Variants and Sensitivity among them, to 1e-12."""
    cells = formula_cells(file)
    assert {"Sensitivity", "Variants", "Charts data"} <= {sheet for sheet, _ in cells}
    kept = only_formulas(stored.values(file), cells)
    for values in (ironcalc_engine.values(file), office.values(file)):
        assert stored.differences(kept, only_formulas(values, cells), 1e-12) == []


def rows(values: dict[str, Any]) -> dict[str, list[Any]]:
    """Rows of the Sensitivity sheet by their label, the first of a label."""
    made: dict[str, list[Any]] = {}
    for row in range(5, 80):
        label = values.get(f"A{row}")
        made.setdefault(str(label), [values.get(f"{c}{row}") for c in "CDEFGHIJKLMN"])
    return made


def row_of(file: Path, sheet: str, name: str) -> int:
    """Row of a name on Inputs or Options."""
    cells: Any = openpyxl.load_workbook(file)[sheet]["B"]
    return next(int(c.row) for c in cells if c.value == name)


OTHERS: list[dict[str, Any]] = [
    {"name": "plain", "gpus": 4},
    {"name": "slow links", "gpus": 4, "link_bandwidth": 1e10},
    {"name": "priced machine", "system": "li-8xh100"},
    {"name": "stated step", "decode_latency": 0.05},
    {"name": "largest batch, other engine", "batch": "max", "profile": "ideal"},
    {"name": "other heads", "kv_heads": 2},
    {"name": "too small", "gpu": "l4", "gpus": 1},
]


@pytest.mark.slow
@pytest.mark.parametrize("base", [0, 2, 3])
def test_whichever_candidate_is_shown_it_is_the_one_of_summary(tmp_path: Path, base: int) -> None:
    """What only another candidate chooses or states counts where the reader shows that one."""
    candidates = [OTHERS[base], *(c for c in OTHERS if c is not OTHERS[base])]
    given = {
        "title": "Others",
        "workload": {"model": "llama-2-70b", "context": 4096, "gpus": 8, "gpu": "h100-sxm-80gb", "batch": 16},
        "results": ["decode_latency", "tokens_per_dollar"],
        "candidates": candidates,
    }
    path = tmp_path / "others.xlsx"
    path.write_bytes(build(PLANNER, Proposal.model_validate(given)).xlsx)
    for i, candidate in enumerate(candidates):
        values = ironcalc_engine.values(path, [("Sensitivity", "C5", i + 1.0)])
        summary = {str(values["Summary"].get(f"A{r}")): r for r in range(5, 20)}
        shown = {
            k.removesuffix(": as it is"): v[0]
            for k, v in rows(values["Sensitivity"]).items()
            if "as it is" in k
        }
        assert shown.keys() == {"Decode latency", "Tokens a dollar"}
        for label, value in shown.items():
            there = values["Summary"][f"{'CDEFGHI'[i]}{summary[label]}"]
            assert stored.same(value, there, 1e-12), (candidate["name"], label, value, there)


SETS = [
    (
        "another candidate",
        ("Sensitivity", "C5", "", 3.0),
        {"gpu": "h100-sxm-80gb", "batch": NodeRef("max_batch")},
    ),
    ("another context", ("Inputs", "context", "C", 1000.0), {"context": 1000}),
    ("another device", ("Options", "gpu", "E", "a100-sxm-80gb"), {"gpu": "a100-sxm-80gb"}),
]


@pytest.mark.parametrize(("sets", "change"), [s[1:] for s in SETS], ids=[s[0] for s in SETS])
def test_tables_follow_the_cells(
    file: Path, sets: tuple[str, str, str, Any], change: dict[str, Any], found: Sensitivity
) -> None:
    """Another candidate, input or device: the tables say what the functions say for it."""
    sheet, name, letter, value = sets
    place = name if sheet == "Sensitivity" else f"{letter}{row_of(file, sheet, name)}"
    values = ironcalc_engine.values(file, [(sheet, place, value)])["Sensitivity"]
    base = {"model": "llama-2-70b", "context": 4096, "gpus": 8}
    candidate = {"gpu": "rtx-4090", "batch": 4, "system": "li-8x4090-pcie"}
    if change.get("gpu") == "h100-sxm-80gb":
        candidate = {}
    given = {**base, **candidate, **change}
    table = rows(values)
    now = PLANNER.one("decode_latency", given)
    assert not isinstance(now, Failure)
    assert table["Decode latency: as it is"][0] == pytest.approx(now * 1000, rel=1e-12)
    for column, each in enumerate(found.varied):
        number = table["Lower"][column]
        answer = PLANNER.one("decode_latency", {**given, each.name: number})
        assert not isinstance(answer, Failure)
        assert table["Decode latency: input lower"][column] == pytest.approx(answer * 1000, rel=1e-12)
    for column, batch in enumerate(found.across.numbers):
        answer = PLANNER.one("tokens_per_dollar", {**given, "batch": batch})
        told = table["Tokens a dollar"][column]
        if isinstance(answer, Failure):
            assert told == "#N/A"
        else:
            assert told == pytest.approx(answer, rel=1e-12)


def test_the_reader_chooses_what_is_varied(file: Path, found: Sensitivity) -> None:
    """Each name of the list below the tables may stand in the one-way table; an empty cell has no answer."""
    base = {"model": "llama-2-70b", "context": 4096, "gpus": 8}
    given = {**base, "gpu": "rtx-4090", "batch": 4, "system": "li-8x4090-pcie"}
    many = len(found.varied)
    assert len(found.choices) > many
    for first in range(0, len(found.choices), many):
        others = found.choices[first : first + many]
        chosen = [*(other.name for other in others), *([None] * many)][:many]
        sets: list[Any] = [("Sensitivity", f"{'CDEFGHIJ'[i]}10", name) for i, name in enumerate(chosen)]
        table = rows(ironcalc_engine.values(file, sets)["Sensitivity"])
        for column, other in enumerate(others):
            number = other.changed(1)
            assert table["Higher"][column] == pytest.approx(number, rel=1e-12)
            answer = PLANNER.one("decode_latency", {**given, other.name: number})
            assert not isinstance(answer, Failure)
            told = table["Decode latency: input higher"][column]
            assert told == pytest.approx(answer * 1000, rel=1e-12)
        for column in range(len(others), many):
            assert table["Decode latency: change when higher"][column] == "#N/A"


@pytest.mark.parametrize("typed", ["nonsense", "memory*", "MEMORY_BANDWIDTH?"])
def test_a_name_pasted_past_the_list_has_no_answer(typed: str, file: Path) -> None:
    table = rows(ironcalc_engine.values(file, [("Sensitivity", "C10", typed)])["Sensitivity"])
    assert table["Higher"][0] == table["Decode latency: input higher"][0] == "#N/A"
    assert table["Decode latency: input higher"][1] != "#N/A"


def test_the_grid_is_the_functions_answer_at_each_batch_and_context(file: Path, found: Sensitivity) -> None:
    """Other contexts and batches typed by the reader included."""
    sets: list[Any] = [
        ("Sensitivity", f"C{found.grid_row}", 777.0),
        ("Sensitivity", f"C{found.list_row}", 3.0),
    ]
    values = ironcalc_engine.values(file, sets)["Sensitivity"]
    contexts, batches = [777.0, *found.down.numbers[1:]], [3.0, *found.across.numbers[1:]]
    base = {"model": "llama-2-70b", "gpus": 8, "gpu": "rtx-4090", "system": "li-8x4090-pcie"}
    for j, context in enumerate(contexts):
        for i, place in enumerate(found.picked):
            told = values[f"{'EFGHI'[i]}{found.grid_row + j}"]
            answer = PLANNER.one("decode_latency", {**base, "batch": batches[place - 1], "context": context})
            if isinstance(answer, Failure):
                assert told == "#N/A"
            else:
                assert told == pytest.approx(answer * 1000, rel=1e-12)


def test_the_inputs_that_matter_most_come_first(found: Sensitivity) -> None:
    """By the engine's own answer: none that does nothing, and none that moves results more is left out."""
    scores = [i.score for i in found.varied]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0
    everything = influences(found.contents, found.base, found.measures, 1000)
    assert [i.name for i in everything[: len(found.varied)]] == [i.name for i in found.varied]
    assert {"memory_bandwidth", "system_price"} <= {i.name for i in found.varied}


def test_a_changed_number_stays_within_what_is_allowed(found: Sensitivity) -> None:
    """Utilization 1 a step higher is 1: its input allows no more."""
    utilization = next(i for i in found.varied if i.name == "utilization")
    assert (utilization.changed(1), utilization.changed(-1)) == (1, 0.8)


def test_without_an_answer_there_is_no_sensitivity() -> None:
    """A workbook in which no plan fits is written all the same."""
    planner: Planner = PLANNER
    given = {**GIVEN, "candidates": GIVEN["candidates"][:1]}
    book: Any = openpyxl.load_workbook(io.BytesIO(build(planner, Proposal.model_validate(given)).xlsx))
    assert "Sensitivity" not in book.sheetnames
    assert "Summary" in book.sheetnames


def test_a_workbook_with_sensitivity_is_small() -> None:
    """Under 1 MB; `benchmarks/bench_export.py` says how long it takes."""
    candidates = [{"name": f"plan {i}", "gpu": "h100-sxm-80gb", "batch": i + 1} for i in range(12)]
    proposal = Proposal.model_validate({**GIVEN, "candidates": candidates})
    assert len(build(PLANNER, proposal).xlsx) < 1_000_000


def test_break_even_follows_the_batch() -> None:
    """Where the proposal gives a rent and an API's price, each batch says where buying and serving break even."""
    prices = {"rent_offer": 2.5, "price": 0.9}
    given = {**GIVEN, "results": None, "template": "cost-comparison", "assumptions": prices}
    del given["results"]
    made = build(PLANNER, Proposal.model_validate(given))
    values: Any = openpyxl.load_workbook(io.BytesIO(made.xlsx), data_only=True)["Sensitivity"]
    table = rows({c.coordinate: c.value for row in values.iter_rows() for c in row})
    names = {
        "break_even_rent": "Rent that breaks even with buying, without interest",
        "break_even_years": "Years until buying is cheaper than the rent offered",
        "break_even_utilization": "Utilization that breaks even with an API",
    }
    base = {"model": "llama-2-70b", "context": 4096, "gpus": 8, "gpu": "rtx-4090", "system": "li-8x4090-pcie"}
    for name, label in names.items():
        for told, batch in zip(table[label][:3], (1, 2, 4), strict=True):
            assert told == pytest.approx(PLANNER.one(name, {**base, **prices, "batch": batch}), rel=1e-12)
