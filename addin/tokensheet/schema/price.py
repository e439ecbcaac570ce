"""A dated price: to buy, to rent, of an API, of power, of a currency; its unit is in the field's name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any, ClassVar, Literal

from tokensheet.schema.base import Quantity, quantity
from tokensheet.schema.family import family
from tokensheet.schema.guards import GuardedRecord, amount

PriceKind = Literal[
    "purchase", "on_demand", "reserved", "spot", "index", "api", "electricity", "pue", "currency"
]

_RANGES: tuple[tuple[str, str, float, float, str], ...] = (
    (
        "usd_per_gpu_hour",
        "usd/hour",
        0.01,
        200.0,
        "price of a node, or of a month, taken for one device and hour?",
    ),
    (
        "usd_per_gpu_hour_low",
        "usd/hour",
        0.01,
        200.0,
        "price of a node, or of a month, taken for one device?",
    ),
    (
        "usd_per_gpu_hour_high",
        "usd/hour",
        0.01,
        200.0,
        "price of a node, or of a month, taken for one device?",
    ),
    ("usd_purchase", "usd", 10.0, 150_000.0, "price of a node taken for one device?"),
    ("usd_per_kwh", "usd/(kilowatt*hour)", 0.001, 5.0, "cents or a price per MWh taken for dollars per kWh?"),
    ("pue", "1", 1.0, 5.0, "total power over IT power cannot be below 1"),
)
_API_FIELDS = (
    "usd_per_million_input_tokens",
    "usd_per_million_cached_input_tokens",
    "usd_per_million_output_tokens",
)


class Price(GuardedRecord):
    """One price as found, with provider, region, term and date."""

    kind: ClassVar[str] = "price"
    named: ClassVar[Mapping[str, str]] = {"accelerator": "accelerator"}
    plain_numbers: ClassVar[Mapping[str, str]] = {"currency_rate": "1", "valid_days": "day"}

    price_kind: PriceKind
    item: str
    accelerator: str | None = None
    """Id of the accelerator, where the item names exactly one."""
    product: str | None = None
    """The product where the item leaves its variant open: `h100`, `v100`."""
    provider: str = ""
    region: str = ""
    term: str = ""
    """How long it binds or what it is: `on demand`, `1-year reserved`, `annual average`."""

    as_of: date | None = None
    """The earliest day the source's date allows; None where it has no date."""
    dated: str = ""
    """The date as the source gives it."""
    valid_days: int = 90
    """Life of the price; after it the price is stale."""

    usd_per_gpu_hour: Annotated[float | None, Quantity("usd/hour", "rent of one device for an hour")] = None
    usd_per_gpu_hour_low: Annotated[
        float | None, Quantity("usd/hour", "lower end of a range of rents, one device and hour")
    ] = None
    usd_per_gpu_hour_high: Annotated[
        float | None, Quantity("usd/hour", "upper end of a range of rents, one device and hour")
    ] = None
    usd_purchase: Annotated[float | None, Quantity("usd", "price of one device")] = None
    usd_per_million_input_tokens: Annotated[
        float | None, Quantity("usd/million", "a million input tokens that were not cached")
    ] = None
    usd_per_million_cached_input_tokens: Annotated[
        float | None, Quantity("usd/million", "a million input tokens read from the provider's cache")
    ] = None
    usd_per_million_output_tokens: Annotated[
        float | None, Quantity("usd/million", "a million output tokens")
    ] = None
    input_includes_cached: bool = True
    """Whether the provider's count of input tokens contains the cached ones: they cost the cached price
    instead of, not besides, the input price."""
    usd_per_kwh: Annotated[float | None, Quantity("usd/(kilowatt*hour)", "electricity")] = None
    pue: Annotated[float | None, Quantity("1", "power of the building over power of the machines")] = None

    currency: str = "USD"
    currency_rate: float | None = None
    direction: Literal["usd_per_unit", "units_per_usd"] | None = None
    """What `currency_rate` counts: dollars for one unit of the currency, or units for one dollar."""

    @quantity("1", "US dollars for one unit of the currency")
    def usd_per_currency_unit(self) -> float | None:
        """US dollars for one unit of the currency."""
        if not self.currency_rate or self.direction is None:
            return None
        return self.currency_rate if self.direction == "usd_per_unit" else 1 / self.currency_rate

    @quantity("flag", "1 where the rent binds for a term")
    def is_reserved(self) -> float:
        """1 where the rent binds for a term."""
        return float(self.price_kind == "reserved")

    @quantity("flag", "1 where the machines may be taken back")
    def is_spot(self) -> float:
        """1 where the machines may be taken back."""
        return float(self.price_kind == "spot")

    @quantity("1", "number of the product family of the accelerator or product; 0 where the price names none")
    def gpu_family(self) -> float:
        """Number of the product family of the accelerator or product; 0 where the price names none."""
        named = self.accelerator or self.product
        return family(named) if named else 0.0

    @quantity("1", "last day of the price's life as a number: 20261129; 0 where it has no date")
    def last_date(self) -> float:
        """Last day of the price's life as a number of year, month and day; 0 where it has no date."""
        last = self.valid_until
        return 0.0 if last is None else float(f"{last:%Y%m%d}")

    @property
    def valid_until(self) -> date | None:
        """Last day of the price's life; None where it has no date."""
        return None if self.as_of is None else self.as_of + timedelta(days=self.valid_days)

    def stale(self, today: date) -> bool:
        """Whether the price is older than its stated life; a price without a date always is."""
        return self.valid_until is None or today > self.valid_until

    @classmethod
    def impossible(cls, given: Mapping[str, Any], numbers: Mapping[str, float]) -> list[str]:
        """Prices of another unit, of a node, or without what makes them usable."""
        problems = []
        for name, unit, low, high, cause in _RANGES:
            value = numbers.get(name)
            if value is not None and value != 0 and not low <= value <= high:
                problems.append(f"{name} is {amount(value, unit)}, outside {low:g}..{high:g}; {cause}")
        if numbers.get("pue") == 0:
            problems.append("pue is 0; total power over IT power cannot be below 1")
        for name in _API_FIELDS:
            value = numbers.get(name)
            if value is not None and value != 0 and not 0.001 <= value <= 1000:
                meant = "per token or per thousand taken for per million?"
                problems.append(f"{name} is {amount(value, 'usd/million')}, outside 0.001..1000; {meant}")
        low_rent, high_rent = numbers.get("usd_per_gpu_hour_low"), numbers.get("usd_per_gpu_hour_high")
        if low_rent is not None and high_rent is not None and low_rent > high_rent:
            problems.append(f"usd_per_gpu_hour_low {low_rent:g} is above usd_per_gpu_hour_high {high_rent:g}")
        return problems + _missing(given, numbers)


def _missing(given: Mapping[str, Any], numbers: Mapping[str, float]) -> list[str]:
    kind = given.get("price_kind")
    if kind == "currency":
        problems = []
        if numbers.get("currency_rate", 0.0) <= 0 or given.get("direction") is None:
            problems.append(
                "a currency needs currency_rate above 0 and direction (usd_per_unit or units_per_usd)"
            )
        if given.get("as_of") is None:
            problems.append("a currency rate needs a date: give as_of")
        if given.get("currency", "USD") == "USD":
            problems.append("currency is USD; name the other currency")
        return problems
    stated = [name for name in (*(row[0] for row in _RANGES), *_API_FIELDS) if given.get(name) is not None]
    if not stated:
        return ["no price is stated; give one field such as usd_per_gpu_hour"]
    if given.get("currency", "USD") != "USD":
        return [f"currency is {given['currency']!r} but {stated[0]} is in US dollars; convert it first"]
    return []
