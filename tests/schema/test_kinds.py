"""A kind of record is known everywhere that a kind must be known."""

from __future__ import annotations

from tokensheet import hookspecs, plugin, schema
from tokensheet.cli.records import COLUMNS
from tokensheet.workbook.layout import KIND_SHEETS


def test_every_kind_has_its_hook_sheet_columns_and_export() -> None:
    """Without one of them it would fail where somebody first lists or exports it."""
    assert KIND_SHEETS.keys() == schema.KINDS.keys()
    assert COLUMNS.keys() == schema.KINDS.keys()
    assert {hook for hook in schema.HOOKS.values() if not hasattr(hookspecs, hook)} == set()
    assert {kind.__name__ for kind in schema.KINDS.values()} <= set(plugin.__all__)
    assert set(schema.SYNONYMS.values()) <= schema.KINDS.keys()
