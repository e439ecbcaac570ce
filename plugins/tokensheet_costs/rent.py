"""Rent: on demand, reserved and spot with interruptions; offers of the catalogue; renting against buying."""

from __future__ import annotations

from tokensheet.plugin import (
    FLAG,
    HOURS_PER_DAY,
    HOURS_PER_MONTH,
    NOT_NEGATIVE,
    ONE_HOUR,
    SHARE,
    SHARE_OR_NONE,
    Assumption,
    Declaration,
    Role,
    at,
    check,
    formula,
)
from tokensheet_costs.sources import EVEN
from tokensheet_inference.sources import PLAN

_PAID = "a rent that binds is paid around the clock"
_SPOT = "a machine is billed while it is there; so many are asked for that one serves, or machines on demand stand in"
_OFFER = "rent of a price record, which states its kind, term and date"
_NAMED = "a rent is for the devices that its record names"

DECLARATIONS: tuple[Declaration, ...] = (
    Role("offer", "price", "price record of devices that are rented", prefix="offer_", example="p026"),
    Assumption("reserved_rent", "flag", "1: the rent binds for a term and is paid around the clock, used or not",
               PLAN, 0, FLAG),
    Assumption("rented_share", "share", "share of the hours in which machines are rented, unless the rent binds",
               PLAN, 1, SHARE_OR_NONE),
    Assumption("spot_rent", "flag", "1: the machines may be taken back at any time", PLAN, 0, FLAG),
    Assumption("rent_availability", "share", "share of the time in which a rented machine is there: below 1 on spot markets",
               PLAN, 1, SHARE),
    Assumption("interruptions_per_day", "1", "times a day that a rented machine is taken back and another starts",
               PLAN, 0, NOT_NEGATIVE),
    Assumption("fallback_rent_per_gpu_hour", "usd/hour",
               "rent on demand of one device an hour that stands in when machines are taken back; 0: more of them are rented",
               PLAN, 0, NOT_NEGATIVE),
)  # fmt: skip


@check(
    message="spot machines are taken back at times: give rent_availability below 1, such as 0.9, "
    "and fallback_rent_per_gpu_hour where machines on demand stand in",
    source=_SPOT,
    title="Spot machines are not always there",
)
def spot_is_interrupted(spot_rent, rent_availability):
    """1 when the rent is not of the spot market, or the share of the time is given in which machines are there."""
    return spot_rent == 0 or rent_availability < 1


@formula(unit="share", source=_SPOT, title="Share of the time in which a rented machine serves")
def serving_share(rent_availability, interruptions_per_day, start_up_time):
    """Share of the time in which a rented machine is there and serves, starts after interruptions taken off."""
    starting = interruptions_per_day * (start_up_time / ONE_HOUR) / HOURS_PER_DAY
    return rent_availability * max(0, 1 - starting)


@check(
    message="machines that are taken back {interruptions_per_day} times a day and take {start_up_time} hours to start never serve; "
    "give fewer interruptions_per_day, or a shorter start_up_time",
    source=_SPOT,
    title="Rented machines serve at times",
)
def rented_machines_serve(serving_share, interruptions_per_day, start_up_time):
    """1 when starts do not take all the time between interruptions."""
    return serving_share > 0


@formula(unit="1", source=_SPOT, checks=("rented_machines_serve",), title="Machines asked for")
def machines_asked(serving_share, fallback_rent_per_gpu_hour):
    """Rented machines asked for so that one serves on average; one where machines on demand stand in."""
    return 1 if fallback_rent_per_gpu_hour > 0 else 1 / serving_share


@formula(
    unit="usd/hour",
    source=_SPOT,
    checks=("spot_is_interrupted",),
    title="Rent of a device that always serves",
)
def serving_rent(
    rent_per_gpu_hour, machines_asked, rent_availability, serving_share, fallback_rent_per_gpu_hour
):
    """Dollars for each hour that one device serves: machines asked for are billed while they are there, starts included.

    A fallback is paid while they do not serve. Without interruptions and at one price both ways cost that price.
    0 when machines are bought, whatever would stand in.
    """
    there = rent_per_gpu_hour * rent_availability * machines_asked
    stand_in = fallback_rent_per_gpu_hour * (1 - serving_share)
    return there + stand_in if rent_per_gpu_hour > 0 else 0


@formula(unit="usd/month", source=_PAID + "; " + _SPOT, title="Rent a month")
def rent_per_month(replicas, gpus, serving_rent, reserved_rent, rented_share):
    """Dollars a month for rented devices: around the clock when reserved, else for the hours in which they are rented."""
    share = 1 if reserved_rent else rented_share
    return replicas * gpus * serving_rent * HOURS_PER_MONTH * share


# ---- offers of the catalogue


