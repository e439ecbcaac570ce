"""What people install: the wheel alone in a fresh environment, with a stranger's plugin beside it."""

from __future__ import annotations

import shutil
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest

from tests.tools.release import asked, built, fresh, run

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "plugins" / "tokensheet-example-gpu"
PROPOSAL = ROOT / "workbooks" / "llama-2-70b-4090-or-h100.toml"
GPU = "example-gpu-96gb"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheels(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheels of the project and of the example plugin."""
    return wheel, built(EXAMPLE, tmp_path_factory.mktemp("wheels"))


@pytest.fixture(scope="module")
def programs(wheels: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment with both wheels and pytest."""
    folder = tmp_path_factory.mktemp("fresh")
    return fresh(sys.executable, folder / "venv", *wheels, "pytest")


def test_the_wheel_holds_packages_types_and_templates(wheels: tuple[Path, Path]) -> None:
    names = zipfile.ZipFile(wheels[0]).namelist()
    packages = {name.partition("/")[0] for name in names if ".dist-info" not in name}
    built_in = {path.name for path in (ROOT / "plugins").glob("tokensheet_*") if path.is_dir()}
    assert packages == {"tokensheet"} | built_in
    assert {f"{package}/py.typed" for package in packages} <= set(names)
    assert any(name.startswith("tokensheet/_templates/") for name in names)
    assert not [name for name in names if "/tests/" in name or name.endswith((".xlsx", ".pyc"))]


def test_the_first_things_that_people_do(programs: Path, tmp_path: Path) -> None:
    """As `make release-check` asks on every supported Python."""
    assert len(list(asked(programs, tmp_path))) == 4


def test_a_cell_knows_the_plugins_gpu(programs: Path, tmp_path: Path) -> None:
    answer = run(programs / "tokensheet", "eval", f'=TS_SPEC("{GPU}","memory_bytes")', cwd=tmp_path)
    assert float(answer.strip()) == 96e9


def test_the_plugin_is_listed(programs: Path, tmp_path: Path) -> None:
    listed = run(programs / "tokensheet", "plugins", cwd=tmp_path)
    assert "example_gpu" in listed
    assert "tokensheet-example-gpu" in listed


def test_a_workbook_is_exported_with_the_plugins_gpu(programs: Path, tmp_path: Path) -> None:
    shutil.copy(PROPOSAL, tmp_path)
    run(programs / "tokensheet", "export", PROPOSAL.name, cwd=tmp_path)
    book = openpyxl.load_workbook(tmp_path / f"{PROPOSAL.stem}.xlsx", data_only=True)
    hardware = {cell.value for row in book["Hardware"].iter_rows() for cell in row}
    assert GPU in hardware
    summary = [cell.value for row in book["Summary"].iter_rows() for cell in row]
    assert any(isinstance(value, float) for value in summary)


def test_the_plugins_own_tests_pass(programs: Path, tmp_path: Path) -> None:
    """As an author would run them: the installed plugin, none of this checkout."""
    shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    run(programs / "python", "-m", "pytest", "-q", "tests", cwd=tmp_path)
