"""A workbook whose VBA runs in pyOpenVBA's interpreter, connected to Python through xlwings' own dispatch.

The interpreter does not know VBA functions in formulas, so that a macro writes their answers into cells.
"""

from __future__ import annotations

from pyopenvba.apps.excel import ExcelApplication
from pyopenvba.apps.excel import Range as Cells
from pyopenvba.interpreter._objects import VBAObject, method
from pyopenvba.interpreter._values import EMPTY, MISSING, VBAArray, VBAErrorValue, error

from tests.tools.fakewin import OMITTED, Range, Windows
from tokensheet.udf import ribbon, vba

BUTTONS = "tokensheet.buttons.excel"

# What only Excel has: the cell that calls, and the connection to Python.
STUBS = """
Public XLPy As Object
Public CallingCell As String

Sub Connect(ByVal python As Object)
    Set XLPy = python
End Sub

Function TestCaller() As Object
    If CallingCell <> "" Then Set TestCaller = Range(CallingCell)
End Function

Sub Fill(ByVal address As String, ByVal value As Variant)
    Range(address).Value = value
End Sub
"""
FORMULA = """
Sub Formula{number}()
    CallingCell = "{cell}"
    Range("{target}").Value = {text}
End Sub
"""


class Python(VBAObject):
    """The object that VBA knows as XLPy."""

    vba_type_name = "XLPython"

    def __init__(self, excel: Windows) -> None:
        self.excel = excel

    @method
    def CallUDF(
        self,
        module: object,
        name: object,
        arguments: object,
        book: object = MISSING,
        caller: object = MISSING,
    ) -> object:
        assert module in (vba.PYTHON_MODULE, BUTTONS)
        assert isinstance(arguments, VBAArray)
        try:
            found = self.excel.call(str(name), *map(to_python, arguments.items), module=str(module))
        except Exception as problem:
            message = f"Unexpected Python Error: Traceback (most recent call last):\n  …\n{problem!r}\n"
            raise error(1000, message) from problem
        return to_vba(found)


def to_python(value: object) -> object:
    """What pywin32 would make of a VBA value."""
    if isinstance(value, Cells):
        inside = value.vba_get("Value")
        rows = table(inside) if isinstance(inside, VBAArray) else [[inside]]
        return Range([[to_python(cell) for cell in row] for row in rows])
    if isinstance(value, VBAArray):
        return (
            tuple(map(to_python, value.items)) if value.dimensions == 1 else tuple(map(tuple, table(value)))
        )
    if isinstance(value, VBAErrorValue):
        return value.number - 2146828288
    if value is EMPTY:
        return None
    if value is MISSING:
        return OMITTED
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def table(array: VBAArray) -> list[list[object]]:
    (top, bottom), (left, right) = array.bounds
    return [[array.get([i, j]) for j in range(left, right + 1)] for i in range(top, bottom + 1)]


def to_vba(value: object) -> object:
    """What pywin32 would make of a Python value."""
    if not isinstance(value, list):
        return value
    if not isinstance(value[0], list):
        return VBAArray([(0, len(value) - 1)], items=list(value))
    height, width = len(value), len(value[0])
    by_column = [value[i][j] for j in range(width) for i in range(height)]
    return VBAArray([(0, height - 1), (0, width - 1)], items=by_column)


class Sheet:
    """A workbook with the functions in its VBA project."""

    def __init__(self, wrappers: str, excel: Windows, buttons: str = "") -> None:
        self.app = ExcelApplication()
        self.app.add_workbook()
        modules = {vba.HELPERS: vba.helpers(), vba.WRAPPERS: wrappers, ribbon.BUTTONS: buttons}
        for name, text in {"stubs": STUBS, **modules}.items():
            self.app.add_module(text.replace("Application.Caller", "TestCaller()"), name=name)
        self.app.run("Connect", Python(excel))
        self.count = 0

    def put(self, cell: str, text: str, target: str = "") -> object:
        """Writes a function's answer into its cell, or into all cells it spreads over."""
        self.count += 1
        target = target or cell
        code = FORMULA.format(number=self.count, cell=cell, target=target, text=text)
        self.app.add_module(code, name=f"formula{self.count}")
        self.app.run(f"Formula{self.count}")
        return self.value(target.partition(":")[0])

    def formula(self, cell: str, text: str) -> object:
        """Writes a formula of the spreadsheet's own functions."""
        self.app.sheet(1).set_value(cell, text)
        return self.app.sheet(1).value(cell)

    def value(self, cell: str) -> object:
        return self.app.sheet(1).value(cell)
