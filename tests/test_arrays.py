"""Ranges: broadcasting as in a spreadsheet, and an error of one element that stays in that element."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

import tokensheet
from tests.tools.plugins import DEFAULT, planner, plugin
from tokensheet.arguments import error_cell
from tokensheet.errors import UnknownNameError
from tokensheet.planning import Planner
from tokensheet.plugin import Assumption, Input, Link, Range, Role, check, formula

SOURCE = "a test"
NAN = math.nan
ABSENT = "no value in this argument at this place of the range"


@formula(unit="1", source=SOURCE)
def sum_of(a, b, extra):
    """A sum that tells where it came from: hundreds, tens, ones."""
    return 100 * a + 10 * b + extra


@formula(unit="1", source=SOURCE)
def quotient(a, b):
    """A quotient."""
    return a / b


@formula(unit="1", source=SOURCE)
def guarded(a, b):
    """A quotient that is asked for only where there is one."""
    return a / b if b != 0 else -1


@check(message="{a} is odd", source=SOURCE)
def is_even(a):
    """1 when even."""
    return a / 2 == math.floor(a / 2)


@formula(unit="1", source=SOURCE, checks=("is_even",))
def halves(a):
    """Half of an even number."""
    return a / 2


@formula(unit="1", source=SOURCE)
def needs_fact(a, stated_by_no_one):
    """Reads an assumption without a value."""
    return a + stated_by_no_one


@formula(unit="byte/second", source=SOURCE)
def speed(bandwidth, extra):
    """Bandwidth of a link, times."""
    return bandwidth * extra


@formula(unit="byte/second", source=SOURCE)
def measured(measured_bandwidth):
    """A fact that few links state."""
    return measured_bandwidth


def link(id: str, bandwidth: float, **more: Any) -> Link:
    return Link(id=id, source=SOURCE, link_kind="network", scope="node", bandwidth=bandwidth, **more)


@pytest.fixture(scope="module")
def small() -> Planner:
    return planner(
        base=plugin(DEFAULT),
        one=plugin(
            Input("a", "1", "a", range=Range(minimum=0)),
            Input("b", "1", "b", 0),
            Input("extra", "1", "extra", 1),
            Assumption("stated_by_no_one", "1", "a fact", SOURCE),
            Role("network", "link", "a link"),
            *[sum_of, quotient, guarded, is_even, halves, needs_fact, speed, measured],
            *[link("fast", 9e9, measured_bandwidth=8e9), link("slow", 1e9), link("mid", 5e9)],
        ),
    )


def rows(values: Any) -> Any:
    """Nested lists in which a missing number is None, so that whole results can be compared."""
    return [rows(v) for v in values] if hasattr(values, "__len__") else None if math.isnan(values) else values


# ---- shapes

SHAPES: list[tuple[dict[str, Any], Any]] = [
    ({"a": [1, 2, 3]}, [101, 201, 301]),
    ({"a": [[1], [2]]}, [[101], [201]]),
    ({"a": [[1, 2]]}, [[101, 201]]),
    ({"a": [[1], [2]], "b": [[3, 4, 5]]}, [[131, 141, 151], [231, 241, 251]]),
    ({"a": [[1], [2]], "b": [3, 4, 5]}, [[131, 141, 151], [231, 241, 251]]),
    ({"a": [[1, 2], [3, 4]], "b": 5, "extra": [[6], [7]]}, [[156, 256], [357, 457]]),
    ({"a": [[1, 2], [3, 4]], "b": [[5, 6], [7, 8]]}, [[151, 261], [371, 481]]),
    ({"a": [5]}, [501]),
    ({"a": [[5]]}, [[501]]),
    ({"a": [5], "b": [[1], [2]]}, [[511], [521]]),
    # a side that is neither 1 nor the longest: the surplus has no value
    ({"a": [1, 2, 3], "b": [4, 5]}, [141, 251, None]),
    ({"a": [[1], [2], [3]], "b": [[4], [5]]}, [[141], [251], [None]]),
    ({"a": [[1, 2, 3], [4, 5, 6]], "b": [[7, 8]]}, [[171, 281, None], [471, 581, None]]),
    ({"a": [[1, 2], [3, 4], [5, 6]], "b": [[7, 8, 9], [1, 2, 3]]},
     [[171, 281, None], [311, 421, None], [None, None, None]]),
    # rows of different length: what is not there is empty, and an empty cell is the default
    ({"a": [[1, 2], [3, 4]], "b": [[5, 6], [7]]}, [[151, 261], [371, 401]]),
]  # fmt: skip


FORMS: dict[str, Any] = {"lists": list, "numpy": np.array, "tuples": tuple}
# an array has no rows of different length
CASES = [(*case, form) for case in SHAPES for form in FORMS if form != "numpy" or "[7]]" not in str(case[0])]


@pytest.mark.parametrize(("given", "wanted", "form"), CASES)
def test_shapes_broadcast_as_in_a_spreadsheet(
    small: Planner, given: dict[str, Any], wanted: Any, form: str
) -> None:
    """A row and a column give a block; a single cell is repeated; a surplus has no value."""
    given = {n: v if isinstance(v, int) else FORMS[form](v) for n, v in given.items()}
    assert rows(small.evaluate("sum_of", **given)) == wanted


def test_the_reason_of_a_surplus(small: Planner) -> None:
    """It is told in its own place."""
    assert small.why("sum_of", a=[1, 2, 3], b=[4, 5]) == ["", "", f"b: {ABSENT}"]
    assert small.why("sum_of", a=[[1], [2]], b=[[3], [4], [5]]) == [[""], [""], [f"a: {ABSENT}"]]


def test_a_single_value_is_no_array(small: Planner) -> None:
    """A call without ranges gives a plain float."""
    found = small.evaluate("sum_of", a=1)
    assert (found, type(found)) == (101.0, float)


# ---- cells that are no plain numbers

CELLS: list[tuple[Any, Any, str]] = [
    (None, 101, ""),
    ("", 101, ""),
    (2, 121, ""),
    (2.5, 126, ""),
    (True, 111, ""),
    (np.float64(2), 121, ""),
    (np.int64(2), 121, ""),
    ("4k", None, 'b is "4k"; give a number such as 4096'),
    ("1,000", None, 'b is "1,000"; give a number such as 1000'),
    ("0,8", None, 'b is "0,8"; give a number such as 0.8'),
    ("80%", None, 'b is "80%"; give a number such as 0.8'),
    ("1.2.3k", None, 'b is "1.2.3k"; give a number'),
    ("²k", None, 'b is "²k"; give a number'),
    ("nan", None, 'b is "nan"; give a number'),
    ("twelve", None, 'b is "twelve"; give a number'),
    ("#N/A", None, "b is #N/A"),
    ("#DIV/0!", None, "b is #DIV/0!"),
    (error_cell("#REF!"), None, "b: an argument is #REF!"),
    (NAN, None, "b is nan; give a finite number"),
    (math.inf, None, "b is inf; give a finite number"),
    (object, None, "b is type <class 'object'>; give a number"),
]


@pytest.mark.parametrize(("cell", "wanted", "reason"), CELLS, ids=lambda v: str(v)[:20])
@pytest.mark.parametrize("many", [False, True], ids=["scalar", "range"])
def test_cells(small: Planner, cell: Any, wanted: Any, reason: str, many: bool) -> None:
    """Empty is the default; text, an error and infinity are errors of that cell, the same in both forms."""
    if many:
        assert rows(small.evaluate("sum_of", a=1, b=[1, cell, 3])) == [111, wanted, 131]
        assert small.why("sum_of", a=1, b=[1, cell, 3]) == ["", reason, ""]
        assert rows(small.evaluate("sum_of", a=[1, 2], b=cell)) == [wanted, wanted and wanted + 100]
    else:
        assert small.why("sum_of", a=1, b=cell) == reason
        if wanted is not None:
            assert small.evaluate("sum_of", a=1, b=cell) == wanted


def test_an_empty_cell_of_a_required_input(small: Planner) -> None:
    """It has no default, so it is an error; nothing is invented."""
    assert small.why("sum_of", a=[1, None, 3, ""]) == ["", "a is not given (a)", "", "a is not given (a)"]
    assert rows(small.evaluate("sum_of", a=[1, None, 3, ""])) == [101, None, 301, None]


def test_a_number_out_of_range(small: Planner) -> None:
    """Only that element is an error, needed or not."""
    reason = "a is -2; it must be at least 0"
    assert small.why("sum_of", a=[1, -2, 3]) == ["", reason, ""]
    assert small.why("speed", a=[1, -2, 3], network="fast") == ["", reason, ""]


def test_an_unknown_name_is_the_whole_questions_error(small: Planner) -> None:
    """A misspelt formula raises; a misspelt argument is each element's reason."""
    with pytest.raises(UnknownNameError, match="nothing is called sum_off; nearest is sum_of"):
        small.evaluate("sum_off", a=[1, 2])
    assert (
        small.why("sum_of", a=[1, 2], extar=3) == ["nothing is called extar; nearest are extra, network"] * 2
    )


