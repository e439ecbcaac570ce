"""A replica under load, I: batch, step and time per output token (TPOT) as one fixed point, and what it can take.

Continuous batching: prompts and decode steps share the devices. Little's law gives the batch from the rate,
the step's curve gives its time, and both meet in closed form; nothing refers to itself.
"""

from __future__ import annotations

import math

from tokensheet.plugin import Constant, at, check, formula
from tokensheet_inference.parallelism import LAID_OUT, SUITED
from tokensheet_inference.sources import BELOW_CAPACITY, LINES

_LITTLE = "Little 1961: sequences in flight = rate × time in flight"
_SHARED = "Agrawal et al. 2024, Sarathi-Serve: prompts and decode steps share the devices' time"
_BEHIND = (
    "prompts that come during a prefill delay its first decode steps: M/G/1 with priorities, Cobham 1954"
)
_SWINGS = "swings of a birth and death process around its mean"
_POISSON = "a request meets the others as a look at any time does: Wolff 1982, PASTA"

SERVED = (*LAID_OUT, "share_is_free", "one_request_has_room", "request_is_trained", *SUITED)
LEAST_RATE = Constant("LEAST_RATE", 1e-9, "1/second", "smallest rate that is told apart from none")


@formula(unit="request/second", source="requests spread evenly over replicas", title="Requests of a replica")
def replica_rate(request_rate, replicas):
    """Requests a second that one replica gets."""
    return request_rate / replicas


# ---- prompts


@formula(unit="second", source=_SHARED, title="Prefill of a prompt, engine's time")
def missed_prefill_work(curve_low, latency=at("prefill_time", batch="dp")):
    """Seconds that a prompt takes from a replica when nothing of it is cached; stages and data-parallel groups work on others meanwhile."""
    return latency / curve_low


@formula(unit="second", source=_SHARED, title="Prefill after a hit, engine's time")
def hit_prefill_work(
    curve_low,
    latency=at("prefill_time", batch="dp", prompt="computed_prompt", cached_prefix="hit_prefix"),
):
    """Seconds that a prompt takes from a replica when its shared prefix is cached."""
    return latency / curve_low


@formula(unit="second", source=_SHARED, title="Prefill of a long prompt, engine's time")
def long_prefill_work(curve_low, latency=at("prefill_time", batch="dp", prompt="long_prompt")):
    """Seconds that a prompt with a long context takes from a replica."""
    return latency / curve_low


@formula(unit="second", source=_SHARED, title="Prefill of a mean prompt, engine's time")
def prefill_work(missed_prefill_work, hit_prefill_work, long_prefill_work, prefix_hit_share, long_share):
    """Seconds that the prompt of a mean request takes from a replica."""
    common = (1 - prefix_hit_share) * missed_prefill_work + prefix_hit_share * hit_prefill_work
    return (1 - long_share) * common + long_share * long_prefill_work


@formula(unit="1", source="second moment over kinds of requests and lengths", title="Variation of prefill")
def prefill_cv(
    missed_prefill_work,
    hit_prefill_work,
    long_prefill_work,
    prefix_hit_share,
    long_share,
    prefill_work,
    prompt_cv,
):
    """Standard deviation over mean of the prefill of a request, prompts' lengths and kinds included."""
    common = (1 - prefix_hit_share) * missed_prefill_work**2 + prefix_hit_share * hit_prefill_work**2
    square = (1 - long_share) * common + long_share * long_prefill_work**2
    return math.sqrt(max(0, square * (1 + prompt_cv**2) / prefill_work**2 - 1)) if prefill_work > 0 else 0


@formula(
    unit="share",
    source=_SHARED,
    cell="model, gpu, gpus, prompt, request_rate, [options]",
    title="Share of the time for prompts",
)
def prompt_time_share(replica_rate, prefill_work):
    """Share of a replica's time that prompts take from decoding."""
    return replica_rate * prefill_work


# ---- the fixed point


