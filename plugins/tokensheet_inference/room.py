"""Room on a device: how much of its memory a plan may fill, and the checks that plans, prompts and requests fit."""

from __future__ import annotations

from tokensheet.plugin import at, check, formula
from tokensheet_inference.sources import FULLEST

_SHARE = (
    "serving engines take a share of the whole card (gpu_memory_utilization) and refuse when it is not free"
)


@formula(unit="byte", source=_SHARE, title="Memory that the reserve leaves")
def wanted_memory(device_memory_bytes, memory_reserve):
    """Bytes of one device that its runtime takes: a share of the whole card, whatever else is on it."""
    return device_memory_bytes * (1 - memory_reserve)


@formula(unit="byte", source=_SHARE, title="Memory free on a device")
def free_memory(device_memory_bytes, other_memory_bytes):
    """Bytes of one device that nothing else uses."""
    return device_memory_bytes - other_memory_bytes


@formula(unit="1", source=_SHARE, title="Largest share of a device")
def largest_memory_share(free_memory, device_memory_bytes):
    """Largest share of the whole card that can be given to the runtime; its reserve is the rest."""
    return free_memory / device_memory_bytes


@formula(unit="byte", source=_SHARE, title="Memory available on a device")
def memory_available(wanted_memory, free_memory):
    """Bytes of one device that a plan may fill: what the reserve leaves, as far as it is free."""
    return max(0, min(wanted_memory, free_memory))


@check(
    message="memory_reserve {memory_reserve:%} takes {wanted_memory:GB} of each {gpu} but only {free_memory:GB} are free beside "
    "{other_memory_bytes:GB} of other use; the largest share of the card is {largest_memory_share:%}: raise memory_reserve",
    source=_SHARE,
    title="The runtime's share of the card is free",
)
def share_is_free(wanted_memory, free_memory, memory_reserve, other_memory_bytes, largest_memory_share):
    """1 when the share of the card that the runtime takes is not in use by something else."""
    return wanted_memory <= free_memory


@formula(
    unit="flag",
    source=FULLEST,
    cell="model, gpu, gpus, context, [batch], [options]",
    title="Fits in memory",
    headline=True,
)
def fits(memory_per_device, memory_available):
    """1 when the fullest device can hold its part of the plan, else 0."""
    return 1 if memory_per_device <= memory_available else 0


@formula(unit="byte", source=FULLEST, title="Memory missing on the fullest device")
def memory_missing(memory_per_device, memory_available):
    """Bytes that the fullest device lacks; 0 when the plan fits."""
    return max(0, memory_per_device - memory_available)


@check(
    message="{model} does not fit on {gpus} × {gpu} at batch {batch} and context {context}: each device needs {memory_per_device:GB} "
    "of {memory_available:GB}, {memory_missing:GB} missing; use more devices, a smaller batch or context, or another format",
    source=FULLEST,
    title="Plan fits in memory",
)
def plan_fits(memory_per_device, memory_available, memory_missing, gpus, batch, context):
    """1 when the plan fits in memory."""
    return memory_per_device <= memory_available


@check(
    message="{model} does not fit on {gpus} × {gpu} with {prompt} prompt tokens and batch {batch}: each device needs {needed:GB} "
    "of {memory_available:GB}; use more devices, a smaller batch, or another format",
    source=FULLEST,
    title="Prompt fits in memory",
)
def prompt_fits(
    memory_available, gpus, batch, prompt, needed=at("memory_per_device", context="prefill_context")
):
    """1 when the batch fits in memory at the end of its prompts."""
    return needed <= memory_available


@check(
    message="{model} does not fit on {gpus} × {gpu} at the end of {prompt} + {output} tokens and batch {batch}: each device needs "
    "{needed:GB} of {memory_available:GB}; use more devices, a smaller batch, or another format",
    source=FULLEST,
    title="Request fits in memory",
)
def request_fits(
    memory_available, gpus, batch, prompt, output, needed=at("memory_per_device", context="final_context")
):
    """1 when the batch fits in memory at the end of its requests."""
    return needed <= memory_available