# ---- one bad row among a thousand


@pytest.mark.parametrize("at", [0, 1, 499, 998, 999])
@pytest.mark.parametrize(
    ("name", "column", "bad", "reason"),
    [
        ("quotient", "b", 0, "quotient: divides by zero: `b` is 0"),
        ("quotient", "b", "n/a", 'b is "n/a"; give a number'),
        ("quotient", "b", "#N/A", "b is #N/A"),
        ("quotient", "a", -1, "a is -1; it must be at least 0"),
        ("halves", "a", 3, "3 is odd"),
    ],
)  # fmt: skip
def test_one_bad_row_among_a_thousand(
    small: Planner, name: str, column: str, bad: Any, reason: str, at: int
) -> None:
    """Only that element is nan, all others are what they are alone, and `why` tells that row's reason."""
    given: dict[str, list[Any]] = {"a": [2.0 * i for i in range(1000)], "b": [i + 1.0 for i in range(1000)]}
    given[column][at] = bad
    found = small.evaluate(name, **given)
    assert np.flatnonzero(np.isnan(found)).tolist() == [at]
    for i in (0, 1, 499, 500, 998, 999):
        if i != at:
            assert found[i] == small.evaluate(name, a=given["a"][i], b=given["b"][i])
    assert small.why(name, **given) == [""] * at + [reason] + [""] * (999 - at)


