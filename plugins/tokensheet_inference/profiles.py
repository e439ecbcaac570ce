"""Assumption sets that belong to no article: the datasheet's ideal, and the default."""

from __future__ import annotations

from tokensheet.plugin import Profile

IDEAL: dict[str, float] = {
    "bandwidth_efficiency": 1,
    "kv_bandwidth_efficiency": 1,
    "compute_efficiency": 1,
    "prefill_compute_efficiency": 1,
    "link_efficiency": 1,
    "memory_reserve": 0,
    "activation_tokens": 0,
    "messages_per_layer": 2,
    "message_latency": 0,
    "message_mode": 2,
    "stage_message_latency": 0,
    "attention_flops_counted": 1,
    "uneven_sharding": 0,
}

DEFAULT: dict[str, float] = {
    "bandwidth_efficiency": 0.85,
    "kv_bandwidth_efficiency": 0.65,
    "compute_efficiency": 0.7,
    "prefill_compute_efficiency": 0.5,
    "link_efficiency": 0.75,
    "memory_reserve": 0.065,
    "activation_tokens": 8192,
    "messages_per_layer": 2,
    "message_mode": 2,
    "attention_flops_counted": 1,
    "uneven_sharding": 0,
    "layer_overhead": 30e-6,
    "moe_layer_overhead": 12e-6,
    "sequence_overhead": 16e-6,
    "prefill_overhead": 1e-3,
}


def profiles() -> list[Profile]:
    """The two sets."""
    return [
        Profile(
            id="ideal",
            name="Datasheet ideal",
            values=IDEAL,
            fitted_to="not fitted: datasheet figures without any loss",
            source="datasheets; a lower bound of every latency",
        ),
        Profile(
            id="default",
            name="Default",
            values=DEFAULT,
            fitted_to="middle of serving engines of 2025",
            source="public serving measurements of 2024 and 2025",
        ),
    ]
