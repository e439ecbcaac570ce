"""A walk under other numbers answers as one that is begun anew: values, and why there is none."""

from __future__ import annotations

import random
from functools import cache

import pytest

import tokensheet
from tokensheet.failure import Failure, Value
from tokensheet.interpret import Interpreter
from tokensheet.proposal import Proposal
from tokensheet.workbook.contents import Contents, contents_of

CANDIDATES = [
    {"name": "cheap", "gpu": "rtx-4090", "batch": 4, "decode_latency": 0.03},
    {"name": "fast", "gpu": "h100-sxm-80gb", "batch": 32},
    {"name": "does not fit", "gpu": "l4", "gpus": 1, "batch": 64},
]
RESULTS = ["decode_latency", "tokens_per_dollar", "ttft", "fits", "request_latency"]


@cache
def contents() -> Contents:
    workload = {"model": "llama-2-70b", "context": 4096, "prompt": 1000, "output": 200, "gpus": 8}
    given = {"title": "Walks", "workload": workload, "candidates": CANDIDATES, "results": RESULTS}
    made = contents_of(tokensheet.planner(), Proposal.model_validate(given))
    for walk in made.walks:
        for key in made.graph.nodes:
            walk.value(key)
    return made


def anew(walk: Interpreter, numbers: dict[str, float], often: bool) -> Interpreter:
    """The same numbers without anything that was calculated before."""
    leaves = walk.graph.leaves
    given = {leaf.key: numbers.get(leaf.name, walk.values[leaf.key]) for leaf in leaves}
    return Interpreter(walk.graph, given, walk.ids, {**walk.pinned, **numbers}, often)


def agree(one: Value, other: Value) -> bool:
    """Whether two are one number but for its last digits, or none for one reason."""
    if isinstance(one, Failure) or isinstance(other, Failure):
        return one == other
    return one == pytest.approx(other, rel=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("index", range(len(CANDIDATES)), ids=[str(c["name"]) for c in CANDIDATES])
def test_changed_walks_answer_as_new_ones(index: int) -> None:
    """Inputs, facts and results, one or two at once and in turn, with compiled code and by the tree."""
    made, draw = contents(), random.Random(index)
    walk, keys = made.walks[index], list(made.graph.nodes)
    names = sorted({node.name for node in made.graph.nodes.values()} - made.registry.limits.keys())
    failures = 0
    for _ in range(40):
        one, other = ({draw.choice(names): draw.choice([0.0, -1.0, 1.0, 3.7, 5e3, 1e30])} for _ in range(2))
        changed = walk.changed(one).changed(other)
        for often in (True, False):
            new = anew(walk, {**one, **other}, often)
            for key in draw.sample(keys, 40):
                if draw.random() < 0.5:  # before the value is asked for, or not at all
                    steps, wanted = changed.all_steps(key), new.all_steps(key)
                    assert steps.keys() == wanted.keys() and all(agree(steps[n], wanted[n]) for n in steps), (
                        key
                    )
                found = changed.value(key)
                failures += isinstance(found, Failure)
                assert agree(found, new.value(key)), key
    assert failures > 0


def test_what_is_not_moved_is_not_calculated_again() -> None:
    walk = contents().walks[1]
    changed = walk.changed({"electricity_price": 0.5})
    assert changed.values["decode_latency"] == walk.values["decode_latency"]
    assert "tokens_per_dollar" not in changed.values
    assert isinstance(before := walk.value("tokens_per_dollar"), float)
    assert isinstance(after := changed.value("tokens_per_dollar"), float) and after < before
