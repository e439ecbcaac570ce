"""Bytes that a plan takes: weights, KV cache, activations, and all that the fullest device holds."""

from __future__ import annotations

import math

from tokensheet.plugin import BYTES_PER_16_BIT, formula
from tokensheet_inference.sources import FULLEST

_KV = "kipply 2022, Transformer Inference Arithmetic: kv cache; Pope et al. 2022, Efficiently Scaling Transformer Inference"


@formula(unit="byte", source="kipply 2022: capacity", cell="model, [options]", title="Weights", headline=True)
def weight_bytes(
    embedding_parameters,
    head_parameters,
    attention_parameters,
    mlp_parameters,
    expert_parameters,
    shared_expert_parameters,
    other_parameters,
    embedding_bytes_per_element,
    weight_head_bytes_per_element,
    weight_attention_bytes_per_element,
    weight_mlp_bytes_per_element,
    weight_expert_bytes_per_element,
    weight_other_bytes_per_element,
):
    """Bytes of all weights of a model in a number format, over all devices, each parameter once."""
    ends = (
        embedding_parameters * embedding_bytes_per_element + head_parameters * weight_head_bytes_per_element
    )
    dense = (
        attention_parameters * weight_attention_bytes_per_element
        + (mlp_parameters + shared_expert_parameters) * weight_mlp_bytes_per_element
        + other_parameters * weight_other_bytes_per_element
    )
    return ends + dense + expert_parameters * weight_expert_bytes_per_element


@formula(unit="byte", source=_KV, cell="model, [options]", title="KV cache a token")
def kv_bytes_per_token(full_kv_elements, window_kv_elements, latent_kv_elements, kv_bytes_per_element):
    """Bytes that one token adds to the cache of one sequence, over all devices, as long as no window is full."""
    return (full_kv_elements + window_kv_elements + latent_kv_elements) * kv_bytes_per_element


@formula(
    unit="token",
    source="Beltagy et al. 2020, Longformer: sliding window",
    title="Tokens held by window layers",
)
def window_tokens(context, window, window_reserved_in_full):
    """Tokens that a window layer keeps of one sequence."""
    return context if window_reserved_in_full else min(context, window)


@formula(unit="byte", source=_KV, title="KV cache a sequence")
def kv_bytes_per_sequence(
    full_kv_elements,
    latent_kv_elements,
    window_kv_elements,
    context,
    window_tokens,
    state_bytes,
    kv_bytes_per_element,
):
    """Bytes of cache of one sequence at its context, over all devices, copies left out."""
    growing = (full_kv_elements + latent_kv_elements) * context * kv_bytes_per_element
    return growing + window_kv_elements * window_tokens * kv_bytes_per_element + state_bytes


@formula(
    unit="byte",
    source="Gu and Dao 2023, Mamba: the state has a fixed size",
    title="Recurrent state a sequence",
)
def state_bytes(state_elements):
    """Bytes of recurrent state of one sequence, kept in 16 bit whatever its length."""
    return state_elements * BYTES_PER_16_BIT


@formula(
    unit="byte",
    source=_KV,
    cell="model, context, [batch], [options]",
    checks=("context_is_trained", "cache_is_read_whole"),
    title="KV cache",
    headline=True,
)
def kv_bytes(batch, kv_bytes_per_sequence):
    """Bytes of KV cache of a batch at a context, over all devices, without page rounding and copies."""
    return batch * kv_bytes_per_sequence


@formula(
    unit="byte",
    source="Bojie Li 2023: batch × tokens × embedding size × 2 bytes",
    cell="model, context, [batch], [options]",
    title="Intermediate activations",
)
def activation_bytes(batch, context, d_model):
    """Bytes of one layer's intermediate result for all tokens of a batch in 16 bit."""
    return batch * context * d_model * BYTES_PER_16_BIT


@formula(
    unit="byte",
    source="Bojie Li 2023: parameters, KV cache and intermediate results",
    cell="model, context, [batch], [options]",
    title="Memory in all",
)
def memory_bytes(weight_bytes, kv_bytes, activation_bytes):
    """Bytes of weights, KV cache and one layer's activations together, over all devices."""
    return weight_bytes + kv_bytes + activation_bytes


@formula(
    unit="byte",
    source="Pope et al. 2022: KV heads are copied when tp exceeds them; DeepSeek-AI 2024: latent vectors are every head's",
    title="Weights that ranks copy",
)
def copied_bytes(
    full_projection_parameters,
    window_projection_parameters,
    latent_projection_parameters,
    kv_heads,
    window_kv_heads,
    shard_share,
    weight_attention_bytes_per_element,
):
    """Bytes that a rank holds beyond its shard, over all layers.

    Projections to KV heads that several ranks share, and to latent vectors, which are whole on each.
    """
    of_heads = full_projection_parameters * max(0, 1 / kv_heads - shard_share) if kv_heads > 0 else 0
    of_windows = (
        window_projection_parameters * max(0, 1 / window_kv_heads - shard_share) if window_kv_heads > 0 else 0
    )
    of_latent = latent_projection_parameters * (1 - shard_share)
    return (of_heads + of_windows + of_latent) * weight_attention_bytes_per_element


