"""Rent: on demand, reserved, spot with interruptions and a fallback; offers of the catalogue; renting against buying."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

import tokensheet
from tests.cells import number, reason
from tokensheet.plugin import Price

ONE: dict[str, Any] = {"gpu": "h100-sxm-80gb", "gpus": 1, "replicas": 1}
SERVER: dict[str, Any] = {
    "gpu": "h100-sxm-80gb", "gpus": 8, "replicas": 2, "system_price": 300_000, "system_power": 10_000, "pue": 1.2,
    "electricity_price": 0.1,
}  # fmt: skip


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **given))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-9)


# ---- kinds of rent


@pytest.mark.parametrize(
    ("given", "hourly"),
    [
        ({"rent_per_gpu_hour": 4}, 4),
        ({"rent_per_gpu_hour": 1.6, "rent_availability": 0.9}, 1.6),
        ({"rent_per_gpu_hour": 1.6, "rent_availability": 0.9, "interruptions_per_day": 4, "start_up_time": 0.5},
         1.6 / (1 - 2 / 24)),
        ({"rent_per_gpu_hour": 1.6, "rent_availability": 0.9, "fallback_rent_per_gpu_hour": 4}, 1.6 * 0.9 + 4 * 0.1),
        ({"rent_per_gpu_hour": 1.6, "rent_availability": 0.9, "fallback_rent_per_gpu_hour": 4, "interruptions_per_day": 4,
          "start_up_time": 0.5}, 1.6 * 0.9 + 4 * (1 - 0.9 * (1 - 2 / 24))),
    ],
)  # fmt: skip
def test_what_serving_around_the_clock_costs(given: dict[str, float], hourly: float) -> None:
    """More machines for those taken back, billed while they are there, starts too; or machines on demand in their place."""
    assert ask("serving_rent", **given) == near(hourly)
    assert ask("rent_per_month", **ONE, **given) == near(hourly * 730)
    assert ask("cost_per_hour", gpu="h100-sxm-80gb", gpus=4, **given) == near(4 * hourly)


def test_spot_machines_are_not_always_there() -> None:
    """Nobody invents how often they are: without it there is no cost."""
    says = "spot machines are taken back at times: give rent_availability below 1, such as 0.9, "
    assert tokensheet.why("monthly_cost", **ONE, rent_per_gpu_hour=1.6, spot_rent=1).startswith(says)
    assert ask("monthly_cost", **ONE, rent_per_gpu_hour=1.6, spot_rent=1, rent_availability=0.9) == near(
        1.6 * 730
    )


@pytest.mark.parametrize("rent", [0.5, 2])
@pytest.mark.parametrize("availability", [0.2, 0.9, 1])
def test_a_served_hour_costs_the_same_with_a_fallback_at_the_same_price(
    rent: float, availability: float
) -> None:
    """Eight devices at two dollars are 16 dollars an hour either way; without a fallback 1/availability are asked for."""
    given = {"rent_per_gpu_hour": rent, "rent_availability": availability}
    for fallback in (0, rent):
        both = {**given, "fallback_rent_per_gpu_hour": fallback}
        assert ask("cost_per_hour", gpu="h100-sxm-80gb", gpus=8, **both) == near(8 * rent)
        asked = 1 if fallback else 1 / availability
        assert ask("machines_asked", **both) == near(asked)


def test_interruptions_move_the_cost_little_by_little() -> None:
    """Hardly any interruption costs hardly anything, with a fallback and without."""
    for fallback in (0, 2):
        given = {"rent_per_gpu_hour": 2, "rent_availability": 0.9, "fallback_rent_per_gpu_hour": fallback}
        costs = [ask("serving_rent", **given, interruptions_per_day=n) for n in (0, 1e-6, 4, 8)]
        assert costs[0] == near(2)
        assert costs[1] == pytest.approx(2, rel=1e-6)
        assert costs == sorted(costs)


# ---- offers


def test_offers_of_the_catalogue() -> None:
    """On demand for the hours rented; reserved around the clock; spot needs an availability."""
    rents = {id: number(f'=TS_SPEC("{id}","usd_per_gpu_hour")') for id in ("p003", "p080", "p017")}
    plan = '"h100-sxm-80gb",8,2'
    assert number(f'=OFFER_MONTHLY_COST({plan},"p003","rented_share=0.3")') == near(
        16 * rents["p003"] * 730 * 0.3
    )
    assert number(f'=OFFER_MONTHLY_COST({plan},"p080","rented_share=0.3")') == near(16 * rents["p080"] * 730)
    assert reason(f'=OFFER_MONTHLY_COST({plan},"p017")').startswith(
        "OFFER_MONTHLY_COST: spot machines are taken back"
    )
    spot = number(f'=OFFER_MONTHLY_COST({plan},"p017","rent_availability=0.8")')
    assert spot == near(16 * rents["p017"] * 730)
    years = number(f'=OFFER_NET_PRESENT_COST({plan},"p080",3,"staff_per_month=1000")')
    assert years == near(36 * (16 * rents["p080"] * 730 + 1000))


def test_an_offer_of_other_devices_is_refused() -> None:
    """p080 is of H100: not for A100; every variant of an H100 will do. A price that is no rent says so."""
    assert reason('=OFFER_MONTHLY_COST("a100-sxm-80gb",8,1,"p080")') == (
        "OFFER_MONTHLY_COST: p080 is rent of other devices than a100-sxm-80gb; choose another offer or device"
    )
    assert number('=OFFER_MONTHLY_COST("h100-pcie-80gb",8,1,"p080")') > 0
    for gpu, offer in (("h100-sxm-80gb", "p001"), ("h100-sxm-80gb", "p042"), ("rtx-pro-6000-bw", "p023")):
        assert f"{offer} is rent of other devices than {gpu}" in reason(
            f'=OFFER_MONTHLY_COST("{gpu}",8,6,"{offer}")'
        )
    assert number('=OFFER_MONTHLY_COST("v100-sxm2-16gb",8,6,"p001")') == near(48 * 0.79 * 730)
    assert number('=OFFER_MONTHLY_COST("h100-sxm-80gb",8,1,"p070")') == near(8 * 2.99 * 730)


def test_an_offer_of_unknown_devices_is_refused() -> None:
    """Nothing is taken for the plan's device because nobody said what it is."""
    given = {
        **ONE,
        "offer_usd_per_gpu_hour": 2,
        "offer_gpu_family": 0,
        "offer_is_reserved": 0,
        "offer_is_spot": 0,
    }
    for name in ("offer_monthly_cost", "offer_net_present_cost", "saved_by_buying"):
        why = tokensheet.why(name, **given, plan_years=3, offer="p070", plan_date=0)
        assert why.startswith("p070 does not say of which device it is the rent"), why


