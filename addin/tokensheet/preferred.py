"""The person's choice between plugins that bring a formula of one name: `prefer` in the settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tokensheet.declare import Alias, Owner
from tokensheet.formula import Formula

Brought = tuple[Any, Owner]
"""What a plugin brings, and whose it is."""


def replaces(item: Any) -> bool:
    """Whether what is brought stands in for a formula of another plugin."""
    return isinstance(item, Formula) and item.replaces is not None


def target(item: Any) -> str:
    """The name that it is about: its own, or that of the formula it stands in for."""
    return str(item.replaces) if replaces(item) else str(item.name)


def preferred(items: Iterable[Brought], prefer: Mapping[str, str]) -> tuple[list[Brought], dict[str, str]]:
    """All items but those that the choice rules out.

    The chosen plugin may own the formula, and then nobody replaces it; or it may replace it, and then no
    other plugin does.

    Args:
        items: formulas and declarations with their owners
        prefer: name → plugin

    Returns:
        the items, and for each name whose chosen plugin does not offer it, why it is broken: another
        plugin's formula must not take its place unseen.
    """
    everything = list(items)
    named = [(item, owner) for item, owner in everything if not isinstance(item, Alias)]
    broken: dict[str, str] = {}
    left_out: set[int] = set()
    for name, plugin in prefer.items():
        about = [(item, owner) for item, owner in named if target(item) == name]
        mine = [item for item, owner in about if owner.plugin == plugin]
        if about and not mine:
            others = " and ".join(dict.fromkeys(str(owner) for _, owner in about))
            broken[name] = (
                f"{name} is to be that of {plugin}, which does not offer it; the settings prefer it to {others}"
            )
        by_replacement = any(map(replaces, mine))
        for item, owner in about:
            if owner.plugin != plugin and (replaces(item) or not by_replacement):
                left_out.add(id(item))
    return [(item, owner) for item, owner in everything if id(item) not in left_out], broken
