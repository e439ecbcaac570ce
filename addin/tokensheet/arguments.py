"""What comes in from cells, Python and files, made into numbers, ids and options, or a reason why not."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from tokensheet.errors import (
    ArgumentError,
    CalculationError,
    DivisionError,
    MissingFactError,
    UnknownNameError,
)
from tokensheet.failure import Failure

CODES = {
    "#N/A": MissingFactError,
    "#VALUE!": ArgumentError,
    "#NUM!": CalculationError,
    "#DIV/0!": DivisionError,
    "#NAME?": UnknownNameError,
    "#REF!": ArgumentError,
    "#NULL!": ArgumentError,
}


_SCALES = {"k": 1024.0, "m": 1e6, "%": 0.01}
_GROUPED = re.compile(r"\d{1,3}([,_\s]\d{3})+(\.\d+)?")
"""Digits in groups of three: 4,096 and 1 234 567.5."""


class NodeRef(str):
    """The name of a node whose result an input takes: `batch=NodeRef("max_batch")`."""


def error_cell(code: str) -> Failure:
    """A cell that holds an error value, as an argument."""
    return Failure(f"an argument is {code}", CODES.get(code, ArgumentError))


def is_array(value: object) -> bool:
    """Whether a value is a range of several cells rather than one."""
    if isinstance(value, (str, bytes, float, int)) or value is None:
        return False
    return isinstance(value, (list, tuple)) or bool(getattr(value, "ndim", 0))


def number(name: str, value: Any) -> float | Failure | None:
    """One number; None for an empty cell; a Failure says what was met instead."""
    if value.__class__ is float or value.__class__ is int:
        found = _float(value)
    elif value is None or value == "":
        return None
    elif isinstance(value, Failure):
        return Failure(f"{name}: {value.reason}", value.kind)
    elif isinstance(value, str):
        if value in CODES:
            return Failure(f"{name} is {value}", CODES[value])
        return Failure(f'{name} is "{value:.60}"; give a number{_example(value)}')
    elif isinstance(value, (numbers.Real, Decimal)) or hasattr(value, "__float__"):
        found = _float(value)
    else:
        return Failure(f"{name} is {type(value).__name__} {value!s:.40}; give a number")
    if not math.isfinite(found):
        return Failure(f"{name} is {found}; give a finite number")
    return found


def _float(value: Any) -> float:
    """The float of a number; infinity where it has none."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _example(text: str) -> str:
    """A number that a text may mean, as a hint: thousands, a decimal comma, a percentage, k and m are understood."""
    told = text.strip().lower()
    scale = _SCALES.get(told[-1:], 1.0)
    told = told[:-1].strip() if scale != 1 else told
    told = re.sub(r"[,_\s]", "", told) if _GROUPED.fullmatch(told) else told.replace(",", ".")
    try:
        value = float(told) * scale
    except (ValueError, OverflowError):
        return ""
    return f" such as {value:.12g}" if math.isfinite(value) else ""


def identifier(name: str, value: Any) -> str | Failure | None:
    """One id; None for an empty cell."""
    if isinstance(value, str):
        if value in CODES:
            return Failure(f"{name} is {value}", CODES[value])
        return value or None
    if value is None:
        return None
    if isinstance(value, Failure):
        return Failure(f"{name}: {value.reason}", value.kind)
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    return Failure(f"{name} is {shown:.40}; give an id as text")


def options(value: Any) -> dict[str, Any]:
    """Option names and values from text, a mapping, or two columns of cells.

    Text is `"tp=4; pp=2; profile=li-2023"`. Empty names are skipped, so a range may have spare rows.

    Raises:
        ArgumentError: the form is none of these, or a key comes twice; lists all problems.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    if isinstance(value, Failure):
        raise value.error("options")
    if isinstance(value, Mapping):
        pairs: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, str):
        pairs = _text_pairs(value)
    else:
        pairs = _row_pairs(value)
    found: dict[str, Any] = {}
    problems: list[str] = []
    for key, item in pairs:
        if key is None or key == "":
            if item not in (None, ""):
                problems.append(f"a value {item!r} stands without a name")
            continue
        if isinstance(key, Failure):
            raise key.error("options")
        if not isinstance(key, str):
            problems.append(f"name {key!r} is not text")
            continue
        key = key.strip().lower().replace(" ", "_")
        if key in found:
            problems.append(f"{key} is given twice")
        found[key] = item
    if problems:
        raise ArgumentError(f"options: {'; '.join(problems)}")
    return found


def _text_pairs(text: str) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for part in text.replace("\n", ";").split(";"):
        if not part.strip():
            continue
        key, sign, value = part.partition("=")
        if not sign or not key.strip() or not value.strip():
            raise ArgumentError(
                f'options: "{part.strip():.60}" cannot be read; write them as "tp=4; profile=ideal"'
            )
        pairs.append((key.strip(), _plain(value.strip())))
    return pairs


def _plain(text: str) -> float | str:
    percent = text.endswith("%")
    try:
        value = float(text[:-1] if percent else text)
    except ValueError:
        return text.strip("\"'")
    return value / 100 if percent else value


def _row_pairs(value: Any) -> list[tuple[Any, Any]]:
    rows = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(rows, Sequence):
        raise ArgumentError(f'options: {value!r:.40} cannot be read; give two columns or text "tp=4; pp=2"')
    if rows and not any(isinstance(r, (list, tuple)) for r in rows):
        rows = [rows] if len(rows) == 2 else [[r] for r in rows]
    wrong = [r for r in rows if len(r) != 2]
    if wrong:
        raise ArgumentError(f"options: a row has {len(wrong[0])} cells; give two columns, name and value")
    return [(r[0], r[1]) for r in rows]
