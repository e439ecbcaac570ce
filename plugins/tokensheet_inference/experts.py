"""Experts over expert ranks: what one holds, reads and computes, and the messages between tokens and their experts.

`ep` expert ranks hold whole experts; the tp × dp / ep devices of one hold slices of them. With ep 1 every device holds
a slice of every expert.
"""

from __future__ import annotations

import math

from tokensheet.plugin import UNLIMITED, at, check, formula

_RANKS = "Lepikhin et al. 2020, GShard: experts over expert ranks; the fullest and busiest of them decides"
_ALL_TO_ALL = (
    "DeepSeek-AI 2024, DeepSeek-V3: tokens go to their experts' ranks and back, in each layer with experts"
)
_DISPATCH = (
    "DeepSeek-AI 2025, DeepEP: an all-to-all between nodes reaches what one device's network card does"
)
_GATHER = "data-parallel groups that share sliced experts bring all their tokens together and divide the sums"


@formula(unit="gpu", source=_RANKS, title="Devices that share a stage's experts")
def stage_devices(tp, dp):
    """Devices of one pipeline stage: the tensor-parallel ranks of all data-parallel groups."""
    return tp * dp


@check(
    message="ep {ep} does not divide the {stage_devices} devices of a stage (tp {tp} × dp {dp}); choose a divisor",
    source="each expert rank has as many devices",
    title="Expert ranks divide the devices",
)
def expert_ranks_divide(ep, stage_devices, tp, dp):
    """1 when the devices of a stage are a whole number of times the expert ranks."""
    return stage_devices / ep == math.floor(stage_devices / ep)


@check(
    message="ep {ep} does not divide the {experts} experts of {model}; choose a divisor, or set uneven_sharding to 1",
    source=_RANKS,
    title="Expert ranks divide the experts",
)
def experts_divide(experts, ep, uneven_sharding):
    """1 when each expert rank holds the same number of experts, or uneven ranks are allowed."""
    return uneven_sharding == 1 or experts / ep == math.floor(experts / ep)


@formula(unit="1", source=_RANKS, title="Experts of the fullest expert rank over an even share")
def fullest_rank(experts, ep):
    """Experts of the fullest expert rank over an even share; 1 when the ranks divide them."""
    return math.ceil(experts / ep) * ep / experts if experts > 0 else 1


@formula(unit="1", source=_RANKS, title="Tokens of an expert on the busiest expert rank over an even share")
def busiest_expert(expert_imbalance, ep):
    """Tokens that come to an expert of the busiest expert rank over an even share; 1 where each device has a slice of all."""
    return expert_imbalance if ep > 1 else 1


@formula(unit="1", source=_RANKS, title="Work of the busiest expert rank over an even share")
def busiest_rank(busiest_expert, fullest_rank):
    """Work of the busiest expert rank over an even share: unevenly chosen experts, and more of them."""
    return busiest_expert * fullest_rank


@formula(unit="1", source=_RANKS, title="Largest share of the routed experts")
def expert_shard_share(fullest_rank, stage_devices):
    """Share of a stage's routed experts that the fullest device holds, as whole experts or as slices."""
    return fullest_rank / stage_devices


@formula(
    unit="byte",
    source=_RANKS,
    cell="model, gpus, [options]",
    checks=("parallel_degrees_match", "expert_ranks_divide", "experts_divide"),
    title="Experts on the fullest device",
    example_with={"model": "mixtral-8x7b"},
)
def expert_bytes_per_device(expert_bytes, stage_share, expert_shard_share):
    """Bytes of routed experts on the fullest device; 0 in a dense model."""
    return expert_bytes * stage_share * expert_shard_share


# ---- messages


@formula(unit="token", source=_ALL_TO_ALL, title="Tokens of a device")
def device_tokens(micro_batch, tp):
    """Tokens of a step that one device sends to experts: its part of its data-parallel group's micro-batch."""
    return micro_batch / tp


@formula(unit="byte", source=_ALL_TO_ALL, title="A token's way to an expert and back")
def token_trip_bytes(d_model, dispatch_bytes_per_element, combine_bytes_per_element):
    """Bytes of a hidden state that goes to an expert and of the result that comes back."""
    return d_model * (dispatch_bytes_per_element + combine_bytes_per_element)


@formula(unit="1", source=_ALL_TO_ALL, title="Share of copies that leave the node")
def outside_share(stage_devices, devices_per_domain):
    """Share of the tokens for other devices that go beyond the devices which one scale-up link joins."""
    others = stage_devices - 1
    return (stage_devices - devices_per_domain) / others if stage_devices > devices_per_domain else 0


@formula(unit="byte/second", source=_DISPATCH, title="Rate of an all-to-all")
def all_to_all_rate(
    outside_share,
    devices_per_domain,
    domain_network,
    link_efficiency,
    inside=at("link_rate", tp="stage_devices", domain_network=UNLIMITED),
):
    """Bytes a second at which a device's tokens reach others: what leaves the domain takes its part of the domain's network."""
    outside = domain_network * link_efficiency / devices_per_domain
    return min(inside, outside / outside_share) if outside_share > 0 else inside


@formula(
    unit="second",
    source=_ALL_TO_ALL,
    cell="model, gpu, gpus, ep, [batch], [options]",
    title="All-to-all of experts",
    example_with={"model": "mixtral-8x7b"},
)
def all_to_all_time(
    ep,
    moe_layers,
    device_tokens,
    experts_per_token,
    busiest_rank,
    token_trip_bytes,
    message_latency,
    all_to_all_rate,
):
    """Seconds of a step that tokens travel to the expert ranks and back; the busiest counts, none on one."""
    copies = device_tokens * experts_per_token * busiest_rank * (ep - 1) / ep
    both_ways = 2 * message_latency + copies * token_trip_bytes / all_to_all_rate
    return moe_layers * both_ways if ep > 1 else 0


@formula(unit="second", source=_GATHER, title="Gathering tokens for sliced experts")
def expert_gather_time(
    dp,
    moe_layers,
    micro_batch,
    token_trip_bytes,
    message_latency,
    rate=at("link_rate", tp="stage_devices"),
):
    """Seconds of a step in which data-parallel groups bring their tokens to all slices of the experts; none with one group."""
    both_ways = 2 * message_latency + (dp - 1) * micro_batch * token_trip_bytes / rate
    return moe_layers * both_ways if dp > 1 else 0


@formula(unit="second", source=_RANKS, title="Messages of experts")
def expert_comm_time(ep, all_to_all_time, expert_gather_time):
    """Seconds of a step that tokens travel to experts and back: to other expert ranks, or to all slices."""
    return all_to_all_time if ep > 1 else expert_gather_time


@formula(unit="second", source="sum of its parts", title="Hops and messages of experts")
def exchange_time(pp_comm_time, expert_comm_time):
    """Seconds of a step that a micro-batch spends between stages, and between tokens and their experts."""
    return pp_comm_time + expert_comm_time


@formula(
    unit="second",
    source=_ALL_TO_ALL,
    cell="model, gpu, gpus, ep, context, [batch], [options]",
    title="Decode latency, experts spread",
)
def expert_parallel_latency(decode_latency):
    """Seconds of a decode step whose tokens travel to experts on other expert ranks: DECODE_LATENCY with `ep` given."""
    return decode_latency
