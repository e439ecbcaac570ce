"""Steps become LAMBDA names within what Excel takes: names that it takes for nothing else, prefixes, further parts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tokensheet.errors import ExportError
from tokensheet.workbook.lambda_text import LONGEST, MOST_STEPS, Steps, spelled, variable, words


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("batch", "batch"),
        ("decode_latency.busy", "decode_latency_busy"),
        ("place of gpu>link", "place_of_gpu_link"),
        ("tp", "tp"),
        ("tp8", "tp8_"),
        ("h100", "h100_"),
        ("fp8", "fp8_"),
        ("r", "r_"),
        ("c", "c_"),
        ("r1c1", "r1c1_"),
        ("rate", "rate_"),
        ("log", "log_"),
        ("_own.latency", "own_own_latency"),
        ("xfe1", "xfe1"),
    ],
)
def test_a_step_has_a_name_that_excel_takes_for_nothing_else(key: str, name: str) -> None:
    assert variable(key, ()) == name


def test_steps_have_different_names() -> None:
    assert variable("a.b", {"a_b"}) == "a_b_2"
    assert variable("a.b", {"a_b", "a_b_2"}) == "a_b_3"


@pytest.mark.parametrize(
    ("shown", "stored"),
    [
        ("LAMBDA(a,a+1)", "_xlfn.LAMBDA(_xlpm.a,_xlpm.a+1)"),
        (
            'LAMBDA(a,[b],LET(c,IF(ISOMITTED(b),"b, a",b),a&c))',
            '_xlfn.LAMBDA(_xlpm.a,_xlop.b,_xlfn.LET(_xlpm.c,IF(_xlfn.ISOMITTED(_xlpm.b),"b, a",_xlpm.b),_xlpm.a&_xlpm.c))',
        ),
        ("SUM(Models!$A$6:$A$9)*1E+300", "SUM(Models!$A$6:$A$9)*1E+300"),
        ("INDEX('Bill of a'!$B$1:$B$9,a)", "INDEX('Bill of a'!$B$1:$B$9,_xlpm.a)"),
        ("TSX.KV_BYTES(peak_16bit,2.5)", "TSX.KV_BYTES(_xlpm.peak_16bit,2.5)"),
        ('IF(a="say ""a""",TRUE,-b)', 'IF(_xlpm.a="say ""a""",TRUE,-_xlpm.b)'),
        ("XMATCH(a,SEQUENCE(3),0)", "_xlfn.XMATCH(_xlpm.a,_xlfn.SEQUENCE(3),0)"),
    ],
)
def test_a_file_holds_prefixes(shown: str, stored: str) -> None:
    assert spelled(shown) == stored


def test_words_are_what_a_text_reads() -> None:
    assert [*words('IF(batch>1,Models!$A$6*state_8bit,"text")+TSX.PART.FACT(x)')] == [
        "batch",
        "state_8bit",
        "x",
    ]


def lambdas(steps: Steps, result: str) -> list[tuple[str, str]]:
    return [(x.name, x.text) for x in steps.lambdas("TSX.F", "TSX.PART.F_", result, "whole", "part")]


def test_a_function_without_steps_is_its_result() -> None:
    assert lambdas(Steps(["a"]), "a+1") == [("TSX.F", "LAMBDA(a,a+1)")]


def test_steps_stand_in_order() -> None:
    steps = Steps(["a", "b"], ["b"])
    first = steps.add("first", "a*2")
    second = steps.add("f.second", f"{first}+b")
    assert (first, second, steps["f.second"]) == ("first", "f_second", "f_second")
    assert lambdas(steps, second) == [("TSX.F", "LAMBDA(a,[b],LET(first,a*2,f_second,first+b,f_second))")]


def test_a_long_function_goes_on_in_further_names() -> None:
    """Each within the limits; each gets what it and the following ones read, and no more."""
    steps = Steps(["a", "unread"])
    for i in range(500):
        steps.add(f"step_{i}", f"a+{'1' * 30}*step_{i - 1}" if i else "a")
    found = lambdas(steps, "step_499+step_3")
    assert len(found) > 3
    assert all(
        len(spelled(text)) <= LONGEST and text.count("step") <= 2 * MOST_STEPS + 9 for _, text in found
    )
    assert [name for name, _ in found] == ["TSX.F", *(f"TSX.PART.F_{i}" for i in range(2, len(found) + 1))]
    for (_, text), (following, rest) in pairwise(found):
        heads = rest[len("LAMBDA(") : rest.index(",LET(")]
        assert text.endswith(f",{following}({heads})))")
        assert set(heads.split(",")) == {"a", "step_3", heads.split(",")[-1]}


def test_many_short_steps_are_no_more_than_a_let_takes() -> None:
    steps = Steps(["a"])
    for i in range(2 * MOST_STEPS):
        steps.add(f"s_{i}", "a")
    assert [text.count("s_") for _, text in lambdas(steps, "a")] == [MOST_STEPS, MOST_STEPS]


def test_a_step_that_is_too_long_is_told() -> None:
    steps = Steps(["a"])
    steps.add("long", "+".join(["a"] * 2000))
    with pytest.raises(ExportError, match=r"TSX\.F has a step of more than 8192 characters, long; leave"):
        lambdas(steps, "long")
