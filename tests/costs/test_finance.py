"""Money: months, years, present value, tokens by kind, APIs, energy, currencies; each by hand or summed year by year."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet
from tests.cells import number

SERVER: dict[str, Any] = {
    "gpu": "h100-sxm-80gb", "gpus": 8, "replicas": 1, "system_price": 300_000, "system_power": 5600, "pue": 1,
    "electricity_price": 0.1,
}  # fmt: skip
"""A machine of 300,000 dollars and 5.6 kW."""


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **given))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-9)


# ---- months


def test_a_month_has_730_hours() -> None:
    """20 dollars an hour are 14,600 a month; a node of eight at 20 is 2.50 a device."""
    found = ask("monthly_cost", gpu="h100-sxm-80gb", gpus=8, replicas=1, rent_per_gpu_hour=2.5)
    assert found == near(14_600)
    assert number('=MONTHLY_COST("h100-sxm-80gb",8,1,"rent_per_gpu_hour=2.5")') == near(14_600)


@pytest.mark.parametrize(("years", "hourly"), [(3, 11.4155), (5, 6.8493)])
def test_a_purchase_is_spread_over_all_hours_of_its_years(years: int, hourly: float) -> None:
    """300,000 dollars over 3 and 5 years, around the clock; the month is a twelfth of the year's share."""
    machine = {**SERVER, "amortization_years": years}
    assert ask("capital_cost_per_hour", **machine) == pytest.approx(hourly, abs=1e-4)
    assert ask("capital_per_month", **machine) == near(300_000 / years / 12)


def test_a_used_hour_costs_more() -> None:
    """At 40 % use each used hour carries 11.42/0.4 = 28.54 dollars of capital."""
    machine = {**SERVER, "electricity_price": 0, "amortization_years": 3, "utilization": 0.4}
    assert ask("cost_per_used_hour", **machine) == pytest.approx(28.54, abs=0.005)


def test_power_of_devices_and_of_the_whole_server() -> None:
    """8 × 700 W for 730 h are 4,088 kWh; with PUE 1.3, once, at 0.12: 637.73 dollars. The whole server: 7,446 kWh."""
    assert ask("energy_per_month", **SERVER) == near(4088)
    building = {**SERVER, "pue": 1.3, "electricity_price": 0.12}
    assert ask("power_per_month", **building) == pytest.approx(637.73, abs=0.005)
    assert ask("energy_per_month", **{**SERVER, "system_power": 10_200}) == near(7446)


def test_power_follows_use_when_idling_is_stated() -> None:
    """A quarter of the power idle, half of the time busy: 62.5 % of the energy."""
    assert ask("average_power", **SERVER, idle_power_share=0.25, utilization=0.5) == near(5600 * 0.625)
    assert ask("average_power", **SERVER, utilization=0.5) == near(5600)


def test_every_line_of_the_month() -> None:
    """Two machines: capital, power, hosting, support of 6 % a year, network, storage, staff."""
    found = ask(
        "monthly_cost",
        **{**SERVER, "replicas": 2},
        hosting_per_hour=1.5,
        support_share_per_year=0.06,
        network_per_month=400,
        storage_per_month=250,
        staff_per_month=9000,
        amortization_years=4,
    )
    capital, power, hosting, support = 600_000 / 48, 2 * 4088 * 0.1, 2 * 1.5 * 730, 600_000 * 0.06 / 12
    assert found == near(capital + power + hosting + support + 400 + 250 + 9000)


def test_interest_is_an_annuity() -> None:
    """The payments of 48 months, each discounted by a twelfth of a year of 8 %, are worth price less residual value."""
    payment = ask("capital_per_month", **SERVER, amortization_years=4, discount_rate=0.08, residual_share=0.1)
    monthly = 1.08 ** (1 / 12)
    assert sum(payment / monthly**month for month in range(1, 49)) == near(300_000 * (1 - 0.1 / 1.08**4))


RENT: dict[str, Any] = {"gpu": "h100-sxm-80gb", "gpus": 1, "replicas": 1}


def test_rent_on_demand_reserved_and_spot() -> None:
    """4.00 on demand for 30 % of the hours; 2.20 reserved around the clock is 1,606; spot of 1.60 is billed while it is there."""
    on_demand = ask("rent_per_month", **RENT, rent_per_gpu_hour=4, rented_share=0.3)
    reserved = ask("rent_per_month", **RENT, rent_per_gpu_hour=2.2, rented_share=0.3, reserved_rent=1)
    spot = ask("rent_per_month", **RENT, rent_per_gpu_hour=1.6, rent_availability=0.9)
    assert (on_demand, reserved, spot) == (near(4 * 730 * 0.3), near(1606), near(1.6 * 730))


def test_rent_has_no_capital_power_or_support_of_its_own() -> None:
    given = {**SERVER, "rent_per_gpu_hour": 2, "support_share_per_year": 0.1, "hosting_per_hour": 3}
    assert ask("monthly_cost", **given) == near(8 * 2 * 730)
    assert ask("net_present_cost", **given, plan_years=1) == near(8 * 2 * 730 * 12)


