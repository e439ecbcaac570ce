"""A whole request: prefill of the prompt, then decode steps over a growing context, summed exactly."""

from __future__ import annotations

import math

from tokensheet.constants import FLOPS_PER_MAC
from tokensheet.plugin import at, check, formula

_PREFILL = "kipply 2022: the forward pass of the prompt; causal attention: Vaswani et al. 2017"
_SUM = "sum of decode latencies over prompt + 1 … prompt + output - 1 cached tokens"


@formula(unit="token", source="prompt after what is cached already", title="Context after the prompt")
def prefill_context(prompt, cached_prefix):
    """Tokens in the cache when the prompt is done."""
    return cached_prefix + prompt


@formula(unit="token", source="prompt and all generated tokens", title="Context at the end")
def final_context(prefill_context, output):
    """Tokens in the cache when the request ends, the last one included."""
    return prefill_context + output


@formula(
    unit="token",
    source="Dosovitskiy et al. 2020: patches as tokens; a merger joins merge × merge of them",
    cell="image_width, image_height, patch_size, [patch_merge]",
    title="Tokens of an image",
)
def image_tokens(image_width, image_height, patch_size, patch_merge):
    """Prompt tokens that one image takes at the size at which the model sees it; no start and end marks."""
    side = patch_size * patch_merge
    return math.ceil(image_width / side) * math.ceil(image_height / side)


@formula(unit="sequence", source=_PREFILL, title="Prompts of a group")
def prefill_sequences(batch, dp):
    """Prompts that one attention group computes: its part of the batch."""
    return max(1, batch / dp)


@formula(unit="token", source=_PREFILL, title="Prompt tokens of a group")
def prefill_tokens(prompt, prefill_sequences):
    """Prompt tokens that one attention group computes for its part of the batch."""
    return prompt * prefill_sequences


@formula(
    unit="second",
    source="attention of the prompt reads what is cached before it",
    title="Reading the cache before the prompt",
)
def prefix_read_time(
    cached_prefix,
    reading=at("kv_read_time", context="cached_prefix", micro_batch="prefill_sequences"),
):
    """Seconds that a stage reads the cache before the prompts, once for all tokens of a prompt; 0 when there is none."""
    return reading if cached_prefix > 0 else 0


@formula(unit="1", source=_PREFILL, cell="prompt, [cached_prefix]", title="Pairs of tokens in attention")
def attention_pairs(prompt, cached_prefix):
    """Pairs of prompt token and token before it or itself, in one sequence: causal attention."""
    return prompt * cached_prefix + prompt * (prompt + 1) / 2


@formula(unit="1", source=_PREFILL, title="Pairs of tokens inside the window")
def window_pairs(attention_pairs, prompt, prefill_context, window):
    """Pairs of tokens that a window layer relates: those at most a window apart."""
    full = min(prefill_context, window)
    growing = min(prompt, full)
    rising = growing * (full - growing) + growing * (growing + 1) / 2
    capped = rising + (prompt - growing) * full
    return capped if prefill_context > window else attention_pairs


@formula(
    unit="flop",
    source=_PREFILL,
    cell="model, prompt, [options]",
    title="Attention operations of a prompt",
)
def prefill_attention_flops(
    full_attention_macs,
    window_attention_macs,
    latent_layers,
    heads,
    head_size,
    value_head_size,
    attention_pairs,
    window_pairs,
    attention_flops_counted,
):
    """Operations between the tokens of one prompt over all layers; a latent cache is expanded to full heads."""
    whole = full_attention_macs + latent_layers * heads * (head_size + value_head_size)
    pairs = whole * attention_pairs + window_attention_macs * window_pairs
    return FLOPS_PER_MAC * pairs if attention_flops_counted else 0


@formula(unit="flop", source=_PREFILL, title="Operations of a prompt")
def prefill_flops(prompt, active_parameters, unembedding_parameters, prefill_attention_flops):
    """Operations of the prefill of one prompt: weights for every token, the head for the last one only."""
    weights = prompt * (active_parameters - unembedding_parameters) + unembedding_parameters
    return FLOPS_PER_MAC * weights + prefill_attention_flops


@formula(unit="flop", source=_PREFILL, title="Operations of a prompt with experts")
def expert_prefill_flops(prompt, expert_flops_per_token):
    """Operations of the prefill of one prompt with the weights of routed experts."""
    return prompt * expert_flops_per_token


@formula(
    unit="second",
    source=_PREFILL,
    cell="model, gpu, gpus, prompt, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Computation of prefill",
)
def prefill_compute_time(
    prefill_flops,
    expert_prefill_flops,
    expert_compute_cost,
    busiest_rank,
    batch,
    dp,
    stage_share,
    shard_share,
    prefill_compute_rate,
):
    """Seconds that the busiest device computes to prefill a batch of prompts."""
    effort = prefill_flops + (expert_compute_cost * busiest_rank - 1) * expert_prefill_flops
    return effort * max(1, batch / dp) * stage_share * shard_share / prefill_compute_rate


@formula(unit="1", source="Huang et al. 2018, GPipe: (m + p - 1) / m", title="Filling of the pipeline")
def pipeline_fill(pp, batch, dp, layer_split):
    """How much longer a batch of prompts takes because stages wait: for the first and last one, or for all."""
    groups = 1 if layer_split else max(1, batch / dp)
    return (groups + pp - 1) / groups


@formula(unit="second", source=_PREFILL, title="Prefill, unchecked")
def prefill_time(
    prefill_compute_time,
    prefix_read_time,
    pipeline_fill,
    stage_mode,
    overlap_communication,
    layers_overhead_time,
    step_overhead,
    prefill_overhead,
    time_scale,
    weights_time=at("weight_read_time", micro_batch="prefill_tokens"),
    tensor_time=at("tp_comm_time", micro_batch="prefill_tokens"),
    exchanging=at("exchange_time", micro_batch="prefill_tokens"),
):
    """Seconds from the start of a batch of prompts to their first tokens, whether or not they fit."""
    reading = weights_time + prefix_read_time
    stage = prefill_compute_time + reading if stage_mode == 2 else max(prefill_compute_time, reading)
    stages = stage * pipeline_fill
    busy = max(stages, tensor_time) if overlap_communication else stages + tensor_time
    return (busy + exchanging + layers_overhead_time + step_overhead + prefill_overhead) * time_scale


@formula(
    unit="second",
    source=_PREFILL,
    cell="model, gpu, gpus, prompt, [batch], [options]",
    checks=(
        "parallel_degrees_match",
        "heads_divide",
        "expert_ranks_divide",
        "experts_divide",
        "share_is_free",
        "prompt_fits",
        "prompt_is_trained",
        "format_is_native",
        "tp_stays_inside",
    ),
    title="Prefill latency (TTFT)",
    headline=True,
)
def prefill_latency(prefill_time):
    """Seconds from the start of a batch of prompts to their first tokens, without queueing. An error when they do not fit."""
    return prefill_time


@check(
    message="a prompt of {prompt} tokens is beyond the {max_context_trained} tokens that {model} was trained for",
    source="model card",
    warning=True,
    title="Prompt within the model's maximum",
)
def prompt_is_trained(prefill_context, max_context_trained, prompt):
    """1 when the prompt is within what the model was trained for."""
    return prefill_context <= max_context_trained


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
    checks=(
        "parallel_degrees_match",
        "heads_divide",
        "expert_ranks_divide",
        "experts_divide",
        "share_is_free",
        "request_fits",
        "request_is_trained",
        "format_is_native",
        "tp_stays_inside",
    ),
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
