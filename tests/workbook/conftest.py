"""Workbooks that several tests of this folder look at, exported once."""

from __future__ import annotations

import pytest

import tokensheet
from tests.tools.all_functions import everything
from tests.tools.planbook import Planbook, planbook


@pytest.fixture(scope="session")
def book(tmp_path_factory: pytest.TempPathFactory) -> Planbook:
    """A workbook of many functions and twelve candidates."""
    planner = tokensheet.planner()
    return planbook(planner, everything(planner), tmp_path_factory.mktemp("everything") / "everything.xlsx")
