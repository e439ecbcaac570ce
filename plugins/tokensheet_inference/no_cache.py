"""Generating without a KV cache: what is computed and read again, and when that is the better way."""

from __future__ import annotations

import math

from tokensheet.plugin import FLAG, UNLIMITED, Assumption, Declaration, at, check, formula

_LAST = "Bojie Li 2023: the last token without a cache; kipply 2022: kv cache"
_RECOMPUTE = "kipply 2022: at small batches recomputing may beat the cache, for the weights are read anyway"
_SAVED = "kipply 2022: exercise on the bandwidth that the cache saves"

DECLARATIONS: tuple[Declaration, ...] = (
    Assumption(
        "weights_read_per_token",
        "flag",
        "1: a pass without a cache reads the weights anew for each token; 0: once for all of them",
        "0: all tokens of a pass pass the weights together; Bojie Li 2023 counts 1",
        0,
        FLAG,
    ),
)


@formula(
    unit="byte",
    source=_LAST,
    cell="model, context, [batch], [options]",
    title="K and V weights read without a cache",
)
def no_cache_kv_bytes(
    batch, context, kv_projection_parameters, weight_attention_bytes_per_element, weights_read_per_token
):
    """Bytes of K and V weights read in one step that makes the keys and values of all earlier tokens again."""
    reads = batch * context if weights_read_per_token else min(1, context)
    return reads * kv_projection_parameters * weight_attention_bytes_per_element


@formula(
    unit="second",
    source=_LAST,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Keys and values again, without a cache",
)
def no_cache_kv_time(no_cache_kv_bytes, kv_flops_saved, gpus, weight_bandwidth, compute_rate):
    """Seconds that even shares of reading and computing take to make keys and values of all earlier tokens again."""
    read = no_cache_kv_bytes / (gpus * weight_bandwidth)
    return max(read, kv_flops_saved / (gpus * compute_rate))


@formula(unit="token", source=_RECOMPUTE, title="Tokens of a pass without a cache")
def no_cache_tokens(micro_batch, context):
    """Tokens that a stage passes in a step without a cache: all earlier ones and the latest of each sequence."""
    return micro_batch * (context + 1)


@formula(
    unit="flop",
    source=_LAST,
    cell="model, context, [batch], [options]",
    title="Operations of a step without a cache",
)
def no_cache_flops(batch, context, flops_per_token):
    """Operations of one step that passes all tokens again: keys and values of a layer need the layers below it."""
    return batch * (context + 1) * flops_per_token


@formula(unit="second", source=_RECOMPUTE, title="Reading the weights without a cache")
def no_cache_read_time(
    weights_read_per_token, no_cache_tokens, together=at("weight_read_time", micro_batch="no_cache_tokens")
):
    """Seconds that a stage reads its weights in a step without a cache."""
    return together * (no_cache_tokens if weights_read_per_token else 1)


@formula(unit="second", source=_RECOMPUTE, title="Computing a token of a stage")
def token_compute_time(stage_share, shard_share, flops_per_token, compute_rate):
    """Seconds that a stage computes for one token, attention between tokens left out."""
    return stage_share * shard_share * flops_per_token / compute_rate


@formula(
    unit="second",
    source=_RECOMPUTE,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Stage of a decode step without a cache",
)
def no_cache_stage_time(no_cache_read_time, no_cache_tokens, token_compute_time):
    """Seconds of one pipeline stage for a step that passes all tokens again; compare with DECODE_STAGE_TIME."""
    return max(no_cache_read_time, no_cache_tokens * token_compute_time)


@formula(unit="token", source=_LAST, title="Tokens passed again")
def recomputed_tokens(prompt, output):
    """Earlier tokens of one sequence that all decode steps after the first token pass again without a cache."""
    return (output - 1) * (prompt + output / 2)


@formula(
    unit="second",
    source=_LAST,
    cell="model, gpu, gpus, prompt, output, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="All decode steps without a cache",
)
def no_cache_output_time(
    prompt,
    output,
    micro_batch,
    pp,
    recomputed_tokens,
    token_compute_time,
    weights_read_per_token,
    read=at("weight_read_time", expert_coverage=1),
):
    """Seconds of all decode steps of a request that pass all tokens again; messages and overheads left out.

    A step takes the larger of reading the weights and computing its tokens; steps that read longer come first.
    """
    steps = output - 1
    tokens = recomputed_tokens + steps
    computing = micro_batch * token_compute_time
    largest = math.floor(read / computing) if computing > 0 else prompt + 1 + steps
    reading_steps = min(steps, max(0, largest - prompt - 1))
    computing_steps = steps - reading_steps
    computed = (
        computing_steps * (prompt + 1) + (steps * (steps + 1) - reading_steps * (reading_steps + 1)) / 2
    )
    together = reading_steps * read + computed * computing
    return pp * (tokens * micro_batch * max(read, token_compute_time) if weights_read_per_token else together)


@formula(
    unit="byte",
    source=_SAVED,
    cell="model, prompt, output, [batch], [options]",
    title="Traffic that the cache saves",
)
def cache_bytes_saved(
    recomputed_tokens,
    batch,
    weights_read_per_token,
    weight_bytes,
    token_traffic=at("intermediate_bytes", batch=1, context=0),
):
    """Bytes of memory traffic that the cache saves over all decode steps of a batch.

    Earlier tokens pass no layer again: their intermediate results are not moved, nor the weights if each token
    reads them anew. Attention reads keys and values from memory with and without a cache, so they cancel.
    """
    again = batch * recomputed_tokens
    return again * (token_traffic + (weight_bytes if weights_read_per_token else 0))


@formula(
    unit="second",
    source="kipply 2022: exercise on the memory time of the cache",
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Reading the cache in a step",
)
def cache_read_time(kv_read_time, pp):
    """Seconds of one decode step spent reading the cache, over all stages that a token passes."""
    return pp * kv_read_time


@check(
    message="{model} routes experts: more of them are read when tokens are passed again; "
    "compare NO_CACHE_STAGE_TIME with DECODE_STAGE_TIME at each context",
    source=_RECOMPUTE,
    title="Weights read do not depend on the tokens",
)
def reads_all_weights(experts):
    """1 when a step reads the same weights however many tokens it passes."""
    return experts == 0


@formula(
    unit="token",
    source=_RECOMPUTE,
    cell="model, gpu, gpus, [batch], [options]",
    checks=("parallel_degrees_match", "reads_all_weights"),
    title="Longest context at which recomputing is no slower",
)
def recompute_context(
    weight_read_time,
    micro_batch,
    token_compute_time,
    read_at_one=at("kv_read_time", context=1, micro_batch=1),
    read_at_none=at("kv_read_time", context=0, micro_batch=1),
):
    """Longest context at which a step that passes all tokens again takes no longer than one that reads the cache."""
    reading = read_at_one - read_at_none
    room = weight_read_time - micro_batch * (token_compute_time - read_at_none)
    slower = micro_batch * (token_compute_time - reading)
    return (max(0, math.floor(room / slower)) if room > 0 else 0) if slower > 0 else UNLIMITED
