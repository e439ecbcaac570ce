"""Turned round: the largest batch at a wanted rate, and the fewest devices that reach it.

A decode step grows along straight lines with its micro-batch (reading the cache, computing, transfer), so the
largest micro-batch under a time follows from each line. Experts read bend one of them: bounded Newton steps.
"""

from __future__ import annotations

import math

from tokensheet.plugin import POSITIVE, ROUNDING, UNLIMITED, Declaration, Input, at, formula
from tokensheet_inference.parallelism import LAID_OUT

_RATE = "Bojie Li 2023: the largest batch at five tokens a second over 1 Gb/s"

DECLARATIONS: tuple[Declaration, ...] = (
    Input(
        "token_rate",
        "token/second",
        "tokens a second that each sequence must gain",
        range=POSITIVE,
        example=25,
    ),
    Input("line_fixed", "second", "part of the messages' time that does not grow with the micro-batch"),
    Input("line_growing", "second", "time of messages for each sequence of a micro-batch"),
)


@formula(unit="second", source=_RATE, title="Time left for stages and their messages")
def time_left(
    token_rate, time_scale, hop_fixed=at("exchange_time", micro_batch=0), fixed=at("overhead_time", batch=0)
):
    """Seconds of a step at the wanted rate that hops' latency and fixed overheads leave."""
    return 1 / (token_rate * time_scale) - hop_fixed - fixed


@formula(unit="second", source=_RATE, title="Growth of hops and overheads")
def growth_between(
    micro_batches,
    hops_at_none=at("exchange_time", micro_batch=0),
    hops_at_one=at("exchange_time", micro_batch=1),
    overhead_at_none=at("overhead_time", batch=0),
    overhead_at_one=at("overhead_time", batch=1),
):
    """Seconds that hops and overheads grow with each sequence of a micro-batch."""
    return hops_at_one - hops_at_none + (overhead_at_one - overhead_at_none) * micro_batches


@formula(unit="second", source=_RATE, title="Growth of a stage that reads")
def memory_growth_time(stage_mode, kv_read_time, attention_compute_time, matrix_compute_time):
    """Seconds of a stage, weights aside, that grow with its micro-batch while reading binds the matrix products."""
    attention = max(kv_read_time, attention_compute_time) if stage_mode > 0 else kv_read_time
    return attention + (matrix_compute_time if stage_mode == 2 else 0)


@formula(unit="second", source=_RATE, title="Growth of a stage that computes")
def compute_growth_time(stage_mode, kv_read_time, attention_compute_time, matrix_compute_time):
    """Seconds of a stage that grow with its micro-batch while computing binds the matrix products."""
    attention = max(kv_read_time, attention_compute_time) if stage_mode > 0 else attention_compute_time
    return attention + matrix_compute_time


@formula(unit="1", source="experts left out by each token: 1 - k/E", title="Decay of experts left out")
def expert_decay(experts, experts_per_token, dp, busiest_expert):
    """How fast experts that no token needs die out with the micro-batch; 1024 where each token needs all."""
    at_once = 1024
    some = experts_per_token < experts
    return (-math.log(1 - experts_per_token / experts) if some else at_once) * dp * busiest_expert


@formula(unit="sequence", source=_RATE, title="Largest micro-batch by memory")
def memory_micro_batch(
    time_left,
    growth_between,
    line_fixed,
    line_growing,
    pp,
    expert_decay,
    cache=at("memory_growth_time", micro_batch=1),
    dense=at("weight_read_time", expert_coverage=0),
    whole=at("weight_read_time", expert_coverage=1),
):
    """Largest micro-batch whose reading and messages take the time left; below 1 when none does.

    Starts from all experts read, which is too small, and rises by Newton steps that never pass the answer.
    """
    room = time_left - line_fixed - pp * dense
    experts_time = pp * (whole - dense)
    slope = pp * cache + line_growing + growth_between
    rise = slope if slope > 0 else pp * whole
    start = max(0, (room - experts_time) / rise)
    left_start = experts_time * math.exp(-expert_decay * start)
    first = start + max(0, room - experts_time + left_start - rise * start) / (
        rise + expert_decay * left_start
    )
    left_first = experts_time * math.exp(-expert_decay * first)
    second = first + max(0, room - experts_time + left_first - rise * first) / (
        rise + expert_decay * left_first
    )
    left_second = experts_time * math.exp(-expert_decay * second)
    third = second + max(0, room - experts_time + left_second - rise * second) / (
        rise + expert_decay * left_second
    )
    left_third = experts_time * math.exp(-expert_decay * third)
    fourth = third + max(0, room - experts_time + left_third - rise * third) / (
        rise + expert_decay * left_third
    )
    left_fourth = experts_time * math.exp(-expert_decay * fourth)
    fifth = fourth + max(0, room - experts_time + left_fourth - rise * fourth) / (
        rise + expert_decay * left_fourth
    )
    left_fifth = experts_time * math.exp(-expert_decay * fifth)
    sixth = fifth + max(0, room - experts_time + left_fifth - rise * fifth) / (
        rise + expert_decay * left_fifth
    )
    without_growth = UNLIMITED if room >= experts_time else 0
    return sixth if slope > 0 else without_growth


@formula(unit="sequence", source=_RATE, title="Largest micro-batch by computing")
def compute_micro_batch(
    time_left,
    growth_between,
    line_fixed,
    line_growing,
    pp,
    computing=at("compute_growth_time", micro_batch=1),
):
    """Largest micro-batch whose computing and messages take the time left; below 1 when none does."""
    return (time_left - line_fixed) / (pp * computing + line_growing + growth_between)


