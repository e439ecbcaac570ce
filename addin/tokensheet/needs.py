"""What must be given before a result has an answer: records to choose and inputs without a default."""

from __future__ import annotations

from collections.abc import Iterable

from tokensheet.declare import Input
from tokensheet.expanding import expand
from tokensheet.registry import Registry


def needs(registry: Registry, results: Iterable[str]) -> frozenset[str]:
    """Roles and inputs that the results cannot do without; what only one branch of a choice reads counts too."""
    found: set[str] = set()
    for leaf in expand(registry, results, linked=registry.limits).leaves:
        role = leaf.role.partition(">")[0]
        if role and registry.roles[role].default is None:
            found.add(role)
        if isinstance(leaf.definition, Input) and leaf.definition.default is None:
            found.add(leaf.name)
    return frozenset(found)
