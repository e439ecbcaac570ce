"""A whole request: prefill of the prompt, then decode steps over a growing context, summed exactly."""

from __future__ import annotations

import math

from tokensheet.plugin import at, check, formula
from tokensheet_inference.parallelism import LAID_OUT, SUITED

_SUM = "sum of decode latencies over prompt + 1 … prompt + output - 1 cached tokens"


@formula(unit="token", source="prompt and all generated tokens", title="Context at the end")
def final_context(prefill_context, output):
    """Tokens in the cache when the request ends, the last one included."""
    return prefill_context + output


@formula(unit="token", source=_SUM, title="First decode step's context")
def first_step_context(prefill_context):
    """Tokens that the first decode step reads: the prompt and the token from prefill."""
    return prefill_context + 1


@formula(unit="token", source=_SUM, title="Last decode step's context")
def last_step_context(prefill_context, output):
    """Tokens that the last decode step reads."""
    return prefill_context + output - 1


@formula(unit="token", source=_SUM, title="End of the stretch inside the window")
def window_end(last_step_context, window, window_kv_elements):
    """Last context at which window layers still grow; no window layers: all steps come after."""
    return min(last_step_context, window) if window_kv_elements > 0 else 0


@formula(unit="token", source=_SUM, title="Start of the stretch beyond the window")
def beyond_window_start(first_step_context, window_end):
    """First context at which window layers no longer grow."""
    return max(first_step_context, window_end + 1)


@formula(unit="second", source=_SUM, title="Steps of one stretch")
def stretch_time(
    regime_start,
    regime_end,
    pp,
    overlap_communication,
    tp_comm_time,
    memory_first=at("stage_memory_time", context="regime_start"),
    memory_last=at("stage_memory_time", context="regime_end"),
    compute_first=at("stage_compute_time", context="regime_start"),
    compute_last=at("stage_compute_time", context="regime_end"),
):
    """Seconds of stages and tensor-parallel messages of all steps of a stretch in which both times grow evenly.

    A step takes the largest of memory time, computing time and, when overlapped, communication:
    three straight lines. Each holds from where it overtakes; the steps in between form arithmetic series.
    """
    count = regime_end - regime_start + 1
    intervals = max(1, count - 1)
    memory_rise = (memory_last - memory_first) / intervals
    compute_rise = (compute_last - compute_first) / intervals
    memory_is_flat = memory_rise <= compute_rise
    flat_first = pp * (memory_first if memory_is_flat else compute_first)
    flat_rise = pp * (memory_rise if memory_is_flat else compute_rise)
    steep_first = pp * (compute_first if memory_is_flat else memory_first)
    steep_rise = pp * (compute_rise if memory_is_flat else memory_rise)
    floor_time = tp_comm_time if overlap_communication else 0
    flat_over = (
        (floor_time - flat_first) / flat_rise if flat_rise > 0 else (0 if flat_first >= floor_time else count)
    )
    steep_over = (
        (floor_time - steep_first) / steep_rise
        if steep_rise > 0
        else (0 if steep_first >= floor_time else count)
    )
    flat_begins = min(count, max(0, math.ceil(flat_over)))
    steep_begins_alone = min(count, max(0, math.ceil(steep_over)))
    faster = steep_rise - flat_rise
    crossing = (
        (flat_first - steep_first) / faster if faster > 0 else (0 if steep_first >= flat_first else count)
    )
    crossed = min(count, max(0, math.ceil(crossing)))
    steep_begins = max(steep_begins_alone, crossed)
    floor_steps = min(flat_begins, steep_begins)
    flat_steps = steep_begins - floor_steps
    steep_steps = count - steep_begins
    flat_sum = flat_steps * flat_first + flat_rise * flat_steps * (floor_steps + steep_begins - 1) / 2
    steep_sum = steep_steps * steep_first + steep_rise * steep_steps * (steep_begins + count - 1) / 2
    added = 0 if overlap_communication else count * tp_comm_time
    return (floor_steps * floor_time + flat_sum + steep_sum + added) if count > 0 else 0


@formula(unit="second", source=_SUM, title="Decode steps of a request, unchecked")
def steps_time(
    output,
    exchange_time,
    overhead_time,
    time_scale,
    inside=at("stretch_time", regime_start="first_step_context", regime_end="window_end"),
    beyond=at("stretch_time", regime_start="beyond_window_start", regime_end="last_step_context"),
):
    """Seconds of all decode steps of a request after its first token, whether or not it fits."""
    return (inside + beyond + (output - 1) * (exchange_time + overhead_time)) * time_scale


@formula(
    unit="second",
    source=_SUM,
    checks=(*LAID_OUT, "share_is_free", "request_fits", "request_is_trained", *SUITED),
    title="Decode steps of a request",
)
def decode_steps_time(steps_time):
    """Seconds of all decode steps of a request after its first token; the first token comes from prefill."""
    return steps_time


@check(
    message="{prompt} + {output} tokens are beyond the {max_context_trained} that {model} was trained for",
    source="model card",
    warning=True,
    title="Request within the model's maximum",
)
def request_is_trained(final_context, max_context_trained, prompt, output):
    """1 when prompt and output are within what the model was trained for."""
    return final_context <= max_context_trained


@formula(
    unit="second",
    source="prefill, then the remaining tokens one step each",
    cell="model, gpu, gpus, prompt, output, [batch], [options]",
    title="Request latency",
    headline=True,
)
def request_latency(prefill_latency, decode_steps_time):
    """Seconds of a batch of requests from the start of prefill to the last token, without queueing."""
    return prefill_latency + decode_steps_time
