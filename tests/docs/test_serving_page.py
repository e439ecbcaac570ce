"""The page on serving: its cells answer, and the errors that it states are those of the tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cells import functions, number

PAGE = (Path(__file__).parents[2] / "docs" / "serving.md").read_text(encoding="utf-8")
CELLS = re.findall(r"^=.*$", PAGE, re.MULTILINE)
NAMES = sorted(set(re.findall(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b", PAGE)))


@pytest.mark.parametrize("text", CELLS)
@pytest.mark.slow
def test_each_cell_of_the_page_answers(text: str) -> None:
    assert number(text) > 0


def test_the_page_has_its_cells() -> None:
    assert len(CELLS) == 12


@pytest.mark.parametrize("name", NAMES)
def test_each_function_that_the_page_names_exists(name: str) -> None:
    assert name in functions().table


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)+)`", PAGE))))
def test_each_node_that_the_page_names_exists(name: str) -> None:
    registry = functions().planner.registry
    assert name in registry.nodes or name in registry.roles
