"""Which limit binds: memory or computing, room or speed; and the batch that follows from it."""

from __future__ import annotations

import math

from tokensheet.plugin import ROUNDING, UNLIMITED, at, formula

_BATCH = "kipply 2022: batch sizes"
_REGIMES = "kipply 2022: latency calculations, small and large batch"
_PREFILL = "kipply 2022: benchmark comparison, a prompt takes tokens/ridge decode steps"


@formula(
    unit="second",
    source=_REGIMES,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Small-batch latency",
)
def small_batch_latency(pp, decode_memory_time, tp_comm_latency_time):
    """Seconds of a decode step as a small batch counts it: reading memory, and the latency of messages."""
    return pp * decode_memory_time + tp_comm_latency_time


@formula(
    unit="second",
    source=_REGIMES,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Large-batch latency",
)
def large_batch_latency(pp, decode_compute_time, tp_comm_transfer_time):
    """Seconds of a decode step as a large batch counts it: computing, and the transfer of messages."""
    return pp * decode_compute_time + tp_comm_transfer_time


@formula(
    unit="flag",
    source=_BATCH,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Memory-bound",
)
def memory_bound(decode_memory_time, decode_compute_time):
    """1 when a decode step waits for memory, 0 when it waits for computing."""
    return 1 if decode_memory_time > decode_compute_time else 0


@formula(unit="second", source=_BATCH, title="Computing that a sequence adds beyond its reading")
def net_compute_time(
    computing=at("decode_compute_time", micro_batch=1), reading=at("kv_read_time", micro_batch=1)
):
    """Seconds that computing grows more than reading the cache with each sequence of a micro-batch."""
    return computing - reading


@formula(unit="sequence", source=_BATCH, title="Compute-bound micro-batch, all experts read")
def compute_bound_bound(net_compute_time, reading=at("weight_read_time", expert_coverage=1)):
    """Micro-batch that is compute-bound even when all experts are read; 1 when none is."""
    return reading / net_compute_time if net_compute_time > 0 else 1


@formula(
    unit="sequence",
    source=_BATCH,
    cell="model, gpu, gpus, context, [options]",
    checks=("parallel_degrees_match",),
    title="Smallest compute-bound batch",
)
def compute_bound_batch(
    net_compute_time, micro_batches, dp, reading=at("weight_read_time", micro_batch="compute_bound_bound")
):
    """Smallest batch at which a decode step waits for computing; unlimited (1e300) when the cache grows too fast."""
    sequences = reading / net_compute_time if net_compute_time > 0 else UNLIMITED
    whole = max(1, math.ceil(sequences * micro_batches * dp * (1 - ROUNDING)))
    return (whole if sequences > 1 else 1) if net_compute_time > 0 else UNLIMITED


@formula(
    unit="sequence",
    source=_BATCH,
    cell="model, gpu, gpus, context, [options]",
    title="Batch worth choosing",
)
def worthwhile_batch(compute_bound_batch, batch_room):
    """Batch beyond which a sequence only waits longer: the smallest compute-bound one, or what memory holds."""
    return min(compute_bound_batch, batch_room)


@formula(
    unit="flag",
    source=_BATCH,
    cell="model, gpu, gpus, context, [options]",
    title="Memory is full before computing is",
)
def capacity_binds(compute_bound_batch, batch_room):
    """1 when memory is full before a batch is compute-bound, 0 when computing is the limit."""
    return 1 if batch_room < compute_bound_batch else 0


@formula(
    unit="sequence",
    source="kipply 2022: exercise on a memory-bound forward pass",
    cell="model, gpu, gpus, prompt, [options]",
    checks=("parallel_degrees_match",),
    title="Largest memory-bound prefill",
)
def memory_bound_prefill_batch(
    dp,
    computing=at("prefill_compute_time", batch="dp"),
    reading=at("weight_read_time", expert_coverage=1),
):
    """Largest number of prompts whose prefill still waits for the weights; 0 when a single prompt computes longer."""
    return dp * math.floor(reading / computing * (1 + ROUNDING))


@formula(
    unit="second",
    source=_PREFILL,
    cell="model, gpu, gpus, prompt, [batch], [options]",
    title="Prefill by the ridge",
)
def prefill_ridge_time(prefill_tokens, ridge_batch, decoding=at("decode_latency", context="prompt", batch=1)):
    """Seconds of a prefill reckoned from a decode step: one step for each ridge batch of tokens, at least one."""
    return decoding * max(1, prefill_tokens / ridge_batch)


@formula(
    unit="1",
    source="Chowdhery et al. 2022, PaLM: model FLOPs utilization",
    cell="model, gpu, gpus, context, [batch], [options]",
    title="Model FLOPs utilization (MFU)",
)
def compute_utilization(batch, decode_latency, flops_per_token, attention_flops_per_token, gpus, peak_flops):
    """Model FLOPs of a decode step over what the devices' dense peak would do in its time (MFU)."""
    return batch * (flops_per_token + attention_flops_per_token) / (decode_latency * gpus * peak_flops)


@formula(unit="second", source="Bojie Li 2023: pipeline over a network", title="Transfer of a hop")
def hop_transfer_time(pp, pp_comm_bytes, stage_rate):
    """Seconds that a stage's link carries one micro-batch to the next stage; none with one stage."""
    return pp_comm_bytes / stage_rate if pp > 1 else 0


@formula(
    unit="1",
    source="Bojie Li 2023: duty cycle of the network in a pipeline",
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Duty cycle of the network",
    example_with={"pp": 2},
)
def network_duty_cycle(hop_transfer_time, decode_stage_time, stage_message_latency):
    """Share of a stage and its hop in which its link carries data."""
    return hop_transfer_time / (decode_stage_time + stage_message_latency + hop_transfer_time)


@formula(
    unit="second",
    source="Bojie Li 2023: more cards speed computing up, not communication",
    cell="model, gpu, context, [batch], [options]",
    title="Latency that no number of devices beats",
)
def decode_latency_floor(
    overlap_communication,
    overhead_time,
    time_scale,
    weights=at("weight_read_time", gpus="heads_unit", expert_coverage=0),
    cache=at("kv_read_time", gpus="heads_unit"),
    computing=at("decode_compute_time", gpus="heads_unit"),
    messages=at("tp_comm_time", gpus=2),
):
    """Seconds below which tensor parallelism brings no decode step: a head a device, experts free, two devices' messages."""
    stage = max(weights + cache, computing)
    busy = max(stage, messages) if overlap_communication else stage + messages
    return (busy + overhead_time) * time_scale


@formula(
    unit="1",
    source="kipply 2022: benchmark comparison, 16.8 of 22.0 ms is 76 %",
    cell="model, gpu, gpus, context, measured_time, [batch], [options]",
    title="Reckoned over measured latency",
)
def latency_over_measured(decode_latency, measured_time):
    """Reckoned decode latency over a measured one: below 1 the plan is too hopeful."""
    return decode_latency / measured_time
