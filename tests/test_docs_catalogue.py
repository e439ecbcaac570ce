"""docs/catalogue.md agrees with the records and with what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tokensheet import planner, schema
from tokensheet.cli.records import COLUMNS, LEGEND, MARKS
from tokensheet.planning import Planner
from tokensheet.schema.number_format import NumberFormat

PAGE = Path(__file__).parents[1] / "docs" / "catalogue.md"
BLOCK = re.compile(r"(<!-- formats: [^\n]*-->\n)(.*?)(<!-- end of formats -->)", re.DOTALL)
UNITS = ("fp32", "fp8", "int8", "fp4")


def formats_table(loaded: Planner) -> str:
    """All number formats as a table in Markdown: bytes by class of tensor, and the units that compute."""
    titles = ["format", *(title for _, title, _ in COLUMNS["format"]), "computes in"]
    rows = [titles, ["---"] * len(titles)]
    for entry in loaded.registry.catalog("format"):
        record = entry.record
        assert isinstance(record, NumberFormat)
        sizes = [f"{record.number(name):.6g}" for name, *_ in COLUMNS["format"]]
        units = [unit for unit in UNITS if record.number(f"computes_{unit}")]
        rows.append([f"`{record.id}`", *sizes, units[0] if units else "16 bit"])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def test_the_table_of_formats_is_that_of_the_records(request: pytest.FixtureRequest) -> None:
    page, table = PAGE.read_text(encoding="utf-8"), formats_table(planner())
    if request.config.getoption("--update-golden"):
        PAGE.write_text(BLOCK.sub(rf"\g<1>{table}\g<3>", page), encoding="utf-8", newline="\n")
        return
    found = BLOCK.search(page)
    assert found is not None
    assert found[2] == table, "run the test with --update-golden"


def test_states_and_marks_are_those_of_the_lists() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for state, mark in MARKS.items():
        assert re.search(rf"^\| {state} \| ?{re.escape(mark)} ?\|", page, re.MULTILINE), state
    assert all(f"`{mark}`" in page or f"| {mark} |" in page for mark in LEGEND)


def test_names_in_the_page_exist() -> None:
    """Assumptions, fields and hooks that the page mentions are there."""
    loaded = planner()
    fields = {name for kind in schema.KINDS.values() for name in kind.model_fields}
    known = fields | set(loaded.registry.nodes) | set(schema.HOOKS.values())
    words = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", PAGE.read_text(encoding="utf-8")))
    directions = {"usd_per_unit", "units_per_usd"}
    assert sorted(words - known - directions) == []


def test_every_kind_of_record_has_its_guards_described() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for kind in schema.KINDS:
        said = "number format" if kind == "format" else kind
        assert f"\n| {said} | " in page
