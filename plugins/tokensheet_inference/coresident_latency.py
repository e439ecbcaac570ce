"""Latency of up to three models on the same devices: each has a share of their time and is as slow as that says."""

from __future__ import annotations

from tokensheet.plugin import ROUNDING, at, check, formula
from tokensheet_inference.coresident import MODELS, SECOND, THIRD

_SHARES = "a share of the devices' time for each model, as MPS or a scheduler gives it: its load, and an even part of the rest"
_SLOWER = "a model with a share of the time is as slow as a device of that share: generalized processor sharing, Parekh and Gallager 1993"
TOGETHER = ("models_fit", "models_are_stable", "time_shares_add_up")


# ---- shares of the time


@formula(unit="share", source=_SHARES, title="First model's share of the time")
def first_model_time_share(first_model_load, coresident_utilization, coresident_models):
    """Share of the devices' time that the first model has: its load and an even part of the rest, unless given."""
    return first_model_load + (1 - coresident_utilization) / coresident_models


@formula(unit="share", source=_SHARES, title="Second model's share of the time")
def second_model_time_share(second_model_load, coresident_utilization, coresident_models):
    """Share of the devices' time that the second model has: its load and an even part of the rest, unless given."""
    return second_model_load + (1 - coresident_utilization) / coresident_models


@formula(unit="share", source=_SHARES, title="Third model's share of the time")
def third_model_time_share(third_model_load, coresident_utilization, coresident_models):
    """Share of the devices' time that the third model has: its load and an even part of the rest, unless given."""
    return third_model_load + (1 - coresident_utilization) / coresident_models


@check(
    message="the models' shares of the time are {first_model_time_share}, {second_model_time_share} and "
    "{third_model_time_share}: more than 1 together; lower one",
    source="a device has no more than all of its time",
    title="Shares of the time add up",
)
def time_shares_add_up(
    first_model_time_share,
    second_model_time_share,
    second_model_rate,
    third_model_time_share,
    third_model_rate,
):
    """1 when the shares of the models that have requests are no more than all of the time."""
    second = second_model_time_share if second_model_rate > 0 else 0
    third = third_model_time_share if third_model_rate > 0 else 0
    return first_model_time_share + second + third <= 1 + ROUNDING


# ---- latency


@formula(unit="1", source=_SLOWER, title="Time scale of the first model")
def first_model_time_scale(time_scale, first_model_time_share):
    """Factor on the first model's steps and prefills with its share of the time."""
    return time_scale / first_model_time_share


@formula(unit="1", source=_SLOWER, title="Time scale of the second model")
def second_model_time_scale(time_scale, second_model_time_share):
    """Factor on the second model's steps and prefills with its share of the time."""
    return time_scale / second_model_time_share


@formula(unit="1", source=_SLOWER, title="Time scale of the third model")
def third_model_time_scale(time_scale, third_model_time_share):
    """Factor on the third model's steps and prefills with its share of the time."""
    return time_scale / third_model_time_share


@formula(
    unit="second",
    source=_SLOWER,
    cell=MODELS + ", [percentile], [options]",
    checks=TOGETHER,
    title="TTFT beside other models",
)
def coresident_ttft(
    alone=at("ttft", cache_room="first_model_room", time_scale="first_model_time_scale"),
):
    """Seconds from a request to its first token when other models run on the same devices: the mean, or at a percentile."""
    return alone


@formula(
    unit="second",
    source=_SLOWER,
    cell=MODELS + ", [percentile], [options]",
    checks=TOGETHER,
    title="TPOT beside other models",
)
def coresident_tpot(
    alone=at("tpot", cache_room="first_model_room", time_scale="first_model_time_scale"),
):
    """Seconds between tokens when other models run on the same devices: the mean, or at a percentile."""
    return alone


@formula(
    unit="second",
    source=_SLOWER,
    checks=TOGETHER,
    title="TTFT of the second model beside the others",
)
def second_model_ttft(alone=at("ttft", time_scale="second_model_time_scale", **SECOND)):
    """Seconds from a request of the second model to its first token: the mean, or at a percentile."""
    return alone


@formula(
    unit="second",
    source=_SLOWER,
    checks=TOGETHER,
    title="TPOT of the second model beside the others",
)
def second_model_tpot(alone=at("tpot", time_scale="second_model_time_scale", **SECOND)):
    """Seconds between tokens of the second model: the mean, or at a percentile."""
    return alone


@formula(
    unit="second",
    source=_SLOWER,
    checks=TOGETHER,
    title="TTFT of the third model beside the others",
)
def third_model_ttft(alone=at("ttft", time_scale="third_model_time_scale", **THIRD)):
    """Seconds from a request of the third model to its first token: the mean, or at a percentile."""
    return alone


@formula(
    unit="second",
    source=_SLOWER,
    checks=TOGETHER,
    title="TPOT of the third model beside the others",
)
def third_model_tpot(alone=at("tpot", time_scale="third_model_time_scale", **THIRD)):
    """Seconds between tokens of the third model: the mean, or at a percentile."""
    return alone


@formula(
    unit="flag",
    source="each target is compared with its time at the percentile",
    cell=MODELS + ", [target_ttft], [target_tpot], [target_percentile], [options]",
    checks=TOGETHER,
    title="Targets of all models hold",
)
def coresident_targets_hold(
    second_model_rate,
    third_model_rate,
    first=at("targets_hold", cache_room="first_model_room", time_scale="first_model_time_scale"),
    second=at("targets_hold", time_scale="second_model_time_scale", **SECOND),
    third=at("targets_hold", time_scale="third_model_time_scale", **THIRD),
):
    """1 when the latencies of every model with requests are within its targets at the percentile of the targets, else 0."""
    return min(first, second if second_model_rate > 0 else 1, third if third_model_rate > 0 else 1)
