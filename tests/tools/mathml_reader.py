"""MathML read back into a tree, as a person reads it: brackets, bars, exponents and braces, products before sums."""

from __future__ import annotations

from xml.etree import ElementTree

from tokensheet.tree import Binary, Call, Choice, Name, Node, Number, Unary

COMPARISONS = {"<": "<", "≤": "<=", ">": ">", "≥": ">=", "=": "==", "≠": "!="}
CLOSERS = {"|": "abs", "⌈": "ceil", "⌊": "floor"}
WORDS = {"max": "max", "min": "min", "ln": "log", "exp": "exp"}


def equation(text: str) -> tuple[str, Node]:
    """Name and tree of a `math` element on a line of its own."""
    math = ElementTree.fromstring(text)
    name, equals, *rest = list(math)
    assert math.get("display") == "block" and name.tag == "mi" and equals.text == "="
    return str(name.text), value(rest)


def value(parts: list[ElementTree.Element]) -> Node:
    """The tree of elements side by side; all of them are used, and a brace has nothing beside it."""
    if len(parts) == 1 and _is_bracketed(parts[0], "{"):
        return _cases(list(parts[0][1]))
    reader = _Reader(parts)
    found = reader.sum()
    assert reader.place == len(parts), f"left over: {reader.peek()}"
    return found


class _Reader:
    def __init__(self, parts: list[ElementTree.Element]) -> None:
        self.parts, self.place = parts, 0

    def peek(self) -> str:
        """The text of the next operator or word; empty at the end and before anything else."""
        if self.place == len(self.parts) or self.parts[self.place].tag not in {"mo", "mtext", "mi"}:
            return ""
        return "".join(self.parts[self.place].itertext()).strip(" \xa0")

    def take(self) -> ElementTree.Element:
        self.place += 1
        return self.parts[self.place - 1]

    def test(self) -> Node:
        """What holds or not; `and` and `or` never stand side by side without brackets."""
        found, joined = self.one_test(), self.peek()
        while self.peek() in {"and", "or"}:
            assert self.peek() == joined
            self.take()
            found = Binary(joined, found, self.one_test())
        return found

    def one_test(self) -> Node:
        if self.peek() == "not":
            self.take()
            return Unary("not", _test(list(self.take())[1:-1]))
        here = self.place
        element = self.parts[here]
        if _is_bracketed(element, "(") and here + 1 in {len(self.parts), self.next_word(here + 1)}:
            self.take()
            return _test(list(element)[1:-1])
        left = self.sum()
        op = COMPARISONS[self.peek()]
        self.take()
        return Binary(op, left, self.sum())

    def next_word(self, place: int) -> int:
        """The place itself where a word stands there that joins tests."""
        part = self.parts[place] if place < len(self.parts) else None
        return place if part is not None and part.tag == "mtext" else -1

    def sum(self) -> Node:
        found = self.product()
        while self.peek() in {"+", "−"}:
            op = "+" if self.take().text == "+" else "-"
            found = Binary(op, found, self.product())
        return found

    def product(self) -> Node:
        if self.peek() == "−":
            self.take()
            return Unary("-", self.product())
        found = self.atom()
        while self.peek() == "×":
            self.take()
            found = Binary("*", found, self.atom())
        return found

    def atom(self) -> Node:
        element = self.take()
        match element.tag:
            case "mi" if element.text in WORDS and self.bracket_follows():
                inside = list(self.take())[1:-1]
                return Call(WORDS[str(element.text)], tuple(map(value, _split(inside))))
            case "mi":
                return Name("".join(element.itertext()))
            case "mn":
                return Number(float(str(element.text)))
            case "mfrac":
                above, below = element
                return Binary("/", _single(above), _single(below))
            case "msup":
                base, exponent = element
                assert base.tag in {"mi", "mn", "msqrt"} or base[0].get("form") == "prefix", "an open base"
                return Binary("**", _single(base), _single(exponent))
            case "msqrt":
                return Call("sqrt", (value(list(element)),))
            case _:
                return _bracketed(element)

    def bracket_follows(self) -> bool:
        return self.place < len(self.parts) and _is_bracketed(self.parts[self.place], "(")


def _single(element: ElementTree.Element) -> Node:
    """The tree of an element that groups others, or is one by itself."""
    plain = element.tag == "mrow" and (not len(element) or element[0].get("form") != "prefix")
    return value(list(element) if plain else [element])


def _bracketed(element: ElementTree.Element) -> Node:
    first, *inside, last = element
    assert element.tag == "mrow" and first.get("form") == "prefix" and last.get("form") == "postfix"
    if first.text == "(":
        return value(inside)
    return _test(inside) if first.text == "[" else Call(CLOSERS[str(first.text)], (value(inside),))


def _is_bracketed(element: ElementTree.Element, sign: str) -> bool:
    return element.tag == "mrow" and len(element) > 0 and element[0].text == sign


def _test(parts: list[ElementTree.Element]) -> Node:
    reader = _Reader(parts)
    found = reader.test()
    assert reader.place == len(parts), f"left over: {reader.peek()}"
    return found


def _cases(rows: list[ElementTree.Element]) -> Node:
    *tested, last = [(list(row[0]), list(row[1])) for row in rows]
    assert [part.text for part in last[1]] == ["otherwise"]
    found = value(last[0])
    for then, (word, *when) in reversed(tested):
        assert word.text == "if\xa0"
        found = Choice(_test(when), value(then), found)
    return found


def _split(parts: list[ElementTree.Element]) -> list[list[ElementTree.Element]]:
    """Arguments between commas."""
    found: list[list[ElementTree.Element]] = [[]]
    for part in parts:
        if part.tag == "mo" and part.text == ",":
            found.append([])
        else:
            found[-1].append(part)
    return found
