"""Puts the add-in where Excel opens it at its start, with its settings; tells what is there; takes it out."""

from __future__ import annotations

import ntpath
import tempfile
from pathlib import Path

from tokensheet.desktop import conf
from tokensheet.desktop.excel import ADDIN, CONF
from tokensheet.desktop.machine import Machine
from tokensheet.errors import TokensheetError
from tokensheet.functions import Functions
from tokensheet.udf import addin as files
from tokensheet.udf.vba import PYTHON_MODULE
from tokensheet.whole_files import replace_files

OWN = (conf.INTERPRETER, conf.MODULES, conf.ADD_WORKBOOK, conf.CONDA_PATH, conf.CONDA_ENV)


class InstallError(TokensheetError):
    """The add-in cannot be put there."""


def need_windows(machine: Machine) -> None:
    """Refuses elsewhere in one line.

    Raises:
        InstallError: this is not Windows.
    """
    if not machine.windows:
        raise InstallError(
            "Excel calls Python functions on Windows only; use 'tokensheet export' for a workbook that needs none, "
            "or 'tokensheet addin install libreoffice'"
        )


def excel_install(machine: Machine, functions: Functions) -> list[Path]:
    """Builds the add-in for the installed xlwings and puts it in place.

    Other lines of the settings file stay as they are.

    Returns:
        The files written.

    Raises:
        InstallError: this is not Windows, or Excel holds the file.
        AddinError: a package is missing.
    """
    need_windows(machine)
    own = machine.file(CONF)
    with tempfile.TemporaryDirectory() as folder:
        built = files.build(functions, Path(folder))[0]
        _put(machine.file(ADDIN), built.read_bytes(), machine.expanded(ADDIN))
    settings = {
        **interpreter_settings(machine),
        conf.MODULES: PYTHON_MODULE,
        conf.ADD_WORKBOOK: "False",
    }
    kept = {k: v for k, v in conf.read(own, machine.code_page).items() if k not in OWN}
    try:
        content = conf.written(settings | kept).encode(machine.code_page)
    except UnicodeEncodeError as problem:
        raise InstallError(
            f"{machine.interpreter} has characters that VBA cannot read; install Python in a folder with plain letters"
        ) from problem
    _put(own, content, machine.expanded(CONF))
    return [machine.file(ADDIN), own]


def interpreter_settings(machine: Machine) -> dict[str, str]:
    """Which Python Excel starts: by its path, or one of conda's by its environment, which must be activated."""
    folder = ntpath.dirname(machine.interpreter)
    if machine.place(machine.interpreter).tool != "conda":
        return {conf.INTERPRETER: windowless(machine)}
    starter = machine.variable("CONDA_EXE")
    home = ntpath.dirname(ntpath.dirname(starter)) if starter else folder
    if not machine.file(rf"{home}\condabin\conda.bat").is_file():
        return {conf.INTERPRETER: windowless(machine)}  # a conda without this script cannot activate either
    above, name = ntpath.split(folder)
    if folder.lower() == home.lower():
        name = "base"
    elif above.lower() != rf"{home}\envs".lower():
        name = folder
    return {conf.INTERPRETER: "pythonw", conf.CONDA_PATH: home, conf.CONDA_ENV: name}


def windowless(machine: Machine) -> str:
    """The interpreter that opens no black window, if there is one beside this."""
    quiet = machine.interpreter[: -len("python.exe")] + "pythonw.exe"
    if machine.interpreter.lower().endswith("\\python.exe") and machine.file(quiet).is_file():
        return quiet
    return machine.interpreter


def excel_remove(machine: Machine) -> list[Path]:
    """Takes the add-in out, and its own lines of the person's settings; an administrator's files stay.

    Returns:
        The files removed or changed.
    """
    need_windows(machine)
    changed = []
    addin = machine.file(ADDIN)
    if addin.exists():
        try:
            addin.unlink()
        except PermissionError as problem:
            raise InstallError(f"{machine.expanded(ADDIN)} is in use; close Excel and try again") from problem
        changed.append(addin)
    own = machine.file(CONF)
    settings = conf.read(own, machine.code_page)
    if settings:
        kept = {key: value for key, value in settings.items() if key not in OWN}
        if kept:
            _put(own, conf.written(kept).encode(machine.code_page), machine.expanded(CONF))
        else:
            own.unlink()
        changed.append(own)
    return changed


def _put(target: Path, content: bytes, shown: str) -> None:
    """Writes a whole file or nothing."""
    try:
        replace_files({target: content})
    except PermissionError as problem:
        raise InstallError(f"{shown} is in use; close Excel and try again") from problem
