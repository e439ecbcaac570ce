"""A machine read through small doors: registry, environment, files, other interpreters.

Everything that `doctor` and `addin` look at comes through here, so that a fault can be planted in a test
on any system. Windows paths are taken apart by `ntpath` and never by the running system's own rules.
"""

from __future__ import annotations

import json
import locale
import ntpath
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from tokensheet.installation import Installation

USER = "HKCU"
WINDOWS, MAC = "win32", "darwin"
INSIDE = "tokensheet.desktop.inside"
SECONDS = 60
PROCESSES = (
    "Get-CimInstance Win32_Process -Filter \"Name LIKE 'python%'\" | "
    "ForEach-Object { '{0} {1}' -f $_.ProcessId, $_.CommandLine }"
)

Seen = Mapping[str, Any]
"""What `inside.seen` tells of an interpreter; `{"failed": reason}` when it does not answer."""


class Registry(Protocol):
    """The registry of Windows."""

    def values(self, hive: str, key: str) -> Mapping[str, Any]:
        """Values of a key by name in lower case; empty when there is no such key."""


class NoRegistry:
    """The registry of a system that has none."""

    def values(self, hive: str, key: str) -> Mapping[str, Any]:
        """Nothing."""
        return {}


class WindowsRegistry:
    """The registry of this machine."""

    def values(self, hive: str, key: str) -> Mapping[str, Any]:
        """Values of a key by name in lower case; empty when there is no such key."""
        import winreg as registry

        reader: Any = registry
        root = {"HKCU": "HKEY_CURRENT_USER", "HKLM": "HKEY_LOCAL_MACHINE"}[hive]
        found: dict[str, Any] = {}
        try:
            with reader.OpenKey(getattr(reader, root), key) as opened:
                for place in count():
                    name, value, _ = reader.EnumValue(opened, place)
                    found[str(name).lower()] = value
        except OSError:  # no such key, or no more values
            pass
        return found


def ask(interpreter: str) -> Seen:
    """What another interpreter sees of this program and its plugins."""
    try:
        done = subprocess.run(
            [interpreter, "-B", "-P", "-m", INSIDE],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
        if done.returncode == 0:
            found: Seen = json.loads(done.stdout)
            return found
        lines = done.stderr.strip().splitlines() or [f"it ended with code {done.returncode}"]
        return {"failed": lines[-1]}
    except (OSError, ValueError, subprocess.TimeoutExpired) as problem:
        return {"failed": str(problem)}


def running() -> Mapping[int, str]:
    """Command lines of the Python processes of Windows by number; empty where they cannot be had."""
    if sys.platform != WINDOWS:
        return {}
    try:
        done = subprocess.run(
            ["powershell", "-NoProfile", "-NonInteractive", "-Command", PROCESSES],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    lines = (line.strip().partition(" ") for line in done.stdout.splitlines())
    return {int(number): command for number, _, command in lines if number.isdigit()}


@dataclass(frozen=True)
class Machine:
    """A system as a person's session sees it.

    Args:
        system: as `sys.platform` names it
        environment: variables; on Windows their names are compared without case
        registry: of Windows
        root: folder that stands for the drive C: on another system; None for the real one
        ask: what an interpreter sees
        code_page: encoding of text files that VBA reads
        interpreter: the Python that runs this
        running: command lines of Python processes by number
    """

    system: str = sys.platform
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    registry: Registry = field(default_factory=NoRegistry)
    root: Path | None = None
    ask: Callable[[str], Seen] = ask
    code_page: str = "utf-8"
    interpreter: str = sys.executable
    running: Callable[[], Mapping[int, str]] = running

    @property
    def windows(self) -> bool:
        """Whether Excel can call Python here."""
        return self.system == WINDOWS

    def variable(self, name: str) -> str:
        """A variable of the environment; empty when it is not set."""
        if not self.windows:
            return self.environment.get(name, "")
        return next((v for k, v in self.environment.items() if k.upper() == name.upper()), "")

    def expanded(self, text: str) -> str:
        """Text with `%NAME%` replaced; what is not set stays, as in Windows."""
        return re.sub(r"%([\w()]+)%", lambda m: self.variable(m[1]) or m[0], text)

    def place(self, interpreter: str) -> Installation:
        """The environment of an interpreter; the one without a window would say nothing of what it does."""
        folder = self.file(ntpath.dirname(interpreter))
        prefix = folder.parent if folder.name.lower() in ("scripts", "bin") else folder
        return Installation(re.sub(r"(?i)pythonw\.exe$", "python.exe", interpreter), prefix)

    def file(self, path: str) -> Path:
        """The file that a path of Windows names, `%APPDATA%` and all."""
        expanded = self.expanded(path)
        if self.root is None:
            return Path(expanded)
        _, rest = ntpath.splitdrive(expanded)
        return self.root.joinpath(*[part for part in re.split(r"[\\/]", rest) if part])


def this_machine() -> Machine:
    """The machine that this runs on."""
    if sys.platform == WINDOWS:
        return Machine(registry=WindowsRegistry(), code_page=locale.getpreferredencoding(False))
    return Machine()
