"""Values on their way from and to Office.js."""

from __future__ import annotations

from typing import Any

import pytest

from tokensheet.errors import CellTextError, DivisionError, MissingFactError
from tokensheet.failure import Failure
from tokensheet.server.cells import answer, failed, given, office_cell, size

ERROR = {"type": "Error", "basicType": "Error", "basicValue": "#DIV/0!", "errorType": "Div0"}


def typed(kind: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"type": kind, "basicValue": value, **more}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (4096, 4096.0),
        (0.5, 0.5),
        (True, True),
        ("llama-2-70b", "llama-2-70b"),
        ("4096", "4096"),
        (None, None),
        ("", None),
        ([[4096]], 4096.0),
        ([[""]], None),
        ([[]], None),
        ([], None),
        ([[1, 2]], ((1.0, 2.0),)),
        ([1, 2], ((1.0, 2.0),)),
        ([[1], [None], [""]], ((1.0,), (None,), (None,))),
        (typed("Double", 2), 2.0),
        (typed("FormattedNumber", 0.15, numberFormat="0%"), 0.15),
        (typed("Double", 12, numberFormat='#,##0.00 "days"'), 12.0),
        (typed("Double", 12, numberFormat="[Red]$#,##0.00"), 12.0),
        (typed("Double", 12, numberFormat="General"), 12.0),
        ({"type": "Double", "primitive": 3}, 3.0),
        (typed("String", "h100"), "h100"),
        (typed("Boolean", False), False),
        (typed("Empty", ""), None),
        (-2146826246, -2146826246.0),  # an error value in COM, a number here
    ],
    ids=str,
)
def test_arguments(value: Any, expected: Any) -> None:
    found = given(value)
    assert found == expected and type(found) is type(expected)


@pytest.mark.parametrize(
    ("value", "code", "reason"),
    [
        (ERROR, "#DIV/0!", "an argument is #DIV/0!"),
        (typed("Error", "#N/A"), "#N/A", "an argument is #N/A"),
        (typed("Error", "#SPILL!", errorType="Spill"), "#VALUE!", "an argument is #SPILL!"),
        (typed("Error", "#BUSY!", errorType="Busy"), "#VALUE!", "an argument is #BUSY!"),
        ("#N/A", "#N/A", "an argument is #N/A"),
        (
            typed("Double", 46085, numberFormat="m/d/yyyy"),
            "#VALUE!",
            "2026-03-04 is a date; format the cell as a number",
        ),
        (
            typed("FormattedNumber", 1e9, numberFormat="yyyy"),
            "#VALUE!",
            "1e+09 is a date; format the cell as a number",
        ),
        (
            typed("Entity", "#VALUE!"),
            "#VALUE!",
            "an argument is of Excel's type Entity; give a number or text",
        ),
        (typed("Double", "12"), "#VALUE!", "an argument is of Excel's type Double; give a number or text"),
        ({}, "#VALUE!", "an argument is of Excel's type None; give a number or text"),
        (10**400, "#VALUE!", "an argument has more digits than a number in a cell"),
        ([[[1]]], "#VALUE!", "an argument is neither a cell nor rows of cells"),
        ([[1], 2], "#VALUE!", "an argument is neither a cell nor rows of cells"),
    ],
    ids=str,
)
def test_arguments_that_fail(value: Any, code: str, reason: str) -> None:
    found = given(value)
    assert isinstance(found, Failure) and (found.code, found.reason) == (code, reason)


def test_one_failing_cell_of_a_range_leaves_the_others() -> None:
    ((first,), (second,), (third,)) = given([[512], [ERROR], [typed("Double", 1, numberFormat="d.m.yy")]])
    assert first == 512.0
    assert isinstance(second, Failure) and second.code == "#DIV/0!"
    assert isinstance(third, Failure) and "is a date" in third.reason


@pytest.mark.parametrize(
    ("found", "rows"),
    [
        (1.5, [[1.5]]),
        ("text", [["text"]]),
        (True, [[True]]),
        (None, [[""]]),
        (3, [[3.0]]),
        ([], [[""]]),
        ([[]], [[""]]),
        (["a", 1.0], [["a"], [1.0]]),
        ([[1.0, 2.0], [None]], [[1.0, 2.0], ["", ""]]),
        (Failure("a\nb  c"), [[{"error": "#VALUE!", "reason": "a b c"}]]),
        ([[1.0], [Failure("no", MissingFactError)]], [[1.0], [{"error": "#N/A", "reason": "no"}]]),
        (float("inf"), [[{"error": "#NUM!", "reason": "the answer is inf"}]]),
        ([[float("nan")]], [[{"error": "#NUM!", "reason": "the answer is nan"}]]),
    ],
    ids=str,
)
def test_answers(found: Any, rows: list[list[Any]]) -> None:
    assert answer(found) == rows


@pytest.mark.parametrize(
    ("kind", "shown"),
    [(DivisionError, "Div0"), (MissingFactError, "NotAvailable"), (CellTextError, "Value")],
)
def test_error_values_as_office_writes_them(kind: Any, shown: str) -> None:
    """Excel takes no #NAME? and no #REF! from a function."""
    ((cell,),) = answer(Failure("no", kind))
    found = office_cell(cell)
    assert found["type"] == "Error" and found["errorType"] == shown
    assert given(found).code == found["basicValue"]
    assert office_cell(1.5) == 1.5 and office_cell("text") == "text"


@pytest.mark.parametrize(
    ("values", "cells"),
    [
        ([], 1),
        (["a", 1], 1),
        ([[[1], [2], [3]], "a"], 3),
        ([[[1], [2], [3]], [[1, 2]]], 6),
        ([[1, 2, 3]], 3),
        ([[[1, 2], [1, 2]], [[5, 6]]], 4),
    ],
    ids=str,
)
def test_how_large_an_answer_may_be(values: list[Any], cells: int) -> None:
    assert size(values) >= cells


def test_an_answer_that_could_not_be_had_is_an_error_value() -> None:
    assert failed("no") == [[{"error": "#VALUE!", "reason": "no"}]]
