"""Dollars for each hour in which a replica serves, by the way in which its machines are had."""

from __future__ import annotations

import math

from tokensheet.plugin import formula

_RENT = "price of a device and hour × devices"
_AVAILABLE = "mean time between failures over that and the time to repair"


@formula(unit="usd/hour", source=_RENT, cell="gpus, on_demand, [options]", title="On demand an hour")
def on_demand_cost_per_hour(gpus, on_demand_usd_per_gpu_hour):
    """Dollars an hour of a replica rented on demand: paid while it is needed only."""
    return gpus * on_demand_usd_per_gpu_hour


@formula(
    unit="usd/hour",
    source=_RENT + "; a reservation is paid around the clock, used or not",
    cell="gpus, reserved, [options]",
    title="Reserved an hour of need",
)
def reserved_cost_per_hour(gpus, reserved_usd_per_gpu_hour, needed_share):
    """Dollars for each hour in which a reserved replica is needed; the hours between are paid as well."""
    return gpus * reserved_usd_per_gpu_hour / needed_share


@formula(
    unit="1",
    source="reserved and on-demand cost are equal there",
    cell="on_demand, reserved, [options]",
    title="Share of hours from which a reservation pays",
)
def reserved_break_even(on_demand_usd_per_gpu_hour, reserved_usd_per_gpu_hour):
    """Share of the hours in which a replica must be needed for a reservation to cost less; above 1 it never does."""
    return reserved_usd_per_gpu_hour / on_demand_usd_per_gpu_hour


@formula(unit="1", source=_AVAILABLE, cell="[options]", title="Availability of a spot replica")
def spot_availability(spot_interruptions_per_hour, spot_recovery_time):
    """Share of the time in which one spot replica serves: the rest it is gone, or loading weights."""
    return 1 / (1 + spot_interruptions_per_hour * spot_recovery_time)


@formula(
    unit="replica",
    source="1 / availability, in whole machines for the fleet",
    cell="[options]",
    title="Spot replicas rented for the fleet",
)
def spot_replicas(replicas, spot_availability):
    """Spot replicas that must be rented so that on average the wanted number serves."""
    return math.ceil(replicas / spot_availability)


@formula(
    unit="usd/hour",
    source=_RENT + "; spares for what is gone",
    cell="gpus, spot, [options]",
    title="Spot with spares an hour",
)
def spot_cost_per_hour(gpus, spot_usd_per_gpu_hour, spot_replicas, replicas):
    """Dollars an hour for each replica that serves, spare machines included; all that are rented are paid."""
    return gpus * spot_usd_per_gpu_hour * spot_replicas / replicas


@formula(
    unit="usd/hour",
    source=_RENT + "; on demand for what is gone",
    cell="gpus, spot, on_demand, [options]",
    title="Spot with fallback an hour",
)
def spot_fallback_cost_per_hour(gpus, spot_usd_per_gpu_hour, on_demand_usd_per_gpu_hour, spot_availability):
    """Dollars an hour of a replica on spot machines, on demand while these are gone."""
    on_spot = spot_availability * spot_usd_per_gpu_hour
    return gpus * (on_spot + (1 - spot_availability) * on_demand_usd_per_gpu_hour)


@formula(
    unit="usd/hour",
    source="the market that the plan chooses; without one as built in: rent when a rent is given, else owned",
    replaces="cost_per_hour",
    title="Cost an hour",
)
def market_cost_per_hour(
    market,
    gpus,
    rent_per_gpu_hour,
    owned_cost_per_hour,
    on_demand_cost_per_hour,
    reserved_cost_per_hour,
    spot_cost_per_hour,
    spot_fallback_cost_per_hour,
):
    """Dollars for each hour in which one replica serves, by the market it is had on; owned or rented without one."""
    return (
        (gpus * rent_per_gpu_hour if rent_per_gpu_hour > 0 else owned_cost_per_hour)
        if market == 0
        else on_demand_cost_per_hour
        if market == 1
        else reserved_cost_per_hour
        if market == 2
        else spot_cost_per_hour
        if market == 3
        else spot_fallback_cost_per_hour
    )