def test_a_whole_column_of_errors(small: Planner) -> None:
    """Every element has its own reason, and no number appears."""
    zeros = [0.0] * 500
    assert np.isnan(small.evaluate("quotient", a=zeros, b=zeros)).all()
    assert small.why("quotient", a=zeros, b=zeros) == ["quotient: divides by zero: `b` is 0"] * 500
    assert np.isnan(small.evaluate("halves", a=[1, 3, 5, 7])).all()
    assert np.isnan(small.evaluate("sum_of", a=["x"] * 5)).all()


def test_branches_are_taken_element_by_element(small: Planner) -> None:
    """A division by zero where an element does not look is nothing."""
    found = small.evaluate("guarded", a=[6, 7, 8, 9], b=[2, 0, 4, 0])
    assert found.tolist() == [3, -1, 2, -1]


def test_a_missing_fact_is_every_elements_error(small: Planner) -> None:
    """No row can help it; pinning it can."""
    assert np.isnan(small.evaluate("needs_fact", a=[1, 2, 3])).all()
    assert small.why("needs_fact", a=[1, 2, 3]) == ["stated_by_no_one is not given (a fact)"] * 3
    assert small.evaluate("needs_fact", a=[1, 2, 3], stated_by_no_one=1).tolist() == [2, 3, 4]


# ---- records as ranges


def test_records_as_ranges(small: Planner) -> None:
    """Each element has the record of its own id."""
    ids = ["fast", "slow", "SLOW", "mid", "fast"]
    assert small.evaluate("speed", network=ids).tolist() == [9e9, 1e9, 1e9, 5e9, 9e9]
    block = small.evaluate("speed", network=[["fast"], ["slow"]], extra=[[1, 2, 3]])
    assert block.tolist() == [[9e9, 18e9, 27e9], [1e9, 2e9, 3e9]]
    assert small.evaluate("speed", network=np.array(ids)).tolist() == [9e9, 1e9, 1e9, 5e9, 9e9]


