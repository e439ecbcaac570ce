"""Every result follows the cells: change drop-downs and inputs, and the workbook says what the functions say."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import openpyxl
import pytest

import tokensheet
from tests.tools import ironcalc_engine, stored
from tests.tools.all_functions import GPUS, MODELS, NUMBERS, PINS, PLAIN
from tests.tools.office import Input as SetCell
from tests.tools.office import Office, Value, Values
from tests.tools.planbook import (
    LARGEST,
    Planbook,
    Scalar,
    Settings,
    formula_cells,
    only_formulas,
    planbook,
)
from tests.tools.recipe_workbooks import proposal as whole
from tests.tools.recipe_workbooks import with_demand
from tokensheet.declare import Assumption, Input, Range
from tokensheet.errors import TokensheetError
from tokensheet.failure import Failure
from tokensheet.failure import Value as EngineValue
from tokensheet.planning import Planner
from tokensheet.plugin import Formula, Role, at, formula, hookimpl
from tokensheet.plugins import load
from tokensheet.proposal import Proposal
from tokensheet.workbook.build import build
from tokensheet.workbook.finish import CellError

PLANNER = tokensheet.planner()
TOLERANCE = 1e-9
Calculate = Callable[[Path, list[SetCell]], Values]
SEED = 20_261_129


def random_settings(book: Planbook, source: random.Random) -> Settings:
    """Sensible values for every cell: other records, numbers in range, empty cells, the word max."""
    settings = Settings({}, [{} for _ in range(book.count)])
    for name in book.inputs:
        settings.inputs[name] = random_value(name, source, empty=0.5)
    for name in book.options:
        for own in settings.options:
            own[name] = random_value(name, source, empty=0.6)
    for own in settings.options:
        gpus = source.choice([1, 2, 4, 8, 8, 8, 16, 24, 64])
        tp, pp = source.choice(
            [(t, p) for t in range(1, gpus + 1) for p in range(1, 5) if gpus % (t * p) == 0]
        )
        whole: dict[str, Scalar] = {"gpus": gpus, "tp": tp, "pp": pp, "dp": gpus // (tp * pp)}
        if source.random() < 0.5:
            whole = {"gpus": gpus, "tp": None, "pp": source.choice([None, pp]), "dp": None}
        own |= {n: v for n, v in whole.items() if n in book.options}
        own["gpu"], own["model"] = (
            source.choice(["", x]) or random_value(n, source, 0)
            for n, x in (("gpu", GPUS[0]), ("model", MODELS[0]))
        )
        if source.random() < 0.7:
            own["system"] = None
        own["batch"] = source.choice([None, LARGEST, 1, 2, 16, 100, 0.5, 333])
    return settings


def random_value(name: str, source: random.Random, empty: float) -> Scalar:
    registry = PLANNER.registry
    if name in registry.roles:
        if registry.roles[name].kind != "profile" and source.random() < empty:
            return None
        return source.choice(sorted(registry.catalog(registry.roles[name].kind).entries))
    required = name in NUMBERS
    if not required and source.random() < empty:
        return None
    definition = registry.nodes[name]
    if isinstance(definition, Input | Assumption):
        around = NUMBERS.get(name) or definition.default or SCALES.get(definition.unit, 1e-3)
        return in_range(definition.range, source, around)
    return PINS.get(name, 1.0) * source.uniform(0.5, 2)


SCALES = {"byte": 1e9, "token": 1e3, "usd": 1e3, "watt": 1e2, "usd/hour": 1.0, "token/second": 1e3}
"""Sizes that are worth a thought: a byte more or less is beyond the digits that a spreadsheet compares."""


def in_range(bounds: Range, source: random.Random, around: float) -> float:
    low = bounds.minimum if bounds.minimum is not None else bounds.above if bounds.above is not None else 0.0
    high = bounds.maximum if bounds.maximum is not None else 4 * around
    if bounds.whole:
        return float(source.randint(math.ceil(low), max(math.ceil(low), math.floor(high))))
    value = source.uniform(low, high)
    return value if bounds.above is None or value > bounds.above else high


def disagreements(
    book: Planbook, settings: Settings, values: Values, planner: Planner = PLANNER
) -> list[str]:
    """Results of all candidates that are not what the functions answer, a line each."""
    lines = []
    for i in range(book.count):
        answers = engine_answers(book, planner, settings, i)
        for name in book.proposal.results:
            cell, engine = book.result(values, i, name), answers[name]
            if not agree(cell, engine):
                lines.append(f"{name}: cell {cell!r}, function {engine} for {book.given(settings, i)}")
    return lines


def engine_answers(
    book: Planbook, planner: Planner, settings: Settings, index: int
) -> Mapping[str, EngineValue]:
    """All results of a candidate by one walk, which `test_one_walk_answers_as_each_function` proves is the same."""
    try:
        return planner.several(book.proposal.results, book.given(settings, index))
    except TokensheetError:  # an argument is wrong: told by each function that takes it
        return {name: book.engine(planner, settings, index, name) for name in book.proposal.results}


@pytest.mark.slow
def test_one_walk_answers_as_each_function(book: Planbook) -> None:
    settings = random_settings(book, random.Random(SEED))
    for i in range(2):
        for name, answer in engine_answers(book, PLANNER, settings, i).items():
            each = book.engine(PLANNER, settings, i, name)
            assert answer == each or (isinstance(answer, Failure) and isinstance(each, Failure)), name


def agree(cell: Value, engine: object) -> bool:
    if isinstance(engine, Failure) or isinstance(cell, str):
        return isinstance(engine, Failure) and isinstance(cell, CellError)
    assert isinstance(engine, float)
    return math.isclose(cell, engine, rel_tol=TOLERANCE, abs_tol=0.0)


def answered(book: Planbook, values: Values) -> float:
    """Share of results that are numbers."""
    cells = [book.result(values, i, n) for i in range(book.count) for n in book.proposal.results]
    return sum(not isinstance(c, str) for c in cells) / len(cells)


def check(book: Planbook, seeds: range, calculate: Calculate) -> None:
    shares = []
    for seed in seeds:
        settings = random_settings(book, random.Random(SEED + seed))
        values = calculate(book.path, book.sets(settings))
        assert disagreements(book, settings, values) == []
        shares.append(answered(book, values))
    assert 0.4 < sum(shares) / len(shares) < 1, "a proof needs both answers and errors"


def test_results_follow_the_cells(book: Planbook) -> None:
    """12 settings of drop-downs and inputs, by IronCalc."""
    check(book, range(1), ironcalc_engine.values)


STATES = 25
AT_ONCE = 5
"""States that LibreOffice answers in one request."""


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, STATES, AT_ONCE))
def test_results_follow_the_cells_through_300_settings(first: int, book: Planbook, office: Office) -> None:
    """25 states of a workbook with 12 candidates: results are the functions', and LibreOffice's cells are IronCalc's."""
    cells = formula_cells(book.path)
    states = [random_settings(book, random.Random(SEED + seed)) for seed in range(first, first + AT_ONCE)]
    sets = [book.sets(settings) for settings in states]
    shares = []
    for settings, changes, by_office in zip(states, sets, office.states(book.path, sets), strict=True):
        assert disagreements(book, settings, by_office) == []
        found = (only_formulas(v, cells) for v in (by_office, ironcalc_engine.values(book.path, changes)))
        assert stored.differences(*found, TOLERANCE) == []
        shares.append(answered(book, by_office))
    assert 0.4 < sum(shares) / len(shares) < 1, "a proof needs both answers and errors"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_every_row_follows_the_cells(book: Planbook, seed: int, tmp_path: Path) -> None:
    """A workbook changed by its reader shows in every row what an export of the changed proposal stores."""
    settings = random_settings(book, random.Random(SEED + seed))
    values = ironcalc_engine.values(book.path, book.sets(settings))
    exported = planbook(PLANNER, changed(book, settings), tmp_path / "changed.xlsx")
    fresh = stored.values(exported.path)
    rows = [n for n in book.results if n in exported.results and not n.endswith(OWN_ROWS)]
    assert len(rows) > 400
    for name in rows:
        for i in range(book.count):
            a, b = book.result(values, i, name), exported.result(fresh, i, name)
            assert stored.same(a, b, TOLERANCE), f"{name} of plan {i}: {a!r} after the change, {b!r} exported"


