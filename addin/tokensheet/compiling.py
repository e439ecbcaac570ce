"""Graph → Python source → functions: one for plain floats, one for NumPy arrays.

Both are straight code without error handling: anything irregular raises, and the interpreter
(`interpret.py`) then finds out which element failed and why. A node is calculated even when only an
untaken branch reads it; should that fail, the interpreter, which is lazy, has the last word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tokensheet.declare import Range
from tokensheet.graph import Graph, Inner, Leaf, bounds
from tokensheet.irregular import IrregularError, array_words
from tokensheet.printing.python import array_code, carried, scalar_code
from tokensheet.tree import Node, is_truth


@dataclass(frozen=True, eq=False)
class Code:
    """Compiled forms of a graph, each compiled when first asked for.

    Attributes:
        numbers: names of the arguments given in a call, in order
        leaves: the other leaves, in the order of the tuple that `scalar` takes last
        writer: writes the forms
    """

    numbers: tuple[str, ...]
    leaves: tuple[Leaf, ...]
    writer: _Writer

    @cached_property
    def scalar(self) -> Callable[..., float]:
        """(*numbers, leaves) → float, or raises."""
        found: Callable[..., float] = self._compiled("scalar", self.writer.scalar(), _scalar_words())["run"]
        return found

    @cached_property
    def array(self) -> Callable[..., Any]:
        """(*numbers, leaves) → a pair of values and marks of failed checks for each output, or raises."""
        found: Callable[..., Any] = self._compiled("array", self.writer.array(), array_words())["run"]
        return found

    @cached_property
    def _folded(self) -> dict[str, Any]:
        space = _scalar_words()
        for part in self.writer.folded():
            self._compiled("folded", part, space)
        return space

    @cached_property
    def prepare(self) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
        """(leaves) → what follows from them alone, or raises."""
        found: Callable[[tuple[Any, ...]], tuple[Any, ...]] = self._folded["prepare"]
        return found

    @cached_property
    def quick(self) -> Callable[..., float]:
        """(*numbers, prepared) → the same as `scalar`, for many calls with the same leaves."""
        found: Callable[..., float] = self._folded["quick"]
        return found

    def _compiled(self, form: str, source: str, space: dict[str, Any]) -> dict[str, Any]:
        exec(compile(source, f"<{form} {self.writer.graph.outputs[0]}>", "exec"), space)
        return space


def _scalar_words() -> dict[str, Any]:
    """Name → function of what generated scalar code calls."""
    words = {n: getattr(math, n) for n in ("ceil", "floor", "sqrt", "exp", "log")}
    return {"IrregularError": IrregularError, "pow": math.pow, **words}


def compile_graph(graph: Graph, numbers: Sequence[str]) -> Code:
    """Compiles a graph; the scalar form answers its first output, the array form all of them.

    Args:
        graph: the nodes and the asked outputs
        numbers: names that the call gives as numbers; all other leaves come in the tuple
    """
    writer = _Writer(graph, tuple(numbers))
    return Code(writer.numbers, writer.rest, writer)


TERMS = 500
"""Terms of one sum in generated code: Python's compiler cannot read sums of a few thousand."""


