"""Who answers a call: the engine itself, or xlwings Server's dispatch for those who want it between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.server.cells import answer, given, size
from tokensheet.server.metadata import repeating_from
from tokensheet.server.server_settings import XLWINGS

Answering = Callable[[str, Sequence[Any]], list[list[Any]]]
"""Name of a function and its arguments as Office.js gives them → rows."""


def answering(functions: Functions, through: str, most_cells: int) -> Answering:
    """What answers calls.

    Args:
        functions: what can be asked
        through: `tokensheet`, or `xlwings` for xlwings Server's dispatch
        most_cells: an answer with more cells is refused before it is calculated

    Raises:
        LicenceError: xlwings is asked for, and not installed or without a key.
    """
    asked = by_xlwings(functions) if through == XLWINGS else by_engine(functions)

    def respond(name: str, values: Sequence[Any]) -> list[list[Any]]:
        cells = size(values)
        if cells > most_cells:
            reason = f"{name}: the answer has {cells} cells; this server gives {most_cells}, give fewer"
            return answer(Failure(reason))
        return asked(name, values)

    return respond


def by_engine(functions: Functions) -> Answering:
    """The engine itself."""
    return lambda name, values: answer(functions.call(name, [given(value) for value in values]))


def by_xlwings(functions: Functions) -> Answering:
    """The same functions, called by xlwings Server's own code.

    Raises:
        LicenceError: xlwings is not installed, or without a key.
    """
    from tokensheet.server.licensed import dispatch

    call = dispatch(functions)

    def respond(name: str, values: Sequence[Any]) -> list[list[Any]]:
        function = functions.table.get(name)
        if function is None:
            return answer(functions.call(name, values))
        fixed = repeating_from(function)
        if fixed is not None:
            return call(name, [*values[:fixed], list(values[fixed:])])
        if len(values) > len(function.arguments):  # xlwings would not say which
            return answer(functions.call(name, values))
        return call(name, list(values))

    return respond