# ---- years


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.12, -0.02])
@pytest.mark.parametrize("growth", [0.0, 0.03, 0.05])
@pytest.mark.parametrize("years", [1, 3, 7])
def test_net_present_cost_is_the_sum_of_the_years(rate: float, growth: float, years: int) -> None:
    """The closed form equals each year's cash flow discounted, also where growth and rate are equal."""
    given = {**SERVER, "residual_share": 0.2, "running_cost_growth": growth, "staff_per_month": 1000}
    flows = [ask("cash_flow", **given, plan_year=year, plan_years=years) for year in range(years + 1)]
    summed = -sum(flow / (1 + rate) ** year for year, flow in enumerate(flows))
    assert ask("net_present_cost", **given, discount_rate=rate, plan_years=years) == near(summed)


def test_cash_flow_of_each_year_by_hand() -> None:
    """Purchase at the start; power and 1000 a month, growing by 10 %; a fifth of the price comes back in the third year."""
    given = {
        **SERVER,
        "residual_share": 0.2,
        "running_cost_growth": 0.1,
        "staff_per_month": 1000,
        "plan_years": 3,
    }
    first = (4088 * 0.1 + 1000) * 12
    flows = [ask("cash_flow", **given, plan_year=year) for year in range(4)]
    assert flows == [near(-300_000), near(-first), near(-first * 1.1), near(60_000 - first * 1.21)]
    assert tokensheet.why("cash_flow", **given, plan_year=4) == "year 4 is beyond the 3 years of the plan"


def test_the_machine_must_have_the_plans_devices() -> None:
    for name, more in (("monthly_cost", {}), ("net_present_cost", {"plan_years": 3})):
        reason = tokensheet.why(name, gpu="rtx-4090", gpus=4, replicas=1, system="li-8x4090-pcie", **more)
        assert reason.startswith("the system has 8 devices, the plan 4")


# ---- tokens

TOKENS: dict[str, Any] = {
    "model": "llama-3.1-70b", "gpu": "h100-sxm-80gb", "gpus": 8, "prompt": 2048, "output": 256, "cost_per_hour": 20,
    "missed_prefill_work": 0.1, "hit_prefill_work": 0.1, "long_prefill_work": 0.1, "full_step_time": 0.03, "full_batch": 128,
}  # fmt: skip
"""A replica of 20 dollars an hour: 0.1 s a prompt, 30 ms for a step of 128."""


def test_input_and_output_tokens_pay_for_their_time() -> None:
    """20/3600 dollars a second: 0.1/2048 s an input token, 0.03/128 s an output token; twice that at half the use."""
    second = 20 / 3600
    assert ask("usd_per_million_input", **TOKENS) == near(second * 0.1 / 2048 * 1e6)
    assert ask("usd_per_million_output", **TOKENS) == near(second * 0.03 / 128 * 1e6)
    assert ask("usd_per_million_output", **TOKENS, utilization=0.5) == near(2 * second * 0.03 / 128 * 1e6)


def test_prices_at_100_percent_stand_beside_those_at_the_stated_use() -> None:
    """At a quarter of the time in use each token costs four times as much."""
    for kind in ("input", "cached", "output"):
        given = {**TOKENS, "shared_prefix": 1000, "hit_prefill_work": 0.05, "utilization": 0.25}
        if kind == "cached":
            given.pop("missed_prefill_work")
        full = ask(f"full_usd_per_million_{kind}", **given)
        assert ask(f"usd_per_million_{kind}", **given) == near(4 * full)


def test_a_request_costs_its_tokens() -> None:
    """2048 input tokens and the 255 output tokens after the first."""
    parts = 2048 * ask("usd_per_million_input", **TOKENS) + 255 * ask("usd_per_million_output", **TOKENS)
    assert ask("request_cost", **TOKENS) == near(parts / 1e6)


def test_cached_tokens_cost_a_little() -> None:
    """Only attention to them: far less than computing them, but not nothing."""
    given = {k: v for k, v in TOKENS.items() if not k.endswith("_work")} | {
        "prompt": 8192,
        "shared_prefix": 8000,
    }
    computed, cached = ask("usd_per_million_input", **given), ask("usd_per_million_cached", **given)
    assert 0 < cached < computed / 10
    assert ask("usd_per_million_cached", **{**given, "shared_prefix": 0}) == 0


API: dict[str, Any] = {
    "api_usd_per_million_input_tokens": 0.5, "api_usd_per_million_cached_input_tokens": 0.05,
    "api_usd_per_million_output_tokens": 3.0,
}  # fmt: skip


