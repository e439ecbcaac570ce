"""Binds a question to records: which graph answers it, and with which numbers.

A `Question` is an output with the names of what is given. A `Bound` is the same with chosen records
and a profile: compiled code and the numbers of all leaves that the call does not give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tokensheet.catalog import Entry
from tokensheet.chosen import Chosen, choose, followed, in_range, number_of
from tokensheet.compiling import Code, compile_graph
from tokensheet.declare import Range
from tokensheet.definition import Definition, Field
from tokensheet.errors import ArgumentError, UnknownNameError, hint
from tokensheet.expanding import expand
from tokensheet.failure import Failure, Value
from tokensheet.formula import Formula
from tokensheet.graph import Graph, Leaf, bounds
from tokensheet.interpret import Interpreter
from tokensheet.irregular import IrregularError, Missing
from tokensheet.registry import Registry

MOST_PREPARED = 2_000
"""Questions, graphs and codes kept, of each: a graph with its code takes 150 kB, and a sheet has a few hundred."""
MOST_BOUND = 10_000
"""Bound questions kept, over all questions: one takes 20 kB, and a search has a few hundred."""


@dataclass(frozen=True)
class Bound:
    """A question with its records chosen: ready to answer for any numbers."""

    graph: Graph
    code: Code
    leaves: tuple[float | Missing, ...]
    chosen: Chosen
    leaf_value: Callable[[Leaf], float | Missing]
    """The number of any leaf that the call does not give."""

    @cached_property
    def prepared(self) -> tuple[Any, ...] | None:
        """What follows from the leaves alone; None where that is for the lazy walk to say."""
        try:
            return self.code.prepare(self.leaves)
        except (IrregularError, ArithmeticError, ValueError, TypeError):
            return None

    @cached_property
    def warned(self) -> dict[str, float | Missing]:
        """Leaves that only warnings read: the compiled code has none of them."""
        known = {leaf.key for leaf in self.code.leaves} | set(self.code.numbers)
        return {leaf.key: self.leaf_value(leaf) for leaf in self.graph.leaves if leaf.key not in known}

    def given(self, numbers: Mapping[str, Any]) -> dict[str, Any]:
        """Key of each leaf → its number: of the call, of a record, an assumption; or Missing."""
        found: dict[str, Any] = dict(zip((x.key for x in self.code.leaves), self.leaves, strict=True))
        found |= self.warned
        known = {leaf.key for leaf in self.graph.leaves}
        return found | {n: v for n, v in numbers.items() if n in known}

    def interpreter(self, numbers: Mapping[str, float | Failure], often: bool = False) -> Interpreter:
        """The lazy walk over the graph with these numbers; out of range is a failure of that leaf."""
        leaves = {leaf.key: leaf for leaf in self.graph.leaves}
        bounded = {n: in_range(n, leaves[n].definition, v) for n, v in numbers.items() if n in leaves}
        return Interpreter(self.graph, self.given(bounded), self.chosen.ids, often=often)

    def value(self, numbers: Mapping[str, float]) -> Value:
        """The answer by the lazy walk: the last word on what fails and why."""
        return self.interpreter(numbers).value(self.graph.outputs[0])


class Questions:
    """Prepared questions of one registry, kept for the next call until there are too many."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self._bound = 0
        self._graphs: dict[tuple[Any, ...], Graph] = {}
        self._codes: dict[tuple[int, tuple[str, ...]], tuple[Graph, Code]] = {}
        self._questions: dict[tuple[Any, ...], Question] = {}

    def question(
        self, output: str | tuple[str, ...], names: tuple[str, ...], linked: tuple[tuple[str, str], ...] = ()
    ) -> Question:
        """The prepared question.

        Raises:
            TokensheetError: an unknown output or name, with the nearest ones.
        """
        key = (output, names, linked)
        found = self._questions.get(key)
        if found is None:
            found = Question(self, output, names, dict(linked))
            self._make_room()
            self._questions[key] = found
        return found

    def graph(
        self,
        outputs: tuple[str, ...],
        pinned: frozenset[str],
        roles: frozenset[str],
        linked: Mapping[str, str],
    ) -> Graph:
        """The expanded graph, kept."""
        key = (outputs, pinned, roles, tuple(sorted(linked.items())))
        found = self._graphs.get(key)
        if found is None:
            found = expand(self.registry, outputs, pinned, roles, linked)
            self._make_room()
            self._graphs[key] = found
        return found

    def code(self, graph: Graph, numbers: tuple[str, ...]) -> Code:
        """The compiled graph, kept."""
        key = (id(graph), numbers)
        found = self._codes.get(key)
        if found is None:
            found = graph, compile_graph(graph, numbers)
            self._make_room()
            self._codes[key] = found
        return found[1]

    def count_bound(self) -> None:
        """Takes note of one more bound question."""
        self._make_room()
        self._bound += 1

    def _make_room(self) -> None:
        """Forgets everything when much is kept: a process that runs for weeks meets new questions without end.

        All at once, because each holds the others; whoever still works with one of them keeps it until done.
        """
        kept: tuple[dict[Any, Any], ...] = (self._questions, self._graphs, self._codes)
        if max(map(len, kept)) >= MOST_PREPARED or self._bound >= MOST_BOUND:
            for prepared in kept:
                prepared.clear()
            self._bound = 0


