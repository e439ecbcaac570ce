"""The extension for LibreOffice, `tokensheet.oxt`: built without LibreOffice, the same bytes each time.

It holds the names and descriptions of the functions, and which Python answers them: the one that built it.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from tokensheet.calc.typelib import MANY, ONE, type_library
from tokensheet.cell_function import CellFunction
from tokensheet.errors import TokensheetError
from tokensheet.functions import Functions
from tokensheet.version import __version__

FILE = "tokensheet.oxt"
IDENTIFIER = "org.tokensheet"
SERVICE = "org.tokensheet.Functions"
INTERFACE = "org.tokensheet.XFunctions"
LIBRARY, COMPONENT, NAMES, ENVIRONMENT = "functions.rdb", "component.py", "CalcAddIns.xcu", "environment.json"
MENU, ENTRIES = "menu.py", "Addons.xcu"
PROCESS = "pythonpath/tokensheet_process.py"
"""LibreOffice lets the components import what lies in a folder of this name beside them."""
INSIDE = {COMPONENT: COMPONENT, MENU: MENU, PROCESS: "tokensheet_process.py"}
"""Files of the extension that are Python, and their names in `tokensheet.calc.inside`."""
MANIFEST, DESCRIPTION = "META-INF/manifest.xml", "description.xml"
CATEGORY = "Add-In"
METHOD = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")

KINDS = {
    LIBRARY: "application/vnd.sun.star.uno-typelibrary;type=RDB",
    COMPONENT: "application/vnd.sun.star.uno-component;type=Python",
    MENU: "application/vnd.sun.star.uno-component;type=Python",
    NAMES: "application/vnd.sun.star.configuration-data",
    ENTRIES: "application/vnd.sun.star.configuration-data",
}
CALC = "com.sun.star.sheet.SpreadsheetDocument"
MENU_ENTRIES = {
    "export": "Export the selected plan as a workbook",
    "refresh": "Read the catalogue again",
    "reference": "Open the reference",
}
"""What the menu offers: the word that `menu.py` is called with, and the text."""


class ExtensionError(TokensheetError):
    """The extension cannot be built."""


def build(functions: Functions, folder: Path, interpreter: str = sys.executable) -> Path:
    """Writes the extension; the same functions and interpreter give the same bytes.

    Args:
        functions: what the extension offers
        folder: where to; made when it is not there
        interpreter: the Python that answers, an absolute path

    Raises:
        ExtensionError: a function has a name that LibreOffice does not take.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in contents(functions, interpreter).items():
            package.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return path


def contents(functions: Functions, interpreter: str) -> dict[str, bytes]:
    """Every file of the extension.

    Raises:
        ExtensionError: a function has a name that LibreOffice does not take.
    """
    for name in functions.table:
        if not METHOD.fullmatch(name):
            raise ExtensionError(
                f"function {name}: LibreOffice takes single _ between letters and digits; rename it"
            )
    methods = {
        name: [(a.name.upper(), MANY if a.many else ONE) for a in function.arguments]
        for name, function in functions.table.items()
    }
    inside = files("tokensheet.calc").joinpath("inside")
    texts = {
        MANIFEST: manifest(),
        DESCRIPTION: description(),
        NAMES: names(functions),
        ENTRIES: entries(),
        ENVIRONMENT: environment(functions, interpreter),
    }
    found = {name: text.encode() for name, text in texts.items()}
    python = {name: inside.joinpath(file).read_bytes() for name, file in INSIDE.items()}
    return {**found, **python, LIBRARY: type_library(INTERFACE, methods, "tokensheet")}


def environment(functions: Functions, interpreter: str) -> str:
    """What the component must know: who answers, and which functions there are."""
    listed = [
        {"name": name, "many": any(a.many for a in function.arguments)}
        for name, function in functions.table.items()
    ]
    stated = {"interpreter": interpreter, "version": __version__, "functions": listed}
    return json.dumps(stated, indent=1) + "\n"


def names(functions: Functions) -> str:
    """Names, arguments and descriptions as the function wizard shows them."""
    body = "".join(_function(function) for function in functions.table.values())
    return _configuration(
        "CalcAddIns",
        f'<node oor:name="AddInInfo"><node oor:name="{SERVICE}" oor:op="replace"><node oor:name="AddInFunctions">\n'
        f"{body}</node></node></node>\n",
    )


def entries() -> str:
    """The menu of the spreadsheet's window."""
    listed = "".join(
        _node(f"entry{i}", f"{_value('URL', f'service:{IDENTIFIER}.Menu?{word}')}{_text('Title', text)}")
        for i, (word, text) in enumerate(MENU_ENTRIES.items(), 1)
    )
    menu = (
        f'{_text("Title", "Tokensheet")}{_value("Context", CALC)}<node oor:name="Submenu">\n{listed}</node>'
    )
    body = f'<node oor:name="AddonUI"><node oor:name="OfficeMenuBar">\n{_node(f"{IDENTIFIER}.menu", menu)}</node></node>\n'
    return _configuration("Addons", body)


def _configuration(name: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<oor:component-data xmlns:oor="http://openoffice.org/2001/registry" '
        f'xmlns:xs="http://www.w3.org/2001/XMLSchema" oor:name="{name}" oor:package="org.openoffice.Office">\n'
        f"{body}</oor:component-data>\n"
    )


def _function(function: CellFunction) -> str:
    arguments = "".join(
        _node(a.name.upper(), _text("DisplayName", a.name) + _text("Description", a.text))
        for a in function.arguments
    )
    return _node(
        function.name,
        _text("DisplayName", function.name)
        + _text("Description", function.text)
        + _value("Category", CATEGORY)
        + _text("CompatibilityName", function.name)
        + f'<node oor:name="Parameters">{arguments}</node>',
    )


def _node(name: str, content: str) -> str:
    return f'<node oor:name={quoteattr(name)} oor:op="replace">{content}</node>\n'


def _value(name: str, text: str) -> str:
    return f'<prop oor:name="{name}"><value>{escape(text)}</value></prop>'


def _text(name: str, text: str) -> str:
    """A text that is shown; English stands for every language."""
    shown = escape(" ".join(text.split()))
    return f'<prop oor:name="{name}"><value xml:lang="en-US">{shown}</value></prop>'


def manifest(kinds: Mapping[str, str] = KINDS) -> str:
    """What LibreOffice is to do with each file."""
    space = "http://openoffice.org/2001/manifest"
    entries = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{kind}"/>\n'
        for name, kind in kinds.items()
    )
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest xmlns:manifest="{space}">\n'
    return f"{head}{entries}</manifest:manifest>\n"


def description() -> str:
    """What the extension manager shows."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<description xmlns="http://openoffice.org/extensions/description/2006" '
        'xmlns:xlink="http://www.w3.org/1999/xlink">\n'
        f'<identifier value="{IDENTIFIER}"/><version value="{__version__}"/>\n'
        '<display-name><name lang="en">Tokensheet: functions that plan LLM inference</name></display-name>\n'
        "</description>\n"
    )
