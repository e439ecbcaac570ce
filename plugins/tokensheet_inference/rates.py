"""Rates that a device reaches: reading weights, reading the cache, computing, and sending over its link.

A profile states a share of the datasheet at a reference device. With a falloff of 0 the share holds for every
device; with 1 every device reaches the same rate, whatever its datasheet says.
"""

from __future__ import annotations

import math

from tokensheet.plugin import (
    FLAG,
    POSITIVE,
    SHARE,
    SHARE_OR_NONE,
    UNLIMITED,
    Assumption,
    Constant,
    Declaration,
    Range,
    formula,
)
from tokensheet_inference.sources import PROFILE

_RATE = "share of the datasheet at a reference device, fitted by profiles"
_READ = "formats without units of their own are expanded while they are read; fitted by profiles"
_LINK = "nccl-tests: large all-reduces on nine systems"

REFERENCE_BANDWIDTH = Constant(
    "REFERENCE_BANDWIDTH", 2e12, "byte/second", "device at which shares of bandwidth are stated: an A100"
)
REFERENCE_PEAK = Constant(
    "REFERENCE_PEAK", 3e14, "flop/second", "device at which shares of peak are stated: an A100"
)
NODE_DEVICES = Constant("NODE_DEVICES", 8.0, "gpu", "devices of the nodes whose network profiles state")
LOW_BIT = Constant("LOW_BIT", 0.7, "byte/element", "below: 4-bit weights with their scales")
EIGHT_BIT = Constant("EIGHT_BIT", 1.5, "byte/element", "below: weights of 8 bits or fewer")

DECLARATIONS: tuple[Declaration, ...] = (
    Assumption("share_cap", "1", "share of the datasheet that no law of rates exceeds", PROFILE, 1, POSITIVE),
    Assumption(
        "bandwidth_falloff",
        "1",
        "how the share of bandwidth falls with a device's bandwidth: share × (reference/bandwidth)^this",
        PROFILE,
        0,
        SHARE_OR_NONE,
    ),
    Assumption(
        "compute_falloff",
        "1",
        "how the share of peak falls with a device's peak: share × (reference/peak)^this",
        PROFILE,
        0,
        SHARE_OR_NONE,
    ),
    Assumption(
        "expert_bandwidth_efficiency",
        "1",
        "share of the weights' bandwidth reached reading routed experts",
        PROFILE,
        1,
        Range(above=0, maximum=2),
    ),
    Assumption(
        "int4_read_efficiency",
        "1",
        "share of bandwidth left when 4-bit weights are expanded to 16 bit",
        PROFILE,
        1,
        SHARE,
    ),
    Assumption(
        "int8_read_efficiency",
        "1",
        "share of bandwidth left when 8-bit weights are read",
        PROFILE,
        1,
        SHARE,
    ),
    Assumption(
        "integer_compute",
        "flag",
        "1: matrices run at half the int8 peak where that is faster than the 16-bit peak",
        PROFILE,
        0,
        FLAG,
    ),
    Assumption(
        "node_link_bandwidth",
        "byte/second",
        "network bandwidth of a whole node in one direction, all its cards together; of a larger domain, that of each eight devices",
        PROFILE,
        UNLIMITED,
        POSITIVE,
    ),
    Assumption(
        "bus_link_efficiency",
        "1",
        "share of a link's efficiency left where two devices meet on the host's bus",
        PROFILE,
        1,
        SHARE,
    ),
    Assumption(
        "bus_falloff",
        "1",
        "how that share falls with the devices on the bus: × (2/devices)^this",
        PROFILE,
        0,
        Range(minimum=0, maximum=3),
    ),
)


@formula(unit="byte/second", source=_RATE, title="Bandwidth of one program's device")
def device_bandwidth(memory_bandwidth, dies, layer_split):
    """Datasheet bandwidth of what holds a layer: with a layer split that is one die of a card of several."""
    return memory_bandwidth / (dies if layer_split else 1)


