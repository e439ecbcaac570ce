"""How the project is kept: commands of the pages are there, the changelog has its form, stated bounds are the real ones."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.tools.release import supported
from tokensheet import (
    cell_arithmetic,
    celltext,
    errors,
    languages,
    proposal,
    recipe,
    recipe_files,
    settings,
    trace,
    untrusted,
    version,
)
from tokensheet.config_import import load
from tokensheet.desktop import fleet
from tokensheet.server.limits import SHORTEST_TOKEN, Limits
from tokensheet.tables import cells, csv_file
from tokensheet.tables.plugin import LARGEST as LARGEST_TABLE
from tokensheet.validation import measurements
from tokensheet.workbook import brand, opened, package

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "CONTRIBUTING.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("releasing", "security", "dependencies")),
]
SIX = ("check", "test", "format", "goldens", "bench", "demo")


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_and_commands_of_the_pages_are_there(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)", text(page)):
        assert (page.parent / link).exists(), link
    targets = re.findall(r"^([a-z-]+):", text(ROOT / "Makefile"), re.M)
    for target in re.findall(r"(?:^|`|and )make ([a-z][a-z-]+)", text(page), re.M):
        assert target in targets, target


def test_the_six_commands_stand_where_they_are_looked_for() -> None:
    assert re.findall(r"^make ([a-z]+) +#", text(ROOT / "CONTRIBUTING.md"), re.M) == list(SIX)
    described = re.findall(r"^# make ([a-z-]+)", text(ROOT / "Makefile"), re.M)
    phony = re.search(r"^\.PHONY: ((?:.*\\\n)*.*)", text(ROOT / "Makefile"), re.M)
    assert phony and set(SIX) <= set(described) <= set(phony[1].replace("\\", "").split())


def test_the_changelog_has_its_form() -> None:
    """The newest version first, with the day or the word; under each heading one list of what users see."""
    headings = re.findall(r"^## (.+)$", text(ROOT / "CHANGELOG.md"), re.M)
    for heading in headings:
        assert re.fullmatch(r"(next version|\d+\.\d+\.\d+), (unreleased|\d{4}-\d{2}-\d{2})", heading)
    assert [h for h in headings if h.endswith("unreleased")] in ([], headings[:1])
    assert any(h.startswith(f"{version.__version__}, ") for h in headings)
    parts = re.split(r"^## .+$", text(ROOT / "CHANGELOG.md"), flags=re.M)[1:]
    assert all(re.search(r"^- ", part, re.M) for part in parts)


@pytest.mark.parametrize("page", ["README.md", "docs/releasing.md"])
def test_the_supported_pythons_are_the_same_everywhere(page: str) -> None:
    """Of the classifiers, which a release is tried on; the oldest is what pip, ruff and mypy ask for."""
    versions = supported()
    assert f"Python {', '.join(versions[:-1])} and {versions[-1]}" in " ".join(text(ROOT / page).split())
    project = tomllib.loads(text(ROOT / "pyproject.toml"))
    oldest = versions[0]
    assert project["project"]["requires-python"] == f">={oldest}"
    assert project["tool"]["mypy"]["python_version"] == oldest
    assert project["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"
    taken = re.findall(r"\bpython(3\.\d+)", text(ROOT / "Makefile").partition("BIN :=")[0])
    assert set(versions) <= set(taken) and min(taken, key=version_of) == oldest
    assert version_of(oldest) in {
        (int(a), int(b)) for a, b in re.findall(r"< \((\d+), (\d+)\)", text(ROOT / "Makefile"))
    }
    assert fleet.PYTHON in versions


def version_of(written: str) -> tuple[int, ...]:
    return tuple(map(int, written.split(".")))


BOUNDS: dict[str, tuple[int, ...]] = {
    "every TOML file": (untrusted.DEEPEST, untrusted.MOST_VALUES, untrusted.MOST_KEY_PARTS),
    "a proposal": (proposal.LARGEST_FILE // 10**6, 12, proposal.MOST_RESULTS, proposal.LONGEST_TEXT),
    "a recipe": (recipe_files.LARGEST_FILE // 10**6, recipe.MOST_ROWS, 12),
    "the settings": (settings.LARGEST_FILE // 10**6, languages.LARGEST_FILE // 10**6),
    "a table of records": (LARGEST_TABLE // 10**6, untrusted.MOST_COLUMNS, csv_file.LONGEST_CELL, cells.LONGEST_NUMBER),
    "`config.json`": (load.MAX_BYTES // 10**6, untrusted.DEEPEST, untrusted.MOST_VALUES),
    "a trace": (trace.LARGEST_FILE // 10**9, trace.MOST_ROWS, trace.LONGEST_LINE),
    "a table of measured": (measurements.LARGEST_FILE // 10**6, measurements.MOST_ROWS),
    "the text of a cell": (celltext.LONGEST, celltext.DEEPEST, celltext.MOST_OPERATORS, cell_arithmetic.LARGEST_ARRAY),
    "a workbook": (
        package.LARGEST_FILE // 10**6,
        package.MOST_PARTS,
        package.LARGEST_PART // 10**6,
        brand.LARGEST_PART // 10**6,
        opened.MOST_CELLS,
        opened.LAST_ROW,
    ),
    "a request": (Limits().bytes // 10**6, Limits().calls, Limits().cells, int(Limits().seconds), SHORTEST_TOKEN),
    "mistakes": (errors.MOST_TOLD, errors.LONGEST_TOLD),
}  # fmt: skip


def test_the_bounds_that_are_stated_are_the_real_ones() -> None:
    rows = [line for line in text(ROOT / "docs" / "security.md").splitlines() if line.startswith("| ")][2:]
    for row in rows:
        found = [bounds for what, bounds in BOUNDS.items() if what in row.split("|")[1]]
        assert found, f"no bound is known of {row}"
        numbers = [int(n.replace(",", "")) for n in re.findall(r"\b\d[\d,]*\b", row)]
        assert not [n for bounds in found for n in bounds if n not in numbers], row
