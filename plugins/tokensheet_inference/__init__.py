"""Memory, compute, communication, latency and throughput of inference, as formulas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokensheet.plugin import Declaration, Formula, Profile, formulas_of, hookimpl
from tokensheet_inference import (
    activations,
    attention_kernels,
    band_declarations,
    bands,
    batching,
    block,
    cache_reading,
    capacity,
    communication,
    compute,
    coresident,
    coresident_latency,
    day,
    declarations,
    demand,
    embedding,
    experts,
    features,
    fewest,
    first_token,
    instances,
    inverse,
    latency,
    lengths,
    memory,
    no_cache,
    objectives,
    other_models,
    parallelism,
    percentiles,
    pictures,
    prefill,
    profiles,
    queueing,
    rates,
    request,
    room,
    sampling,
    served,
    serving,
    serving_declarations,
    sharding,
    slots,
    step_curve,
    target_checks,
    targets,
    turns,
)

MODULES = (
    declarations,
    parallelism,
    memory,
    room,
    capacity,
    rates,
    compute,
    block,
    activations,
    attention_kernels,
    communication,
    sharding,
    experts,
    cache_reading,
    latency,
    turns,
    prefill,
    request,
    served,
    band_declarations,
    bands,
    no_cache,
    batching,
    inverse,
    fewest,
    instances,
    sampling,
    embedding,
    serving_declarations,
    day,
    demand,
    lengths,
    queueing,
    slots,
    step_curve,
    serving,
    first_token,
    percentiles,
    targets,
    target_checks,
    features,
    other_models,
    coresident,
    coresident_latency,
    pictures,
    objectives,
)


@hookimpl
def tokensheet_formulas() -> Sequence[Formula | Declaration]:
    """All formulas of this package in the order in which a plan is read."""
    found: list[Formula | Declaration] = []
    for module in MODULES:
        found += getattr(module, "DECLARATIONS", ())
        found += formulas_of(module)
    return found


@hookimpl
def tokensheet_profiles() -> Sequence[Profile]:
    """Assumption sets: the ideal, the default, NCCL by itself, and one for each serving engine and release period."""
    return profiles.profiles()


@hookimpl
def tokensheet_texts() -> Sequence[Path]:
    """Chinese labels of the formulas and what they read."""
    return [Path(__file__).parent / "translations" / "zh.toml"]
