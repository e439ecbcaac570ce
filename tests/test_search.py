"""The search for the best plan: the same numbers as the functions, nothing better left out, reasons for the rest."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from statistics import median
from typing import Any

import pytest

import tokensheet as ts
from tokensheet.errors import ArgumentError, PlanError, TokensheetError, UnknownNameError
from tokensheet.failure import Failure
from tokensheet.search import searching
from tokensheet.search.best import best, row, rows, titles
from tokensheet.search.found import Found
from tokensheet.search.prices import prices

MODEL = {"model": "llama-3.1-70b"}
STEP = {**MODEL, "context": 2048, "profile": "ideal"}
STEP_SPACE: dict[str, tuple[Any, ...]] = {
    "devices": ("h100-sxm-80gb", "rtx-4090", "l40s"),
    "counts": (1, 2, 4, 8),
    "stages": (1, 2),
    "batches": (1, 16, 64),
    "formats": ("bf16", "fp8"),
}
LOAD = {**MODEL, "prompt": 1024, "output": 128, "request_rate": 12}
FLEET_SPACE: dict[str, tuple[Any, ...]] = {
    "devices": ("h100-sxm-80gb", "mi300x", "l40s"),
    "counts": (2, 8),
    "stages": (1, 2),
    "formats": ("bf16", "fp8"),
}
NAMES = {"devices": "gpu", "counts": "gpus", "stages": "pp", "batches": "batch", "formats": "weights"}

STEPS: dict[str, tuple[Mapping[str, Any], str, tuple[str, ...]]] = {
    "cheapest tokens": ({}, "cost", ("usd_per_million_generated", "decode_latency")),
    "fastest step": ({"goal": "latency"}, "latency", ("decode_latency", "usd_per_million_generated")),
    "cheapest under a latency": (
        {"max_latency": 0.03, "min_tokens_per_second": 2000},
        "cost",
        ("cost_for_rate", "usd_per_million_generated", "decode_latency"),
    ),
    "fastest at a rate": (
        {"goal": "latency", "min_tokens_per_second": 9000},
        "latency",
        ("decode_latency", "cost_for_rate", "usd_per_million_generated"),
    ),
    "under a cost": ({"max_cost_per_hour": 6}, "cost", ("usd_per_million_generated", "decode_latency")),
}
COST = ("fleet_monthly_cost", "planned_devices", "planned_utilization")
FLEETS: dict[str, tuple[Mapping[str, Any], tuple[str, ...]]] = {
    "no targets": ({}, COST),
    "both latencies": ({"target_ttft": 1.0, "target_tpot": 0.03}, COST),
    "tight": ({"target_ttft": 0.4, "target_tpot": 0.02}, COST),
    "of the mean": ({"target_tpot": 0.02, "target_percentile": 0}, COST),
    "whole requests": ({"target_request_time": 3.0}, COST),
    "a busy replica": ({"target_utilization": 0.95, "spare_replicas": 0}, COST),
    "a cost": ({"max_monthly_cost": 9000.0, "target_tpot": 0.04}, COST),
    "few devices": ({"max_devices": 12.0, "target_tpot": 0.04}, COST),
    "by users": ({"request_rate": None, "users": 900, "think_time": 40, "answer_time": 5}, COST),
    "fewest devices": (
        {"goal": "devices", "target_tpot": 0.03},
        ("planned_devices", "fleet_monthly_cost"),
    ),
    "least energy": ({"goal": "energy", "target_ttft": 1.0}, ("planned_energy", "fleet_monthly_cost")),
}
HELD = {
    "max_latency": ("decode_latency", 1),
    "min_tokens_per_second": ("reached_tokens_per_second", -1),
    "max_cost_per_hour": ("cost_for_rate", 1),
    "max_monthly_cost": ("fleet_monthly_cost", 1),
    "max_devices": ("planned_devices", 1),
}


def by_hand(
    shared: Mapping[str, Any],
    space: Mapping[str, tuple[Any, ...]],
    limits: Mapping[str, float],
    nodes: tuple[str, ...],
) -> list[tuple[float, ...]]:
    """The nodes of every candidate that holds all limits, each asked by itself, the best first."""
    planner, found = ts.planner(), []
    for values in itertools.product(*space.values()):
        plan = dict(zip((NAMES[n] for n in space), values, strict=True))
        if plan["gpus"] % plan["pp"]:
            continue
        given = {**shared, **plan, "dp": 1}
        answers = planner.several((*nodes, *(HELD[n][0] for n in limits)), given)
        told = [answers[n] for n in nodes]
        held = all(_holds(answers[HELD[n][0]], limit, HELD[n][1]) for n, limit in limits.items())
        if not isinstance(told[0], Failure) and held:
            found.append(tuple(float("inf") if isinstance(a, Failure) else a for a in told))
    return sorted(found)


def _holds(value: Any, limit: float, sign: int) -> bool:
    return not isinstance(value, Failure) and sign * value <= sign * limit


def texts(space: Mapping[str, tuple[Any, ...]]) -> dict[str, str]:
    return {name: ",".join(map(str, values)) for name, values in space.items()}


@pytest.mark.parametrize("case", STEPS)
def test_the_best_plan_is_what_asking_each_candidate_finds(case: str) -> None:
    asked, goal, nodes = STEPS[case]
    limits = {n: v for n, v in asked.items() if n in HELD}
    wanted = asked.get("min_tokens_per_second", 0)
    truth = by_hand({**STEP, "wanted_tokens_per_second": wanted}, STEP_SPACE, limits, nodes)
    found = best(ts.planner(), {**STEP, **texts(STEP_SPACE), **asked, "count": 6})
    assert (found.asked.goal.name, found.holding) == (goal, len(truth))
    told = [tuple(plan.values[n] for n in nodes) for plan in found.best]
    assert told == [pytest.approx(t, rel=1e-12) for t in truth[:6]]


QUICK = ("no targets", "whole requests", "fewest devices")


@pytest.mark.parametrize(
    "case", [c if c in QUICK else pytest.param(c, marks=pytest.mark.slow) for c in FLEETS]
)
@pytest.mark.slow
def test_the_best_fleet_is_what_asking_each_candidate_finds(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though candidates whose bound is worse than the best found are never calculated."""
    asked, nodes = FLEETS[case]
    given = {n: v for n, v in {**LOAD, **asked}.items() if v is not None}
    limits = {n: given.pop(n) for n in HELD if n in given}
    goal = given.pop("goal", None)
    truth = by_hand(given, FLEET_SPACE, limits, nodes)
    for look in (2, 1024):
        monkeypatch.setattr(searching, "FIRST_LOOK", look)
        monkeypatch.setattr(searching, "LONGEST_LOOK", look)
        found = best(ts.planner(), {**given, **limits, **texts(FLEET_SPACE), "goal": goal, "count": 3})
        told = [tuple(plan.values[n] for n in nodes) for plan in found.best]
        assert told == [pytest.approx(t, rel=1e-9) for t in truth[:3]]
        assert found.candidates == 3 * 4 * 2
        assert found.holding + found.spared + sum(r.count for r in found.rejected) == found.candidates
    assert (found.holding, found.spared) == (len(truth), 0)


