"""Walks a graph for many elements at once, each value with a mask of the elements that have none.

The straight array code gives up when anything irregular occurs. This walk follows the same rules as
the one for a single element (`interpret.py`): lazy conditionals, a failure stays in its element.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tokensheet import tree
from tokensheet.errors import (
    ArgumentError,
    CalculationError,
    DivisionError,
    MissingFactError,
    PlanError,
    TokensheetError,
)
from tokensheet.graph import Graph, Inner
from tokensheet.irregular import Missing
from tokensheet.tree import Node

Masked = tuple[Any, Any]
"""Values, and for each element 0 or its kind of failure (a place in `KINDS`): arrays, or single numbers."""

KINDS: tuple[type[TokensheetError] | None, ...] = (
    None,
    MissingFactError,
    ArgumentError,
    PlanError,
    CalculationError,
    DivisionError,
)
MISSING, ARGUMENT, PLAN, CALCULATION, DIVISION = range(1, 6)


def first(one: Any, other: Any) -> Any:
    """The failure met first; the other where there is none."""
    if one.__class__ is int:
        return one or other
    return np.where(one != 0, one, other)


def marked(test: Any, kind: int) -> Any:
    """The kind of failure where a test holds, else 0."""
    if isinstance(test, (bool, np.bool_)):
        return kind if test else 0
    return np.where(test, np.int8(kind), np.int8(0))


_CALLS: dict[str, Callable[..., Any]] = {
    "max": np.maximum,
    "min": np.minimum,
    "abs": np.absolute,
    "ceil": np.ceil,
    "floor": np.floor,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
}


def evaluate(graph: Graph, given: Mapping[str, Any], size: int) -> list[Masked]:
    """Values of all outputs, nan where an element failed, and the kind of each failure.

    Args:
        graph: the nodes
        given: key of a leaf → float, array of `size`, or Missing
        size: number of elements
    """
    walk = _Walk(graph, given)
    found = []
    with np.errstate(all="ignore"):
        for output in graph.outputs:
            values, bad = walk.value(output)
            kinds = np.broadcast_to(np.asarray(bad, dtype=np.int8), (size,))
            found.append((np.where(kinds != 0, np.nan, np.broadcast_to(values, (size,))), kinds))
    return found


class _Walk:
    def __init__(self, graph: Graph, given: Mapping[str, Any]) -> None:
        self.graph = graph
        self.values: dict[str, Masked] = {}
        for leaf in graph.leaves:
            number = given.get(leaf.key)
            if number is None or isinstance(number, Missing):
                argument = number is None or number.kind is ArgumentError
                self.values[leaf.key] = 1.0, ARGUMENT if argument else MISSING
            else:
                self.values[leaf.key] = number, 0

    def value(self, key: str) -> Masked:
        found = self.values.get(key)
        if found is None:
            node = self.graph.nodes[key]
            assert isinstance(node, Inner)
            found = self.values[key] = self.inner(node)
        return found

    def inner(self, node: Inner) -> Masked:
        bad: Any = 0
        for checked in self.graph.conditions(node):
            flag, lost = self.value(checked)
            bad = first(bad, first(lost, marked(np.equal(flag, 0), PLAN)))
        if np.all(bad):
            return 1.0, bad
        trees = {s.name: s.tree for s in node.formula.body.steps}
        steps: dict[str, Masked] = {}

        def read(name: str) -> Masked:
            if name in trees:
                if name not in steps:
                    steps[name] = calculate(trees[name], read)
                return steps[name]
            wire = node.wires[name]
            return self.value(wire) if isinstance(wire, str) else (float(wire), 0)

        values, lost = calculate(node.formula.body.result, read)
        return values, first(bad, lost)


def calculate(node: Node, read: Callable[[str], Masked]) -> Masked:
    """A tree's values and mask; `read(name)` gives those of names."""

    def go(n: Node) -> Masked:
        match n:
            case tree.Number(value=v) | tree.Named(value=v):
                return v, 0
            case tree.Name(id=name):
                return read(name)
            case tree.Unary(op=op, operand=a):
                values, bad = go(a)
                return (np.negative(values) if op == "-" else np.equal(values, 0) * 1.0), bad
            case tree.Binary(op=op, left=a, right=b) if op in tree.LOGIC:
                return logic(op, a, b)
            case tree.Binary(op=op, left=a, right=b):
                return binary(op, go(a), go(b))
            case tree.Choice(test=t, then=a, otherwise=b):
                return choice(go(t), a, b)
            case tree.Call(word=word, args=args):
                parts = [go(a) for a in args]
                bad = parts[0][1]
                for _, more in parts[1:]:
                    bad = first(bad, more)
                values = parts[0][0]
                if len(parts) == 1:
                    values = _CALLS[word](values)
                for other, _ in parts[1:]:
                    values = _CALLS[word](values, other)
                return checked(values, bad)

    def logic(op: str, a: Node, b: Node) -> Masked:
        left, left_bad = go(a)
        asks_right = np.not_equal(left, 0) if op == "and" else np.equal(left, 0)
        if not np.any(asks_right):
            return (0.0 if op == "and" else 1.0), left_bad
        right, right_bad = go(b)
        both = np.not_equal(left, 0), np.not_equal(right, 0)
        values = (both[0] & both[1] if op == "and" else both[0] | both[1]) * 1.0
        return values, first(left_bad, np.where(asks_right, right_bad, 0))

    def choice(test: Masked, a: Node, b: Node) -> Masked:
        taken = np.not_equal(test[0], 0)
        if np.all(taken):
            values, bad = go(a)
            return values, first(test[1], bad)
        if not np.any(taken):
            values, bad = go(b)
            return values, first(test[1], bad)
        (yes, yes_bad), (no, no_bad) = go(a), go(b)
        return np.where(taken, yes, no), first(test[1], np.where(taken, yes_bad, no_bad))

    def binary(op: str, left: Masked, right: Masked) -> Masked:
        bad = first(left[1], right[1])
        if op in _COMPARISONS:
            return _COMPARISONS[op](left[0], right[0]) * 1.0, bad
        if op == "/":
            bad = first(bad, marked(np.equal(right[0], 0), DIVISION))
        if op == "**":
            bad = first(bad, marked(np.equal(left[0], 0) & np.less(right[0], 0), DIVISION))
        return checked(_ARITHMETIC[op](np.float64(left[0]), np.float64(right[0])), bad)

    def checked(values: Any, bad: Any) -> Masked:
        """What is not finite has failed; a harmless number takes its place, so that nothing spreads."""
        finite = np.isfinite(values)
        if np.all(finite):
            return values, bad
        return np.where(finite, values, 1.0), first(bad, marked(~finite, CALCULATION))

    return go(node)
