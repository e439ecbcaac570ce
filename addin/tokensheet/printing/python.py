"""A formula's tree as Python source: for plain floats and for NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tokensheet import tree
from tokensheet.tree import Node
from tokensheet.vocabulary import WORDS


def scalar_code(node: Node, names: Mapping[str, str], keep: Callable[[Node], str] | None = None) -> str:
    """Code of a tree for plain floats.

    Args:
        node: the tree
        names: parameter or step → variable
        keep: gives a fresh variable for a part whose overflow something else would hide (a divisor,
            an operand of a comparison, an argument of max or min), so that it can be looked at
    """

    def looked_at(n: Node, strict: bool) -> bool:
        return keep is not None and strict and isinstance(n, tree.Binary) and n.op in tree.ARITHMETIC

    def kept(n: Node, strict: bool) -> str:
        text = go(n, strict)
        return f"({keep(n)} := {text})" if keep is not None and looked_at(n, strict) else text

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
            case tree.Call(word="max" | "min" as word, args=(a, b)) if named(a, strict) and named(b, strict):
                (first, again), (second, repeated) = twice(a, strict), twice(b, strict)
                sign = ">" if word == "max" else "<"  # what max and min do, in a third of a call's time
                return f"({repeated} if {second} {sign} {first} else {again})"
            case tree.Call(word=word, args=args):
                return WORDS[word].scalar.format(", ".join(kept(a, strict) for a in args))

    def named(n: Node, strict: bool) -> bool:
        return isinstance(n, tree.Name | tree.Number | tree.Named) or looked_at(n, strict)

    def twice(n: Node, strict: bool) -> tuple[str, str]:
        """Code of an operand that has a name, and that name for its value again."""
        text = kept(n, strict)
        return text, text[1:].split(" := ", 1)[0] if looked_at(n, strict) else text

    return go(node, True)


def carried(node: Node) -> frozenset[str]:
    """Names of which a value beyond all floats makes the whole one beyond them: sums, products and numerators pass it on."""
    match node:
        case tree.Name(id=name):
            return frozenset({name})
        case tree.Unary(op="-", operand=a) | tree.Binary(op="/", left=a):
            return carried(a)
        case tree.Binary(op="+" | "-" | "*", left=a, right=b):
            return carried(a) | carried(b)
        case tree.Choice(then=a, otherwise=b):
            return carried(a) & carried(b)
        case _:
            return frozenset()


def array_code(node: Node, names: Mapping[str, str]) -> str:
    """Code of a tree for NumPy arrays, with the words of `irregular.array_words`."""

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
