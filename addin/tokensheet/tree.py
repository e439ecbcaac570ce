"""The expression tree that a formula's source is read into: seven kinds of node and a walk.

All else is a walk over it: compiled code, Excel text, plain text, the unit check.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """Where a node stands in the author's file, for messages."""

    line: int = 0
    column: int = 0
    end: int = 0


NOWHERE = Span()


@dataclass(frozen=True, slots=True)
class Number:
    """A literal number."""

    value: float
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Named:
    """A constant with a name and a unit, such as SECONDS_PER_HOUR."""

    name: str
    value: float
    unit: str
    text: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter or an earlier step."""

    id: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x` or `not x`."""

    op: str
    operand: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """`a op b` for `+ - * / **`, the comparisons, and the lazy `and`, `or`."""

    op: str
    left: Node
    right: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """`then if test else otherwise`; only the branch taken is evaluated."""

    test: Node
    then: Node
    otherwise: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A word of the vocabulary applied to arguments."""

    word: str
    args: tuple[Node, ...]
    span: Span = field(default=NOWHERE, compare=False)


Node = Number | Named | Name | Unary | Binary | Choice | Call

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
LOGIC = frozenset({"and", "or"})
ARITHMETIC = frozenset({"+", "-", "*", "/", "**"})


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below, in the order of the text's evaluation."""
    match node:
        case Unary(operand=a):
            return (a,)
        case Binary(left=a, right=b):
            return (a, b)
        case Choice(test=a, then=b, otherwise=c):
            return (a, b, c)
        case Call(args=args):
            return args
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, depth first."""
    yield node
    for child in children(node):
        yield from walk(child)


def names(node: Node) -> list[str]:
    """Parameters and steps that the tree reads, each once, in order of first use."""
    return list(dict.fromkeys(n.id for n in walk(node) if isinstance(n, Name)))


def strict_names(node: Node) -> set[str]:
    """Names that are read whatever branch a conditional takes."""
    match node:
        case Name(id=name):
            return {name}
        case Choice(test=test, then=then, otherwise=otherwise):
            return strict_names(test) | (strict_names(then) & strict_names(otherwise))
        case Binary(op=op, left=left) if op in LOGIC:
            return strict_names(left)
        case _:
            return set().union(*map(strict_names, children(node)))


def is_truth(node: Node) -> bool:
    """Whether the node is 0 or 1 by its form: a comparison or logic."""
    match node:
        case Binary(op=op):
            return op in COMPARISONS or op in LOGIC
        case Unary(op="not"):
            return True
        case _:
            return False