@pytest.mark.slow
def test_candidates_that_cannot_be_better_are_spared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "FIRST_LOOK", 2)
    monkeypatch.setattr(searching, "LONGEST_LOOK", 2)
    found = best(ts.planner(), {**LOAD, **texts(FLEET_SPACE), "count": 1})
    assert found.spared > 10
    stated = best(ts.planner(), {**LOAD, **texts(FLEET_SPACE), "count": 1, "largest_replica_load": 2.0})
    assert stated.spared == 0, "somebody states what the bound puts in place of results"


@pytest.mark.slow
def test_a_target_that_the_goal_does_not_know_is_compared() -> None:
    """And one that it is trusted with is looked at again in the plans found."""
    found = best(ts.planner(), {**LOAD, **texts(FLEET_SPACE), "target_tpot": 0.03, "count": 20})
    assert found.best
    for plan in found.best:
        assert plan.values["planned_tpot"] is not None and plan.values["planned_tpot"] <= 0.03
        assert plan.binds in {"target_tpot", "target_utilization"}
        assert 0.9 < plan.used <= 1 + 1e-9


@pytest.mark.slow
def test_a_demand_that_fills_its_replicas_exactly_holds_its_targets() -> None:
    """Rounding must not say that 0.7 is above 0.7."""
    given = {k: v for k, v in LOAD.items() if k != "request_rate"} | {"gpu": "h100-sxm-80gb", "gpus": 8}
    largest = ts.evaluate("largest_replica_load", **given)
    for times in (1, 3, 7, 49):
        asked = {
            **LOAD,
            "request_rate": times * largest,
            "devices": "h100-sxm-80gb",
            "counts": "8",
            "stages": "1",
        }
        (plan,) = best(ts.planner(), asked).best
        assert plan.values["planned_utilization"] == pytest.approx(0.7, rel=1e-9)
        assert plan.values["replicas_needed"] == times + 1


