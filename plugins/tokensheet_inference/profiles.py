"""Assumption sets that belong to no article: the datasheet's ideal, the default, and those of serving engines."""

from __future__ import annotations

from tokensheet.plugin import Profile
from tokensheet_inference import engine_profiles

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

def profiles() -> list[Profile]:
    """The ideal, the default, and one profile for each serving engine and release period."""
    return [
        Profile(
            id="ideal",
            name="Datasheet ideal",
            values=IDEAL,
            fitted_to="not fitted: datasheet figures without any loss",
            source="datasheets; a lower bound of every latency",
        ),
        engine_profiles.profile(engine_profiles.DEFAULT_STACK),
        *engine_profiles.profiles(),
    ]
