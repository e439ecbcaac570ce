"""Assumption sets: the datasheet's ideal, the default, NCCL by itself, and serving engines; those of articles are elsewhere."""

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
NCCL: dict[str, float] = {
    "message_mode": 2,
    "messages_per_layer": 2,
    "message_latency_least": 8.93e-6,
    "latency_growth": 0.572,
    "ring_latency": 3.15e-6,
    "link_efficiency": 0.75,
    "one_shot_efficiency": 0.22,
    **engine_profiles.BUS,
    "uneven_sharding": 1,
}
"""Only what a message needs. Engines with graphs and kernels of their own send small messages in half the time."""


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
        Profile(
            id="nccl",
            name="NCCL by itself",
            values=NCCL,
            fitted_to="all-reduces of 512 bytes, 1 MiB and 512 MiB on 2, 4 and 8 devices of nine NVIDIA systems",
            source="nccl-tests in NVIDIA aiconfigurator-core 0.12.0, NCCL 2.23 to 2.29",
        ),
        *engine_profiles.profiles(),
    ]
