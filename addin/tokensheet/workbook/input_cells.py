"""The cells that a reader may change: which there are, what each starts with, and which numbers it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokensheet.declare import Assumption, Input
from tokensheet.definition import called
from tokensheet.graph import bounds
from tokensheet.proposal import LARGEST
from tokensheet.texts import Phrase
from tokensheet.workbook.layout import InputCell

if TYPE_CHECKING:
    from tokensheet.workbook.plan import Plan


def input_cells(plan: Plan) -> tuple[list[InputCell], list[InputCell]]:
    """Cells of Inputs, which count for all candidates, and of Options, with one cell a candidate."""
    inputs: list[InputCell] = []
    options: list[InputCell] = []
    for name in _choices(plan):
        role = plan.registry.roles.get(name)
        definition = plan.registry.nodes.get(name)
        default = role.default if role else definition.default if isinstance(definition, Input) else None
        per_plan = name in plan.registry.per_plan
        stated = any(name in s for s in plan.single)
        if not per_plan:
            start = plan.common.get(name)
            inputs.append(cell_of(plan, name, [default if start is None and not stated else start]))
        if per_plan or stated:
            shared = {name: plan.common.get(name, default)} if per_plan else {}
            options.append(cell_of(plan, name, [{**shared, **s}.get(name) for s in plan.single]))
    return inputs, options


def _choices(plan: Plan) -> list[str]:
    """Roles, inputs, assumptions and stated results, in the order in which a reader expects them."""
    roles = [r for r in plan.registry.roles if r in plan.roles.values() or r == "profile"]
    leaves = {leaf.name for leaf in plan.graph.leaves if isinstance(leaf.definition, Input | Assumption)}
    inputs, assumed = (
        [
            n
            for n, d in plan.registry.nodes.items()
            if n in leaves | plan.registry.limits.keys() and isinstance(d, kind)
        ]
        for kind in (Input, Assumption)
    )
    return [*roles, *inputs, *assumed, *sorted(plan.pinnable)]


def cell_of(plan: Plan, name: str, values: list[Any]) -> InputCell:
    """The cells of a role, an input, an assumption or a stated result, with what stands in them."""
    role = plan.registry.roles.get(name)
    note = plan.proposal.reasons.get(name, "")
    if role is not None:
        return InputCell(name, Phrase(role.text), "", values, role.kind, note=note)
    definition = plan.registry.nodes[name]
    may, label = bounds(definition), Phrase(called(definition))
    word = LARGEST if name in plan.registry.limits else ""
    return InputCell(name, label, definition.unit, values, "", may.limits, may.whole, note, word)
