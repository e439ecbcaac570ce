"""The reference page is what the registry says: each function, assumption and profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokensheet.functions import Functions
from tokensheet.planning import Planner
from tokensheet.plugins import load
from tokensheet.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "reference.md"


def test_the_page_is_made_from_the_registry(request: pytest.FixtureRequest) -> None:
    text = reference(Functions(Planner(load())))
    if request.config.getoption("--update-golden"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text, "run make goldens and read the difference"


def test_each_function_has_its_row() -> None:
    text = PAGE.read_text(encoding="utf-8")
    functions = Functions(Planner(load()))
    assert [n for n in functions.table if f"\n### {n}\n" not in text] == []
