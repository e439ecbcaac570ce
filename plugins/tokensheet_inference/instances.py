"""The same devices as several independent copies of a model, against one copy over all of them."""

from __future__ import annotations

import math

from tokensheet.plugin import COUNT, Declaration, Input, at, check, formula

_COPIES = "kipply 2022: capacity; several instances against one"

DECLARATIONS: tuple[Declaration, ...] = (
    Input(
        "instances",
        "replica",
        "independent copies that the devices are divided into",
        range=COUNT,
        example=2,
    ),
)


@formula(unit="gpu", source=_COPIES, title="Devices of a copy")
def instance_gpus(gpus, instances):
    """Devices of one of the copies."""
    return gpus / instances


@formula(unit="sequence", source=_COPIES, title="Batch of a copy")
def instance_batch(batch, instances):
    """Sequences in flight in one of the copies."""
    return batch / instances


@check(
    message="{gpus} devices do not divide into {instances} copies of as many each; choose a divisor",
    source="a copy has whole devices",
    title="Devices divide into copies",
)
def instances_divide(instance_gpus, gpus, instances):
    """1 when each copy has the same whole number of devices."""
    return instance_gpus == math.floor(instance_gpus)


@formula(
    unit="second",
    source=_COPIES,
    cell="model, gpu, gpus, instances, context, [batch], [options]",
    checks=("instances_divide",),
    title="Decode latency of copies",
)
def split_decode_latency(
    instances, latency=at("decode_latency", gpus="instance_gpus", batch="instance_batch")
):
    """Seconds of a decode step when the devices run as independent copies that share the batch."""
    return latency


@formula(
    unit="token/second",
    source=_COPIES,
    cell="model, gpu, gpus, instances, context, [batch], [options]",
    checks=("instances_divide",),
    title="Tokens a second of copies",
)
def split_tokens_per_second(batch, split_decode_latency):
    """Tokens a second of all copies together when the devices run as independent copies that share the batch."""
    return batch / split_decode_latency


@formula(
    unit="token",
    source=_COPIES,
    cell="model, gpu, gpus, instances, [options]",
    checks=("instances_divide",),
    title="Tokens that the caches of copies hold",
)
def split_kv_capacity_tokens(instances, tokens=at("kv_capacity_tokens", gpus="instance_gpus")):
    """Tokens of cache of all copies together: each copy pays for its own weights."""
    return instances * tokens


@formula(
    unit="sequence",
    source=_COPIES,
    cell="model, gpu, gpus, instances, context, [options]",
    checks=("instances_divide",),
    title="Largest batch of copies",
)
def split_max_batch(instances, largest=at("max_batch", gpus="instance_gpus")):
    """Largest number of sequences in flight of all copies together at a context."""
    return instances * largest
