"""Reads the text of a cell, `=KV_BYTES("llama-2-70b",4096,8)/2^30`, into a tree and evaluates it.

Numbers, text, TRUE and FALSE, error values, array constants `{"tp",4;"pp",2}`, percent, the operators
with Excel's precedence, and calls. There is no sheet here, so a cell reference is an error.
The text is untrusted: length and depth are bounded, nothing of it is run as code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tokensheet.arguments import CODES
from tokensheet.checking import is_cell_address
from tokensheet.errors import CellTextError

LONGEST = 8192
DEEPEST = 64
LARGEST_ARRAY = 100_000

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
                raise CellTextError(f"cannot read {character!r} at character {position + 1} of {text!r:.80}")
            kind = str(found.lastgroup)
            self.tokens.append((kind, found[kind], found.start(kind)))
            position = found.end()
        self.at = 0
        self.depth = 0

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
            self.take()
            left = Operation(sign, (left, self.expression(BINDS[sign])))
        self.depth -= 1
        return left

    def signed(self) -> Part:
        signs = []
        while self.peek() in {"-", "+"}:
            signs.append(self.take()[1])
        part = self.primary()
        while self.peek() == "%":
            self.take()
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
        raise CellTextError(
            f"{name} at character {place + 1} is not a number, text or function; put text in quotes"
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


def evaluate(
    part: Part, call: Callable[[str, Sequence[Callable[[], Any]]], Any], fail: Callable[[str, str], Any]
) -> Any:
    """The value of a tree: number, text, truth, None, failure, or rows of these.

    Args:
        part: the tree
        call: answers a function, given its arguments as thunks, so that IF may leave one alone
        fail: makes a failure of an error value and a reason
    """

    def go(p: Part) -> Any:
        match p:
            case Literal(value=CodeText(code=code)):
                return fail(code, f"the text says {code}")
            case Literal(value=value):
                return value
            case ArrayLiteral(rows=rows):
                return [
                    [fail(v.code, f"the text says {v.code}") if isinstance(v, CodeText) else v for v in r]
                    for r in rows
                ]
            case FunctionCall(name=name, arguments=arguments):
                return call(name, [lambda a=a: go(a) for a in arguments])  # type: ignore[misc]
            case Operation(sign=sign, operands=operands):
                return broadcast([go(o) for o in operands], lambda *v: operate(sign, v, fail), fail)

    return go(part)


def broadcast(values: Sequence[Any], one: Callable[..., Any], fail: Callable[[str, str], Any]) -> Any:
    """Applies `one` element by element, as Excel does: single rows, columns and cells are repeated."""
    if not any(isinstance(v, list) for v in values):
        return one(*values)
    grids = [v if isinstance(v, list) else [[v]] for v in values]
    rows, columns = max(len(g) for g in grids), max(len(g[0]) for g in grids)
    if rows * columns > LARGEST_ARRAY:
        return fail("#NUM!", f"an array of {rows} × {columns} is too large")

    def pick(grid: list[list[Any]], i: int, j: int) -> Any:
        i, j = (0 if len(grid) == 1 else i), (0 if len(grid[0]) == 1 else j)
        if i >= len(grid) or j >= len(grid[0]):
            return fail("#N/A", "an array is shorter than the other")
        return grid[i][j]

    return [[one(*(pick(g, i, j) for g in grids)) for j in range(columns)] for i in range(rows)]


def operate(sign: str, values: tuple[Any, ...], fail: Callable[[str, str], Any]) -> Any:
    """One operator on single values; the first failure passes through."""
    for value in values:
        if hasattr(value, "reason"):
            return value
    if sign == "&":
        return "".join(as_text(v) for v in values)
    if sign in {"=", "<>", "<", ">", "<=", ">="}:
        return _compare(sign, *values)
    numbers: list[float] = []
    for value in values:
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                return fail("#VALUE!", f'"{value:.40}" is text, not a number')
        numbers.append(float(value or 0))
    return _arithmetic(sign, numbers, fail)


def _arithmetic(sign: str, numbers: list[float], fail: Callable[[str, str], Any]) -> Any:
    try:
        match sign, numbers:
            case "negative", [a]:
                result = -a
            case "%", [a]:
                result = a / 100
            case "+", [a, b]:
                result = a + b
            case "-", [a, b]:
                result = a - b
            case "*", [a, b]:
                result = a * b
            case "/", [a, b]:
                result = a / b
            case _, [a, b]:
                power = a**b if (a, b) != (0.0, 0.0) else float("nan")
                result = power if isinstance(power, float) else float("nan")
            case _:
                raise ValueError(sign)
    except ZeroDivisionError:
        return fail("#DIV/0!", "division by zero")
    except OverflowError:
        return fail("#NUM!", "beyond the largest number")
    if result - result != 0:
        return fail("#NUM!", "the arithmetic has no answer")
    return result


def _rank(value: Any) -> tuple[int, Any]:
    """Excel orders numbers before texts before truths; texts without case."""
    if isinstance(value, bool):
        return 2, value
    if isinstance(value, str):
        return 1, value.lower()
    return 0, float(value or 0)


def _compare(sign: str, a: Any, b: Any) -> bool:
    if a is None and isinstance(b, str):
        a = ""
    if b is None and isinstance(a, str):
        b = ""
    left, right = _rank(a), _rank(b)
    match sign:
        case "=":
            return left == right
        case "<>":
            return left != right
        case "<":
            return left < right
        case ">":
            return left > right
        case "<=":
            return left <= right
        case _:
            return left >= right


def as_text(value: Any) -> str:
    """A value as a cell shows it in General format with all digits."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        if value == int(value) and abs(value) < 1e15:
            return str(int(value))
        return repr(float(value)).upper() if "e" in repr(float(value)) else repr(float(value))
    return str(value)


__all__ = ["CODES", "CodeText", "as_text", "broadcast", "evaluate", "parse"]