WHOLE = ("capacity-plan", "cost-comparison", "fleet-plan")
"""Recipes with sheets of variants and series."""


def some_changes(path: Path, source: random.Random) -> list[SetCell]:
    """A few numbers of Inputs and Options moved, and another device for one candidate."""
    book = openpyxl.load_workbook(path)
    found: list[SetCell] = []
    for sheet, first in (("Inputs", 3), ("Options", 4)):
        for row in book[sheet].iter_rows(min_row=5):
            name = str(row[1].value)
            definition = PLANNER.registry.nodes.get(name)
            if not isinstance(definition, Input | Assumption) or source.random() < 0.6:
                continue
            for cell in row[first - 1 :]:
                if (
                    isinstance(cell.value, int | float)
                    and not cell.protection.locked
                    and 0 < cell.value < 1e9
                ):
                    moved = cell.value * source.uniform(0.7, 1.4)
                    moved = float(round(moved)) if definition.range.whole else moved
                    if definition.range.problem(moved) is None:
                        found.append((sheet, cell.coordinate, moved))
    devices = next(row for row in book["Options"].iter_rows(min_row=5) if row[1].value == "gpu")
    found.append(
        ("Options", devices[4].coordinate, source.choice(["a100-sxm-80gb", "l40s", "h200-sxm-141gb"]))
    )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("template", WHOLE)
