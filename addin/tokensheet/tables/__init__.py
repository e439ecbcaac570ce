"""Records from a table instead of code: CSV or TOML, checked like any record, offered through the same hooks."""

from __future__ import annotations

from tokensheet.tables.plugin import plugin
from tokensheet.tables.writing import heading, rows

__all__ = ["heading", "plugin", "rows"]
