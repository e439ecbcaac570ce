"""Ways to serve as factors of their own: cached prefixes, prefill on other devices, weights offloaded, adapters."""

from __future__ import annotations

import math

from tokensheet.plugin import ROUNDING, at, formula

_PREFIX = "a cached prefix saves its prefill; decoding stays"
_DISAGGREGATED = (
    "Zhong et al. 2024, DistServe; Patel et al. 2024, Splitwise: prefill and decode on devices of their own"
)
_ADAPTERS = "Sheng et al. 2023, S-LoRA: adapters of a batch are read besides the weights"
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
    unit="second", source=_DISAGGREGATED, title="Prefill of a mean prompt on prefill devices, engine's time"
)
def remote_prefill_work(
    remote_prefill_time,
    at_once=at("curve_low", gpu="prefill_gpu", gpus="prefill_gpus"),
    of_all=at("prefill_work", gpu="prefill_gpu", gpus="prefill_gpus"),
    of_common=at("missed_prefill_work", gpu="prefill_gpu", gpus="prefill_gpus"),
):
    """Seconds that the prompt of a mean request takes from a prefill replica: cached and long ones counted by their shares.

    Stages and data-parallel groups work on others meanwhile.
    """
    return remote_prefill_time / at_once * of_all / of_common


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
def prefill_replica_capacity(remote_prefill_work):
    """Prompts a second of a prefill replica that is busy all the time."""
    return 1 / remote_prefill_work


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


@formula(
    unit="replica",
    source=_DISAGGREGATED,
    cell="model, prefill_gpu, prefill_gpus, prompt, request_rate, [options]",
    title="Prefill replicas needed",
)
def prefill_replicas_needed(request_rate, prefill_replica_capacity, target_utilization):
    """Fewest prefill replicas that compute all prompts at the target utilization; spares aside."""
    busy = request_rate / (prefill_replica_capacity * target_utilization)
    return max(1, math.ceil(busy * (1 - ROUNDING)))


@formula(
    unit="replica",
    source=_DISAGGREGATED,
    cell="model, gpu, gpus, prompt, output, request_rate, [options]",
    title="Decode replicas needed",
)
def decode_replicas_needed(request_rate, decode_replica_capacity, target_utilization):
    """Fewest decode replicas that generate all tokens at the target utilization; spares aside, latency: DISAGGREGATED_TPOT."""
    busy = request_rate / (decode_replica_capacity * target_utilization)
    return max(1, math.ceil(busy * (1 - ROUNDING)))


@formula(unit="1", source=_DISAGGREGATED, title="Variation of prefill on prefill devices")
def remote_prefill_cv(spread=at("prefill_cv", gpu="prefill_gpu", gpus="prefill_gpus")):
    """Standard deviation over mean of the prefill of a request on a prefill replica, lengths and kinds included."""
    return spread


@formula(
    unit="second",
    source=_DISAGGREGATED + "; M/G/c by Erlang C with Allen and Cunneen's factor",
    cell="model, prefill_gpu, prefill_gpus, gpu, gpus, prompt, request_rate, [percentile], [options]",
    title="TTFT under load, disaggregated",
)
def disaggregated_ttft(
    remote_prefill_work,
    percentile,
    at_once=at("curve_low", gpu="prefill_gpu", gpus="prefill_gpus"),
    factor=at("prefill_factor", gpu="prefill_gpu", gpus="prefill_gpus"),
    cache_way=at("cache_transfer_time", prompt="mean_prompt"),
    queued=at(
        "queue_time",
        servers="prefill_replicas_needed",
        arrival_rate="request_rate",
        service_time="remote_prefill_work",
        service_cv="remote_prefill_cv",
    ),
):
    """Seconds from a request to its first token: the queue for prefill replicas, its prefill, then the cache's way.

    At a percentile never below the prefill's own.
    """
    beside_others = (at_once - 1) * remote_prefill_work
    alone = at_once * remote_prefill_work * factor if percentile > 0 else 0
    return max(queued + beside_others, alone) + cache_way


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


# ---- adapters


@formula(unit="count", source=_ADAPTERS, title="Adapters that a step reads")
def adapters_touched(adapters, batch):
    """Expected number of different adapters that the sequences of a batch use, each as often as any other."""
    left_out = 1 - 1 / adapters if adapters > 0 else 1
    return adapters * (1 - left_out**batch) if adapters > 0 else 0


@formula(unit="second", source=_ADAPTERS, title="Reading the adapters")
def adapter_read_time(adapters_touched, adapters, adapter_bytes, weight_bandwidth):
    """Seconds to read the adapters that a step touches, whole on each rank, over all stages; their computing is left out."""
    of_one = adapter_bytes / adapters if adapters > 0 else 0
    return adapters_touched * of_one / weight_bandwidth


@formula(
    unit="second",
    source=_ADAPTERS,
    cell="model, gpu, gpus, context, adapters, [batch], [options]",
    title="Decode latency with adapters",
)
def adapter_decode_latency(decode_latency, adapter_read_time, time_scale):
    """Seconds of a decode step whose sequences use LoRA adapters: the step, and reading the adapters that it touches."""
    return decode_latency + adapter_read_time * time_scale