def test_bad_ids_in_a_range(small: Planner) -> None:
    """An unknown id, a number, an empty cell or an error is that element's error."""
    ids = ["fast", "fats", 4, None, "#N/A", error_cell("#REF!"), "slow"]
    assert rows(small.evaluate("speed", network=ids)) == [9e9, None, None, None, None, None, 1e9]
    assert small.why("speed", network=ids) == [
        "",
        "no link named 'fats'; nearest is fast",
        "network is 4; give an id as text",
        "network is not given (a link)",
        "network is #N/A",
        "network: an argument is #REF!",
        "",
    ]


def test_a_fact_that_one_record_lacks(small: Planner) -> None:
    """Only the elements with that record are errors."""
    reason = "link slow states no measured_bandwidth (measured, one direction, large messages)"
    assert rows(small.evaluate("measured", network=["fast", "slow", "fast"])) == [8e9, None, 8e9]
    assert small.why("measured", network=["fast", "slow", "fast"]) == ["", reason, ""]


# ---- large ranges

PLAN = {"model": "llama-2-70b", "gpu": "h100-sxm-80gb", "gpus": 8}


def test_many_elements_are_what_single_calls_give() -> None:
    """200,000 elements in one call; a hundred of them, spread over all pieces, equal a loop of single calls."""
    rng = np.random.default_rng(3)
    contexts = rng.integers(0, 4096, 200_000).astype(float)
    batches = rng.integers(1, 2000, 200_000).astype(float)
    found = tokensheet.evaluate("decode_latency", **PLAN, context=contexts, batch=batches)
    picked = [0, 16383, 16384, 199_999, *rng.integers(0, 200_000, 96).tolist()]
    for i in picked:
        one = tokensheet.why("decode_latency", **PLAN, context=contexts[i], batch=batches[i])
        if one:
            assert "does not fit" in one
            assert math.isnan(found[i])
        else:
            alone = tokensheet.evaluate("decode_latency", **PLAN, context=contexts[i], batch=batches[i])
            assert math.isclose(found[i], alone, rel_tol=1e-12)
    assert 0.05 < np.isnan(found).mean() < 0.6, "both kinds of element are in the sample"


def test_many_models_and_devices_are_what_single_calls_give() -> None:
    """A block of models by devices, with what does not fit and what lacks a fact among them."""
    models = ["llama-2-7b", "llama-2-70b", "mixtral-8x7b", "deepseek-v3", "no-such-model", "gemma-3-27b"]
    gpus = ["h100-sxm-80gb", "a100-sxm-80gb", "rtx-4090", "no-such-device"]
    given = {"model": [[m] for m in models], "gpu": [gpus], "gpus": 8, "context": 1000, "batch": 4}
    found = tokensheet.evaluate("decode_latency", **given)
    reasons = tokensheet.why("decode_latency", **given)
    assert found.shape == (6, 4)
    for i, model in enumerate(models):
        for j, gpu in enumerate(gpus):
            one = {"model": model, "gpu": gpu, "gpus": 8, "context": 1000, "batch": 4}
            assert reasons[i][j] == tokensheet.why("decode_latency", **one)
            if not reasons[i][j]:
                alone = tokensheet.evaluate("decode_latency", **one)
                assert math.isclose(found[i, j], alone, rel_tol=1e-12)
            else:
                assert math.isnan(found[i, j])


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("decode_latency", PLAN | {"context": np.full(20_000, 4096.0), "batch": 1e5}),
        ("quotient", {"a": np.ones(20_000), "b": np.zeros(20_000)}),
        ("needs_fact", {"a": np.ones(20_000)}),
    ],
)
def test_a_column_in_which_all_is_wrong_is_not_slow(small: Planner, name: str, given: dict[str, Any]) -> None:
    """A person who fills a column with a mistake must not wait for it."""
    made = small if name != "decode_latency" else tokensheet.planner()
    start = time.perf_counter()
    assert np.isnan(made.evaluate(name, **given)).all()
    assert time.perf_counter() - start < 3
