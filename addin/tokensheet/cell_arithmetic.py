"""What a sheet's own operators do with values, failures and arrays: the tree of a cell's text becomes an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tokensheet.celltext import ArrayLiteral, CodeText, FunctionCall, Literal, Operation, Part

LARGEST_ARRAY = 10_000


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
            case Operation():
                return operation(p)

    def operation(last: Operation) -> Any:
        """A chain such as 1+2+3 from its left end, without a step down the stack for each of its operators."""
        chain = [last]
        while isinstance(inner := chain[-1].operands[0], Operation):
            chain.append(inner)
        found = go(chain[-1].operands[0])
        for step in reversed(chain):
            values = [found, *map(go, step.operands[1:])]
            found = broadcast(values, lambda *v, sign=step.sign: operate(sign, v, fail), fail)
        return found

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