@formula(unit="byte", source=FULLEST, title="Weights on the fullest device")
def weight_bytes_per_device(
    embedding_parameters,
    head_parameters,
    embedding_bytes_per_element,
    weight_head_bytes_per_element,
    block_bytes,
    copied_bytes,
    expert_bytes,
    stage_share,
    shard_share,
    expert_shard_share,
    pp,
):
    """Bytes of weights on the fullest device: its stage's layers, copies included, and the embedding or the head."""
    embedding = embedding_parameters * embedding_bytes_per_element
    head = head_parameters * weight_head_bytes_per_element
    ends = max(embedding, head) if pp > 1 else embedding + head
    layers_bytes = block_bytes * shard_share + copied_bytes + expert_bytes * expert_shard_share
    return stage_share * layers_bytes + ends * shard_share


@formula(unit="byte", source="kipply 2022: capacity", title="Weights of the layers, experts aside")
def block_bytes(
    attention_parameters,
    mlp_parameters,
    shared_expert_parameters,
    other_parameters,
    weight_attention_bytes_per_element,
    weight_mlp_bytes_per_element,
    weight_other_bytes_per_element,
):
    """Bytes of attention, dense MLPs, shared experts and norms of all layers."""
    attention = attention_parameters * weight_attention_bytes_per_element
    mlp = (mlp_parameters + shared_expert_parameters) * weight_mlp_bytes_per_element
    return attention + mlp + other_parameters * weight_other_bytes_per_element


@formula(unit="byte", source="Shazeer et al. 2017: mixture of experts", title="Weights of all routed experts")
def expert_bytes(expert_parameters, weight_expert_bytes_per_element):
    """Bytes of all routed experts of all layers."""
    return expert_parameters * weight_expert_bytes_per_element


@formula(unit="byte", source=FULLEST, title="KV cache of a sequence on a device")
def kv_bytes_per_sequence_on_device(
    full_kv_elements,
    window_kv_elements,
    latent_kv_elements,
    kv_bytes_per_element,
    context,
    window_tokens,
    state_bytes,
    kv_shard_share,
    window_kv_shard_share,
    shard_share,
    stage_share,
):
    """Bytes of cache of one sequence on one device: KV heads are copied, a latent cache is whole on each rank."""
    full = full_kv_elements * kv_shard_share * context
    window = window_kv_elements * window_kv_shard_share * window_tokens
    latent = latent_kv_elements * context
    return stage_share * ((full + window + latent) * kv_bytes_per_element + state_bytes * shard_share)


@formula(unit="byte", source="room set aside for the activations of one step", title="Room for activations")
def activation_reserve(activation_tokens, d_model):
    """Bytes set aside on each device for intermediate activations of a step in 16 bit."""
    return activation_tokens * d_model * BYTES_PER_16_BIT


@formula(
    unit="byte",
    source="Hu et al. 2021, LoRA: two thin matrices for each linear layer",
    cell="model, [options]",
    title="LoRA adapters",
    example_with={"adapters": 8},
)
def adapter_bytes(adapters, adapter_rank, adapter_elements_per_rank):
    """Bytes of the LoRA adapters that stay loaded, on all linear layers in 16 bit; 0 without adapters."""
    return adapters * adapter_rank * adapter_elements_per_rank * BYTES_PER_16_BIT if adapters > 0 else 0


@formula(
    unit="byte",
    source="what a device holds besides weights and cache",
    title="Set aside on a device",
)
def set_aside_bytes(activation_reserve, companion_bytes, adapter_bytes, stage_share, runtime_bytes):
    """Bytes of each device for runtime, activations, companion weights and adapters, which every rank holds whole."""
    return runtime_bytes + activation_reserve + companion_bytes + adapter_bytes * stage_share


@formula(
    unit="byte",
    source=FULLEST,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Memory needed on the fullest device",
    headline=True,
)
def memory_per_device(weight_bytes_per_device, kv_bytes_per_sequence_on_device, batch, dp, set_aside_bytes):
    """Bytes that the fullest device must hold: weights, cache of its data-parallel group, and what is set aside."""
    sequences = math.ceil(batch / dp)
    return weight_bytes_per_device + sequences * kv_bytes_per_sequence_on_device + set_aside_bytes
