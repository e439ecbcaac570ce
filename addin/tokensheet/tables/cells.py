"""One cell of a CSV file as the value of a record's field: numbers, dates, texts, lists, by the field's type."""

from __future__ import annotations

import re
import types
import typing
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from pydantic import BaseModel

from tokensheet.schema.base import Record
from tokensheet.tables.damage import number_problem, text_problem
from tokensheet.tables.scales import Scale
from tokensheet.units import parse

SEPARATOR = "|"
"""Between the items of a list in one cell, such as aliases."""

LONGEST_NUMBER = 60
LARGEST_EXPONENT = 300
_NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,4})?|-?\.\d+(?:[eE][+-]?\d{1,4})?")
_GROUPS = r"-?[1-9]\d{{0,2}}(?:[{signs}'   ]\d{{3}})+(?:[.,]\d+)?"
_GROUPED = {
    False: re.compile(_GROUPS.format(signs=",")),
    True: re.compile(_GROUPS.format(signs=".")),
}
"""Digits that may be grouped, by whether the file writes decimal commas."""
_WHOLE = re.compile(r"[1-9]\d{0,10}")
_FLAGS = {"1": True, "0": False, "true": True, "false": False, "yes": True, "no": False}


class CellError(ValueError):
    """A cell cannot be the value of its field: what was met, and what to do."""


@dataclass(frozen=True, slots=True)
class Column:
    """A heading of a table.

    Args:
        path: field, or parts of a nested one: `sources.memory_bytes`
        kind: number, whole, flag, date, text or list
        scale: what a number in this column is multiplied with
        is_id: whether it is what the record is called in cells
    """

    path: tuple[str, ...]
    kind: str
    scale: Scale | None = None
    is_id: bool = False

    @property
    def name(self) -> str:
        """The field as it is written in a heading."""
        return ".".join(self.path)

    def value(self, text: str, comma: bool) -> Any:
        """The value of a cell that is not empty.

        Args:
            text: as it stands in the file
            comma: whether the file writes 3,35 for 3.35

        Raises:
            CellError: the text is no value of this kind.
        """
        match self.kind:
            case "number" | "whole":
                return self._number(text, comma)
            case "flag":
                if text.lower() not in _FLAGS:
                    raise CellError(f"is {text!r}; write 1 or 0")
                return _FLAGS[text.lower()]
            case "date":
                return _date(text)
            case _:
                self._survives(text)
                if self.kind == "list":
                    return tuple(part.strip() for part in text.split(SEPARATOR) if part.strip())
                return text

    def _survives(self, text: str) -> None:
        """Refuses what Excel would change; a short whole number stays as it is, but is no id."""
        problem = text_problem(text)
        if problem and (self.is_id or not _WHOLE.fullmatch(text)):
            raise CellError(f"{text!r} {problem}")

    def _number(self, text: str, comma: bool) -> float | int:
        lost = number_problem(text)
        if lost:
            raise CellError(f"{text} {lost}")
        exact = Decimal(_point(text, comma))
        if not -LARGEST_EXPONENT < exact.adjusted() < LARGEST_EXPONENT:
            raise CellError(f"is {text}; write a number that is not so far from 1")
        plain = exact * (self.scale.factor if self.scale else 1)
        if self.kind == "whole" and plain == plain.to_integral_value():
            return int(plain)
        return float(plain)


def _point(text: str, comma: bool) -> str:
    """The number with a decimal point and nothing between its digits."""
    if len(text) > LONGEST_NUMBER:
        raise CellError(f"has {len(text):,} letters; write a plain number such as 3.35 or 3.35e12")
    if _GROUPED[comma].fullmatch(text):
        raise CellError(f"is {text!r}, which may be grouped by thousands; write it without groups")
    if "," in text and not comma:
        hint = text.replace(",", ".")
        raise CellError(
            f"is {text!r} with a decimal comma; write {hint}, or separate the columns by semicolons"
        )
    plain = text.replace(",", ".") if comma else text
    if not _NUMBER.fullmatch(plain):
        raise CellError(f"is {text!r}; write a plain number such as 3.35 or 3.35e12, without a unit")
    return plain


def _date(text: str) -> date:
    """20260131 survives Excel, 2026-01-31 does not, and 1/2/2026 can be read in two ways."""
    found = re.fullmatch(r"(\d{4})-?(\d{2})-?(\d{2})", text)
    try:
        if found:
            return date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError as error:
        raise CellError(f"is {text!r}: {error}; write a date as 20260131") from error
    raise CellError(f"is {text!r}; write a date as 20260131, which Excel leaves as it is")


def column(record: type[Record], path: tuple[str, ...], scale: Scale | None) -> Column:
    """The column of a field.

    Raises:
        CellError: there is no such field, it does not fit in a cell, or its unit is another.
    """
    kind = _kind(record, path)
    if kind is None:
        raise CellError("does not fit in a cell; write this record in a TOML table")
    mark = record.quantities().get(path[0])
    if scale is not None:
        if kind not in {"number", "whole"}:
            raise CellError("has a unit but is no number; leave the brackets out")
        unit = mark.unit if mark else getattr(record, "plain_numbers", {}).get(path[0], "1")
        if parse(unit) != scale.unit:
            raise CellError(f"is in {unit}; {scale.text} is another kind of unit")
    return Column(path, kind, scale, path == ("id",))


def _kind(model: type[BaseModel], path: tuple[str, ...]) -> str | None:
    field = model.model_fields[path[0]]
    options = _options(field.annotation)
    if len(path) == 1:
        return _simple(options)
    for option in options:
        if typing.get_origin(option) is dict and len(path) == 2:
            return _simple(_options(typing.get_args(option)[1]))
        if isinstance(option, type) and issubclass(option, BaseModel) and path[1] in option.model_fields:
            return _kind(option, path[1:])
    return None


def _options(annotation: Any) -> list[Any]:
    """The members of a union without None, marks taken off."""
    if typing.get_origin(annotation) is typing.Annotated:
        return _options(typing.get_args(annotation)[0])
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return [o for a in typing.get_args(annotation) for o in _options(a) if o is not type(None)]
    return [annotation]


def _simple(options: list[Any]) -> str | None:
    kinds = {"flag": bool, "whole": int, "number": float, "date": date, "text": str}
    for option in options:
        origin = typing.get_origin(option)
        if origin is typing.Literal:
            return "text"
        if origin is tuple and typing.get_args(option) == (str, ...):
            return "list"
        for name, kind in kinds.items():
            if option is kind:
                return "number" if name == "whole" and float in options else name
    return None
