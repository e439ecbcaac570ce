"""The buttons as Excel calls them, through xlwings as it calls the functions in cells.

Each gives a text: what was made, or why not, with a mark before it. They carry no annotations, which xlwings would
take for converters.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from tokensheet.buttons import page, renewal
from tokensheet.buttons.plans import export_block, export_call
from tokensheet.errors import TokensheetError
from tokensheet.formula_text import first_call
from tokensheet.udf import functions as cells
from tokensheet.udf.border import MARK, cut
from tokensheet.udf.module import excel

LONGEST = 1000
"""Characters that a message box shows."""

Answer = Callable[..., Any]


def button(function: Answer) -> Answer:
    """A function that xlwings calls: a failure is a marked text, a file its path."""

    @wraps(function)
    def told(*given: Any) -> Any:
        try:
            found = function(*given)
        except TokensheetError as error:
            return MARK + cut(str(error), LONGEST)
        return str(found) if isinstance(found, Path) else found

    decorators = excel()
    if decorators is None:
        return told
    for name in inspect.signature(function).parameters:
        told = decorators.arg(name, decorators.cells)(told)
    return decorators.func(decorators.ret(decorators.cells)(told))  # type: ignore[no-any-return]


@button
def EXPORT_BLOCK(book, values, formulas):  # type: ignore[no-untyped-def]
    """Path of the workbook made from a block of cells."""
    return export_block(book, values, formulas, cells.ANSWERS.functions)


@button
def EXPORT_CALL(book, call):  # type: ignore[no-untyped-def]
    """Path of the workbook made from a function's call."""
    return export_call(book, call, cells.ANSWERS.functions)


@button
def CALL_IN(formula):  # type: ignore[no-untyped-def]
    """Name and argument texts of the first of our functions in a formula, as a row; empty without one."""
    found = first_call(formula, cells.ANSWERS.functions.planner.registry.functions)
    return [[found[0], *found[1]]] if found else ""


@button
def REFRESH():  # type: ignore[no-untyped-def]
    """What has changed now that plugins, tables and settings were read again."""
    before = cells.ANSWERS.functions
    cells.ANSWERS.renew(renewal.renewed())
    return cut("\n".join(renewal.changes(before, cells.ANSWERS.functions)), LONGEST)


@button
def REFERENCE():  # type: ignore[no-untyped-def]
    """Path of the reference as a page."""
    return page.written(cells.ANSWERS.functions)
