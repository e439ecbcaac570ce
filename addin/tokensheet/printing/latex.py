"""Layout → LaTeX, which GitHub typesets in a block of `math`."""

from __future__ import annotations

from collections.abc import Iterable

from tokensheet.printing.layout import BRACKETS, Bracketed, Cases, Fraction, Layout, Power, Root, Row, Sign
from tokensheet.printing.typeset import typeset
from tokensheet.tree import Node

OPERATORS = {"−": "-", "×": r" \times ", "≤": r" \le ", "≥": r" \ge ", "≠": r" \ne ", ",": ",\\ "}
DELIMITERS = {"⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor", "⌋": r"\rfloor", "|": r"\vert"}


def equations(lines: Iterable[tuple[str, Node]]) -> str:
    """Names with their trees, one below the other, aligned at the equals signs."""
    rows = [f"{_upright(name)} &= {latex(typeset(node))}" for name, node in lines]
    if len(rows) == 1:
        return rows[0].replace(" &= ", " = ", 1)
    return "\n".join([r"\begin{aligned}", " \\\\\n".join(rows), r"\end{aligned}"])


def latex(layout: Layout) -> str:
    """The text of a layout."""
    match layout:
        case Sign(kind="name", text=text):
            return _upright(text)
        case Sign(kind="operator", text=text):
            return OPERATORS.get(text, f" {text} ")
        case Sign(kind="word", text=text):
            return rf"\text{{ {text} }}" if text in {"and", "or", "not"} else rf"\{text}"
        case Sign(text=text):
            return text
        case Row(parts=parts):
            return "".join(map(latex, parts))
        case Fraction(above=a, below=b):
            return rf"\frac{{{latex(a)}}}{{{latex(b)}}}"
        case Power(base=a, exponent=b):
            return f"{latex(a)}^{{{latex(b)}}}"
        case Root(of=a):
            return rf"\sqrt{{{latex(a)}}}"
        case Bracketed(of=a, pair=pair):
            left, right = (DELIMITERS.get(sign, sign) for sign in BRACKETS[pair])
            return rf"\left{left} {latex(a)} \right{right}"
        case Cases(rows=rows):
            lines = (_case(latex(value), None if test is None else latex(test)) for value, test in rows)
            return " ".join([r"\begin{cases}", " \\\\ ".join(lines), r"\end{cases}"])


def _upright(name: str) -> str:
    """A name as text: it is no product of letters."""
    return "".join([r"\mathrm{", name.replace("_", r"\_"), "}"])


def _case(value: str, test: str | None) -> str:
    return rf"{value} & \text{{otherwise}}" if test is None else rf"{value} & \text{{if }} {test}"
