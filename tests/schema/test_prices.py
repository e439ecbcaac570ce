"""Prices: unit in the field's name, a date, a life, and refusal of another unit's number."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

import tokensheet_hardware as hardware
from tokensheet.schema.price import Price

PRICES = {record.id: record for record in hardware.tokensheet_prices()}
BY_ALIAS = {alias: record for record in PRICES.values() for alias in record.aliases}
DEVICES = {record.id for record in hardware.tokensheet_accelerators()}

RENT: dict[str, Any] = {
    "id": "r1",
    "source": "test",
    "price_kind": "on_demand",
    "item": "H100 SXM",
    "as_of": date(2026, 3, 1),
    "usd_per_gpu_hour": 3.0,
}
EURO: dict[str, Any] = {
    "id": "eur",
    "source": "test",
    "price_kind": "currency",
    "item": "euro",
    "currency": "EUR",
    "as_of": date(2026, 3, 1),
    "currency_rate": 1.25,
    "direction": "usd_per_unit",
}

CASES: list[tuple[dict[str, Any], str]] = [
    ({"usd_per_gpu_hour": 0.001}, "usd_per_gpu_hour is 0.001 usd/hour, outside 0.01..200"),
    ({"usd_per_gpu_hour": 2160}, "price of a node, or of a month, taken for one device and hour?"),
    ({"usd_per_gpu_hour": -1}, "usd_per_gpu_hour is -1 usd/hour; it must not be negative"),
    ({"usd_per_gpu_hour": "3,35"}, "usd_per_gpu_hour is text '3,35'"),
    ({"usd_per_gpu_hour": float("nan")}, "usd_per_gpu_hour is nan"),
    ({"usd_per_gpu_hour": None}, "no price is stated; give one field such as usd_per_gpu_hour"),
    ({"usd_per_gpu_hour_low": 3, "usd_per_gpu_hour_high": 2}, "is above usd_per_gpu_hour_high 2"),
    ({"usd_purchase": 300000}, "usd_purchase is 300000 usd, outside 10..150000; price of a node"),
    ({"usd_per_million_input_tokens": 15000}, "per token or per thousand taken for per million?"),
    (
        {"usd_per_million_output_tokens": 0.000002},
        "usd_per_million_output_tokens is 2e-06 usd/million, outside",
    ),
    ({"usd_per_kwh": 12.5}, "cents or a price per MWh taken for dollars per kWh?"),
    ({"pue": 0.9}, "pue is 0.9, outside 1..5; total power over IT power cannot be below 1"),
    ({"currency": "EUR"}, "currency is 'EUR' but usd_per_gpu_hour is in US dollars; convert it first"),
    ({"price_kind": "rent"}, "price_kind"),
]


@pytest.mark.parametrize(("wrong", "message"), CASES)
def test_price_that_cannot_be_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Price(**(RENT | wrong))
    assert message in str(caught.value)


CURRENCY_CASES: list[tuple[dict[str, Any], str]] = [
    ({"direction": None}, "a currency needs currency_rate above 0 and direction"),
    ({"currency_rate": 0}, "a currency needs currency_rate above 0 and direction"),
    ({"as_of": None}, "a currency rate needs a date: give as_of"),
    ({"currency": "USD"}, "currency is USD; name the other currency"),
]


@pytest.mark.parametrize(("wrong", "message"), CURRENCY_CASES)
def test_currency_has_a_direction_and_a_date(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Price(**(EURO | wrong))
    assert message in str(caught.value)


def test_direction_of_a_currency() -> None:
    assert Price(**EURO).number("usd_per_currency_unit") == 1.25
    other = Price(**(EURO | {"currency_rate": 0.8, "direction": "units_per_usd"}))
    assert other.number("usd_per_currency_unit") == 1.25


STALE = [
    (date(2026, 3, 1), 90, date(2026, 5, 30), False),
    (date(2026, 3, 1), 90, date(2026, 5, 31), True),
    (date(2026, 3, 1), 365, date(2026, 12, 31), False),
    (None, 90, date(2026, 3, 2), True),
]


@pytest.mark.parametrize(("as_of", "days", "today", "stale"), STALE)
def test_price_older_than_its_life_is_stale(as_of: date | None, days: int, today: date, stale: bool) -> None:
    assert Price(**(RENT | {"as_of": as_of, "valid_days": days})).stale(today) is stale


def test_free_is_a_price() -> None:
    assert Price(**(RENT | {"usd_per_gpu_hour": 0})).number("usd_per_gpu_hour") == 0


def test_every_row_of_the_price_table_is_there_but_four() -> None:
    left_out = {"p065", "p066", "p078", "p166"}
    rows = {f"p{number:03}" for number in range(1, 567)}
    seconds = {alias for alias in BY_ALIAS if alias in rows}
    assert set(PRICES) | seconds == rows - left_out
    assert len(PRICES) == 362


SPOT: list[tuple[str, str, float]] = [
    ("p003", "usd_per_gpu_hour", 3.99),
    ("p079", "usd_per_gpu_hour", 12.29),
    ("p080", "usd_per_gpu_hour", 6.88),
    ("p099", "usd_per_gpu_hour", 4.54),
    ("p074", "usd_per_gpu_hour_low", 1.49),
    ("p074", "usd_per_gpu_hour_high", 1.87),
    ("p112", "usd_purchase", 33600),
    ("p149", "usd_per_kwh", 0.0815),
    ("p154", "pue", 1.15),
    ("p447", "usd_per_million_input_tokens", 1.25),
    ("p447", "usd_per_million_cached_input_tokens", 0.125),
    ("p447", "usd_per_million_output_tokens", 10),
]


@pytest.mark.parametrize(("name", "field", "value"), SPOT)
def test_prices_are_those_of_the_source(name: str, field: str, value: float) -> None:
    assert PRICES[name].number(field) == pytest.approx(value)


def test_kind_term_and_region_of_a_rent() -> None:
    reserved, spot = PRICES["p080"], PRICES["p010"]
    assert (reserved.price_kind, reserved.term, reserved.region) == (
        "reserved",
        "1-year reserved",
        "us-east-1",
    )
    assert (spot.price_kind, spot.accelerator) == ("spot", "b300-sxm-288gb")


def test_item_without_variant_names_no_accelerator() -> None:
    assert PRICES["p070"].accelerator is None
    assert {record.accelerator for record in PRICES.values()} - {None} <= DEVICES


def test_hosted_model_is_found_by_provider_and_name() -> None:
    assert BY_ALIAS["openai/gpt-5"].id == "p447"
    assert BY_ALIAS["openai/gpt-5"].input_includes_cached


def test_cached_input_is_paid_once() -> None:
    """20,212 tokens in, 16,298 of them cached, 931 out, at 0.50, 0.05 and 3.00 dollars a million."""
    price = Price(
        id="a",
        source="test",
        price_kind="api",
        item="m",
        usd_per_million_input_tokens=0.5,
        usd_per_million_cached_input_tokens=0.05,
        usd_per_million_output_tokens=3,
    )
    assert price.usd_per_million_input_tokens is not None
    assert price.usd_per_million_cached_input_tokens is not None
    assert price.usd_per_million_output_tokens is not None
    fresh = 20212 - 16298 if price.input_includes_cached else 20212
    usd = (
        fresh * price.usd_per_million_input_tokens
        + 16298 * price.usd_per_million_cached_input_tokens
        + 931 * price.usd_per_million_output_tokens
    ) / 1e6
    assert usd == pytest.approx(0.005565, abs=1e-6)
