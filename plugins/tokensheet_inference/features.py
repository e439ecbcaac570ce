"""Ways to serve as factors of their own: cached prefixes, prefill on other devices, experts spread, weights offloaded."""

from __future__ import annotations

import math

from tokensheet.plugin import at, check, formula

_PREFIX = "a cached prefix saves its prefill; decoding stays"
_DISAGGREGATED = (
    "Zhong et al. 2024, DistServe; Patel et al. 2024, Splitwise: prefill and decode on devices of their own"
)
_ALL_TO_ALL = (
    "DeepSeek-AI 2024, DeepSeek-V3: tokens go to their experts' ranks and back, in each layer with experts"
)
_OFFLOAD = "Sheng et al. 2023, FlexGen: weights kept in the host's memory cross its link in each step"


# ---- cached prefixes


@formula(
    unit="1",
    source=_PREFIX,
    cell="model, gpu, gpus, prompt, output, shared_prefix, prefix_hit_share, [options]",
    title="Gain by cached prefixes",
)
def prefix_caching_gain(replica_capacity, without=at("replica_capacity", prefix_hit_share=0)):
    """Requests a second with the prefix cache over those without; 1 when nothing is found, or prompts cost nothing."""
    return replica_capacity / without


# ---- prefill on devices of its own


@formula(unit="second", source=_DISAGGREGATED, title="Prefill on prefill devices")
def remote_prefill_time(latency=at("prefill_latency", gpu="prefill_gpu", gpus="prefill_gpus", batch="dp")):
    """Seconds of one prompt's prefill on a prefill replica."""
    return latency


@formula(
    unit="second",
    source=_DISAGGREGATED,
    cell="model, gpu, gpus, prompt, [options]",
    title="Sending a prompt's cache",
)
def cache_transfer_time(
    transfer_link_latency,
    transfer_link_bandwidth,
    link_efficiency,
    tp,
    cache=at("kv_bytes_per_sequence", context="prefill_context"),
):
    """Seconds that the cache of one prompt takes from prefill to decode devices, each rank sending its part."""
    return transfer_link_latency + cache / (tp * transfer_link_bandwidth * link_efficiency)


@formula(
    unit="second",
    source=_DISAGGREGATED,
    cell="model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, [options]",
    title="TTFT without load, disaggregated",
)
def disaggregated_prefill_latency(remote_prefill_time, cache_transfer_time):
    """Seconds to the first token on the decode devices: prefill elsewhere, then the cache's way; no waits."""
    return remote_prefill_time + cache_transfer_time


@formula(
    unit="request/second",
    source=_DISAGGREGATED,
    cell="model, prefill_gpu, prefill_gpus, prompt, [options]",
    title="Capacity of a prefill replica",
)
def prefill_replica_capacity(remote_prefill_time):
    """Prompts a second of a prefill replica that is busy all the time."""
    return 1 / remote_prefill_time


@formula(
    unit="request/second",
    source=_DISAGGREGATED,
    cell="model, gpu, gpus, prompt, output, [options]",
    title="Capacity of a decode replica",
)
def decode_replica_capacity(
    alone=at("replica_capacity", prefill_work=0, token_slots="slots"),
):
    """Requests a second of a decode replica that is busy all the time and computes no prompts."""
    return alone


@formula(
    unit="1",
    source=_DISAGGREGATED,
    cell="model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, output, [options]",
    title="Prefill replicas for each decode replica",
)
def prefill_decode_ratio(prefill_replica_capacity, decode_replica_capacity):
    """Prefill replicas that keep one decode replica busy."""
    return decode_replica_capacity / prefill_replica_capacity


@formula(
    unit="second",
    source=_DISAGGREGATED,
    cell="model, gpu, gpus, prompt, output, request_rate, [percentile], [options]",
    title="TPOT without prompts beside it",
)
def disaggregated_tpot(
    alone=at("tpot", prefill_work=0, token_slots="slots"),
):
    """Seconds between tokens on decode replicas that compute no prompts."""
    return alone


# ---- experts spread over ranks


@formula(
    unit="second",
    source=_ALL_TO_ALL,
    cell="model, gpu, gpus, ep, [batch], [options]",
    title="All-to-all of experts",
)
def all_to_all_time(
    ep,
    gpus,
    moe_layers,
    batch,
    experts_per_token,
    d_model,
    dispatch_bytes_per_element,
    combine_bytes_per_element,
    expert_imbalance,
    message_latency,
    link_rate,
):
    """Seconds of a step that tokens travel to the experts' ranks and back; the busiest rank counts, none on one rank."""
    copies = batch / gpus * experts_per_token * expert_imbalance * (ep - 1) / ep
    moved = copies * d_model * (dispatch_bytes_per_element + combine_bytes_per_element)
    both_ways = 2 * message_latency + moved / link_rate
    return moe_layers * both_ways if ep > 1 else 0


@check(
    message="ep {ep} does not divide the {gpus} devices of a replica; choose a divisor",
    source="each rank holds as many experts",
    title="Expert ranks divide the devices",
)
def expert_ranks_divide(ep, gpus):
    """1 when the devices are a whole number of times the ranks."""
    return gpus / ep == math.floor(gpus / ep)


@formula(unit="second", source=_ALL_TO_ALL, title="Reading on the busiest rank")
def imbalanced_read_time(weight_read_time, expert_imbalance, dense=at("weight_read_time", expert_coverage=0)):
    """Seconds to read a stage's weights on the rank whose experts are touched most."""
    return dense + (weight_read_time - dense) * expert_imbalance


@formula(
    unit="second",
    source=_ALL_TO_ALL,
    cell="model, gpu, gpus, ep, context, [batch], [options]",
    checks=("expert_ranks_divide",),
    title="Decode latency, experts spread",
)
def expert_parallel_latency(
    all_to_all_time, latency=at("decode_latency", weight_read_time="imbalanced_read_time")
):
    """Seconds of a decode step whose tokens travel to experts on other ranks, the busiest of them counting."""
    return latency + all_to_all_time


# ---- weights in the host's memory


@formula(unit="byte", source=_OFFLOAD, title="Weights left on the device")
def resident_weight_bytes(weight_bytes_per_device, offload_share):
    """Bytes of weights that stay on the fullest device."""
    return weight_bytes_per_device * (1 - offload_share)


@formula(unit="second", source=_OFFLOAD, title="Reading the weights, some over the host's link")
def offloaded_read_time(
    weight_read_time, weight_read_bytes, offload_share, host_link_bandwidth, link_efficiency
):
    """Seconds to read a stage's weights in turn: the resident ones from memory, the others over the link."""
    over_link = weight_read_bytes * offload_share / (host_link_bandwidth * link_efficiency)
    return weight_read_time * (1 - offload_share) + over_link


@formula(
    unit="second",
    source=_OFFLOAD,
    cell="model, gpu, gpus, context, offload_share, host_link, [batch], [options]",
    title="Decode latency, weights offloaded",
)
def offloaded_decode_latency(
    latency=at(
        "decode_latency",
        weight_read_time="offloaded_read_time",
        weight_bytes_per_device="resident_weight_bytes",
    ),
):
    """Seconds of a decode step when a share of the weights stays in the host's memory; an error when the rest does not fit."""
    return latency
