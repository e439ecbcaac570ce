"""The table of dependencies: complete, and with the licences that the packages state."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([\w.-]+) \| ([\w, ]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.M)
TABLE = {m[1]: m for m in ROW.finditer(TEXT) if m[1] != "package" and m[1] != "---"}
FAMILIES = ("MIT", "BSD", "Apache", "MPL", "PSF", "ISC", "GPL", "Zlib", "Proprietary")


def asked_for() -> dict[str, set[str]]:
    """Package → what asks for it, by pyproject.toml."""
    file = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = {"run": file["project"]["dependencies"], "build": file["build-system"]["requires"]}
    groups |= file["project"]["optional-dependencies"] | file["dependency-groups"]
    found: dict[str, set[str]] = defaultdict(set)
    for group, requirements in groups.items():
        for requirement in requirements:
            found[re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()].add(group)
    return found


def stated(package: str) -> set[str]:
    """Families of licences that an installed package states."""
    told = metadata(package)
    classifiers = [c for c in told.get_all("Classifier", []) if c.startswith("License ::")]
    words = " ".join(
        [
            *told.get_all("License-Expression", []),
            *(text[:100] for text in told.get_all("License", [])),
            *classifiers,
        ]
    )
    return families(words)


def families(words: str) -> set[str]:
    return {family for family in FAMILIES if re.search(rf"(?<![A-Za-z0]){family}", words)}


def test_the_table_and_the_project_name_the_same_packages_for_the_same_ends() -> None:
    table = {package: set(row[2].split(", ")) for package, row in TABLE.items()}
    assert table == asked_for(), "pyproject.toml and docs/dependencies.md differ"


@pytest.mark.parametrize("package", TABLE)
def test_each_row_says_licence_reason_and_alternative(package: str) -> None:
    _, _, licence, why, instead = TABLE[package].groups()
    assert families(licence) and "GPL" not in licence
    assert len(why) > 4 and len(instead) > 2


@pytest.mark.parametrize("package", [p for p, row in TABLE.items() if "release" not in row[2]])
def test_the_licence_is_the_one_that_the_package_states(package: str) -> None:
    """Everything but the tools of a release is installed where tests run."""
    try:
        assert families(TABLE[package][3]) <= stated(package)
    except PackageNotFoundError:
        pytest.fail(f"{package} is not installed; pip install -e '.[dev]'", pytrace=False)
