"""The add-in's file: there, once, for the installed xlwings, with the functions of today."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokensheet.desktop.excel import ADDIN, EXCEL, FILE, Excel
from tokensheet.desktop.findings import ERROR, INFO, INSTALL, WARNING, Finding
from tokensheet.desktop.machine import USER
from tokensheet.udf.addin import CONNECTION, contained
from tokensheet.udf.vba import FUNCTION, HELPERS, WRAPPERS, helpers

LIBRARY = re.compile(r"xlwings64-([\w.]+)\.dll")


def checks(excel: Excel) -> Iterator[Finding]:
    """Where the file is, and what is in it."""
    if not excel.addin.is_file():
        yield Finding("addin-missing", ERROR, f"{excel.addin_path} is not there", INSTALL)
    else:
        yield from content(excel)
    yield from twice(excel)
    yield from synchronised(excel)


def content(excel: Excel) -> Iterator[Finding]:
    """Whether the file fits the xlwings, the program and the plugins that will answer."""
    modules = contained(excel.addin)
    if modules is None:
        yield Finding(
            "addin-unread",
            INFO,
            "the add-in's content was not looked at: that needs pyOpenVBA",
            'pip install "tokensheet[excel]"',
        )
        return
    if not {CONNECTION, HELPERS, WRAPPERS} <= modules.keys():
        yield Finding("addin-broken", ERROR, f"{excel.addin_path} is no add-in of this program", INSTALL)
        return
    built = set(LIBRARY.findall(modules[CONNECTION]))
    xlwings = excel.seen.get("packages", {}).get("xlwings")
    if xlwings and built != {xlwings}:
        yield Finding(
            "addin-version",
            ERROR,
            f"the add-in was built for xlwings {', '.join(sorted(built))}, the Python of Excel has {xlwings}",
            INSTALL,
        )
    if _lines(modules[HELPERS]) != _lines(helpers()):
        yield Finding(
            "addin-old", WARNING, "the add-in was built by another version of this program", INSTALL
        )
    if "functions" in excel.seen:
        inside, today = set(FUNCTION.findall(modules[WRAPPERS])), set(excel.seen["functions"])
        for names, text in (
            (today - inside, "not in the add-in"),
            (inside - today, "in the add-in and answered by nobody"),
        ):
            if names:
                yield Finding("addin-functions", WARNING, f"{_some(names)}: {text}", INSTALL)


def twice(excel: Excel) -> Iterator[Finding]:
    """Loaded from the start folder and from somewhere else too: every function is there twice."""
    start = excel.machine.expanded(ADDIN)
    manager = excel.machine.registry.values(USER, EXCEL + r"\Add-in Manager")
    elsewhere = [*excel.listed, *(name for name in manager if FILE in name.lower())]
    for place in elsewhere if excel.machine.file(start).is_file() else ():
        yield Finding(
            "addin-twice",
            WARNING,
            f"the add-in is loaded from {start} and listed as {place}",
            "untick it in File > Options > Add-ins > Manage: Excel Add-ins",
        )


def synchronised(excel: Excel) -> Iterator[Finding]:
    """Files in OneDrive may be there in name only."""
    machine = excel.machine
    places = {"the add-in": excel.addin_path, "the Python of Excel": excel.interpreter}
    folders = {
        machine.variable(n).rstrip("\\") for n in ("OneDrive", "OneDriveConsumer", "OneDriveCommercial")
    }
    for folder in sorted(filter(None, folders)):
        for what, place in places.items():
            if place.lower().startswith(f"{folder.lower()}\\"):
                yield Finding(
                    "onedrive",
                    WARNING,
                    f"{what} lies in OneDrive: {place}",
                    "move it out, or choose 'Always keep on this device' for the folder",
                )


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("Attribute")]


def _some(names: set[str]) -> str:
    shown = sorted(names)
    return f"{', '.join(shown[:3])}{f' and {len(shown) - 3} more' if len(shown) > 3 else ''}"
