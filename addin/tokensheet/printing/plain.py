"""Tree → text for people: the formula in words, in docs, workbooks and messages."""

from __future__ import annotations

from collections.abc import Callable

from tokensheet import tree
from tokensheet.printing.excel import number_text
from tokensheet.tree import Node

BINDS = {"or": 1, "and": 2, "not": 3, "+": 5, "-": 5, "*": 6, "/": 6, "**": 8}
BINDS |= dict.fromkeys(tree.COMPARISONS, 4)
SIGNS = {"*": "×", "/": "/", "**": "^", "<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}


def plain(node: Node, name: Callable[[str], str] = str) -> str:
    """The tree as a line such as `max(memory_time, compute_time) + step_overhead`."""
    match node:
        case tree.Number(value=v):
            return number_text(v)
        case tree.Named(name=n):
            return n
        case tree.Name(id=n):
            return name(n)
        case tree.Unary(op=op, operand=a):
            return f"{'-' if op == '-' else 'not '}{_operand(a, 7 if op == '-' else 3, name)}"
        case tree.Binary(op=op, left=a, right=b):
            binds = BINDS[op]
            left = _operand(a, binds + (1 if op == "**" else 0), name)
            right = _operand(b, binds + (0 if op in tree.LOGIC else 1), name)
            sign = SIGNS.get(op, op)
            return f"{left}{sign}{right}" if op == "**" else f"{left} {sign} {right}"
        case tree.Choice(test=t, then=a, otherwise=b):
            return f"if {plain(t, name)} then {plain(a, name)} else {plain(b, name)}"
        case tree.Call(word=word, args=args):
            return f"{word}({', '.join(plain(a, name) for a in args)})"


def _operand(node: Node, least: int, name: Callable[[str], str]) -> str:
    text = plain(node, name)
    match node:
        case tree.Binary(op=op) if BINDS[op] < least:
            return f"({text})"
        case tree.Unary(op=op) if BINDS.get(op, 7) < least:
            return f"({text})"
        case tree.Choice():
            return f"({text})"
        case _:
            return text
