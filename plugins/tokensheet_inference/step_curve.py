"""A decode step by its batch as straight lines and a bend, and where a line meets it."""

from __future__ import annotations

import math

from tokensheet.plugin import LARGEST_EXPONENT, UNLIMITED, at, formula
from tokensheet_inference.sources import LINES


@formula(unit="sequence", source=LINES, title="Smallest batch of the curve")
def curve_low(micro_batches, dp):
    """Batch with one sequence for each micro-batch and data-parallel group: below it a stage gets no shorter."""
    return micro_batches * dp


@formula(unit="sequence", source=LINES, title="Largest batch of the curve")
def curve_high(full_batch, curve_low):
    """Batch at which the lines of messages and overheads are measured a second time."""
    return max(full_batch, 2 * curve_low)


@formula(unit="second", source=LINES, title="Messages and overheads grow with a sequence")
def rest_slope(
    curve_low,
    curve_high,
    low=at("step_time", decode_stage_time=0, batch="curve_low"),
    high=at("step_time", decode_stage_time=0, batch="curve_high"),
):
    """Seconds that messages and overheads of a step grow with each sequence."""
    return (high - low) / (curve_high - curve_low)


@formula(unit="second", source=LINES, title="Messages and overheads without sequences")
def rest_base(rest_slope, curve_high, high=at("step_time", decode_stage_time=0, batch="curve_high")):
    """Seconds of messages and overheads of a step that do not depend on the batch."""
    return high - rest_slope * curve_high


@formula(unit="second", source=LINES, title="Hidden messages grow with a sequence")
def hidden_slope(
    overlap_communication,
    time_scale,
    curve_low,
    curve_high,
    low=at("tp_comm_time", batch="curve_low"),
    high=at("tp_comm_time", batch="curve_high"),
):
    """Seconds that messages hidden behind the stages grow with each sequence; 0 when none are."""
    return overlap_communication * time_scale * (high - low) / (curve_high - curve_low)


@formula(unit="second", source=LINES, title="Hidden messages without sequences")
def hidden_base(
    overlap_communication,
    time_scale,
    hidden_slope,
    curve_high,
    high=at("tp_comm_time", batch="curve_high"),
):
    """Seconds of messages hidden behind the stages that do not depend on the batch; 0 when none are."""
    return overlap_communication * time_scale * high - hidden_slope * curve_high


@formula(unit="second", source=LINES, title="Reading grows with a sequence")
def memory_slope(
    time_scale,
    pp,
    curve_low,
    rest_slope,
    hidden_slope,
    growth=at("memory_growth_time", micro_batch=1, context="served_context"),
):
    """Seconds that a step bound by reading weights grows with each sequence, experts aside."""
    return time_scale * pp * growth / curve_low + rest_slope - hidden_slope


@formula(unit="second", source=LINES, title="Reading without sequences")
def memory_base(time_scale, pp, rest_base, hidden_base, dense=at("weight_read_time", expert_coverage=0)):
    """Seconds of a step bound by reading weights that do not depend on the batch, experts aside."""
    return time_scale * pp * dense + rest_base - hidden_base


@formula(unit="second", source=LINES, title="Reading all experts")
def experts_time(
    time_scale,
    pp,
    dense=at("weight_read_time", expert_coverage=0),
    whole=at("weight_read_time", expert_coverage=1),
):
    """Seconds that reading all routed experts adds to a step; 0 in a dense model."""
    return time_scale * pp * (whole - dense)


@formula(
    unit="1", source="experts left out by each token: 1 - k/E", title="Decay of experts left out by batch"
)
def curve_decay(expert_decay, curve_low):
    """How fast experts that no token needs die out with the batch."""
    return expert_decay / curve_low


@formula(unit="second", source=LINES, title="Computing grows with a sequence")
def compute_slope(
    time_scale,
    pp,
    curve_low,
    rest_slope,
    hidden_slope,
    growth=at("compute_growth_time", micro_batch=1, context="served_context"),
):
    """Seconds that a step bound by computing grows with each sequence."""
    return time_scale * pp * growth / curve_low + rest_slope - hidden_slope


@formula(unit="second", source=LINES, title="Computing without sequences")
def compute_base(rest_base, hidden_base):
    """Seconds of a step bound by computing that do not depend on the batch: messages and overheads."""
    return rest_base - hidden_base


@formula(unit="second", source=LINES, title="Step at a batch")
def curve_time(
    curve_batch,
    curve_low,
    memory_base,
    memory_slope,
    experts_time,
    curve_decay,
    compute_base,
    compute_slope,
    rest_base,
    rest_slope,
):
    """Seconds of a decode step by its curve; the same as DECODE_LATENCY, but for the bend of an all-reduce."""
    sequences = max(curve_batch, curve_low)
    read = experts_time * (1 - math.exp(-min(LARGEST_EXPONENT, curve_decay * sequences)))
    reading = memory_base + read + memory_slope * sequences
    return max(reading, compute_base + compute_slope * sequences, rest_base + rest_slope * sequences)


@formula(unit="sequence", source=LINES + "; three Newton steps", title="Where a line meets reading")
def meeting_memory(meet_constant, meet_slope, memory_base, memory_slope, experts_time, curve_decay):
    """Batch at which a step bound by reading takes as long as a straight line says.

    Starts from all experts read; experts left out make the step shorter, and Newton steps never pass the answer.
    """
    slope = meet_slope - memory_slope
    room = meet_constant - memory_base - experts_time
    start = max(0, -room / slope)
    left_start = experts_time * math.exp(-min(LARGEST_EXPONENT, curve_decay * start))
    first = max(0, start - (room + slope * start + left_start) / (slope - curve_decay * left_start))
    left_first = experts_time * math.exp(-min(LARGEST_EXPONENT, curve_decay * first))
    second = max(0, first - (room + slope * first + left_first) / (slope - curve_decay * left_first))
    left_second = experts_time * math.exp(-min(LARGEST_EXPONENT, curve_decay * second))
    third = second - (room + slope * second + left_second) / (slope - curve_decay * left_second)
    return max(0, third)


@formula(unit="sequence", source=LINES, title="Where curve and line meet")
def meeting_batch(
    meet_constant,
    meet_slope,
    meeting_memory,
    memory_slope,
    compute_base,
    compute_slope,
    rest_base,
    rest_slope,
):
    """Batch at which a step takes as long as a rising line says; unlimited (1e300) when the line never gets there."""
    computing = (compute_base - meet_constant) / (meet_slope - compute_slope)
    messages = (rest_base - meet_constant) / (meet_slope - rest_slope)
    steep = meet_slope > max(memory_slope, compute_slope, rest_slope)
    return max(meeting_memory, computing, messages) if steep else UNLIMITED
