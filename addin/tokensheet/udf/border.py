"""Values at the border to Excel: what arrives from cells made plain, answers made what a cell can take."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from tokensheet.arguments import CODES, error_cell
from tokensheet.failure import Failure

MARK = "#TS!"
"""Begins a text that stands for an error value: `#TS!N/A reason`. Python cannot send the value itself."""

LONGEST = 255
"""Characters of a text inside an array, and of a marked text: Excel takes no longer ones there."""

ROWS_OF_A_SHEET = 1_048_576

FIRST_ERROR, LAST_ERROR = -2146826288, -2146826188
"""An error value arrives as one of these whole numbers: -2146828288 plus the number that CVErr takes."""

ERRORS: Mapping[int, str] = {
    2000: "#NULL!",
    2007: "#DIV/0!",
    2015: "#VALUE!",
    2023: "#REF!",
    2029: "#NAME?",
    2036: "#NUM!",
    2042: "#N/A",
    2043: "#GETTING_DATA",
    2045: "#SPILL!",
    2046: "#CONNECT!",
    2047: "#BLOCKED!",
    2048: "#UNKNOWN!",
    2049: "#FIELD!",
    2050: "#CALC!",
}
WORDS = {code.rstrip("!?").lstrip("#"): code for code in CODES}


def plain(value: Any) -> Any:
    """An argument as the engine takes it: float, text, truth, None for empty, Failure, or rows of these.

    A range of one cell is that cell. A single row, as VBA gives it, becomes rows like any other range.
    """
    kind = value.__class__
    if kind is float or kind is bool or value is None:
        return value
    if kind is str:
        return _text(value)
    if kind is int:
        return _whole(value)
    if kind is tuple or kind is list:
        return _rows(value)
    if kind is Decimal:
        return float(value)
    if isinstance(value, datetime.date):
        return Failure(f"{value.isoformat()[:10]} is a date; format the cell as a number")
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return value


def _text(value: str) -> Any:
    if not value:
        return None
    if value[0] != "#":
        return value
    if value in CODES:
        return error_cell(value)
    if value.startswith(MARK):
        word, _, reason = value[len(MARK) :].partition(" ")
        return Failure(reason, CODES[WORDS.get(word, "#VALUE!")])
    return value


def _whole(value: int) -> int | Failure:
    """Numbers of cells arrive as floats, so that a whole number of this range is an error value."""
    if FIRST_ERROR <= value <= LAST_ERROR:
        return error_cell(ERRORS.get(value - FIRST_ERROR + 2000, "#VALUE!"))
    return value


def _rows(value: Any) -> Any:
    if not value:
        return None
    rows = value if isinstance(value[0], (tuple, list)) else (value,)
    if len(rows) == 1 and len(rows[0]) == 1:
        return plain(rows[0][0])
    if len(rows) >= ROWS_OF_A_SHEET:
        return Failure("a whole column is given; give the cells that are used")
    return tuple([tuple([plain(cell) for cell in row]) for row in rows])


def marked(failure: Failure) -> str:
    """The text that stands for an error value, its reason in one line."""
    reason = " ".join(failure.reason.split())
    return cut(f"{MARK}{failure.code.rstrip('!?').lstrip('#')} {reason}", LONGEST)


def answer(found: Any) -> Any:
    """An answer as Excel takes it: float, text, truth, or a rectangle of these; failures are marked texts."""
    if isinstance(found, (list, tuple)):
        rows = [
            [v if v.__class__ is float else _element(v) for v in (r if isinstance(r, (list, tuple)) else [r])]
            for r in found
        ]
        width = max((len(row) for row in rows), default=0)
        if not width:
            return [[""]]
        for row in rows:
            row.extend([""] * (width - len(row)))
        return rows
    return _single(found)


def _single(value: Any) -> float | str | bool:
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, Failure):
        return marked(value)
    if value is None:
        return ""
    return float(value)


def _element(value: Any) -> float | str | bool:
    single = _single(value)
    return cut(single, LONGEST) if isinstance(single, str) else single


def cut(text: str, longest: int) -> str:
    """A text of so many characters at most; a mark stands for what is left out."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
