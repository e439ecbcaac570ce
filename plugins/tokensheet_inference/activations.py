"""Memory traffic of intermediate results: what each kernel reads and writes, and what fusing kernels saves.

Weights and the reading of the KV cache are not counted here. Results are in 16 bit.
"""

from __future__ import annotations

from tokensheet.plugin import (
    BYTES_PER_16_BIT,
    FLAG,
    FLOPS_PER_MAC,
    NOT_NEGATIVE,
    Assumption,
    Declaration,
    at,
    formula,
)

_MOVED = "Ivanov et al. 2020, Data Movement Is All You Need: contractions, normalisations, element-wise steps"
_FUSED = "kipply 2022: kernel fusion; a fused kernel loads and stores once"

DECLARATIONS: tuple[Declaration, ...] = (
    Assumption(
        "softmax_passes",
        "1",
        "how often softmax reads or writes all scores: 4 as it is usual, 2 when it is one kernel",
        "kipply 2022: one read and one write are possible, four are standard",
        4,
        NOT_NEGATIVE,
    ),
    Assumption(
        "fused_kernels",
        "flag",
        "1: attention is one kernel; biases, activation and additions ride on the kernels beside them",
        "Dao et al. 2022, FlashAttention",
        0,
        FLAG,
    ),
    Assumption(
        "bias_kernels",
        "flag",
        "1: biases are added after each matrix by kernels of their own",
        "models of 2020; later ones have no biases",
        1,
        FLAG,
    ),
)


@formula(unit="element", source=_MOVED, title="Queries of all heads")
def query_elements(full_attention_macs, window_attention_macs, key_share, latent_layers, heads, head_size):
    """Elements of one token's queries over all attention layers."""
    return (full_attention_macs + window_attention_macs) * key_share + latent_layers * heads * head_size


@formula(unit="element", source=_MOVED, title="Keys and values")
def kv_elements(full_kv_elements, window_kv_elements, latent_kv_elements):
    """Elements of one token's keys and values over all layers."""
    return full_kv_elements + window_kv_elements + latent_kv_elements


@formula(unit="element", source=_MOVED, title="Scores of a token")
def score_elements(
    full_attention_macs,
    window_attention_macs,
    head_size,
    value_head_size,
    latent_layers,
    heads,
    context,
    window,
):
    """Scores of one token with its cached tokens, over all heads of all layers."""
    widths = head_size + value_head_size
    pairs = full_attention_macs * context + window_attention_macs * min(context, window)
    return (pairs / widths if widths > 0 else 0) + latent_layers * heads * context


@formula(unit="element", source=_MOVED, title="Hidden elements of the MLPs")
def mlp_elements(mlp_flops, d_model):
    """Elements of one token that enter or leave the hidden side of the MLP matrices, over all layers."""
    return mlp_flops / FLOPS_PER_MAC / d_model


@formula(unit="byte", source=_MOVED, cell="model, context, [batch], [options]", title="Traffic of softmax")
def softmax_bytes(batch, score_elements, softmax_passes, fused_kernels):
    """Bytes that softmax reads and writes in one decode step; none when attention is one kernel."""
    passes = 0 if fused_kernels else softmax_passes
    return batch * score_elements * passes * BYTES_PER_16_BIT


@formula(unit="byte", source=_MOVED, cell="model, [batch], [options]", title="Traffic of norms and additions")
def norm_bytes(batch, layers, d_model, fused_kernels):
    """Bytes that two layer norms and two residual additions a layer read and write in one decode step."""
    norm = 2
    addition = 2 + 1
    together = norm + addition - (1 if fused_kernels else 0)
    return batch * layers * 2 * together * d_model * BYTES_PER_16_BIT


@formula(unit="byte", source=_MOVED, cell="model, [batch], [options]", title="Traffic of biases")
def bias_bytes(
    batch, query_elements, kv_elements, layers, d_model, mlp_elements, bias_kernels, fused_kernels
):
    """Bytes that adding biases reads and writes in one decode step, as kernels of their own; MLPs of two matrices."""
    outputs = query_elements + kv_elements + 2 * layers * d_model + mlp_elements / 2
    return batch * 2 * outputs * BYTES_PER_16_BIT if bias_kernels and not fused_kernels else 0


@formula(
    unit="byte", source=_MOVED, cell="model, [batch], [options]", title="Traffic of the activation function"
)
def activation_function_bytes(batch, mlp_elements, fused_kernels):
    """Bytes that the MLPs' activation function reads and writes in one decode step; a gate's product is included."""
    return 0 if fused_kernels else batch * mlp_elements * BYTES_PER_16_BIT


@formula(unit="byte", source=_MOVED, title="Traffic of matrix products, weights aside")
def contraction_bytes(
    batch,
    layers,
    d_model,
    query_elements,
    kv_elements,
    head_outputs,
    score_elements,
    mlp_elements,
    fused_kernels,
):
    """Bytes that the matrix products of one decode step read and write of intermediate results."""
    stream = 2 * 2 * layers * d_model
    scores = 0 if fused_kernels else 2 * score_elements
    heads_side = 2 * query_elements + kv_elements + scores + 2 * head_outputs
    return batch * (stream + heads_side + mlp_elements) * BYTES_PER_16_BIT


@formula(
    unit="byte",
    source=_MOVED,
    cell="model, context, [batch], [options]",
    title="Traffic of intermediate results",
)
def intermediate_bytes(
    contraction_bytes,
    softmax_bytes,
    norm_bytes,
    bias_bytes,
    activation_function_bytes,
    batch,
    kv_elements,
    fused_kernels,
):
    """Bytes of intermediate results that one decode step reads and writes in all layers, over all devices."""
    store = 0 if fused_kernels else 2 * batch * kv_elements * BYTES_PER_16_BIT
    normalised = softmax_bytes + norm_bytes
    return contraction_bytes + normalised + bias_bytes + activation_function_bytes + store


@formula(
    unit="byte",
    source=_FUSED,
    cell="model, context, [batch], [options]",
    title="Traffic that fusing kernels saves",
)
def fusion_bytes_saved(
    separate=at("intermediate_bytes", fused_kernels=0), fused=at("intermediate_bytes", fused_kernels=1)
):
    """Bytes of intermediate results that one decode step need not move when kernels are fused."""
    return separate - fused


@formula(
    unit="second",
    source=_MOVED,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Time of intermediate results",
)
def intermediate_time(shard_share, weight_bandwidth, moved=at("intermediate_bytes", batch="micro_batch")):
    """Seconds that a micro-batch's intermediate results take to move in all layers, divided over ranks; no launches."""
    return moved * shard_share / weight_bandwidth


@formula(
    unit="byte",
    source="kipply 2022: exercise on the neglected memory of intermediate results",
    cell="model, prompt, [batch], [options]",
    title="Memory of intermediate results",
)
def intermediate_peak_bytes(
    batch,
    prompt,
    layers,
    d_model,
    query_elements,
    kv_elements,
    head_outputs,
    mlp_elements,
    fused_kernels,
    scores=at("score_elements", context="prompt"),
):
    """Bytes of one layer's intermediate results at their most while a batch of prompts is read, over all devices."""
    in_attention = (query_elements + kv_elements + head_outputs) / layers
    widest = 2 * d_model + max(in_attention, mlp_elements / layers)
    stored = 0 if fused_kernels else scores / layers
    return batch * prompt * (widest + stored) * BYTES_PER_16_BIT
