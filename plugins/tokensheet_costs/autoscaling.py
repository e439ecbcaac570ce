"""A fleet over the 24 hours of a mean day: replicas, latency and cost of an hour, and what autoscaling saves."""

from __future__ import annotations

import math

from tokensheet.plugin import HOURS_PER_DAY, HOURS_PER_MONTH, ONE_HOUR, ROUNDING, at, check, formula
from tokensheet_costs.fleet import CELL

_SCALED = "replicas of each hour of a mean day; each start is paid until the replica serves"
_HOUR = "the plan at the rate of one hour of a mean day"
_OF_HOUR = CELL.replace("request_rate,", "request_rate, hour,")
_AT_NIGHT = {"request_rate": 30, "rent_per_gpu_hour": 2.5} | {
    f"load_at_{hour:02}": 0.2 for hour in range(1, 6)
}
"""An example call in which nights are quiet."""


@formula(
    unit="1",
    source=_SCALED,
    checks=("demand_is_given", "hours_make_peak"),
    title="Replicas for each unit of load",
)
def replicas_per_load(request_rate, busiest_hour_load, busiest_day_factor, largest_replica_load):
    """Replicas that a unit of the 24 loads keeps busy on a mean day, bursts included."""
    return request_rate / (busiest_day_factor * busiest_hour_load * largest_replica_load)


@formula(unit="replica", source=_SCALED, title="Replicas that an hour needs")
def hour_replicas(hour_load, replicas_per_load, least_replicas, replica_availability, update_share):
    """Replicas for the load of one hour of a mean day, bursts, failures and updates included; spares aside.

    Rounded as for the peak: whole replicas that serve, then whole ones with those that do not.
    """
    busy = math.ceil(hour_load * replicas_per_load * (1 - ROUNDING))
    serving = replica_availability * (1 - update_share)
    return max(least_replicas, math.ceil(busy / serving * (1 - ROUNDING)))


@formula(unit="replica", source=_SCALED, cell=CELL, title="Replicas on average, autoscaled")
def autoscaled_replicas(
    spare_replicas,
    start_up_time,
    busiest=at("hour_replicas", hour_load="busiest_hour_load"),
    on_00=at("hour_replicas", hour_load="load_at_00"),
    on_01=at("hour_replicas", hour_load="load_at_01"),
    on_02=at("hour_replicas", hour_load="load_at_02"),
    on_03=at("hour_replicas", hour_load="load_at_03"),
    on_04=at("hour_replicas", hour_load="load_at_04"),
    on_05=at("hour_replicas", hour_load="load_at_05"),
    on_06=at("hour_replicas", hour_load="load_at_06"),
    on_07=at("hour_replicas", hour_load="load_at_07"),
    on_08=at("hour_replicas", hour_load="load_at_08"),
    on_09=at("hour_replicas", hour_load="load_at_09"),
    on_10=at("hour_replicas", hour_load="load_at_10"),
    on_11=at("hour_replicas", hour_load="load_at_11"),
    on_12=at("hour_replicas", hour_load="load_at_12"),
    on_13=at("hour_replicas", hour_load="load_at_13"),
    on_14=at("hour_replicas", hour_load="load_at_14"),
    on_15=at("hour_replicas", hour_load="load_at_15"),
    on_16=at("hour_replicas", hour_load="load_at_16"),
    on_17=at("hour_replicas", hour_load="load_at_17"),
    on_18=at("hour_replicas", hour_load="load_at_18"),
    on_19=at("hour_replicas", hour_load="load_at_19"),
    on_20=at("hour_replicas", hour_load="load_at_20"),
    on_21=at("hour_replicas", hour_load="load_at_21"),
    on_22=at("hour_replicas", hour_load="load_at_22"),
    on_23=at("hour_replicas", hour_load="load_at_23"),
):
    """Replicas paid for on average over a mean day when each hour has as many as its load needs, spares included.

    Never more than those of the busiest hour: who pays longer starts than hours saved leaves them on.
    """
    sum_early = on_00 + on_01 + on_02 + on_03 + on_04 + on_05 + on_06 + on_07 + on_08 + on_09 + on_10 + on_11
    sum_late = on_12 + on_13 + on_14 + on_15 + on_16 + on_17 + on_18 + on_19 + on_20 + on_21 + on_22 + on_23
    rise_night = (
        max(0, on_01 - on_00)
        + max(0, on_02 - on_01)
        + max(0, on_03 - on_02)
        + max(0, on_04 - on_03)
        + max(0, on_05 - on_04)
        + max(0, on_06 - on_05)
    )
    rise_morning = (
        max(0, on_07 - on_06)
        + max(0, on_08 - on_07)
        + max(0, on_09 - on_08)
        + max(0, on_10 - on_09)
        + max(0, on_11 - on_10)
        + max(0, on_12 - on_11)
    )
    rise_day = (
        max(0, on_13 - on_12)
        + max(0, on_14 - on_13)
        + max(0, on_15 - on_14)
        + max(0, on_16 - on_15)
        + max(0, on_17 - on_16)
        + max(0, on_18 - on_17)
    )
    rise_evening = (
        max(0, on_19 - on_18)
        + max(0, on_20 - on_19)
        + max(0, on_21 - on_20)
        + max(0, on_22 - on_21)
        + max(0, on_23 - on_22)
        + max(0, on_00 - on_23)
    )
    starts = (rise_night + rise_morning + rise_day + rise_evening) * start_up_time / ONE_HOUR
    return min(busiest, (sum_early + sum_late + starts) / HOURS_PER_DAY) + spare_replicas