@check(
    message="{offer} does not say of which device it is the rent; choose another offer, or give its record an accelerator",
    source=_NAMED,
    title="Offer names its devices",
)
def offer_names_gpu(offer_usd_per_gpu_hour, offer_gpu_family):
    """1 when the offer is a rent whose record names its device."""
    named = offer_gpu_family if offer_usd_per_gpu_hour >= 0 else 0
    return named > 0


@check(
    message="{offer} is rent of other devices than {gpu}; choose another offer or device",
    source=_NAMED,
    title="Offer is of the plan's devices",
)
def offer_has_gpu(offer_gpu_family, gpu_family):
    """1 when the offer is for variants of the plan's device."""
    return offer_gpu_family == gpu_family


@formula(
    unit="usd/month",
    source=_OFFER,
    cell="gpu, gpus, replicas, offer, [options]",
    checks=("offer_names_gpu", "offer_has_gpu", "plan_is_dated", "offer_is_fresh"),
    title="Rent of an offer a month",
)
def offer_monthly_cost(
    cost=at(
        "monthly_cost",
        rent_per_gpu_hour="offer_usd_per_gpu_hour",
        reserved_rent="offer_is_reserved",
        spot_rent="offer_is_spot",
    ),
):
    """Dollars a month of all replicas at the rent of a price record, with network, storage and staff."""
    return cost


@formula(
    unit="usd",
    source=_OFFER,
    cell="gpu, gpus, replicas, offer, plan_years, [options]",
    checks=("offer_names_gpu", "offer_has_gpu", "plan_is_dated", "offer_is_fresh"),
    title="Net present cost of an offer",
)
def offer_net_present_cost(
    cost=at(
        "net_present_cost",
        rent_per_gpu_hour="offer_usd_per_gpu_hour",
        reserved_rent="offer_is_reserved",
        spot_rent="offer_is_spot",
    ),
):
    """Dollars of today that all replicas cost over the years at the rent of a price record."""
    return cost


# ---- renting against buying


@formula(
    unit="usd",
    source=EVEN,
    cell="gpu, gpus, replicas, offer, plan_years, [options]",
    title="Saved by buying",
)
def saved_by_buying(offer_net_present_cost, bought=at("net_present_cost", rent_per_gpu_hour=0)):
    """Dollars of today by which buying is cheaper than an offer over the years; negative when renting is cheaper."""
    return offer_net_present_cost - bought


@formula(unit="usd/month", source=EVEN, title="Owning a replica a month")
def owned_per_month(
    capital=at("capital_per_month", rent_per_gpu_hour=0, replicas=1),
    power=at("power_per_month", rent_per_gpu_hour=0, replicas=1),
    hosting=at("hosting_per_month", rent_per_gpu_hour=0, replicas=1),
    support=at("support_per_month", rent_per_gpu_hour=0, replicas=1),
):
    """Dollars a month of one bought replica that a rent includes: capital with interest, power, hosting, support."""
    return capital + power + hosting + support


@formula(unit="usd/hour", source=EVEN, title="Owning a device for a rented hour")
def owned_per_rented_hour(owned_per_month, gpus, reserved_rent, rented_share):
    """Dollars that a bought device costs for each hour in which a rented one would serve, interest included."""
    share = 1 if reserved_rent else rented_share
    return owned_per_month / (gpus * HOURS_PER_MONTH * share)


@check(
    message="machines on demand that stand in cost more than owning, at {fallback_rent_per_gpu_hour} dollars a device and hour; "
    "no rent is even with buying: buy, or give a lower fallback_rent_per_gpu_hour",
    source=EVEN,
    title="Some rent is even with buying, with interest",
)
def rent_can_be_even(owned_per_rented_hour, serving_share, fallback_rent_per_gpu_hour):
    """1 when what stands in for machines taken back costs less than owning."""
    return fallback_rent_per_gpu_hour * (1 - serving_share) < owned_per_rented_hour


@formula(
    unit="usd/hour",
    source=EVEN,
    cell="gpu, gpus, [options]",
    checks=("system_matches", "system_has_gpu", "spot_is_interrupted", "rent_can_be_even"),
    title="Rent that breaks even with buying, with interest",
)
def even_rent(
    owned_per_rented_hour, machines_asked, rent_availability, serving_share, fallback_rent_per_gpu_hour
):
    """Rent of one device an hour at which renting costs what buying does, interest included; buy where rent is above it.

    It is the rent of a machine while it is there: put into MONTHLY_COST with the same availability, interruptions and
    fallback, it gives what buying costs.
    """
    stand_in = fallback_rent_per_gpu_hour * (1 - serving_share)
    return (owned_per_rented_hour - stand_in) / (rent_availability * machines_asked)
