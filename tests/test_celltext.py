"""A cell's own text: read as Excel reads it, and evaluated with its precedence, errors and arrays."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokensheet import celltext, planner
from tokensheet.errors import CellTextError
from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.sheet_words import run


def value(text: str) -> Any:
    return run(text, Functions(planner()))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("=1+2*3", 7),
        ("=(1+2)*3", 9),
        ("=-2^2", 4),
        ("=2^3^2", 64),
        ("=2^-1", 0.5),
        ("=10-4-3", 3),
        ("=100/10/5", 2),
        ("=10%", 0.1),
        ("=200*5%", 10),
        ("=10%%", 0.001),
        ("=1e3+.5", 1000.5),
        ("=--1", 1),
        ("=+-+3", -3),
        ("=1=1", True),
        ("=1<>1", False),
        ('="a"="A"', True),
        ('="b">"a"', True),
        ('="text">1E+300', True),
        ('=1&"a"&TRUE', "1aTRUE"),
        ('="say ""hi"""', 'say "hi"'),
        ("=TRUE+1", 2),
        ('="3"*2', 6),
        ("=1+1=2", True),
        ("={1,2;3,4}*10", [[10, 20], [30, 40]]),
        ("={1;2}+{10,20}", [[11, 21], [12, 22]]),
        ("={-1,50%}", [[-1, 0.5]]),
        ("=SUM({1,2;3,4})", 10),
        ("=MAX(1,2,{5,3})", 5),
        ("=IF(1>2,1/0,7)", 7),
        ("=IFERROR(1/0,-1)", -1),
        ("=ROUND(2.5,0)", 3),
        ("=ISERROR(NA())", True),
        ("42", 42),
        ('=KV_BYTES("llama-2-70b",4096,8)', 10737418240),
        ('=kv_bytes("LLAMA-2-70B",4096,8)', 10737418240),
        ('=KV_BYTES("llama-2-70b",4096)*8=KV_BYTES("llama-2-70b",4096,8)', True),
        ('=KV_BYTES("llama-2-70b",4096,)', 1342177280),
        ('=KV_BYTES("llama-2-70b",{0;4096},{1,8})', [[0, 0], [1342177280, 10737418240]]),
        ('=TS_OPTIONS("tp",4,"profile","ideal")', "tp=4.0; profile=ideal"),
        ('=WHY("kv_bytes","llama-2-70b",4096)', ""),
    ],
)
def test_texts_and_their_values(text: str, wanted: Any) -> None:
    assert value(text) == wanted


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("=1/0", "#DIV/0!", "division by zero"),
        ("=0^0", "#NUM!", "no answer"),
        ("=(-8)^0.5", "#NUM!", "no answer"),
        ("=1E+300*1E+300", "#NUM!", "no answer"),
        ('="a"+1', "#VALUE!", '"a" is text'),
        ("=#N/A+1", "#N/A", "the text says #N/A"),
        ("=SUM(1,NA())", "#N/A", "NA()"),
        ('=KV_BYTES("llama-2-70b",NA())', "#N/A", "KV_BYTES: context: NA()"),
        ('=KV_BYTES("llama-9",1)', "#VALUE!", "no model named 'llama-9'; nearest are"),
        ('=KV_BYTES("llama-2-70b","4k")', "#VALUE!", 'context is "4k"; give a number such as 4096'),
        ('=KV_BYTES("llama-2-70b",1,-1)', "#VALUE!", "batch is -1; it must be above 0"),
        ('=KV_BYTES("llama-2-70b")', "#VALUE!", "context is not given"),
        ('=KV_BYTES(4090,"llama-2-70b")', "#VALUE!", "model is 4090; give an id as text"),
        ('=KV_BYTES("llama-2-70b",1,1,"a=1",5)', "#VALUE!", "arguments given; it is KV_BYTES(model, context"),
        ('=KV_BYTES("llama-2-70b",1,1,"kvv=fp8")', "#VALUE!", "nothing is called kvv"),
        ('=KV_BYTES("llama-2-70b",1,1,{"kv"})', "#VALUE!", "give two columns"),
        (
            '=KV_BYTES("llama-2-70b",1,1,"batch=2")',
            "#VALUE!",
            "batch is given as an argument and as an option",
        ),
        ("=NO_SUCH(1)", "#NAME?", "no function named NO_SUCH"),
        (
            '=DECODE_LATENCY("llama-2-70b","a100-sxm-80gb",6,4096)',
            "#N/A",
            "tp 6 does not divide the 64 heads of llama-2-70b",
        ),
        (
            '=DECODE_LATENCY("llama-2-70b","a100-sxm-80gb",8,4096,1,"tp=3")',
            "#N/A",
            "tp 3 × pp 1 × dp 1 does not give the 8 devices",
        ),
        ('=DECODE_LATENCY("llama-3.1-405b","h100-sxm-80gb",1,4096)', "#N/A", "GB missing"),
    ],
)
def test_failures_carry_a_code_and_a_reason(text: str, code: str, words: str) -> None:
    found = value(text)
    assert isinstance(found, Failure)
    assert found.code == code
    assert words in found.reason
    assert "\n" not in found.reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the text is empty"),
        ("=", "ends too early"),
        ("=1+", "ends too early"),
        ("=(1", "ends too early"),
        ("=1 2", "cannot read '2' at character 3"),
        ("=A1", "A1 is a cell; there is no sheet here"),
        ("=hello", "put text in quotes"),
        ("=KV_BYTES(llama,1)", 'did a shell take them? in the Command Prompt write "=KV_BYTES('),
        ('=SUM(1,llama)&"a"', "put text in quotes"),
        ("=KV_BYTES(“llama”,1)", 'quotes are straight: "'),
        ("=KV_BYTES(1;2)", "separated by commas, not semicolons"),
        ("={1,2;3}", "differ in length"),
        ("={1,A1}", "holds numbers and texts"),
        ("=1 @ 2", "cannot read '@'"),
        ('="open', "cannot read '\"'"),
        ("=" + "(" * 100 + "1" + ")" * 100, "nested deeper than 64"),
        ("=" + "1+" * 5000 + "1", "a cell holds 8192"),
    ],
)
def test_texts_that_are_no_formula(text: str, words: str) -> None:
    with pytest.raises(CellTextError, match=r".") as caught:
        celltext.parse(text)
    assert words in str(caught.value)


@given(st.text(alphabet='=+-*/^&<>%(){},;"1.eE aA#N/', max_size=40))
def test_any_text_is_answered_or_refused(text: str) -> None:
    """No text crashes the reader: a tree, or one line that says why not."""
    try:
        celltext.parse(text)
    except CellTextError as error:
        assert str(error)
