"""Tree → the layout of typeset mathematics: fractions, powers, brackets, cases. MathML and LaTeX are written from it."""

from __future__ import annotations

from collections.abc import Sequence

from tokensheet import tree
from tokensheet.printing.excel import number_text
from tokensheet.printing.layout import BRACKETS, Bracketed, Cases, Fraction, Layout, Power, Root, Row, Sign
from tokensheet.printing.plain import BINDS
from tokensheet.tree import Node

SIGNS = {"-": "−", "*": "×", "<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}
PRODUCT, SUM = BINDS["*"], BINDS["+"]


def typeset(node: Node) -> Layout:
    """The layout of a tree whose value is a number."""
    match node:
        case tree.Number(value=v):
            return _number(v)
        case tree.Named(name=n) | tree.Name(id=n):
            return Sign("name", n)
        case tree.Unary(op="-", operand=a):
            return Row((Sign("operator", "−"), _operand(a, PRODUCT + 1)))
        case tree.Binary(op="*" | "/"):
            above, below = _factors(node)
            return Fraction(_product(above), _product(below)) if below else _product(above)
        case tree.Binary(op="**", left=a, right=b):
            return Power(typeset(a) if _is_closed(a) else Bracketed(typeset(a)), typeset(b))
        case tree.Binary(op=op, left=a, right=b) if op in tree.ARITHMETIC:
            return _row(op, _operand(a, SUM), _operand(b, SUM + 1))
        case tree.Choice():
            return Cases(tuple(_cases(node)))
        case tree.Call(word=word, args=args):
            return _call(word, args)
        case _:
            return Bracketed(condition(node), "truth")


def condition(node: Node) -> Layout:
    """The layout of a tree that holds or not; a number holds where it is not 0."""
    match node:
        case tree.Binary(op=op, left=a, right=b) if op in tree.COMPARISONS:
            return _row(op, _operand(a, BINDS[op]), _operand(b, BINDS[op]))
        case tree.Binary(op=op, left=a, right=b) if op in tree.LOGIC:
            return Row((_part(a, op), Sign("word", op), _part(b, op)))
        case tree.Unary(op="not", operand=a) if tree.is_truth(a):
            return Row((Sign("word", "not"), Bracketed(condition(a))))
        case tree.Unary(op="not", operand=a):
            return _row("==", _operand(a, BINDS["=="]), Sign("number", "0"))
        case _:
            return _row("!=", _operand(node, BINDS["!="]), Sign("number", "0"))


def _row(op: str, left: Layout, right: Layout) -> Row:
    return Row((left, Sign("operator", SIGNS.get(op, op)), right))


def _factors(node: Node) -> tuple[list[Node], list[Node]]:
    """What is multiplied and what it is divided by: `a / b * c / d` is `a c` over `b d`."""
    match node:
        case tree.Binary(op="*", left=a, right=b):
            above, below = _factors(a)
            return [*above, b], below
        case tree.Binary(op="/", left=a, right=b):
            above, below = _factors(a)
            return above, [*below, b]
        case _:
            return [node], []


def _product(factors: Sequence[Node]) -> Layout:
    if len(factors) == 1:
        return typeset(factors[0])
    parts: list[Layout] = [_operand(factors[0], PRODUCT)]
    for factor in factors[1:]:
        parts += [Sign("operator", "×"), _operand(factor, PRODUCT + 1)]
    return Row(tuple(parts))


def _part(node: Node, op: str) -> Layout:
    """An operand of `and` or `or`; one inside the other has brackets."""
    inner = isinstance(node, tree.Binary) and node.op in tree.LOGIC and node.op != op
    return Bracketed(condition(node)) if inner else condition(node)


def _operand(node: Node, least: int) -> Layout:
    """A number's layout, bracketed when it binds weaker than `least`."""
    match node:
        case tree.Binary(op="+" | "-"):
            weak = least > SUM
        case tree.Binary(op="*"):
            weak = least > PRODUCT and not isinstance(typeset(node), Fraction)
        case tree.Unary(op="-"):
            weak = least > SUM
        case tree.Number(value=v):
            weak = (v < 0 and least > SUM) or (least > PRODUCT and isinstance(_number(v), Row))
        case tree.Choice():
            weak = True
        case _:
            weak = False
    return Bracketed(typeset(node)) if weak else typeset(node)


def _is_closed(node: Node) -> bool:
    """Whether an exponent can stand at it without brackets."""
    match node:
        case tree.Number(value=v):
            return v >= 0 and isinstance(_number(v), Sign)
        case tree.Call(word=word):
            return word in BRACKETS or word == "sqrt"
        case _:
            return isinstance(node, tree.Name | tree.Named) or tree.is_truth(node)


def _number(value: float) -> Layout:
    mantissa, _, exponent = number_text(abs(value)).partition("E")
    found: Layout = Sign("number", mantissa)
    if exponent:
        power = Power(Sign("number", "10"), _number(float(exponent)))
        found = power if mantissa in {"1", "1.0"} else Row((found, Sign("operator", "×"), power))
    return found if value >= 0 else Row((Sign("operator", "−"), found))


def _cases(node: tree.Choice) -> Sequence[tuple[Layout, Layout | None]]:
    """A choice and those in its last branch, as rows."""
    rows: list[tuple[Layout, Layout | None]] = []
    rest: Node = node
    while isinstance(rest, tree.Choice):
        rows.append((_operand(rest.then, 0), condition(rest.test)))
        rest = rest.otherwise
    return [*rows, (typeset(rest), None)]


def _call(word: str, args: tuple[Node, ...]) -> Layout:
    if word in BRACKETS:
        return Bracketed(typeset(args[0]), word)
    if word == "sqrt":
        return Root(typeset(args[0]))
    parts: list[Layout] = []
    for arg in args:
        parts += [Sign("operator", ","), _operand(arg, 0)]
    return Row((Sign("word", "ln" if word == "log" else word), Bracketed(Row(tuple(parts[1:])))))
