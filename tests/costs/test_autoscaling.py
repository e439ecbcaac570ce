"""A fleet over the hours of a day: rate, replicas, latency and cost of an hour; what autoscaling costs; by hand."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet
from tests.cells import number

DAY = {f"load_at_{hour:02}": 8 if 8 <= hour < 20 else 1 for hour in range(24)}
PLAN: dict[str, Any] = {
    "model": "llama-3.1-70b", "gpu": "h100-sxm-80gb", "gpus": 8, "prompt": 2048, "output": 256, "request_rate": 32,
}  # fmt: skip
HAND: dict[str, Any] = {**PLAN, **DAY, "largest_replica_load": 4.0}
"""32 requests a second at the peak; a replica takes four under its targets: 8 replicas by day, 1 by night, a spare."""


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **given))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(("hour", "load"), [(0, 1), (7, 1), (8, 8), (12, 8), (19, 8), (20, 1), (23, 1)])
def test_each_hour_has_its_own_load(hour: int, load: float) -> None:
    assert ask("hour_load", **DAY, hour=hour) == load


def test_every_hour_is_another_input() -> None:
    """No hour reads its neighbour's load."""
    loads = {f"load_at_{hour:02}": 100 + hour for hour in range(24)}
    assert [ask("hour_load", **loads, hour=hour) for hour in range(24)] == list(range(100, 124))
    assert tokensheet.why("hour_load", hour=24) == "hour is 24; it must be at most 23"


def test_the_rate_of_an_hour_is_that_of_a_mean_day() -> None:
    """The peak is the busiest minutes of the busiest day: 32/(1.6 × 1.25) on a mean day, an eighth of it at night."""
    factors = {"busiest_day_factor": 1.6, "burst_factor": 1.25}
    assert ask("hour_request_rate", **HAND, **factors, hour=9) == near(16)
    assert ask("hour_request_rate", **HAND, **factors, hour=3) == near(2)
    assert ask("hour_busy_rate", **HAND, **factors, hour=3) == near(2.5)
    rates = [ask("hour_request_rate", **HAND, **factors, hour=hour) for hour in range(24)]
    assert sum(rates) / 24 == near(ask("request_rate", **HAND) / ask("peak_to_average", **DAY, **factors))


def test_replicas_of_an_hour() -> None:
    """A fixed fleet keeps all nine on; an autoscaled one has what the hour needs, and the spare."""
    assert [ask("hour_fleet", **HAND, hour=h) for h in (3, 9)] == [9, 9]
    assert [ask("hour_fleet", **HAND, hour=h, autoscaling=1) for h in (3, 9)] == [2, 9]
    assert [ask("hour_serving", **HAND, hour=h) for h in (3, 9)] == [8, 8]
    assert [ask("hour_serving", **HAND, hour=h, autoscaling=1) for h in (3, 9)] == [1, 8]


@pytest.mark.parametrize("hour", [24, -1, 9.5])
def test_an_hour_outside_the_day_is_an_error_in_every_row(hour: float) -> None:
    """Also where a fixed fleet is the same in all hours."""
    plan = {**HAND, "rent_per_gpu_hour": 2, "target_ttft": 1, "target_tpot": 0.04}
    names = [n for n in tokensheet.planner().registry.formulas() if n.startswith("hour_")]
    assert len(names) >= 8
    for name in names:
        assert f"hour is {hour:g}; it must be" in tokensheet.why(name, **plan, hour=hour), name


def test_the_mean_of_the_hours_is_what_autoscaling_pays() -> None:
    """24 hours, and a quarter hour for each of the seven starts."""
    hours = [ask("hour_fleet", **HAND, hour=h, autoscaling=1) for h in range(24)]
    assert ask("autoscaled_replicas", **HAND) == near((sum(hours) + 7 * 0.25) / 24)


@pytest.mark.slow
def test_latency_of_an_hour_is_that_of_its_rate() -> None:
    """At night the fixed fleet is nearly idle, the autoscaled one as busy as its hour makes it; both hold at the peak."""
    plan = {**PLAN, **DAY, "target_ttft": 1, "target_tpot": 0.04}
    serving = ask("busy_replicas", **plan)
    for hour, rate in ((3, 4), (9, 32)):
        for of_hour, node in (("hour_ttft", "ttft"), ("hour_tpot", "tpot")):
            given = {**PLAN, "replicas": serving, "request_rate": rate, "percentile": 0.95}
            assert ask(of_hour, **plan, hour=hour) == near(ask(node, **given))
    assert ask("hour_ttft", **plan, hour=9) <= 1
    night = {**plan, "hour": 3}
    assert ask("hour_tpot", **night) < ask("hour_tpot", **night, autoscaling=1) <= 0.04
    assert ask("hour_utilization", **night) < ask("hour_utilization", **night, autoscaling=1) < 0.7


def test_cost_of_an_hour() -> None:
    """Replicas that are on, eight devices each, at two dollars."""
    rent = {"rent_per_gpu_hour": 2}
    assert ask("hour_cost", **HAND, **rent, hour=3) == near(9 * 16)
    assert ask("hour_cost", **HAND, **rent, hour=3, autoscaling=1) == near(2 * 16)


