"""Replicas, nodes, racks and autoscaling, with every number by hand; and what the fleet's tokens cost."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest

import tokensheet
from tokensheet import recipe_files

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
PLAN: dict[str, Any] = {
    "model": "llama-3.1-70b",
    "gpu": "h100-sxm-80gb",
    "gpus": 8,
    "prompt": 2048,
    "output": 256,
}
HAND: dict[str, Any] = {**PLAN, "largest_replica_load": 4.0}
"""A replica that takes four requests a second under its targets."""


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **given))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("rate", "more", "replicas"),
    [
        (0.1, {}, 1 + 1),
        (4.0, {}, 1 + 1),
        (4.1, {}, 2 + 1),
        (20.0, {}, 5 + 1),
        (20.0, {"spare_replicas": 0}, 5),
        (20.0, {"spare_replicas": 2}, 5 + 2),
        (20.0, {"replica_availability": 0.99}, 6 + 1),
        (20.0, {"update_share": 0.2}, 7 + 1),
        (100.0, {"replica_availability": 0.98, "update_share": 0.1}, 29 + 1),
    ],
)
def test_replicas_for_a_peak(rate: float, more: dict[str, float], replicas: int) -> None:
    """Whole replicas for the load; more when some are down or updated; and spares, one by default."""
    assert ask("replicas_needed", **HAND, **more, request_rate=rate) == replicas


@pytest.mark.slow
def test_replicas_hold_the_targets_and_one_fewer_does_not() -> None:
    """The answer in cells is checked with the latencies themselves."""
    targets = {"target_ttft": 0.4, "target_tpot": 0.03}
    count = ask("replicas_needed", **PLAN, **targets, request_rate=50, spare_replicas=0)

    def holds(replicas: float) -> bool:
        given = {**PLAN, "request_rate": 50, "replicas": replicas, "percentile": 0.95}
        times = ask("ttft", **given), ask("tpot", **given)
        busy = ask("replica_utilization", **{k: v for k, v in given.items() if k != "percentile"})
        return times[0] <= 0.4 and times[1] <= 0.03 and busy <= 0.7

    assert holds(count)
    assert not holds(count - 1)


def test_a_peak_from_users_reaches_the_fleet() -> None:
    """6000 users who think 50 s and wait 10 s ask 100 times a second: 25 replicas and a spare one."""
    given = {"users": 6000, "think_time": 50, "answer_time": 10}
    assert ask("replicas_needed", **HAND, **given) == 25 + 1


@pytest.mark.parametrize(
    ("gpus", "replicas", "more", "nodes"),
    [
        (8, 5, {}, 5),
        (4, 5, {}, 3),
        (3, 5, {}, 3),
        (1, 17, {}, 3),
        (16, 5, {}, 10),
        (12, 5, {}, 10),
        (4, 5, {"node_gpus": 4}, 5),
        (4, 5, {"other_nodes": 0.5}, 4),
        (72, 2, {"node_gpus": 72}, 2),
    ],
)
def test_whole_nodes(gpus: int, replicas: int, more: dict[str, float], nodes: int) -> None:
    """Small replicas share a node as far as they fit whole; large ones take several nodes each."""
    given = {"gpus": gpus, "replicas": replicas, **more}
    assert ask("fleet_nodes", **given) == nodes
    assert ask("fleet_gpus", **given) == nodes * more.get("node_gpus", 8)
    assert ask("fleet_racks", **given) == math.ceil(nodes / 4)


DAY = {f"load_at_{hour:02}": 8 if 8 <= hour < 20 else 1 for hour in range(24)}


def test_autoscaling_follows_the_hours() -> None:
    """32 requests a second at the peak take 8 replicas: 12 hours of 8, 12 of 1, 7 starts of a quarter hour, a spare."""
    given = {**HAND, **DAY, "request_rate": 32}
    by_hand = (12 * 8 + 12 * 1 + 7 * 0.25) / 24 + 1
    assert ask("autoscaled_replicas", **given) == near(by_hand)
    assert ask("autoscaling_saving", **given) == near(1 - by_hand / 9)
    assert ask("autoscaled_replicas", **given, start_up_time=1) == near((12 * 9 + 7) / 24 + 1)
    assert ask("autoscaled_replicas", **given, least_replicas=2, spare_replicas=0) == near(
        (96 + 24 + 6 * 0.25) / 24
    )


def test_autoscaling_counts_a_mean_day() -> None:
    """The peak is of the busiest day; on a mean day it is 1.6 times lower: 5 replicas and 1."""
    given = {
        **HAND,
        **DAY,
        "request_rate": 32,
        "busiest_day_factor": 1.6,
        "spare_replicas": 0,
        "start_up_time": 0,
    }
    assert ask("autoscaled_replicas", **given) == near((12 * 5 + 12) / 24)


def test_a_flat_day_saves_nothing() -> None:
    assert ask("autoscaling_saving", **HAND, request_rate=32) == 0


def test_tokens_of_the_fleet_pay_for_idle_hours_and_spares() -> None:
    """20 a second at the peak, on average 1/(8·24/108) of it; 6 replicas of 8 rented devices at 2 dollars."""
    given = {**HAND, **DAY, "request_rate": 20, "rent_per_gpu_hour": 2}
    tokens = 20 * (108 / 24 / 8) * (2048 + 256) * 3600 * 730
    assert ask("tokens_per_month", **given) == near(tokens)
    assert ask("fleet_monthly_cost", **given) == near(6 * 8 * 2 * 730)
    assert ask("fleet_usd_per_million", **given) == near(6 * 8 * 2 * 730 / tokens * 1e6)


# ---- what a customer is told, and what is said beside it


def test_the_fleets_price_is_its_cost_with_margin_less_discount() -> None:
    """Cost over 0.75 times 0.9; the price of the batch is another number."""
    given = {**HAND, "request_rate": 20.0, "rent_per_gpu_hour": 2.0, "margin": 0.25, "discount": 0.1}
    cost = 6 * 8 * 2 * 730
    tokens = 20 * (2048 + 256) * 3600 * 730
    assert ask("fleet_quote_per_month", **given) == near(cost / 0.75 * 0.9)
    assert ask("fleet_quote_per_million", **given) == near(cost / tokens * 1e6 / 0.75 * 0.9)


def test_devices_paid_for_are_those_of_the_replicas() -> None:
    """Six replicas of three devices are 18 devices on three nodes of eight: money counts 18, and 24 are there."""
    given = {**HAND, "gpus": 3, "request_rate": 20.0, "rent_per_gpu_hour": 2.0}
    assert (ask("planned_devices", **given), ask("devices_needed", **given)) == (18, 24)
    assert ask("fleet_monthly_cost", **given) == near(18 * 2 * 730)


USERS: dict[str, Any] = {"users": 600, "think_time": 20, "answer_time": 10}


@pytest.mark.parametrize(
    ("demand", "warned"),
    [
        (USERS, True),
        ({"requests_per_day": 1e6}, True),
        ({**USERS, "load_at_03": 0.1}, False),
        ({**USERS, "peak_to_average": 2}, False),
        ({"request_rate": 20}, False),
    ],
)
def test_a_day_that_is_flat_because_nobody_said_otherwise_is_told(
    demand: dict[str, Any], warned: bool
) -> None:
    says = "the load is taken as the same in all 24 hours; give load_at_00 … load_at_23, or peak_to_average"
    for name in ("tokens_per_month", "fleet_usd_per_million", "fleet_quote_per_million"):
        found = tokensheet.planner().explain(name, **HAND, **demand)[1]
        assert (says in found) is warned, name


def test_the_fleet_holds_its_targets() -> None:
    """The fleet that is sized does; three replicas do not, whatever spares stand by."""
    given = {**PLAN, "request_rate": 20, "target_ttft": 1, "target_tpot": 0.04}
    assert ask("fleet_holds_targets", **given) == 1
    assert ask("fleet_holds_targets", **given, busy_replicas=3) == 0
    assert "fleet_holds_targets" in recipe_files.find(tokensheet.planner(), "fleet-plan").checks


@pytest.mark.parametrize(("answer", "early"), [(15, True), (3, False), (1, False)])
def test_users_who_get_answers_sooner_ask_more_often(answer: float, early: bool) -> None:
    """A stated answer time above the fleet's own makes the rate too low, and that is told; a shorter one is on the safe side."""
    given = {**PLAN, "users": 600, "think_time": 20, "target_tpot": 0.04}
    told = tokensheet.why("answers_take_as_long", **given, answer_time=answer)
    assert ask("answers_take_as_long", **given, answer_time=answer) == (0 if early else 1), told
    assert ask("answers_take_as_long", **{**PLAN, "request_rate": 20}) == 1
    assert "answers_take_as_long" in recipe_files.find(tokensheet.planner(), "fleet-plan").checks


@pytest.mark.slow
def test_the_fleet_that_is_shown_answers_as_its_proposal_says() -> None:
    """The stated answer time of the example is that of its fastest fleets; slower ones are on the safe side."""
    shown = tomllib.loads((WORKBOOKS / "chat-fleet-owned-or-rented.toml").read_text("utf-8"))
    for candidate in shown["candidates"]:
        plan = {n: v for n, v in candidate.items() if n != "name"}
        given = {**shown["workload"], **shown["assumptions"], **plan}
        assert ask("answers_take_as_long", **given) == 1, candidate["name"]
