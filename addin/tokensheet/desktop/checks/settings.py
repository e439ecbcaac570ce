"""The add-in's settings: spelling, switches, and what lies on Python's way."""

from __future__ import annotations

from collections.abc import Iterator

from tokensheet.desktop import conf
from tokensheet.desktop.excel import CONF, STARTUP, Excel
from tokensheet.desktop.findings import ERROR, INFO, INSTALL, WARNING, Finding
from tokensheet.desktop.machine import USER
from tokensheet.errors import nearest
from tokensheet.udf.vba import PYTHON_MODULE

TRUE_FALSE = ("true", "false", "")
TRUE_WORDS = ("vrai", "wahr", "verdadero", "vero", "waar", "1", "-1")
FALSE_WORDS = ("faux", "falsch", "falso", "onwaar", "0")
FOLDERS = r"Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders"


def checks(excel: Excel) -> Iterator[Finding]:
    """Each line of the file."""
    if not excel.conf:
        yield Finding("settings-missing", ERROR, f"{excel.conf_path} is not there or empty", INSTALL)
        return
    if excel.conf_path.lower().startswith(excel.machine.expanded(STARTUP).lower()):
        yield Finding(
            "settings-in-startup",
            WARNING,
            f"{excel.conf_path} lies where Excel opens every file as a sheet",
            f"move it to {excel.machine.expanded(CONF)}",
        )
    yield from spelling(excel)
    yield from switches(excel)
    yield from functions(excel)
    yield from shadows(excel)
    yield from characters(excel)


def spelling(excel: Excel) -> Iterator[Finding]:
    """Keys that are not read: xlwings has some with spaces and some with underscores."""
    for key in excel.conf:
        if key in conf.KEYS:
            continue
        other = next((k for k in conf.KEYS if k.replace("_", " ") == key.replace("_", " ")), "")
        if other:
            yield Finding("key-spelling", ERROR, f"the key {key} is not read", f"write it as {other}")
        else:
            near = ", ".join(k.upper() for k in nearest(key.lower(), [k.lower() for k in conf.KEYS]))
            yield Finding(
                "key-unknown", WARNING, f"the key {key} is not known", f"known keys like it: {near or 'none'}"
            )


def switches(excel: Excel) -> Iterator[Finding]:
    """VBA and xlwings take True and False; words of other languages stop the functions or mean the opposite."""
    for key in conf.SWITCHES:
        value = excel.conf.get(key, "")
        word = value.strip().lower()
        if word in TRUE_FALSE:
            continue
        meant = "True" if word in TRUE_WORDS else "False" if word in FALSE_WORDS else "True or False"
        yield Finding("switch", ERROR, f'{key} is "{value}"; only True and False are read', f"write {meant}")
    if excel.conf.get(conf.DEBUG, "").lower() == "true":
        yield Finding(
            "debug", ERROR, f"{conf.DEBUG} is on: functions wait for a debugger", f"set {conf.DEBUG} to False"
        )
    if excel.conf.get(conf.SHOW_CONSOLE, "").lower() == "true":
        yield Finding(
            "console", INFO, f"{conf.SHOW_CONSOLE} is on: a black window opens with the first function"
        )


def functions(excel: Excel) -> Iterator[Finding]:
    """The module that answers."""
    named = [name.strip() for name in excel.conf.get(conf.MODULES, "").split(";")]
    if PYTHON_MODULE not in named:
        yield Finding("modules", WARNING, f"{conf.MODULES} does not name {PYTHON_MODULE}", INSTALL)


def shadows(excel: Excel) -> Iterator[Finding]:
    """Folders that come before the installed packages, in no fixed order."""
    for folder in filter(None, excel.conf.get("PYTHONPATH", "").split(";")):
        for name in ("tokensheet.py", "tokensheet"):
            path = rf"{folder.rstrip(chr(92))}\{name}"
            if excel.machine.file(path).exists():
                yield Finding(
                    "shadow",
                    ERROR,
                    f"{excel.machine.expanded(path)} hides the installed program",
                    "rename it",
                )
    if excel.conf.get(conf.ADD_WORKBOOK, "true").lower() != "true":
        return
    documents = excel.machine.registry.values(USER, FOLDERS).get("personal", "")
    if "onedrive" in excel.machine.expanded(str(documents)).lower():
        yield Finding(
            "documents-redirected",
            WARNING,
            "Documents lies in OneDrive, where a workbook's folder is an address and no path",
            f"set {conf.ADD_WORKBOOK} to False",
        )
    else:
        yield Finding(
            "workbook-folder",
            INFO,
            "Python looks into the workbook's folder first: a tokensheet.py there would hide the program",
            f"set {conf.ADD_WORKBOOK} to False",
        )


def characters(excel: Excel) -> Iterator[Finding]:
    """VBA reads the file in the code page of Windows and hands the path on in it."""
    text = excel.conf_file.read_bytes().decode(excel.machine.code_page, "replace")
    if "\ufffd" in text or not _fits(excel.interpreter, excel.machine.code_page):
        yield Finding(
            "characters",
            ERROR,
            f"{excel.interpreter} has characters that code page {excel.machine.code_page} has not",
            "install Python in a folder with plain letters",
        )


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
