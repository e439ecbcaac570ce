"""Which program Excel starts: xlwings' VBA that reads the settings, as it lies in the add-in, run by an interpreter.

Untouched, a sheet of whatever workbook is open, or a file beside it, names the program: who mails a workbook would
choose what runs on the reader's machine.
"""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from pyopenvba.apps.excel import ExcelApplication

from tokensheet.functions import Functions
from tokensheet.udf import addin

OWN = r"C:\Users\ann\.tokensheet\tokensheet.conf"
MAILED = r"C:\mail\tokensheet.conf"
MACHINE = r"C:\addin\tokensheet.conf"
PARTS = ("GetConfig", "GetConfigFilePath", "GetConfigFromSheet", "SheetExists")

# The disk and the environment, which the interpreter keeps away from.
STUBS = r"""
Public There As String

Sub Lie(ByVal paths As String)
    There = paths
End Sub

Function FileExists(ByVal path As String) As Boolean
    FileExists = (InStr(There, "|" & path & "|") > 0)
End Function

Function GetConfigFromFile(sFile As String, sName As String, Optional sValue As String) As Boolean
    sValue = sFile
    GetConfigFromFile = True
End Function

Function AddinPath() As String
    AddinPath = "C:\addin"
End Function

Function Environ(ByVal name As String) As String
    Environ = "C:\Users\ann"
End Function

Function ExpandEnvironmentStrings(ByVal text As Variant) As Variant
    ExpandEnvironmentStrings = text
End Function

Function GetFullName(wb) As String
    GetFullName = "C:\mail\book.xlsx"
End Function

Function GetDirectoryConfigFilePath() As String
    GetDirectoryConfigFilePath = "C:\mail\tokensheet.conf"
End Function
"""
ASK = """
Function Interpreter() As String
    Interpreter = GetConfig("INTERPRETER_WIN", "none")
End Function

Sub MakeSheet()
    Sheets.Add
    ActiveSheet.Name = "tokensheet.conf"
    Range("A1").Value = "INTERPRETER_WIN"
    Range("B1").Value = "a program of somebody else"
End Sub
"""


def part(text: str, name: str) -> str:
    found = re.search(rf"^(?:Public )?Function {name}\b.*?^End Function", text, re.M | re.S)
    assert found, name
    return found[0].replace("ThisWorkbook.Path", "AddinPath()")


def named(connection: str, *there: str, sheet: bool = False) -> object:
    """Where the settings come from when some files are there, and a sheet of settings in the open workbook."""
    head = '#Const App = "Microsoft Excel"\nPublic Const PROJECT_NAME As String = "tokensheet"\n'
    app = ExcelApplication()
    app.add_workbook()
    app.add_module(STUBS, name="stubs")
    app.add_module(head + "\n".join(part(connection, name) for name in PARTS), name="connection")
    app.add_module(ASK, name="ask")
    if sheet:
        app.run("MakeSheet")
    app.run("Lie", f"|{'|'.join(there)}|")
    return app.evaluate("Interpreter()")


@pytest.fixture(scope="module")
def connection(functions: Functions) -> str:
    return addin.modules(functions)[addin.CONNECTION]


@pytest.mark.parametrize(
    ("there", "sheet", "wanted"),
    [
        ((OWN,), False, OWN),
        ((OWN,), True, OWN),
        ((OWN, MAILED), False, OWN),
        ((MAILED,), True, "none"),
        ((OWN, MACHINE), False, MACHINE),
        ((MACHINE, MAILED), True, MACHINE),
        ((), False, "none"),
    ],
)
def test_only_the_add_ins_own_files_count(
    connection: str, there: tuple[str, ...], sheet: bool, wanted: str
) -> None:
    assert named(connection, *there, sheet=sheet) == wanted


def test_untouched_the_workbook_would_choose() -> None:
    """Shows that the test above can fail."""
    text = files("xlwings").joinpath("xlwings_custom_addin.bas").read_text(encoding="utf-8-sig")
    untouched = text.replace("myaddin", "tokensheet")
    assert named(untouched, OWN, sheet=True) == "a program of somebody else"
    assert named(untouched, OWN, MAILED) == MAILED


def test_another_connection_is_a_loud_error(functions: Functions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addin, "CHANGES", (*addin.CHANGES, ("a line that is not there", "another")))
    with pytest.raises(addin.AddinError, match="is of another form"):
        addin.modules(functions)
