"""A replica under load, I: batch, step and time per output token (TPOT) as one fixed point, and what it can take.

Continuous batching: prompts and decode steps share the devices. Little's law gives the batch from the rate,
the step's curve gives its time, and both meet in closed form; nothing refers to itself.
"""

from __future__ import annotations

import math

from tokensheet.constants import UNLIMITED, Constant
from tokensheet.plugin import at, check, formula
from tokensheet_inference.queueing import LARGEST_EXPONENT

_LITTLE = "Little 1961: sequences in flight = rate × time in flight"
_SHARED = "Agrawal et al. 2024, Sarathi-Serve: prompts and decode steps share the devices' time"
_LINES = (
    "a step is the larger of two lines of the batch, reading and computing; experts read bend one of them"
)
_LIMITS = "vLLM: cache memory, max_num_seqs and max_num_batched_tokens bound a batch"
_BEHIND = (
    "prompts that come during a prefill delay its first decode steps: M/G/1 with priorities, Cobham 1954"
)
_SWINGS = "swings of a birth and death process around its mean"
_POISSON = "a request meets the others as a look at any time does: Wolff 1982, PASTA"

SERVED = (
    "parallel_degrees_match",
    "heads_divide",
    "share_is_free",
    "one_request_has_room",
    "request_is_trained",
    "format_is_native",
)
BY_TOKENS = Constant("BY_TOKENS", 3.0, "1", "code: the tokens of a step bind")
LEAST_RATE = Constant("LEAST_RATE", 1e-9, "1/second", "smallest rate that is told apart from none")


@formula(unit="request/second", source="requests spread evenly over replicas", title="Requests of a replica")
def replica_rate(request_rate, replicas):
    """Requests a second that one replica gets."""
    return request_rate / replicas


# ---- prompts


@formula(unit="second", source=_SHARED, title="Prefill of a prompt, engine's time")
def missed_prefill_work(curve_low, latency=at("prefill_time", batch="dp")):
    """Seconds that a prompt takes from a replica when nothing of it is cached; stages and groups work on others meanwhile."""
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


# ---- how many sequences at once


@formula(
    unit="token",
    source="a sequence in flight is met with chances by its length",
    title="Context of a mean step",
)
def served_context(cached_prefix, mean_prompt, output, output_cv):
    """Tokens in the cache of a sequence in flight, mean over time: long outputs are met more often."""
    return cached_prefix + mean_prompt + output * (1 + output_cv**2) / 2


@formula(
    unit="token", source="no sequence is preempted: each has room to its end", title="Room of a sequence"
)
def slot_context(cached_prefix, mean_prompt, output, output_cv):
    """Tokens that a sequence in flight has when it ends, mean over those in flight."""
    return cached_prefix + mean_prompt + output * (1 + output_cv**2)


@formula(unit="sequence", source=_LIMITS, title="Sequences with room in memory")
def memory_slots(held=at("max_batch", context="slot_context")):
    """Sequences of a replica whose whole requests fit in memory at once."""
    return held


@formula(unit="sequence", source=_LIMITS, title="Slots for sequences")
def slots(memory_slots, max_sequences, step_tokens):
    """Most sequences that a replica decodes at once: memory, the engine's limit, and a token of the step for each."""
    return max(1, min(memory_slots, max_sequences, step_tokens))


@formula(unit="sequence", source=_LIMITS, title="Batch at which steps are full of tokens")
def token_slots(step_tokens, output, mean_computed_prompt, chunked_prefill):
    """Batch at which chunks of prompts and tokens of sequences fill the step, in the requests' own proportion."""
    decoded = output - 1
    full = (mean_computed_prompt + decoded * step_tokens) / (mean_computed_prompt + decoded)
    return full if chunked_prefill else UNLIMITED


@formula(unit="sequence", source=_LIMITS, title="Largest batch under load")
def full_batch(slots, token_slots):
    """Sequences in flight in a replica that has all the load that it can take."""
    return max(1, min(slots, token_slots))


@formula(
    unit="1",
    source=_LIMITS,
    cell="model, gpu, gpus, prompt, output, [options]",
    title="Limit of the batch",
)
def batch_limit(memory_slots, max_sequences, token_slots):
    """Which limit of the batch binds: 1 room in memory, 2 the engine's number of sequences, 3 tokens of a step."""
    by_tokens = token_slots < min(memory_slots, max_sequences)
    by_engine = max_sequences <= memory_slots
    return BY_TOKENS if by_tokens else 1 + by_engine


