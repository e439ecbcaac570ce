"""Times of the kernels around attention while a prompt is read, each on its own, on one device."""

from __future__ import annotations

from tokensheet.plugin import BYTES_PER_16_BIT, POSITIVE, Declaration, Input, at, formula

_KERNELS = "Ivanov et al. 2020, table A.1, and kipply 2022: softmax takes as long as three products of queries and keys"
_STORE = "kipply 2022: benchmark comparison, 18 µs a layer to store keys and values"

DECLARATIONS: tuple[Declaration, ...] = (
    Input("measured_time", "second", "measured time of the same work", range=POSITIVE, example=0.015),
)


@formula(
    unit="second", source=_KERNELS, cell="model, gpu, prompt, [batch], [options]", title="Softmax of a prompt"
)
def softmax_time(
    batch, prompt, softmax_passes, weight_bandwidth, scores=at("score_elements", context="prompt")
):
    """Seconds that softmax reads and writes the scores of a batch of prompts in all layers, no score skipped."""
    moved = batch * prompt * scores * softmax_passes * BYTES_PER_16_BIT
    return moved / weight_bandwidth


@formula(
    unit="second",
    source=_KERNELS,
    cell="model, gpu, prompt, [batch], [options]",
    title="Products of queries and keys of a prompt",
)
def qk_time(
    batch,
    prompt,
    query_elements,
    kv_elements,
    key_share,
    compute_rate,
    weight_bandwidth,
    operations=at("score_flops", context="prompt"),
    scores=at("score_elements", context="prompt"),
):
    """Seconds of the products of queries and keys of a batch of prompts in all layers: computing or moving, the larger."""
    tokens = batch * prompt
    moved = tokens * (query_elements + kv_elements * key_share + scores) * BYTES_PER_16_BIT
    compute = tokens * operations / compute_rate
    return max(compute, moved / weight_bandwidth)


@formula(
    unit="second",
    source=_KERNELS,
    cell="model, gpu, prompt, [batch], [options]",
    title="Queries, keys and values of a prompt",
)
def qkv_time(
    batch,
    prompt,
    layers,
    d_model,
    query_elements,
    kv_elements,
    qkv_flops,
    attention_parameters,
    projection_parameters,
    weight_attention_bytes_per_element,
    compute_rate,
    weight_bandwidth,
):
    """Seconds that make queries, keys and values of a batch of prompts in all layers: computing or moving, the larger."""
    tokens = batch * prompt
    weights = (attention_parameters - projection_parameters) * weight_attention_bytes_per_element
    moved = weights + tokens * (layers * d_model + query_elements + kv_elements) * BYTES_PER_16_BIT
    compute = tokens * qkv_flops / compute_rate
    return max(compute, moved / weight_bandwidth)


@formula(
    unit="second",
    source=_STORE,
    cell="model, gpu, gpus, prompt, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Storing keys and values of a prompt",
)
def kv_store_time(
    batch,
    prompt,
    full_kv_elements,
    window_kv_elements,
    latent_kv_elements,
    kv_bytes_per_element,
    kv_shard_share,
    window_kv_shard_share,
    dp,
    weight_bandwidth,
):
    """Seconds that copy the keys and values of a batch of prompts into the cache in all layers: read once, written once."""
    spread = full_kv_elements * kv_shard_share + window_kv_elements * window_kv_shard_share
    elements = batch / dp * prompt * (spread + latent_kv_elements)
    moved = elements * (BYTES_PER_16_BIT + kv_bytes_per_element)
    return moved / weight_bandwidth


@formula(
    unit="1",
    source="kipply 2022: benchmark comparison, 344 µs against 476 µs is 72 %",
    cell="m, k, n, gpu, measured_time, [options]",
    title="Efficiency of a measured matrix product",
    example_with={"measured_time": 30e-6},
)
def matmul_efficiency(matmul_time, measured_time):
    """Share of the expected speed that a measured matrix product reached."""
    return matmul_time / measured_time
