"""The buttons in Excel's ribbon: their markup, put into the add-in's package, and the VBA that they call."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from xml.sax.saxutils import quoteattr

BUTTONS = "tokensheet_buttons"
PART = "customUI/customUI14.xml"
SCHEMA = "http://schemas.microsoft.com/office/2009/07/customui"
"""Of Office 2010 and later."""
RELATION = "http://schemas.microsoft.com/office/2007/relationships/ui/extensibility"
RELATIONS = "_rels/.rels"
END = "</Relationships>"
TAB = "TabFormulas"
"""Excel's own tab for functions, where the buttons are a group."""


@dataclass(frozen=True)
class Button:
    """One button.

    Args:
        name: unique among the buttons
        label: below its picture
        tip: what it does, shown when the pointer rests on it
        picture: one of Excel's own
        macro: the VBA procedure
    """

    name: str
    label: str
    tip: str
    picture: str
    macro: str


ALL = (
    Button(
        "tokensheet_export",
        "Export plan",
        "Makes a planning workbook beside this one, from the selected names and values or from the function in the "
        "selected cell. It needs no add-in and can be sent to anybody.",
        "ExportExcel",
        "TS_EXPORT_PLAN",
    ),
    Button(
        "tokensheet_refresh",
        "Refresh catalogue",
        "Reads plugins, tables and settings again, and tells what has changed. Cells change only when they are "
        "calculated anew.",
        "RefreshAll",
        "TS_REFRESH_CATALOGUE",
    ),
    Button(
        "tokensheet_reference",
        "Reference",
        "Opens the page with all functions, their arguments, units and sources.",
        "Help",
        "TS_OPEN_REFERENCE",
    ),
)


def markup() -> str:
    """The group of buttons as Office reads it."""
    buttons = "".join(
        f"<button id={quoteattr(b.name)} label={quoteattr(b.label)} screentip={quoteattr(b.label)} "
        f'supertip={quoteattr(b.tip)} imageMso={quoteattr(b.picture)} size="large" '
        f"onAction={quoteattr(f'{BUTTONS}.{b.macro}')}/>"
        for b in ALL
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<customUI xmlns="{SCHEMA}"><ribbon><tabs><tab idMso="{TAB}">'
        f'<group id="tokensheet" label="Tokensheet">{buttons}</group></tab></tabs></ribbon></customUI>'
    )


def callbacks() -> str:
    """Text of the module that the buttons call."""
    return files("tokensheet.udf").joinpath(f"{BUTTONS}.bas").read_text(encoding="utf-8")


def insert(package: Path) -> None:
    """Puts the buttons into an add-in; everything else in it stays, byte for byte.

    Args:
        package: file without buttons
    """
    with zipfile.ZipFile(package) as before:
        entries = [(entry, before.read(entry)) for entry in before.infolist()]
    relation = f'<Relationship Id="rIdButtons" Type="{RELATION}" Target="{PART}"/>'
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as after:
        for entry, content in entries:
            if entry.filename == RELATIONS:
                content = content.decode().replace(END, relation + END).encode()
            after.writestr(entry, content)
        after.writestr(zipfile.ZipInfo(PART), markup().encode(), zipfile.ZIP_DEFLATED)