@formula(
    unit="share",
    source=_SCALED,
    cell=CELL,
    title="Replica hours that autoscaling would save",
    example_with=_AT_NIGHT,
)
def autoscaling_saving(autoscaled_replicas, replicas_needed):
    """Share of the replica hours of a fleet for the peak that autoscaling does not pay."""
    return 1 - autoscaled_replicas / replicas_needed


@check(
    message="machines that are bought or reserved are paid around the clock, so switching them off saves no capital and no rent; "
    "give rent_per_gpu_hour without reserved_rent, or see MONTHLY_COST",
    source=_SCALED,
    title="Machines can be given back by the hour",
)
def hours_are_rented(is_bought, reserved_rent):
    """1 when machines are rented on demand."""
    return is_bought == 0 and reserved_rent == 0


@formula(
    unit="usd/month",
    source=_SCALED,
    cell=CELL,
    checks=("hours_are_rented",),
    title="Cost a month, autoscaled",
    example_with=_AT_NIGHT,
)
def autoscaled_monthly_cost(cost=at("monthly_cost", replicas="autoscaled_replicas", rented_share=1)):
    """Dollars a month of machines rented on demand when each hour has as many as its load needs."""
    return cost


# ---- one hour of the day


@formula(unit="replica", source=_HOUR, cell=_OF_HOUR, title="Replicas on in an hour")
def hour_fleet(autoscaling, hour_replicas, spare_replicas, replicas_needed):
    """Replicas on in one hour of a mean day: as many as it needs and spares when autoscaled, else those for the peak."""
    scaled = autoscaling * (
        hour_replicas + spare_replicas
    )  # read either way, so that an hour outside the day is told
    return scaled + (1 - autoscaling) * replicas_needed


@formula(unit="replica", source=_HOUR, title="Replicas that serve in an hour")
def hour_serving(autoscaling, hour_replicas, busy_replicas, replica_availability, update_share):
    """Replicas that share the load of one hour: spares idle, some are down or being updated."""
    serving = replica_availability * (1 - update_share)
    scaled = autoscaling * max(
        1, math.floor(hour_replicas * serving * (1 + ROUNDING))
    )  # read either way, as above
    return scaled + (1 - autoscaling) * busy_replicas


@formula(unit="request/second", source=_HOUR, title="Requests a second in an hour's busiest minutes")
def hour_busy_rate(hour_request_rate, burst_factor):
    """Requests a second in the busiest minutes of one hour of a mean day."""
    return hour_request_rate * burst_factor


@formula(unit="share", source=_HOUR, title="Utilization in an hour")
def hour_utilization(
    used=at("replica_utilization", request_rate="hour_request_rate", replicas="hour_serving"),
):
    """Share of their largest rate that the serving replicas get in one hour, mean over it."""
    return used


@formula(unit="second", source=_HOUR, cell=_OF_HOUR, title="TTFT in an hour")
def hour_ttft(
    reached=at(
        "ttft", request_rate="hour_busy_rate", replicas="hour_serving", percentile="target_percentile"
    ),
):
    """Seconds to the first token in the busiest minutes of one hour of a mean day, at the targets' percentile."""
    return reached


@formula(unit="second", source=_HOUR, cell=_OF_HOUR, title="TPOT in an hour")
def hour_tpot(
    reached=at(
        "tpot", request_rate="hour_busy_rate", replicas="hour_serving", percentile="target_percentile"
    ),
):
    """Seconds between tokens in the busiest minutes of one hour of a mean day, at the targets' percentile."""
    return reached


@formula(unit="replica", source=_HOUR, title="Replicas paid for in an hour")
def hour_paid(is_bought, reserved_rent, hour_fleet, replicas_needed):
    """Replicas paid for in one hour of a mean day: those that are on; of bought and reserved ones all, on or not."""
    on_demand = (1 - is_bought) * (1 - reserved_rent)
    return on_demand * hour_fleet + (1 - on_demand) * replicas_needed


@formula(unit="usd/hour", source=_HOUR, title="Cost of an hour")
def hour_cost(cost=at("monthly_cost", replicas="hour_paid", rented_share=1)):
    """Dollars of one hour of a mean day, as MONTHLY_COST counts them, starts aside: 730 mean hours are a month."""
    return cost / HOURS_PER_MONTH
