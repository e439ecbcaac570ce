"""Walks a graph for one element: lazily, each failure kept as a value with its reason.

The compiled code is fast and tells nothing; this is what answers when it gives up, and what explains.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from copy import copy
from functools import partial

from tokensheet.constants import UNLIMITED
from tokensheet.errors import PlanError
from tokensheet.failure import Failure, Value
from tokensheet.graph import Graph, Inner, Leaf
from tokensheet.irregular import Missing
from tokensheet.tree_walk import calculate


class Interpreter:
    """Values of a graph's nodes under one set of given numbers.

    Args:
        graph: the nodes
        given: key of a leaf → number, Missing or Failure
        ids: role → id of the chosen record, for messages
        pinned: name of a formula → number that stands in for its result, in every expansion
        often: whether many walks over these formulas are to come, so that compiling them is worth it
    """

    def __init__(
        self,
        graph: Graph,
        given: Mapping[str, float | Missing | Failure],
        ids: Mapping[str, str],
        pinned: Mapping[str, float] | None = None,
        often: bool = False,
    ) -> None:
        self.graph, self.ids, self.pinned, self.often = graph, ids, pinned or {}, often
        self.values: dict[str, Value] = {}
        self.steps: dict[str, dict[str, Value]] = {}
        for leaf in graph.leaves:
            number = given.get(leaf.key, Missing(f"{leaf.key} is not given"))
            self.values[leaf.key] = (
                Failure(number.reason, number.kind) if isinstance(number, Missing) else number
            )

    def changed(self, numbers: Mapping[str, float]) -> Interpreter:
        """The same walk under other numbers for names; what they cannot move is not calculated again.

        Args:
            numbers: name of a leaf or formula → number, within the range of what is declared
        """
        nodes, moved = self.graph.nodes, self.graph.moved(numbers)
        other = copy(self)
        other.pinned = {**self.pinned, **numbers}
        other.steps = {
            key: steps
            for key, steps in self.steps.items()
            if key not in moved and not any(isinstance(step, Failure) for step in steps.values())
        }  # why there is no number may name what is moved
        other.values = {key: numbers[nodes[key].name] for key in moved if isinstance(nodes[key], Leaf)}
        for key, value in self.values.items():
            failed = isinstance(value, Failure) and not isinstance(nodes[key], Leaf)
            if key not in moved and not failed:
                other.values[key] = value
        return other

    def value(self, key: str) -> Value:
        """The number of a node, or why there is none."""
        found = self.values.get(key)
        if found is None:
            node = self.graph.nodes[key]
            assert isinstance(node, Inner)
            found = self.pinned[node.name] if node.name in self.pinned else self.calculated(key)
            self.values[key] = found
        return found

    def calculated(self, key: str) -> Value:
        """The number of a formula by its own calculation, pinned or not."""
        node = self.graph.nodes[key]
        assert isinstance(node, Inner)
        for checked in self.graph.conditions(node):
            flag = self.value(checked)
            if isinstance(flag, Failure):
                return flag
            if flag == 0:
                return Failure(self.message(checked), PlanError)
        return self._body(node)[0]

    def _body(self, node: Inner) -> tuple[Value, dict[str, Value]]:
        if self.often and (found := self._swiftly(node)) is not None:
            return found
        steps: dict[str, Value] = {}
        trees = {s.name: s.tree for s in node.formula.body.steps}

        def read(name: str) -> Value:
            if name in trees:
                if name not in steps:
                    steps[name] = calculate(trees[name], read, f"{node.key}.{name}")
                return steps[name]
            wire = node.wires[name]
            return self.value(wire) if isinstance(wire, str) else wire

        result = calculate(node.formula.body.result, read, node.key)
        self.steps[node.key] = {name: read(name) for name in trees}
        return result, self.steps[node.key]

    def _swiftly(self, node: Inner) -> tuple[Value, dict[str, Value]] | None:
        """Result and steps by compiled code; None where the walk over the tree must tell."""
        compiled, read = node.formula.swift, list[float | Callable[[], float]]()
        for name, surely in compiled.parameters:
            wire = node.wires[name]
            if not surely:
                read.append(partial(self._number, wire))  # an untaken branch must not be calculated
            elif isinstance(wire, str):
                value = self.value(wire)
                if isinstance(value, Failure):
                    return None
                read.append(value)
            else:
                read.append(wire)
        try:
            result, steps = compiled.run(*read)
        except (ArithmeticError, ValueError):
            return None
        found: dict[str, Value] = dict(zip(compiled.steps, steps, strict=True))
        self.steps[node.key] = found
        return result, found

    def _number(self, wire: str | float) -> float:
        """The number that a wire brings; for compiled code, which stops where there is none."""
        value = self.value(wire) if isinstance(wire, str) else wire
        if isinstance(value, Failure):
            raise ArithmeticError(value.reason)
        return value

    def all_steps(self, key: str) -> dict[str, Value]:
        """The steps of a node, each by itself, whether its result stands or not."""
        node = self.graph.nodes[key]
        if not isinstance(node, Inner):
            return {}
        if key not in self.steps:
            self._body(node)
        return self.steps[key]

    def message(self, key: str) -> str:
        """A check's message with its numbers filled in."""
        node = self.graph.nodes[key]
        if not isinstance(node, Inner):
            return f"{key} is given as 0"
        wires = self.graph.messages.get(key, {})

        def fill(match: re.Match[str]) -> str:
            name, form = match[1], match[2] or ""
            wire = wires[name]
            if isinstance(wire, str) and (wire in self.ids or ">" in wire or wire not in self.graph.nodes):
                return self.ids.get(wire, wire)
            value = self.value(wire) if isinstance(wire, str) else wire
            return "?" if isinstance(value, Failure) else shown(value, form)

        return re.sub(r"\{([a-z_0-9.]+)(?::([^}]*))?\}", fill, node.formula.message)

    def warnings(self) -> list[str]:
        """Messages of the warnings that apply to what was calculated."""
        found = []
        for node in self.graph.inner:
            for checked in node.checks:
                if self.graph.is_warning(checked) and self.value(checked) == 0:
                    found.append(self.message(checked))
        return list(dict.fromkeys(found))


SCALES = {"GiB": 2.0**30, "GB": 1e9, "GB/s": 1e9, "billion": 1e9, "ms": 1e-3, "%": 0.01}


def shown(value: float, form: str = "") -> str:
    """A number for people: `12.3 GiB`, `45 %`, `1,024`."""
    if value >= UNLIMITED:
        return "unlimited"
    if form in SCALES and abs(value / SCALES[form]) >= 1e7:
        return f"{value / SCALES[form]:.4g} {form}"
    if form in SCALES:
        return (
            f"{value / SCALES[form]:,.4g} {form}"
            if abs(value / SCALES[form]) < 1e4
            else f"{value / SCALES[form]:,.0f} {form}"
        )
    if value == math.floor(value) and abs(value) < 1e15:
        return f"{int(value):,}" if abs(value) >= 1e4 else str(int(value))
    return f"{value:.6g}"
