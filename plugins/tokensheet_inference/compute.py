"""Operations, and the time they take on a device's units."""

from __future__ import annotations

from tokensheet.plugin import BYTES_PER_16_BIT, FLOPS_PER_MAC, at, check, formula
from tokensheet_inference.rates import EIGHT_BIT

_FLOPS = "kipply 2022: flops counting; Kaplan et al. 2020: 2 × parameters a token"
_ATTENTION = "Shah et al. 2024, FlashAttention-3: scores and sums in 16 bit, or in fp8 on queries, keys and values in fp8"
_ROOFLINE = "Williams et al. 2009, Roofline; kipply 2022: flops vs memory boundedness"


@formula(unit="flop", source=_FLOPS, cell="model, [options]", title="Operations a token")
def flops_per_token(active_parameters):
    """Operations of one forward pass a token: two for each weight it passes; embedding look-up and attention left out."""
    return FLOPS_PER_MAC * active_parameters


@formula(
    unit="flop",
    source="kipply 2022: kv cache",
    cell="model, [options]",
    title="Operations of K and V a token",
)
def kv_flops_per_token(kv_projection_parameters):
    """Operations that compute the keys and values of one token in all layers: what the cache saves a token."""
    return FLOPS_PER_MAC * kv_projection_parameters


@formula(
    unit="flop",
    source="Bojie Li 2023: what the KV cache saves",
    cell="model, context, [batch], [options]",
    title="Operations that the cache saves a step",
)
def kv_flops_saved(batch, context, kv_flops_per_token):
    """Operations that caching saves at one step: keys and values of all earlier tokens of the batch."""
    return batch * context * kv_flops_per_token


@formula(
    unit="flop",
    source="attention scores and weighted sum over cached tokens",
    title="Attention operations a token",
)
def attention_flops_per_token(
    full_attention_macs,
    window_attention_macs,
    latent_attention_macs,
    context,
    window,
    attention_flops_counted,
):
    """Operations of one token with the cached tokens of its sequence, over all layers."""
    pairs = (full_attention_macs + latent_attention_macs) * context + window_attention_macs * min(
        context, window
    )
    return FLOPS_PER_MAC * pairs if attention_flops_counted else 0


@formula(
    unit="flop/second",
    source="dense datasheet peak of the units that the weight format uses",
    title="Peak used",
)
def peak_flops(
    peak_flops_16bit,
    peak_flops_fp32,
    peak_flops_fp8,
    peak_flops_int8,
    peak_flops_fp4,
    has_fp8,
    has_int8,
    has_fp4,
    weight_computes_fp32,
    weight_computes_fp8,
    weight_computes_int8,
    weight_computes_fp4,
    integer_compute,
):
    """Dense peak of one device in the weights' format; fewer bits without units of their own run in 16 bit.

    32-bit weights run at the fp32 peak: 16-bit units would drop half of their bits.
    """
    by_integers = peak_flops_int8 / 2 if integer_compute * has_int8 else peak_flops_16bit
    with_fp8 = peak_flops_fp8 if weight_computes_fp8 * has_fp8 else max(peak_flops_16bit, by_integers)
    with_int8 = peak_flops_int8 if weight_computes_int8 * has_int8 else with_fp8
    of_few_bits = peak_flops_fp4 if weight_computes_fp4 * has_fp4 else with_int8
    return peak_flops_fp32 if weight_computes_fp32 else of_few_bits


@formula(unit="flag", source="datasheets", title="Weights use units of few bits")
def few_bit_units(has_fp8, has_int8, has_fp4, weight_computes_fp8, weight_computes_int8, weight_computes_fp4):
    """1 when the device has units of its own for weights of 8 bits or fewer in the weights' format."""
    with_8_bit = weight_computes_fp8 * has_fp8 + weight_computes_int8 * has_int8
    return with_8_bit + weight_computes_fp4 * has_fp4


@formula(unit="flop/second", source=_ATTENTION, title="Peak used between tokens")
def attention_peak_flops(
    peak_flops, peak_flops_16bit, peak_flops_fp8, has_fp8, kv_computes_fp8, few_bit_units
):
    """Dense peak of one device between tokens, where no weight takes part: in fp8 with a cache in fp8, else in 16 bit."""
    of_cache = peak_flops_fp8 if kv_computes_fp8 * has_fp8 else peak_flops_16bit
    return min(peak_flops, of_cache) if few_bit_units else peak_flops


