"""A table to start from: the headings of a kind with units that people use, and rows of records that exist."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from tokensheet.schema import KINDS
from tokensheet.schema.base import Record
from tokensheet.tables.cells import SEPARATOR, CellError, Column, column
from tokensheet.tables.scales import scale

BOM = "\ufeff"
"""Without it Excel takes UTF-8 for the system's old encoding."""

KEPT_DIGITS = 11
"""Digits of a whole number that Excel shows, and therefore saves."""

_SHOWN = {"byte": "GB", "byte/second": "GB/s", "flop/second": "TFLOP/s", "second": "us"}
_LEFT_OUT = {"states", "sources", "notes", "published_includes"}


def heading(kind: str) -> list[Column]:
    """The columns of a kind that fit in cells: all that a record needs, then all that it may state."""
    record = KINDS[kind]
    found: list[Column] = []
    for name, field in record.model_fields.items():
        mark = record.quantities().get(name)
        if name in _LEFT_OUT or name.endswith("_sparse"):
            continue
        shown = _SHOWN.get(mark.unit) if mark else None
        try:
            found.append(column(record, (name,), scale(shown) if shown else None))
        except CellError:
            if field.is_required():
                raise
    required = [c for c in found if record.model_fields[c.path[0]].is_required()]
    return [*required, *(c for c in found if c not in required)]


def _wide(where: Column, records: Iterable[Record]) -> Column:
    """The column in billions where a count has more digits than Excel keeps of a number."""
    if where.kind != "whole" or all(_digits(getattr(r, where.path[0])) <= KEPT_DIGITS for r in records):
        return where
    return replace(where, scale=scale("billion"))


def _digits(value: Any) -> int:
    return len(str(value)) if isinstance(value, int) else 0


def rows(kind: str, records: Iterable[Record] = ()) -> str:
    """The text of a CSV file: headings, and a row for each record, as Excel opens and saves it unharmed.

    Args:
        kind: of records
        records: to start from

    Raises:
        ValueError: something does not fit in a cell, or would be changed by Excel; lists all of it.
    """
    records = list(records)
    columns = [_wide(c, records) for c in heading(kind)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    problems: list[str] = []
    lines = []
    needed: set[str] = set()
    for record in records:
        lost = _stated(record) - {c.name for c in columns} - _LEFT_OUT
        if lost:
            problems.append(
                f"{record.id}: {', '.join(sorted(lost))} does not fit in a cell; write it in TOML"
            )
            continue
        needed |= _needed(record, [c.name for c in columns])
        cells = [_cell(c, getattr(record, c.path[0])) for c in columns]
        for c, cell in zip(columns, cells, strict=True):
            try:
                if cell:
                    c.value(cell, False)
            except CellError as error:
                problems.append(f"{record.id}: {c.name} {error}")
        lines.append(cells)
    if problems:
        raise ValueError("; ".join(problems))
    used = [i for i, c in enumerate(columns) if not lines or c.name in needed]
    titles = [f"{c.name} [{c.scale.text}]" if c.scale else c.name for c in columns]
    writer.writerow(["kind", *(titles[i] for i in used)])
    for cells in lines:
        writer.writerow([kind, *(cells[i] for i in used)])
    return BOM + out.getvalue()


def _stated(record: Record) -> set[str]:
    """Fields that say something, headlines of sparse peaks aside: no planning reads those."""
    fields = type(record).model_fields
    said = {n for n in fields if getattr(record, n) not in (fields[n].default, None, "", (), {})}
    return {name for name in said if not name.endswith("_sparse")}


def _needed(record: Record, names: Sequence[str]) -> set[str]:
    """Fields without which the record would be another: what follows from others is left out."""
    fields = {name: getattr(record, name) for name in type(record).model_fields}
    needed = set(names)
    for name in reversed(list(names)):
        without = {n: value for n, value in fields.items() if n != name}
        try:
            same = type(record).model_validate(without) == record
        except ValidationError:
            same = False
        if same:
            fields = without
            needed.discard(name)
    return needed


def _cell(where: Column, value: Any) -> str:
    match value:
        case None | "" | ():
            return ""
        case bool():
            return str(int(value))
        case date():
            return f"{value:%Y%m%d}"
        case int() | float():
            scaled = Decimal(repr(value)) / (where.scale.factor if where.scale else 1)
            return f"{scaled.normalize():f}" if abs(scaled) < 10**11 else f"{scaled.normalize()}"
        case tuple():
            return SEPARATOR.join(map(str, value))
        case _:
            return str(value)