@formula(unit="byte/second", source=_RATE, title="Rate of reading weights")
def weight_bandwidth(device_bandwidth, bandwidth_efficiency, bandwidth_falloff, share_cap):
    """Bytes a second at which a device reads weights and moves intermediate results."""
    share = bandwidth_efficiency * math.exp(
        bandwidth_falloff * math.log(REFERENCE_BANDWIDTH / device_bandwidth)
    )
    return device_bandwidth * min(share_cap, share)


@formula(unit="byte/second", source=_RATE, title="Rate of reading the cache")
def kv_bandwidth(device_bandwidth, kv_bandwidth_efficiency, bandwidth_falloff, share_cap):
    """Bytes a second at which a device reads the KV cache."""
    share = kv_bandwidth_efficiency * math.exp(
        bandwidth_falloff * math.log(REFERENCE_BANDWIDTH / device_bandwidth)
    )
    return device_bandwidth * min(share_cap, share)


@formula(unit="flop/second", source=_RATE, title="Rate of computing in decode steps")
def compute_rate(peak_flops, compute_efficiency, compute_falloff, share_cap):
    """Operations a second that a device reaches in decode steps."""
    share = compute_efficiency * math.exp(compute_falloff * math.log(REFERENCE_PEAK / peak_flops))
    return peak_flops * min(share_cap, share)


@formula(unit="flop/second", source=_RATE, title="Rate of computing in prefill")
def prefill_compute_rate(peak_flops, prefill_compute_efficiency, compute_falloff, share_cap):
    """Operations a second that a device reaches in prefill."""
    share = prefill_compute_efficiency * math.exp(compute_falloff * math.log(REFERENCE_PEAK / peak_flops))
    return peak_flops * min(share_cap, share)


@formula(unit="flag", source=_READ, title="Weights are expanded from 4 bit")
def weights_expanded(weight_bytes_per_element, weight_computes_fp4, has_fp4):
    """1 when weights have about 4 bits and the device has no units for them."""
    return 1 if weight_bytes_per_element < LOW_BIT and weight_computes_fp4 * has_fp4 == 0 else 0


@formula(unit="flag", source=_READ, title="Weights have 8 bits")
def weights_8_bit(weight_bytes_per_element):
    """1 when a weight has about 8 bits."""
    return 1 if weight_bytes_per_element >= LOW_BIT and weight_bytes_per_element < EIGHT_BIT else 0


@formula(unit="1", source=_READ, title="Share of bandwidth left by the weights' format")
def weight_read_efficiency(weights_expanded, weights_8_bit, int4_read_efficiency, int8_read_efficiency):
    """Share of the rate of reading that is left when weights are expanded or rescaled on the way."""
    return int4_read_efficiency if weights_expanded else (int8_read_efficiency if weights_8_bit else 1)


@formula(
    unit="byte/second", source="GB200 NVL72: a network card a device, 72 of them", title="Network of a domain"
)
def domain_network(node_link_bandwidth, devices_per_domain):
    """Bytes a second that leave the devices which one scale-up link joins: a node's network for each eight of them."""
    return node_link_bandwidth * max(1, devices_per_domain / NODE_DEVICES)


@formula(unit="byte/second", source=_LINK, title="Rate of the link between devices")
def link_rate(
    link_bandwidth,
    link_pair_share,
    link_efficiency,
    tp,
    devices_per_domain,
    domain_network,
    link_is_bus,
    bus_link_efficiency,
    bus_falloff,
):
    """Bytes a second that a device sends to others in one direction while all of them send.

    In a mesh without a switch a device has a link to each other: fewer devices use fewer of them.
    """
    used = link_bandwidth * min(1, max(1, tp - 1) * link_pair_share)
    joined = min(used, domain_network) if tp > devices_per_domain else used
    crowded = bus_link_efficiency * (2 / max(2, tp)) ** bus_falloff
    return joined * link_efficiency * (crowded if link_is_bus else 1)
