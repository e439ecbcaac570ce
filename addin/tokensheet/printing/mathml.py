"""Layout → MathML, which browsers typeset without help."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from tokensheet.printing.layout import BRACKETS, Bracketed, Cases, Fraction, Layout, Power, Root, Row, Sign
from tokensheet.printing.typeset import typeset
from tokensheet.tree import Node

TAGS = {"number": "mn", "operator": "mo", "word": "mi"}


def equation(name: str, node: Node, shown: Callable[[str], str] = escape) -> str:
    """`name = …` as a `math` element on a line of its own.

    Args:
        name: of the step or formula
        node: its tree
        shown: what stands inside the element of a name, as markup: the name itself, or a link
    """
    return f'<math display="block">{_name(name, escape)}<mo>=</mo>{mathml(typeset(node), shown)}</math>'


def mathml(layout: Layout, shown: Callable[[str], str] = escape) -> str:
    """The elements of a layout, side by side where it is a row."""

    def one(part: Layout) -> str:
        """A single element."""
        return f"<mrow>{go(part)}</mrow>" if isinstance(part, Row) else go(part)

    def go(part: Layout) -> str:
        match part:
            case Sign(kind="name", text=text):
                return _name(text, shown)
            case Sign(kind="word", text=text) if text in {"and", "or", "not"}:
                return f"<mtext>&#160;{text}&#160;</mtext>"
            case Sign(kind=kind, text=text):
                return f"<{TAGS[kind]}>{escape(text)}</{TAGS[kind]}>"
            case Row(parts=parts):
                return "".join(map(go, parts))
            case Fraction(above=a, below=b):
                return f"<mfrac>{one(a)}{one(b)}</mfrac>"
            case Power(base=a, exponent=b):
                return f"<msup>{one(a)}{one(b)}</msup>"
            case Root(of=a):
                return f"<msqrt>{go(a)}</msqrt>"
            case Bracketed(of=a, pair=pair):
                left, right = BRACKETS[pair]
                return f'<mrow><mo form="prefix">{left}</mo>{go(a)}<mo form="postfix">{right}</mo></mrow>'
            case Cases(rows=rows):
                lines = "".join(_case(go(value), None if test is None else go(test)) for value, test in rows)
                return f'<mrow><mo form="prefix">{{</mo><mtable>{lines}</mtable></mrow>'

    return go(layout)


def _name(text: str, shown: Callable[[str], str]) -> str:
    """A name is upright; browsers slant a single letter unless they are told."""
    upright = ' mathvariant="normal"' if len(text) == 1 else ""
    return f"<mi{upright}>{shown(text)}</mi>"


def _case(value: str, test: str | None) -> str:
    when = "<mtext>otherwise</mtext>" if test is None else f"<mtext>if&#160;</mtext>{test}"
    return f"<mtr><mtd>{value}</mtd><mtd>{when}</mtd></mtr>"