class _Writer:
    def __init__(self, graph: Graph, numbers: tuple[str, ...]) -> None:
        self.graph = graph
        needed = graph.needed()
        self.inner = [n for n in graph.inner if n.key in needed]
        leaves = [leaf for leaf in graph.leaves if leaf.key in needed]
        by_name = {leaf.key: leaf for leaf in leaves}
        self.numbers = tuple(n for n in numbers if n in by_name)
        given = {by_name[n].key for n in self.numbers}
        self.rest = tuple(leaf for leaf in leaves if leaf.key not in given)
        self.variable: dict[str, str] = {by_name[n].key: f"a{i}" for i, n in enumerate(self.numbers)}
        self.variable |= {leaf.key: f"r{i}" for i, leaf in enumerate(self.rest)}
        for i, node in enumerate(self.inner):
            self.variable[node.key] = f"n{i}"

    def head(self) -> list[str]:
        arguments = ", ".join([*(f"a{i}" for i in range(len(self.numbers))), "rest"])
        lines = [f"def run({arguments}):"]
        if self.rest:
            lines.append(f"    ({', '.join(f'r{i}' for i in range(len(self.rest)))},) = rest")
        return lines

    def ranges(self) -> list[tuple[str, Range]]:
        by_name = {leaf.key: leaf.definition for leaf in self.graph.leaves}
        found = []
        for i, name in enumerate(self.numbers):
            limits = bounds(by_name[name])
            if limits != Range():
                found.append((f"a{i}", limits))
        return found

    def scope(self, node: Inner) -> tuple[dict[str, str], str]:
        names = {p: self.variable[w] if isinstance(w, str) else repr(float(w)) for p, w in node.wires.items()}
        mine = self.variable[node.key]
        names |= {s.name: f"{mine}_{i}" for i, s in enumerate(node.formula.body.steps)}
        return names, mine

    def scalar(self) -> str:
        lines = self.head()
        lines += self.range_tests()
        lines += self.calculation(self.inner)
        lines.append(f"    return {self.variable[self.graph.outputs[0]]} + 0.0")
        return "\n".join(lines) + "\n"

    def calculation(self, nodes: Sequence[Inner]) -> list[str]:
        """Lines that calculate nodes, and raise where a check fails or a value is beyond all floats."""
        lines: list[str] = []
        values: list[str] = []
        passed_on: set[str] = set()
        checked: set[str] = set()

        def looked_at(variable: str, part: Node, names: Mapping[str, str]) -> str:
            if not is_truth(part):
                values.append(variable)
                passed_on.update(names[name] for name in carried(part))
            return variable

        for node in nodes:
            names, mine = self.scope(node)

            def keep(part: Node, names: Mapping[str, str] = names) -> str:
                return looked_at(f"h{len(values)}", part, names)

            body = node.formula.body
            parts = [(f"{mine}_{i}", step.tree) for i, step in enumerate(body.steps)] + [(mine, body.result)]
            for variable, part in parts:
                lines.append(f"    {variable} = {scalar_code(part, names, keep)}")
                looked_at(variable, part, names)
            for check in (self.variable[key] for key in self.graph.conditions(node)):
                if check not in checked:
                    lines.append(f"    if not {check}: raise IrregularError")
                checked.add(check)
        ends = [value for value in values if value not in passed_on]
        for first in range(0, len(ends), TERMS):
            # anywhere on the way, which a later division would hide
            lines.append(f"    total = {' + '.join(ends[first : first + TERMS])}")
            lines.append("    if total - total != 0.0: raise IrregularError")
        return lines

    def folded(self) -> tuple[str, str]:
        """Two parts of the scalar form: what follows from the leaves alone, done once, and the rest."""
        given = {leaf.key for leaf in self.graph.leaves} - {leaf.key for leaf in self.rest}
        constant: set[str] = {leaf.key for leaf in self.rest}
        early: list[Inner] = []
        late: list[Inner] = []
        for node in self.inner:
            reads = self.graph.read_by(node)
            if given.isdisjoint(reads) and constant.issuperset(reads):
                constant.add(node.key)
                early.append(node)
            else:
                late.append(node)
        needed = {self.graph.outputs[0]}
        for node in late:
            needed |= set(self.graph.read_by(node))
        kept = [self.variable[key] for key in self.variable if key in needed and key in constant]
        bundle = f"({', '.join(kept)},)" if kept else "()"
        first = ["def prepare(rest):"]
        if self.rest:
            first.append(f"    ({', '.join(f'r{i}' for i in range(len(self.rest)))},) = rest")
        first += [*self.calculation(early), f"    return {bundle}"]
        second = [
            self.head()[0].replace("run(", "quick(", 1).replace("rest)", "prepared)"),
            *([f"    {bundle} = prepared"] if kept else []),
            *self.range_tests(),
            *self.calculation(late),
            f"    return {self.variable[self.graph.outputs[0]]} + 0.0",
        ]
        return "\n".join(first) + "\n", "\n".join(second) + "\n"

    def range_tests(self) -> list[str]:
        """Lines that raise where a given number makes no sense."""
        return [f"    if not ({range_code(v, b)}): raise IrregularError" for v, b in self.ranges()]

    def array(self) -> str:
        """Code that gives (values, bad) for each output: bad marks elements whose checks fail."""
        lines = self.head()
        outputs = self.graph.outputs
        surely = [self.graph.surely(o) for o in outputs]
        needed = [self.graph.needed(o) for o in outputs]
        failing: list[list[str]] = [[] for _ in outputs]
        for node in self.inner:
            names, mine = self.scope(node)
            for i, step in enumerate(node.formula.body.steps):
                lines.append(f"    {mine}_{i} = {array_code(step.tree, names)}")
            lines.append(f"    {mine} = {array_code(node.formula.body.result, names)}")
            for checked in self.graph.conditions(node):
                failed = f"equal({self.variable[checked]}, 0)"
                for k in range(len(outputs)):
                    if node.key in surely[k]:
                        failing[k].append(failed)
                if any(node.key in n and node.key not in s for n, s in zip(needed, surely, strict=True)):
                    lines.append(f"    if any_of({failed}): raise IrregularError")
        pairs = []
        for output, failed_ones in zip(outputs, failing, strict=True):
            bad = " | ".join(dict.fromkeys(failed_ones)) or "False"
            pairs.append(f"({self.variable[output]} + 0.0, {bad})")
        lines.append(f"    return ({', '.join(pairs)},)")
        return "\n".join(lines) + "\n"


def range_code(variable: str, bounds: Range) -> str:
    """A test that a variable lies in a range."""
    tests = [f"{variable} {sign} {bound!r}" for sign, bound in bounds.ends]
    if bounds.whole:
        tests.append(f"{variable} == {variable} // 1")
    return " and ".join(tests)