@formula(unit="token/second", source=_LITTLE, title="Tokens to decode in a second of decoding")
def decode_load(replica_rate, output, prompt_time_share):
    """Tokens that must be decoded in each second that prompts leave; each sequence in flight gains one a step."""
    return max(LEAST_RATE, replica_rate * (output - 1) / (1 - prompt_time_share))


@formula(unit="second", source=_LITTLE, title="Time of a step for each sequence")
def time_per_sequence(decode_load):
    """Seconds that a step may take for each sequence in flight, so that all tokens are decoded."""
    return 1 / decode_load


@formula(unit="second", source=_BEHIND, title="Prompts behind a request")
def behind_time(replica_rate, prefill_work, prefill_cv, prompt_time_share):
    """Mean seconds of prompts that came while a request waited for its first token: they run before its next ones."""
    before = replica_rate * prefill_work**2 * (1 + prefill_cv**2) / (2 * (1 - prompt_time_share))
    return prompt_time_share * (before + prefill_work)


@formula(unit="second", source=_BEHIND + "; " + _POISSON, title="Where the line of tokens to decode starts")
def time_of_itself(time_per_sequence, behind_time, output):
    """Start of the line that leaves out the sequence itself, which meets the others, and the prompts behind it."""
    return -time_per_sequence - behind_time / max(1, output - 1)


@formula(
    unit="sequence",
    source=_LITTLE + "; " + _POISSON,
    cell="model, gpu, gpus, prompt, output, request_rate, [options]",
    checks=(*SERVED, "load_is_stable"),
    title="Batch under load",
)
def served_batch(
    slots, met=at("meeting_batch", meet_constant="time_of_itself", meet_slope="time_per_sequence")
):
    """Sequences that a step serves, as one of them meets it: itself and those in flight on average."""
    return min(slots, max(1, met))


@formula(unit="second", source=LINES, title="Step under load")
def served_step_time(timed=at("curve_time", curve_batch="served_batch")):
    """Seconds of a decode step at the batch under load, prompts aside."""
    return timed


@check(
    message="time per output token is undefined for one output token: it is the time between tokens; give an output of 2 or more",
    source="TPOT = (time of the last token - time of the first) / (tokens - 1)",
    title="More than one output token",
)
def tokens_follow(output):
    """1 when a second token follows the first."""
    return output >= 2


@formula(
    unit="second",
    source=_SHARED + "; " + _BEHIND,
    checks=("tokens_follow",),
    title="From first to last token",
)
def mean_decode_time(served_step_time, behind_time, output, prompt_time_share):
    """Mean seconds from a request's first to its last token: steps, prompts behind it, and what other prompts take."""
    return ((output - 1) * served_step_time + behind_time) / (1 - prompt_time_share)


@formula(unit="second", source=_BEHIND, title="Prompts behind, spread over the output")
def behind_tpot(behind_time, output, output_cv, prompt_time_share):
    """Mean seconds that prompts behind a request add to each of its tokens: short outputs feel them most."""
    return behind_time * (1 + output_cv**2) / (output - 1) / (1 - prompt_time_share)


@formula(unit="second", source=_SHARED, checks=("tokens_follow",), title="Mean TPOT")
def mean_tpot(served_step_time, behind_tpot, prompt_time_share):
    """Seconds between two tokens of a request, mean over requests: the step, and what prompts take from its time."""
    return served_step_time / (1 - prompt_time_share) + behind_tpot


@formula(unit="1", source=LINES, title="How much busier steps are slower")
def step_stretch(served_step_time, alone=at("curve_time", curve_batch=1)):
    """Step under load over the step of a lone sequence: how much the batch's swings are amplified."""
    return max(1, served_step_time / alone)


@formula(unit="1", source=_SWINGS, title="Peakedness of the batch")
def peakedness(step_stretch, prompt_time_share):
    """Variance over mean of the sequences in flight: each arrival adds itself, and its prompt holds up the others."""
    return step_stretch * (1 + 1 / (1 - prompt_time_share) ** 2) / 2


