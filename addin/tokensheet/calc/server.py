"""Answers the cells of Calc: one question a line on standard input, its answer a line on standard output.

A question is `["KV_BYTES", ["llama-2-70b", 4096, 8]]`, an answer rows of cells, `[[10737418240.0]]`.
An error value is `{"error": "#N/A", "reason": "…"}` in both. The menu asks `["@export", […]]` and gets
`{"text": …}` or `{"problem": …}`. The process ends when its input does.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from tokensheet.arguments import error_cell
from tokensheet.cell_function import CellFunction
from tokensheet.errors import TokensheetError
from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.udf.border import plain

NAMES = frozenset(("function", "kind", "id", "field", "what", "name", "options"))
"""Arguments, besides ids of records, that are texts."""
MENU = "@"
EXPORT, REFRESH, REFERENCE = "@export", "@refresh", "@reference"


def main() -> None:
    """Serves until the input ends; what plugins print goes to standard error."""
    from tokensheet.planning import shared

    lines, answers = sys.stdin, sys.stdout
    sys.stdout = sys.stderr
    served = Served(Functions(shared()))
    for line in lines:
        name, values = json.loads(line)
        answers.write(json.dumps(served.answer(name, values)) + "\n")
        answers.flush()


class Served:
    """The functions that answer, until the menu has the catalogue read again."""

    def __init__(self, functions: Functions) -> None:
        self.functions = functions

    def answer(self, name: str, values: Sequence[Any]) -> Any:
        """Rows for a cell; for the menu a text, or the problem."""
        if not name.startswith(MENU):
            return respond(self.functions, name, values)
        try:
            return {"text": self.chosen(name, values)}
        except TokensheetError as error:
            return {"problem": str(error)}

    def chosen(self, name: str, values: Sequence[Any]) -> str:
        """What an entry of the menu does, as text."""
        from tokensheet.buttons import page, plans, renewal

        if name == EXPORT:
            book, cells, formulas = values
            return str(plans.export_block(book, _failures(cells), formulas, self.functions))
        if name == REFRESH:
            before, self.functions = self.functions, renewal.renewed()
            return "\n".join(renewal.changes(before, self.functions))
        return str(page.written(self.functions))


def respond(functions: Functions, name: str, values: Sequence[Any]) -> list[list[Any]]:
    """The rows of an answer."""
    function = functions.table.get(name)
    texts = _texts(function, functions.planner.registry.roles) if function else frozenset()
    given = [_argument(value, place in texts) for place, value in enumerate(values)]
    found = functions.call(name, given)
    rows = found if isinstance(found, (list, tuple)) else [[found]]
    return [[_cell(v) for v in (row if isinstance(row, (list, tuple)) else [row])] for row in rows] or [[""]]


def _texts(function: CellFunction, roles: Any) -> frozenset[int]:
    """Places of the arguments that are texts."""
    return frozenset(
        place
        for place, a in enumerate(function.arguments)
        if not a.many and (a.name in roles or a.name in NAMES)
    )


def _argument(value: Any, is_text: bool) -> Any:
    """An argument as the engine takes it. Calc gives an empty cell as 0, which no text is."""
    if is_text and value == 0 and isinstance(value, (int, float)):
        return None
    return plain(_failures(value))


def _failures(value: Any) -> Any:
    if isinstance(value, dict):
        return error_cell(value["error"])
    if isinstance(value, list):
        return [_failures(part) for part in value]
    return value


def _cell(value: Any) -> Any:
    """A value as JSON and Calc take it."""
    if isinstance(value, Failure):
        return {"error": value.code, "reason": " ".join(value.reason.split())}
    if value is None:
        return ""
    return value if isinstance(value, (bool, str)) else float(value)


if __name__ == "__main__":
    main()
