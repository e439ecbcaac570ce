"""An error value of a function is one for the spreadsheet too: the shipped VBA, run by an interpreter."""

from __future__ import annotations

import pytest
from pyopenvba.interpreter._values import VBAErrorValue

from tests.tools.fakewin import Book, Windows
from tests.udf.interpreted import Sheet
from tokensheet.functions import Functions, failure
from tokensheet.udf import border, vba


@pytest.fixture(scope="module")
def wrappers(functions: Functions) -> str:
    return vba.wrappers(functions)


@pytest.fixture
def sheet(wrappers: str, excel: Windows) -> Sheet:
    return Sheet(wrappers, excel)


GOOD = 'KV_BYTES("llama-2-70b", 4096, 8)'
UNKNOWN = 'KV_BYTES("llama-9", 4096, 8)'
NO_CONTEXT = 'KV_BYTES("llama-2-70b", "")'
TOO_LARGE = 'TOKENS_PER_SECOND("llama-2-70b", "rtx-4090", 1, 4096)'


@pytest.mark.slow
def test_a_failure_stops_a_sum(sheet: Sheet) -> None:
    """As text it would be skipped, and the total would be 150 without anybody knowing."""
    sheet.app.run("Fill", "A1", 100)
    assert sheet.put("A2", UNKNOWN) == VBAErrorValue(2015)
    sheet.app.run("Fill", "A3", 50)
    assert sheet.formula("A4", "=SUM(A1:A3)") == VBAErrorValue(2015)
    assert sheet.formula("A5", "=IFERROR(A2,-1)") == -1
    sheet.put("A2", GOOD)
    assert sheet.formula("A4", "=SUM(A1:A3)") == 10737418240 + 150


def test_wrappers_of_xlwings_alone_give_150(excel: Windows) -> None:
    """Shows that the test above can fail."""
    untouched = excel.imported(Book()).replace(" 'Adjust when using outside of Excel", "")
    sheet = Sheet(untouched, excel)
    sheet.app.run("Fill", "A1", 100)
    assert isinstance(sheet.put("A2", UNKNOWN), str)
    sheet.app.run("Fill", "A3", 50)
    assert sheet.formula("A4", "=SUM(A1:A3)") == 150


def test_a_plan_that_does_not_fit_is_not_available(sheet: Sheet) -> None:
    assert sheet.put("A1", TOO_LARGE) == VBAErrorValue(2042)
    assert sheet.formula("A2", "=ISNA(A1)") is True


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("NULL", 2000),
        ("DIV/0", 2007),
        ("VALUE", 2015),
        ("REF", 2023),
        ("NAME", 2029),
        ("NUM", 2036),
        ("N/A", 2042),
        ("SOMETHING", 2015),
    ],
)
@pytest.mark.slow
def test_every_error_value_has_its_code(sheet: Sheet, word: str, number: int) -> None:
    """The numbers are those of CVErr, and of the cells that come in."""
    assert sheet.app.evaluate(f'TS_RESULT("#TS!{word} reason")') == VBAErrorValue(number)
    assert sheet.app.evaluate(f'TS_RESULT("#TS!{word}")') == VBAErrorValue(number)
    assert sheet.app.evaluate(f'TS_RESULT("{word} reason")') == f"{word} reason"
    if word in border.WORDS:
        assert border.ERRORS[number] == border.WORDS[word]
        assert border.marked(failure(border.WORDS[word], "reason")).split()[1:] == ["reason"]


@pytest.mark.slow
def test_one_failing_element_leaves_the_others(sheet: Sheet) -> None:
    """A column, a row, which xlwings hands over flat, and a table; each reason stays with its element."""
    for address, value in {"A1": 512, "A2": "4k", "A3": 4096, "B1": 1024}.items():
        sheet.app.run("Fill", address, value)
    sheet.put("D1", 'KV_BYTES("llama-2-70b", Range("A1:A3"), 8)', "D1:D3")
    assert [sheet.value(f"D{i}") for i in (1, 2, 3)] == [1342177280, VBAErrorValue(2015), 10737418240]
    sheet.put("D5", 'KV_BYTES("llama-2-70b", Array(512, "4k", 4096), 8)', "D5:F5")
    assert [sheet.value(f"{c}5") for c in "DEF"] == [1342177280, VBAErrorValue(2015), 10737418240]
    sheet.put("D7", 'KV_BYTES("llama-2-70b", Range("A1:B2"), 8)', "D7:E8")
    assert [[sheet.value(f"{c}{i}") for c in "DE"] for i in (7, 8)] == [
        [1342177280, 2684354560],
        [VBAErrorValue(2015), VBAErrorValue(2015)],
    ]
    assert sheet.formula("D9", "=SUM(D7:E8)") == VBAErrorValue(2015)


