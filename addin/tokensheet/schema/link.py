"""A way between devices: bandwidth of one direction, latency of one small message, reach."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from tokensheet.schema.base import Quantity, quantity
from tokensheet.schema.guards import GuardedRecord, amount

Scope = Literal["device", "node", "network"]

_HIGHEST_NETWORK_BANDWIDTH = 200e9
_RATE_IN_NAME = re.compile(r"(\d+)\s?(?:GbE|Gb/s|Gbit|Gbps)", re.IGNORECASE)


class Link(GuardedRecord):
    """One link as one device sees it; a network card that devices share counts with its share."""

    kind: ClassVar[str] = "link"
    plain_numbers: ClassVar[Mapping[str, str]] = {"line_rate_gbit": "Gb/s", "shared_by_gpus": "gpu"}

    link_kind: str
    """scale-up, switch, host bus, chip-to-chip, scale-out or network."""
    scope: Scope
    """How far it reaches: `device` (a pair on a bridge or a module), `node` (all devices of a node or of
    one scale-up domain), `network` (between nodes)."""

    bandwidth: Annotated[float, Quantity("byte/second", "bandwidth of one direction, one device")]
    latency: Annotated[float | None, Quantity("second", "time of one small message, software included")] = (
        None
    )
    hardware_latency: Annotated[
        float | None, Quantity("second", "time of one small message, hardware alone")
    ] = None
    peer_bandwidth: Annotated[
        float | None, Quantity("byte/second", "one direction to one peer, where devices are meshed")
    ] = None
    measured_bandwidth: Annotated[
        float | None, Quantity("byte/second", "measured, one direction, large messages")
    ] = None
    headline_bidirectional: Annotated[
        float | None, Quantity("byte/second", "the vendor's headline, both directions together")
    ] = None
    node_bandwidth: Annotated[
        float | None, Quantity("byte/second", "one direction of a whole node, shared by its devices")
    ] = None

    shared_by_gpus: int | None = None
    """Devices of a node that share `node_bandwidth`; `bandwidth` is the share of one."""
    line_rate_gbit: float | None = None
    """Line rate of one port and direction in Gb/s."""
    lanes: str = ""
    """Lanes or links, in words."""

    @quantity(
        "share", "share of the bandwidth that reaches one other device: 1, but where devices are meshed"
    )
    def pair_share(self) -> float:
        """Share of the bandwidth that reaches one other device: all of it through a switch, one link's in a mesh."""
        return 1.0 if self.peer_bandwidth is None else min(1.0, self.peer_bandwidth / self.bandwidth)

    @quantity("flag", "1 where a latency is stated")
    def has_latency(self) -> float:
        """1 where a latency is stated."""
        return float(self.latency is not None)

    @quantity("flag", "1 where devices meet on the host's bus, without a switch of their own")
    def is_bus(self) -> float:
        """1 where devices meet on the host's bus, without a switch of their own."""
        return float(self.link_kind == "host bus")

    @classmethod
    def impossible(cls, given: Mapping[str, Any], numbers: Mapping[str, float]) -> list[str]:
        """Bits for bytes, both directions for one, a node for a device."""
        bandwidth = numbers.get("bandwidth")
        if bandwidth is None:
            return []
        shown = f"bandwidth is {amount(bandwidth, 'byte/second')}"
        problems = []
        if bandwidth < 1e6:
            problems.append(f"{shown}, below 1e6; GB/s taken for byte/s: did you mean {bandwidth:g}e9?")
        headline = numbers.get("headline_bidirectional")
        if headline and 0.9 * headline <= bandwidth <= 1.1 * headline:
            problems.append(
                f"{shown}, the same as headline_bidirectional; both directions taken for one: "
                f"did you mean {headline / 2:g}?"
            )
        elif headline and bandwidth > headline:
            problems.append(
                f"{shown}, above headline_bidirectional {amount(headline, 'byte/second')}; are they swapped?"
            )
        problems += _network_problems(given, numbers, bandwidth, shown)
        for name in ("latency", "hardware_latency"):
            value = numbers.get(name)
            if value is not None and value > 0.1:
                problems.append(
                    f"{name} is {amount(value, 'second')}, above 0.1; microseconds taken for seconds: "
                    f"did you mean {value:g}e-6?"
                )
        return problems


def _network_problems(
    given: Mapping[str, Any], numbers: Mapping[str, float], bandwidth: float, shown: str
) -> list[str]:
    problems = []
    rate = numbers.get("line_rate_gbit") or _rate_in_name(given)
    if rate and bandwidth > 1.05 * rate * 1e9 / 8:
        problems.append(
            f"{shown}, but {rate:g} Gb/s are {rate / 8:g}e9 byte/second; "
            "Gb/s taken for GB/s, or both directions?"
        )
    elif given.get("scope") == "network" and bandwidth > _HIGHEST_NETWORK_BANDWIDTH:
        problems.append(
            f"{shown}, above 200e9 for a network port; Gb/s taken for GB/s, or a whole node taken for one "
            "device (then use node_bandwidth and shared_by_gpus)?"
        )
    node, sharing = numbers.get("node_bandwidth"), numbers.get("shared_by_gpus")
    if node and sharing and not 0.95 <= bandwidth * sharing / node <= 1.05:
        problems.append(
            f"{shown}, but node_bandwidth {amount(node, 'byte/second')} shared by {sharing:g} devices is "
            f"{node / sharing:g}; a whole node taken for one device?"
        )
    return problems


def _rate_in_name(given: Mapping[str, Any]) -> float | None:
    if given.get("scope") != "network":
        return None
    found = _RATE_IN_NAME.search(f"{given.get('name', '')} {given.get('id', '')}")
    return float(found[1]) if found else None
