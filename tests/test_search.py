"""The search for the best plan: the same numbers as the functions, nothing better left out, reasons for the rest."""

from __future__ import annotations

import itertools

import pytest

import tokensheet as ts
from tokensheet.best import best, rows
from tokensheet.errors import ArgumentError, UnknownNameError
from tokensheet.interpret import Failure
from tokensheet.search import Limits, Space, known_gpus, search

SPACE = Space(
    gpus=("h100-sxm-80gb", "rtx-4090", "l40s"),
    counts=(1, 2, 4, 8),
    batches=(1, 16, 64),
    weights=("bf16", "fp8"),
    pipelines=(1, 2),
)
PLAN = {"model": "llama-3.1-70b", "context": 2048, "profile": "ideal"}


def all_by_functions(limits: Limits) -> list[tuple[float, float, float]]:
    """(cost, latency, cost of a token) of every sound candidate, each asked by itself."""
    found = []
    planner = ts.planner()
    axes = itertools.product(SPACE.gpus, SPACE.counts, SPACE.pipelines, SPACE.batches, SPACE.weights)
    for gpu, gpus, pp, batch, weights in axes:
        if gpus % pp:
            continue
        given = PLAN | {"gpu": gpu, "gpus": gpus, "pp": pp, "batch": batch, "weights": weights}
        given["wanted_tokens_per_second"] = limits.min_tokens_per_second or 0
        latency, cost = planner.one("decode_latency", given), planner.one("cost_for_rate", given)
        tokens = planner.one("tokens_per_dollar", given)
        if isinstance(latency, Failure) or isinstance(cost, Failure):
            continue
        if limits.max_latency is not None and latency > limits.max_latency:
            continue
        if limits.max_cost_per_hour is not None and cost > limits.max_cost_per_hour:
            continue
        found.append((cost, latency, 1 / tokens))
    return found


@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        Limits(max_latency=0.03, min_tokens_per_second=2000),
        Limits(max_cost_per_hour=6),
        Limits(max_latency=1e-6),
    ],
)
def test_the_best_is_what_asking_each_candidate_finds(limits: Limits) -> None:
    by_hand = all_by_functions(limits)
    wanted_rate = limits.min_tokens_per_second is not None
    by_cost = (lambda p: (p[0], p[2], p[1])) if wanted_rate else (lambda p: (p[2], p[1]))
    by_latency = (lambda p: (p[1], p[0], p[2])) if wanted_rate else (lambda p: (p[1], p[2]))
    for goal, key in (("cost", by_cost), ("latency", by_latency)):
        found = search(ts.planner(), PLAN, SPACE, limits, goal, count=5)
        assert found.sound == len(by_hand)
        wanted = sorted(by_hand, key=key)[:5]
        assert [c.cost_per_hour for c in found.best] == pytest.approx([p[0] for p in wanted], rel=1e-12)
        assert [c.latency for c in found.best] == pytest.approx([p[1] for p in wanted], rel=1e-12)


def test_nothing_beats_the_front() -> None:
    found = search(ts.planner(), PLAN, SPACE, Limits())
    points = all_by_functions(Limits())
    for choice in found.front:
        assert not any(
            cost <= choice.cost_per_hour and latency < choice.latency for cost, latency, _ in points
        )
    costs = [c.cost_per_hour for c in found.front]
    assert costs == sorted(costs, reverse=True)


def test_each_candidate_is_sound_or_has_a_reason() -> None:
    found = search(ts.planner(), PLAN, SPACE, Limits(max_latency=0.02))
    assert found.candidates == 3 * 7 * 3 * 2
    assert found.sound + sum(r.count for r in found.rejected) == found.candidates
    assert {r.reason for r in found.rejected} >= {"does not fit", "slower than 0.02 s a token"}


def test_rows_have_titles_plans_and_reasons() -> None:
    given = {"model": "llama-3.1-8b", "context": 4096, "devices": "h100-sxm-80gb, l40s", "count": 2}
    table = rows(best(ts.planner(), given))
    assert table[0][:3] == ["rank", "gpu", "gpus"]
    assert [row[0] for row in table[1:3]] == [1, 2]
    assert {len(row) for row in table} == {len(table[0])}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"goal": "speed"}, "goal is 'speed'; write cost or latency"),
        ({"gpu": "h100-sxm-80gb"}, "gpu is what is searched for; narrow it with devices"),
        ({"counts": "1,two"}, "counts holds 'two'"),
        ({"cost_basis": "lease"}, "cost_basis is 'lease'"),
        ({"counts": "3", "stages": "2"}, "no split divides the counts"),
        ({"context": -5}, "context is -5; it must be at least 0"),
        ({"batches": "0"}, "batch is 0; it must be above 0"),
        ({"max_latency": -1}, "max_latency is -1; it must be above 0"),
        ({"count": -1}, "count is -1; it must be at least 1"),
        ({"context": "4k"}, 'context is "4k"'),
    ],
)
def test_wrong_questions(given: dict[str, str], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        best(ts.planner(), {"model": "llama-3.1-8b", "context": 1, "devices": "l40s"} | given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"model": "nope"}, "no model named 'nope'"),
        ({"formats": "zz"}, "no format named 'zz'"),
        ({"foo": 3}, "nothing is called foo"),
    ],
)
def test_unknown_names_are_told_before_the_search(given: dict[str, object], words: str) -> None:
    with pytest.raises(UnknownNameError, match=words):
        best(ts.planner(), {"model": "llama-3.1-8b", "context": 1, "devices": "l40s"} | given)


def test_an_unknown_device_lists_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="no accelerator named 'h1000'; nearest"):
        known_gpus(ts.planner(), ["h1000"], None)


def test_devices_with_a_doubtful_peak_are_tried_only_by_name() -> None:
    """The sparse headline of an article would win every search."""
    every = known_gpus(ts.planner(), [], None)
    assert "h100-sxm-80gb" in every and len(every) > 30
    assert not {"classic-h100", "classic-4090"} & set(every)
    assert known_gpus(ts.planner(), ["classic-h100"], None) == ("classic-h100",)
