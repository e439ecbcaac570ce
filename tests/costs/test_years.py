"""A fleet that grows with its demand: each year by hand, and the sum against the discounted years."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet
from tests.cells import number

PLAN: dict[str, Any] = {
    "model": "llama-3.1-70b", "gpu": "h100-sxm-80gb", "gpus": 8, "prompt": 2048, "output": 256, "request_rate": 20,
    "largest_replica_load": 4.0, "system_price": 300_000, "system_power": 10_000, "pue": 1.2, "electricity_price": 0.1,
    "growth_per_year": 0.5,
}  # fmt: skip
"""20 requests a second take 5 replicas and a spare one; half as many more each year."""
POWER = 10 * 1.2 * 0.1 * 730 * 12
"""Dollars of a replica's electricity a year."""


OF_A_YEAR = (
    "year_request_rate", "year_gpus", "year_nodes", "year_capital", "year_running", "year_residual", "year_usd_per_million",
)  # fmt: skip


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **{**PLAN, "plan_years": 4, **given}))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-9)


def test_demand_and_devices_of_each_year() -> None:
    """20, 30, 45, 67.5 requests a second: 5, 8, 12, 17 replicas and a spare one, of eight devices."""
    years = range(1, 5)
    assert [ask("year_request_rate", plan_year=y) for y in years] == near([20, 30, 45, 67.5])
    assert [ask("year_replicas", plan_year=y) for y in years] == [6, 9, 13, 18]
    assert [ask("year_gpus", plan_year=y) for y in years] == [48, 72, 104, 144]
    assert [ask("year_nodes", plan_year=y) for y in years] == [6, 9, 13, 18]


def test_capital_and_running_costs_of_each_year() -> None:
    """6, 3, 4, 5 machines are added, a tenth cheaper each year; power of all, two per cent dearer each year."""
    more = {"price_change_per_year": -0.1, "running_cost_growth": 0.02}
    years = range(1, 5)
    added = [6, 3, 4, 5]
    capital = [n * 300_000 * 0.9**i for i, n in enumerate(added)]
    running = [n * POWER * 1.02**i for i, n in enumerate((6, 9, 13, 18))]
    assert [ask("year_capital", **more, plan_year=y) for y in years] == near(capital)
    assert [ask("year_running", **more, plan_year=y) for y in years] == near(running)
    left = 18 * 300_000 * 0.2
    flows = [-(c + r) for c, r in zip(capital, running, strict=True)]
    flows[-1] += left
    assert [ask("year_cash_flow", **more, residual_share=0.2, plan_year=y) for y in years] == near(flows)


@pytest.mark.parametrize("rate", [0.0, 0.08])
@pytest.mark.parametrize("years", [1, 2, 5, 10])
def test_the_growing_fleets_present_cost_is_the_sum_of_its_years(rate: float, years: int) -> None:
    """Purchases at the start of a year, the rest at its end."""
    given = {"discount_rate": rate, "residual_share": 0.1, "plan_years": years}
    total = 0.0
    for year in range(1, years + 1):
        capital, running, left = (
            ask(n, **given, plan_year=year) for n in ("year_capital", "year_running", "year_residual")
        )
        total += capital / (1 + rate) ** (year - 1) + (running - left) / (1 + rate) ** year
        worth = ask("year_present_value", **given, plan_year=year)
        assert worth == near(-capital / (1 + rate) ** (year - 1) - (running - left) / (1 + rate) ** year)
    assert ask("growing_net_present_cost", **given) == near(total)


def test_without_growth_it_is_the_plain_net_present_cost() -> None:
    """Six replicas bought once: both ways to say it agree, also rented."""
    given = {"growth_per_year": 0, "discount_rate": 0.07, "residual_share": 0.3, "running_cost_growth": 0.03}
    for rent in ({}, {"rent_per_gpu_hour": 2.5}):
        plain = ask("net_present_cost", **given, **rent, replicas=6)
        assert ask("growing_net_present_cost", **given, **rent) == near(plain)


def test_a_rented_fleet_has_no_capital() -> None:
    """9 replicas of eight devices at 2.50 dollars in the second year."""
    rent = {"rent_per_gpu_hour": 2.5, "residual_share": 0.2}
    assert ask("year_capital", **rent, plan_year=2) == 0
    assert ask("year_cash_flow", **rent, plan_year=2) == near(-9 * 8 * 2.5 * 8760)


def test_a_shrinking_fleet_sells_at_the_end() -> None:
    """Half the demand each year: nothing is bought after the first year, and the first year's machines are sold."""
    given = {"growth_per_year": -0.5, "residual_share": 0.2}
    assert [ask("year_replicas", **given, plan_year=y) for y in (1, 2, 3)] == [6, 4, 3]
    assert ask("year_capital", **given, plan_year=2) == 0
    assert ask("year_residual", **given, plan_year=4) == near(6 * 300_000 * 0.2)


def test_years_that_are_not_of_the_plan() -> None:
    assert tokensheet.why("year_cash_flow", **PLAN, plan_years=4, plan_year=5) == (
        "year 5 is beyond the 4 years of the plan"
    )
    assert tokensheet.why("year_replicas", **PLAN, plan_year=0).startswith("plan_year 0 is the start")
    for name in OF_A_YEAR:
        why = tokensheet.why(name, **PLAN, plan_years=4, plan_year=0)
        assert why.startswith("plan_year 0 is the start"), (name, why)
        why = tokensheet.why(name, **PLAN, plan_years=4, plan_year=5)
        assert why == "year 5 is beyond the 4 years of the plan", name
    assert tokensheet.why("growing_net_present_cost", **PLAN, plan_years=11) == (
        "11 years are more than the ten that are summed for a growing fleet; give fewer"
    )


def test_growth_is_counted_once() -> None:
    """Demand that has grown for two years is not the first year's."""
    users = {k: v for k, v in PLAN.items() if k != "request_rate"}
    users |= {"users": 100, "think_time": 4, "answer_time": 1}
    rates = [tokensheet.evaluate("year_request_rate", **users, plan_years=4, plan_year=y) for y in (1, 2)]
    assert rates == near([20, 30])
    says = "years_ahead is 2, and the years of the plan grow as well; give the first year's demand with years_ahead 0"
    for name in (*OF_A_YEAR, "year_replicas", "year_cash_flow", "growing_net_present_cost"):
        if name == "year_residual":
            continue  # bought for the last year: read there only
        assert tokensheet.why(name, **users, plan_years=4, plan_year=1, years_ahead=2) == says, name


def test_tokens_of_a_year_cost_what_its_fleet_costs() -> None:
    """The same tokens with a larger fleet at a larger load."""
    asked = {**PLAN, "request_rate": 45}
    wanted = tokensheet.evaluate("fleet_usd_per_million", **asked)
    assert ask("year_usd_per_million", plan_year=3) == near(wanted)


@pytest.mark.slow
def test_years_in_cells() -> None:
    plan = '"llama-3.1-70b","h100-sxm-80gb",8,2048,256,20'
    options = '"growth_per_year=0.5"'
    assert number(f"=YEAR_REPLICAS({plan},1,1,0.04,0.95,{options})") == number(
        f"=REPLICAS_NEEDED({plan},1,0.04)"
    )
    assert number(f"=YEAR_CASH_FLOW({plan},2,3,1,0.04,0.95,{options})") < 0
    assert number(f"=GROWING_NET_PRESENT_COST({plan},3,1,0.04,0.95,{options})") > 0
