"""xlwings as on Windows, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tools.fakewin import Windows, windows
from tokensheet import planner
from tokensheet.functions import Functions


@pytest.fixture(scope="module")
def excel() -> Iterator[Windows]:
    """xlwings' own Windows code over stand-ins for pywin32."""
    with windows() as loaded:
        yield loaded


@pytest.fixture(scope="session")
def functions() -> Functions:
    return Functions(planner())
