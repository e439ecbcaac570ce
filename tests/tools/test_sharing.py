"""Tests are handed to processes file by file, and what stands in the table of files is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.sharing import TOGETHER, group

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("test", "wanted"),
    [
        ("tests/test_wheel.py::test_a[x::y]", "wheel"),
        ("tests/docs/test_plugins_page.py::test_b", "wheel"),
        ("tests/calc/test_menu.py::test_c", "calc"),
        ("tests/test_units.py::test_d[a@b]", "tests/test_units.py"),
    ],
)
def test_a_file_stays_together_with_those_that_share(test: str, wanted: str) -> None:
    assert group(test) == wanted


def test_files_and_folders_of_the_table_are_there_and_not_alone() -> None:
    assert [start for start in TOGETHER if not (ROOT / start).exists()] == []
    groups = list(TOGETHER.values())
    folders = {group for start, group in TOGETHER.items() if start.endswith("/")}
    assert {group for group in groups if groups.count(group) == 1} <= folders
