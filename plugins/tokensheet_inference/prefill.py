"""Prefill: the forward pass of a batch of prompts, with what is cached before them, up to their first tokens."""

from __future__ import annotations

import math

from tokensheet.plugin import FLOPS_PER_MAC, at, check, formula
from tokensheet_inference.parallelism import LAID_OUT, SUITED
from tokensheet_inference.turns import PIPELINE

_PREFILL = "kipply 2022: the forward pass of the prompt; causal attention: Vaswani et al. 2017"

PROMPTED = (*LAID_OUT, "share_is_free", "prompt_fits", "prompt_is_trained", *SUITED)
"""Checks of results that prompts alone decide."""


@formula(unit="token", source="prompt after what is cached already", title="Context after the prompt")
def prefill_context(prompt, cached_prefix):
    """Tokens in the cache when the prompt is done."""
    return cached_prefix + prompt


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


@formula(unit="sequence", source=_PREFILL, title="Prompts of a data-parallel group")
def prefill_sequences(batch, dp):
    """Prompts that one data-parallel group computes: its part of the batch."""
    return max(1, batch / dp)


@formula(unit="token", source=_PREFILL, title="Prompt tokens of a data-parallel group")
def prefill_tokens(prompt, prefill_sequences):
    """Prompt tokens that one data-parallel group computes for its part of the batch."""
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
def window_pairs(prompt, cached_prefix, window):
    """Pairs of tokens that a window layer relates: a prompt's token and those before it, at most a window of them."""
    growing = max(0, min(prompt, window - cached_prefix))
    rising = growing * cached_prefix + growing * (growing + 1) / 2
    return rising + (prompt - growing) * window


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
    prefill_attention_flops,
    expert_prefill_flops,
    expert_compute_cost,
    busiest_rank,
    batch,
    dp,
    stage_share,
    shard_share,
    prefill_compute_rate,
    dense_rate=at("prefill_compute_rate", peak_flops="dense_peak_flops"),
    attention_rate=at("prefill_compute_rate", peak_flops="attention_peak_flops"),
):
    """Seconds that the busiest device computes to prefill a batch of prompts: dense weights, experts, between tokens."""
    dense = (prefill_flops - prefill_attention_flops - expert_prefill_flops) / dense_rate
    of_experts = expert_compute_cost * busiest_rank * expert_prefill_flops / prefill_compute_rate
    of_one = dense + of_experts + prefill_attention_flops / attention_rate
    return of_one * max(1, batch / dp) * stage_share * shard_share


@formula(unit="second", source=PIPELINE, title="Prefill, unchecked")
def prefill_time(
    prefill_pass_time,
    prefill_turns,
    prefill_turn_time,
    step_overhead,
    prefill_overhead,
    time_scale,
):
    """Seconds from the start of a batch of prompts to their first tokens, whether or not they fit."""
    in_turns = prefill_pass_time + (prefill_turns - 1) * prefill_turn_time
    return (in_turns + step_overhead + prefill_overhead) * time_scale


@formula(
    unit="second",
    source=_PREFILL,
    cell="model, gpu, gpus, prompt, [batch], [options]",
    checks=PROMPTED,
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
