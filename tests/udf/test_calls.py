"""What a formula in a cell gets, through xlwings' own dispatch."""

from __future__ import annotations

import datetime
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import tokensheet
from tests.tools.fakewin import ERRORS, OMITTED, Money, Windows
from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.udf import border
from tokensheet.udf.module import Answers

KV_BYTES = 10737418240.0
LATENCY = ("llama-2-70b", "a100-sxm-80gb", 8.0, 4096.0, 16.0)
ENGINE = Path(tokensheet.__file__).parent


def test_a_scalar(excel: Windows) -> None:
    assert excel.call("KV_BYTES", "llama-2-70b", 4096.0, 8.0, OMITTED) == KV_BYTES
    assert excel.call("KV_BYTES", [["llama-2-70b"]], [[4096.0]], [[8.0]], OMITTED) == KV_BYTES


def test_an_omitted_argument_is_its_default(excel: Windows) -> None:
    """The last one may be left out, and one in the middle too: `=KV_BYTES("…",4096,,"kv=8")`."""
    assert excel.call("KV_BYTES", "llama-2-70b", 4096.0, OMITTED, OMITTED) == KV_BYTES / 8
    skipped = excel.call("TOKENS_PER_SECOND", *LATENCY[:4], OMITTED, "profile=ideal")
    assert skipped == excel.call("TOKENS_PER_SECOND", *LATENCY[:4], 1.0, "profile=ideal")


@pytest.mark.parametrize(
    ("contexts", "expected"),
    [
        ([[512.0, 1024.0, 4096.0]], (KV_BYTES / 8, KV_BYTES / 4, KV_BYTES)),
        ([[512.0], [1024.0], [4096.0]], [[KV_BYTES / 8], [KV_BYTES / 4], [KV_BYTES]]),
        ([[512.0] * 3, [1024.0] * 3, [4096.0] * 3], [[KV_BYTES / n] * 3 for n in (8, 4, 1)]),
    ],
    ids=["1x3", "3x1", "3x3"],
)
def test_a_range_keeps_its_shape(excel: Windows, contexts: Any, expected: Any) -> None:
    """xlwings hands a single row over flat, as VBA wants it."""
    assert excel.call("KV_BYTES", "llama-2-70b", contexts, 8.0, OMITTED) == (
        list(expected) if isinstance(expected, tuple) else expected
    )


def test_array_constants_and_vba_arrays(excel: Windows) -> None:
    for given in (((512.0, 4096.0),), (512.0, 4096.0)):
        assert excel.call("KV_BYTES", "llama-2-70b", given, 8.0, OMITTED) == [KV_BYTES / 8, KV_BYTES]


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("#N/A", "N/A"),
        ("#DIV/0!", "DIV/0"),
        ("#NUM!", "NUM"),
        ("#VALUE!", "VALUE"),
        ("#REF!", "VALUE"),
        ("#NAME?", "VALUE"),
        ("#NULL!", "VALUE"),
        ("#SPILL!", "VALUE"),
        ("#CALC!", "VALUE"),
    ],
)
@pytest.mark.parametrize("place", range(3))
def test_an_error_cell_is_not_an_empty_cell(excel: Windows, code: str, word: str, place: int) -> None:
    """A failed look-up of an optional argument must not become its default."""
    values: list[Any] = ["llama-2-70b", 4096.0, 8.0, OMITTED]
    values[place] = [[ERRORS[code]]]
    found = excel.call("KV_BYTES", *values)
    name = ("model", "context", "batch")[place]
    assert found == f"#TS!{word} KV_BYTES: {name}: an argument is {code}"


def test_texts_that_name_an_error_are_errors(excel: Windows) -> None:
    assert excel.call("KV_BYTES", "llama-2-70b", [["#N/A"]], 8.0, OMITTED).startswith("#TS!N/A ")
    marked = excel.call("KV_BYTES", "llama-9", 4096.0, 8.0, OMITTED)
    passed_on = excel.call("KV_BYTES", "llama-2-70b", [[marked]], 8.0, OMITTED)
    assert passed_on.startswith("#TS!VALUE KV_BYTES: context: KV_BYTES: no model named 'llama-9'")


def test_an_empty_cell_is_the_default_or_missing(excel: Windows) -> None:
    for empty in (None, ""):
        assert excel.call("KV_BYTES", "llama-2-70b", 4096.0, [[empty]], [[empty]]) == KV_BYTES / 8
        missing = excel.call("KV_BYTES", "llama-2-70b", [[empty]], 8.0, OMITTED)
        assert missing.startswith("#TS!VALUE KV_BYTES: context is not given")