@formula(unit="sequence", source=_RATE, title="Largest micro-batch of a stage")
def stage_micro_batch(memory_micro_batch, compute_micro_batch):
    """Largest micro-batch that memory and computing both allow."""
    return min(memory_micro_batch, compute_micro_batch)


@formula(unit="sequence", source=_RATE, title="Largest micro-batch on one line of messages")
def line_micro_batch(
    overlap_communication,
    time_left,
    growth_between,
    line_fixed,
    line_growing,
    stage_micro_batch,
    alone=at("stage_micro_batch", line_fixed=0, line_growing=0),
):
    """Largest micro-batch when messages grow along one line: added to the stages, or hidden behind them."""
    slope = line_growing + growth_between
    hidden = (time_left - line_fixed) / slope if slope > 0 else (UNLIMITED if time_left >= line_fixed else 0)
    return min(alone, hidden) if overlap_communication else stage_micro_batch


@formula(unit="second", source=_RATE, title="First line: fixed part")
def first_fixed(
    message_mode,
    tp_messages,
    latency=at("tp_comm_latency_time", message_mode=0),
    ring=at("ring_time", micro_batch=0),
):
    """Time of the messages that does not grow: around the ring for an all-reduce, else their latency."""
    return tp_messages * ring if message_mode == 2 else latency


@formula(unit="second", source=_RATE, title="First line: growth")
def first_growing(
    message_mode,
    tp_messages,
    transfer=at("tp_comm_transfer_time", message_mode=0, micro_batch=1),
    ring_at_none=at("ring_time", micro_batch=0),
    ring_at_one=at("ring_time", micro_batch=1),
):
    """Growth of the messages' time: around the ring for an all-reduce, their transfer when it is added, else none."""
    added = transfer if message_mode == 0 else 0
    return tp_messages * (ring_at_one - ring_at_none) if message_mode == 2 else added


@formula(unit="second", source=_RATE, title="Second line: fixed part")
def second_fixed(
    message_mode,
    tp_messages,
    latency=at("tp_comm_latency_time", message_mode=0),
    one_shot=at("one_shot_time", micro_batch=0),
):
    """Time of the messages that does not grow: in one exchange for an all-reduce, their latency when it is added."""
    added = latency if message_mode == 0 else 0
    return tp_messages * one_shot if message_mode == 2 else added


@formula(unit="second", source=_RATE, title="Second line: growth")
def second_growing(
    message_mode,
    tp_messages,
    transfer=at("tp_comm_transfer_time", message_mode=0, micro_batch=1),
    one_shot_at_none=at("one_shot_time", micro_batch=0),
    one_shot_at_one=at("one_shot_time", micro_batch=1),
):
    """Growth of the messages' time: in one exchange for an all-reduce, else their transfer."""
    return tp_messages * (one_shot_at_one - one_shot_at_none) if message_mode == 2 else transfer


@formula(unit="sequence", source=_RATE, title="Largest micro-batch at a wanted rate, in parts")
def fractional_micro_batch(
    message_mode,
    one=at("line_micro_batch", line_fixed="first_fixed", line_growing="first_growing"),
    other=at("line_micro_batch", line_fixed="second_fixed", line_growing="second_growing"),
):
    """Largest micro-batch at the wanted rate, memory's room aside: both lines must hold, of an all-reduce the faster."""
    return max(one, other) if message_mode == 2 else min(one, other)


@formula(unit="sequence", source=_RATE, title="Largest batch of single sequences")
def lone_batch(
    time_left,
    pp,
    micro_batches,
    dp,
    overlap_communication,
    stage=at("decode_stage_time", micro_batch=1),
    messages=at("tp_comm_time", micro_batch=1),
    hops_at_none=at("exchange_time", micro_batch=0),
    hops_at_one=at("exchange_time", micro_batch=1),
    overhead_at_none=at("overhead_time", batch=0),
    overhead_at_one=at("overhead_time", batch=1),
):
    """Largest batch at the wanted rate when each stage and data-parallel group has at most one sequence; 0 when even that is slower."""
    stages = pp * stage
    busy = max(stages, messages) if overlap_communication else stages + messages
    left = (time_left - busy - (hops_at_one - hops_at_none)) * (1 + ROUNDING)
    rise = overhead_at_one - overhead_at_none
    alone = micro_batches * dp
    # a group has a whole sequence or none: fewer than `dp` cost as much as one in each group
    some = (math.floor(left * dp / rise) if left >= rise else 0) if rise > 0 else alone
    return min(alone, some) if left >= 0 else 0


@formula(
    unit="sequence",
    source=_RATE,
    cell="model, gpu, gpus, context, token_rate, [options]",
    checks=LAID_OUT,
    title="Largest batch at a wanted rate",
)
def batch_for_rate(fractional_micro_batch, lone_batch, micro_batches, dp, batch_room):
    """Largest batch that fits and in which each sequence still gains the wanted tokens a second; 0 when none does."""
    fast = fractional_micro_batch * (1 + ROUNDING)
    return min(batch_room, math.floor(fast * micro_batches * dp) if fast >= 1 else lone_batch)


@formula(
    unit="sequence",
    source=_RATE,
    cell="model, gpu, gpus, context, token_rate, [options]",
    checks=LAID_OUT,
    title="Largest whole micro-batch at a wanted rate",
)
def micro_batch_for_rate(fractional_micro_batch, micro_batches, dp, batch_room):
    """Largest whole micro-batch that fits and in which each sequence gains the wanted tokens a second; 0 when none does."""
    return max(0, math.floor(min(fractional_micro_batch * (1 + ROUNDING), batch_room / (micro_batches * dp))))
