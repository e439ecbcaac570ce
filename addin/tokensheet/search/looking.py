"""Candidates of a search by their numbers: their results in columns, and why one has none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokensheet.broadcast import Ids
from tokensheet.chosen import choose
from tokensheet.declare import At
from tokensheet.failure import Failure
from tokensheet.formula import Formula
from tokensheet.goals import Target
from tokensheet.graph import Inner
from tokensheet.masked import ARGUMENT, MISSING
from tokensheet.planning import Planner
from tokensheet.search.columns import Results, evaluate, taken
from tokensheet.search.found import Asked, named
from tokensheet.search.ranking import Tally

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORDS = {MISSING: "a fact is missing", ARGUMENT: "something is not given"}
"""Kinds of failure that no check explains."""


class Looking:
    """Answers the candidates of one search.

    Args:
        planner: catalogue and formulas
        asked: what is searched for
    """

    def __init__(self, planner: Planner, asked: Asked) -> None:
        self.planner, self.asked = planner, asked
        self._checks: dict[str, Mapping[str, str]] = {}

    def results(self, numbers: NDArray[np.int64], nodes: tuple[str, ...], *, passed: bool = False) -> Results:
        """Results of candidates, and of the checks that must hold for the first node.

        Args:
            numbers: of candidates
            nodes: whose results are wanted
            passed: the early checks are known to hold
        """
        import numpy as np

        shared, columns = self.columns(numbers)
        home, size, outputs = self.planner.questions, len(numbers), self.outputs(nodes)
        if passed or not self.early:
            return evaluate(home, outputs, shared, columns, size)
        first = evaluate(home, tuple(self.early), shared, columns, size)
        # what no check forbids is mostly regular, and quick together
        good = np.all([v != 0 for v in first.values.values()], axis=0)
        rest = evaluate(home, outputs, shared, taken(columns, good), int(good.sum()))
        return first.with_rows(rest, good)

    def outputs(self, nodes: tuple[str, ...]) -> tuple[str, ...]:
        """Nodes, and the checks of the first that are not looked at before."""
        return (*nodes, *(n for n in self.checks(nodes[0]) if n not in self.early))

    def columns(self, numbers: NDArray[np.int64]) -> tuple[dict[str, Any], dict[str, Any]]:
        """What candidates share, and what differs as a column for each name."""
        import numpy as np

        shared = dict(self.asked.given)
        columns = self.asked.space.columns(numbers, self.planner.registry.roles)
        for name, (role, known) in self.asked.lookups.items():
            column = columns.get(role)
            if isinstance(column, Ids):
                amounts = np.array([known.get(str(i), np.nan) for i in column.names], dtype=np.float64)
                columns[name] = amounts[column.codes]
            else:
                shared[name] = known.get(str(shared.get(role)))
        return shared, columns

    def given(self, number: int) -> dict[str, Any]:
        """Everything that one candidate is asked with."""
        found = {**self.asked.given, **self.asked.space.candidate(number)}
        return found | {n: known.get(str(found.get(role))) for n, (role, known) in self.asked.lookups.items()}

    # ---- why not

    @cached_property
    def early(self) -> Mapping[str, str]:
        """Checks that are looked at before anything else: those of the bound where there is one, else of the goal."""
        return self.checks(self.bound() or self.asked.goal.node)

    def checks(self, node: str) -> Mapping[str, str]:
        """Checks that must hold for a node's result whatever happens → what each says."""
        if node not in self._checks:
            self._checks[node] = self._sure_checks(node)
        return self._checks[node]

    def _sure_checks(self, node: str) -> Mapping[str, str]:
        graph = self.planner.questions.graph((node,), frozenset(), frozenset(), {})
        sure, found = graph.surely(node), {}
        for key in (c for inner in graph.inner if inner.key in sure for c in inner.checks):
            checked = graph.nodes[key]
            # one under other inputs has a name of its own in each question
            if isinstance(checked, Inner) and "." not in key and not checked.formula.warning:
                found[key] = checked.formula.label
        return found

    def out(self, tally: Tally, numbers: Any, found: Results, node: str, lost: Any) -> None:
        """Counts candidates without a result, by the check that fails, else by the kind of failure."""
        import numpy as np

        rows = np.flatnonzero(lost)
        for name, title in self.checks(self.asked.goal.node).items():
            if name not in found.values:
                continue
            failing = found.values[name][rows] == 0
            tally.add(f"{title}: no", numbers[rows[failing]], node)
            rows = rows[~failing]
        kinds = found.kinds[node][rows]
        for kind in sorted(set(kinds.tolist())):
            tally.add(WORDS.get(kind, "no answer"), numbers[rows[kinds == kind]], node)

    def reason(self, number: int, node: str) -> str:
        """Why a candidate has no result for a node, or which one it is when it has."""
        if not node:
            return named(self.asked.space.candidate(number))
        found = self.planner.one(node, self.given(number))
        return found.reason if isinstance(found, Failure) else named(self.asked.space.candidate(number))

    # ---- what the goal knows

    def implied(self) -> frozenset[str]:
        """Targets that the goal's node takes as inputs, so that its result is that of a plan that holds them."""
        node = self.asked.goal.node
        graph = self.planner.questions.graph((node,), frozenset(), frozenset(), {})
        leaves = {leaf.name for leaf in graph.leaves}
        targets = (t for t in self.asked.kit.of(Target).values() if t.name in self.asked.limits)
        return frozenset(t.name for t in targets if {t.name, t.gives} & leaves)

    def bound(self) -> str:
        """The goal's bound, or nothing: where none is declared, or somebody states what the bound replaces."""
        goal, given = self.asked.goal, self.asked.given
        formula = self.planner.registry.nodes.get(goal.bound)
        if not isinstance(formula, Formula):
            return ""
        chosen = choose(self.planner.registry, {"profile": given["profile"]} if given.get("profile") else {})
        replaced = {n for d in formula.body.defaults.values() if isinstance(d, At) for n in d.under}
        return "" if replaced & {*given, *chosen.stated} else goal.bound