def test_every_cell_of_a_whole_workbook_follows(template: str, tmp_path: Path, office: Office) -> None:
    """Variants, Sensitivity and Series too: both engines agree after changes, and differ from what was stored."""
    path = tmp_path / "plan.xlsx"
    made = with_demand(template=template) if template == "fleet-plan" else whole(template=template)
    path.write_bytes(build(PLANNER, made).xlsx)
    cells, before = formula_cells(path), stored.values(path)
    for seed in range(1 if template == "fleet-plan" else 2):
        sets = some_changes(path, random.Random(SEED + seed))
        by_office, by_ironcalc = (
            only_formulas(f(path, sets), cells) for f in (office.values, ironcalc_engine.values)
        )
        # one is subtracted from a batch of 1.00000000002 where a fleet is looked at with hardly any load
        assert stored.differences(by_office, by_ironcalc, TOLERANCE, rounding=1e-9) == []
        assert stored.differences(by_office, only_formulas(before, cells), TOLERANCE)


OWN_ROWS = (" by option", " by input", " by profile", " by system", " stated", "batch in use", " row")
"""Rows that say where a number stands, which a change of the proposal moves."""


def changed(book: Planbook, settings: Settings) -> Proposal:
    """The proposal that says from the start what the reader put into the cells."""
    candidates = []
    for i in range(book.count):
        given = book.given(settings, i)
        given["batch"] = LARGEST if isinstance(given.get("batch"), str) else given.get("batch", 1)
        candidates.append({"name": f"plan {i}", **given})
    return Proposal.model_validate(
        {
            "title": "Changed",
            "template": "one-page",
            "results": book.proposal.results,
            "candidates": candidates,
        }
    )


@cache
def untouched(path: Path) -> Values:
    return ironcalc_engine.values(path)


