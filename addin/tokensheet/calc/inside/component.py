"""The LibreOffice side of the functions: passes each call to the person's Python and its answer back.

This file goes into the extension as it is and runs in LibreOffice's own Python, which has none of the
packages. It imports nothing but the standard library and UNO, and works with Python 3.8 and later.
"""

from __future__ import annotations

import struct
from typing import Any, Callable  # noqa: UP035 - collections.abc has no Callable[...] in Python 3.8

import unohelper  # type: ignore[import-not-found, unused-ignore]
from com.sun.star.lang import IllegalArgumentException
from org.tokensheet import XFunctions  # type: ignore[import-not-found, unused-ignore]
from tokensheet_process import (  # type: ignore[import-not-found, unused-ignore]
    PYTHON,
    NoAnswerError,
    recorded,
)

NAME = "org.tokensheet.Functions"

# Calc keeps an error value as a number that is none, with the error's own number in its last bytes.
ERRORS = {
    "#NULL!": 521,
    "#DIV/0!": 532,
    "#VALUE!": 519,
    "#REF!": 524,
    "#NAME?": 525,
    "#NUM!": 503,
    "#N/A": 32767,
}
CODES = {number: code for code, number in ERRORS.items()}
NOT_A_NUMBER = 0x7FF80000


def error_value(code: str) -> float:
    """The number that Calc shows as `#N/A` or another error value."""
    found: float = struct.unpack("<d", struct.pack("<II", ERRORS.get(code, 519), NOT_A_NUMBER))[0]
    return found


def code_of(number: float) -> str:
    """The error value that a number stands for."""
    return CODES.get(struct.unpack("<II", struct.pack("<d", number))[0] & 0xFFFF, "#VALUE!")


def to_python(value: Any) -> Any:
    """What Calc gives: number, text, None for an argument left out, rows of a range."""
    if isinstance(value, tuple):
        return [to_python(part) for part in value]
    if isinstance(value, float) and value != value:
        return {"error": code_of(value)}
    return value


def to_calc(value: Any) -> Any:
    """What a cell takes: number, text, truth, error value."""
    return error_value(value["error"]) if isinstance(value, dict) else value


def answer(name: str, values: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """What a cell gets. Why Python does not answer is told by `WHY`, as every other reason is."""
    try:
        rows = PYTHON.ask(name, [to_python(value) for value in values])
    except NoAnswerError as reason:
        if name == "WHY":
            return ((str(reason),),)
        raise IllegalArgumentException(str(reason), None, 0) from reason
    return tuple(tuple(to_calc(value) for value in row) for row in rows)


def method(name: str, many: bool) -> Callable[..., Any]:
    """The method that Calc calls; the last argument of some is a list of any number of arguments."""
    if many:
        return lambda self, *values: answer(name, values[:-1] + tuple(values[-1] or ()))
    return lambda self, *values: answer(name, values)


class Functions(unohelper.Base, XFunctions):  # type: ignore[misc, unused-ignore]
    """All functions; their methods are made from the list in the extension."""

    def __init__(self, context: Any) -> None:
        self.context = context


for listed in recorded()["functions"]:
    setattr(Functions, listed["name"], method(listed["name"], listed["many"]))

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Functions, NAME, ("com.sun.star.sheet.AddIn", NAME))
