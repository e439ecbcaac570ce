"""Today's models and devices give the published numbers: in the terminal, and in a recalculated workbook."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from click.testing import CliRunner

from tests.tools import ironcalc_engine, stored
from tests.tools.office import Office, Values
from tokensheet import planner
from tokensheet.cli.commands import tokensheet
from tokensheet.proposal import Proposal
from tokensheet.workbook.build import Export, build

GIB = 2**30

CELLS: list[tuple[str, float, float]] = [
    ('=KV_BYTES_PER_TOKEN("llama-3.1-8b")', 131_072, 0),
    ('=KV_BYTES_PER_TOKEN("llama-3.1-70b")', 327_680, 0),
    ('=KV_BYTES_PER_TOKEN("qwen3-0.6b")', 114_688, 0),
    ('=KV_BYTES_PER_TOKEN("qwen3-32b")', 262_144, 0),
    ('=KV_BYTES_PER_TOKEN("mistral-small-24b")', 163_840, 0),
    ('=KV_BYTES_PER_TOKEN("deepseek-v3")', 70_272, 0),
    ('=KV_BYTES("gpt-oss-20b",8192,32)/2^30', 6.09, 0.005),
    ('=KV_BYTES("gpt-oss-20b",8192,32,"window_reserved_in_full=1")/2^30', 12, 0),
    ('=KV_BYTES("gemma-3-27b",131072)/2^30', 10.41, 0.005),
    ('=EXPERTS_TOUCHED("qwen3-30b-a3b",1)', 8, 1e-12),
    ('=EXPERTS_TOUCHED("qwen3-30b-a3b",4)', 29.1, 0.05),
    ('=EXPERTS_TOUCHED("qwen3-30b-a3b",16)', 82.4, 0.05),
    ('=EXPERTS_TOUCHED("qwen3-30b-a3b",64)', 125.9, 0.05),
    ('=WEIGHT_BYTES("llama-3.1-70b","weights=q4_k_m")/1E9', 42.5, 0.05),
    ('=TS_SPEC("nvfp4","bytes_per_element")', 0.5625, 0),
    ('=TS_SPEC("mxfp4","bytes_per_element")', 0.53125, 0),
    ('=RIDGE_BATCH("h100-sxm-80gb","profile=ideal")', 295, 0.5),
    ('=KV_CAPACITY_TOKENS("deepseek-v3","h100-sxm-80gb",16,"tp=16; weights=fp8")/1E6', 0.54, 0.005),
    ('=WEIGHT_BYTES("llama-3.1-70b")/1E9', 141.107, 0.0005),
    ('=WEIGHT_BYTES("llama-3.1-70b")/2^30', 131.417, 0.0005),
]


def told(text: str) -> tuple[int, str]:
    """Exit code and answer of `tokensheet eval`."""
    done = CliRunner().invoke(tokensheet, ["eval", text])
    return done.exit_code, done.stdout.strip()


@pytest.mark.parametrize(("cell", "value", "within"), CELLS)
@pytest.mark.slow
def test_published_numbers_in_the_terminal(cell: str, value: float, within: float) -> None:
    code, answer = told(cell)
    assert code == 0
    assert float(answer) == pytest.approx(value, abs=within, rel=0)


def test_a_model_that_does_not_fit_says_how_much_is_missing() -> None:
    code, answer = told('=DECODE_LATENCY("llama-3.1-405b","h100-sxm-80gb",1,4096)')
    assert code == 1
    assert answer.startswith("#N/A\tDECODE_LATENCY: llama-3.1-405b does not fit on 1 × h100-sxm-80gb")
    assert "each device needs 814.1 GB of 79.96 GB, 734.1 GB missing" in answer


# One candidate a question: what it chooses, and result → (value, tolerance, unit it is printed in).
Wanted: TypeAlias = dict[str, tuple[float, float, float]]
ONE: dict[str, float | str] = {"gpu": "h100-sxm-80gb", "gpus": 1, "context": 4096}

PLAIN: list[tuple[str, float]] = [
    ("llama-3.1-8b", 131_072),
    ("qwen3-0.6b", 114_688),
    ("qwen3-32b", 262_144),
    ("mistral-small-24b", 163_840),
]
QUESTIONS: list[tuple[dict[str, float | str], Wanted]] = [
    *(({"model": model, **ONE}, {"kv_bytes_per_token": (size, 0.0, 1.0)}) for model, size in PLAIN),
    (
        {"model": "llama-3.1-70b", **ONE, "weights": "q4_k_m"},
        {"kv_bytes_per_token": (327_680, 0, 1), "weight_bytes": (42.5, 0.05, 1e9)},
    ),
    (
        {"model": "llama-3.1-70b", **ONE, "gpus": 4},
        {"weight_bytes": (141.107, 0.0005, 1e9)},
    ),
    (
        {"model": "llama-3.1-70b", **ONE, "gpus": 8},
        {"weight_bytes": (131.417, 0.0005, GIB)},
    ),
    (
        {"model": "gpt-oss-20b", **ONE, "context": 8192, "batch": 32},
        {"kv_bytes": (6.09, 0.005, GIB)},
    ),
    (
        {"model": "gpt-oss-20b", **ONE, "context": 8192, "batch": 32, "window_reserved_in_full": 1},
        {"kv_bytes": (12, 0, GIB)},
    ),
    (
        {"model": "gemma-3-27b", **ONE, "context": 131_072},
        {"kv_bytes": (10.41, 0.005, GIB)},
    ),
    (
        {"model": "deepseek-v3", **ONE, "gpus": 16, "tp": 16, "weights": "fp8"},
        {"kv_bytes_per_token": (70_272, 0, 1), "kv_capacity_tokens": (0.54, 0.005, 1e6)},
    ),
    ({"model": "llama-3.1-405b", **ONE}, {"kv_bytes_per_token": (516_096, 0, 1)}),
]
EXPERTS: list[tuple[dict[str, float | str], Wanted]] = [
    (
        {"model": "qwen3-30b-a3b", **ONE, "batch": batch, "profile": "ideal"},
        {"experts_touched": (touched, 0.05, 1), "ridge_batch": (295, 0.5, 1)},
    )
    for batch, touched in ((1, 8), (4, 29.1), (16, 82.4), (64, 125.9))
]
BOOKS = {"sizes": QUESTIONS, "experts": EXPERTS}

Engine: TypeAlias = Callable[[Path], Values]


def book(name: str) -> Export:
    """The workbook that asks one set of questions side by side."""
    questions = BOOKS[name]
    results = list(dict.fromkeys(result for _, wanted in questions for result in wanted))
    data = {
        "title": f"Proof of the catalogue: {name}",
        "results": [*results, "decode_latency"],
        "candidates": [{"name": f"question {i}", **given} for i, (given, _) in enumerate(questions, 1)],
    }
    return build(planner(), Proposal.model_validate(data))


FIRST, *MORE = BOOKS


@pytest.fixture(
    scope="module", params=[FIRST, *(pytest.param(name, marks=pytest.mark.slow) for name in MORE)]
)
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Name and file of a workbook."""
    path = tmp_path_factory.mktemp("proof") / f"{request.param}.xlsx"
    path.write_bytes(book(request.param).xlsx)
    return request.param, path


