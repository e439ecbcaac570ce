"""Which inputs matter to a candidate: those whose change moves its results most, by the engine's own answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tokensheet.declare import Assumption, Input
from tokensheet.definition import Field
from tokensheet.failure import Failure
from tokensheet.graph import bounds
from tokensheet.workbook.contents import Contents

STEP = 0.2
"""Share by which the one-way table changes an input, as exported."""
COUNTS = {"1", "flag", "count", "gpu", "replica", "layer"}
"""Units of facts and stated results that are counted or follow from the architecture, and so are not varied."""
ARCHITECTURE = {"model", "format", "profile"}
"""Kinds of records whose facts are not uncertain."""


@dataclass(frozen=True)
class Influence:
    """An input, its number in use, what is allowed, and how much a step moves the results."""

    name: str
    value: float
    least: float | None
    most: float | None
    score: float

    def changed(self, direction: float) -> float:
        """The number one step away, calculated in the order of the workbook's formula."""
        moved = self.value * (1 + direction * STEP)
        least = moved if self.least is None else max(self.least, moved)
        return least if self.most is None else min(self.most, least)


def influences(
    contents: Contents, index: int, results: Sequence[str], count: int, ahead: Sequence[str] = ()
) -> list[Influence]:
    """The inputs, assumptions, device facts and stated results that move a candidate's results most.

    `ahead` are names that come first, in this order, if they move anything.
    """
    walk = contents.walks[index]
    before = {name: walk.value(name) for name in results}
    keys = set[str]().union(*map(contents.graph.needed, results))
    needed = {contents.graph.nodes[key].name for key in keys}
    found = []
    for each in _candidates(contents, index):
        if each.name not in needed:
            continue
        changed = (walk.changed({each.name: each.changed(direction)}) for direction in (-1, 1))
        lower, higher = ([other.value(name) for name in results] for other in changed)
        moves = [
            abs(high - low) / abs(start)
            for low, high, start in zip(lower, higher, before.values(), strict=True)
            if not isinstance(low, Failure)
            and not isinstance(high, Failure)
            and not isinstance(start, Failure)
            and start
        ]
        score = max(moves, default=0.0)
        if score > 0:
            found.append(Influence(each.name, each.value, each.least, each.most, score))
    rank = {name: place - len(ahead) for place, name in enumerate(ahead)}
    return sorted(found, key=lambda i: (rank.get(i.name, 0), -round(i.score, 9), i.name))[:count]


def _candidates(contents: Contents, index: int) -> list[Influence]:
    """Everything that may be changed: positive numbers that are not counts."""
    found: dict[str, Influence] = {}
    walk = contents.walks[index]
    for leaf in contents.graph.leaves:
        definition = leaf.definition
        if isinstance(definition, Field):
            kind = contents.registry.roles[definition.role].kind
            if kind in ARCHITECTURE or definition.unit in COUNTS or leaf.key != leaf.name:
                continue
            least, most = bounds(definition).minimum, None
        elif (
            isinstance(definition, Input | Assumption)
            and not definition.range.whole
            and leaf.name not in contents.registry.limits
        ):
            least, most = definition.range.minimum, definition.range.maximum
        else:
            continue
        _add(found, leaf.name, walk.values[leaf.key], least, most)
    for name in sorted(contents.pinnable):
        node = contents.graph.nodes.get(name)
        if name in walk.pinned and node is not None and contents.registry.nodes[name].unit not in COUNTS:
            _add(found, name, walk.pinned[name], bounds(contents.registry.nodes[name]).minimum, None)
    return list(found.values())


def _add(
    found: dict[str, Influence], name: str, value: object, least: float | None, most: float | None
) -> None:
    if isinstance(value, float | int) and 0 < value < 1e100 and math.isfinite(value):
        found[name] = Influence(name, float(value), least, most, 0)
