"""Every cell of a workbook as text, for review and for diffs: a line a cell, a line a record on catalogue sheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokensheet.workbook.cells import Book
from tokensheet.workbook.layout import KIND_SHEETS, SERIES_DATA, VARIANTS, Cell
from tokensheet.workbook.mark import text_with_mark


def dump(book: Book) -> str:
    """The cells in the order of the sheets, `## Sheet` before those of each: cell, formula, value; then the mark."""
    lines: list[str] = []
    for sheet in book.workbook.worksheets:
        lines.append(f"## {sheet.title}")
        for row in sheet.iter_rows():
            cells = [c for c in row if c.value is not None]
            if sheet.title in KIND_SHEETS.values():
                if cells:
                    lines.append("\t".join(shown(c.value) for c in row).rstrip("\t"))
                continue
            if sheet.title in {VARIANTS, SERIES_DATA}:
                lines += alike(book, sheet.title, cells)
                continue
            for c in cells:
                value = book.values.get((sheet.title, c.coordinate))
                if value is None:
                    lines.append(f"{c.coordinate}\t{shown(c.value)}")
                else:
                    lines.append(f"{c.coordinate}\t{c.value}\t{shown(value)}")
        for rule in sheet.data_validations.dataValidation:
            limits = " ".join(str(x) for x in (rule.type, rule.operator, rule.formula1, rule.formula2) if x)
            lines.append(f"rule {rule.sqref}\t{limits}")
    lines += [f"name {name}\t{each.attr_text}" for name, each in book.workbook.defined_names.items()]
    return text_with_mark("\n".join(lines) + "\n")


def alike(book: Book, title: str, cells: Sequence[Any]) -> list[str]:
    """A row of one formula: the first one, and the values of all columns."""
    values = [shown(book.values[title, c.coordinate]) for c in cells if (title, c.coordinate) in book.values]
    lines = [f"{c.coordinate}\t{shown(c.value)}" for c in cells if (title, c.coordinate) not in book.values]
    first = next((c for c in cells if (title, c.coordinate) in book.values), None)
    return lines if first is None else [*lines, "\t".join([first.coordinate, str(first.value), *values])]


def shown(value: Cell | object) -> str:
    """A value on one line."""
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return "" if value is None else str(value).replace("\n", " ")
