"""What a customer is told: list price, discount and margin; the parts of a token's cost; where choices break even."""

from __future__ import annotations

from tokensheet.plugin import (
    HOURS_PER_YEAR,
    PER_MILLION,
    POSITIVE,
    SHARE_BELOW_ONE,
    Assumption,
    Declaration,
    Input,
    check,
    formula,
)
from tokensheet_costs.sources import EVEN
from tokensheet_inference.sources import PLAN

_MARGIN = "margin as accountants define it: what is left of a price over the price"
_PARTS = "parts of the cost an hour over the tokens of an hour"

DECLARATIONS: tuple[Declaration, ...] = (
    Assumption("margin", "1", "share of the list price that is not cost", PLAN, 0, SHARE_BELOW_ONE),
    Assumption("discount", "1", "share of the list price that is not charged", PLAN, 0, SHARE_BELOW_ONE),
    Input(
        "rent_offer",
        "usd/hour",
        "rent of one device an hour that buying is compared with",
        None,
        POSITIVE,
    ),
)


@formula(unit="usd/hour", source=_MARGIN, title="List price an hour")
def list_price_per_hour(cost_per_hour, margin):
    """Dollars an hour of one replica before any discount, of which the margin is not cost."""
    return cost_per_hour / (1 - margin)


@formula(unit="usd/hour", source=_MARGIN, title="Price an hour")
def quote_per_hour(list_price_per_hour, discount):
    """Dollars an hour of one replica that the customer pays: the list price less the discount."""
    return list_price_per_hour * (1 - discount)


@formula(unit="usd/million", source=_MARGIN, title="Price of a million generated tokens at the plan's batch")
def quote_per_million(quote_per_hour, cost_per_hour, tokens_per_dollar):
    """Dollars a million generated tokens at the price an hour: one replica at the plan's batch and utilization."""
    return quote_per_hour / cost_per_hour * PER_MILLION / tokens_per_dollar


@formula(unit="usd/month", source=_MARGIN, title="Price of the fleet a month")
def fleet_quote_per_month(fleet_monthly_cost, margin, discount):
    """Dollars a month that the customer pays for the replicas that a load needs: list price less discount."""
    return fleet_monthly_cost / (1 - margin) * (1 - discount)


@formula(unit="usd/million", source=_MARGIN, title="Price of a million tokens of the fleet")
def fleet_quote_per_million(fleet_usd_per_million, margin, discount):
    """Dollars that the customer pays for a million prompt and output tokens that the fleet really serves."""
    return fleet_usd_per_million / (1 - margin) * (1 - discount)


@formula(unit="1", source=_MARGIN, title="Margin after discount")
def margin_left(quote_per_hour, cost_per_hour):
    """Share of the price that is left over the cost once the discount is given; negative when it is sold at a loss."""
    return 1 - cost_per_hour / quote_per_hour


@formula(unit="usd/million", source=_PARTS, title="Capital of a million tokens")
def capital_per_million(capital_cost_per_hour, rent_per_gpu_hour, cost_per_hour, tokens_per_dollar):
    """Dollars of the purchase in a million generated tokens; none when the devices are rented."""
    owned = 0 if rent_per_gpu_hour > 0 else capital_cost_per_hour
    return owned / cost_per_hour * PER_MILLION / tokens_per_dollar


@formula(unit="usd/million", source=_PARTS, title="Power of a million tokens")
def power_per_million(power_cost_per_hour, rent_per_gpu_hour, cost_per_hour, tokens_per_dollar):
    """Dollars of electricity in a million generated tokens; none when the devices are rented."""
    owned = 0 if rent_per_gpu_hour > 0 else power_cost_per_hour
    return owned / cost_per_hour * PER_MILLION / tokens_per_dollar


@formula(unit="usd/million", source=_PARTS, title="Hosting of a million tokens")
def hosting_per_million(hosting_per_hour, rent_per_gpu_hour, cost_per_hour, tokens_per_dollar):
    """Dollars of hosting in a million generated tokens; none when the devices are rented."""
    owned = 0 if rent_per_gpu_hour > 0 else hosting_per_hour
    return owned / cost_per_hour * PER_MILLION / tokens_per_dollar


@formula(unit="usd/million", source=_PARTS, title="Rent of a million tokens")
def rent_per_million(gpus, serving_rent, cost_per_hour, tokens_per_dollar):
    """Dollars of rent in a million generated tokens; none when the devices are bought."""
    return gpus * serving_rent / cost_per_hour * PER_MILLION / tokens_per_dollar


@check(
    message="machines on demand that stand in cost more than owning, at {fallback_rent_per_gpu_hour} dollars a device and hour; "
    "no rent is even with buying: buy, or give a lower fallback_rent_per_gpu_hour",
    source=EVEN,
    title="Some rent is even with buying, without interest",
)
def break_even_rent_exists(owned_cost_per_hour, gpus, serving_share, fallback_rent_per_gpu_hour):
    """1 when what stands in for machines taken back costs less an hour than owning."""
    return gpus * fallback_rent_per_gpu_hour * (1 - serving_share) < owned_cost_per_hour


@formula(
    unit="usd/hour",
    source=EVEN,
    checks=("system_matches", "system_has_gpu", "spot_is_interrupted", "break_even_rent_exists"),
    title="Rent that breaks even with buying, without interest",
)
def break_even_rent(
    owned_cost_per_hour, gpus, machines_asked, rent_availability, serving_share, fallback_rent_per_gpu_hour
):
    """Dollars an hour for one device at which COST_PER_HOUR is that of buying, no interest; buy where rent is above it."""
    # Not by EVEN_RENT: one that is stated, with its interest, must not become this one.
    stand_in = fallback_rent_per_gpu_hour * (1 - serving_share)
    return (owned_cost_per_hour / gpus - stand_in) / (rent_availability * machines_asked)


@formula(unit="usd/hour", source=EVEN, title="Saved an hour by buying")
def saved_per_hour(gpus, rent_offer, power_cost_per_hour, hosting_per_hour):
    """Dollars an hour of the rent offered that are not spent on running a machine of one's own."""
    return gpus * rent_offer - power_cost_per_hour - hosting_per_hour


@check(
    message="power and hosting cost as much as the rent offered, {rent_offer} dollars a device and hour; rent at this price",
    source=EVEN,
    title="Buying saves against the rent offered",
)
def buying_saves(saved_per_hour, rent_offer):
    """1 when running a bought machine costs less than the rent offered."""
    return saved_per_hour > 0


@formula(
    unit="year",
    source=EVEN,
    checks=("buying_saves",),
    title="Years until buying is cheaper than the rent offered",
)
def break_even_years(system_price, saved_per_hour):
    """Years of use after which a purchase has cost less than the rent offered."""
    return system_price / (saved_per_hour * HOURS_PER_YEAR)


@formula(unit="1", source=EVEN, title="Utilization that breaks even with an API")
def break_even_utilization(utilization, api_tokens_per_dollar, tokens_per_dollar):
    """Share of the time in use at which a token costs what an API asks; above 1 the API is cheaper at any load."""
    return utilization * api_tokens_per_dollar / tokens_per_dollar
