"""How many replicas, nodes and racks: the peak under its targets, spares, failures, updates; autoscaling over a day."""

from __future__ import annotations

import math

from tokensheet.constants import HOURS_PER_DAY, HOURS_PER_MONTH, PER_MILLION, SECONDS_PER_HOUR, Constant
from tokensheet.plugin import at, formula

_PEAK = "whole replicas whose largest load under the targets reaches the peak"
_SPARE = "N+1; replicas that are down or being updated do not serve"
_WHOLE = "nodes and racks are bought whole"
_SCALED = "replicas of each hour of a mean day; each start is paid until the replica serves"
_CELL = "model, gpu, gpus, prompt, output, request_rate, [target_ttft], [target_tpot], [target_percentile], [options]"

ROUNDING = Constant("ROUNDING", 1e-9, "1", "slack for the rounding of a quotient that should be whole")
ONE_HOUR = Constant("ONE_HOUR", 1.0, "hour", "an hour")


@formula(unit="replica", source=_PEAK, checks=("demand_is_given",), title="Replicas that the load keeps busy")
def busy_replicas(request_rate, largest_replica_load):
    """Fewest replicas that together take the load under the targets; at least one."""
    return max(1, math.ceil(request_rate / largest_replica_load * (1 - ROUNDING)))


@formula(unit="replica", source=_SPARE, title="Replicas with those that are down")
def online_replicas(busy_replicas, replica_availability, update_share):
    """Replicas of which enough serve while some are down or being updated."""
    serving = replica_availability * (1 - update_share)
    return math.ceil(busy_replicas / serving * (1 - ROUNDING))


@formula(unit="replica", source=_SPARE, cell=_CELL, title="Replicas needed")
def replicas_needed(online_replicas, spare_replicas):
    """Replicas that take a load under the targets, spare ones included (one by default), for failures and updates too."""
    return online_replicas + spare_replicas


@formula(unit="node", source=_WHOLE, cell="gpus, replicas, [options]", title="Nodes of the fleet")
def fleet_nodes(gpus, replicas, node_gpus, other_nodes):
    """Whole nodes for all replicas and what other models fill; a replica starts on a node of its own if it needs several."""
    fitting = max(1, math.floor(node_gpus / gpus))
    for_each = math.ceil(gpus / node_gpus)
    return math.ceil((math.ceil(replicas / fitting) * for_each + other_nodes) * (1 - ROUNDING))


@formula(unit="gpu", source=_WHOLE, cell="gpus, replicas, [options]", title="Devices of the fleet")
def fleet_gpus(fleet_nodes, node_gpus):
    """Devices of all whole nodes, idle ones included."""
    return fleet_nodes * node_gpus


@formula(unit="1", source=_WHOLE, cell="gpus, replicas, [options]", title="Racks of the fleet")
def fleet_racks(fleet_nodes, nodes_per_rack):
    """Whole racks for all nodes."""
    return math.ceil(fleet_nodes / nodes_per_rack)


# ---- autoscaling


@formula(unit="1", source=_SCALED, checks=("demand_is_given",), title="Replicas for each unit of load")
def replicas_per_load(
    request_rate,
    busiest_hour_load,
    busiest_day_factor,
    largest_replica_load,
    replica_availability,
    update_share,
):
    """Replicas that a unit of the 24 loads takes on a mean day, bursts and failures included."""
    serving = replica_availability * (1 - update_share)
    return request_rate / (busiest_day_factor * busiest_hour_load * largest_replica_load * serving)


