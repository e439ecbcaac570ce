"""Cell texts answered as `tokensheet eval` answers them, in this process."""

from __future__ import annotations

from functools import cache
from typing import Any

import tokensheet
from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.sheet_words import run


@cache
def functions() -> Functions:
    return Functions(tokensheet.planner())


def cell(text: str) -> Any:
    """A number, text, rows of these, or a Failure."""
    return run(text, functions())


def number(text: str) -> float:
    """The number that a cell's text gives; anything else fails the test with its reason."""
    found = cell(text)
    assert not isinstance(found, Failure), f"{text}: {found.reason}"
    assert isinstance(found, float), f"{text}: {found!r}"
    return found


def column(text: str) -> list[float]:
    """The numbers of a cell's text that spills one column."""
    found = cell(text)
    assert isinstance(found, list), f"{text}: {found!r}"
    for row in found:
        assert len(row) == 1 and isinstance(row[0], float), f"{text}: {row!r}"
    return [row[0] for row in found]


def reason(text: str) -> str:
    """Why a cell's text gives an error."""
    found = cell(text)
    assert isinstance(found, Failure), f"{text}: {found!r}"
    return found.reason
