"""A workbook in which formulas calculate given samples, so that a spreadsheet program can be the judge."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openpyxl import Workbook
from openpyxl.utils import get_column_letter

from tokensheet.formula import Formula
from tokensheet.printing.excel import excel
from tokensheet.tree import Node
from tokensheet.workbook.finish import Address, CellValue, finish

FIRST_ROW = 2
WRONG = 999.0
"""Stored in every formula cell: who believes stored values fails."""

LONGEST_TITLE = 31


@dataclass(frozen=True)
class ProofSheet:
    """One formula's sheet: a sample a row."""

    name: str
    title: str
    formula: Formula
    samples: Sequence[Mapping[str, float]]
    columns: Mapping[str, str]
    """Step → column of its cells; the result is the step ""."""


@dataclass(frozen=True)
class Proof:
    """The file, and what stands where."""

    data: bytes
    sheets: tuple[ProofSheet, ...]
    first_row: int = FIRST_ROW


def proof_workbook(
    formulas: Mapping[str, Formula], samples: Mapping[str, Sequence[Mapping[str, float]]]
) -> Proof:
    """A sheet for each formula: its parameters as numbers, its steps and its result as live formulas.

    Args:
        formulas: name → formula
        samples: name → parameter → number, one mapping a row
    """
    book = Workbook(write_only=True)
    sheets: list[ProofSheet] = []
    stored: dict[Address, CellValue] = {}
    for name, formula in formulas.items():
        body = formula.body
        parts: dict[str, Node] = {**{s.name: s.tree for s in body.steps}, "": body.result}
        letters = {n: get_column_letter(i) for i, n in enumerate([*body.parameters, *parts], 1)}
        title = _title(name, {s.title for s in sheets})
        sheet = book.create_sheet(title)
        sheet.append([*body.parameters, *(part or name for part in parts)])
        for row, inputs in enumerate(samples[name], FIRST_ROW):
            texts = [
                "=" + excel(part, lambda n, at=letters, row=row: f"{at[n]}{row}")  # type: ignore[misc]
                for part in parts.values()
            ]
            sheet.append([*(float(inputs[p]) for p in body.parameters), *texts])
            stored |= {(title, f"{letters[part]}{row}"): WRONG for part in parts}
        columns = {part: letters[part] for part in parts}
        sheets.append(ProofSheet(name, title, formula, tuple(samples[name]), columns))
    raw = io.BytesIO()
    book.save(raw)
    return Proof(finish(raw.getvalue(), stored), tuple(sheets))


def _title(name: str, taken: set[str]) -> str:
    title, count = name[:LONGEST_TITLE], 1
    while title in taken:
        count += 1
        title = f"{name[: LONGEST_TITLE - 4]}_{count}"
    return title
