"""Candidates of many records answered together: the same numbers and failures as one by one."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

import tokensheet as ts
from tokensheet.broadcast import Ids
from tokensheet.failure import Failure
from tokensheet.masked import KINDS
from tokensheet.search import columns, ranking

GPUS = ("h100-sxm-80gb", "rtx-4090", "mi300x", "p40", "strix-halo-395", "l40s")
FORMATS = ("bf16", "fp8")
LINKS = (None, "eth-10")
SHARED = {"model": "llama-3.1-8b", "context": 2048.0}
OUTPUTS = ("decode_latency", "cost_per_hour", "fits")


def candidates() -> list[dict[str, Any]]:
    axes = itertools.product(GPUS, FORMATS, LINKS, (1.0, 2.0, 8.0), (1.0, 300.0))
    names = ("gpu", "weights", "interconnect", "gpus", "batch")
    found = [dict(zip(names, values, strict=True)) for values in axes]
    random.Random(1).shuffle(found)
    return found


def as_columns(plans: list[dict[str, Any]]) -> dict[str, Any]:
    roles = {"gpu": GPUS, "weights": FORMATS, "interconnect": LINKS}
    found: dict[str, Any] = {
        name: Ids(ids, np.array([ids.index(p[name]) for p in plans])) for name, ids in roles.items()
    }
    return found | {name: np.array([p[name] for p in plans]) for name in ("gpus", "batch")}


@pytest.mark.parametrize("alone", [1, 10_000], ids=["each record alone", "records together"])
@pytest.mark.parametrize("chunk", [5, 16_384])
@pytest.mark.slow
def test_the_same_as_one_by_one(alone: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "ALONE", alone)
    monkeypatch.setattr(columns, "CHUNK", chunk)
    planner, plans = ts.planner(), candidates()
    found = columns.evaluate(planner.questions, OUTPUTS, SHARED, as_columns(plans), len(plans))
    failed = 0
    for output in OUTPUTS:
        for i, plan in enumerate(plans):
            wanted = planner.one(output, {**SHARED, **plan})
            if isinstance(wanted, Failure):
                assert math.isnan(found.values[output][i])
                assert KINDS[found.kinds[output][i]] is wanted.kind, (output, plan, wanted)
                failed += 1
            else:
                assert found.values[output][i] == pytest.approx(wanted, rel=1e-12), (output, plan)
    assert failed > 20


def test_what_cannot_be_asked_has_no_answer() -> None:
    planner = ts.planner()
    gpu = Ids(("l40s", "no-such-device"), np.array([0, 1, 0]))
    found = columns.evaluate(planner.questions, ("memory_available",), {}, {"gpu": gpu}, 3)
    values = found.values["memory_available"]
    assert values[0] == values[2] == planner.one("memory_available", {"gpu": "l40s"})
    assert math.isnan(values[1])


POINTS = random.Random(2)
TABLE = [(POINTS.randrange(8), POINTS.randrange(8), POINTS.randrange(3)) for _ in range(200)]


@pytest.mark.parametrize("block", [1, 7, 200])
def test_the_best_and_the_front_do_not_depend_on_blocks(block: int) -> None:
    best, front = ranking.Best(9), ranking.Front()
    table = np.array(TABLE, dtype=float)
    for start in range(0, len(TABLE), block):
        part = table[start : start + block]
        numbers = np.arange(start, start + len(part))
        best.add(numbers, list(part.T))
        front.add(numbers, part[:, 0], part[:, 1])
    ranked = sorted((*values, number) for number, values in enumerate(TABLE))
    assert best.numbers == [number for *_, number in ranked[:9]]
    assert best.worst == ranked[8][0]
    lowest: dict[int, tuple[int, int]] = {}
    for number, (one, two, _) in enumerate(TABLE):
        lowest[one] = min(lowest.get(one, (99, 0)), (two, number))
    steps = [
        (one, two, number)
        for one, (two, number) in sorted(lowest.items())
        if all(two < other for smaller, (other, _) in lowest.items() if smaller < one)
    ]
    assert front.points == steps


def test_there_is_room_until_there_is_not() -> None:
    best = ranking.Best(2)
    best.add(np.array([3]), [np.array([5.0])])
    assert best.worst == math.inf
    best.add(np.array([4]), [np.array([7.0])])
    assert best.worst == 7


def test_the_nearest_has_the_smallest_worst_share() -> None:
    near = ranking.Nearest()
    near.add(
        np.array([10, 11]),
        {"a": np.array([3.0, 1.5]), "b": np.array([1.0, 2.0])},
        {"a": [30, 15], "b": [1, 2]},
    )
    near.add(np.array([12]), {"a": np.array([np.nan]), "b": np.array([0.1])}, {"a": [0], "b": [0]})
    assert (near.number, near.target, near.worst, near.value) == (11, "b", 2.0, 2.0)