@pytest.mark.slow
def test_a_plan_says_what_the_functions_say() -> None:
    found = best(ts.planner(), {**LOAD, **texts(FLEET_SPACE), "target_ttft": 1, "count": 2})
    for plan in found.best:
        given = {**LOAD, **{k: v for k, v in plan.given.items() if v is not None}, "target_ttft": 1}
        for node in ("replicas_needed", "fleet_monthly_cost", "fleet_usd_per_million", "batch_limit"):
            assert plan.values[node] == pytest.approx(ts.evaluate(node, **given), rel=1e-12), node
        busy = ts.evaluate("busy_replicas", **given)
        then = given | {"replicas": busy, "percentile": 0.95}
        assert plan.values["planned_ttft"] == pytest.approx(ts.evaluate("ttft", **then), rel=1e-12)
        assert plan.values["planned_tpot"] == pytest.approx(ts.evaluate("tpot", **then), rel=1e-12)


def test_nothing_beats_the_front() -> None:
    found = best(ts.planner(), {**STEP, **texts(STEP_SPACE)})
    points = by_hand(STEP, STEP_SPACE, {}, ("decode_latency", "cost_for_rate"))
    front = [(p.values["decode_latency"], p.values["cost_for_rate"]) for p in found.front]
    for latency, cost in front:
        assert latency is not None and cost is not None
        assert not any(one <= latency and two < cost for one, two in points)
    assert [cost for _, cost in front] == sorted(
        (cost for _, cost in front if cost is not None), reverse=True
    )


def test_each_candidate_is_sound_or_has_a_reason() -> None:
    found = best(ts.planner(), {**STEP, **texts(STEP_SPACE), "max_latency": 0.02})
    assert found.candidates == 3 * 7 * 3 * 2
    assert found.holding + sum(r.count for r in found.rejected) == found.candidates
    reasons = {r.reason: r.example for r in found.rejected}
    assert "does not fit on" in reasons["Plan fits in memory: no"]
    assert reasons["Decode latency above 0.02 s"].startswith("gpu h100-sxm-80gb, gpus ")


MISSES: dict[str, tuple[Mapping[str, Any], str]] = {
    "a step": (
        {**STEP, **texts(STEP_SPACE), "max_latency": 1e-6},
        "no plan holds the targets; nearest is gpu h100-sxm-80gb, gpus 8, pp 1, dp 1, batch 1, weights fp8, kv bf16: "
        "Decode latency is ",
    ),
    "two limits": (
        {**STEP, **texts(STEP_SPACE), "max_latency": 0.004, "max_cost_per_hour": 0.5},
        "of 0.5 usd/hour",
    ),
    "a fleet": (
        {**LOAD, **texts(FLEET_SPACE), "target_tpot": 0.002},
        ": TPOT with hardly any load is 0.00",
    ),
    "its cost": (
        {**LOAD, **texts(FLEET_SPACE), "max_monthly_cost": 100},
        "% above max_monthly_cost of 100 usd/month",
    ),
    "too small": (
        {**LOAD, "devices": "rtx-4090", "counts": "1,2"},
        "none of 3 candidates has a result: 3 no answer; llama-3.1-70b does not fit on 1 × rtx-4090",
    ),
}


