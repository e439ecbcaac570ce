"""How many replicas, nodes and racks, and what they cost: the peak under its targets, spares, failures, updates."""

from __future__ import annotations

import math

from tokensheet.plugin import (
    HOURS_PER_MONTH,
    PER_MILLION,
    ROUNDING,
    SECONDS_PER_HOUR,
    Constant,
    at,
    check,
    formula,
)
from tokensheet_costs.sources import SPARE

_PEAK = "whole replicas whose largest load under the targets reaches the peak"
_WHOLE = "nodes and racks are bought whole"
CELL = "model, gpu, gpus, prompt, output, request_rate, [target_ttft], [target_tpot], [target_percentile], [options]"

MORE_OFTEN = Constant("MORE_OFTEN", 0.05, "1", "share by which users may ask more often than is said")


@formula(unit="replica", source=_PEAK, checks=("demand_is_given",), title="Replicas that the load keeps busy")
def busy_replicas(request_rate, largest_replica_load):
    """Fewest replicas that together take the load under the targets; at least one."""
    return max(1, math.ceil(request_rate / largest_replica_load * (1 - ROUNDING)))


@formula(unit="replica", source=SPARE, title="Replicas with those that are down")
def online_replicas(busy_replicas, replica_availability, update_share):
    """Replicas of which enough serve while some are down or being updated."""
    serving = replica_availability * (1 - update_share)
    return math.ceil(busy_replicas / serving * (1 - ROUNDING))


@formula(unit="replica", source=SPARE, cell=CELL, title="Replicas needed")
def replicas_needed(online_replicas, spare_replicas):
    """Replicas that take a load under the targets, spare ones included (one by default), for failures and updates too."""
    return online_replicas + spare_replicas


@formula(unit="replica", source=_WHOLE, title="Replicas of a node")
def node_replicas(gpus, node_gpus):
    """Replicas that fit into one node whole; one where a replica needs several nodes."""
    return max(1, math.floor(node_gpus / gpus))


@formula(unit="node", source=_WHOLE, title="Nodes of a replica")
def replica_nodes(gpus, node_gpus):
    """Whole nodes that a replica starts on: several, or one that others may share."""
    return math.ceil(gpus / node_gpus)


@formula(unit="node", source=_WHOLE, cell="gpus, replicas, [options]", title="Nodes of the fleet")
def fleet_nodes(replicas, node_replicas, replica_nodes, other_nodes):
    """Whole nodes for all replicas and what other models fill; a replica starts on a node of its own if it needs several."""
    own = math.ceil(replicas / node_replicas) * replica_nodes
    return math.ceil((own + other_nodes) * (1 - ROUNDING))


@formula(unit="gpu", source=_WHOLE, cell="gpus, replicas, [options]", title="Devices of the fleet")
def fleet_gpus(fleet_nodes, node_gpus):
    """Devices of all whole nodes, idle ones included."""
    return fleet_nodes * node_gpus


@formula(unit="1", source=_WHOLE, cell="gpus, replicas, [options]", title="Racks of the fleet")
def fleet_racks(fleet_nodes, nodes_per_rack):
    """Whole racks for all nodes."""
    return math.ceil(fleet_nodes / nodes_per_rack)


@check(
    message="{request_rate} requests/s on {busy_replicas} replicas that serve: TTFT {ttft_then} s (target {target_ttft} s), "
    "TPOT {tpot_then} s (target {target_tpot} s) at the percentile {target_percentile}; lower target_utilization",
    source="targets are compared with what the replicas reach that the fleet is made of",
    title="Targets hold for the fleet",
)
def fleet_holds_targets(
    request_rate,
    busy_replicas,
    target_ttft,
    target_tpot,
    target_request_time,
    target_percentile,
    reached=at("targets_hold", replicas="busy_replicas"),
    ttft_then=at("ttft", replicas="busy_replicas", percentile="target_percentile"),
    tpot_then=at("tpot", replicas="busy_replicas", percentile="target_percentile"),
):
    """1 when TTFT, TPOT and request time of the replicas that serve at the peak, spares aside, are within their targets."""
    return reached == 1


@check(
    message="answer_time is {answer_time} s, and the fleet answers in {reached} s on average: {users} users ask more often than the plan "
    "counts; give answer_time as the fleet makes it, model calls of a request together",
    source="the interactive response time law: users who get answers sooner ask sooner again",
    warning=True,
    title="Answers take as long as the demand says",
)
def answers_take_as_long(
    users,
    think_time,
    answer_time,
    calls_per_request,
    reached=at("mean_loaded_request_time", replicas="busy_replicas"),
):
    """1 when users do not get answers so early that they ask over 5 % more often than their stated rhythm says."""
    said = think_time + answer_time
    made = think_time + calls_per_request * reached
    return said <= made * (1 + MORE_OFTEN) if users > 0 else 1


# ---- the fleet's money


@check(
    message="the load is taken as the same in all 24 hours; give load_at_00 … load_at_23, or peak_to_average",
    source="users and days have a rhythm that nobody invents",
    warning=True,
    title="Load over the day is given",
)
def day_is_given(users, requests_per_day, peak_to_average):
    """1 when no users and no requests of a day are given, or the peak differs from the mean."""
    counted = users + requests_per_day
    return peak_to_average > 1 if counted > 0 else 1


@formula(
    unit="token/month",
    source="requests of a mean day",
    checks=("demand_is_given", "day_is_given"),
    title="Tokens a month",
)
def tokens_per_month(request_rate, peak_to_average, mean_prompt, output):
    """Prompt and output tokens of a month, mean over all days, when the rate given is the peak."""
    mean_rate = request_rate / peak_to_average
    return mean_rate * (mean_prompt + output) * SECONDS_PER_HOUR * HOURS_PER_MONTH


@check(
    message="with autoscaling=1 machines on demand are given back at night, and this counts the replicas of the peak around the "
    "clock; AUTOSCALED_MONTHLY_COST says what a month costs then",
    source="the fleet's money is that of its peak, bought, reserved or on demand",
    warning=True,
    title="Machines are paid around the clock",
)
def peak_is_paid(autoscaling, is_bought, reserved_rent):
    """1 when machines are not given back by the hour, or are bought or reserved."""
    return autoscaling == 0 or is_bought == 1 or reserved_rent == 1


@formula(
    unit="usd/month",
    source=_PEAK,
    cell=CELL,
    checks=("peak_is_paid",),
    title="Cost of the fleet's replicas a month",
)
def fleet_monthly_cost(cost=at("monthly_cost", replicas="replicas_needed")):
    """Dollars a month of the replicas that a load needs, not of idle devices of nodes that they fill in part."""
    return cost


@formula(unit="usd/million", source=_PEAK, cell=CELL, title="Dollars a million tokens of the fleet")
def fleet_usd_per_million(fleet_monthly_cost, tokens_per_month):
    """Dollars a million prompt and output tokens that the fleet really serves, idle hours and spares included, not idle devices."""
    return fleet_monthly_cost / tokens_per_month * PER_MILLION
