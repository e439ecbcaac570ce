"""The page about accuracy is what the program says today."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from benchmarks import report_accuracy
from tokensheet.planning import Planner
from tokensheet.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "accuracy.md"


@cache
def facts() -> report_accuracy.Facts:
    return report_accuracy.Facts(Planner(settings=Settings()))


def test_the_table_of_values_is_that_of_the_profiles() -> None:
    """Each value of each profile, bold where measurements moved it."""
    assert report_accuracy.values(facts()) in PAGE.read_text(encoding="utf-8")


def test_the_whole_page_is_written_by_its_command() -> None:
    """After a change of formulas, profiles or the table: python -m benchmarks.report_accuracy."""
    assert report_accuracy.page(facts()) == PAGE.read_text(encoding="utf-8")


def test_every_assumption_of_a_fitted_profile_has_its_meaning_on_the_page() -> None:
    """A term without a meaning and an effect has no place: in the table of terms, or fixed by physics and named there."""
    text = PAGE.read_text(encoding="utf-8")
    moved = {name for p in facts().profiles for name in p.fitted}
    terms = text.split("### What each term is worth")[1].split("## Errors in detail")[0]
    assert [name for name in sorted(moved) if f"| `{name}` |" not in terms] == []


def test_residuals_are_those_of_the_shipped_profiles() -> None:
    """The errors that the page shows as in-sample are what `validate` finds today."""
    by_id = {e.row.id: e for e in facts().found}
    for row, profile, errors in facts().errors:
        found = by_id[row.id]
        assert found.profile == profile
        assert abs(100 * found.error - errors[0]) < 0.5, row.id
