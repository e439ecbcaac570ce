"""A plan in a sheet becomes a proposal, or every row that is not understood is told."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from tests.cells import functions, number
from tokensheet import sheet_plan
from tokensheet.arguments import error_cell
from tokensheet.errors import ArgumentError, ProposalError, TokensheetError, UnknownNameError
from tokensheet.formula_text import called, first_call
from tokensheet.proposal import Proposal, parse
from tokensheet.recipe_files import find
from tokensheet.workbook.build import build

GPU = "h100-sxm-80gb"
PLAN: list[tuple[Any, ...]] = [("model", "llama-2-70b"), ("gpu", GPU), ("gpus", 8.0), ("context", 4096.0)]


def block(*rows: tuple[Any, ...], **formulas: str) -> Proposal:
    """The proposal of rows; a formula stands in the first value of the row with its name."""
    written = [[row[0], *(formulas.get(str(row[0]), value) for value in row[1:])] for row in rows]
    return parse(sheet_plan.of_block(rows, written, functions(), "From a sheet"), functions().planner)


def problems(*rows: tuple[Any, ...], **formulas: str) -> str:
    with pytest.raises(ProposalError) as told:
        block(*rows, **formulas)
    return str(told.value)


def test_two_columns_are_one_plan() -> None:
    made = block(*PLAN, ("Batch", 16.0), ("tp", 8), ("profile", "ideal"), (None, None), ("pp", None))
    assert made.title == "From a sheet" and made.results == ()
    assert made.workload == {"model": "llama-2-70b", "gpu": GPU, "gpus": 8, "context": 4096, "batch": 16}
    assert made.assumptions == {"tp": 8, "profile": "ideal"}
    (plan,) = made.candidates
    assert plan.name == "Plan 1" and plan.given == {}


@pytest.mark.slow
def test_its_workbook_says_what_the_cell_says() -> None:
    """The way of a number from a sheet to a file: nothing is lost or added."""
    made = build(functions().planner, block(*PLAN, ("batch", 16.0), ("options", "tp=4; pp=2")))
    cell = f'=DECODE_LATENCY("llama-2-70b","{GPU}",8,4096,16,"tp=4; pp=2")'
    assert made.summary[0]["results"]["decode_latency"] == pytest.approx(number(cell), rel=1e-12)


@pytest.mark.parametrize("title", ["name", "Plan", "candidate", None, ""])
def test_further_columns_are_further_plans(title: str | None) -> None:
    made = block((title, "small", "large"), ("model", "llama-2-70b", "llama-2-70b"), ("gpu", GPU, GPU),
                 ("gpus", 4.0, 8.0), ("context", 4096.0, 4096.0), ("batch", None, 32.0))  # fmt: skip
    assert made.workload == {"model": "llama-2-70b", "gpu": GPU, "context": 4096}
    assert [(c.name, c.given) for c in made.candidates] == [
        ("small", {"gpus": 4}),
        ("large", {"gpus": 8, "batch": 32}),
    ]


def test_rows_that_call_functions_are_results() -> None:
    """Their values are ours already: taken as numbers they would pin what is asked for."""
    made = block(
        *PLAN,
        ("decode_latency", 0.02),
        ("USD a million", error_cell("#N/A")),
        ("why", "does not fit"),
        ("batch", 16.0),
        decode_latency="=DECODE_LATENCY(B1,B2,B3,B4)*1000",
        **{
            "USD a million": "=TOKENS_PER_SECOND(B1,B2,B3,B4)/'a (b)'!C1+KV_BYTES(B1,B4)",
            "why": '=WHY("decode_latency",B1)',
        },
    )
    assert made.results == ("decode_latency", "tokens_per_second", "kv_bytes")
    assert made.assumptions == {} and made.workload["batch"] == 16


def test_a_result_typed_as_a_number_is_pinned_as_anywhere() -> None:
    assert block(*PLAN, ("decode_latency", 0.02)).assumptions == {"decode_latency": 0.02}


def test_an_input_may_be_calculated() -> None:
    made = block(*PLAN[:2], ("gpus", 4.0), ("context", 4096.0), gpus="=GPUS_NEEDED(B1,B2,B4)")
    assert made.workload["gpus"] == 4 and made.results == ()


def test_titles_and_dates() -> None:
    day = dt.date(2026, 3, 4)
    for given in (46085.0, "2026-03-04", day, dt.datetime(2026, 3, 4, 12)):
        made = block(("title", 'A "quoted" = title'), ("customer", "Ann"), ("date", given), *PLAN)
        assert (made.title, made.customer, made.date) == ('A "quoted" = title', "Ann", day)
    assert "date is '04.03.2026'; enter a date, or write it as 2026-03-04" in problems(
        ("date", "04.03.2026"), *PLAN
    )


PROBLEMS: list[tuple[tuple[tuple[Any, ...], ...], str]] = [
    ((("gpuss", 8.0), *PLAN), "nothing is called gpuss; nearest are gpus"),
    ((*PLAN, ("gpus", 4.0)), "gpus is given twice"),
    ((*PLAN, ("options", "gpus=4")), "gpus is given twice"),
    ((*PLAN, ("options", "a]\nx = 1")), "cannot be read"),
    ((*PLAN, ("options", "tpp=4")), "nothing is called tpp"),
    ((*PLAN, ("batch", error_cell("#N/A"))), "batch: an argument is #N/A"),
    ((*PLAN, (None, 5.0)), "5 has no name beside it"),
    ((*PLAN, (7.0, 5.0)), "a name is 7.0; names are texts"),
    ((*PLAN[1:], ("model", "llama-9")), "no model named 'llama-9'"),
    ((*PLAN, ("batch", "16 users")), 'batch is "16 users"; give a number'),
    ((*PLAN, ("batch", -1.0)), "batch is -1"),
    ((("model",), ("gpus",)), "one column is given"),
    ((("name", "a", "a"), *((n, v, v) for n, v in PLAN)), "two plans are called a"),
    ((("name", "a", "b"), *((n, v, None) for n, v in PLAN)), "plan b has no values"),
    ((("title", "only"),), "no row has a name such as model"),
    ((), "one column is given"),
]


@pytest.mark.parametrize(("rows", "said"), PROBLEMS)
def test_what_is_not_understood_is_told(rows: tuple[tuple[Any, ...], ...], said: str) -> None:
    assert said in problems(*rows)


def test_all_problems_come_at_once() -> None:
    told = problems(("gpuss", 8.0), *PLAN, ("modle", "x"), ("date", "soon"))
    assert told.startswith("this sheet: 3 problems\n") and told.count("\n  - ") == 3


def call(name: str, *values: Any) -> Proposal:
    return parse(sheet_plan.of_call(name, values, functions(), "One cell"), functions().planner)


def test_one_call_is_a_plan() -> None:
    made = call("DECODE_LATENCY", "llama-2-70b", GPU, 8.0, 4096.0, None, [["tp", 4.0], ["pp", 2.0]])
    assert made.workload == {"model": "llama-2-70b", "gpu": GPU, "gpus": 8, "context": 4096}
    assert made.assumptions == {"tp": 4, "pp": 2}
    assert (
        set(made.results) == set(find(functions().planner, "").results)
        and made.results[-1] == "decode_latency"
    )
    assert call("kv_bytes", "llama-2-70b", 4096.0).results == ("kv_bytes",)
    assert [c.name for c in made.candidates] == ["decode latency"]


@pytest.mark.parametrize(
    ("name", "values", "kind", "said"),
    [
        ("TS_VERSION", (), ArgumentError, "TS_VERSION is no function of a formula"),
        ("KV_BYTES", ("llama-2-70b", [[1.0], [2.0]]), ArgumentError, "context is a range"),
        ("KV_BYTES", ("llama-2-70b", error_cell("#N/A")), TokensheetError, "an argument is #N/A"),
        ("KV_BYTES", ("llama-2-70b", 1.0, 1.0, "x]y=1"), ProposalError, "nothing is called x]y"),
        (
            "KV_BYTES",
            ("llama-2-70b", 1.0, 1.0, "batch=2"),
            ArgumentError,
            "batch is given as an argument and",
        ),
        ("KV_BYTES", ("llama-9", 1.0), ProposalError, "no model named 'llama-9'"),
    ],
)
def test_a_call_that_is_no_plan(name: str, values: tuple[Any, ...], kind: type, said: str) -> None:
    with pytest.raises(kind, match=said.replace("]", r"\]")):
        call(name, *values)


CALLS: list[tuple[str, tuple[str, list[str]] | None]] = [
    ('=KV_BYTES("llama-2-70b",B4,8)', ("KV_BYTES", ['"llama-2-70b"', "B4", "8"])),
    ("=1+kv_bytes( $B$1 , 'My (own), sheet'!C2:D4 )", ("KV_BYTES", ["$B$1", "'My (own), sheet'!C2:D4"])),
    ('=SUM(A1,KV_BYTES(B1,MAX(1,2),,{"kv","fp8";"tp",2}))',
     ("KV_BYTES", ["B1", "MAX(1,2)", "", '{"kv","fp8";"tp",2}'])),
    ('="KV_BYTES(1,2)"&KV_BYTES("say ""hi"", (you",1)', ("KV_BYTES", ['"say ""hi"", (you"', "1"])),
    ("='C:\\a (b)\\tokensheet.xlam'!KV_BYTES(Plan[context],2)", ("KV_BYTES", ["Plan[context]", "2"])),
    ("=ORG.TOKENSHEET.FUNCTIONS.KV_BYTES(A1,2)", ("KV_BYTES", ["A1", "2"])),
    ("=KV_BYTES()", ("KV_BYTES", [])),
    ("=SUM(A1)", None),
    ("KV_BYTES(1,2)", None),
    ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "found"), CALLS)
def test_the_arguments_of_a_formula(formula: str, found: tuple[str, list[str]] | None) -> None:
    assert first_call(formula, functions().planner.registry.functions) == found


def test_a_formula_without_an_end() -> None:
    with pytest.raises(ArgumentError, match="ends too early"):
        first_call("=KV_BYTES(1,", {"KV_BYTES"})
    assert called('=SUM(MAX(1),"F(")') == ["SUM", "MAX"] and called("SUM(1)") == []


def test_former_names_are_taken_under_their_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    former = functions().planner.registry.former

    def current(name: str) -> str:
        if name == "gone":
            raise UnknownNameError("gone is no longer taken")
        return "context" if name == "tokens_in_cache" else name

    monkeypatch.setattr(type(former), "current", lambda self, name: current(name))
    assert block(*PLAN[:3], ("tokens in cache", 4096.0)).workload["context"] == 4096
    assert "gone is no longer taken" in problems(*PLAN, ("gone", 1.0))


@pytest.mark.parametrize("row", [("title", "Another"), ("date", 46000.0), ("batch", 4.0), ("Batch", 4.0)])
def test_a_row_that_stands_twice_is_told(row: tuple[Any, ...]) -> None:
    """Whatever it gives: a number, or what the proposal says of itself."""
    name = str(row[0]).lower()
    assert problems(*PLAN, row, (name.upper(), *row[1:])) == f"this sheet: {name} is given twice"