def test_why_tells_the_reason_of_a_cell(sheet: Sheet) -> None:
    sheet.put("A1", UNKNOWN)
    assert "no model named 'llama-9'" in str(sheet.put("B1", 'WHY(Range("A1"))'))
    sheet.put("A2", NO_CONTEXT)
    assert "context is not given" in str(sheet.put("B2", 'WHY(Range("A2"))'))
    assert "no model named 'llama-9'" in str(sheet.put("B1", 'WHY(Range("A1"))'))
    sheet.put("A1", GOOD)
    assert not sheet.put("B1", 'WHY(Range("A1"))')


def test_a_reason_of_an_earlier_answer_is_forgotten(sheet: Sheet) -> None:
    """An error value that came from elsewhere is not explained by what failed there before."""
    sheet.put("A1", UNKNOWN)
    sheet.put("A1", GOOD)
    sheet.formula("A1", "=1/0")
    assert "calculate it again" in str(sheet.put("B1", 'WHY(Range("A1"))'))


def test_why_about_a_function_still_asks_python(sheet: Sheet) -> None:
    sheet.app.run("Fill", "A1", "kv_bytes")
    for name in ('"kv_bytes"', 'Range("A1")'):
        assert "no model named 'llama-9'" in str(sheet.put("B1", f'WHY({name}, "llama-9", 4096)'))
        assert not sheet.put("B1", f'WHY({name}, "llama-2-70b", 4096)')


def test_a_failed_argument_is_a_failure(sheet: Sheet) -> None:
    """One function's error passes through the next one, with its code."""
    sheet.put("A1", TOO_LARGE)
    assert sheet.put("A2", 'TOKENS_PER_SECOND("llama-2-70b", "h100-sxm-80gb", 8, 4096, Range("A1"))') == (
        VBAErrorValue(2042)
    )
    assert "batch: an argument is #N/A" in str(sheet.put("B2", 'WHY(Range("A2"))'))


def test_omitted_and_empty_arguments_reach_python(sheet: Sheet) -> None:
    eighth = 10737418240 / 8
    assert sheet.put("A1", 'KV_BYTES("llama-2-70b", 4096)') == eighth
    assert sheet.put("A1", 'KV_BYTES("llama-2-70b", 4096, , "tp=1")') == eighth
    assert sheet.put("A1", 'KV_BYTES("llama-2-70b", 4096, Range("Z1"))') == eighth


def test_a_bug_or_a_broken_connection_is_an_error_value(sheet: Sheet) -> None:
    """The last line of Python's traceback is the reason."""
    traceback = '"Unexpected Python Error: Traceback" & vbLf & "  File x" & vbCrLf & "KeyError: 1" & vbLf'
    assert sheet.put("A1", f"TS_FAILED({traceback})") == VBAErrorValue(2015)
    assert sheet.put("B1", 'WHY(Range("A1"))') == "KeyError: 1"
    assert sheet.put("A1", 'TS_FAILED("#TS!NUM too large")') == VBAErrorValue(2036)
    assert sheet.put("B1", 'WHY(Range("A1"))') == "too large"


@pytest.mark.slow
def test_a_macro_that_calls_gets_the_error_value_too(sheet: Sheet) -> None:
    """There is no cell whose reason could be kept."""
    assert sheet.put("", UNKNOWN, "A1") == VBAErrorValue(2015)
    assert "calculate it again" in str(sheet.put("B1", 'WHY(Range("A1"))'))


def test_long_reasons_arrive_whole_up_to_255_characters(sheet: Sheet) -> None:
    reason = "x" * 400
    sheet.put("A1", f'TS_RESULT("{border.marked(failure("#NUM!", reason))}")')
    assert sheet.put("B1", 'WHY(Range("A1"))') == "x" * 246 + "…"
