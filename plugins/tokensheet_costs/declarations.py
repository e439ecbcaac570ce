"""What costs are asked with: a system, prices and terms."""

from __future__ import annotations

from tokensheet.plugin import NOT_NEGATIVE, ONE_OR_MORE, POSITIVE, SHARE, Assumption, Declaration, Input, Role
from tokensheet_inference.sources import PLAN

DECLARATIONS: tuple[Declaration, ...] = (
    Role(
        "system",
        "system",
        "machine whose price and power stand in for the estimate",
        supplies=True,
        per_plan=True,
    ),
    Input("price", "usd", "price of a number of tokens", range=POSITIVE, example=2.5),
    Input(
        "wanted_tokens_per_second",
        "token/second",
        "tokens a second that all replicas together must reach",
        0,
        NOT_NEGATIVE,
        example=5000,
    ),
    Input("per_tokens", "token", "tokens that the price is for", 1e6, POSITIVE),
    Assumption(
        "amortization_years",
        "year",
        "years over which a purchase is spread",
        "Bojie Li 2023: three years",
        3,
        POSITIVE,
    ),
    Assumption(
        "electricity_price",
        "usd/(kilowatt*hour)",
        "price of electricity",
        "Bojie Li 2023: 0.1 dollar; US industrial average of 2024: 0.08 (EIA)",
        0.1,
        NOT_NEGATIVE,
    ),
    Assumption(
        "pue",
        "1",
        "power of the building over power of the machines (PUE)",
        "fleets of large operators, 2023 and 2024: 1.08 to 1.18",
        1.15,
        ONE_OR_MORE,
    ),
    Assumption(
        "host_price_per_gpu",
        "usd",
        "host, network and rack for each device",
        "Bojie Li 2023: an 8-card PCIe host of 20,000 dollars",
        2500,
        NOT_NEGATIVE,
    ),
    Assumption(
        "host_power_per_gpu",
        "watt",
        "power of host and fans for each device",
        "Bojie Li 2023: 2 kW for eight cards",
        250,
        NOT_NEGATIVE,
    ),
    Assumption(
        "hosting_per_hour",
        "usd/hour",
        "space, service and staff for a replica an hour",
        PLAN,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "rent_per_gpu_hour",
        "usd/hour",
        "rent of one device an hour; 0: the machine is bought",
        PLAN,
        0,
        NOT_NEGATIVE,
    ),
    Assumption(
        "utilization",
        "1",
        "share of the time in which the stated batch is in flight",
        PLAN,
        1,
        SHARE,
    ),
)