def test_currency_keeps_all_digits(excel: Windows) -> None:
    """Excel gives money with four decimals, which would make 0.00015 a price of 0.0002 or of nothing."""
    for price in (0.00015, 1.5e-7, 0.9407596, 2.5):
        assert excel.call("API_TOKENS_PER_DOLLAR", [[Money(price)]], 1.0) == pytest.approx(
            1 / price, rel=1e-15
        )
    assert excel.call("API_TOKENS_PER_DOLLAR", [[Money(0.15), 0.3, Money(0.6)]], 1e6) == [
        1e6 / 0.15,
        1e6 / 0.3,
        1e6 / 0.6,
    ]
    assert border.plain(Decimal("2.50")) == 2.5


def test_a_date_is_refused_by_name(excel: Windows) -> None:
    """A number in a cell with a date format arrives as a date: nobody means 2011 tokens by it."""
    day = datetime.datetime(2026, 3, 4)
    refused = "#TS!VALUE KV_BYTES: context: 2026-03-04 is a date; format the cell as a number"
    assert excel.call("KV_BYTES", "llama-2-70b", [[day]], 8.0, OMITTED) == refused
    assert excel.call("KV_BYTES", "llama-2-70b", [[4096.0, day]], 8.0, OMITTED) == [KV_BYTES, refused]
    mixed = [[Money(4096.0), day]]
    assert excel.call("KV_BYTES", "llama-2-70b", mixed, 8.0, OMITTED) == [KV_BYTES, refused]


def test_a_text_number_is_refused_with_the_number(excel: Windows) -> None:
    found = excel.call("KV_BYTES", "llama-2-70b", [["4096"]], 8.0, OMITTED)
    assert found == '#TS!VALUE KV_BYTES: context is "4096"; give a number such as 4096'


def test_options_in_each_form(excel: Windows) -> None:
    forms = (
        [["tp", 4.0], ["pp", 2.0], [None, None]],
        "tp=4; pp=2",
        (("tp", 4.0), ("pp", 2.0)),
        excel.call("TS_OPTIONS", "tp", [[4.0]], "pp", 2.0),
    )
    answers = [excel.call("DECODE_LATENCY", *LATENCY, form) for form in forms]
    assert answers[0] != excel.call("DECODE_LATENCY", *LATENCY, OMITTED)
    assert len(set(answers)) == 1 and isinstance(answers[0], float)
    assert "tpp" in excel.call("DECODE_LATENCY", *LATENCY, "tpp=4")
    assert excel.call("DECODE_LATENCY", *LATENCY, [["tp", ERRORS["#N/A"]]]).startswith("#TS!N/A ")


def test_one_failing_element_leaves_the_others(excel: Windows) -> None:
    column = [[512.0], ["4k"], [None], [ERRORS["#DIV/0!"]], [-1.0], [4096.0]]
    found = excel.call("KV_BYTES", "llama-2-70b", column, 8.0, OMITTED)
    words = [cell.split()[0] if isinstance(cell, str) else cell for (cell,) in found]
    assert words == [KV_BYTES / 8, "#TS!VALUE", "#TS!VALUE", "#TS!DIV/0", "#TS!VALUE", KV_BYTES]


def test_a_whole_column_is_refused_in_one_line() -> None:
    found = border.plain(((1.0,),) * border.ROWS_OF_A_SHEET)
    assert isinstance(found, Failure) and "whole column" in found.reason


def test_explain_spills_a_rectangle(excel: Windows) -> None:
    rows = excel.call("EXPLAIN", "decode_latency", *LATENCY)
    assert rows[0] == ["name", "formula", "value", "unit", "source", "plugin"]
    assert {len(row) for row in rows} == {6}
    assert all(type(cell) in (float, str, bool) for row in rows for cell in row)
    assert all(len(cell) <= 255 for row in rows for cell in row if isinstance(cell, str))
    by_name = {row[0]: row[2] for row in rows}
    assert by_name["decode_latency"] == excel.call("DECODE_LATENCY", *LATENCY, OMITTED)


def test_why_tells_the_reason(excel: Windows) -> None:
    assert excel.call("WHY", "kv_bytes", "llama-2-70b", 4096.0) == ""
    assert "no model named 'llama-9'" in excel.call("WHY", "kv_bytes", "llama-9", 4096.0)
    assert excel.call("WHY", "kv_bytes", "llama-2-70b", [[1.0], ["x"]]) == [
        [""],
        ['KV_BYTES: context is "x"; give a number'],
    ]


def test_functions_about_the_catalogue(excel: Windows) -> None:
    assert ["llama-2-70b"] in excel.call("TS_LIST", "models")
    assert excel.call("TS_SPEC", "llama-2-70b", "layers", OMITTED) == 80.0
    assert excel.call("TS_SPEC", "llama-2-70b", "layer", OMITTED).startswith("#TS!VALUE TS_SPEC: ")
    assert excel.call("TS_OPTIONS", "tp", 4.0, "profile", "ideal") == "tp=4.0; profile=ideal"
    assert excel.call("TS_OPTIONS", "tp", 4.0, "pp").startswith("#TS!VALUE TS_OPTIONS: ")
    assert excel.call("TS_VERSION").startswith(f"tokensheet {tokensheet.__version__}, catalogue ")