@pytest.mark.parametrize("case", MISSES)
@pytest.mark.slow
def test_when_nothing_holds_one_line_says_how_far_the_nearest_is_off(case: str) -> None:
    asked, words = MISSES[case]
    planner = ts.planner()
    found = best(planner, asked)
    assert found.best == ()
    with pytest.raises(PlanError) as caught:
        rows(planner, found)
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.slow
def test_the_nearest_misses_its_worst_target_by_the_least() -> None:
    limits = {"target_ttft": 0.05, "target_tpot": 0.004}
    found = best(ts.planner(), {**LOAD, **texts(FLEET_SPACE), **limits})
    lightest = ("lightest_ttft", "lightest_tpot")
    truth = by_hand(LOAD, FLEET_SPACE, {}, lightest)
    wanted = min(max(ttft / 0.05, tpot / 0.004) for ttft, tpot in truth)
    assert found.nearest is not None
    assert found.nearest.value / found.nearest.limit == pytest.approx(wanted, rel=1e-12)


def test_rows_have_titles_plans_and_reasons() -> None:
    planner = ts.planner()
    given = {"model": "llama-3.1-8b", "context": 4096, "devices": "h100-sxm-80gb, l40s", "count": 2}
    found = best(planner, given)
    table = rows(planner, found)
    assert table[0] == titles(planner, found)
    assert table[0][:4] == ["rank", "gpu", "gpus", "pp"] and "decode_latency [s]" in table[0]
    assert table[1] == row(1, found, found.best[0])
    assert [line[0] for line in table[1:3]] == [1, 2]
    assert {len(line) for line in table} == {len(table[0])}
    known = [[f"price of {p.record}", p.line] for p in prices(planner, found)]
    out = [[f"{r.count} out", r.reason] for r in found.rejected]
    assert known and [line[:2] for line in table[3:]] == known + out


@pytest.mark.slow
def test_codes_are_told_in_words() -> None:
    planner = ts.planner()
    table = rows(planner, best(planner, {**LOAD, **texts(FLEET_SPACE), "count": 1}))
    assert table[1][table[0].index("batch_limit")] in {"memory", "max_sequences", "step_tokens"}


