"""Up to three models on the same devices: their weights side by side, shares of the room for cache, loads that add up."""

from __future__ import annotations

from tokensheet.plugin import at, check, formula
from tokensheet_inference.other_models import asked
from tokensheet_inference.sources import BELOW_CAPACITY, SAME_DEVICES

_ROOM = "each model's weights are on every device; what they leave is divided"
MODELS = "model, gpu, gpus, prompt, output, request_rate, second_model, second_model_rate"

SECOND = asked("second", cache_room="second_model_room")
THIRD = asked("third", cache_room="third_model_room")


# ---- memory


@formula(unit="1", source=_ROOM, title="Models on the same devices")
def coresident_models(second_model_rate, third_model_rate):
    """Models that share the devices of a replica: the first, and those that have requests."""
    return 1 + (second_model_rate > 0) + (third_model_rate > 0)


@formula(unit="byte", source=_ROOM, title="Second model on the fullest device")
def second_model_held_bytes(
    second_model_rate,
    runtime_bytes,
    weights=at("weight_bytes_per_device", model="second_model", weights="second_weights"),
    working=at("activation_reserve", model="second_model"),
):
    """Bytes of the second model's weights, activations and runtime on the fullest device; 0 when there is none."""
    return weights + working + runtime_bytes if second_model_rate > 0 else 0


@formula(unit="byte", source=_ROOM, title="Third model on the fullest device")
def third_model_held_bytes(
    third_model_rate,
    runtime_bytes,
    weights=at("weight_bytes_per_device", model="third_model", weights="third_weights"),
    working=at("activation_reserve", model="third_model"),
):
    """Bytes of the third model's weights, activations and runtime on the fullest device; 0 when there is none."""
    return weights + working + runtime_bytes if third_model_rate > 0 else 0


@formula(unit="byte", source=_ROOM, title="Room for the caches of all models")
def coresident_room(cache_room, second_model_held_bytes, third_model_held_bytes):
    """Bytes that the weights of all models leave for their caches on the fullest device; below 0 when they do not fit."""
    return cache_room - second_model_held_bytes - third_model_held_bytes


@formula(unit="share", source=_ROOM, title="Second model's share of the room")
def second_model_room_share(coresident_models):
    """Share of the room for caches that the second model has: an even one, unless given."""
    return 1 / coresident_models


@formula(unit="share", source=_ROOM, title="Third model's share of the room")
def third_model_room_share(coresident_models):
    """Share of the room for caches that the third model has: an even one, unless given."""
    return 1 / coresident_models


@formula(unit="byte", source=_ROOM, title="Room for the second model's cache")
def second_model_room(coresident_room, second_model_room_share):
    """Bytes for the second model's cache on the fullest device."""
    return coresident_room * second_model_room_share


@formula(unit="byte", source=_ROOM, title="Room for the third model's cache")
def third_model_room(coresident_room, third_model_room_share):
    """Bytes for the third model's cache on the fullest device."""
    return coresident_room * third_model_room_share


@formula(unit="byte", source=_ROOM, title="Room for the first model's cache")
def first_model_room(
    coresident_room, second_model_room, second_model_rate, third_model_room, third_model_rate
):
    """Bytes for the first model's cache on the fullest device: what the others leave."""
    second = second_model_room if second_model_rate > 0 else 0
    third = third_model_room if third_model_rate > 0 else 0
    return coresident_room - second - third


@check(
    message="the models do not fit on {gpus} × {gpu} together: on the fullest device their weights take {negated_room:GB} more than "
    "there is; use more devices, fewer models or another format",
    source=_ROOM,
    title="Weights of all models fit together",
)
def models_fit(coresident_room, gpus):
    """1 when the weights of all models leave room for their caches."""
    return coresident_room > 0


@formula(unit="byte", source=_ROOM, title="Memory that the models lack")
def negated_room(coresident_room):
    """Bytes that the weights of all models need beyond what a device has; 0 when they fit."""
    return max(0, -coresident_room)


# ---- load


@formula(unit="share", source=SAME_DEVICES, title="Load of the first model")
def first_model_load(used=at("replica_utilization", cache_room="first_model_room")):
    """Share of a replica's time that the first model's requests take at its largest batch."""
    return used


@formula(unit="share", source=SAME_DEVICES, title="Load of the second model")
def second_model_load(second_model_rate, used=at("replica_utilization", **SECOND)):
    """Share of a replica's time that the second model's requests take at its largest batch; 0 when there are none."""
    return used if second_model_rate > 0 else 0


@formula(unit="share", source=SAME_DEVICES, title="Load of the third model")
def third_model_load(third_model_rate, used=at("replica_utilization", **THIRD)):
    """Share of a replica's time that the third model's requests take at its largest batch; 0 when there are none."""
    return used if third_model_rate > 0 else 0


@formula(
    unit="share",
    source=SAME_DEVICES,
    cell=MODELS + ", [options]",
    checks=("models_fit",),
    title="Load of all models together",
)
def coresident_utilization(first_model_load, second_model_load, third_model_load):
    """Share of a replica's time that the requests of all models on it take; 1 or more is unstable."""
    return first_model_load + second_model_load + third_model_load


@check(
    message="unstable: the models together take {coresident_utilization:%} of a replica's time; use more replicas, or devices "
    "and formats that take more",
    source=BELOW_CAPACITY,
    title="Load of all models is stable",
)
def models_are_stable(coresident_utilization):
    """1 when the models together take less than all of a replica's time."""
    return coresident_utilization < 1