WRONG: list[tuple[str, Scalar, tuple[str, ...], tuple[str, ...]]] = [
    ("batch", -1.0, ("tokens_per_second", "kv_bytes"), ("weight_bytes", "ridge_batch")),
    ("batch", 0.0, ("tokens_per_second", "kv_bytes"), ("weight_bytes", "ridge_batch")),
    ("batch", "many", ("tokens_per_second", "kv_bytes"), ("weight_bytes", "ridge_batch")),
    ("gpus", 2.5, ("decode_latency", "fits"), ("kv_bytes", "ridge_batch")),
    ("gpus", "eight", ("decode_latency", "fits"), ("kv_bytes", "ridge_batch")),
    ("gpus", None, ("decode_latency", "fits"), ("kv_bytes", "ridge_batch")),
    ("tp", 3.0, ("decode_latency", "prefill_latency"), ("kv_bytes", "ridge_batch")),
    ("tp", "two", ("decode_latency", "fits"), ("kv_bytes", "ridge_batch")),
    ("pp", 3.0, ("decode_latency", "fits"), ("kv_bytes", "ridge_batch")),
    ("gpu", "no-such-gpu", ("decode_latency", "fits", "ridge_batch"), ("kv_bytes", "weight_bytes")),
    ("model", "no-such-model", ("decode_latency", "kv_bytes"), ("ridge_batch", "comm_ridge")),
    ("model", None, ("decode_latency", "kv_bytes"), ("ridge_batch", "comm_ridge")),
    ("weights", "no-such-format", ("weight_bytes", "decode_latency"), ("kv_bytes",)),
    ("system", "no-such-system", ("cost_per_hour",), ("decode_latency", "kv_bytes")),
    ("interconnect", "no-such-link", ("decode_latency",), ("kv_bytes", "weight_bytes")),
    ("profile", "no-such-profile", ("decode_latency",), ()),
    ("context", None, ("kv_bytes", "decode_latency"), ("weight_bytes", "ridge_batch")),
    ("context", "4k", ("kv_bytes", "decode_latency"), ("weight_bytes", "ridge_batch")),
    ("context", -1.0, ("kv_bytes", "decode_latency"), ("weight_bytes", "ridge_batch")),
    ("utilization", 0.0, ("tokens_per_dollar",), ("decode_latency",)),
    ("utilization", 1.5, ("tokens_per_dollar",), ("decode_latency",)),
    ("overlap_communication", 0.5, ("decode_latency",), ("kv_bytes",)),
    ("decode_latency", "fast", ("decode_latency", "tokens_per_second"), ("kv_bytes",)),
    ("link_bandwidth", 0.0, ("decode_latency",), ("kv_bytes",)),
    ("gpu_price", "dear", ("cost_per_hour",), ("decode_latency",)),
]


@pytest.mark.parametrize(
    ("name", "value", "failing", "standing"),
    [*WRONG[:6], *(pytest.param(*case, marks=pytest.mark.slow) for case in WRONG[6:])],
)
@pytest.mark.slow
def test_a_wrong_cell_is_an_error_of_what_reads_it_and_of_nothing_else(
    book: Planbook, name: str, value: Scalar, failing: tuple[str, ...], standing: tuple[str, ...]
) -> None:
    """Text, numbers out of range and unknown ids become errors, never numbers; other results stay."""
    index = PLAIN
    settings = Settings({}, [{} for _ in range(book.count)])
    if name in book.options:
        settings.options[index][name] = value
    else:
        settings.inputs[name] = value
    before, after = untouched(book.path), ironcalc_engine.values(book.path, book.sets(settings))
    for result in failing:
        assert not isinstance(book.result(before, index, result), CellError), (
            f"{result} has no answer to lose"
        )
        assert isinstance(book.result(after, index, result), CellError), result
        assert isinstance(book.engine(PLANNER, settings, index, result), Failure), result
    for result in standing:
        assert book.result(after, index, result) == book.result(before, index, result), result
    column = "CDEFGHIJKLMN"[index]
    assert before["Checks"][f"{column}5"] == 1
    assert after["Checks"][f"{column}5"] == 0
    assert str(after["Summary"][f"{column}{book.summary['Checks']}"]).endswith(": no")


@pytest.mark.slow
def test_summary_shows_results_in_units_for_people(book: Planbook) -> None:
    """Seconds as ms, bytes as GiB, all else as it is; the same candidate in the same column."""
    values = ironcalc_engine.values(book.path)
    for name in book.proposal.results:
        formula = PLANNER.registry.formulas()[name]
        factor = {"second": 1e3, "byte": 2.0**-30}.get(formula.unit, 1)
        for i in range(book.count):
            result, shown = (
                book.result(values, i, name),
                values["Summary"][f"{'CDEFGHIJKLMN'[i]}{book.summary[formula.label]}"],
            )
            wanted = result if isinstance(result, str) else result * factor
            assert stored.same(shown, wanted, TOLERANCE), f"{name} of plan {i}"


