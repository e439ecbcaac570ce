"""The text of a proposal: TOML with its parts in the order that a person reads them."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Mapping
from typing import Any

from tokensheet.declare import Input
from tokensheet.errors import ArgumentError
from tokensheet.registry import Registry

Given = Mapping[str, Any]


def proposal_text(
    registry: Registry,
    facts: Given,
    common: Given,
    candidates: Mapping[str, Given],
    reasons: Given | None = None,
) -> str:
    """A proposal as TOML.

    Args:
        registry: tells workload from assumptions
        facts: title, customer, results and so on, in the order in which they are written
        common: names and values of all candidates
        candidates: those of each, by its name
        reasons: why an assumption was chosen, by its name
    """
    rows = [f"{key} = {toml(value)}" for key, value in facts.items()]
    for title, wanted in (("workload", True), ("assumptions", False)):
        chosen = {k: v for k, v in common.items() if is_workload(registry, k) == wanted}
        if chosen:
            rows += ["", f"[{title}]", *(f"{named(k)} = {toml(v)}" for k, v in chosen.items())]
    if reasons:
        rows += ["", "[reasons]", *(f"{named(k)} = {toml(v)}" for k, v in reasons.items())]
    for name, given in candidates.items():
        rows += [
            "",
            "[[candidates]]",
            f"name = {toml(name)}",
            *(f"{named(k)} = {toml(v)}" for k, v in given.items()),
        ]
    return "\n".join(rows) + "\n"


def is_workload(registry: Registry, name: str) -> bool:
    """Whether a name says what is asked for, rather than what is assumed."""
    return (name in registry.roles and name != "profile") or isinstance(registry.nodes.get(name), Input)


def shared(candidates: Mapping[str, Given]) -> dict[str, Any]:
    """What all candidates have in common."""
    first, *others = candidates.values()
    return {k: v for k, v in first.items() if all(other.get(k) == v for other in others)}


def named(key: str) -> str:
    """A key as TOML writes it; names may come from cells of somebody else."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml(key)


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, float | int):
        if not math.isfinite(value):
            raise ArgumentError(f"{value} is no number for a proposal; give a finite one")
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))
    if isinstance(value, list):
        return "[" + ", ".join(toml(v) for v in value) + "]"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