def test_cached_tokens_are_part_of_the_prompt() -> None:
    """More of them than the prompt has would lower the price below nothing; all of it is the least."""
    says = "1,000 cached tokens are more than the prompt's 100; they are a part of it"
    given = {**API, "prompt": 100, "output": 256}
    machine = {"gpu": "h100-sxm-80gb", "gpus": 8, "replicas": 1}
    for name, more in (
        ("api_request_cost", {}),
        ("break_even_tokens", machine),
        ("break_even_rate", machine),
    ):
        assert tokensheet.why(name, **given, **more, mean_cached_prompt=1000).replace("1000", "1,000") == says
        assert ask(name, **given, **more, mean_cached_prompt=100) > 0


def test_cached_tokens_are_not_charged_twice() -> None:
    """20,212 input tokens that include 16,298 cached ones, and 931 output tokens: 0.005565 dollars."""
    found = ask("api_request_cost", **API, prompt=20_212, mean_cached_prompt=16_298, output=931)
    assert found == near((3914 * 0.5 + 16_298 * 0.05 + 931 * 3) / 1e6)
    assert round(found, 6) == 0.005565


def test_an_api_without_a_cached_price_answers_where_nothing_is_cached() -> None:
    given = {k: v for k, v in API.items() if "cached" not in k}
    assert ask("api_request_cost", **given, prompt=1000, output=100) == near((1000 * 0.5 + 100 * 3) / 1e6)


def test_break_even_with_an_api() -> None:
    """A month of 14,600 dollars, requests of 1300 tokens at 0.00055 + 0.0009 dollars."""
    given = {
        **API,
        "gpu": "h100-sxm-80gb",
        "gpus": 8,
        "replicas": 1,
        "rent_per_gpu_hour": 2.5,
        "prompt": 1000,
        "output": 300,
    }
    requests = 14_600 / ((1000 * 0.5 + 300 * 3) / 1e6)
    assert ask("break_even_tokens", **given) == near(requests * 1300)


def test_break_even_with_an_api_of_the_catalogue() -> None:
    found = number('=BREAK_EVEN_TOKENS("h100-sxm-80gb",8,1,"p187",1000,300,"rent_per_gpu_hour=2.5")')
    assert found == near(14_600 / ((1000 * 5 + 300 * 25) / 1e6) * 1300)


def test_break_even_load_is_a_share_of_what_the_fleet_can_take() -> None:
    """A month of 14,600 dollars, requests of 0.00145 dollars: 3.83 a second; the fleet takes five times 2."""
    given = {
        **API, "model": "llama-3.1-8b", "gpu": "h100-sxm-80gb", "gpus": 8, "replicas": 5, "rent_per_gpu_hour": 0.5, "prompt": 1000,
        "output": 300, "largest_replica_load": 2.0,
    }  # fmt: skip
    rate = 14_600 / 0.0014 / (730 * 3600)
    assert ask("break_even_rate", **given) == near(rate)
    assert ask("break_even_load_share", **given) == near(rate / 10)


# ---- energy


def test_joules_of_a_token_are_kilowatt_hours_of_a_million() -> None:
    """2 J a token are 0.5556 kWh a million, 0.0667 dollars at 0.12; at 480 g the carbon is 267 g; PUE counts once."""
    given = {
        "model": "llama-3.1-70b",
        **SERVER,
        "context": 1000,
        "energy_per_token": 2.0,
        "electricity_price": 0.12,
    }
    given.pop("replicas")
    assert ask("kwh_per_million_tokens", **given) == near(2 / 3.6)
    assert ask("energy_usd_per_million_tokens", **given) == pytest.approx(0.0667, abs=5e-5)
    assert ask("co2_per_million_tokens", **given) == near(480 * 2 / 3.6)
    assert ask("kwh_per_million_tokens", **{**given, "pue": 1.3}) == near(1.3 * 2 / 3.6)


def test_energy_of_a_token_by_hand() -> None:
    """5600 W over 1000 tokens a second are 5.6 J; at half the use with idle power paid 11.2 J."""
    given = {"model": "llama-3.1-70b", **SERVER, "context": 1000, "tokens_per_second": 1000.0}
    given.pop("replicas")
    assert ask("energy_per_token", **given) == near(5.6)
    assert ask("energy_per_token", **given, utilization=0.5) == near(11.2)


def test_energy_of_the_fleet_counts_idle_hours_and_prompts() -> None:
    """Six replicas of 5.6 kW for 730 h, over the tokens of 20 requests a second; a gram for each 0.48 kg."""
    plan = {**{k: v for k, v in SERVER.items() if k != "replicas"}, "model": "llama-3.1-70b", "prompt": 2048, "output": 256,
            "request_rate": 20, "largest_replica_load": 4.0}  # fmt: skip
    tokens = 20 * 2304 * 3600 * 730
    assert ask("fleet_kwh_per_million", **plan) == near(6 * 5.6 * 730 / tokens * 1e6)
    assert ask("fleet_co2_per_million", **plan) == near(480 * 6 * 5.6 * 730 / tokens * 1e6)
    assert ask("co2_per_month", **SERVER) == near(480 * 4088)