@formula(
    unit="1",
    source=_SWINGS + ", averaged over a request; prompts come at random",
    title="Variation of TPOT",
)
def tpot_cv(
    served_batch,
    served_step_time,
    step_stretch,
    peakedness,
    prompt_time_share,
    prefill_work,
    prefill_cv,
    replica_rate,
    output,
    output_cv,
    behind_tpot,
    mean_tpot,
):
    """Standard deviation over mean of a request's TPOT."""
    others = served_batch - 1
    rise = served_step_time * (1 - 1 / step_stretch) / max(1, others)
    memory = 1 / step_stretch
    averaged = 2 * (math.exp(-memory) - 1 + memory) / memory**2
    by_batch = rise**2 * others * peakedness * averaged / (1 - prompt_time_share) ** 2
    kinds = 1 + output_cv**2
    of_prompts = replica_rate * prefill_work**2 * (1 + prefill_cv**2)
    by_prompts = of_prompts * mean_tpot * kinds / (output - 1) / (1 - prompt_time_share) ** 2
    by_those_behind = behind_tpot**2 * (2 * kinds - 1)
    return math.sqrt(max(0, by_batch) + by_prompts + by_those_behind) / mean_tpot


@formula(
    unit="second",
    source=_SHARED + "; " + _LITTLE,
    cell="model, gpu, gpus, prompt, output, request_rate, [percentile], [options]",
    checks=("percentile_is_high",),
    title="Time per output token (TPOT)",
)
def tpot(mean_tpot, tpot_at_percentile, percentile):
    """Seconds between tokens of a request under load, its own mean: over all requests, or at a percentile of them."""
    return tpot_at_percentile if percentile > 0 else mean_tpot


@formula(
    unit="second",
    source=_SHARED + ": the step with the most prompt tokens",
    cell="model, gpu, gpus, prompt, output, request_rate, [options]",
    title="Longest gap between tokens (ITL)",
)
def longest_gap(
    served_step_time, served_batch, step_tokens, chunked_prefill, prefill_work, mean_computed_prompt
):
    """Seconds of a step with as many prompt tokens as the engine takes at once: whole prompts, or chunks."""
    prompts = max(1, math.floor(step_tokens / mean_computed_prompt))
    chunk = max(1, step_tokens - served_batch) / mean_computed_prompt
    return served_step_time + prefill_work * (chunk if chunked_prefill else prompts)


# ---- what it can take


@formula(unit="second", source=LINES, title="Step at the largest batch")
def full_step_time(timed=at("curve_time", curve_batch="full_batch")):
    """Seconds of a decode step of a replica that has all the load that it can take."""
    return timed


@formula(
    unit="request/second",
    source=_LITTLE,
    cell="model, gpu, gpus, prompt, output, [options]",
    checks=SERVED,
    title="Capacity of a replica",
)
def replica_capacity(prefill_work, output, full_step_time, full_batch):
    """Requests a second at which a replica is busy all the time at its largest batch; the wait is endless there."""
    return 1 / (prefill_work + (output - 1) * full_step_time / full_batch)


@formula(
    unit="share",
    source="load over capacity",
    cell="model, gpu, gpus, prompt, output, request_rate, [options]",
    title="Utilization of a replica",
)
def replica_utilization(replica_rate, replica_capacity):
    """Share of the largest rate that a replica gets; 1 or more is unstable."""
    return replica_rate / replica_capacity


@check(
    message="unstable: {replica_rate} requests a second for each replica, which takes less than {replica_capacity}: the queue "
    "grows without end; use more replicas, or devices and formats that take more",
    source=BELOW_CAPACITY,
    title="Load is stable",
)
def load_is_stable(replica_rate, replica_capacity):
    """1 when a replica gets less than it can take."""
    return replica_rate < replica_capacity
