"""The graph of one question: its nodes in the order of calculation, and what each reads. `expanding.py` makes it."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from tokensheet.declare import Assumption, Input, Range
from tokensheet.definition import Definition
from tokensheet.formula import Formula
from tokensheet.ranges import NOT_NEGATIVE


def bounds(definition: Definition) -> Range:
    """Which numbers may be given for a node: as declared; a fact or result that is stated is not negative."""
    return definition.range if isinstance(definition, Input | Assumption) else NOT_NEGATIVE


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number that is given: by the call, a profile, an assumption's default, or a record.

    `role` names the record's role; `gpu>link` is the record that the gpu's `link` names.
    """

    key: str
    name: str
    definition: Definition
    role: str = ""


@dataclass(frozen=True, slots=True)
class Inner:
    """A formula under one set of replacements: parameter → key of a node, or a literal number."""

    key: str
    name: str
    formula: Formula
    wires: Mapping[str, str | float]
    checks: tuple[str, ...]
    scope: str
    read: frozenset[str] = field(init=False, repr=False, compare=False)
    """Keys of what it is calculated from, its checks among them."""

    def __post_init__(self) -> None:
        wired = (wire for wire in self.wires.values() if isinstance(wire, str))
        object.__setattr__(self, "read", frozenset((*wired, *self.checks)))


@dataclass(frozen=True)
class Graph:
    """Nodes in the order of calculation, and the keys of the asked outputs."""

    nodes: Mapping[str, Leaf | Inner]
    outputs: tuple[str, ...]
    messages: Mapping[str, Mapping[str, str | float]]
    """For each check: the names in its message → keys."""

    @property
    def leaves(self) -> list[Leaf]:
        """The given numbers, in order of first use."""
        return [n for n in self.nodes.values() if isinstance(n, Leaf)]

    @property
    def inner(self) -> list[Inner]:
        """The formulas, each after what it reads."""
        return [n for n in self.nodes.values() if isinstance(n, Inner)]

    def needed(self, output: str | None = None) -> set[str]:
        """Keys that an output's value (or all outputs') is calculated from; what only warnings read is left out."""
        seen: set[str] = set()
        todo = list(self.outputs) if output is None else [output]
        while todo:
            current = todo.pop()
            if current in seen:
                continue
            seen.add(current)
            node = self.nodes[current]
            if isinstance(node, Inner):
                todo += self.read_by(node)
        return seen

    def conditions(self, node: Inner) -> list[str]:
        """Keys of the checks without which a node has no result; those that only warn are none."""
        return [key for key in node.checks if not self.is_warning(key)]

    def read_by(self, node: Inner) -> list[str]:
        """Keys that a node's result is calculated from."""
        return [*(wire for wire in node.wires.values() if isinstance(wire, str)), *self.conditions(node)]

    def moved(self, names: Container[str]) -> set[str]:
        """Keys whose value may change with the numbers of the names: those called so, and what reads them."""
        found: set[str] = set()
        for key, node in self.nodes.items():  # each after what it reads
            if node.name in names or (isinstance(node, Inner) and not found.isdisjoint(node.read)):
                found.add(key)
        return found

    def is_warning(self, key: str) -> bool:
        """Whether a key is a check that only warns."""
        node = self.nodes[key]
        return isinstance(node, Inner) and node.formula.warning

    def surely(self, key: str) -> set[str]:
        """Keys that are read whatever branches the conditionals take."""
        seen: set[str] = set()
        todo = [key]
        while todo:
            current = todo.pop()
            if current in seen:
                continue
            seen.add(current)
            node = self.nodes[current]
            if isinstance(node, Inner):
                todo += [w for p in node.formula.body.surely() if isinstance(w := node.wires[p], str)]
                todo += self.conditions(node)
        return seen
