"""Where this program runs, and with which command a plugin gets to the same place."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

PROGRAM = "tokensheet"
_FOLDER = re.compile(r"[^\\/]+")
_ODD = re.compile(r"[\s'`&(){}\[\];,^=!+@#]")
"""Characters that mean something to a terminal of Windows outside double quotes."""


@dataclass(frozen=True)
class Installation:
    """One Python environment.

    Args:
        interpreter: that runs it
        prefix: folder of the environment
    """

    interpreter: str = sys.executable
    prefix: Path = Path(sys.prefix)

    @property
    def tool(self) -> str:
        """What made the environment: uv tool, pipx, conda, uv or pip."""
        if (self.prefix / "uv-receipt.toml").is_file():
            return "uv tool"
        if (self.prefix / "pipx_metadata.json").is_file():
            return "pipx"
        if (self.prefix / "conda-meta").is_dir():
            return "conda"
        marks = self.prefix / "pyvenv.cfg"
        if marks.is_file() and any(
            line.split("=")[0].strip() == "uv" for line in marks.read_text("utf-8", "replace").splitlines()
        ):
            return "uv"
        return "pip"

    def command(self, name: str) -> str:
        """What to type so that this interpreter finds a distribution, such as `acme-gpus`.

        An environment of uv tool is made anew by each command, so the command names what it holds.
        """
        quoted = _quoted(self.interpreter, on_windows=_is_of_windows(self.interpreter))
        match self.tool:
            case "uv tool":
                return f"uv tool install {PROGRAM} {' '.join(f'--with {n}' for n in (*self._with(), name))}"
            case "pipx":
                return f"pipx inject {PROGRAM} {name}"
            case "uv":
                return f"uv pip install --python {quoted} {name}"
            case _:
                return f"{quoted} -m pip install {name}"

    def command_for_folder(self, folder: Path) -> str:
        """What to type so that this interpreter finds the package in a folder, changes included."""
        path = folder.as_posix() if folder.is_absolute() else f"./{folder.as_posix()}"
        quoted = _quoted(path, on_windows=_is_of_windows(self.interpreter))
        match self.tool:
            case "uv tool":
                return self.command("NAME").replace("--with NAME", f"--with-editable {quoted}")
            case "pipx":
                return f"pipx inject --editable {PROGRAM} {quoted}"
            case _:
                return self.command("-e NAME").replace("NAME", quoted)

    def _with(self) -> list[str]:
        """What was added to the tool before."""
        import tomllib

        try:
            receipt = tomllib.loads((self.prefix / "uv-receipt.toml").read_text("utf-8"))
            names = [str(r["name"]) for r in receipt["tool"]["requirements"]]
        except (OSError, ValueError, KeyError, TypeError):
            return []
        return [n for n in names if n != PROGRAM]


def _is_of_windows(path: str) -> bool:
    return "\\" in path


def _quoted(path: str, on_windows: bool) -> str:
    r"""A path as the system's own terminals take it.

    Of Windows' the Command Prompt knows no single quotes, and PowerShell takes a line that begins with a quote for a text
    and not for a command; both take `C:\"my folder"\python.exe`.
    """
    if not on_windows:
        return shlex.quote(path)
    return _FOLDER.sub(lambda part: f'"{part[0]}"' if _ODD.search(part[0]) else part[0], path)


def shared_files(distributions: Iterable[str]) -> list[str]:
    """A line for each import package that two of these distributions ship: removing one breaks the other."""
    owners: dict[str, set[str]] = {}
    for name in dict.fromkeys(distributions):
        try:
            files = distribution(name).files or ()
        except (PackageNotFoundError, ValueError):
            continue
        for file in files:
            if file.suffix == ".py":
                owners.setdefault(file.as_posix(), set()).add(name)
    shared: dict[tuple[str, ...], str] = {}
    for path, names in owners.items():
        if len(names) > 1:
            shared.setdefault(tuple(sorted(names)), path)
    return [
        f"{' and '.join(names)} both own {path}; removing one breaks the other: rename the package of one"
        for names, path in sorted(shared.items())
    ]