@formula(
    unit="flop/second", source="gpt-oss: experts in 4 bits, the rest in 16", title="Peak used, experts aside"
)
def dense_peak_flops(peak_flops, peak_flops_16bit, weight_attention_bytes_per_element, few_bit_units):
    """Dense peak of one device with all weights but experts': in 16 bit where a format leaves those in 16 bit."""
    in_16_bit = few_bit_units == 1 and weight_attention_bytes_per_element >= EIGHT_BIT
    return min(peak_flops, peak_flops_16bit) if in_16_bit else peak_flops


@check(
    message="{gpu} has no units for weights in {weights}: it computes in 16 bit; software that also keeps them expanded needs "
    "the memory of weights=bf16",
    source="datasheets",
    warning=True,
    title="Device has units for the weights' format",
)
def format_is_native(
    has_fp8, has_int8, has_fp4, weight_computes_fp8, weight_computes_int8, weight_computes_fp4
):
    """1 when the device computes in the weights' own format."""
    lacking = (
        weight_computes_fp8 * (1 - has_fp8)
        + weight_computes_int8 * (1 - has_int8)
        + weight_computes_fp4 * (1 - has_fp4)
    )
    return lacking == 0


@formula(
    unit="1",
    source="kipply 2022: 312e12/1.5e12 = 208; Bojie Li 2023: 330 and 590",
    cell="gpu, [options]",
    title="Ridge batch",
)
def ridge_batch(compute_rate, weight_bandwidth, weight_bytes_per_element):
    """Tokens in a step at which computing takes as long as reading the weights: smaller is memory-bound."""
    per_second = compute_rate / FLOPS_PER_MAC
    return per_second * weight_bytes_per_element / weight_bandwidth


@formula(
    unit="flop/byte",
    source="kipply 2022: 312e12/300e9 = 1040 operations a communicated byte",
    cell="gpu, [options]",
    title="Operations a communicated byte",
)
def comm_ridge(compute_rate, link_bandwidth, link_efficiency):
    """Operations that a device does while its link moves one byte."""
    return compute_rate / (link_bandwidth * link_efficiency)


@formula(
    unit="second",
    source=_ROOFLINE,
    cell="model, gpu, gpus, context, [batch], [options]",
    checks=("parallel_degrees_match",),
    title="Computation of a stage",
)
def decode_compute_time(matrix_compute_time, attention_compute_time):
    """Seconds that one stage computes for one micro-batch of a decode step."""
    return matrix_compute_time + attention_compute_time


@formula(unit="flop", source=_FLOPS, title="Operations a token with experts")
def expert_flops_per_token(expert_parameters, experts_per_token, experts):
    """Operations of one token with the weights of routed experts; 0 in a dense model."""
    return FLOPS_PER_MAC * expert_parameters * experts_per_token / experts if experts > 0 else 0


@formula(unit="flop", source=_FLOPS, title="Operations a token, the busiest expert rank's share")
def busiest_flops(flops_per_token, expert_flops_per_token, busiest_rank):
    """Operations of one token, those with experts as often as the busiest expert rank has them."""
    return flops_per_token + (busiest_rank - 1) * expert_flops_per_token


@formula(unit="second", source=_ROOFLINE, title="Computing with weights")
def matrix_compute_time(
    micro_batch,
    stage_share,
    shard_share,
    busiest_flops,
    expert_flops_per_token,
    busiest_rank,
    compute_rate,
    dense_rate=at("compute_rate", peak_flops="dense_peak_flops"),
):
    """Seconds that one stage computes with its weights for one micro-batch of a decode step."""
    of_experts = expert_flops_per_token * busiest_rank
    effort = (busiest_flops - of_experts) / dense_rate + of_experts / compute_rate
    return micro_batch * stage_share * shard_share * effort


@formula(unit="second", source=_ROOFLINE, title="Computing with cached tokens")
def attention_compute_time(
    micro_batch,
    stage_share,
    shard_share,
    attention_flops_per_token,
    rate=at("compute_rate", peak_flops="attention_peak_flops"),
):
    """Seconds that one stage computes between tokens for one micro-batch of a decode step."""
    return micro_batch * stage_share * shard_share * attention_flops_per_token / rate


@formula(
    unit="second",
    source=_ROOFLINE + "; the MLP and projection of a 13B model are its examples",
    cell="m, k, n, gpu, [options]",
    title="Matrix product",
)
def matmul_time(m, k, n, compute_rate, weight_bandwidth, weight_bytes_per_element):
    """Seconds of one product of an m × k by a k × n matrix: the larger of computing it and moving it once."""
    compute = FLOPS_PER_MAC * m * k * n / compute_rate
    moved = (m * k + m * n) * BYTES_PER_16_BIT + k * n * weight_bytes_per_element
    return max(compute, moved / weight_bandwidth)
