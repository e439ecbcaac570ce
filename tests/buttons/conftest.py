"""The functions that the buttons of this folder's tests work with."""

from __future__ import annotations

import pytest

import tokensheet
from tokensheet.functions import Functions


@pytest.fixture(scope="session")
def functions() -> Functions:
    return Functions(tokensheet.planner())
