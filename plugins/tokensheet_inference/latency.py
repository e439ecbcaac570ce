"""One decode step: reading, computing, talking; and the rate of tokens that follows."""

from __future__ import annotations

from tokensheet.plugin import Constant, at, check, formula
from tokensheet_inference.parallelism import LAID_OUT, SUITED

_STEP = "kipply 2022, latency calculations; Bojie Li 2023"
_KERNELS = "attention and matrix products are kernels of their own: Williams et al. 2009, Roofline, for each"
_OVERHEAD = "launches, scheduling and sampling, fitted by profiles"
_MOE = "experts touched by random routing: E (1 - (1 - k/E)^tokens)"
ENOUGH_TOKENS = Constant(
    "ENOUGH_TOKENS", 40.0, "1", "times each expert is chosen when surely every one is touched"
)
RESULT = (*LAID_OUT, "share_is_free", "plan_fits", "context_is_trained", *SUITED)


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
def expert_coverage(experts, experts_per_token, micro_batch, dp, busiest_expert):
    """Expected share of its routed experts that a micro-batch's tokens touch on the busiest rank; 0 in a dense model."""
    untouched = 1 - experts_per_token / experts if experts > 0 else 1
    # so many tokens touch every expert to the last digit; more would leave a number too small for some sheets
    enough = ENOUGH_TOKENS * experts / experts_per_token if experts > 0 else 0
    return 1 - untouched ** min(micro_batch * dp * busiest_expert, enough) if experts > 0 else 0


@formula(
    unit="expert",
    source=_MOE,
    cell="model, [batch], [options]",
    title="Experts touched a layer",
    example_with={"model": "mixtral-8x7b"},
)
def experts_touched(experts, expert_coverage):
    """Expected number of routed experts of a layer that a step reads."""
    return experts * expert_coverage


@formula(unit="byte", source=_STEP, title="Head read in a step")
def head_read_bytes(unembedding_parameters, weight_head_bytes_per_element):
    """Bytes of the unembedding matrix, read whole in each step; the embedding is a look-up."""
    return unembedding_parameters * weight_head_bytes_per_element


@formula(unit="byte", source=_STEP, title="Weights of the layers read, experts aside")
def block_read_bytes(block_bytes, stage_share, shard_share):
    """Bytes of attention, dense MLPs and shared experts that the busiest device reads for one micro-batch."""
    return block_bytes * stage_share * shard_share


@formula(unit="byte", source=_MOE, title="Experts read by a device in a step")
def expert_read_bytes(expert_bytes, expert_coverage, stage_share, expert_shard_share):
    """Bytes of routed experts that the busiest device reads for one micro-batch of its stage."""
    return stage_share * expert_bytes * expert_coverage * expert_shard_share


@formula(unit="byte", source=_STEP, title="Weights read by a device in a step")
def weight_read_bytes(block_read_bytes, head_read_bytes, expert_read_bytes, stage_share, shard_share):
    """Bytes of weights that the busiest device reads for one micro-batch of its stage."""
    return block_read_bytes + head_read_bytes * stage_share * shard_share + expert_read_bytes


@formula(unit="second", source=_STEP, title="Reading the weights")
def weight_read_time(
    block_read_bytes,
    head_read_bytes,
    expert_read_bytes,
    stage_share,
    shard_share,
    weight_bandwidth,
    expert_bandwidth_efficiency,
    pp,
    layer_split_gain,
    block=at("weight_read_efficiency", weight_bytes_per_element="weight_attention_bytes_per_element"),
    expert=at("weight_read_efficiency", weight_bytes_per_element="weight_expert_bytes_per_element"),
):
    """Seconds to read a stage's weights for one micro-batch: formats that are expanded on the way take longer."""
    head = head_read_bytes * stage_share * shard_share
    effort = block_read_bytes / block + head + expert_read_bytes / (expert * expert_bandwidth_efficiency)
    return effort / (weight_bandwidth * pp**layer_split_gain)


@formula(
    unit="second",
    source="Pope et al. 2022; Bojie Li 2023: the cache is read in each step",
    title="Reading the cache",
)
def kv_read_time(micro_batch, kv_bytes_read_per_sequence, kv_rereads, kv_bandwidth):
    """Seconds to read the cache of one micro-batch on the busiest device of a stage."""
    return micro_batch * kv_bytes_read_per_sequence * kv_rereads / kv_bandwidth


