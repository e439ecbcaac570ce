"""Tensor-parallel communication taken apart: bytes sent, computing for each byte, and other ways to add up shards."""

from __future__ import annotations

import math

from tokensheet.plugin import BYTES_PER_16_BIT, ROUNDING, UNLIMITED, at, formula

_BYTES = "kipply 2022: model parallelism; Bojie Li 2023: tensor parallel inference"
_INTENSITY = "kipply 2022: operations a communicated byte by embedding size"
_SHARDS = "kipply 2022: exercise on sending whole shards instead of reducing them"


@formula(
    unit="byte",
    source=_BYTES,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Bytes of tensor-parallel messages",
)
def tp_comm_bytes(tp_messages, message_copies, message_bytes):
    """Bytes that one rank sends in all layers for one micro-batch."""
    return tp_messages * message_copies * message_bytes


@formula(unit="byte", source=_INTENSITY, title="Message of a step, one token")
def step_message_bytes(layers, message_bytes_per_element, d_model):
    """Bytes of one message in each layer for one token."""
    return layers * message_bytes_per_element * d_model


@formula(
    unit="flop/byte",
    source=_INTENSITY,
    cell="model, gpus, [options]",
    checks=("parallel_degrees_match",),
    title="Operations a communicated byte: q, k and v",
)
def qkv_comm_intensity(qkv_flops, tp, step_message_bytes):
    """Operations of q, k and v on one rank for each byte of the message that goes with them; compare with COMM_RIDGE."""
    return qkv_flops / tp / step_message_bytes


@formula(
    unit="flop/byte",
    source=_INTENSITY,
    cell="model, gpus, [options]",
    checks=("parallel_degrees_match",),
    title="Operations a communicated byte: projection",
)
def projection_comm_intensity(projection_flops, tp, step_message_bytes):
    """Operations of the output projection on one rank for each byte of its message: the step that is bound first."""
    return projection_flops / tp / step_message_bytes


@formula(
    unit="flop/byte",
    source=_INTENSITY,
    cell="model, gpus, [options]",
    checks=("parallel_degrees_match",),
    title="Operations a communicated byte: half an MLP",
)
def mlp_comm_intensity(mlp_flops, tp, step_message_bytes):
    """Operations of one half of the MLP (to the hidden width, or back) on one rank for each byte of its message."""
    return mlp_flops / 2 / tp / step_message_bytes


@formula(
    unit="flop/byte",
    source=_INTENSITY,
    cell="model, gpu, gpus, [options]",
    checks=("parallel_degrees_match",),
    title="Operations a communicated byte: a whole block",
)
def comm_intensity(flops_per_token, tp, per_token=at("tp_comm_bytes", micro_batch=1)):
    """Operations of a token on one rank for each byte that the rank sends; an error on one device, which sends none."""
    return flops_per_token / tp / per_token


@formula(unit="byte", source=_SHARDS, title="Partial sum of a token")
def partial_sum_bytes(d_model):
    """Bytes of one rank's part of a token's hidden state, which all ranks' parts add up to."""
    return d_model * BYTES_PER_16_BIT


@formula(unit="1", source=_SHARDS, title="Sums of a token's way")
def shard_sums(sublayers, tp):
    """Sums over ranks through all layers: after each mixer and after each MLP; none on one device."""
    return sublayers if tp > 1 else 0


@formula(
    unit="second",
    source=_SHARDS,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Shards reduced, then gathered",
)
def reduced_shards_time(shard_sums, tp, micro_batch, partial_sum_bytes, message_latency, link_rate):
    """Seconds of all sums when each rank adds up its part and sends it round: two messages, each of small pieces."""
    moved = 2 * (tp - 1) / tp * micro_batch * partial_sum_bytes
    return shard_sums * (2 * message_latency + moved / link_rate)


@formula(
    unit="second",
    source=_SHARDS,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Whole shards sent to all",
)
def whole_shards_time(
    shard_sums, tp, micro_batch, partial_sum_bytes, message_latency, link_rate, weight_bandwidth
):
    """Seconds of all sums when each rank sends its whole part to all others and adds all of them: one large message."""
    sent = (tp - 1) * micro_batch * partial_sum_bytes / link_rate
    added = (tp + 1) * micro_batch * partial_sum_bytes / weight_bandwidth
    return shard_sums * (message_latency + sent + added)


@formula(
    unit="sequence",
    source=_SHARDS,
    cell="model, gpu, gpus, [options]",
    checks=("parallel_degrees_match",),
    title="Largest batch for whole shards",
)
def whole_shards_batch(
    tp, micro_batches, dp, partial_sum_bytes, message_latency, link_rate, weight_bandwidth
):
    """Largest batch at which sending whole shards is no slower than reducing them; unlimited (1e300) when it always is."""
    sent = (tp - 1) * (1 - 2 / tp) * partial_sum_bytes / link_rate
    more = sent + (tp + 1) * partial_sum_bytes / weight_bandwidth
    return math.floor(message_latency / more * micro_batches * dp * (1 + ROUNDING)) if more > 0 else UNLIMITED
