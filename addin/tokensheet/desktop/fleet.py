"""The files that an administrator places on many machines: `tokensheet addin fleet`.

Everything is for one folder of all machines, so that versions can stand side by side: another folder, another version.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tokensheet.calc import extension
from tokensheet.desktop import FLEET_PLACE, conf
from tokensheet.desktop.excel import POLICY
from tokensheet.errors import ArgumentError
from tokensheet.functions import Functions
from tokensheet.settings import FILE as SETTINGS
from tokensheet.udf import addin
from tokensheet.udf.vba import PYTHON_MODULE
from tokensheet.version import __version__

PYTHON = "3.12"
ADDIN, CONF = "addin/tokensheet.xlam", "addin/tokensheet.conf"
BUNDLE, INSTALL, LOCATION = "bundle.cmd", "install.cmd", "trusted-location.reg"
UNSAFE = set('"%&|<>^')
"""Signs that mean something to the terminal of Windows, even inside quotes."""

SETTINGS_TEXT = """# For all on this machine: name this file in the environment variable TOKENSHEET_CONFIG.
allow = []              # plugins besides the built-in ones, by name or distribution; without this line all that are installed
catalogs = []           # your tables of prices and devices, relative to this file: ["prices-2026.csv"]
profile = "default"     # the assumptions where a question names none
"""


def fleet_files(functions: Functions, place: str = FLEET_PLACE) -> dict[str, bytes]:
    """Every file by its path in the folder that is written; the same input gives the same bytes.

    Args:
        functions: what the add-ins offer
        place: folder on the machines, an absolute path of Windows

    Raises:
        ArgumentError: the folder is no such path.
        AddinError: a package for building is missing.
    """
    place = place.rstrip("\\")
    if place[1:3] != ":\\" or UNSAFE & set(place):
        raise ArgumentError(f"{place!r} is no folder such as {FLEET_PLACE!r}")
    texts = {BUNDLE: bundle(), INSTALL: install(place), SETTINGS: SETTINGS_TEXT}
    found = {name: text.replace("\n", "\r\n").encode("ascii") for name, text in texts.items()}
    found[LOCATION] = trusted_location(place).replace("\n", "\r\n").encode("utf-16")
    found[CONF] = addin_conf(place).encode("ascii")
    with tempfile.TemporaryDirectory() as folder:
        found[ADDIN] = addin.build(functions, Path(folder))[0].read_bytes()
        python = rf"{place}\Scripts\python.exe"
        found[extension.FILE] = extension.build(functions, Path(folder), python).read_bytes()
    return dict(sorted(found.items()))


def bundle() -> str:
    """Gathers the wheels, on a machine with internet.

    pip takes the conditions of the system it runs on; what only Windows needs is named, so that any system will do.
    """
    return (
        f'pip download "tokensheet[excel]=={__version__}" pywin32 colorama --dest wheels '
        f"--only-binary :all: --platform win_amd64 --implementation cp --python-version {PYTHON}\n"
    )


def install(place: str) -> str:
    """Makes the environment, on each machine or in its image, without internet."""
    return (
        f'py -{PYTHON} -m venv "{place}"\n'
        f'"{place}\\Scripts\\python" -m pip install --no-index --find-links "%~dp0wheels" "tokensheet[excel]=={__version__}"\n'
        f'xcopy /i /y "%~dp0addin" "{place}\\addin"\n'
        f'copy /y "%~dp0{SETTINGS}" "{place}\\{SETTINGS}"\n'
    )


def addin_conf(place: str) -> str:
    """Which Python answers Excel, for all."""
    return conf.written(
        {
            conf.INTERPRETER: rf"{place}\Scripts\pythonw.exe",
            conf.MODULES: PYTHON_MODULE,
            conf.ADD_WORKBOOK: "False",
        }
    )


def trusted_location(place: str) -> str:
    """The add-in's folder as a trusted location, by policy."""
    folder = f"{place}\\addin\\".replace("\\", "\\\\")
    return (
        "Windows Registry Editor Version 5.00\n\n"
        f"[HKEY_CURRENT_USER\\{POLICY}\\Security\\Trusted Locations\\Location90]\n"
        f'"Path"="{folder}"\n"AllowSubfolders"=dword:00000000\n'
    )
