"""A healthy machine with Windows and Excel, made of a folder and a few tables, into which faults are planted."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import tokensheet
from tokensheet.desktop import conf
from tokensheet.desktop.doctor import Report, examined
from tokensheet.desktop.excel import ADDIN, CONF, EXCEL
from tokensheet.desktop.findings import Finding
from tokensheet.desktop.inside import seen
from tokensheet.desktop.machine import Machine, Seen
from tokensheet.functions import Functions
from tokensheet.udf import addin

PYTHON = r"C:\py\venv\Scripts\python.exe"
XLWINGS = version("xlwings")
ENVIRONMENT = {
    "UserProfile": r"C:\Users\ann",
    "APPDATA": r"C:\Users\ann\AppData\Roaming",
    "OneDrive": r"C:\Users\ann\OneDrive",
}
HEALTHY = {
    conf.INTERPRETER: PYTHON,
    conf.MODULES: "tokensheet.udf.functions",
    conf.ADD_WORKBOOK: "False",
}


@dataclass
class Planted:
    """A machine under construction."""

    root: Path
    here: dict[str, Any]
    environment: dict[str, str] = field(default_factory=lambda: dict(ENVIRONMENT))
    keys: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    answers: dict[str, Seen] = field(default_factory=dict)
    system: str = "win32"
    interpreter: str = PYTHON
    processes: dict[int, str] = field(default_factory=dict)

    def values(self, hive: str, key: str) -> Mapping[str, Any]:
        return {
            n.lower(): v
            for (h, k), d in self.keys.items()
            if (h, k.lower()) == (hive, key.lower())
            for n, v in d.items()
        }

    @property
    def machine(self) -> Machine:
        return Machine(
            self.system,
            self.environment,
            self,
            self.root,
            lambda interpreter: self.answers.get(interpreter, {"failed": "not planted"}),
            "cp1252",
            self.interpreter,
            lambda: self.processes,
        )

    def put(self, path: str, content: str | bytes = b"") -> Path:
        file = self.machine.file(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode("cp1252") if isinstance(content, str) else content)
        return file

    def remove(self, path: str) -> None:
        self.machine.file(path).unlink()

    def settings(self, **changed: str | None) -> None:
        """Writes the settings file: the healthy lines with some changed; `_` stands for a space in a key."""
        lines: dict[str, str] = dict(HEALTHY)
        for key, value in changed.items():
            lines.pop(key, None)
            if value is not None:
                lines[key] = value
        self.put(CONF, conf.written(lines))

    def registry(self, key: str, **values: Any) -> None:
        self.keys.setdefault(("HKCU", key), {}).update(values)

    def report(self) -> Report:
        return examined(self.machine, self.here)

    def findings(self) -> dict[str, Finding]:
        return {finding.check: finding for finding in self.report().findings}


@pytest.fixture(scope="session")
def functions() -> Functions:
    return Functions(tokensheet.planner())


@pytest.fixture(scope="session")
def built(functions: Functions, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The add-in of this environment."""
    return addin.build(functions, tmp_path_factory.mktemp("addin"))[0].read_bytes()


@pytest.fixture(scope="session")
def told() -> dict[str, Any]:
    """What this interpreter tells of itself, as if on Windows."""
    found = seen()
    found["packages"]["pywin32"] = "311"
    return found


@pytest.fixture
def planted(tmp_path: Path, built: bytes, told: dict[str, Any]) -> Planted:
    planted = Planted(tmp_path, copy.deepcopy(told))
    planted.here["interpreter"] = PYTHON
    planted.answers[PYTHON] = copy.deepcopy(planted.here)
    planted.registry(EXCEL + r"\Security", VBAWarnings=2, AccessVBOM=1)
    planted.put(ADDIN, built)
    planted.put(PYTHON)
    planted.put(rf"C:\py\venv\xlwings64-{XLWINGS}.dll")
    planted.settings()
    installed = {
        "interpreter": PYTHON,
        "version": planted.here["version"],
        "functions": [{"name": name, "many": False} for name in planted.here["functions"]],
    }
    place = r"%APPDATA%\LibreOffice\4\user\uno_packages\cache\uno_packages\lu1.tmp_\tokensheet.oxt\environment.json"
    planted.put(place, json.dumps(installed))
    return planted
