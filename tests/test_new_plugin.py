"""`tokensheet new-plugin`: a package with a name of its own that passes its own test as it is."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.tools.sources import install, run
from tokensheet.cli.commands import tokensheet
from tokensheet.errors import ArgumentError
from tokensheet.new_plugin import FILES, name_problem, write

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_it_passes_its_own_test_as_it_is(tmp_path: Path) -> None:
    """Installed beside the built-in plugins, with warnings as errors, and types in order."""
    folder, site = tmp_path / "acme-gpus", tmp_path / "site"
    write("acme-gpus", folder)
    install(folder, site)
    done = run("-m", "pytest", "-q", "-W", "error", "--rootdir", folder, folder, site=site, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


@pytest.mark.slow
def test_its_module_is_typed(tmp_path: Path) -> None:
    """mypy --strict has nothing to say."""
    write("acme-gpus", tmp_path / "acme")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    environment = {"MYPYPATH": f"{ROOT / 'addin'}:{ROOT / 'plugins'}", "PATH": ""}
    done = subprocess.run(
        [*command, str(tmp_path / "acme" / "src" / "acme_gpus")],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_package(tmp_path: Path) -> None:
    """Entry point, module and distribution carry one name, with which no other plugin clashes."""
    written = write("acme-gpus", tmp_path / "new")
    assert len(written) == len(FILES)
    assert all(path.is_file() for path in written)
    project = tomllib.loads((tmp_path / "new" / "pyproject.toml").read_text())["project"]
    assert project["name"] == "acme-gpus"
    assert project["entry-points"] == {"tokensheet": {"acme_gpus": "acme_gpus"}}
    assert "$" not in "".join(path.read_text() for path in written)


def test_the_command_says_what_to_do_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(tokensheet, ["new-plugin", "acme-gpus"])
    assert done.exit_code == 0
    *written, last = done.output.splitlines()
    assert written[0] == "written: acme-gpus/pyproject.toml"
    assert last.startswith("next: ")
    assert last.endswith(" ./acme-gpus")


NAMES = {
    "acme-gpus": None,
    "acme": None,
    "a2-b3": None,
    "Acme": "name 'Acme' must be lower case letters, digits and single hyphens, such as acme-gpus",
    "acme_gpus": "name 'acme_gpus' must be lower case letters, digits and single hyphens, such as acme-gpus",
    "-acme": "name '-acme' must be lower case",
    "acme--gpus": "name 'acme--gpus' must be lower case",
    "9acme": "name '9acme' must be lower case",
    "../acme": "name '../acme' must be lower case",
    "": "name '' must be lower case",
    "a" * 51: f"name '{'a' * 51}' is longer than 50 characters",
    "class": "name class is a word of Python; choose one such as class-gpus",
    "json": "a module json is there already; choose a name of your own, so that neither breaks the other",
    "pydantic": "pydantic ",
    "tokensheet": "name tokensheet is this program's own; choose one such as acme-gpus",
    "tokensheet-costs": "a module tokensheet_costs is there already",
}


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    """A name that would break this plugin or another is refused, with the reason."""
    wanted, found = NAMES[name], name_problem(name)
    assert found is None if wanted is None else str(found).startswith(wanted)


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """Neither a folder with something in it nor a file."""
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "x").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name in ("there", "file"):
        with pytest.raises(ArgumentError, match="is there already and not empty; choose another folder"):
            write("acme-gpus", tmp_path / name)
    (tmp_path / "empty").mkdir()
    assert write("acme-gpus", tmp_path / "empty")


def test_when_a_file_cannot_be_written_none_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the folder is not left behind, so that the same words may be typed again."""
    real, left = os.replace, iter(range(3, -1, -1))

    def full(*names: Path) -> None:
        if next(left, None) == 0:
            raise OSError(28, "No space left on device")
        real(*names)

    monkeypatch.setattr(os, "replace", full)
    folder = tmp_path / "new" / "acme"
    with pytest.raises(ArgumentError, match="acme: No space left on device; choose another folder"):
        write("acme-gpus", folder)
    assert list(tmp_path.iterdir()) == []
