"""Results check, parts do not: no latency, rate or price of a token is told of a plan that cannot be."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

import tokensheet
from tokensheet.failure import Failure

REGISTRY = tokensheet.planner().registry
RESULT = re.compile(
    r"latency|ttft|tpot|request_time|run_time|tokens_per_(second|dollar)|usd_per_million|request_cost"
)
PARTS = {
    "small_batch_latency": "a law of the first article, for a batch that memory bounds",
    "large_batch_latency": "a law of the first article, for a batch that computing bounds",
    "tp_comm_latency_time": "the part of messages that does not depend on their size",
}
"""Functions called like a result that answer in any case."""
RESULTS = sorted(
    name
    for name, formula in REGISTRY.formulas().items()
    if formula.cell and {"model", "gpus"} <= set(formula.cell) and RESULT.search(name) and name not in PARTS
)
GIVEN: dict[str, Any] = {
    "model": "mixtral-8x7b",
    "gpu": "h100-sxm-80gb",
    "gpus": 8,
    "prompt": 1000,
    "output": 200,
    "context": 1000,
    "cost_per_hour": 20,
    "request_rate": 0.1,
}
IMPOSSIBLE: dict[str, tuple[dict[str, Any], str]] = {
    "experts": ({"ep": 3}, r"ep 3 does not divide the \d devices"),
    "heads": ({"gpus": 6, "prefill_gpus": 6}, r"tp [36] does not divide the 32 heads|ep 8 does not divide"),
    "degrees": ({"tp": 3}, r"does not give the \d devices"),
    "card": ({"other_memory_bytes": 40e9}, r"are free beside 40 GB of other use"),
    "memory": (
        {"model": "llama-3.1-405b", "gpus": 2, "prefill_gpus": 2, "ep": 1},
        r"(llama-3.1-405b does|the models do) not fit on \d × h100-sxm-80gb",
    ),
}


@cache
def given(name: str) -> dict[str, Any]:
    """Usual arguments of a function, as in the reference."""
    formula = REGISTRY.formulas()[name]
    found = dict(formula.example_with)
    for argument in formula.cell or ():
        known = REGISTRY.roles.get(argument) or REGISTRY.nodes.get(argument)
        if argument not in formula.optional and (
            value := GIVEN.get(argument, getattr(known, "example", None))
        ):
            found[argument] = value
    return found


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.slow
def test_a_result_is_told_of_a_possible_plan_alone(name: str) -> None:
    planner = tokensheet.planner()
    for case, (changes, why) in IMPOSSIBLE.items():
        told = planner.answer(name, {**given(name), **changes})
        assert isinstance(told, Failure), f"{name} with {case}: {told}"
        assert re.search(why, told.reason), f"{name} with {case}: {told.reason}"


def test_all_parts_are_there() -> None:
    """A part that is gone, or checks by now, is not excused for ever."""
    assert PARTS.keys() <= REGISTRY.formulas().keys()
