"""Graph → Python source → functions: one for plain floats, one for NumPy arrays.

Both are straight code without error handling: anything irregular raises, and the interpreter
(`interpret.py`) then finds out which element failed and why. A node is calculated even when only an
untaken branch reads it; should that fail, the interpreter, which is lazy, has the last word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokensheet import tree
from tokensheet.declare import Range
from tokensheet.errors import MissingFactError, TokensheetError
from tokensheet.graph import Graph, Inner, Leaf, bounds
from tokensheet.tree import Node
from tokensheet.vocabulary import WORDS


class IrregularError(Exception):
    """The straight code met something that only the interpreter can tell apart."""


class Missing:
    """Stands for a fact that no one gave: whatever is done with it raises."""

    __slots__ = ("kind", "reason")

    def __init__(self, reason: str, kind: type[TokensheetError] = MissingFactError) -> None:
        self.reason, self.kind = reason, kind

    def _refuse(self, *_: object) -> Any:
        raise IrregularError(self.reason)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __pow__ = __rpow__ = __neg__ = __abs__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refuse
    __bool__ = __float__ = __ceil__ = __floor__ = __array__ = _refuse
    __hash__ = object.__hash__


@dataclass(frozen=True)
class Code:
    """Compiled forms of a graph.

    Attributes:
        numbers: names of the arguments given in a call, in order
        leaves: the other leaves, in the order of the tuple that `scalar` takes last
        scalar: (*numbers, leaves) → float, or raises
        prepare: (leaves) → what follows from them alone, or raises
        quick: (*numbers, prepared) → the same as `scalar`, for many calls with the same leaves
        sources: generated text, for reading
    """

    numbers: tuple[str, ...]
    leaves: tuple[Leaf, ...]
    scalar: Callable[..., float]
    array: Callable[..., Any]
    sources: tuple[str, str]
    prepare: Callable[[tuple[Any, ...]], tuple[Any, ...]]
    quick: Callable[..., float]


def compile_graph(graph: Graph, numbers: Sequence[str]) -> Code:
    """Compiles a graph; the scalar form answers its first output, the array form all of them.

    Args:
        graph: the nodes and the asked outputs
        numbers: names that the call gives as numbers; all other leaves come in the tuple
    """
    writer = _Writer(graph, tuple(numbers))
    scalar, array = writer.scalar(), writer.array()
    space: dict[str, Any] = {
        "IrregularError": IrregularError,
        "pow": math.pow,
        **{n: getattr(math, n) for n in ("ceil", "floor", "sqrt", "exp", "log")},
    }
    exec(compile(scalar, f"<scalar {graph.outputs[0]}>", "exec"), space)
    run = space["run"]
    for part in writer.folded():
        exec(compile(part, f"<folded {graph.outputs[0]}>", "exec"), space)

    def array_run(*args: Any) -> Any:
        inner: dict[str, Any] = _array_words()
        exec(compile(array, f"<array {graph.outputs[0]}>", "exec"), inner)
        lazily.append(inner["run"])
        return inner["run"](*args)

    lazily: list[Callable[..., Any]] = []
    return Code(
        writer.numbers,
        writer.rest,
        run,
        lambda *a: (lazily[0] if lazily else array_run)(*a),
        (scalar, array),
        space["prepare"],
        space["quick"],
    )


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

        def keep() -> str:
            values.append(f"h{len(values)}")
            return values[-1]

        for node in nodes:
            names, mine = self.scope(node)
            for i, step in enumerate(node.formula.body.steps):
                lines.append(f"    {mine}_{i} = {_scalar(step.tree, names, keep)}")
                values.append(f"{mine}_{i}")
            lines.append(f"    {mine} = {_scalar(node.formula.body.result, names, keep)}")
            values.append(mine)
            for checked in node.checks:
                if not self.graph.is_warning(checked):
                    lines.append(f"    if not {self.variable[checked]}: raise IrregularError")
        if values:
            # anywhere on the way, which a later division would hide
            lines.append(f"    total = {' + '.join(values)}")
            lines.append("    if total - total != 0.0: raise IrregularError")
        return lines

    def folded(self) -> tuple[str, str]:
        """Two parts of the scalar form: what follows from the leaves alone, done once, and the rest."""
        given = {leaf.key for leaf in self.graph.leaves} - {leaf.key for leaf in self.rest}
        constant: set[str] = {leaf.key for leaf in self.rest}
        early: list[Inner] = []
        late: list[Inner] = []
        for node in self.inner:
            reads = [w for w in node.wires.values() if isinstance(w, str)]
            reads += [c for c in node.checks if not self.graph.is_warning(c)]
            if given.isdisjoint(reads) and constant.issuperset(reads):
                constant.add(node.key)
                early.append(node)
            else:
                late.append(node)
        needed = {self.graph.outputs[0]}
        for node in late:
            needed |= {w for w in node.wires.values() if isinstance(w, str)}
            needed |= {c for c in node.checks if not self.graph.is_warning(c)}
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
        return [f"    if not ({_range_test(v, b)}): raise IrregularError" for v, b in self.ranges()]

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
                lines.append(f"    {mine}_{i} = {_array(step.tree, names)}")
            lines.append(f"    {mine} = {_array(node.formula.body.result, names)}")
            for checked in node.checks:
                if self.graph.is_warning(checked):
                    continue
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


def range_mask(values: Any, bounds: Range) -> Any:
    """Which elements of an array lie in a range."""
    import numpy as np

    ok = np.isfinite(values)
    if bounds.above is not None:
        ok &= values > bounds.above
    if bounds.minimum is not None:
        ok &= values >= bounds.minimum
    if bounds.maximum is not None:
        ok &= values <= bounds.maximum
    if bounds.whole:
        ok &= values == np.floor(values)
    return ok


def _range_test(variable: str, bounds: Range) -> str:
    tests = []
    if bounds.above is not None:
        tests.append(f"{variable} > {bounds.above!r}")
    if bounds.minimum is not None:
        tests.append(f"{variable} >= {bounds.minimum!r}")
    if bounds.maximum is not None:
        tests.append(f"{variable} <= {bounds.maximum!r}")
    if bounds.whole:
        tests.append(f"{variable} == {variable} // 1")
    return " and ".join(tests)


def _scalar(node: Node, names: Mapping[str, str], keep: Callable[[], str] | None = None) -> str:
    """Code of a tree for plain floats.

    Args:
        node: the tree
        names: parameter or step → variable
        keep: gives a fresh variable for a part whose overflow something else would hide (a divisor,
            an operand of a comparison, an argument of max or min), so that it can be looked at
    """

    def kept(n: Node, strict: bool) -> str:
        text = go(n, strict)
        compound = isinstance(n, tree.Binary) and n.op in tree.ARITHMETIC
        return f"({keep()} := {text})" if keep is not None and strict and compound else text

    def go(n: Node, strict: bool) -> str:
        match n:
            case tree.Number(value=v) | tree.Named(value=v):
                return repr(v)
            case tree.Name(id=name):
                return names[name]
            case tree.Unary(op="-", operand=a):
                return f"(-{go(a, strict)})"
            case tree.Unary(operand=a):
                return f"(not {go(a, strict)})"
            case tree.Binary(op="**", left=a, right=b):
                return f"pow({go(a, strict)}, {kept(b, strict)})"
            case tree.Binary(op=op, left=a, right=b) if op in tree.LOGIC:
                return f"({go(a, strict)} {op} {go(b, False)})"
            case tree.Binary(op="/", left=a, right=b):
                return f"({go(a, strict)} / {kept(b, strict)})"
            case tree.Binary(op=op, left=a, right=b) if op in tree.COMPARISONS:
                return f"({kept(a, strict)} {op} {kept(b, strict)})"
            case tree.Binary(op=op, left=a, right=b):
                return f"({go(a, strict)} {op} {go(b, strict)})"
            case tree.Choice(test=t, then=a, otherwise=b):
                return f"({go(a, False)} if {go(t, strict)} else {go(b, False)})"
            case tree.Call(word=word, args=args):
                return WORDS[word].scalar.format(", ".join(kept(a, strict) for a in args))

    return go(node, True)


def _array(node: Node, names: Mapping[str, str]) -> str:
    def truth(n: Node) -> str:
        match n:
            case tree.Binary(op="and", left=a, right=b):
                return f"both({truth(a)}, lambda: {truth(b)})"
            case tree.Binary(op="or", left=a, right=b):
                return f"either({truth(a)}, lambda: {truth(b)})"
            case tree.Unary(op="not", operand=a):
                return f"inverse({truth(a)})"
            case _ if tree.is_truth(n):
                return go(n)
            case _:
                return f"({go(n)} != 0)"

    def go(n: Node) -> str:
        match n:
            case tree.Number(value=v) | tree.Named(value=v):
                return repr(v)
            case tree.Name(id=name):
                return names[name]
            case tree.Unary(op="-", operand=a):
                return f"(-{go(a)})"
            case tree.Binary(op=op, left=a, right=b) if op in tree.ARITHMETIC and op != "**":
                return f"({go(a)} {op} {go(b)})"
            case tree.Binary(op="**", left=a, right=b):
                return f"power({go(a)}, {go(b)})"
            case tree.Binary(op=op, left=a, right=b) if op in tree.COMPARISONS:
                return f"({go(a)} {op} {go(b)})"
            case tree.Choice(test=t, then=a, otherwise=b):
                return f"choose({truth(t)}, lambda: {go(a)}, lambda: {go(b)})"
            case tree.Call(word=word, args=(first, *others)):
                text = go(first)
                template = WORDS[word].array
                if not others:
                    return template.format(text)
                for other in others:
                    text = template.format(f"{text}, {go(other)}")
                return text
            case _:
                return f"({truth(n)} * 1.0)"

    return go(node)


def _array_words() -> dict[str, Any]:
    import numpy as np

    def choose(test: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        if isinstance(test, (bool, np.bool_)):
            return then() if test else otherwise()
        a, b = then(), otherwise()
        if isinstance(a, Missing) or isinstance(b, Missing):
            raise IrregularError
        return np.where(test, a, b)

    def both(a: Any, b: Callable[[], Any]) -> Any:
        if isinstance(a, (bool, np.bool_)):
            return b() if a else False
        return np.logical_and(a, b())

    def either(a: Any, b: Callable[[], Any]) -> Any:
        if isinstance(a, (bool, np.bool_)):
            return True if a else b()
        return np.logical_or(a, b())

    return {
        "IrregularError": IrregularError,
        "choose": choose,
        "both": both,
        "either": either,
        "inverse": lambda a: (not a) if isinstance(a, bool) else np.logical_not(a),
        "any_of": np.any,
        "equal": np.equal,
        **{
            n: getattr(np, n)
            for n in ("maximum", "minimum", "absolute", "ceil", "floor", "sqrt", "exp", "log", "power")
        },
    }