WAYS: dict[str, dict[str, float]] = {
    "bought, with interest": {"discount_rate": 0.08, "residual_share": 0.1, "support_share_per_year": 0.05},
    "rented": {"rent_per_gpu_hour": 2, "staff_per_month": 9000, "storage_per_month": 500},
    "reserved": {"rent_per_gpu_hour": 2, "reserved_rent": 1},
}


@pytest.mark.parametrize("way", WAYS)
def test_the_hours_of_a_month_cost_what_the_month_costs(way: str) -> None:
    """730 mean hours are FLEET_MONTHLY_COST; switched off by night, only what is rented on demand costs less."""
    more = WAYS[way]
    month = ask("fleet_monthly_cost", **HAND, **more)
    assert sum(ask("hour_cost", **HAND, **more, hour=h) for h in range(24)) * 730 / 24 == near(month)
    scaled = sum(ask("hour_cost", **HAND, **more, hour=h, autoscaling=1) for h in range(24)) * 730 / 24
    saved = 12 * 7 / 24 * 16 * 730 if way == "rented" else 0
    assert scaled == near(month - saved)


def test_starts_longer_than_the_hours_saved_leave_machines_on() -> None:
    """Every second hour of the night is quiet: starts of three hours would cost more than those hours; nothing is saved or lost."""
    quiet = {f"load_at_{hour:02}": 1 if hour % 2 else 8 for hour in range(24)}
    given = {**HAND, **quiet}
    assert ask("autoscaling_saving", **given, start_up_time=3) == 0
    assert ask("autoscaled_replicas", **given, start_up_time=3) == 9
    assert ask("autoscaled_replicas", **given, start_up_time=0.5) == near(
        (12 * 8 + 12 * 1 + 12 * 7 * 0.5) / 24 + 1
    )


@pytest.mark.parametrize(("availability", "updated"), [(1, 0), (0.9, 0), (0.8, 0.1), (0.97, 0.25)])
@pytest.mark.parametrize("rate", [3.9, 4.4, 20, 23])
def test_a_flat_day_saves_nothing_whatever_is_down(rate: float, availability: float, updated: float) -> None:
    """Hours are rounded as the peak is."""
    given = {
        **PLAN,
        "largest_replica_load": 4.0,
        "replica_availability": availability,
        "update_share": updated,
    }
    given["request_rate"] = rate
    assert ask("autoscaling_saving", **given) == 0
    assert ask("hour_serving", **given, hour=3, autoscaling=1) == ask("hour_serving", **given, hour=3)
    assert ask("hour_serving", **given, hour=3) == ask("busy_replicas", **given)


def test_a_peak_that_the_hours_do_not_give_is_told() -> None:
    """A mean day follows its hours; who gives the peak over the average alone has no hours."""
    says = "the hours of a mean day follow these, not it; give load_at_00"
    flat = {**PLAN, "largest_replica_load": 4.0}
    for name in ("hour_request_rate", "autoscaling_saving", "hour_ttft"):
        for given, warned in (({**flat, "peak_to_average": 3}, True), (flat, False), (HAND, False)):
            told = tokensheet.planner().explain(name, **given, hour=3)[1]
            assert any(says in line for line in told) is warned, (name, given)


def test_a_month_of_autoscaled_machines() -> None:
    """Replica hours of a mean day, starts included, for 730 hours; only what can be given back saves anything."""
    replicas = (12 * 9 + 12 * 2 + 7 * 0.25) / 24
    assert ask("autoscaled_monthly_cost", **HAND, rent_per_gpu_hour=2) == near(replicas * 16 * 730)
    for more in ({}, {"rent_per_gpu_hour": 2, "reserved_rent": 1}):
        assert tokensheet.why("autoscaled_monthly_cost", **HAND, **more).startswith(
            "machines that are bought or reserved are paid around the clock"
        )


def test_an_hour_in_a_cell() -> None:
    """Hour 9 of a flat day is the peak."""
    plan = '"llama-3.1-70b","h100-sxm-80gb",8,2048,256,20'
    assert number(f"=HOUR_FLEET({plan},9,1,0.04)") == number(f"=REPLICAS_NEEDED({plan},1,0.04)")


@pytest.mark.parametrize("name", ["fleet_monthly_cost", "fleet_usd_per_million", "growing_net_present_cost"])
def test_money_of_the_peak_says_so_when_machines_are_given_back(name: str) -> None:
    """Costs of the fleet are those of all replicas around the clock, which autoscaling does not change."""
    rented = {**HAND, "rent_per_gpu_hour": 2, "plan_years": 2}
    for more, warned in (
        ({"autoscaling": 1}, True),
        ({}, False),
        ({"autoscaling": 1, "reserved_rent": 1}, False),
    ):
        told = tokensheet.planner().explain(name, **rented, **more)[1]
        assert any("AUTOSCALED_MONTHLY_COST says" in line for line in told) is warned, (name, more)