def test_every_rent_of_the_catalogue_names_its_devices() -> None:
    """A rent without a device would answer for none."""
    rents = [e.record for e in tokensheet.planner().registry.catalog("price")]
    kinds = ("on_demand", "reserved", "spot", "index", "purchase")
    assert [r.id for r in rents if r.price_kind in kinds and not r.number("gpu_family")] == []
    assert "states no usd_per_gpu_hour" in reason('=OFFER_MONTHLY_COST("h100-sxm-80gb",8,1,"p187")')


def test_old_offers_are_flagged_at_the_plans_date() -> None:
    """Up to its last day a price is fresh; without a date of the plan nothing is said."""
    last = int(number('=TS_SPEC("p080","last_date")'))
    day = dt.datetime.strptime(str(last), "%Y%m%d").replace(tzinfo=dt.UTC) + dt.timedelta(1)
    old = "the rent of p080 is past its life at the date of the plan; ask for a new price"
    for date, wanted in ((0, []), (last, []), (int(f"{day:%Y%m%d}"), [old])):
        plan = {**ONE, "offer": "p080", "plan_date": date}
        assert tokensheet.planner().explain("offer_monthly_cost", **plan)[1] == wanted
    assert "20,261,341 is no date" in tokensheet.why(
        "offer_monthly_cost", **ONE, offer="p080", plan_date=20261341
    )


@pytest.mark.parametrize(
    ("as_of", "days", "last"),
    [(dt.date(2026, 9, 1), 90, 20261130), (dt.date(2026, 12, 31), 1, 20270101), (None, 90, 0)],
)
def test_the_last_day_of_a_price(as_of: dt.date | None, days: int, last: float) -> None:
    """A price without a date is past its life on every day."""
    price = Price(
        id="p",
        price_kind="on_demand",
        item="H100",
        usd_per_gpu_hour=2,
        as_of=as_of,
        valid_days=days,
        source="x",
    )
    assert price.number("last_date") == last
    assert price.number("gpu_family") == 0


# ---- against buying


def test_saved_by_buying_is_one_present_cost_less_the_other() -> None:
    terms = {"plan_years": 4, "discount_rate": 0.08, "residual_share": 0.1, "support_share_per_year": 0.05}
    rent = ask(
        "net_present_cost", **SERVER, **terms, rent_per_gpu_hour=number('=TS_SPEC("p080","usd_per_gpu_hour")')
    )
    bought = ask("net_present_cost", **SERVER, **terms)
    assert ask("saved_by_buying", **SERVER, **terms, offer="p080") == near(rent - bought)
    assert rent > bought


INTERRUPTED = [
    {},
    {"rent_availability": 0.9},
    {"rent_availability": 0.9, "interruptions_per_day": 4, "start_up_time": 0.5},
    {"rent_availability": 0.9, "fallback_rent_per_gpu_hour": 4},
    {"rent_availability": 0.9, "fallback_rent_per_gpu_hour": 4, "interruptions_per_day": 4, "spot_rent": 1},
]


