"""Excel's places on a machine, and what follows from the settings: which file, which Python."""

from __future__ import annotations

import ntpath
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tokensheet.desktop import conf
from tokensheet.desktop.machine import USER, Machine, Seen

EXCEL = r"Software\Microsoft\Office\16.0\Excel"
POLICY = r"Software\Policies\Microsoft\Office\16.0\Excel"
SECURITY = r"\Security"
STARTUP = r"%APPDATA%\Microsoft\Excel\XLSTART"
FILE = "tokensheet.xlam"
ADDIN = rf"{STARTUP}\{FILE}"
CONF = r"%USERPROFILE%\.tokensheet\tokensheet.conf"
FROM_PATH = ("python", "pythonw", "python.exe", "pythonw.exe")
STORE = "\\windowsapps\\"


@dataclass(frozen=True)
class Excel:
    """What the add-in will meet when Excel starts."""

    machine: Machine

    # ---- registry

    def setting(self, key: str, name: str) -> tuple[Any, str]:
        """A value below Excel's keys and where it stands: an administrator's policy comes first.

        (None, "") when neither states it.
        """
        for base in (POLICY, EXCEL):
            value = self.machine.registry.values(USER, base + key).get(name.lower())
            if value is not None:
                return value, rf"{USER}\{base}{key}"
        return None, ""

    # ---- files

    @cached_property
    def listed(self) -> list[str]:
        """Paths of the add-in that Excel opens because they are on its list."""
        options = self.machine.registry.values(USER, EXCEL + r"\Options")
        texts = [str(value) for name, value in options.items() if re.fullmatch(r"open\d*", name)]
        return [text.removeprefix("/R ").strip().strip('"') for text in texts if FILE in text.lower()]

    @cached_property
    def addin_path(self) -> str:
        """Where the add-in is: the folder that Excel opens at its start, else the first place on its list."""
        start = self.machine.expanded(ADDIN)
        if self.listed and not self.machine.file(start).is_file():
            return self.listed[0]
        return start

    @property
    def addin(self) -> Path:
        """The file of the add-in, there or not."""
        return self.machine.file(self.addin_path)

    @cached_property
    def conf_path(self) -> str:
        """The settings of the add-in: beside it, where an administrator placed both, else the person's own."""
        beside = rf"{ntpath.dirname(self.addin_path)}\{ntpath.basename(CONF)}"
        return beside if self.machine.file(beside).is_file() else self.machine.expanded(CONF)

    @property
    def conf_file(self) -> Path:
        """The same as a file, there or not."""
        return self.machine.file(self.conf_path)

    @cached_property
    def conf(self) -> dict[str, str]:
        """The settings by key; empty without the file."""
        return conf.read(self.conf_file, self.machine.code_page)

    @property
    def zone(self) -> str:
        """The mark of the web of the add-in's file; empty without one."""
        stream = Path(f"{self.addin}:Zone.Identifier")
        try:
            return stream.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    @property
    def is_marked(self) -> bool:
        """Whether Windows says that the file came from the internet."""
        return re.search(r"ZoneId\s*=\s*[34]", self.zone) is not None

    # ---- the Python that Excel starts

    @cached_property
    def conda(self) -> str:
        """Folder of the conda environment that is set; empty without one."""
        home, name = self.conf.get(conf.CONDA_PATH, ""), self.conf.get(conf.CONDA_ENV, "")
        if not home or not name or self._stated.lower() not in FROM_PATH:
            return ""
        if name == "base":
            return home
        return name if "\\" in name else rf"{home}\envs\{name}"

    @property
    def _stated(self) -> str:
        return self.conf.get(conf.INTERPRETER) or self.conf.get(conf.LEGACY) or "pythonw"

    @cached_property
    def interpreter(self) -> str:
        """Path of the interpreter; `python` alone when the settings leave it to the search path."""
        if self.conda:
            return rf"{self.machine.expanded(self.conda)}\python.exe"
        return self.machine.expanded(self._stated)

    @property
    def is_from_path(self) -> bool:
        """Whether nobody knows which Python it is."""
        return self.interpreter.lower() in FROM_PATH

    @cached_property
    def is_there(self) -> bool:
        """Whether the interpreter is a file."""
        return not self.is_from_path and self.machine.file(self.interpreter).is_file()

    @cached_property
    def seen(self) -> Seen:
        """What that interpreter sees; empty when there is none."""
        return self.machine.ask(self.interpreter) if self.is_there else {}

    def libraries(self) -> list[str]:
        """Versions of xlwings whose library lies beside the interpreter or one folder up."""
        folder = ntpath.dirname(self.interpreter)
        found = []
        for place in (folder, ntpath.dirname(folder)):
            for path in sorted(self.machine.file(place).glob("xlwings64-*.dll")):
                found.append(path.name.removeprefix("xlwings64-").removesuffix(".dll"))
        return found
