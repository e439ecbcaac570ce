"""Dates as numbers, and amounts in other currencies at a rate that states direction and date."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import pytest

import tokensheet
from tests.cells import number, reason
from tokensheet.plugin import Price


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **given))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-12)


# ---- dates


def test_days_between_dates_are_the_calendars() -> None:
    """200 pairs of days of two centuries, leap years and turns of the year among them."""
    rng, first = random.Random(4), dt.date(1900, 1, 1)
    days = [first + dt.timedelta(rng.randrange(73_000)) for _ in range(200)]
    days += [dt.date(2000, 2, 29), dt.date(1999, 12, 31), dt.date(2100, 3, 1), dt.date(1900, 1, 1)]
    numbers = [ask("day_number", calendar_date=int(f"{day:%Y%m%d}")) for day in days]
    for day, found in zip(days, numbers, strict=True):
        assert found - numbers[-1] == (day - first).days
        assert ask("date_is_real", calendar_date=int(f"{day:%Y%m%d}")) == 1


@pytest.mark.parametrize(
    "date",
    [
        20261301,
        20260001,
        20260100,
        20260132,
        46355,
        18991231,
        20260230,
        20260229,
        19000229,
        21000229,
        20240230,
        20260431,
        20260631,
        20260931,
        20261131,
    ],
)
def test_what_is_no_date(date: int) -> None:
    """46355 is how a spreadsheet counts 2026-11-29: it is asked for in the other form."""
    assert ask("date_is_real", calendar_date=date) == 0
    says = f"exchange_date {date:,} is no date" if date >= 1e4 else ""
    assert reason(f"=IN_CURRENCY(100,1.25,1,{date})").startswith(
        f"IN_CURRENCY: {says}; write year, month and day"
    )


def test_every_day_of_a_cycle_is_told_from_those_that_are_not() -> None:
    """1st to 32nd of each month of years of every kind."""
    for year in (1900, 2000, 2023, 2024, 2100):
        for month in range(1, 13):
            for day in (1, 28, 29, 30, 31, 32):
                try:
                    real = bool(dt.date(year, month, day))
                except ValueError:
                    real = False
                date = 10_000 * year + 100 * month + day
                if date > 21001231:
                    continue
                assert ask("date_is_real", calendar_date=date) == real, date


# ---- amounts


@pytest.mark.parametrize(("rate", "direction"), [(1.25, 1), (0.8, 2)])
def test_both_directions_say_the_same(rate: float, direction: int) -> None:
    """One unit is worth 1.25 dollars: 1000 dollars are 800 units, and 800 units 1000 dollars."""
    assert number(f"=IN_CURRENCY(1000,{rate},{direction},20261101)") == near(800)
    assert number(f"=IN_USD(800,{rate},{direction},20261101)") == near(1000)


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("=IN_CURRENCY(1000,1.25,1)", "exchange_date"),
        ("=IN_CURRENCY(1000,1.25,,20261101)", "exchange_direction is not given"),
        ("=IN_CURRENCY(1000,1.25,3,20261101)", "exchange_direction is 3; it must be at most 2"),
        ("=IN_USD(1000,0,1,20261101)", "exchange_rate is 0; it must be above 0"),
    ],
)
def test_rate_direction_and_date_are_asked_for(cell: str, says: str) -> None:
    assert says in reason(cell)


def test_an_old_rate_is_flagged() -> None:
    """91 days before the plan's date it is old, 90 days before it is not."""
    given = {"usd_amount": 100, "exchange_rate": 1.1, "exchange_direction": 1, "plan_date": 20261129}

    def warnings(date: int) -> list[str]:
        return tokensheet.planner().explain("in_currency", **given, exchange_date=date)[1]

    assert warnings(20260831) == []
    assert warnings(20260830) == [
        "the exchange rate is more than 90 days older than the plan; take a new one"
    ]
    assert "plan_date 1 is no date" in tokensheet.why(
        "in_currency", **{**given, "plan_date": 1}, exchange_date=20260831
    )


# ---- at a record's rate


def euro(rate: float, direction: Any) -> Price:
    return Price(
        id="eur", name="Euro", price_kind="currency", item="EUR", currency="EUR", currency_rate=rate,
        direction=direction, as_of=dt.date(2026, 11, 1), source="a central bank",
    )  # fmt: skip


@pytest.mark.parametrize(("rate", "direction"), [(1.25, "usd_per_unit"), (0.8, "units_per_usd")])
def test_a_currency_has_direction_and_date(rate: float, direction: str) -> None:
    """Both ways to state it give 14,600/1.25 = 11,680 units a month, and as many for each month of three years."""
    given = {"gpu": "h100-sxm-80gb", "gpus": 8, "replicas": 1, "rent_per_gpu_hour": 2.5}
    worth = euro(rate, direction).number("usd_per_currency_unit")
    assert ask("local_monthly_cost", **given, currency_usd_per_currency_unit=worth) == near(11_680)
    years = ask("local_net_present_cost", **given, plan_years=3, currency_usd_per_currency_unit=worth)
    assert years == near(36 * 11_680)


def test_a_currency_must_be_named() -> None:
    """No rate ships with the program."""
    why = tokensheet.why("local_monthly_cost", gpu="h100-sxm-80gb", gpus=8, replicas=1)
    assert why.startswith("currency is not given")
    assert all(e.record.price_kind != "currency" for e in tokensheet.planner().registry.catalog("price"))
