"""xlwings Server's part of xlwings, asked for by name and with its licence, or not at all.

That part (`xlwings.server`, `xlwings.pro`) is not under BSD as the rest is: PolyForm Noncommercial 1.0.0,
or a paid licence. Nothing here imports it unless a person chose it, and nothing sets a key for them.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from inspect import Parameter, Signature
from types import SimpleNamespace
from typing import Any

from tokensheet.cell_function import CellFunction
from tokensheet.errors import TokensheetError
from tokensheet.functions import Functions
from tokensheet.server.cells import answer, given, office_cell
from tokensheet.udf.module import shortened

KEY = "XLWINGS_LICENSE_KEY"
TERMS = (
    "xlwings Server is under PolyForm Noncommercial 1.0.0 or a paid licence: set "
    f"{KEY} to noncommercial if your use is, or to the key that you bought"
)
POSITIONAL, REPEATING = Parameter.POSITIONAL_OR_KEYWORD, Parameter.VAR_POSITIONAL


class LicenceError(TokensheetError):
    """xlwings Server is asked for and may not be used."""


def xlwings_server() -> Any:
    """The module `xlwings.server`.

    Raises:
        LicenceError: xlwings is not installed, or no key says under which licence it is used.
    """
    if not os.environ.get(KEY):
        raise LicenceError(TERMS)
    try:
        import xlwings
        import xlwings.server
    except ModuleNotFoundError as missing:
        raise LicenceError('xlwings is not installed; pip install "tokensheet[server]"') from missing
    except Exception as refused:  # xlwings' own LicenseError, which exists only where xlwings does
        raise LicenceError(f"{refused}; {TERMS}") from refused
    return xlwings.server


def declared(functions: Functions, finish: Callable[[Any], Any]) -> dict[str, Callable[..., Any]]:
    """Each function as xlwings Server wants it, by name.

    Args:
        functions: what to declare
        finish: makes of the engine's answer what leaves xlwings

    Raises:
        LicenceError: see above.
    """
    server = xlwings_server()
    from xlwings.conversion import Accessor, Pipeline

    class Cells(Accessor):  # type: ignore[misc, unused-ignore]
        """Values as Office.js has them, past xlwings' own conversions, which lose error values."""

        @classmethod
        def reader(cls, options: Any) -> Any:
            """Stages from Excel to Python."""
            return Pipeline([_read])

        @classmethod
        def writer(cls, options: Any) -> Any:
            """Stages from Python to Excel."""
            return Pipeline([lambda context: setattr(context, "value", finish(context.value))])

    found: dict[str, Callable[..., Any]] = {}
    for name, function in functions.table.items():
        python = python_function(functions, function)
        for argument in function.arguments:
            python = server.arg(argument.name, Cells, doc=shortened(argument.text))(python)
        found[name] = server.func(server.ret(Cells)(python))
    return found


def _read(context: Any) -> None:
    context.value = given(context.value)


def python_function(functions: Functions, function: CellFunction) -> Callable[..., Any]:
    """A function with the names of the registry, so that whoever inspects it sees them."""

    def python(*values: Any) -> Any:
        return functions.call(function.name, values)

    python.__name__ = python.__qualname__ = function.name
    python.__doc__ = shortened(function.text)
    parameters = [
        Parameter(a.name, REPEATING)
        if a.many
        else Parameter(a.name, POSITIONAL, default=Parameter.empty if a.required else None)
        for a in function.arguments
    ]
    python.__dict__["__signature__"] = Signature(parameters)
    return python


def office_rows(found: Any) -> list[list[Any]]:
    """An answer with error values as Office.js writes them."""
    return [[office_cell(cell) for cell in row] for row in answer(found)]


def dispatch(functions: Functions) -> Callable[[str, list[Any]], list[list[Any]]]:
    """Calls a function by xlwings Server's own code; the arguments are those that Office.js gives.

    Raises:
        LicenceError: see above.
    """
    call = xlwings_server().custom_functions_call
    from xlwings import __version__

    module = SimpleNamespace(**declared(functions, answer))
    loop = asyncio.new_event_loop()

    def respond(name: str, passed: list[Any]) -> list[list[Any]]:
        data = {
            "func_name": name,
            "args": passed,
            "version": __version__,
            "client": "Office.js",
            "runtime": "1.4",
        }
        rows: list[list[Any]] = loop.run_until_complete(call(data, module))
        return rows

    return respond
