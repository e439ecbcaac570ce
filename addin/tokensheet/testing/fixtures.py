"""Fixtures for an author's tests: write `from tokensheet.testing.fixtures import *` in conftest.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tokensheet.planning import Planner, shared
from tokensheet.settings import CATALOGS, CONFIG, PLUGINS

__all__ = ["planner", "settings_left_out"]


@pytest.fixture(autouse=True)
def settings_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test depends on the settings of the person who runs it."""
    file = tmp_path / "tokensheet-settings.toml"
    file.write_text("")
    monkeypatch.setenv(CONFIG, str(file))
    for variable in (PLUGINS, CATALOGS):
        monkeypatch.delenv(variable, raising=False)
    shared.cache_clear()
    yield
    shared.cache_clear()


@pytest.fixture
def planner(settings_left_out: None) -> Planner:
    """A planner of all installed plugins."""
    return shared()
