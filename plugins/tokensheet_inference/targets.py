"""A replica under targets: the largest rate at which TTFT and TPOT still hold, found in a bounded number of steps.

The rates tried are squares of whole 128ths: small ones lie close together, as tight targets hold at small rates only.
"""

from __future__ import annotations

import math

from tokensheet.plugin import at, check, formula
from tokensheet_inference.serving import LEAST_RATE
from tokensheet_inference.sources import INTERACTIVE

_TARGETS = (
    "largest rate under the targets: eight rates tried, their square roots each half as far from the last"
)
_CELL = "model, gpu, gpus, prompt, output, [target_ttft], [target_tpot], [target_percentile], [options]"


@formula(
    unit="flag",
    source="each target is compared with its time at the percentile",
    cell="model, gpu, gpus, prompt, output, request_rate, [target_ttft], [target_tpot], [target_percentile], [options]",
    title="Targets hold",
)
def targets_hold(
    target_ttft,
    target_tpot,
    target_request_time,
    first=at("ttft", percentile="target_percentile"),
    further=at("tpot", percentile="target_percentile"),
    whole=at("loaded_request_time", percentile="target_percentile"),
):
    """1 when TTFT, TPOT and request time are within their targets at the percentile of the targets, else 0."""
    latest = max(first / target_ttft, further / target_tpot, whole / target_request_time)
    return 1 if latest <= 1 else 0


@formula(unit="request/second", source="utilization that leaves room for swings", title="Highest rate tried")
def highest_rate(replica_capacity, target_utilization):
    """Requests a second of a replica at the utilization that is aimed at."""
    return replica_capacity * target_utilization


@formula(unit="request/second", source=_TARGETS, title="Rate tried")
def trial_rate(search_low, search_step, highest_rate):
    """Requests a second of a replica at which the targets are tried next: a step further in the root of its share."""
    return (math.sqrt(search_low / highest_rate) + search_step) ** 2 * highest_rate


@formula(unit="request/second", source=_TARGETS, title="Largest rate known to hold")
def search_rate(search_low, trial_rate, hold=at("targets_hold", request_rate="trial_rate", replicas=1)):
    """The rate tried where the targets hold at it, else the largest rate before."""
    return trial_rate if hold else search_low


@formula(unit="request/second", source=_TARGETS, title="After a half")
def rate_by_halves(found=at("search_rate", search_low=0, search_step=1 / 2)):
    """Largest rate known to hold the targets, its root by halves of the highest one's."""
    return found


@formula(unit="request/second", source=_TARGETS, title="After quarters")
def rate_by_quarters(found=at("search_rate", search_low="rate_by_halves", search_step=1 / 4)):
    """Largest rate known to hold the targets, its root by quarters of the highest one's."""
    return found


@formula(unit="request/second", source=_TARGETS, title="After eighths")
def rate_by_eighths(found=at("search_rate", search_low="rate_by_quarters", search_step=1 / 8)):
    """Largest rate known to hold the targets, its root by eighths of the highest one's."""
    return found


@formula(unit="request/second", source=_TARGETS, title="After sixteenths")
def rate_by_sixteenths(found=at("search_rate", search_low="rate_by_eighths", search_step=1 / 16)):
    """Largest rate known to hold the targets, its root by sixteenths of the highest one's."""
    return found


@formula(unit="request/second", source=_TARGETS, title="After fractions of 32")
def rate_by_small_steps(found=at("search_rate", search_low="rate_by_sixteenths", search_step=1 / 32)):
    """Largest rate known to hold the targets, its root by 32 steps up to the highest one's."""
    return found


@formula(unit="request/second", source=_TARGETS, title="After fractions of 64")
def rate_by_smaller_steps(found=at("search_rate", search_low="rate_by_small_steps", search_step=1 / 64)):
    """Largest rate known to hold the targets, its root by 64 steps up to the highest one's."""
    return found


@formula(unit="request/second", source=_TARGETS, title="After fractions of 128")
def rate_by_smallest_steps(found=at("search_rate", search_low="rate_by_smaller_steps", search_step=1 / 128)):
    """Largest rate known to hold the targets, its root by 128 steps up to the highest one's; 0 when none holds."""
    return found


@check(
    message="no load is small enough: with hardly any, TTFT is {ttft_alone} s, TPOT {tpot_alone} s and request time "
    "{request_time_alone} s at the percentile {target_percentile}, targets are {target_ttft}, {target_tpot} and "
    "{target_request_time} s; use more or faster devices, or other targets",
    source=_TARGETS,
    title="Targets are possible",
)
def targets_are_possible(
    rate_by_smallest_steps,
    target_ttft,
    target_tpot,
    target_request_time,
    target_percentile,
    ttft_alone=at("ttft", request_rate=0, percentile="target_percentile"),
    tpot_alone=at("tpot", request_rate=0, percentile="target_percentile"),
    request_time_alone=at("loaded_request_time", request_rate=0, percentile="target_percentile"),
):
    """1 when the targets hold at some load."""
    return rate_by_smallest_steps > 0


@formula(
    unit="request/second",
    source=_TARGETS,
    cell=_CELL,
    checks=("targets_are_possible",),
    title="Largest load of a replica",
)
def largest_replica_load(
    highest_rate,
    rate_by_smallest_steps,
    highest=at("targets_hold", request_rate="highest_rate", replicas=1),
):
    """Requests a second that one replica takes under all targets; too low by 2 % at most near its highest, 5 % at a tenth."""
    found = highest_rate if highest else rate_by_smallest_steps
    return max(found, LEAST_RATE)  # with no load there is no result; arrays go on without dividing by 0


@formula(
    unit="request/second",
    source=_TARGETS,
    cell=_CELL,
    title="Largest load",
)
def largest_load(largest_replica_load, replicas):
    """Requests a second that a fleet takes under the targets for TTFT, TPOT and utilization."""
    return largest_replica_load * replicas


@formula(
    unit="user",
    source=INTERACTIVE,
    cell="model, gpu, gpus, prompt, output, think_time, [target_ttft], [target_tpot], [target_percentile], [options]",
    title="Largest number of users",
)
def largest_users(
    largest_load,
    replicas,
    think_time,
    calls_per_request,
    busy_time=at("mean_loaded_request_time", request_rate="largest_load"),
):
    """Users in a session that a fleet takes under the targets, when each thinks between answer and next request."""
    return largest_load / calls_per_request * (think_time + calls_per_request * busy_time)
