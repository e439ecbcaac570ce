"""Reads what an exported workbook says now: inputs, options, results. It is never loaded to be saved again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tokensheet.errors import ExportError
from tokensheet.texts import ENGLISH
from tokensheet.workbook.layout import (
    ABOUT,
    CALCULATION,
    CALCULATION_FIRST,
    FIRST_RECORD,
    FIRST_ROW,
    INPUTS,
    KIND_SHEETS,
    OPTIONS,
    OPTIONS_FIRST,
    SUMMARY,
    TEXTS,
)
from tokensheet.workbook.opened import LAST_COLUMN, Opened, Value, Values
from tokensheet.workbook.wording import LANGUAGE

HEAD = FIRST_ROW - 1
"""Row of the column titles on every sheet but those of the catalogue."""
Scalar = float | str


@dataclass(frozen=True)
class Workbook:
    """What the cells of an exported workbook hold.

    Attributes:
        about: label → text of the About sheet; labels in English, whatever the workbook's language
        inputs: name → value of the cells on Inputs that are not empty
        options: for each candidate the same of Options
        results: for each candidate the results on Summary, by name and in SI units, as they were last calculated
        units: of the results
        records: kind → ids in the catalogue sheets
        language: code of the language that it is in
        shown: names that have a row on Inputs, Options or Calculation, empty or not
    """

    title: str
    about: Mapping[str, str]
    names: list[str]
    inputs: dict[str, Scalar]
    options: list[dict[str, Scalar]]
    results: list[dict[str, Scalar]]
    units: dict[str, str] = field(default_factory=dict)
    records: dict[str, list[str]] = field(default_factory=dict)
    language: str = ENGLISH
    shown: frozenset[str] = frozenset()


def read_workbook(path: Path) -> Workbook:
    """An exported workbook, changed by its reader or not.

    Raises:
        ExportError: it cannot be read, is beyond a bound, or it is no planning workbook.
    """
    with Opened(path) as book:
        missing = [t for t in (ABOUT, SUMMARY, INPUTS, OPTIONS, CALCULATION) if t not in book.parts]
        if missing:
            raise ExportError(
                f"{path}: has no sheet {missing[0]}; give a workbook that tokensheet export wrote"
            )
        return _read(book)


def _read(book: Opened) -> Workbook:
    names = _names(book)
    count = len(names)
    options: list[dict[str, Scalar]] = [{} for _ in names]
    shown: set[str] = set()
    for row in _once(book, OPTIONS, list(book.rows(OPTIONS, HEAD + 1))):
        shown.add(_text(row[1]))
        for own, value in zip(options, row[OPTIONS_FIRST - 1 : OPTIONS_FIRST - 1 + count], strict=False):
            if row[1] and value not in (None, ""):
                own[_text(row[1])] = _scalar(value)
    inputs: dict[str, Scalar] = {}
    rows = list(book.rows(INPUTS, HEAD + 1))
    constants = next((i for i, row in enumerate(rows) if row[0] and not row[1]), len(rows))  # their heading
    for row in _once(book, INPUTS, rows[:constants]):
        shown.add(_text(row[1]))
        if row[1] and (value := row[2]) not in (None, ""):
            inputs[_text(row[1])] = _scalar(value)
    calculated = {
        _text(r[0]): r for r in book.rows(CALCULATION, HEAD + 1) if r[0] and r[1]
    }  # the last of a label counts
    shown |= {_text(r[1]).rpartition(".")[2] for r in calculated.values()}
    labels = [_text(row[0]) for row in book.rows(SUMMARY, HEAD + 1) if row[0] and row[1]]
    rows = [calculated[label] for label in labels if label in calculated]
    results: list[dict[str, Scalar]] = [{} for _ in names]
    for row in rows:
        for i in range(count):
            value = row[CALCULATION_FIRST - 1 + i]
            results[i][_text(row[1])] = _scalar(value)
    english = _english(book)
    about = {english.get(_text(r[0]), _text(r[0])): _text(r[1]) for r in book.rows(ABOUT, 1) if r[0] and r[1]}
    title = _text(book.row(SUMMARY, 1)[0])
    units = {_text(row[1]): _text(row[2]) for row in rows}
    language = next((text for text, label in english.items() if label == LANGUAGE), ENGLISH)
    records = _records(book)
    return Workbook(
        title, about, names, inputs, options, results, units, records, language, frozenset(shown - {""})
    )


def _once(book: Opened, sheet: str, rows: list[Values]) -> list[Values]:
    """The rows of a sheet, no name twice: a row that somebody copied would count and the first one not."""
    names = [_text(row[1]) for row in rows if row[1]]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise ExportError(f"{book.package.path}: sheet {sheet}: two rows are called {twice[0]}; delete one")
    return rows


def _names(book: Opened) -> list[str]:
    """Names of the candidates, each over its own column."""
    titles = [_text(value) for value in book.row(OPTIONS, HEAD)[OPTIONS_FIRST - 1 : LAST_COLUMN - 3]]
    names = titles[: max((i for i, name in enumerate(titles, 1) if name), default=0)]
    problems = [f"candidate {i} has no name" for i, name in enumerate(names, 1) if not name]
    problems += [f"two candidates are called {name!r}" for name in names if name and names.count(name) > 1]
    if problems:
        raise ExportError(f"{book.package.path}: sheet {OPTIONS}: {problems[0]}; mend row {HEAD}")
    return names


def _english(book: Opened) -> dict[str, str]:
    """Labels in the workbook's language → in English."""
    if TEXTS not in book.parts:
        return {}
    return {_text(r[1]): _text(r[0]) for r in book.rows(TEXTS, HEAD + 1) if r[0] and r[1]}


def _records(book: Opened) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for kind, title in KIND_SHEETS.items():
        if title in book.parts:
            found[kind] = [_text(row[0]) for row in book.rows(title, FIRST_RECORD) if row[0]]
    return found


def _text(value: Value) -> str:
    return "" if value is None else f"{value:.15g}" if isinstance(value, float) else str(value)


def _scalar(value: Value) -> Scalar:
    return float(value) if isinstance(value, bool | float) else "" if value is None else value
