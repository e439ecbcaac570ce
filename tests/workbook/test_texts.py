"""Workbooks in other languages: the same formulas and numbers, every text of the program translated, data untouched."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest

import tokensheet
from tests.workbook.test_recipes import BUILT_IN, proposal
from tokensheet.texts import Texts
from tokensheet.workbook.build import Export, build

PLANNER = tokensheet.planner()


class Marked(Texts):
    """A language in which every text of the program stands in brackets."""

    def words(self, english: str) -> str:
        return f"«{english}»" if english else ""


def cells(made: Export, *, values: bool = False) -> dict[tuple[str, str], Any]:
    """Sheet and address → formula or content, or what is stored."""
    book: Any = openpyxl.load_workbook(io.BytesIO(made.xlsx), data_only=values)
    return {
        (s.title, c.coordinate): c.value
        for s in book
        for row in s.iter_rows()
        for c in row
        if c.value is not None
    }


@pytest.mark.parametrize("name", BUILT_IN)
def test_formulas_and_numbers_are_the_same_in_every_language(name: str) -> None:
    english, marked = (
        build(PLANNER, proposal(template=name)),
        build(PLANNER, proposal(template=name), Marked()),
    )
    one, other = cells(english), cells(marked)
    assert one.keys() == other.keys()
    texts = {at for at, value in one.items() if isinstance(value, str) and not value.startswith("=")}
    assert {at: value for at, value in one.items() if at not in texts} == {
        at: value for at, value in other.items() if at not in texts
    }
    said, told = cells(english, values=True), cells(marked, values=True)
    numbers = {at for at, value in said.items() if not isinstance(value, str)}
    assert {at: said[at] for at in numbers} == {at: told[at] for at in numbers}
    assert {at for at in said.keys() - texts - numbers if said[at] != told[at]} == {
        at for at in told if "«" in str(told[at]) and at not in texts
    }


def test_the_words_of_summary_are_translated() -> None:
    told = cells(build(PLANNER, proposal(template="one-page"), Marked()), values=True)
    assert "«fits»" in {value for (sheet, _), value in told.items() if sheet == "Summary"}