@formula(
    unit="replica",
    source=_SCALED,
    cell=_CELL,
    title="Replicas on average, autoscaled",
)
def autoscaled_replicas(
    replicas_per_load,
    least_replicas,
    spare_replicas,
    start_up_time,
    load_at_00,
    load_at_01,
    load_at_02,
    load_at_03,
    load_at_04,
    load_at_05,
    load_at_06,
    load_at_07,
    load_at_08,
    load_at_09,
    load_at_10,
    load_at_11,
    load_at_12,
    load_at_13,
    load_at_14,
    load_at_15,
    load_at_16,
    load_at_17,
    load_at_18,
    load_at_19,
    load_at_20,
    load_at_21,
    load_at_22,
    load_at_23,
):
    """Replicas paid for on average over a mean day when each hour has as many as its load needs, spares included."""
    on_00 = max(least_replicas, math.ceil(load_at_00 * replicas_per_load * (1 - ROUNDING)))
    on_01 = max(least_replicas, math.ceil(load_at_01 * replicas_per_load * (1 - ROUNDING)))
    on_02 = max(least_replicas, math.ceil(load_at_02 * replicas_per_load * (1 - ROUNDING)))
    on_03 = max(least_replicas, math.ceil(load_at_03 * replicas_per_load * (1 - ROUNDING)))
    on_04 = max(least_replicas, math.ceil(load_at_04 * replicas_per_load * (1 - ROUNDING)))
    on_05 = max(least_replicas, math.ceil(load_at_05 * replicas_per_load * (1 - ROUNDING)))
    on_06 = max(least_replicas, math.ceil(load_at_06 * replicas_per_load * (1 - ROUNDING)))
    on_07 = max(least_replicas, math.ceil(load_at_07 * replicas_per_load * (1 - ROUNDING)))
    on_08 = max(least_replicas, math.ceil(load_at_08 * replicas_per_load * (1 - ROUNDING)))
    on_09 = max(least_replicas, math.ceil(load_at_09 * replicas_per_load * (1 - ROUNDING)))
    on_10 = max(least_replicas, math.ceil(load_at_10 * replicas_per_load * (1 - ROUNDING)))
    on_11 = max(least_replicas, math.ceil(load_at_11 * replicas_per_load * (1 - ROUNDING)))
    on_12 = max(least_replicas, math.ceil(load_at_12 * replicas_per_load * (1 - ROUNDING)))
    on_13 = max(least_replicas, math.ceil(load_at_13 * replicas_per_load * (1 - ROUNDING)))
    on_14 = max(least_replicas, math.ceil(load_at_14 * replicas_per_load * (1 - ROUNDING)))
    on_15 = max(least_replicas, math.ceil(load_at_15 * replicas_per_load * (1 - ROUNDING)))
    on_16 = max(least_replicas, math.ceil(load_at_16 * replicas_per_load * (1 - ROUNDING)))
    on_17 = max(least_replicas, math.ceil(load_at_17 * replicas_per_load * (1 - ROUNDING)))
    on_18 = max(least_replicas, math.ceil(load_at_18 * replicas_per_load * (1 - ROUNDING)))
    on_19 = max(least_replicas, math.ceil(load_at_19 * replicas_per_load * (1 - ROUNDING)))
    on_20 = max(least_replicas, math.ceil(load_at_20 * replicas_per_load * (1 - ROUNDING)))
    on_21 = max(least_replicas, math.ceil(load_at_21 * replicas_per_load * (1 - ROUNDING)))
    on_22 = max(least_replicas, math.ceil(load_at_22 * replicas_per_load * (1 - ROUNDING)))
    on_23 = max(least_replicas, math.ceil(load_at_23 * replicas_per_load * (1 - ROUNDING)))
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
    return (sum_early + sum_late + starts) / HOURS_PER_DAY + spare_replicas


@formula(unit="share", source=_SCALED, cell=_CELL, title="Saved by autoscaling")
def autoscaling_saving(autoscaled_replicas, replicas_needed):
    """Share of the replica hours of a fleet for the peak that autoscaling does not pay."""
    return 1 - autoscaled_replicas / replicas_needed


# ---- the fleet's money


@formula(
    unit="token/month", source="requests of a mean day", checks=("demand_is_given",), title="Tokens a month"
)
def tokens_per_month(request_rate, peak_to_average, mean_prompt, output):
    """Prompt and output tokens of a month, mean over all days, when the rate given is the peak."""
    mean_rate = request_rate / peak_to_average
    return mean_rate * (mean_prompt + output) * SECONDS_PER_HOUR * HOURS_PER_MONTH


@formula(unit="usd/month", source=_PEAK, cell=_CELL, title="Cost of the fleet a month")
def fleet_monthly_cost(cost=at("monthly_cost", replicas="replicas_needed")):
    """Dollars a month of the replicas that a load needs."""
    return cost


@formula(unit="usd/million", source=_PEAK, cell=_CELL, title="Dollars a million tokens of the fleet")
def fleet_usd_per_million(fleet_monthly_cost, tokens_per_month):
    """Dollars a million prompt and output tokens that the fleet really serves, idle hours and spares included."""
    return fleet_monthly_cost / tokens_per_month * PER_MILLION
