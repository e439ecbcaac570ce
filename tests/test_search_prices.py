"""What the prices behind the plans found rest on: records counted and dated, one alone told, what is given first."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet as ts
from tokensheet.goals import Basis
from tokensheet.schema.price import Price as PriceRecord
from tokensheet.search import tried
from tokensheet.search.best import best, rows
from tokensheet.search.prices import Price, prices

PLAN = {"model": "llama-3.1-8b", "context": 4096, "counts": "1", "batches": "1", "devices": "h100-sxm-80gb"}


def of(**given: Any) -> Price:
    (price,) = prices(ts.planner(), best(ts.planner(), {**PLAN, **given}))
    return price


def records(kind: str) -> list[PriceRecord]:
    found = [e.record for e in ts.planner().registry.catalog("price")]
    return [
        r for r in found
        if isinstance(r, PriceRecord) and (r.price_kind, r.accelerator) == (kind, "h100-sxm-80gb") and r.usd_per_gpu_hour
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("basis", "kind"), [("rent", "on_demand"), ("reserved", "reserved"), ("spot", "spot")]
)
def test_a_rent_says_how_many_records_it_is_the_median_of_and_of_when(basis: str, kind: str) -> None:
    behind, price = records(kind), of(cost_basis=basis, rent_availability=0.9)
    days = [r.as_of for r in behind if r.as_of]
    assert (price.basis, price.number, price.unit) == (basis, "rent_per_gpu_hour", "usd/hour")
    assert price.records == len(behind) and price.undated == len(behind) - len(days)
    assert (price.first, price.last) == (min(days, default=None), max(days, default=None))
    assert ("a single record decides" in price.line) is (len(behind) == 1)
    assert str(len(behind)) in price.words and (not days or str(price.last) in price.words)


def test_a_single_record_is_named() -> None:
    """The reserved rent of an H100 rests on one record."""
    (record,) = records("reserved")
    line = of(cost_basis="reserved").line
    assert line == (
        f"rent_per_gpu_hour {record.usd_per_gpu_hour} usd/hour, 1 reserved record, of {record.as_of}; "
        f"warning: a single record decides: {record.id} ({record.provider})"
    )


GIVEN: dict[str, tuple[dict[str, Any], str]] = {
    "rent": ({"cost_basis": "rent", "rent_per_gpu_hour": 1.5}, "rent_per_gpu_hour 1.5 usd/hour, as given"),
    "rent though owned": ({"rent_per_gpu_hour": 1.5}, "rent_per_gpu_hour 1.5 usd/hour, as given"),
    "price": ({"gpu_price": 25_000}, "gpu_price 25,000 usd, as given"),
    "price of the machine": (
        {"system_price": 200_000},
        "gpu_price is not read; something that is given stands in its place",
    ),
    "nothing": ({}, "gpu_price 33,600 usd, owned, as its record states"),
}


@pytest.mark.parametrize("case", GIVEN)
def test_what_is_given_goes_before_what_is_on_record(case: str) -> None:
    given, words = GIVEN[case]
    assert of(**given).line == words


def test_an_unconfirmed_list_price_is_warned_of() -> None:
    assert "; warning: unconfirmed: Hugging Face" in of(devices="l40s").line


def test_the_median_of_two_is_between_them() -> None:
    """And a record without a day is counted as such."""
    basis = Basis("rent", "x", number="n", kind="price", by="accelerator", fact="usd_per_gpu_hour")
    two = tuple(
        PriceRecord(id=f"p{i}", name="p", price_kind="spot", item="x", usd_per_gpu_hour=usd, source="x")
        for i, usd in enumerate((1.0, 4.0))
    )
    assert tried.medians(basis, {"a": two, "b": two[:1]}) == {"a": 2.5, "b": 1.0}


def test_cells_have_a_row_for_each_price() -> None:
    planner = ts.planner()
    table = rows(planner, best(planner, {**PLAN, "cost_basis": "reserved"}))
    (line,) = [row for row in table if str(row[0]).startswith("price of ")]
    assert line[0] == "price of h100-sxm-80gb" and "warning: a single record decides" in line[1]
    (at,) = [i for i, title in enumerate(table[0]) if title.startswith("rent_per_gpu_hour")]
    assert table[1][at] == records("reserved")[0].usd_per_gpu_hour
    owned = rows(planner, best(planner, PLAN))
    assert owned[1][at] == "owned"
