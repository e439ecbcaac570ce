"""Values at the border to Office.js: arguments of a call made plain, answers made rows that JSON can carry.

An error value is `{"error": "#N/A", "reason": "…"}` in an answer. In an argument it is Office's own
`{"type": "Error", "basicValue": "#N/A"}`.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Sequence
from typing import Any

from tokensheet.arguments import error_cell
from tokensheet.failure import Failure
from tokensheet.udf.border import plain

ERROR, REASON = "error", "reason"
NUMBERS = frozenset(("Double", "FormattedNumber"))
PLAIN_TYPES = frozenset(("String", "Boolean"))
EMPTY = "Empty"

NOT_SHOWN = re.compile(r'"[^"]*"|\[[^\]]*\]|[\\_*].')
"""Parts of a number format that are no placeholders: quoted and escaped texts, colours, conditions."""

DATE_PLACES = re.compile(r"[ymdhs]", re.IGNORECASE)
FIRST_DAY = datetime.date(1899, 12, 30)

NO_RANGE = Failure("an argument is neither a cell nor rows of cells")

ERROR_TYPES = {
    "Div0": "#DIV/0!",
    "Name": "#NAME?",
    "NotAvailable": "#N/A",
    "Null": "#NULL!",
    "Num": "#NUM!",
    "Ref": "#REF!",
    "Value": "#VALUE!",
}
"""Office's names of the error values that other spreadsheets know too."""


def given(value: Any) -> Any:
    """An argument as the engine takes it: float, text, truth, None for empty, Failure, or rows of these."""
    return plain(_typed(value))


def _typed(value: Any) -> Any:
    """The same with Office's typed values opened, and every number a float, as in a cell."""
    return _range(value) if value.__class__ is list else _single(value)


def _range(value: list[Any]) -> Any:
    """Rows, or the one row that is handed over flat."""
    nested = [part.__class__ is list for part in value]
    if not all(nested):
        return NO_RANGE if any(nested) else [_single(cell) for cell in value]
    rows: list[list[Any]] = value
    return [[_single(cell) for cell in row] for row in rows] if any(rows) else None


def _single(value: Any) -> Any:
    kind = value.__class__
    if kind is str or kind is float or kind is bool or value is None:
        return value
    if kind is int:
        return _float(value)
    return _of_type(value) if kind is dict else NO_RANGE


def _float(value: int) -> float | Failure:
    try:
        return float(value)
    except OverflowError:
        return Failure("an argument has more digits than a number in a cell")


def _of_type(value: dict[str, Any]) -> Any:
    """What a typed value is in a formula."""
    kind, basic = value.get("type"), value.get("basicValue", value.get("primitive"))
    if kind == "Error":
        return error_cell(ERROR_TYPES.get(str(value.get("errorType")), str(basic)))
    if kind in NUMBERS and isinstance(basic, (int, float)) and not isinstance(basic, bool):
        return _number(float(basic), str(value.get("numberFormat") or ""))
    if kind in PLAIN_TYPES and isinstance(basic, (str, bool)):
        return basic
    if kind == EMPTY:
        return None
    return Failure(f"an argument is of Excel's type {kind!s:.40}; give a number or text")


def _number(number: float, shown: str) -> float | Failure:
    """A number, unless its format makes it a date."""
    if not DATE_PLACES.search(NOT_SHOWN.sub("", shown)):
        return number
    try:
        day = (FIRST_DAY + datetime.timedelta(days=number)).isoformat()
    except OverflowError:
        day = f"{number:g}"
    return Failure(f"{day} is a date; format the cell as a number")


def size(values: Sequence[Any]) -> int:
    """Cells that the answer of a call may have: its arguments spread over one another."""
    rows = columns = 1
    for value in values:
        if isinstance(value, (list, tuple)) and value:
            rows = max(rows, len(value))
            columns = max(columns, *(len(r) if isinstance(r, (list, tuple)) else 1 for r in value))
    return rows * columns


def answer(found: Any) -> list[list[Any]]:
    """The rows of an answer; all are of one length, as Excel wants them."""
    rows = [list(r) if isinstance(r, (list, tuple)) else [r] for r in _rows(found)]
    width = max((len(row) for row in rows), default=0)
    if not width:
        return [[""]]
    return [[_cell(v) for v in row] + [""] * (width - len(row)) for row in rows]


def _rows(found: Any) -> Sequence[Any]:
    return found if isinstance(found, (list, tuple)) else [found]


def _cell(value: Any) -> Any:
    if value.__class__ is float:
        return value if math.isfinite(value) else _error("#NUM!", f"the answer is {value}")
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, Failure):
        return _error(value.code, value.reason)
    if value is None:
        return ""
    return _cell(float(value))


def _error(code: str, reason: str) -> dict[str, str]:
    return {ERROR: code, REASON: " ".join(reason.split())}


def failed(reason: str) -> list[list[Any]]:
    """The rows of an answer that could not be had."""
    return [[_error("#VALUE!", reason)]]


def office_cell(value: Any) -> Any:
    """A cell of an answer with its error value as Office writes one; `#NAME?` is none that it takes."""
    if not isinstance(value, dict):
        return value
    code = value[ERROR]
    name = next((n for n, c in ERROR_TYPES.items() if c == code and n not in ("Name", "Ref")), "Value")
    return {"type": "Error", "basicType": "Error", "errorType": name, "basicValue": ERROR_TYPES[name]}
