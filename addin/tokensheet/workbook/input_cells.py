"""The cells that a reader may change: which there are, what each starts with, and which numbers it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokensheet.declare import Assumption, Input
from tokensheet.definition import called
from tokensheet.graph import Graph, bounds
from tokensheet.proposal import LARGEST
from tokensheet.registry import Registry
from tokensheet.texts import Phrase
from tokensheet.workbook.layout import InputCell
from tokensheet.workbook.said import Said


def input_cells(
    registry: Registry,
    graph: Graph,
    roles: Mapping[str, str],
    pinnable: set[str],
    said: Said,
    reasons: Mapping[str, str],
) -> tuple[list[InputCell], list[InputCell]]:
    """Cells of Inputs, which count for all candidates, and of Options, with one cell a candidate."""
    inputs: list[InputCell] = []
    options: list[InputCell] = []
    for name in _choices(registry, graph, roles, pinnable):
        role, definition = registry.roles.get(name), registry.nodes.get(name)
        default = role.default if role else definition.default if isinstance(definition, Input) else None
        per_plan = name in registry.per_plan
        stated = any(name in each for each in said.single)
        note = reasons.get(name, "")
        if not per_plan:
            start = said.common.get(name)
            values = [default if start is None and not stated else start]
            inputs.append(cell_of(registry, name, values, note))
        if per_plan or stated:
            shared = {name: said.common.get(name, default)} if per_plan else {}
            values = [{**shared, **each}.get(name) for each in said.single]
            options.append(cell_of(registry, name, values, note))
    return inputs, options


def _choices(registry: Registry, graph: Graph, roles: Mapping[str, str], pinnable: set[str]) -> list[str]:
    """Roles, inputs, assumptions and stated results, in the order in which a reader expects them."""
    chosen = [r for r in registry.roles if r in roles.values() or r == "profile"]
    leaves = {leaf.name for leaf in graph.leaves if isinstance(leaf.definition, Input | Assumption)}
    known = leaves | registry.limits.keys()
    inputs, assumed = (
        [n for n, d in registry.nodes.items() if n in known and isinstance(d, kind)]
        for kind in (Input, Assumption)
    )
    return [*chosen, *inputs, *assumed, *sorted(pinnable)]


def cell_of(registry: Registry, name: str, values: Sequence[Any], note: str = "") -> InputCell:
    """The cells of a role, an input, an assumption or a stated result, with what stands in them."""
    role = registry.roles.get(name)
    if role is not None:
        return InputCell(name, Phrase(role.text), "", values, role.kind, note=note)
    definition = registry.nodes[name]
    may, label = bounds(definition), Phrase(called(definition))
    word = LARGEST if name in registry.limits else ""
    return InputCell(name, label, definition.unit, values, "", may.ends, may.whole, note, word)