@formula(
    unit="byte",
    source="Beltagy et al. 2020: a window layer reads its window; Gu and Dao 2023, Mamba: each step changes the state",
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
    """Bytes of cache that one sequence makes a device read in a step, reserved or not; recurrent state is written as well."""
    full = full_kv_elements * kv_shard_share * context
    windowed = window_kv_elements * window_kv_shard_share * min(context, window)
    latent = latent_kv_elements * context
    state = 2 * state_bytes * shard_share
    return stage_share * ((full + windowed + latent) * kv_bytes_per_element + state)


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


@formula(unit="second", source=_KERNELS, title="Matrix products of a stage")
def matrix_time(stage_mode, weight_read_time, matrix_compute_time):
    """Seconds of a stage's matrix products: reading weights and computing, the larger, or added in mode 2."""
    added = weight_read_time + matrix_compute_time
    return added if stage_mode == 2 else max(weight_read_time, matrix_compute_time)


@formula(unit="second", source=_KERNELS, title="Stage if the cache's traffic binds attention")
def stage_memory_time(stage_mode, kv_read_time, matrix_time, weight_read_time):
    """Seconds of a stage when attention waits for the cache; in mode 0 when the whole stage waits for memory."""
    return kv_read_time + (matrix_time if stage_mode > 0 else weight_read_time)


@formula(unit="second", source=_KERNELS, title="Stage if computing binds attention")
def stage_compute_time(stage_mode, attention_compute_time, matrix_time, matrix_compute_time):
    """Seconds of a stage when attention waits for computing; in mode 0 when the whole stage does."""
    return attention_compute_time + (matrix_time if stage_mode > 0 else matrix_compute_time)


@formula(
    unit="second",
    source=_STEP,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Stage of a decode step",
)
def decode_stage_time(stage_memory_time, stage_compute_time):
    """Seconds of one pipeline stage for one micro-batch: the larger of memory traffic and computation."""
    return max(stage_memory_time, stage_compute_time)


@formula(unit="second", source=_OVERHEAD, title="Overheads of all layers")
def layers_overhead_time(
    layer_overhead,
    layers,
    latent_layer_overhead,
    latent_layers,
    recurrent_layer_overhead,
    recurrent_layers,
    moe_layer_overhead,
    fp8_moe_layer_overhead,
    lowbit_moe_layer_overhead,
    moe_layers,
    rescaled=at("weights_8_bit", weight_bytes_per_element="weight_expert_bytes_per_element"),
    expanded=at("weights_expanded", weight_bytes_per_element="weight_expert_bytes_per_element"),
):
    """Seconds of a pass through all layers that depend on neither bytes nor operations: launches, small kernels."""
    mixers = latent_layer_overhead * latent_layers + recurrent_layer_overhead * recurrent_layers
    formats = fp8_moe_layer_overhead * rescaled + lowbit_moe_layer_overhead * expanded
    return layer_overhead * layers + mixers + (moe_layer_overhead + formats) * moe_layers


@formula(unit="second", source=_OVERHEAD, title="Overheads of a step")
def overhead_time(step_overhead, layers_overhead_time, sequence_overhead, batch, dp):
    """Seconds of a decode step that depend on neither bytes nor operations; data-parallel groups schedule and sample side by side."""
    of_a_group = max(min(batch, 1), batch / dp)
    return step_overhead + layers_overhead_time + sequence_overhead * of_a_group


@formula(unit="second", source=_STEP, title="Decode step, unchecked")
def step_time(
    decode_stage_time, tp_comm_time, exchange_time, pp, overlap_communication, overhead_time, time_scale
):
    """Seconds of one decode step, whether or not the plan fits."""
    stages = pp * decode_stage_time
    busy = max(stages, tp_comm_time) if overlap_communication else stages + tp_comm_time
    return (busy + exchange_time + overhead_time) * time_scale


@formula(
    unit="second",
    source=_STEP,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=RESULT,
    title="Decode latency",
    headline=True,
)
def decode_latency(step_time):
    """Seconds of one decode step: every sequence in flight gains one token. An error when the plan does not fit.

    It is a request's TPOT when no prompt stands between its steps; TPOT gives that of a request under load.
    """
    return step_time


@formula(
    unit="token/second",
    source="batch / decode latency",
    cell="model, gpu, gpus, context, [batch], [options]",
    title="Tokens a second",
    headline=True,
)
def tokens_per_second(batch, decode_latency):
    """Tokens a second that one replica generates for all sequences in flight."""
    return batch / decode_latency


@formula(
    unit="token/second",
    source="1 / decode latency",
    cell="model, gpu, gpus, context, [batch], [options]",
    title="Tokens a second for each user",
    headline=True,
)
def tokens_per_second_per_user(decode_latency):
    """Tokens a second that one sequence gains."""
    return 1 / decode_latency
