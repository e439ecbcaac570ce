"""Calculates a formula's tree piece by piece: slower than compiled code, and each failure names its piece."""

from __future__ import annotations

import math

from tokensheet import tree
from tokensheet.errors import CalculationError, DivisionError
from tokensheet.failure import Failure, Value
from tokensheet.printing.plain import plain
from tokensheet.tree import Node
from tokensheet.vocabulary import WORDS


def calculate(node: Node, read: object, where: str) -> Value:
    """A tree's number; `read(name)` gives the numbers of names. Errors name `where` and the piece of text."""
    assert callable(read)

    def truth(n: Node) -> bool | Failure:
        value = go(n)
        return value if isinstance(value, Failure) else value != 0

    def go(n: Node) -> Value:
        match n:
            case tree.Number(value=v) | tree.Named(value=v):
                return v
            case tree.Name(id=name):
                found = read(name)
                assert isinstance(found, float | int | Failure)
                return found
            case tree.Unary(op=op, operand=a):
                value = go(a)
                if isinstance(value, Failure):
                    return value
                return -value if op == "-" else float(value == 0)
            case tree.Binary(op=op, left=a, right=b) if op in tree.LOGIC:
                left = truth(a)
                if isinstance(left, Failure) or left == (op == "or"):
                    return left if isinstance(left, Failure) else float(left)
                right = truth(b)
                return right if isinstance(right, Failure) else float(right)
            case tree.Binary(op=op, left=a, right=b):
                left_value, right_value = go(a), go(b)
                if isinstance(left_value, Failure):
                    return left_value
                if isinstance(right_value, Failure):
                    return right_value
                return _binary(n, op, left_value, right_value, where)
            case tree.Choice(test=t, then=a, otherwise=b):
                test = truth(t)
                if isinstance(test, Failure):
                    return test
                return go(a) if test else go(b)
            case tree.Call(word=word, args=args):
                values: list[float] = []
                for arg in args:
                    value = go(arg)
                    if isinstance(value, Failure):
                        return value
                    values.append(value)
                try:
                    return _finite(float(WORDS[word].function(*values)), n, where)
                except (ValueError, OverflowError):
                    return Failure(
                        f"{where}: `{plain(n)}` has no answer for {', '.join(f'{v:g}' for v in values)}",
                        CalculationError,
                    )

    return go(node)


def _finite(value: float, node: Node, where: str) -> Value:
    if math.isfinite(value):
        return value
    return Failure(f"{where}: `{plain(node)}` is beyond the largest number", CalculationError)


def _binary(node: Node, op: str, a: float, b: float, where: str) -> Value:
    match op:
        case "+":
            return _finite(a + b, node, where)
        case "-":
            return _finite(a - b, node, where)
        case "*":
            return _finite(a * b, node, where)
        case "/":
            if b == 0:
                assert isinstance(node, tree.Binary)
                return Failure(f"{where}: divides by zero: `{plain(node.right)}` is 0", DivisionError)
            return _finite(a / b, node, where)
        case "**":
            try:
                return _finite(math.pow(a, b), node, where)
            except (ValueError, OverflowError):
                if a == 0:
                    return Failure(f"{where}: `{plain(node)}` divides by zero", DivisionError)
                return Failure(
                    f"{where}: `{plain(node)}` has no answer for {a:g} and {b:g}", CalculationError
                )
        case "<":
            return float(a < b)
        case "<=":
            return float(a <= b)
        case ">":
            return float(a > b)
        case ">=":
            return float(a >= b)
        case "==":
            return float(a == b)
        case _:
            return float(a != b)
