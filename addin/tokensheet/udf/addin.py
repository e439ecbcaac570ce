"""The add-in file, built without Excel: the functions, their error values and xlwings' connection to Python.

It stands alone: xlwings' own add-in is not needed, nor is access to the VBA project in Excel's trust
settings. The connection is a library of one version of xlwings, so that the file fits that version only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from tokensheet.errors import TokensheetError
from tokensheet.functions import Functions
from tokensheet.udf import ribbon, vba
from tokensheet.udf.module import shortened

NAME = "tokensheet"
USER_DEFINED = 14
"""Number of the category that Excel's wizard shows the functions in."""

CODE_PAGE = "cp1252"
CONNECTION = "xlwings"
DICTIONARY = "Dictionary"
CHANGES = (
    ('PROJECT_NAME As String = "myaddin"', f'PROJECT_NAME As String = "{NAME}"'),
    ('If source = "" Or source = "sheet" Then', 'If source = "sheet" Then'),
    ('If source = "" Or source = "directory" Then', 'If source = "directory" Then'),
    (
        'GetConfigFilePath = Environ("USERPROFILE") &',
        'GetConfigFilePath = ThisWorkbook.Path & "\\" & PROJECT_NAME & ".conf"\n'
        '        If Not FileExists(GetConfigFilePath) Then GetConfigFilePath = Environ("USERPROFILE") &',
    ),
)
"""What is changed in xlwings' connection: the name; a sheet or a file beside whatever workbook is open must not
say which program is started; settings beside the add-in, which an administrator places, come before a person's."""
OWN = (vba.HELPERS, vba.WRAPPERS, ribbon.BUTTONS)
"""Modules that are written as text too, to be read."""
SIGNATURE = re.compile(r"^Function (\w+)\(.*\)$", re.MULTILINE)


class AddinError(TokensheetError):
    """The add-in cannot be built from what is installed."""


def modules(functions: Functions) -> dict[str, str]:
    """Text of each VBA module of the add-in, by name.

    Raises:
        AddinError: xlwings is not installed, or of a form that is not known.
    """
    try:
        package = files("xlwings")
        installed = version("xlwings")
    except ModuleNotFoundError as missing:
        raise AddinError('the add-in needs xlwings; pip install "tokensheet[excel]"') from missing
    connection = package.joinpath("xlwings_custom_addin.bas").read_text(encoding="utf-8-sig")
    dictionary = package.joinpath("addin", "Dictionary.cls").read_text(encoding="utf-8-sig")
    libraries = set(re.findall(r"xlwings(?:32|64)-([\w.]+)\.dll", connection))
    if libraries != {installed} or any(connection.count(old) != 1 for old, _ in CHANGES):
        raise AddinError(
            f"the VBA part of xlwings {installed} is of another form; install the xlwings that "
            "tokensheet[excel] asks for"
        )
    for old, new in CHANGES:
        connection = connection.replace(old, new)
    texts = {name: function.text for name, function in functions.table.items()}
    return {
        CONNECTION: connection,
        DICTIONARY: dictionary,
        vba.HELPERS: vba.helpers(),
        ribbon.BUTTONS: ribbon.callbacks(),
        vba.WRAPPERS: described(vba.wrappers(functions), texts),
    }


def described(wrappers: str, texts: Mapping[str, str]) -> str:
    """Wrappers with the hidden lines that Excel keeps a function's description in."""

    def lines(match: re.Match[str]) -> str:
        text = in_code_page(shortened(texts[match[1]])).replace('"', '""')
        return (
            f'{match[0]}\nAttribute {match[1]}.VB_Description = "{text}"\n'
            f'Attribute {match[1]}.VB_ProcData.VB_Invoke_Func = " \\n{USER_DEFINED}"'
        )

    return SIGNATURE.sub(lines, wrappers)


def build(functions: Functions, folder: Path) -> list[Path]:
    """Writes the add-in and its own modules as text; the same input gives the same bytes.

    Args:
        functions: what the add-in offers
        folder: where to; made when it is not there

    Returns:
        The files written, the add-in first.

    Raises:
        AddinError: xlwings or pyOpenVBA is not installed, or of a form that is not known.
    """
    try:
        from pyopenvba import ExcelFile, VBAModuleKind
    except ImportError as missing:
        raise AddinError('building the add-in needs pyOpenVBA; pip install "tokensheet[excel]"') from missing
    texts = modules(functions)
    folder.mkdir(parents=True, exist_ok=True)
    addin = folder / f"{NAME}.xlam"
    with ExcelFile.create_new(addin) as book:
        project = book.vba_project()
        for name, text in texts.items():
            kind = VBAModuleKind.other if name == DICTIONARY else VBAModuleKind.standard
            project.add_module(name, _lines(text), kind=kind)
        project.delete_module("Module1")
        book.save()
    ribbon.insert(addin)
    written = [addin]
    for name in OWN:
        path = folder / f"{name}.bas"
        path.write_text(texts[name], encoding=CODE_PAGE, newline="\r\n")
        written.append(path)
    return written


def contained(addin: Path) -> dict[str, str] | None:
    """Text of each VBA module of a file; empty when it holds none, None when pyOpenVBA is not installed."""
    try:
        from pyopenvba import ExcelFile
    except ImportError:
        return None
    try:
        with ExcelFile(addin) as book:
            return {name: book.get_module(name) for name in book.module_names()}
    except Exception:  # not a workbook at all: pyOpenVBA has no one exception for that
        return {}


def in_code_page(text: str) -> str:
    """Text with a question mark for each character that a VBA project cannot hold."""
    return text.encode(CODE_PAGE, "replace").decode(CODE_PAGE)


def _lines(text: str) -> str:
    """Text with the line ends of VBA."""
    return "\r\n".join(text.splitlines()) + "\r\n"
