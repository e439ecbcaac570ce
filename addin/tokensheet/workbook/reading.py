"""Reads what an exported workbook says now: inputs, options, results. It is never loaded to be saved again."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from tokensheet.errors import ExportError
from tokensheet.texts import ENGLISH
from tokensheet.workbook.layout import (
    ABOUT,
    CALCULATION,
    CALCULATION_FIRST,
    INPUTS,
    KIND_SHEETS,
    OPTIONS,
    OPTIONS_FIRST,
    SUMMARY,
    TEXTS,
)
from tokensheet.workbook.wording import LANGUAGE

HEAD = 4
"""Row of the column titles on every sheet."""
Scalar = float | str

Rows = Iterator[tuple[Any, ...]]


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


def read_workbook(path: Path) -> Workbook:
    """An exported workbook, changed by its reader or not.

    Raises:
        ExportError: it cannot be read, or it is no planning workbook.
    """
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (OSError, zipfile.BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise ExportError(
            f"{path}: {getattr(error, 'strerror', None) or 'is no workbook'}; give an exported .xlsx file"
        ) from error
    try:
        missing = [t for t in (ABOUT, SUMMARY, INPUTS, OPTIONS, CALCULATION) if t not in book.sheetnames]
        if missing:
            raise ExportError(
                f"{path}: has no sheet {missing[0]}; give a workbook that tokensheet export wrote"
            )
        return _read(book)
    finally:
        book.close()


def _read(book: Any) -> Workbook:
    names = [str(v) for v in next(_rows(book, OPTIONS, HEAD, HEAD))[OPTIONS_FIRST - 1 :] if v is not None]
    count = len(names)
    options: list[dict[str, Scalar]] = [{} for _ in names]
    for row in _rows(book, OPTIONS):
        for own, value in zip(options, row[OPTIONS_FIRST - 1 : OPTIONS_FIRST - 1 + count], strict=False):
            if row[1] and value not in (None, ""):
                own[str(row[1])] = _scalar(value)
    inputs: dict[str, Scalar] = {}
    for row in _rows(book, INPUTS):
        if row[0] and not row[1]:  # the heading of the constants
            break
        if row[1] and row[2] not in (None, ""):
            inputs[str(row[1])] = _scalar(row[2])
    calculated = {
        str(r[0]): r for r in _rows(book, CALCULATION) if r[0] and r[1]
    }  # the last of a label counts
    labels = [str(row[0]) for row in _rows(book, SUMMARY) if row[0] and row[1]]
    rows = [calculated[label] for label in labels if label in calculated]
    results: list[dict[str, Scalar]] = [{} for _ in names]
    for row in rows:
        for i in range(count):
            value = row[CALCULATION_FIRST - 1 + i]
            results[i][str(row[1])] = "" if value is None else _scalar(value)
    english = _english(book)
    about = {
        english.get(str(r[0]), str(r[0])): str(r[1])
        for r in _rows(book, ABOUT, 1)
        if len(r) > 1 and r[0] and r[1]
    }
    title = str(next(_rows(book, SUMMARY, 1, 1))[0] or "")
    units = {str(row[1]): str(row[2] or "") for row in rows}
    language = next((text for text, label in english.items() if label == LANGUAGE), ENGLISH)
    return Workbook(title, about, names, inputs, options, results, units, _records(book), language)


def _english(book: Any) -> dict[str, str]:
    """Labels in the workbook's language → in English."""
    if TEXTS not in book.sheetnames:
        return {}
    return {str(r[1]): str(r[0]) for r in _rows(book, TEXTS) if len(r) > 1 and r[0] and r[1]}


def _records(book: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for kind, title in KIND_SHEETS.items():
        if title in book.sheetnames:
            found[kind] = [str(row[0]) for row in _rows(book, title, 6) if row[0]]
    return found


def _rows(book: Any, title: str, first: int = HEAD + 1, last: int | None = None) -> Rows:
    rows: Rows = book[title].iter_rows(first, last, values_only=True)
    return rows


def _scalar(value: Any) -> Scalar:
    return float(value) if isinstance(value, bool | int | float) else str(value)
