"""What one interpreter sees: versions, packages, plugins. Printed as JSON by `python -m tokensheet.desktop.inside`."""

from __future__ import annotations

import json
import platform
import struct
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from tokensheet import version as program
from tokensheet.errors import TokensheetError
from tokensheet.functions import Functions
from tokensheet.installation import shared_files
from tokensheet.planning import shared

PACKAGES = (
    "click",
    "numpy",
    "openpyxl",
    "pluggy",
    "pydantic",
    "rich",
    "platformdirs",
    "xlwings",
    "pyopenvba",
    "pywin32",
)


def seen() -> dict[str, Any]:
    """Versions, packages, plugins with their state, problems, functions, and files that two packages own."""
    found: dict[str, Any] = {
        "interpreter": sys.executable,
        "python": platform.python_version(),
        "bits": 8 * struct.calcsize("P"),
        "version": program.__version__,
        "file": program.__file__,
        "packages": {name: _version(name) for name in PACKAGES},
        "plugins": [],
        "problems": [],
        "functions": [],
        "shared": [],
    }
    try:
        planner = shared()
        infos = planner.registry.plugins.infos
        found["plugins"] = [
            {"name": i.name, "distribution": i.distribution, "version": i.version, "state": i.state}
            for i in infos
        ]
        found["problems"] = [" ".join(str(problem).split()) for problem in planner.registry.problems]
        found["functions"] = sorted(Functions(planner).table)
        found["shared"] = shared_files(i.distribution for i in infos if i.distribution)
    except TokensheetError as error:
        found["problems"] = [" ".join(str(error).split())]
    return found


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


if __name__ == "__main__":
    print(json.dumps(seen()))