WRONG: dict[str, tuple[dict[str, Any], type[TokensheetError], str]] = {
    "goal": ({"goal": "speed"}, ArgumentError, "goal is 'speed'; write cost or latency"),
    "an input that is varied": (
        {"gpu": "h100-sxm-80gb"},
        ArgumentError,
        "gpu is what is searched for; narrow it with devices",
    ),
    "text for a number": ({"counts": "1,two"}, ArgumentError, "counts holds 'two'"),
    "basis": (
        {"cost_basis": "lease"},
        ArgumentError,
        "cost_basis is 'lease'; write owned or rent or reserved or spot",
    ),
    "no split": ({"counts": "3", "stages": "2"}, ArgumentError, "no candidate"),
    "too many": (
        {"batches": ",".join(map(str, range(1, 9_000))), "devices": None},
        ArgumentError,
        "candidates; at most 5,000,000",
    ),
    "too many splits": (
        {"counts": ",".join(map(str, range(1, 2_000))), "stages": ",".join(map(str, range(1, 2_000)))},
        ArgumentError,
        "3,996,001 ways to combine counts, stages, groups; at most 1,000,000",
    ),
    "input": ({"context": -5}, ArgumentError, "context is -5; it must be at least 0"),
    "axis": ({"batches": "0"}, ArgumentError, "batch is 0; it must be above 0"),
    "target": ({"max_latency": -1}, ArgumentError, "max_latency is -1; it must be above 0"),
    "count": ({"count": -1}, ArgumentError, "count is -1; it must be at least 1"),
    "text": ({"context": "4k"}, ArgumentError, 'context is "4k"'),
    "error cell": (
        {"devices": Failure("an argument is #N/A")},
        ArgumentError,
        "devices: an argument is #N/A",
    ),
    "model": ({"model": "nope"}, UnknownNameError, "no model named 'nope'"),
    "format": ({"formats": "zz"}, UnknownNameError, "no format named 'zz'"),
    "name": ({"foo": 3}, UnknownNameError, "nothing is called foo"),
    "device": ({"devices": "h1000"}, UnknownNameError, "no accelerator named 'h1000'; nearest"),
    "nothing asked": (
        {"context": None},
        ArgumentError,
        "give model, context (plan of a decode step at a stated batch and context); model, prompt, output and ",
    ),
    "two searches": (
        {"prompt": 10, "output": 10, "request_rate": 1},
        ArgumentError,
        "context goes with model, context or model, context, min_tokens_per_second, not with model, prompt, output and ",
    ),
    "a target of another search": (
        {"target_ttft": 1},
        ArgumentError,
        "target_ttft goes with model, prompt, output and request_rate or users or requests_per_day, not with ",
    ),
    "two demands": (
        {"context": None, "prompt": 10, "output": 10, "request_rate": 1, "users": 5},
        ArgumentError,
        "request_rate and users are both given; leave one out",
    ),
    "no rent": (
        {"cost_basis": "rent", "devices": "classic-4090"},
        TokensheetError,
        "no rent_per_gpu_hour on record for classic-4090; known are a100-pcie-80gb, ",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_questions(case: str) -> None:
    given, kind, words = WRONG[case]
    with pytest.raises(kind) as caught:
        best(ts.planner(), {"model": "llama-3.1-8b", "context": 1, "devices": "l40s"} | given)
    assert words in str(caught.value)


def tried(found: Found) -> tuple[Any, ...]:
    return found.asked.space.values["devices"]


def test_devices_with_a_doubtful_peak_are_tried_only_by_name() -> None:
    """The sparse headline of an article would win every search."""
    given = {"model": "llama-3.1-8b", "context": 1, "counts": "1", "batches": "1"}
    found = best(ts.planner(), given)
    assert "h100-sxm-80gb" in tried(found) and len(tried(found)) > 30
    assert not {"classic-h100", "classic-4090"} & set(tried(found))
    out = {x.reason: set(x.ids) for x in found.asked.left_out}
    assert "classic-h100" in out["its 16-bit peak is not confirmed"]
    assert {x.axis for x in found.asked.left_out} == {"devices"}
    every = set(ts.planner().registry.catalog("accelerator").entries)
    assert every == set(tried(found)).union(*out.values())
    assert tried(best(ts.planner(), given | {"devices": "classic-h100"})) == ("classic-h100",)


def test_rented_devices_cost_the_median_on_record() -> None:
    planner = ts.planner()
    given = {"model": "llama-3.1-8b", "context": 4096, "counts": "2", "cost_basis": "rent"}
    found = best(planner, given | {"devices": "h100-sxm-80gb"})
    records = [e.record for e in planner.registry.catalog("price")]
    rents = sorted(
        r.usd_per_gpu_hour  # type: ignore[attr-defined]
        for r in records
        if (r.price_kind, r.accelerator) == ("on_demand", "h100-sxm-80gb")  # type: ignore[attr-defined]
        and r.usd_per_gpu_hour  # type: ignore[attr-defined]
    )
    assert len(rents) > 5
    assert found.best[0].values["cost_for_rate"] == pytest.approx(2 * median(rents))
    every = best(planner, given)
    assert any(x.reason == "no price on record with usd_per_gpu_hour" for x in every.asked.left_out)
    stated = best(planner, given | {"devices": "h100-sxm-80gb", "rent_per_gpu_hour": 1.5})
    assert stated.best[0].values["cost_for_rate"] == pytest.approx(3)


@pytest.mark.slow
def test_rented_devices_need_no_price_and_no_power() -> None:
    """What is not bought has no purchase and no power line, so a device without these facts is tried all the same."""
    planner = ts.planner()
    found = best(planner, {**LOAD, "model": "llama-3.1-8b", "counts": "8", "cost_basis": "rent", "count": 1})
    devices = planner.registry.catalog("accelerator")
    records = [devices.find(str(id)).record for id in tried(found)]
    assert any(r.number("gpu_price") is None for r in records)
    assert any(r.number("gpu_power") is None for r in records)
    missing = [r.example for r in found.rejected if r.reason == "a fact is missing"]
    assert not any("gpu_price" in line or "gpu_power" in line for line in missing)


@pytest.mark.slow
def test_progress_ends_with_all_candidates() -> None:
    told: list[tuple[int, int]] = []
    for given in (STEP | texts(STEP_SPACE), LOAD | texts(FLEET_SPACE)):
        found = best(ts.planner(), given, lambda done, total: told.append((done, total)))
        assert told[-1] == (found.candidates, found.candidates)
        assert all(0 <= done <= total for done, total in told)
