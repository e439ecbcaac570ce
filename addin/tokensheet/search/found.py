"""What a search is asked and what it finds, as values; and how far a target is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tokensheet.definition import called
from tokensheet.goals import Basis, Goal, Shown, Target
from tokensheet.planning import Planner
from tokensheet.schema.base import Record
from tokensheet.search.space import Space
from tokensheet.search_kits import SearchKit

TOLERANCE = 1e-9
"""Relative slack for results that are exactly as good as they must be, or as what bounds them."""
SYMBOLS = {"second": "s", "1": "", "flag": "", "share": "", "usd/million": "usd/M"}
"""Units that people write shorter."""


@dataclass(frozen=True)
class LeftOut:
    """Records that no candidate has: nobody named them, and something keeps them out."""

    axis: str
    reason: str
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """A search with everything that one call says.

    Args:
        kit: the search
        goal: what is wanted
        given: what all candidates share: ids and numbers, those of targets included
        space: the candidates
        limits: target → number that must be held
        lookups: input → the role that decides, and its number for each record
        left_out: records that are not tried
        count: how many plans are told
        bases: how candidates are priced
        records: input of `lookups` → id of the record that decides → the records behind its number
    """

    kit: SearchKit
    goal: Goal
    given: Mapping[str, Any]
    space: Space
    limits: Mapping[str, float]
    lookups: Mapping[str, tuple[str, Mapping[str, float]]]
    left_out: tuple[LeftOut, ...] = ()
    count: int = 10
    bases: tuple[Basis, ...] = ()
    records: Mapping[str, Mapping[str, tuple[Record, ...]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """A candidate, its results by node (None where there is none), and which target binds, used how far."""

    given: Mapping[str, Any]
    values: Mapping[str, float | None]
    binds: str = ""
    used: float = 0.0


@dataclass(frozen=True)
class Rejected:
    """Why candidates are out: how many, and one of them in full."""

    reason: str
    count: int
    example: str


@dataclass(frozen=True)
class Miss:
    """The plan that misses its targets by the least, and the one that it misses by the most.

    `node` is the result that was compared: at the peak, or the best that any load gives.
    """

    given: Mapping[str, Any]
    target: str
    node: str
    value: float
    limit: float


@dataclass(frozen=True)
class Found:
    """The best first, the plans that nothing beats in two results, why others are out, and what was tried.

    `holding` counts plans that hold all targets among those calculated; `spared` is how many needed no calculation,
    as their bound is worse than the best.
    """

    asked: Asked
    best: tuple[Plan, ...]
    front: tuple[Plan, ...]
    rejected: tuple[Rejected, ...]
    candidates: int
    holding: int
    spared: int
    nearest: Miss | None


def results_of(found: Found) -> list[str]:
    """Nodes that are told of each plan: what the search shows, and what decides."""
    asked = found.asked
    return list(dict.fromkeys((*asked.kit.of(Shown), asked.goal.node)))


def missed(target: Target, value: Any, limit: float) -> Any:
    """Whether values miss a target by more than rounding."""
    return value < limit * (1 - TOLERANCE) if target.least else value > limit * (1 + TOLERANCE)


def used(target: Target, value: Any, limit: float) -> Any:
    """How far values use a target; above 1 they miss it."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(limit, value) if target.least else np.divide(value, limit)


def titled(planner: Planner, node: str) -> str:
    """What a node is called in words."""
    return called(planner.registry.definition(node))


def measured(planner: Planner, node: str, value: float) -> str:
    """A number with the node's unit."""
    unit = planner.registry.definition(node).unit
    return f"{value:.4g} {SYMBOLS.get(unit, unit)}".strip()


def named(given: Mapping[str, Any]) -> str:
    """A candidate in words: `gpu h100-sxm-80gb, gpus 8, …`."""
    shown = {k: v if isinstance(v, str) else f"{v:g}" for k, v in given.items() if v is not None}
    return ", ".join(f"{k} {v}" for k, v in shown.items())


def miss_line(planner: Planner, asked: Asked, miss: Miss | None) -> str:
    """One line: which target the nearest plan misses, and by how much."""
    if miss is None:
        return "no plan has a result"
    target = asked.kit.of(Target)[miss.target]
    value, limit = (measured(planner, miss.node, v) for v in (miss.value, miss.limit))
    if not missed(target, miss.value, miss.limit):
        return f"no plan holds {miss.target} but with hardly any load; nearest is {named(miss.given)}"
    side = "below" if target.least else "above"
    return (
        f"no plan holds the targets; nearest is {named(miss.given)}: {titled(planner, miss.node)} is {value}, "
        f"{abs(miss.value / miss.limit - 1):.1%} {side} {miss.target} of {limit}"
    )
