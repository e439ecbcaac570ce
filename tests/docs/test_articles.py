"""The page on the two articles: each of its cells gives the value that stands below it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.cells import cell
from tokensheet.failure import Failure

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "articles.md"
DIGITS = 2e-5
"""Six digits are printed."""


@cache
def blocks() -> list[list[str]]:
    text = PAGE.read_text(encoding="utf-8")
    return [block.strip().splitlines() for block in re.findall(r"^```text\n(.*?)^```$", text, re.M | re.S)]


def printed() -> list[tuple[str, str]]:
    """Cell text and the value printed below it."""
    found = []
    for lines in blocks():
        for text, value in zip(lines[::2], lines[1::2], strict=True):
            shown = re.match(r"→ (\{[^}]*\}|[^\s;:]+)", value)
            assert text.startswith("=") and shown, f"{text} / {value}"
            found.append((text, shown[1]))
    return found


def elements(text: str) -> list[float]:
    return [float(part) for part in text.strip("{}").split(";")]


@pytest.mark.parametrize(("text", "value"), printed(), ids=[t[:70] for t, _ in printed()])
def test_each_cell_gives_the_value_below_it(text: str, value: str) -> None:
    found = cell(text)
    assert not isinstance(found, Failure), found.reason
    given = [row[0] for row in found] if isinstance(found, list) else [found]
    assert given == pytest.approx(elements(value), rel=DIGITS)


def test_the_page_is_read_as_it_stands() -> None:
    """No line of a block is left out, and no block of another kind hides a cell."""
    text = PAGE.read_text(encoding="utf-8")
    assert len(printed()) == len(re.findall(r"^=", text, re.M)) == len(re.findall(r"^→ ", text, re.M))
    assert len(printed()) > 200


@pytest.mark.parametrize("exercise", range(1, 13))
def test_each_exercise_has_a_worked_answer(exercise: int) -> None:
    """The twelve exercises of the first article."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(f"\n**{exercise}. ")
    end = text.find("\n**", start + 3)
    assert "\n=" in text[start:end], f"exercise {exercise} has no cell"