@formula(unit="second", source="test")
def handed_over_latency(decode_latency, prefill=at("prefill_latency", gpu="second_gpu")):  # type: ignore[no-untyped-def]
    """Time to a first token on one device and a further one on another."""
    return prefill + decode_latency


@formula(unit="1", source="test")
def draft_share(decode_latency, draft=at("decode_latency", model="twin_model", batch=1)):  # type: ignore[no-untyped-def]
    """A small model's step over the large one's."""
    return draft / decode_latency


class TwoOfAKind:
    """A plugin whose formulas read a second device and a second model."""

    @staticmethod
    @hookimpl
    def tokensheet_formulas() -> list[Formula | Role]:
        return [
            Role("second_gpu", "accelerator", "device of the prefill", prefix="second_gpu_"),
            Role("twin_model", "model", "small model that drafts", prefix="twin_model_"),
            handed_over_latency,
            draft_share,
        ]


@pytest.mark.slow
def test_a_second_device_and_a_twin_model_follow_their_own_cells(tmp_path: Path) -> None:
    """Roles under replacements, with links that follow either device unless one is chosen."""
    planner = Planner(load(modules=[("two_of_a_kind", TwoOfAKind)]))
    assert planner.registry.problems == []
    common = {"gpus": 8, "model": "llama-2-70b", "twin_model": "llama-3.1-8b", "gpu": "h100-sxm-80gb"}
    proposal = Proposal.model_validate(
        {
            "title": "Two of a kind",
            "template": "one-page",
            "workload": {"context": 2000, "prompt": 1000},
            "results": ["handed_over_latency", "draft_share", "tokens_per_second"],
            "candidates": [
                {"name": "a", **common, "second_gpu": "rtx-4090", "batch": 4},
                {"name": "b", **common, "second_gpu": "a100-sxm-80gb", "pp": 2, "interconnect": "pcie4-x16"},
                {
                    "name": "c",
                    **common,
                    "second_gpu": "a100-sxm-80gb",
                    "batch": "max",
                    "stage_interconnect": "pcie4-x16",
                    "pp": 2,
                },
            ],
        }
    )
    book = planbook(planner, proposal, tmp_path / "two.xlsx")
    assert stored.differences(stored.values(book.path), ironcalc_engine.values(book.path), 1e-12) == []
    for sets in (
        {},
        {"second_gpu": "h200-sxm-141gb", "twin_model": "qwen3-32b"},
        {"gpu": "b200-sxm-180gb", "interconnect": "nvlink4"},
        {"batch": 2.0, "interconnect": None, "stage_interconnect": "ib-ndr"},
    ):
        settings = Settings({}, [{n: v for n, v in sets.items() if n in book.options} for _ in range(3)])
        values = ironcalc_engine.values(book.path, book.sets(settings))
        assert disagreements(book, settings, values, planner) == []
        assert answered(book, values) > 0.8


@pytest.mark.slow
def test_a_reader_adds_a_record(book: Planbook) -> None:
    """A device typed into the free rows of Hardware answers like the same device from a plugin."""
    table = openpyxl.load_workbook(book.path)["Hardware"]
    source = next(r for r in range(6, table.max_row) if table.cell(r, 1).value == "h100-sxm-80gb")
    free = next(r for r in range(6, table.max_row) if table.cell(r, 1).value is None)
    bandwidth = next(c for c in range(1, table.max_column) if table.cell(5, c).value == "memory_bandwidth")
    facts = {table.cell(free, c).coordinate: table.cell(source, c).value for c in range(1, table.max_column)}
    sets: list[SetCell] = [("Hardware", at, v) for at, v in facts.items() if isinstance(v, float | int | str)]
    sets += [("Hardware", f"A{free}", "my-gpu"), ("Hardware", table.cell(free, bandwidth).coordinate, 5e12)]
    sets += [("Options", book.options["gpu"][PLAIN], "my-gpu")]
    values = ironcalc_engine.values(book.path, sets)
    own = {**book.given(book.start, PLAIN), "gpu": "h100-sxm-80gb", "memory_bandwidth": 5e12}
    for result in ("decode_latency", "max_batch", "cost_per_hour"):
        assert agree(book.result(values, PLAIN, result), PLANNER.one(result, own)), result