class Question:
    """An output and the names of what a call gives: roles as ids, all else as numbers."""

    def __init__(
        self,
        home: Questions,
        output: str | tuple[str, ...],
        names: tuple[str, ...],
        linked: Mapping[str, str],
    ) -> None:
        self.outputs = (output,) if isinstance(output, str) else output
        self.home, self.linked = home, linked
        registry = home.registry
        for asked in self.outputs:
            registry.definition(asked.rsplit(".", 1)[-1])
        self.roles = tuple(n for n in names if n in registry.roles)
        self.numbers = tuple(n for n in names if n not in registry.roles)
        self.ranges: dict[str, Range] = {}
        for name in (*self.numbers, *linked):
            definition = meant(registry, name)
            if definition is None:
                if name in registry.broken:
                    registry.definition(name)
                raise UnknownNameError(f"nothing is called {name}{hint(name, registry.known)}")
            self.ranges[name] = bounds(definition)
        self.bound: dict[tuple[str, ...], Bound] = {}

    def bind(self, ids: tuple[str, ...]) -> Bound:
        """The question with records: ids in the order of `roles`; kept for the next call."""
        found = self.bound.get(ids)
        if found is None:
            found = self._bind(dict(zip(self.roles, ids, strict=True)))
            self.home.count_bound()
            self.bound[ids] = found
        return found

    def _bind(self, roles: Mapping[str, str]) -> Bound:
        home, registry = self.home, self.home.registry
        chosen = choose(registry, roles)
        pinned = {n for n in self.numbers if isinstance(registry.nodes.get(n), Formula | Field) or "." in n}
        for name in chosen.stated:
            definition = registry.definition(name)
            if isinstance(definition, Formula | Field):
                pinned.add(name)
        pinned -= set(self.linked)
        graph = home.graph(self.outputs, frozenset(pinned), frozenset(roles), self.linked)
        self._refuse_shaping(graph, chosen)
        code = home.code(graph, self.numbers)

        def leaf_value(leaf: Leaf) -> float | Missing:
            return number_of(registry, leaf, chosen)

        return Bound(graph, code, tuple(map(leaf_value, code.leaves)), chosen, leaf_value)

    def _refuse_shaping(self, graph: Graph, chosen: Chosen) -> None:
        """A number from which others of its record follow must change with them, so it belongs to the record.

        Raises:
            ArgumentError: the call changes it alone.
        """
        for name in self.numbers:
            field = self.home.registry.nodes.get(name)
            if isinstance(field, Field) and (other := derived_beside(graph, field, self.numbers)):
                entry = followed(self.home.registry, field.role, chosen)
                id = entry.record.id if isinstance(entry, Entry) else "id"
                raise ArgumentError(
                    f"{name} cannot be changed by itself: {other} follows from it; "
                    f"change the record, as {field.role}={id}@{field.field}=2"
                )


def meant(registry: Registry, name: str) -> Definition | None:
    """What a given number is of: a node by its name, or one expanded node by its key, as `first.step_time`."""
    found = registry.nodes.get(name)
    if found is None and "." in name:
        *scopes, base = name.split(".")
        found = registry.nodes.get(base) if registry.scopes.issuperset(scopes) else None
    return found


def derived_beside(graph: Graph, field: Field, given: Iterable[str]) -> str | None:
    """A number of the same record that the graph reads and that follows from a shaping one; None if there is none."""
    if not field.quantity.shapes:
        return None
    derived = (
        leaf.name
        for leaf in graph.leaves
        if isinstance(leaf.definition, Field)
        and leaf.role == field.role
        and leaf.definition.quantity.derived
        and leaf.name not in given
    )
    return next(derived, None)
