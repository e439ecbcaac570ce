"""A running server for the tests of this folder, and which of them need more than Python.

Those are marked `extras`: they need node, npm, Chromium or a licence key, and `make test-extras` runs them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.server.serving import Server, serving
from tokensheet import planner
from tokensheet.functions import Functions

EXTRAS = "TOKENSHEET_EXTRAS"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the extras out, counted as deselected, unless they are asked for."""
    if os.environ.get(EXTRAS) == "1":
        return
    left_out = [item for item in items if item.get_closest_marker("extras")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def functions() -> Functions:
    return Functions(planner())


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """As `tokensheet server run` is by default."""
    with serving(tmp_path_factory.mktemp("server") / "log.txt") as running:
        yield running
