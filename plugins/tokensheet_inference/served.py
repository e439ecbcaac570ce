"""Served runs: a batch that may not fit at once, and decode steps that wait for other requests' prompts."""

from __future__ import annotations

from tokensheet.plugin import UNLIMITED, at, check, formula
from tokensheet_inference.parallelism import LAID_OUT, SUITED

_WAVES = "an engine holds as many sequences as its cache has room for; the rest wait for their turn"
_SERVED = "continuous batching: Yu et al. 2022, Orca; prompts of new requests run between decode steps"
_ONE = "weights and one sequence must be held at once"
RUN = (*LAID_OUT, "share_is_free", "one_request_fits", "request_is_trained", *SUITED)


@formula(unit="token", source=_SERVED, title="Context in the middle of the output")
def middle_context(prefill_context, output):
    """Tokens in the cache when half of the output is there: the mean of a request's decode steps."""
    return prefill_context + output / 2


@formula(unit="sequence", source=_WAVES, title="Sequences held at once")
def sequences_held(batch, cache_room, kv_bytes_per_sequence_on_device, dp):
    """Sequences of a batch that are in flight at the same time: all, or as many as there is room for."""
    some = kv_bytes_per_sequence_on_device > 0
    room = dp * cache_room / kv_bytes_per_sequence_on_device if some else UNLIMITED
    return min(batch, max(1, room))


@formula(
    unit="sequence",
    source=_WAVES,
    cell="model, gpu, gpus, prompt, output, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Requests held at once",
)
def requests_held(held=at("sequences_held", context="final_context")):
    """Requests of a batch whose prompts and whole outputs have room at the same time, fractions for partial turns."""
    return held


@formula(
    unit="1",
    source=_WAVES,
    cell="model, gpu, gpus, prompt, output, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Waves of a batch",
)
def waves(batch, requests_held):
    """Turns in which a batch runs when it does not fit at once; 1 when it fits."""
    return batch / requests_held


@check(
    message="{model} does not fit on {gpus} × {gpu} with a single request of {prompt} + {output} tokens: each device needs "
    "{needed:GB} of {free_memory:GB}; use more devices, or another format",
    source=_ONE,
    title="One request fits in memory",
)
def one_request_fits(
    free_memory, gpus, prompt, output, needed=at("memory_per_device", context="final_context", batch=1)
):
    """1 when weights and one request fit in what is free, the runtime's reserve included."""
    return needed <= free_memory


@formula(unit="second", source="prefill, then the remaining tokens one step each", title="Request, unchecked")
def request_time(prefill_time, steps_time):
    """Seconds of a batch of requests from the start of prefill to the last token, whether or not they fit."""
    return prefill_time + steps_time


@formula(
    unit="second",
    source=_WAVES,
    cell="model, gpu, gpus, prompt, output, [batch], [options]",
    checks=RUN,
    title="Time of a batch of requests",
)
def batch_run_time(waves, run=at("request_time", batch="requests_held")):
    """Seconds of a batch of requests from the first prompt to the last token; what does not fit waits for its turn."""
    return waves * run


@formula(unit="sequence", source=_WAVES, title="Sequences held in a served run")
def served_sequences(held=at("sequences_held", context="middle_context")):
    """Sequences of a served run in flight at the same time, each halfway through its output on average."""
    return held


@formula(
    unit="second",
    source=_SERVED,
    cell="model, gpu, gpus, prompt, output, [batch], [options]",
    checks=RUN,
    title="TPOT in a served run",
)
def served_tpot(
    prefill_share,
    served_sequences,
    output,
    decoding=at("step_time", batch="served_sequences", context="middle_context"),
    one_prompt=at("prefill_time", batch=1),
):
    """Mean seconds between tokens of a request when a batch of users keeps sending: decode steps and others' prompts."""
    others = max(0, served_sequences - 1)
    return decoding + prefill_share * others / output * one_prompt