@pytest.mark.parametrize("spot", INTERRUPTED)
@pytest.mark.parametrize("share", [1, 0.4])
def test_at_the_even_rent_a_month_costs_the_same(share: float, spot: dict[str, float]) -> None:
    """Interest, power, hosting and support are in it; machines rented for fewer hours may cost more an hour."""
    terms = {
        "discount_rate": 0.08, "residual_share": 0.1, "support_share_per_year": 0.05, "hosting_per_hour": 1.5,
        "amortization_years": 4, "network_per_month": 500, "rented_share": share, **spot,
    }  # fmt: skip
    machine = {k: v for k, v in SERVER.items() if k != "replicas"}
    rent = ask("even_rent", **machine, **terms)
    assert ask("monthly_cost", **SERVER, **terms, rent_per_gpu_hour=rent) == near(
        ask("monthly_cost", **SERVER, **terms)
    )
    hourly = ask("break_even_rent", **machine, **terms)
    assert ask("cost_per_hour", **machine, **terms, rent_per_gpu_hour=hourly) == near(
        ask("cost_per_hour", **machine, **terms)
    )
    by_hand = {"amortization_years": 3, "electricity_price": 0}
    assert ask("even_rent", **{**machine, **by_hand}) == near(300_000 / 36 / 8 / 730)


def test_what_stands_in_for_rented_machines_costs_nothing_when_machines_are_bought() -> None:
    given = {**SERVER, "rent_availability": 0.9, "fallback_rent_per_gpu_hour": 4}
    assert ask("monthly_cost", **given) == near(ask("monthly_cost", **SERVER))
    assert ask("rent_per_month", **given) == 0


def test_no_rent_is_even_where_what_stands_in_costs_more_than_owning() -> None:
    """A fallback at 100 dollars for a tenth of the time is more than a device of one's own: no negative rent."""
    machine = {k: v for k, v in SERVER.items() if k != "replicas"}
    given = {**machine, "rent_availability": 0.9, "fallback_rent_per_gpu_hour": 100}
    for name in ("even_rent", "break_even_rent"):
        assert tokensheet.why(name, **given).startswith(
            "machines on demand that stand in cost more than owning"
        )


def test_a_stated_rent_with_interest_is_not_the_one_without() -> None:
    machine = {k: v for k, v in SERVER.items() if k != "replicas"}
    alone = ask("break_even_rent", **machine)
    assert ask("break_even_rent", **machine, even_rent=alone + 1) == alone


def test_a_machine_with_other_devices_is_refused() -> None:
    """A host of RTX 4090 is no machine for H100; the article's card and the catalogue's are one product."""
    assert reason('=COST_PER_HOUR("h100-sxm-80gb",8,"system=li-8x4090-pcie")') == (
        "COST_PER_HOUR: li-8x4090-pcie is a machine with other devices than h100-sxm-80gb; choose another system or device"
    )
    assert number('=COST_PER_HOUR("rtx-4090",8,"system=li-8x4090-pcie")') > 0
    assert number('=COST_PER_HOUR("h100-sxm-80gb",8,"system=li-8xh100")') > 0
    assert "other devices" in tokensheet.why(
        "break_even_rent", gpu="h100-sxm-80gb", gpus=8, system="li-8x4090-pcie"
    )
    assert "other devices" in reason('=NET_PRESENT_COST("a100-sxm-80gb",8,1,3,"system=li-8xh100")')


def test_machines_that_only_start_are_told() -> None:
    """A start of a quarter hour, 96 times a day, leaves no time to serve."""
    given = {
        "gpu": "h100-sxm-80gb",
        "gpus": 8,
        "replicas": 1,
        "rent_per_gpu_hour": 2,
        "rent_availability": 0.9,
    }
    for name in ("monthly_cost", "even_rent", "break_even_rent"):
        assert tokensheet.why(name, **given, interruptions_per_day=96) == (
            "machines that are taken back 96 times a day and take 0.25 hours to start never serve; give fewer "
            "interruptions_per_day, or a shorter start_up_time"
        )


def test_machines_given_back_use_no_power() -> None:
    """Half of the hours: half the rent, half the energy and carbon; bought and reserved ones run around the clock."""
    plan = {"gpu": "h100-sxm-80gb", "gpus": 8, "replicas": 2}
    full = float(tokensheet.evaluate("energy_per_month", **plan))
    for more, share in (
        ({"rent_per_gpu_hour": 2}, 0.5),
        ({"rent_per_gpu_hour": 2, "reserved_rent": 1}, 1),
        ({}, 1),
    ):
        given = {**plan, **more, "rented_share": 0.5}
        assert tokensheet.evaluate("energy_per_month", **given) == pytest.approx(share * full, rel=1e-12)
        carbon = float(tokensheet.evaluate("co2_per_month", **given))
        assert carbon == pytest.approx(share * full * 480, rel=1e-12)
