"""One decode step: reading, computing, talking; and the rate of tokens that follows."""

from __future__ import annotations

from tokensheet.plugin import Constant, check, formula

_STEP = "kipply 2022, latency calculations; Bojie Li 2023"
_MOE = "experts touched by random routing: E (1 - (1 - k/E)^tokens)"
ENOUGH_TOKENS = Constant(
    "ENOUGH_TOKENS", 40.0, "1", "times each expert is chosen when surely every one is touched"
)
RESULT = (
    "parallel_degrees_match",
    "heads_divide",
    "share_is_free",
    "plan_fits",
    "context_is_trained",
    "format_is_native",
)


@check(
    message="context {context} is beyond the {max_context_trained} tokens that {model} was trained for",
    source="model card",
    warning=True,
    title="Context within the model's maximum",
)
def context_is_trained(context, max_context_trained):
    """1 when the context is within what the model was trained for."""
    return context <= max_context_trained


@formula(unit="1", source=_MOE, title="Share of experts read in a step")
def expert_coverage(experts, experts_per_token, micro_batch, dp):
    """Expected share of routed experts that a micro-batch's tokens touch; 0 in a dense model."""
    untouched = 1 - experts_per_token / experts if experts > 0 else 1
    # so many tokens touch every expert to the last digit; more would leave a number too small for some sheets
    enough = ENOUGH_TOKENS * experts / experts_per_token if experts > 0 else 0
    return 1 - untouched ** min(micro_batch * dp, enough)


@formula(unit="expert", source=_MOE, cell="model, [batch], [options]", title="Experts touched a layer")
def experts_touched(experts, expert_coverage):
    """Expected number of routed experts of a layer that a step reads."""
    return experts * expert_coverage


@formula(unit="byte", source=_STEP, title="Head read in a step")
def head_read_bytes(unembedding_parameters, weight_head_bytes_per_element):
    """Bytes of the unembedding matrix, read whole in each step; the embedding is a look-up."""
    return unembedding_parameters * weight_head_bytes_per_element


@formula(unit="byte", source=_STEP, title="Weights read by a device in a step")
def weight_read_bytes(
    block_bytes, head_read_bytes, expert_bytes, expert_coverage, stage_share, shard_share, tp, dp
):
    """Bytes of weights that the busiest device reads for one micro-batch of its stage."""
    dense = (block_bytes + head_read_bytes) * shard_share
    return stage_share * (dense + expert_bytes * expert_coverage / (tp * dp))


@formula(unit="second", source=_STEP, title="Reading the weights")
def weight_read_time(weight_read_bytes, memory_bandwidth, bandwidth_efficiency):
    """Seconds to read a stage's weights for one micro-batch."""
    return weight_read_bytes / (memory_bandwidth * bandwidth_efficiency)


@formula(
    unit="second",
    source="Pope et al. 2022; Bojie Li 2023: the cache is read in each step",
    title="Reading the cache",
)
def kv_read_time(micro_batch, kv_bytes_read_per_sequence, memory_bandwidth, kv_bandwidth_efficiency):
    """Seconds to read the cache of one micro-batch on the busiest device of a stage."""
    return micro_batch * kv_bytes_read_per_sequence / (memory_bandwidth * kv_bandwidth_efficiency)


@formula(
    unit="byte",
    source="Beltagy et al. 2020: a window layer reads its window",
    title="Cache read of a sequence on a device",
)
def kv_bytes_read_per_sequence(
    full_kv_elements,
    window_kv_elements,
    latent_kv_elements,
    kv_bytes_per_element,
    context,
    window,
    state_bytes,
    kv_shard_share,
    window_kv_shard_share,
    shard_share,
    stage_share,
):
    """Bytes of cache that one sequence makes a device read in a step, reserved or not."""
    full = full_kv_elements * kv_shard_share * context
    windowed = window_kv_elements * window_kv_shard_share * min(context, window)
    latent = latent_kv_elements * context
    return stage_share * ((full + windowed + latent) * kv_bytes_per_element + state_bytes * shard_share)


@formula(
    unit="second",
    source=_STEP,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Memory traffic of a stage",
)
def decode_memory_time(weight_read_time, kv_read_time):
    """Seconds that one stage reads weights and cache for one micro-batch of a decode step."""
    return weight_read_time + kv_read_time


@formula(
    unit="second",
    source=_STEP,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Stage of a decode step",
)
def decode_stage_time(decode_memory_time, decode_compute_time):
    """Seconds of one pipeline stage for one micro-batch: the larger of memory traffic and computation."""
    return max(decode_memory_time, decode_compute_time)


@formula(
    unit="second", source="launches, scheduling and sampling, fitted by profiles", title="Overheads of a step"
)
def overhead_time(
    step_overhead,
    layer_overhead,
    layers,
    moe_layer_overhead,
    moe_layers,
    sequence_overhead,
    batch,
):
    """Seconds of a decode step that depend on neither bytes nor operations."""
    by_layer = layer_overhead * layers + moe_layer_overhead * moe_layers
    return step_overhead + by_layer + sequence_overhead * batch


@formula(
    unit="second",
    source=_STEP,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=RESULT,
    title="Decode latency (TPOT)",
)
def decode_latency(decode_stage_time, tp_comm_time, pp_comm_time, pp, overlap_communication, overhead_time):
    """Seconds of one decode step: every sequence in flight gains one token. An error when the plan does not fit."""
    stages = pp * decode_stage_time
    busy = max(stages, tp_comm_time) if overlap_communication else stages + tp_comm_time
    return busy + pp_comm_time + overhead_time


@formula(
    unit="token/second",
    source="batch / decode latency",
    cell="model, gpu, gpus, context, [batch], [options]",
    title="Tokens a second",
)
def tokens_per_second(batch, decode_latency):
    """Tokens a second that one replica generates for all sequences in flight."""
    return batch / decode_latency


@formula(
    unit="token/second",
    source="1 / decode latency",
    cell="model, gpu, gpus, context, [batch], [options]",
    title="Tokens a second for each user",
)
def tokens_per_second_per_user(decode_latency):
    """Tokens a second that one sequence gains."""
    return 1 / decode_latency
