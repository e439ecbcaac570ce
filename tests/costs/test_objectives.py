"""What the search knows of fleets: plans at their peak, and bounds that are never above what they bound."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import tokensheet as ts
from tokensheet.arrays import evaluate_array
from tokensheet.goals import Goal
from tokensheet.search import searching
from tokensheet.search.best import best
from tokensheet.search.space import Space

PLAN = {
    "model": "llama-3.1-70b", "gpu": "h100-sxm-80gb", "gpus": 8, "prompt": 2048, "output": 256,
    "request_rate": 20, "target_ttft": 1, "target_tpot": 0.04,
}  # fmt: skip
BOUNDS = {
    "least_monthly_cost": "fleet_monthly_cost",
    "least_devices": "planned_devices",
    "least_energy": "planned_energy",
}


@pytest.mark.slow
def test_a_fleet_by_hand() -> None:
    """As many replicas as the load keeps busy, one spare, eight devices each; at the peak each has its share."""
    busy = math.ceil(20 / ts.evaluate("largest_replica_load", **PLAN))
    assert ts.evaluate("busy_replicas", **PLAN) == busy
    assert ts.evaluate("planned_devices", **PLAN) == (busy + 1) * 8
    energy = ts.evaluate("energy_per_month", gpu="h100-sxm-80gb", gpus=8, replicas=busy + 1)
    assert ts.evaluate("planned_energy", **PLAN) == pytest.approx(energy)
    at_peak = {**PLAN, "request_rate": 20 / busy, "percentile": 0.95}
    assert ts.evaluate("planned_ttft", **PLAN) == pytest.approx(ts.evaluate("ttft", **at_peak))
    assert ts.evaluate("planned_tpot", **PLAN) == pytest.approx(ts.evaluate("tpot", **at_peak))
    whole = ts.evaluate("loaded_request_time", **at_peak)
    assert ts.evaluate("planned_request_time", **PLAN) == pytest.approx(whole)
    share = 20 / busy / ts.evaluate("replica_capacity", **PLAN)
    assert ts.evaluate("planned_utilization", **PLAN) == pytest.approx(share)
    assert ts.evaluate("planned_batch", **PLAN) == pytest.approx(ts.evaluate("served_batch", **at_peak))


@pytest.mark.slow
def test_the_fullest_replica_is_at_its_target_and_the_lightest_below() -> None:
    """A target of 14 ms binds: the largest load is within 1/64 of it."""
    tight = PLAN | {"target_tpot": 0.014}
    assert 0.95 * 0.014 < ts.evaluate("fullest_tpot", **tight) <= 0.014
    for time in ("ttft", "tpot", "request_time"):
        planned, fullest = ts.evaluate(f"planned_{time}", **tight), ts.evaluate(f"fullest_{time}", **tight)
        assert ts.evaluate(f"lightest_{time}", **tight) < planned <= fullest * (1 + 1e-9)
    assert ts.evaluate("fullest_utilization", **tight) < 0.7
    loose = PLAN | {"target_ttft": 9, "target_tpot": 1}
    assert ts.evaluate("fullest_utilization", **loose) == pytest.approx(0.7)


def test_tokens_of_steps() -> None:
    plan = {"model": "llama-3.1-8b", "gpu": "l40s", "gpus": 1, "context": 1000, "batch": 8}
    rate, cost = ts.evaluate("tokens_per_second", **plan), ts.evaluate("cost_per_hour", gpu="l40s", gpus=1)
    assert ts.evaluate("usd_per_million_generated", **plan) == pytest.approx(cost / 3600 / rate * 1e6)
    wanted = plan | {"wanted_tokens_per_second": 3.5 * rate, "utilization": 0.5}
    assert ts.evaluate("reached_tokens_per_second", **wanted) == pytest.approx(7 * rate * 0.5)


def questions(count: int) -> list[dict[str, Any]]:
    """Random demands, targets and assumptions; all with the same names, so that one compiled graph serves all."""
    draw = random.Random(7)
    found = []
    for _ in range(count):
        found.append(
            {
                "model": draw.choice(["llama-3.1-8b", "mixtral-8x7b", "qwen2.5-32b", "llama-3.1-70b"]),
                "prompt": draw.choice([64, 700, 3000, 12_000]),
                "output": draw.choice([16, 200, 1000]),
                "request_rate": draw.choice([0.3, 4.0, 50.0]),
                "prompt_high_ratio": draw.choice([1.0, 2.5]),
                "output_high_ratio": draw.choice([1.0, 3.0]),
                "target_percentile": draw.choice([0, 0.5, 0.95, 0.99]),
                "target_utilization": draw.choice([0.5, 0.7, 0.9]),
                "spare_replicas": draw.choice([0, 1, 3]),
                "replica_availability": draw.choice([1, 0.97]),
                "chunked_prefill": draw.choice([0, 1]),
                **draw.choice(
                    [{}, {"target_tpot": 0.03}, {"target_ttft": 0.8}, {"target_request_time": 9.0}]
                ),
                **draw.choice([{}, {"target_tpot": 0.06}, {"cost_basis": "rent"}, {"discount_rate": 0.1}]),
                "devices": "h100-sxm-80gb,h200-sxm-141gb,b200-sxm-180gb,h100-pcie-80gb",
                "formats": "bf16,fp8",
                "counts": "1,8",
                "stages": "1,2",
            }
        )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("given", questions(5), ids=lambda g: f"{g['model']} {g['prompt']} {g['output']}")
def test_the_best_of_many_is_the_best_of_all(given: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """All candidates by another way than the search's: one array call for each combination of records."""
    monkeypatch.setattr(searching, "FIRST_LOOK", 8)
    monkeypatch.setattr(searching, "LONGEST_LOOK", 8)
    planner = ts.planner()
    found = {
        goal: best(planner, {**given, "goal": goal, "count": 2}) for goal in ("cost", "devices", "energy")
    }
    asked = found["cost"].asked
    space: Space = asked.space
    plans = [space.candidate(i) for i in range(space.size)]
    columns = {name: [plan[name] for plan in plans] for name in space.names}
    columns = {n: values for n, values in columns.items() if any(v is not None for v in values)}
    for name, (role, known) in asked.lookups.items():
        columns[name] = [known[plan[role]] for plan in plans]
    goals = {goal: asked.kit.of(Goal)[goal] for goal in found}
    names = tuple(name for part in goals.values() for name in (part.node, part.bound))
    answers = evaluate_array(planner.questions, names, {**asked.given, **columns}, planner.one)
    numbers = {name: answer.values.tolist() for name, answer in zip(names, answers, strict=True)}
    for goal, part in goals.items():
        assert found[goal].asked.space.size == space.size
        values = numbers[part.node]
        told = [plan.values[part.node] for plan in found[goal].best]
        assert told
        assert told == pytest.approx(sorted(v for v in values if v == v)[:2], rel=1e-9)
        for value, bound in zip(values, numbers[part.bound], strict=True):
            assert value != value or bound <= value * (1 + 1e-12)


def test_each_goal_with_a_bound_is_compared() -> None:
    kits = ts.planner().registry.searches.values()
    found = {g.bound: g.node for kit in kits for g in kit.of(Goal).values() if g.bound}
    assert found == BOUNDS
