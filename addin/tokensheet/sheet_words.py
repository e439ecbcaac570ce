"""A few of a spreadsheet's own functions, so that a cell's text can be tried in the terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tokensheet import cell_arithmetic, celltext
from tokensheet.errors import CalculationError, MissingFactError
from tokensheet.failure import Failure
from tokensheet.functions import Functions, failure

Thunks = Sequence[Callable[[], Any]]


def run(text: str, functions: Functions) -> Any:
    """The value of a cell's text: plain value, Failure, or rows."""
    return run_part(celltext.parse(text), functions)


def run_part(part: celltext.Part, functions: Functions) -> Any:
    """The value of a piece of a cell's text that is read already."""

    def call(name: str, thunks: Thunks) -> Any:
        own = WORDS.get(name)
        return (
            own(thunks)
            if own and name not in functions.table
            else functions.call(name, [t() for t in thunks])
        )

    return cell_arithmetic.evaluate(part, call, failure)


def _flat(thunks: Thunks) -> list[Any]:
    flat: list[Any] = []
    for thunk in thunks:
        value = thunk()
        flat += [v for row in value for v in row] if isinstance(value, list) else [value]
    return flat


def _numbers(thunks: Thunks) -> list[float] | Failure:
    found: list[float] = []
    for value in _flat(thunks):
        if isinstance(value, Failure):
            return value
        if isinstance(value, (int, float)):
            found.append(float(value))
    return found


def _over(function: Callable[[list[float]], float]) -> Callable[[Thunks], Any]:
    def answer(thunks: Thunks) -> Any:
        numbers = _numbers(thunks)
        if isinstance(numbers, Failure):
            return numbers
        try:
            return function(numbers)
        except ArithmeticError as error:
            return Failure(f"no answer: {error}", CalculationError)

    return answer


def _each(function: Callable[..., float]) -> Callable[[Thunks], Any]:
    def one(*values: Any) -> Any:
        for value in values:
            if isinstance(value, Failure):
                return value
        try:
            return float(function(*(float(v or 0) for v in values)))
        except (ValueError, ArithmeticError, TypeError) as error:
            return Failure(f"no answer: {error}", CalculationError)

    return lambda thunks: cell_arithmetic.broadcast([t() for t in thunks], one, failure)


def _if(thunks: Thunks) -> Any:
    if not 2 <= len(thunks) <= 3:
        return failure("#VALUE!", "IF takes a test and one or two values")
    test = thunks[0]()
    if isinstance(test, Failure):
        return test
    if isinstance(test, list):
        branches = [t() for t in thunks[1:]]
        return cell_arithmetic.broadcast(
            [test, *branches], lambda t, a, b=False: t if isinstance(t, Failure) else (a if t else b), failure
        )
    if isinstance(test, str):
        return failure("#VALUE!", f'IF: "{test:.40}" is text, not a test')
    return thunks[1]() if test else (thunks[2]() if len(thunks) == 3 else False)


def _if_error(thunks: Thunks) -> Any:
    if len(thunks) != 2:
        return failure("#VALUE!", "IFERROR takes two values")
    return cell_arithmetic.broadcast(
        [t() for t in thunks], lambda a, b: b if isinstance(a, Failure) else a, failure
    )


def _is(word: str, test: Callable[[Any], bool]) -> Callable[[Thunks], Any]:
    def answer(thunks: Thunks) -> Any:
        if len(thunks) != 1:
            return failure("#VALUE!", f"{word} takes one value")
        return cell_arithmetic.broadcast([thunks[0]()], test, failure)

    return answer


def _round(value: float, digits: float = 0) -> float:
    scale = 10.0**digits
    return math.copysign(math.floor(abs(value) * scale + 0.5) / scale, value)


WORDS: dict[str, Callable[[Thunks], Any]] = {
    "SUM": _over(math.fsum),
    "MAX": _over(lambda v: max(v, default=0.0)),
    "MIN": _over(lambda v: min(v, default=0.0)),
    "AVERAGE": _over(lambda v: math.fsum(v) / len(v) if v else 0.0),
    "COUNT": lambda thunks: float(
        sum(isinstance(v, (int, float)) and not isinstance(v, bool) for v in _flat(thunks))
    ),
    "ABS": _each(abs),
    "SQRT": _each(math.sqrt),
    "LN": _each(lambda v: math.log(v)),
    "EXP": _each(math.exp),
    "INT": _each(math.floor),
    "ROUND": _each(_round),
    "ROUNDUP": _each(lambda v, d=0.0: math.copysign(math.ceil(abs(v) * 10**d) / 10**d, v)),
    "IF": _if,
    "IFERROR": _if_error,
    "ISERROR": _is("ISERROR", lambda v: isinstance(v, Failure)),
    "ISNUMBER": _is("ISNUMBER", lambda v: isinstance(v, (int, float)) and not isinstance(v, bool)),
    "NA": lambda thunks: Failure("NA()", MissingFactError),
}