def test_only_plain_values_leave() -> None:
    import numpy as np

    assert border.answer([[1.0, 2], [None], [Failure("a\nb  c"), np.float64(3)]]) == [
        [1.0, 2.0],
        ["", ""],
        ["#TS!VALUE a b c", 3.0],
    ]
    assert border.answer([]) == [[""]]
    assert border.answer(["a", True]) == [["a"], [True]]
    assert border.plain(np.array([[1.0], [2.0]])) == ((1.0,), (2.0,))
    long = border.answer(Failure("x" * 1000))
    assert len(long) == 255 and long.startswith("#TS!VALUE xxx") and long.endswith("…")


class Counting:
    """Functions that count how often they are asked."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, 0

    def call(self, name: str, values: Any) -> Any:
        self.asked += 1
        return self.answer


@pytest.mark.parametrize(("answer", "asked"), [(1.5, 1), (Failure("no"), 3), ("text", 3), ([[1.0, 2.0]], 3)])
def test_numbers_are_remembered_and_nothing_else(answer: Any, asked: int) -> None:
    """After a plugin or a file is mended, the same formula must find its answer."""
    counting = Counting(answer)
    respond = Answers(counting)  # type: ignore[arg-type]
    for _ in range(3):
        assert respond("F", "a", [["tp", 4.0]], None) == border.answer(answer)
    assert counting.asked == asked


def test_the_memory_tells_questions_apart() -> None:
    counting = Counting(1.0)
    respond = Answers(counting)  # type: ignore[arg-type]
    for question in (
        ("F", 1.0),
        ("G", 1.0),
        ("F", "1.0"),
        ("F", None),
        ("F", 1.0, None),
        ("F", ERRORS["#N/A"]),
    ):
        respond(*question)
    assert counting.asked == 6
    respond("F", float(ERRORS["#N/A"]))
    assert counting.asked == 7
    respond("F", [[1.0]] * 1000)
    respond("F", [[1.0]] * 1000)
    assert counting.asked == 9


def test_a_bug_keeps_its_traceback() -> None:
    class Broken:
        def call(self, name: str, values: Any) -> Any:
            raise KeyError("bug")

    with pytest.raises(KeyError):
        Answers(Broken())("F", 1.0)  # type: ignore[arg-type]


PLAIN = """
import sys
{before}
from tokensheet.udf.functions import KV_BYTES, TS_OPTIONS
assert KV_BYTES("llama-2-70b", 4096, 8) == 10737418240
assert KV_BYTES(model="llama-2-70b", context=4096, options=TS_OPTIONS("batch", 8)) == 10737418240
assert KV_BYTES("llama-2-70b", [[512], [4096]], 8) == [[10737418240 / 8], [10737418240]]
assert KV_BYTES("llama-9", 4096).startswith("#TS!VALUE KV_BYTES: no model named")
assert not hasattr(KV_BYTES, "__xlfunc__")
"""


@pytest.mark.parametrize("before", ["", "sys.modules['xlwings'] = None"], ids=["no-op", "no xlwings"])
@pytest.mark.slow
def test_plain_python_without_excel(before: str) -> None:
    """On Linux and macOS the decorators of xlwings do nothing, and it may be missing."""
    subprocess.run([sys.executable, "-W", "error", "-c", PLAIN.format(before=before)], check=True)


def test_no_part_of_xlwings_that_needs_a_licence(excel: Windows) -> None:
    """xlwings itself looks for its licensed part when it is imported, and goes on without it."""
    assert excel.xlwings.__pro__ is False
    excel.call("KV_BYTES", "llama-2-70b", 4096.0, 8.0, OMITTED)
    assert "xlwings.pro" not in sys.modules
    assert [n for n in sys.modules if n.startswith("xlwings.pro.")] in ([], ["xlwings.pro.utils"])
    for path in (ENGINE / "udf").iterdir():
        if path.is_file():
            assert "xlwings.pro" not in path.read_text(encoding="utf-8")


def test_every_function_of_the_registry_can_be_called(excel: Windows, functions: Functions) -> None:
    """Even without its arguments: an answer or a reason that names the function, never an exception."""
    for name, function in functions.table.items():
        found = excel.call(name, *[OMITTED for a in function.arguments if not a.many])
        if isinstance(found, str) and found.startswith(border.MARK):
            assert found.split()[1] == f"{name}:"
        else:
            assert found != "", name