@pytest.fixture(
    params=[
        "stored",
        pytest.param("ironcalc", marks=pytest.mark.slow),
        pytest.param("office", marks=pytest.mark.office),
    ]
)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Who tells the numbers of a workbook."""
    if request.param == "stored":
        return stored.values
    if request.param == "ironcalc":
        return ironcalc_engine.values
    office: Office = request.getfixturevalue("office")
    return office.values


SYMBOLS = "B"
"""Column of Calculation that holds the names of nodes."""


def row_of(values: Values, symbol: str) -> dict[int, object]:
    """Candidate's place → value, of the row of Calculation that has this symbol."""
    cells = values["Calculation"]
    titles = {address: str(value) for address, value in cells.items()}
    names = {text: address for address, text in titles.items() if text.startswith("question ")}
    (place,) = [a for a, text in titles.items() if text == symbol and a.rstrip("0123456789") == SYMBOLS]
    row = place.removeprefix(SYMBOLS)
    columns = {int(text.split()[1]): address.rstrip("0123456789") for text, address in names.items()}
    return {i: cells.get(f"{column}{row}") for i, column in columns.items()}


@pytest.mark.slow
def test_published_numbers_in_a_recalculated_workbook(exported: tuple[str, Path], engine: Engine) -> None:
    name, path = exported
    values = engine(path)
    for i, (given, wanted) in enumerate(BOOKS[name], 1):
        for result, (value, within, unit) in wanted.items():
            found = row_of(values, result)[i]
            assert isinstance(found, float), (given, result, found)
            assert found / unit == pytest.approx(value, abs=within, rel=0), (given, result)


@pytest.mark.parametrize("exported", ["sizes"], indirect=True)
@pytest.mark.slow
def test_the_workbook_says_in_words_how_much_is_missing(exported: tuple[str, Path], engine: Engine) -> None:
    """Llama 3.1 405B on one H100: no latency, and the words on Summary."""
    values = engine(exported[1])
    assert not isinstance(row_of(values, "decode_latency")[len(QUESTIONS)], float)
    words = [str(v) for sheet in ("Summary", "Checks") for v in values[sheet].values()]
    assert any("does not fit" in text and "734.1 GB missing" in text for text in words)


@pytest.mark.slow
def test_sizes_of_the_two_fp4_formats_in_the_workbook(exported: tuple[str, Path], engine: Engine) -> None:
    """0.5625 and 0.53125 bytes a weight stand in the table of formats that the look-ups read."""
    cells = engine(exported[1])["Formats"]
    columns = {str(v): a.rstrip("0123456789") for a, v in cells.items() if isinstance(v, str)}
    rows = {str(v): a.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for a, v in cells.items()}
    size = columns["bytes_per_element"]
    assert [cells[f"{size}{rows[id]}"] for id in ("nvfp4", "mxfp4")] == [0.5625, 0.53125]
