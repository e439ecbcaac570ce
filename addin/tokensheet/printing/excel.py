"""Tree → Excel formula text. The caller says in which cell each name stands."""

from __future__ import annotations

from collections.abc import Callable

from tokensheet import tree
from tokensheet.tree import Node
from tokensheet.vocabulary import WORDS

# Excel's own order: a sign binds tighter than ^, which is left associative. Brackets are written
# wherever Python and Excel part, even where a careful reader could do without.
BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 3}
SIGNS = {"**": "^", "==": "=", "!=": "<>"}


def number_text(value: float) -> str:
    """A number as Excel reads it, with all its digits."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value)).upper()


def excel(node: Node, cell: Callable[[str], str], constant: Callable[[tree.Named], str] | None = None) -> str:
    """The formula text without a leading `=`.

    Args:
        node: the tree
        cell: where a parameter or step stands, e.g. `D$7`
        constant: where a named constant stands; its number is written out by default
    """
    return _Printer(cell, constant or (lambda named: number_text(named.value))).value(node)


class _Printer:
    def __init__(self, cell: Callable[[str], str], constant: Callable[[tree.Named], str]) -> None:
        self.cell, self.constant = cell, constant

    def value(self, node: Node) -> str:
        """Text whose value is a number; a truth becomes 1 or 0."""
        match node:
            case tree.Number(value=v):
                return number_text(v)
            case tree.Named():
                return self.constant(node)
            case tree.Name(id=name):
                return self.cell(name)
            case tree.Unary(op="-", operand=a):
                return f"-{self.operand(a, 9)}"
            case tree.Binary(op=op, left=a, right=b) if op in tree.ARITHMETIC:
                # the right operand is bracketed at equal binding: a-(b-c), a/(b*c), a^(b^c)
                left = self.operand(a, BINDS[op] + (1 if op == "**" else 0))
                return f"{left}{SIGNS.get(op, op)}{self.operand(b, BINDS[op] + 1)}"
            case tree.Choice(test=t, then=a, otherwise=b):
                return f"IF({self.test(t)},{self.value(a)},{self.value(b)})"
            case tree.Call(word=word, args=args):
                return WORDS[word].excel.format(",".join(map(self.value, args)))
            case tree.Binary(op="and", left=a, right=b):
                return f"IF({self.test(a)},{self.truth(b)},0)"
            case tree.Binary(op="or", left=a, right=b):
                return f"IF({self.test(a)},1,{self.truth(b)})"
            case _:
                return f"IF({self.test(node)},1,0)"

    def truth(self, node: Node) -> str:
        """1 or 0 for any node."""
        return self.value(node) if tree.is_truth(node) else f"IF({self.test(node)},1,0)"

    def test(self, node: Node) -> str:
        """Text that stands as the first argument of IF."""
        match node:
            case tree.Binary(op=op, left=a, right=b) if op in tree.COMPARISONS:
                return f"{self.operand(a, 1)}{SIGNS.get(op, op)}{self.operand(b, 1)}"
            case tree.Unary(op="not", operand=a):
                return f"{self.operand(a, 1)}=0" if not tree.is_truth(a) else f"NOT({self.test(a)})"
            case tree.Binary(op=op) if op in tree.LOGIC:
                return self.value(node)
            case _:
                return f"{self.operand(node, 1)}<>0"

    def operand(self, node: Node, least: int) -> str:
        """The node's text, bracketed when it binds weaker than `least`."""
        text = self.value(node)
        match node:
            case tree.Binary(op=op) if op in BINDS and BINDS[op] < least:
                return f"({text})"
            case tree.Unary(op="-"):
                return f"({text})"
            case tree.Number(value=v) if v < 0:
                return f"({text})"
            case tree.Call(word="ceil"):  # printed as -INT(-x)
                return f"({text})"
            case _:
                return text
