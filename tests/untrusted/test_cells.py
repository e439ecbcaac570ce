"""What stands in cells: texts for the terminal, and values as Calc's process and the web server get them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.hostile import answered, damaged, numbers, tried, words
from tokensheet import planner
from tokensheet.calc.server import respond
from tokensheet.celltext import MOST_OPERATORS
from tokensheet.errors import CellTextError
from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.sheet_words import WORDS, run

FUNCTIONS = Functions(planner())
TEXTS = (
    '=KV_BYTES("llama-2-70b",4096,8)/2^30',
    '=IF(FITS("llama-2-70b","rtx-4090",4,4096),"yes","no")&" "&ROUND(1.5,0)',
    '=DECODE_LATENCY("llama-2-70b@kv_heads=2","h100-sxm-80gb",{4;8},4096,{1,16},"tp=4; profile=ideal")*1000',
    '=TS_SPEC("h100-sxm-80gb","memory_bytes")+TS_OPTIONS("tp",2)',
    '=WHY("kv_bytes","llama-9",1)',
    '=SUM({1,2;3,4},-5%,"3")^0.5=TRUE',
    '=BEST_CONFIG("llama-2-70b",4096,"tokens_per_dollar")',
)


@given(
    text=damaged(
        TEXTS,
        ('"', "(", ")", "{", "}", ",", ";", "%", "^", "-", "@", "#N/A", "1e999", "9" * 400, "TRUE", "A1"),
    )
)
@tried(60)
def test_damaged_formulas_are_answered_or_refused(text: str) -> None:
    answered(lambda: run(text, FUNCTIONS))


@given(
    name=st.sampled_from(sorted(WORDS)),
    values=st.lists(
        st.sampled_from(
            ("1", "-1", "0", "1e308", "-999", '"a"', "TRUE", "#N/A", "{1;2}", "{1,2,3}", "NA()", "")
        ),
        max_size=4,
    ),
)
@tried(60)
def test_words_of_the_sheet_take_anything(name: str, values: list[str]) -> None:
    answered(lambda: run(f"={name}({','.join(values)})", FUNCTIONS))


def test_long_chains_do_not_exhaust_the_stack() -> None:
    """Excel takes 8,192 letters; a sum of many terms is no deeper than one of two."""
    assert run("=" + "1+" * MOST_OPERATORS + "1", FUNCTIONS) == MOST_OPERATORS + 1
    assert run("=1" + "%" * 3, FUNCTIONS) == pytest.approx(1e-6)
    assert run("=2-" + "1-" * 500 + "1", FUNCTIONS) == -499


@pytest.mark.parametrize(
    "text", ["=" + "1+" * 4000 + "1", "=1" + "%" * 8000, '="a"' + '&"a"' * 2000, "=1" + "^1" * 4000]
)
def test_chains_have_a_bound(text: str) -> None:
    with pytest.raises(CellTextError, match="more than 1,000 operators"):
        run(text, FUNCTIONS)


def test_arrays_have_a_bound() -> None:
    column, row = ";".join(["1"] * 300), ",".join(["1"] * 300)
    found = run(f'="{"a" * 6000}"&{{{column}}}&{{{row}}}', FUNCTIONS)
    assert isinstance(found, Failure)
    assert found.reason == "an array of 300 × 300 is too large"


errors = st.sampled_from(({"error": "#N/A"}, {"error": "#DIV/0!"}, {"error": "what"}))
cells = st.one_of(
    numbers,
    words,
    st.booleans(),
    st.none(),
    errors,
    st.sampled_from(("llama-2-70b", "h100-sxm-80gb", "tp=2")),
)
blocks = st.integers(1, 3).flatmap(
    lambda wide: st.lists(st.lists(cells, min_size=wide, max_size=wide), min_size=1, max_size=3)
)


@given(
    name=st.one_of(st.sampled_from(sorted(FUNCTIONS.table)), words),
    values=st.lists(st.one_of(cells, blocks), max_size=6),
)
@tried(80)
def test_calc_gets_rows_for_any_values(name: str, values: list[Any]) -> None:
    """Never a fault: the process would end, and with it the answers of all other cells."""
    asked = json.loads(json.dumps(values))
    rows = respond(FUNCTIONS, name, asked)
    json.dumps(rows, allow_nan=False)
    assert rows and all(rows)
