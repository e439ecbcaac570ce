"""LibreOffice's places on a machine, and its program that installs extensions."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokensheet.calc.extension import ENVIRONMENT, FILE, IDENTIFIER
from tokensheet.desktop.machine import MAC, Machine
from tokensheet.errors import TokensheetError

PROFILES = {
    "win32": "%APPDATA%\\LibreOffice\\4\\user",
    MAC: "{HOME}/Library/Application Support/LibreOffice/4/user",
    "linux": "{HOME}/.config/libreoffice/4/user",
}
PROGRAMS = {
    "win32": "%ProgramFiles%\\LibreOffice\\program\\unopkg.com",
    MAC: "/Applications/LibreOffice.app/Contents/MacOS/unopkg",
}
SECONDS = 120


class OfficeError(TokensheetError):
    """LibreOffice is not there or refuses the extension."""


def profile(machine: Machine) -> Path:
    """The folder of a person's LibreOffice."""
    place = PROFILES.get(machine.system, PROFILES["linux"])
    if machine.windows:
        return machine.file(place)
    return machine.file(place.format(HOME=machine.variable("HOME")))


def installed(machine: Machine) -> dict[Path, Mapping[str, Any]]:
    """What each installed extension of ours states of itself, by its folder."""
    found: dict[Path, Mapping[str, Any]] = {}
    for file in sorted(profile(machine).glob(f"uno_packages/cache/uno_packages/*/{FILE}/{ENVIRONMENT}")):
        try:
            found[file.parent] = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            continue
    return found


def program(machine: Machine) -> str:
    """LibreOffice's installer of extensions.

    Raises:
        OfficeError: it is not there.
    """
    known = machine.expanded(PROGRAMS.get(machine.system, ""))
    found = shutil.which("unopkg") or (known if known and Path(known).is_file() else "")
    if not found:
        raise OfficeError(
            "unopkg of LibreOffice is not there; install LibreOffice, or open the file that "
            "'tokensheet addin build' writes with a double click"
        )
    return found


def unopkg(machine: Machine, *words: str) -> str:
    """Runs the installer of extensions.

    Raises:
        OfficeError: it is not there or refuses; says what it says.
    """
    done = subprocess.run(
        [program(machine), *words],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())
        raise OfficeError(
            f"unopkg {words[0]}: {said:.200}; close LibreOffice, and run this as yourself, not as root"
        )
    return done.stdout


def install(machine: Machine, extension: Path) -> None:
    """Adds the extension to the person's LibreOffice, in place of an earlier one."""
    unopkg(machine, "add", "--force", str(extension))


def remove(machine: Machine) -> None:
    """Takes it out again."""
    unopkg(machine, "remove", IDENTIFIER)
