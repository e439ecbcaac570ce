"""The VBA text of the functions: xlwings' own wrappers, with errors that are error values.

Python cannot send an error value to Excel, and xlwings writes the text of an exception into the cell,
where a SUM skips it. So each wrapper passes its answer through `tokensheet_errors.bas`.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from types import ModuleType, SimpleNamespace
from typing import Any

from tokensheet.errors import TokensheetError
from tokensheet.functions import Functions
from tokensheet.udf.module import Excel, made

PYTHON_MODULE = "tokensheet.udf.functions"
WRAPPERS = "tokensheet_udfs"
HELPERS = "tokensheet_errors"
BOOK = "tokensheet.xlam"

FUNCTION = re.compile(r"^Function (\w+)\(", re.MULTILINE)
ANSWER = re.compile(r"^( *)(\w+) = (XLPy\.CallUDF\(.*\))$", re.MULTILINE)
WORKBOOK = re.compile(r", ActiveWorkbook, Application\.Caller\)\)$", re.MULTILINE)
"""What xlwings does with the workbook is look for Python code in its sheets; this program wants none of that."""
FAILED = re.compile(r"^( *)(\w+) = Err\.Description$", re.MULTILINE)
TITLE = 'Attribute VB_Name = "xlwings_udfs"'
HEAD = f"""{TITLE.replace("xlwings_udfs", WRAPPERS)}
' The functions in cells, written from the registry; changes here are lost.
#Const App = "Microsoft Excel"
"""
WHY = re.compile(r"^(Function WHY\((\w+), ParamArray (\w+)\(\)\))$", re.MULTILINE)
ASKED = r"\1\n    If TS_ASKED(\2, UBound(\3)) Then WHY = TS_REASON(\2): Exit Function"


class WrapperError(TokensheetError):
    """The installed xlwings writes other wrappers than the ones that are known here."""


def helpers() -> str:
    """Text of the module that makes error values."""
    return files("tokensheet.udf").joinpath(f"{HELPERS}.bas").read_text(encoding="utf-8")


def wrappers(functions: Functions) -> str:
    """Text of the module with one wrapper for each function.

    Raises:
        WrapperError: xlwings' text is not as expected.
    """
    with generator() as udfs:
        from tokensheet.udf.cells import Cells

        made_functions = made(functions, Excel(udfs.xlfunc, udfs.xlarg, udfs.xlret, Cells))
        text = io.StringIO()
        udfs.generate_vba_wrapper(
            PYTHON_MODULE, SimpleNamespace(**made_functions), text, SimpleNamespace(Name=BOOK)
        )
    return HEAD + error_values(text.getvalue(), made_functions)


def error_values(text: str, functions: Mapping[str, object]) -> str:
    """The wrappers of xlwings with answers and failures passed through the helpers, and no workbook passed on.

    Every substitution is counted: a wrapper of another form must not pass unnoticed.

    Raises:
        WrapperError: a count is wrong.
    """
    count = len(functions)
    text, answers = ANSWER.subn(r"\1\2 = TS_RESULT(\3)", text)
    text, workbooks = WORKBOOK.subn(", Nothing, Application.Caller))", text)
    text, failures = FAILED.subn(r"\1\2 = TS_FAILED(Err.Description)", text)
    text, asked = WHY.subn(ASKED, text)
    written = FUNCTION.findall(text)
    found = (sorted(written), answers, workbooks, failures, asked)
    if found != (sorted(functions), 2 * count, count, count, int("WHY" in functions)):
        raise WrapperError(
            f"this xlwings writes other wrappers: {count} functions asked for, {len(written)} written, with "
            f"{answers} calls, {workbooks} workbooks, {failures} failing branches and {asked} ways into WHY; install the xlwings "
            "that tokensheet[excel] asks for"
        )
    return text


@contextmanager
def generator() -> Iterator[Any]:
    """The module of xlwings that writes wrappers.

    It imports pywin32, which exists on Windows only and which writing text does not need: elsewhere
    empty modules stand in for it meanwhile.
    """
    import xlwings

    if sys.platform == "win32" or "pythoncom" in sys.modules:
        from xlwings import udfs

        yield udfs
        return
    names = ("pythoncom", "pywintypes", "win32com", "win32com.client")
    empty = {name: ModuleType(name) for name in names}
    empty["pythoncom"].__dict__.update(CoInitialize=None)
    empty["win32com.client"].__dict__.update(Dispatch=None)
    sys.modules.update(empty)
    try:
        from xlwings import udfs

        yield udfs
    finally:
        for name in (*names, "xlwings.udfs"):
            sys.modules.pop(name, None)
        vars(xlwings).pop("udfs", None)
