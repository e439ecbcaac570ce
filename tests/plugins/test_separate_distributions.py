"""The distributions under plugins/ that are installed on their own: their tests pass as an author runs them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.tools.sources import install, run

ROOT = Path(__file__).parents[2]
PROJECTS = sorted(path.parent for path in (ROOT / "plugins").glob("*-*/pyproject.toml"))
CALL = "from tokensheet.cli import main; main()"


@pytest.mark.slow
@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_its_own_tests_pass(project: Path, tmp_path: Path) -> None:
    """Installed beside the built-in plugins, with warnings as errors."""
    install(project, tmp_path / "site")
    command = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, "-W", "error")
    done = run(*command, "--import-mode=importlib", project / "tests", site=tmp_path / "site", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_its_package_has_a_name_of_its_own(project: Path) -> None:
    """One typed package under src/, named after the distribution, so that no two plugins share files."""
    data = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = [
        path.name for path in (project / "src").iterdir() if path.is_dir() and path.name[0] not in "._"
    ]
    assert packages == [data["name"].replace("-", "_")]
    assert (project / "src" / packages[0] / "py.typed").is_file()
    assert list(data["entry-points"]["tokensheet"].values()) == packages


@pytest.mark.slow
def test_all_of_them_together(tmp_path: Path) -> None:
    """No two clash; what is replaced is said, and the workbook of a proposal says it too."""
    site = tmp_path / "site"
    for project in PROJECTS:
        install(project, site)
    done = run("-c", CALL, "--strict", "plugins", site=site, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    wanted = "replaced formula: cost_per_hour by market_pricing (tokensheet-market-pricing 0.1.0), in place of costs"
    assert wanted in done.stdout
    proposal = ROOT / "workbooks" / "llama-2-70b-4090-or-h100.toml"
    done = run("-c", CALL, "export", proposal, "-o", tmp_path, site=site, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Plugin market_pricing" in (tmp_path / f"{proposal.stem}.txt").read_text(encoding="utf-8")
    text = (tmp_path / f"{proposal.stem}.txt").read_text(encoding="utf-8")
    assert "cost_per_hour by market_pricing (tokensheet-market-pricing 0.1.0), in place of costs" in text
