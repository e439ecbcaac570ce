"""Facts of records: each number with unit, state and source; prices know their age."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from tokensheet import planner, schema
from tokensheet.facts import SYNONYMS, Fact, facts, matches, texts
from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.schema.price import Price

FUNCTIONS = Functions(planner())


def spec(*arguments: Any) -> Any:
    return FUNCTIONS.call("TS_SPEC", arguments)


SPECS: list[tuple[tuple[str, ...], float | str]] = [
    (("h100-sxm-80gb", "memory_bandwidth"), 3.35e12),
    (("H100 SXM5 80GB", "Memory Bandwidth"), 3.35e12),
    (("h100-sxm-80gb", "memory_bandwidth", "unit"), "byte/second"),
    (("h100-sxm-80gb", "price", "unit"), "usd"),
    (("h100-sxm-80gb", "power"), 700),
    (("h100-sxm-80gb", "power", "state"), "confirmed"),
    (("h100-sxm-80gb", "memory"), 80e9),
    (("h100-sxm-80gb", "usable memory"), 81559 * 2**20),
    (("h100-sxm-80gb", "link"), "nvlink4"),
    (("vr-rubin", "memory_bandwidth", "state"), "unconfirmed"),
    (("nvlink4", "bandwidth"), 450e9),
    (("nvlink4", "latency", "state"), "derived"),
    (("dgx-h100", "price"), 270_000),
    (("dgx-h100", "devices"), 8),
    (("llama-3.1-8b", "parameters"), 8_030_261_248),
    (("llama-3.1-8b", "parameters", "state"), "derived"),
    (("llama-3.1-8b", "kv"), 131_072),
    (("llama-3.1-8b", "kv", "unit"), "byte"),
    (("llama-3.1-8b", "weights"), 16_060_522_496),
    (("llama-3.1-8b", "context"), 131_072),
    (("llama-3.1-8b", "traits"), "dense, gqa"),
    (("nvfp4", "bytes"), 0.5625),
    (("default", "memory_reserve"), 0.065),
    (("default", "memory_reserve", "state"), "derived"),
    (("p003", "price"), 3.99),
    (("p003", "provider"), "Lambda"),
    (("p003", "valid_until"), "2026-04-01"),
    (("eth-10", "line_rate_gbit", "unit"), "Gb/s"),
]


@pytest.mark.parametrize(("arguments", "value"), SPECS)
def test_spec_tells_value_unit_and_state(arguments: tuple[str, ...], value: float | str) -> None:
    assert spec(*arguments) == value


def test_spec_tells_the_source_of_a_single_number() -> None:
    assert spec("h100-sxm-80gb", "usable_memory_bytes", "source") == "nvidia-smi: 81559 MiB"


WRONG = [
    (("h100-sxm-80gb", "prise"), "has no field prise; nearest are price, gpu_price"),
    (("h100", "price"), "no record named 'h100'; nearest are h100-2x8-ib, h100-nvl-94gb, h100-pcie-80gb"),
    (("t4", "peak_flops_fp8"), "accelerator t4 states no peak_flops_fp8"),
    (
        ("openai/gpt-5", "price"),
        "states no price; it states usd_per_million_input_tokens, usd_per_million_cached_input_tokens",
    ),
    (("t4", "power", "colour"), "what is 'colour'; write value, unit, source"),
    ((4.0, "power"), "id and field are texts"),
]


@pytest.mark.parametrize(("arguments", "says"), WRONG)
def test_spec_says_what_is_wrong(arguments: tuple[Any, ...], says: str) -> None:
    found = spec(*arguments)
    assert isinstance(found, Failure)
    assert says in found.reason


KINDS = {
    "accelerator": ("accelerators", "gpus", "GPU", "devices", "cards"),
    "link": ("links", "interconnects"),
    "system": ("systems", "servers", "machines"),
    "model": ("models", "LLMs"),
    "format": ("formats", "number formats", "number-formats", "quantizations"),
    "profile": ("profiles", "assumptions"),
    "price": ("prices", "rents"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_list_understands_what_people_call_a_kind(kind: str) -> None:
    ids = [[key] for key in sorted(planner().registry.catalog(kind).entries)]
    assert len(ids) > 2
    for word in KINDS[kind]:
        assert FUNCTIONS.call("TS_LIST", [word]) == ids


def test_list_knows_the_kinds_and_functions() -> None:
    assert set(KINDS) == set(schema.KINDS)
    assert ["KV_BYTES"] in FUNCTIONS.call("TS_LIST", ["functions"])
    wrong = FUNCTIONS.call("TS_LIST", ["cats"])
    assert isinstance(wrong, Failure)
    assert "kinds are accelerators, links, systems, models, formats, profiles, prices, functions" in (
        wrong.reason
    )


def test_every_number_of_every_record_has_unit_state_and_source() -> None:
    """Nothing is listed without saying where it is from and how sure it is."""
    loaded = planner()
    bare = [
        f"{kind} {entry.record.id} {fact.name}"
        for kind in schema.KINDS
        for entry in loaded.registry.catalog(kind)
        for fact in facts(entry.record, loaded)
        if not (fact.unit and fact.source and fact.state in ("confirmed", "derived", "unconfirmed"))
    ]
    assert bare == []


PRICE = Price(
    id="r",
    source="a list",
    price_kind="on_demand",
    item="H100 SXM",
    provider="Somebody",
    as_of=dt.date(2026, 3, 1),
    usd_per_gpu_hour=3.0,
)
AGES = [
    (dt.date(2026, 3, 1), 0.0, 0.0),
    (dt.date(2026, 5, 30), 0.0, 90.0),
    (dt.date(2026, 5, 31), 1.0, 91.0),
]


@pytest.mark.parametrize(("today", "stale", "age"), AGES)
def test_a_price_tells_its_age_and_whether_it_is_stale(today: dt.date, stale: float, age: float) -> None:
    told = {fact.name: fact.value for fact in facts(PRICE, planner(), today)}
    assert (told["stale"], told["age_days"]) == (stale, age)
    assert texts(PRICE)["valid_until"] == "2026-05-30"
    assert matches(PRICE, ("stale",), today) == bool(stale)


def test_a_price_without_a_date_is_stale_and_has_no_age() -> None:
    undated = PRICE.model_copy(update={"as_of": None})
    told = {fact.name: fact.value for fact in facts(undated, planner(), dt.date(2026, 3, 1))}
    assert told["stale"] == 1.0
    assert "age_days" not in told and "valid_until" not in texts(undated)


def test_a_currency_tells_direction_date_and_rate() -> None:
    euro = Price(
        id="eur",
        source="a bank",
        price_kind="currency",
        item="euro",
        currency="EUR",
        as_of=dt.date(2026, 3, 1),
        currency_rate=0.8,
        direction="units_per_usd",
    )
    told = {fact.name: fact for fact in facts(euro, planner(), dt.date(2026, 3, 2))}
    assert told["usd_per_currency_unit"] == Fact(
        "usd_per_currency_unit", 1.25, "1", "derived", "a bank", "US dollars for one unit of the currency"
    )
    assert told["currency_rate"].value == 0.8
    said = texts(euro)
    assert (said["direction"], said["currency"], said["as_of"]) == ("units_per_usd", "EUR", "2026-03-01")


MATCHES = [
    (("h100",), True),
    (("H100", "somebody"), True),
    (("on_demand",), True),
    (("spot",), False),
    ((), True),
]


@pytest.mark.parametrize(("words", "fits"), MATCHES)
def test_words_choose_records(words: tuple[str, ...], fits: bool) -> None:
    assert matches(PRICE, words, dt.date(2026, 3, 1)) is fits


def test_synonyms_name_fields_that_exist() -> None:
    known = {name for kind in schema.KINDS.values() for name in (*kind.quantities(), *kind.model_fields)}
    functions = {name.lower() for name in FUNCTIONS.table}
    assert {name for names in SYNONYMS.values() for name in names} <= known | functions