@check(
    message="{model} does not fit on {gpus} × {gpu}: not one request of {prompt} + {output} tokens has room; "
    "use more devices, shorter requests or another format",
    source="a replica serves at least one sequence",
    title="One request fits",
)
def one_request_has_room(memory_slots, gpus, prompt, output):
    """1 when memory has room for at least one request."""
    return memory_slots >= 1


# ---- the step's curve


@formula(unit="sequence", source=_LINES, title="Smallest batch of the curve")
def curve_low(micro_batches, dp):
    """Batch with one sequence for each micro-batch and group: below it a stage gets no shorter."""
    return micro_batches * dp


@formula(unit="sequence", source=_LINES, title="Largest batch of the curve")
def curve_high(full_batch, curve_low):
    """Batch at which the lines of messages and overheads are measured a second time."""
    return max(full_batch, 2 * curve_low)


@formula(unit="second", source=_LINES, title="Messages and overheads grow with a sequence")
def rest_slope(
    curve_low,
    curve_high,
    low=at("step_time", decode_stage_time=0, batch="curve_low"),
    high=at("step_time", decode_stage_time=0, batch="curve_high"),
):
    """Seconds that messages and overheads of a step grow with each sequence."""
    return (high - low) / (curve_high - curve_low)


@formula(unit="second", source=_LINES, title="Messages and overheads without sequences")
def rest_base(rest_slope, curve_high, high=at("step_time", decode_stage_time=0, batch="curve_high")):
    """Seconds of messages and overheads of a step that do not depend on the batch."""
    return high - rest_slope * curve_high


@formula(unit="second", source=_LINES, title="Hidden messages grow with a sequence")
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


@formula(unit="second", source=_LINES, title="Hidden messages without sequences")
def hidden_base(
    overlap_communication,
    time_scale,
    hidden_slope,
    curve_high,
    high=at("tp_comm_time", batch="curve_high"),
):
    """Seconds of messages hidden behind the stages that do not depend on the batch; 0 when none are."""
    return overlap_communication * time_scale * high - hidden_slope * curve_high


@formula(unit="second", source=_LINES, title="Reading grows with a sequence")
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


@formula(unit="second", source=_LINES, title="Reading without sequences")
def memory_base(time_scale, pp, rest_base, hidden_base, dense=at("weight_read_time", expert_coverage=0)):
    """Seconds of a step bound by reading weights that do not depend on the batch, experts aside."""
    return time_scale * pp * dense + rest_base - hidden_base


@formula(unit="second", source=_LINES, title="Reading all experts")
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


@formula(unit="second", source=_LINES, title="Computing grows with a sequence")
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


@formula(unit="second", source=_LINES, title="Computing without sequences")
def compute_base(rest_base, hidden_base):
    """Seconds of a step bound by computing that do not depend on the batch: messages and overheads."""
    return rest_base - hidden_base


@formula(unit="second", source=_LINES, title="Step at a batch")
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


@formula(unit="sequence", source=_LINES + "; three Newton steps", title="Where a line meets reading")
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


@formula(unit="sequence", source=_LINES, title="Where curve and line meet")
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
    return -time_per_sequence - behind_time / (output - 1)


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


@formula(unit="second", source=_LINES, title="Step under load")
def served_step_time(timed=at("curve_time", curve_batch="served_batch")):
    """Seconds of a decode step at the batch under load, prompts aside."""
    return timed


@check(
    message="time per output token is undefined for one output token: it is the time between tokens",
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


@formula(unit="1", source=_LINES, title="How much busier steps are slower")
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
    title="Time per output token (TPOT)",
)
def tpot(mean_tpot, factor=at("quantile_factor", factor_cv="tpot_cv")):
    """Seconds between tokens of a request under load, its own mean: over all requests, or at a percentile of them."""
    return mean_tpot * factor


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


@formula(unit="second", source=_LINES, title="Step at the largest batch")
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
    source="a queue has a mean only below 100 % load",
    title="Load is stable",
)
def load_is_stable(replica_rate, replica_capacity):
    """1 when a replica gets less than it can take."""
    return replica_rate < replica_capacity
