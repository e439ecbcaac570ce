"""A plugin's source folder as if installed: entry points and code on the path of another process, without pip."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

HIDDEN = ("TOKENSHEET_DISABLE", "TOKENSHEET_NO_PLUGINS", "TOKENSHEET_PLUGINS", "TOKENSHEET_CATALOGS")


def install(project: Path, site: Path) -> None:
    """Writes what pip would write of an editable installation.

    Args:
        project: folder with the pyproject.toml and src/
        site: folder that stands for the environment's packages
    """
    data = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = data["name"], data["version"]
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    points = data["entry-points"]["tokensheet"]
    lines = ["[tokensheet]", *(f"{key} = {value}" for key, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    source = project / "src"
    (site / f"{name}.path").write_text(str(source.resolve()))


def environment(site: Path) -> dict[str, str]:
    """Variables of a process that sees the installed sources, and no settings of a person."""
    sources = [path.read_text() for path in site.glob("*.path")]
    path = os.pathsep.join([str(site), *sources, *filter(None, sys.path)])
    kept = {k: v for k, v in os.environ.items() if k not in HIDDEN}
    return kept | {"PYTHONPATH": path, "TOKENSHEET_CONFIG": os.devnull, "PYTHONDONTWRITEBYTECODE": "1"}


def run(
    *arguments: str | Path, site: Path, cwd: Path, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs this Python with arguments such as `-m pytest`."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env=environment(site) | dict(more or {}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
