"""What a rented replica costs by the market it is had on."""

from __future__ import annotations

from pathlib import Path

import pytest
import tokensheet_market_pricing

from tokensheet import TokensheetError
from tokensheet.planning import Planner
from tokensheet.testing import check_plugin

PRICES = {
    "on_demand_usd_per_gpu_hour": 3.0,
    "reserved_usd_per_gpu_hour": 2.0,
    "spot_usd_per_gpu_hour": 1.0,
    "spot_interruptions_per_hour": 0.1,
    "spot_recovery_time": 1.0,
}
REPLICA = {"gpu": "h100-sxm-80gb", "gpus": 8}


def test_the_plugin_is_sound() -> None:
    """Names, units, sources, and every formula in all its readings; what they say is on file."""
    check_plugin(tokensheet_market_pricing, golden=Path(__file__).with_name("formulas.txt"))


@pytest.mark.parametrize(
    ("options", "dollars"),
    [
        ("market=1", 24.0),
        ("market=1; needed_share=0.5", 24.0),
        ("market=2", 16.0),
        ("market=2; needed_share=0.5", 32.0),
        # Available 1/1.1 of the time: 10 replicas need 11 rented, 1 needs 2.
        ("market=3; replicas=10", 8.8),
        ("market=3", 16.0),
        ("market=3; spot_interruptions_per_hour=0", 8.0),
        # 1/1.1 of the time on spot for 8 dollars, the rest on demand for 24.
        ("market=4", (8 + 0.1 * 24) / 1.1),
        # Without a market as built in.
        ("rent_per_gpu_hour=2.5", 20.0),
    ],
)
def test_cost_an_hour_of_eight_devices(planner: Planner, options: str, dollars: float) -> None:
    """Reserved is paid around the clock, spot needs spares or a fallback, the default changes nothing."""
    prices = {k: v for k, v in PRICES.items() if k not in options}
    assert planner.evaluate("cost_per_hour", options, **REPLICA, **prices) == pytest.approx(
        dollars, rel=1e-12
    )


def test_without_a_market_nothing_changes(planner: Planner) -> None:
    """Installing the plugin leaves every cost as it was."""
    alone = Planner.of(disable=["market_pricing"])
    assert planner.evaluate("cost_per_hour", **REPLICA) == alone.evaluate("cost_per_hour", **REPLICA)


def test_a_reservation_pays_from_two_thirds_of_the_hours(planner: Planner) -> None:
    """Reserved over on-demand price: above 1 it never pays."""
    assert planner.evaluate("reserved_break_even", **PRICES) == pytest.approx(2 / 3)
    dear = {**PRICES, "reserved_usd_per_gpu_hour": 3.3}
    assert planner.evaluate("reserved_break_even", **dear) == pytest.approx(1.1)


def test_prices_are_records(planner: Planner) -> None:
    """A price of the catalogue is chosen by id, like a device."""
    (price, *_) = (e.record for e in planner.registry.catalog("price") if e.record.number("usd_per_gpu_hour"))
    cost = planner.evaluate("on_demand_cost_per_hour", gpus=8, on_demand=price.id)
    assert cost == 8 * (price.number("usd_per_gpu_hour") or 0)


def test_a_market_without_its_price_is_an_error(planner: Planner) -> None:
    """A missing price is never 0."""
    with pytest.raises(TokensheetError, match="spot is not given"):
        planner.evaluate("cost_per_hour", "market=3", **REPLICA)


def test_it_is_shown_that_the_formula_was_replaced(planner: Planner) -> None:
    """Whoever reads a result sees whose formula gave it, and in place of whose."""
    line = planner.explain("cost_per_hour", **REPLICA)[0][-1]
    assert line.key == "cost_per_hour"
    assert line.owner.startswith(
        "market_pricing (tokensheet-market-pricing 0.1.0), replaces costs (tokensheet "
    )


def test_a_plan_must_still_match_its_system(planner: Planner) -> None:
    """The checks of the formula that is replaced hold for its replacement."""
    with pytest.raises(TokensheetError, match="the system has 8 devices, the plan 4"):
        planner.evaluate("cost_per_hour", gpu="h100-sxm-80gb", gpus=4, system="li-8xh100")
