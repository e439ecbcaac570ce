"""The release, tried before it is one: `python -m tests.tools.release FOLDER`, as `make release-check` runs it.

Builds source and wheel into FOLDER and has twine check what they say of themselves; then installs the wheel in a fresh
environment on each supported Python of this machine, where it sees nothing of this checkout, and asks it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
HIDDEN = (
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
    "TOKENSHEET_DISABLE",
    "TOKENSHEET_PLUGINS",
    "TOKENSHEET_CATALOGS",
)
USABLE = "import sys, venv, ensurepip; print(sys.executable)"
PLAN = """
title = "One page"
template = "one-page"
workload = { model = "llama-2-70b", gpus = 8, context = 4096 }

[[candidates]]
name = "cheap"
gpu = "rtx-4090"

[[candidates]]
name = "fast"
gpu = "h100-sxm-80gb"
"""


class ReleaseError(Exception):
    """A step failed; says what it printed."""


def run(*command: str | Path, cwd: Path) -> str:
    """Output of a command that sees nothing of this checkout or its environment.

    Raises:
        ReleaseError: it failed.
    """
    environment = {key: value for key, value in os.environ.items() if key not in HIDDEN}
    environment["TOKENSHEET_CONFIG"] = os.devnull
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if done.returncode != 0:
        raise ReleaseError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def built(source: Path, folder: Path) -> Path:
    """The wheel of a source tree, made from its source distribution, so that nothing is missing in that."""
    folder.mkdir(parents=True, exist_ok=True)
    before = set(folder.glob("*.whl"))
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, source, cwd=folder)
    (wheel,) = set(folder.glob("*.whl")) - before
    return wheel


def fresh(python: str, folder: Path, *packages: str | Path) -> Path:
    """The folder of programs of a new environment with some packages."""
    run(python, "-m", "venv", folder, cwd=folder.parent)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = (programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, *packages, cwd=folder)
    return programs


def asked(programs: Path, folder: Path) -> Iterator[str]:
    """What an installed program answers to the first things that people do, a line each.

    Raises:
        ReleaseError: something is not as it should be.
    """
    tokensheet = programs / "tokensheet"
    said = run(
        programs / "python",
        "-c",
        "import tokensheet, sys; print(tokensheet.__version__, sys.version)",
        cwd=folder,
    )
    yield f"import: {' on Python '.join(said.split()[:2])}"
    number = run(tokensheet, "eval", '=KV_BYTES("llama-2-70b",4096,8)', cwd=folder).strip()
    _same("eval", number, "10737418240")
    yield f"eval: {number}"
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    run(tokensheet, "export", "plan.toml", cwd=folder)
    moved = run(tokensheet, "diff", "plan.toml", "plan.xlsx", cwd=folder).strip()
    _same("diff of a proposal and its workbook", moved, "no difference")
    yield f"export of one page: {(folder / 'plan.xlsx').stat().st_size:,} bytes, {moved} to its proposal"
    listed = run(tokensheet, "plugins", cwd=folder)
    own = [name for name in _project()["entry-points"]["tokensheet"] if name in listed]
    _same("plugins", own, list(_project()["entry-points"]["tokensheet"]))
    yield f"plugins: {', '.join(own)}"


def _same(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise ReleaseError(f"{what}: {found}, not {wanted}")


def _project() -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))[
        "project"
    ]
    return found


def supported() -> list[str]:
    """The versions of Python that the project says it supports."""
    return [
        c.rpartition(" ")[2]
        for c in _project()["classifiers"]
        if c.startswith("Programming Language :: Python :: 3.")
    ]


def interpreter(version: str) -> str:
    """A Python of this machine that can make environments; empty where there is none."""
    places = [shutil.which(f"python{version}")]
    if shutil.which("uv"):
        found = subprocess.run(["uv", "python", "find", version], capture_output=True, text=True, check=False)
        places.append(found.stdout.strip())
    for place in filter(None, places):
        done = subprocess.run([place, "-c", USABLE], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.strip()
    return ""


def main(folder: Path, twine: Path) -> None:
    """Prints what was done; ends with 1 when something failed or no Python was found."""
    shutil.rmtree(folder, ignore_errors=True)
    wheel = built(ROOT, folder)
    files = sorted(folder.iterdir())
    print("built:", ", ".join(f"{file.name} ({file.stat().st_size:,} bytes)" for file in files))
    run(twine, "check", "--strict", *files, cwd=folder)
    print("twine check: passed")
    tried = 0
    for version in supported():
        python = interpreter(version)
        if not python:
            print(f"Python {version}: NOT TRIED, there is none here")
            continue
        print(f"Python {version}")
        with tempfile.TemporaryDirectory() as held:
            place = Path(held)
            for line in asked(fresh(python, place / "environment", wheel), place):
                print(f"  {line}", flush=True)
        tried += 1
    if not tried:
        raise ReleaseError("no supported Python was found")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).absolute())
    except ReleaseError as problem:
        sys.exit(f"release: {problem}")
