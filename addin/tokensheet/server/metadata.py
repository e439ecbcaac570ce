"""What Excel is told of the functions before it calls one: names, arguments and descriptions, as JSON.

The form is Microsoft's (custom functions metadata). Every argument takes ranges and error values.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tokensheet.cell_function import CellFunction
from tokensheet.errors import TokensheetError
from tokensheet.functions import Functions
from tokensheet.udf.module import shortened

NAME = re.compile(r"[A-Z][A-Z0-9._]{2,63}")
WHY = "WHY"


class MetadataError(TokensheetError):
    """A function cannot be offered to Excel."""


def metadata(functions: Functions) -> dict[str, Any]:
    """All functions as Excel reads them.

    Raises:
        MetadataError: a function has a name that Excel does not take from a web server.
    """
    return {
        "allowCustomDataForDataTypeAny": True,
        "allowErrorForDataTypeAny": True,
        "functions": [_function(function) for function in functions.table.values()],
    }


def _function(function: CellFunction) -> dict[str, Any]:
    if not NAME.fullmatch(function.name):
        raise MetadataError(
            f"function {function.name}: Excel takes 3 to 64 letters, digits, _ and . here; rename it"
        )
    # the address of the cell is what reasons are kept by; WHY(B2) needs that of its argument too
    options = {"requiresAddress": True}
    if function.name == WHY:
        options["requiresParameterAddresses"] = True
    return {
        "id": function.name,
        "name": function.name,
        "description": shortened(function.text),
        "parameters": [_parameter(a.name, a.text, a.required, a.many) for a in function.arguments],
        "result": {"dimensionality": "matrix", "type": "any"},
        "options": options,
    }


def _parameter(name: str, text: str, required: bool, many: bool) -> dict[str, Any]:
    found = {"name": name, "description": shortened(text), "type": "any", "dimensionality": "matrix"}
    if many:
        return {**found, "repeating": True}
    return found if required else {**found, "optional": True}


def script(functions: Functions, client: str, limits: dict[str, int]) -> str:
    """The functions as JavaScript: their names, then the code that asks the server for each.

    Args:
        functions: what to offer
        client: text of `client.js`
        limits: calls and bytes of one request, which the client keeps to
    """
    table = {"functions": {name: repeating_from(f) for name, f in functions.table.items()}, **limits}
    text = json.dumps(table, separators=(",", ":")).replace("<", "\\u003c")
    return f"const TOKENSHEET = {text};\n{client}"


def repeating_from(function: CellFunction) -> int | None:
    """How many arguments come before one that repeats; None where none does."""
    fixed = sum(not a.many for a in function.arguments)
    return fixed if fixed < len(function.arguments) else None
