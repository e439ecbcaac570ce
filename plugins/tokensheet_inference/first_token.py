"""A replica under load, II: time to first token (TTFT) with its waits, the whole request, requests in flight."""

from __future__ import annotations

import math

from tokensheet.plugin import at, formula
from tokensheet_inference.serving import SERVED

_CHUNKS = "Agrawal et al. 2024, Sarathi-Serve: a chunk of the prompt in each step"
_SLOTS = "Erlang 1917 with Hayward's approximation for peaked load: Fredericks 1980"
_PREFILL = "Pollaczek 1930 and Khinchine 1932: one server, prompts in turn"
_TOGETHER = "prompts that wait together are computed in one step, as far as its tokens allow"
_PERCENTILE = "percentiles of the parts, put together as if independent"
_LITTLE = "Little 1961"


@formula(unit="share", source="sequences in flight, Poisson-distributed", title="Chance to meet decoding")
def decode_busy(served_batch):
    """Share of the time in which at least one sequence is being decoded."""
    return 1 - math.exp(1 - served_batch)


# ---- the wait for a slot


@formula(unit="sequence", source=_SLOTS, title="Slots after the swings")
def effective_slots(slots, peakedness):
    """Slots over the peakedness of the sequences in flight."""
    return slots / peakedness


@formula(unit="1", source=_SLOTS, title="Sequences in flight after the swings")
def effective_load(served_batch, peakedness, slots, replica_utilization):
    """Sequences in flight over their peakedness, below the slots as far as the load is below the capacity."""
    others = min(served_batch - 1, slots * replica_utilization)
    return others / peakedness


@formula(unit="share", source=_SLOTS, title="Chance to wait for a slot")
def slot_wait_chance(
    chance=at("erlang_c", servers="effective_slots", queue_load="effective_load"),
):
    """Share of requests that find all slots taken."""
    return chance


@formula(unit="second", source=_SLOTS, title="Wait for a slot of those who wait")
def slot_wait_when_waiting(replica_capacity, replica_utilization, output_cv, arrival_cv):
    """Mean seconds until a slot is free for a request that finds none: full replicas finish requests at their capacity."""
    variation = (arrival_cv**2 + output_cv**2) / 2
    return variation / (replica_capacity * (1 - replica_utilization))


# ---- prompts in turn


@formula(unit="step", source=_CHUNKS, title="Steps of a prompt")
def prompt_steps(mean_computed_prompt, step_tokens, served_batch, chunked_prefill):
    """Steps over which a mean prompt spreads, with the sequences' tokens in each: whole prompts none, chunks at least one."""
    room = max(1, step_tokens - served_batch)
    return mean_computed_prompt / room if chunked_prefill else 0


@formula(unit="second", source=_CHUNKS, title="Decoding mixed into a prompt")
def mixed_decoding(prompt_steps, served_step_time, decode_busy):
    """Seconds of decode steps for each prompt's worth of tokens, when decoding shares the steps."""
    return prompt_steps * served_step_time * decode_busy


@formula(unit="second", source=_PREFILL, title="Time that a prompt keeps others waiting")
def prefill_turn(prefill_work, mixed_decoding, replica_capacity):
    """Mean seconds until the engine turns to the next prompt; no more than a request takes of a replica with all its load."""
    return min(prefill_work + mixed_decoding, 1 / replica_capacity)


@formula(unit="second", source=_PREFILL, title="Wait for the prompts before of those who wait")
def prefill_wait_when_waiting(
    waiting=at(
        "wait_when_waiting",
        servers=1,
        arrival_rate="replica_rate",
        service_time="prefill_turn",
        service_cv="prefill_cv",
    ),
):
    """Mean seconds that a request waits for the prompts before it, if it waits."""
    return waiting


@formula(unit="share", source=_PREFILL, title="Chance to wait for prompts")
def prefill_wait_chance(replica_rate, prefill_turn):
    """Share of requests that find another prompt being computed."""
    return replica_rate * prefill_turn


@formula(unit="1", source=_TOGETHER, title="Prompts computed together")
def together_factor(prefill_wait_chance, mean_computed_prompt, step_tokens):
    """How much longer the wait is because prompts of one step end together: as long for those after as for those before."""
    room = max(0, 1 - mean_computed_prompt / step_tokens)
    return 1 + room * prefill_wait_chance / (1 + prefill_wait_chance)


# ---- time to first token


@formula(unit="second", source=_PREFILL, title="Rest of the running step")
def running_step_rest(served_step_time, decode_busy, prompt_time_share):
    """Mean seconds until the step that runs when a request comes is over."""
    return served_step_time / 2 * decode_busy * (1 - prompt_time_share)


@formula(unit="second", source=_CHUNKS, title="Prefill under load")
def own_prefill_time(prefill_work, curve_low, prompt_steps, served_step_time, decode_busy):
    """Mean seconds from the first to the last of a request's prompt, decode steps between its chunks included."""
    return prefill_work * curve_low + math.ceil(prompt_steps) * served_step_time * decode_busy


@formula(
    unit="second",
    source="sum of its parts",
    checks=(*SERVED, "load_is_stable"),
    title="Mean TTFT",
)
def mean_ttft(
    slot_wait_chance,
    slot_wait_when_waiting,
    prefill_wait_chance,
    prefill_wait_when_waiting,
    together_factor,
    running_step_rest,
    own_prefill_time,
):
    """Mean seconds from the request to its first token: slot, prompts before it, running step, its own prompt."""
    for_slot = slot_wait_chance * slot_wait_when_waiting
    for_prompts = prefill_wait_chance * prefill_wait_when_waiting * together_factor
    return for_slot + for_prompts + running_step_rest + own_prefill_time


@formula(
    unit="second",
    source=_PERCENTILE,
    cell="model, gpu, gpus, prompt, output, request_rate, [percentile], [options]",
    checks=("percentile_is_high",),
    title="Time to first token (TTFT)",
)
def ttft(mean_ttft, ttft_at_percentile, percentile):
    """Seconds from a request to its first token under load: the mean, or at a percentile of the requests."""
    return ttft_at_percentile if percentile > 0 else mean_ttft


# ---- the whole request


@formula(unit="second", source="TTFT, then TPOT for each further token", title="Mean request time under load")
def mean_loaded_request_time(mean_ttft, mean_decode_time):
    """Mean seconds from a request to its last token."""
    return mean_ttft + mean_decode_time


@formula(
    unit="second",
    source=_PERCENTILE,
    cell="model, gpu, gpus, prompt, output, request_rate, [percentile], [options]",
    checks=("percentile_is_high",),
    title="Request time under load",
)
def loaded_request_time(mean_loaded_request_time, request_time_at_percentile, percentile):
    """Seconds from a request to its last token under load, waits included: the mean, or at a percentile."""
    return request_time_at_percentile if percentile > 0 else mean_loaded_request_time


@formula(
    unit="request",
    source=_LITTLE,
    cell="model, gpu, gpus, prompt, output, request_rate, [options]",
    title="Requests in flight",
)
def requests_in_flight(request_rate, mean_loaded_request_time):
    """Requests waiting or being served in all replicas, on average."""
    return request_rate * mean_loaded_request_time
