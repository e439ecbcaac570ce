"""Reads the text of a cell, `=KV_BYTES("llama-2-70b",4096,8)/2^30`, into a tree.

Numbers, text, TRUE and FALSE, error values, array constants `{"tp",4;"pp",2}`, percent, the operators
with Excel's precedence, and calls. There is no sheet here, so a cell reference is an error.
The text is untrusted: length and depth are bounded, nothing of it is run as code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tokensheet.checking import is_cell_address
from tokensheet.errors import ON_WINDOWS, CellTextError

LONGEST = 8192
"""Characters of a formula in Excel; in a file, whose spelling is longer, too."""
DEEPEST = 64
MOST_OPERATORS = 1000

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    | (?P<text>"(?:[^"]|"")*")
    | (?P<error>\#(?:N/A|VALUE!|NUM!|DIV/0!|NAME\?|REF!|NULL!))
    | (?P<name>[A-Za-z_\\][A-Za-z0-9_.]*)
    | (?P<sign><>|<=|>=|[-+*/^&=<>%(){},;])
    )""",
    re.X,
)


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, text, truth, error value (as CodeText) or None for an argument left out."""

    value: Any


@dataclass(frozen=True, slots=True)
class ArrayLiteral:
    """`{1,2;3,4}`."""

    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with one or two operands."""

    sign: str
    operands: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function and its arguments."""

    name: str
    arguments: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class CodeText:
    """An error value written in the text, `#N/A`."""

    code: str


Part = Literal | ArrayLiteral | Operation | FunctionCall

# sign → how strongly it binds, Excel's order; all are left associative, ^ too
BINDS = {"=": 1, "<>": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}


CURLY = "“”„«»‘’"
"""Quotes that programs for texts put in place of straight ones."""


def parse(text: str) -> Part:
    """The tree of a cell's text; a leading `=` may be left out.

    Raises:
        CellTextError: what was met, and at which character.
    """
    if len(text) > LONGEST:
        raise CellTextError(f"the text has {len(text)} characters; a cell holds {LONGEST}")
    body = text.strip()
    if not body:
        raise CellTextError('the text is empty; write a formula such as =KV_BYTES("llama-2-70b",4096,8)')
    if body.startswith("'"):
        raise CellTextError(f"the text begins with ': your shell passed the quotes on; {ON_WINDOWS}")
    return _Parser(body.removeprefix("=")).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        position = 0
        while position < len(text):
            if text[position:].isspace():
                break
            found = _TOKEN.match(text, position)
            if not found:
                character = text[position:].lstrip()[:1]
                hint = '; quotes are straight: "' if character in CURLY else ""
                raise CellTextError(
                    f"cannot read {character!r} at character {position + 1} of {text!r:.80}{hint}"
                )
            kind = str(found.lastgroup)
            self.tokens.append((kind, found[kind], found.start(kind)))
            position = found.end()
        self.at = 0
        self.depth = 0
        self.operators = 0

    def peek(self) -> str:
        return (
            self.tokens[self.at][1]
            if self.at < len(self.tokens) and self.tokens[self.at][0] == "sign"
            else ""
        )

    def take(self) -> tuple[str, str, int]:
        if self.at >= len(self.tokens):
            raise CellTextError(f"the text ends too early: {self.text!r:.80}")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, sign: str) -> None:
        kind, value, place = self.take()
        if kind != "sign" or value != sign:
            raise CellTextError(f"{sign!r} is missing before {value!r} at character {place + 1}")

    def whole(self) -> Part:
        part = self.expression(0)
        if self.at < len(self.tokens):
            _, value, place = self.tokens[self.at]
            raise CellTextError(
                f"cannot read {value!r} at character {place + 1}; an operator or comma is missing before it"
            )
        return part

    def expression(self, least: int) -> Part:
        self.depth += 1
        if self.depth > DEEPEST:
            raise CellTextError(f"brackets are nested deeper than {DEEPEST}")
        left = self.signed()
        while (sign := self.peek()) in BINDS and BINDS[sign] > least:
            self.operator()
            left = Operation(sign, (left, self.expression(BINDS[sign])))
        self.depth -= 1
        return left

    def operator(self) -> None:
        self.take()
        self.operators += 1
        if self.operators > MOST_OPERATORS:
            raise CellTextError(
                f"more than {MOST_OPERATORS:,} operators; give SUM a list, or split the formula"
            )

    def signed(self) -> Part:
        signs = []
        while self.peek() in {"-", "+"}:
            signs.append(self.take()[1])
        part = self.primary()
        while self.peek() == "%":
            self.operator()
            part = Operation("%", (part,))
        return Operation("negative", (part,)) if signs.count("-") % 2 else part

    def primary(self) -> Part:
        kind, value, place = self.take()
        if kind == "number":
            return Literal(float(value))
        if kind == "text":
            return Literal(value[1:-1].replace('""', '"'))
        if kind == "error":
            return Literal(CodeText(value))
        if kind == "name":
            return self.named(value, place)
        if value == "(":
            part = self.expression(0)
            self.expect(")")
            return part
        if value == "{":
            return self.array()
        raise CellTextError(f"cannot read {value!r} at character {place + 1}")

    def named(self, name: str, place: int) -> Part:
        if self.peek() == "(":
            self.take()
            return FunctionCall(name.upper(), self.arguments())
        if name.upper() in {"TRUE", "FALSE"}:
            return Literal(name.upper() == "TRUE")
        if is_cell_address(name):
            raise CellTextError(f"{name} is a cell; there is no sheet here, write its value")
        lost = "" if '"' in self.text or "(" not in self.text else f"; did a shell take them? {ON_WINDOWS}"
        raise CellTextError(
            f"{name} at character {place + 1} is not a number, text or function; put text in quotes{lost}"
        )

    def arguments(self) -> tuple[Part, ...]:
        found: list[Part] = []
        if self.peek() == ")":
            self.take()
            return ()
        while True:
            if self.peek() in {",", ")"}:
                found.append(Literal(None))
            else:
                found.append(self.expression(0))
            sign = self.peek()
            if sign == ";":
                raise CellTextError("arguments are separated by commas, not semicolons")
            if sign not in {",", ")"}:
                self.expect(")")
            self.take()
            if sign == ")":
                return tuple(found)

    def array(self) -> ArrayLiteral:
        rows: list[list[Any]] = [[]]
        while True:
            rows[-1].append(self.element())
            kind, sign, place = self.take()
            if kind != "sign" or sign not in {",", ";", "}"}:
                raise CellTextError(
                    f"cannot read {sign!r} at character {place + 1} of an array; write it as {{1,2;3,4}}"
                )
            if sign == ";":
                rows.append([])
            if sign == "}":
                break
        if len({len(r) for r in rows}) > 1:
            raise CellTextError("the rows of an array constant differ in length")
        return ArrayLiteral(tuple(map(tuple, rows)))

    def element(self) -> Any:
        negative = False
        while self.peek() in {"-", "+"}:
            negative ^= self.take()[1] == "-"
        kind, value, place = self.take()
        if kind == "number":
            number = float(value)
            while self.peek() == "%":
                self.take()
                number /= 100
            return -number if negative else number
        if kind == "text" and not negative:
            return value[1:-1].replace('""', '"')
        if kind == "name" and value.upper() in {"TRUE", "FALSE"}:
            return value.upper() == "TRUE"
        if kind == "error":
            return CodeText(value)
        raise CellTextError(
            f"an array constant holds numbers and texts, not {value!r} at character {place + 1}"
        )
