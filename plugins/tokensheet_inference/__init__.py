"""Memory, compute, communication, latency and throughput of inference, as formulas."""

from __future__ import annotations

from collections.abc import Sequence

from tokensheet.declare import Declaration
from tokensheet.plugin import Formula, Profile, hookimpl
from tokensheet_inference import (
    activations,
    attention_kernels,
    bands,
    batching,
    block,
    capacity,
    communication,
    compute,
    declarations,
    demand,
    embedding,
    features,
    fewest,
    first_token,
    instances,
    inverse,
    latency,
    memory,
    no_cache,
    parallelism,
    pictures,
    profiles,
    queueing,
    rates,
    request,
    sampling,
    served,
    serving,
    serving_declarations,
    sharding,
    slots,
    step_curve,
    targets,
)

MODULES = (
    declarations,
    parallelism,
    memory,
    capacity,
    rates,
    compute,
    block,
    activations,
    attention_kernels,
    communication,
    sharding,
    latency,
    request,
    served,
    bands,
    no_cache,
    batching,
    inverse,
    fewest,
    instances,
    sampling,
    embedding,
    serving_declarations,
    demand,
    queueing,
    slots,
    step_curve,
    serving,
    first_token,
    targets,
    features,
    pictures,
)


@hookimpl
def tokensheet_formulas() -> Sequence[Formula | Declaration]:
    """All formulas of this package in the order in which a plan is read."""
    found: list[Formula | Declaration] = []
    for module in MODULES:
        found += getattr(module, "DECLARATIONS", ())
        found += [v for v in vars(module).values() if isinstance(v, Formula) and v.module == module.__name__]
    return found


@hookimpl
def tokensheet_profiles() -> Sequence[Profile]:
    """Assumption sets that belong to no article and no engine."""
    return profiles.profiles()
