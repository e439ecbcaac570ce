"""What all catalogue records share: an id, sources, and the quantities that formulas see."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

State = Literal["confirmed", "derived", "unconfirmed"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """Marks a record's field or property as visible to formulas: its unit and what it says.

    Use it as `memory_bytes: Annotated[float | None, Quantity("byte", "memory as the vendor prints it")]`.
    """

    unit: str
    text: str
    in_formulas: bool = True
    """False where a formula of the same name exists: the number is listed, but no parameter reads it."""
    shapes: bool = False
    """Whether other numbers of the record are derived from it, so that a call cannot change it by itself."""
    derived: bool = False
    """Whether it is computed from other fields of the record."""


def quantity(unit: str, text: str) -> Callable[[Callable[[Any], float | None]], property]:
    """A derived number of a record, computed from its fields, visible to formulas."""

    def mark(function: Callable[[Any], float | None]) -> property:
        function.__dict__["quantity"] = Quantity(unit, text, derived=True)
        return property(function)

    return mark


class Record(BaseModel):
    """One entry of the catalogue. Numbers are SI; a fact that is not known is None, never 0."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, str_strip_whitespace=True)

    kind: ClassVar[str]
    named: ClassVar[Mapping[str, str]] = {}
    """Field that holds the id of another record → the kind of that record."""

    id: str
    name: str = ""
    aliases: tuple[str, ...] = ()
    source: str
    """Where the numbers stand; `sources` says it for single fields."""
    sources: dict[str, str] = {}
    states: dict[str, State] = {}
    """State of single fields: confirmed (the default), derived or unconfirmed."""
    notes: str = ""

    @field_validator("id")
    @classmethod
    def _id_is_plain(cls, value: str) -> str:
        if not value or value != value.lower() or any(c.isspace() or c in '",;={}()*?~' for c in value):
            raise ValueError(
                f"id {value!r} must be lower case without spaces, quotes, commas, brackets or * ? ~"
            )
        return value

    @model_validator(mode="after")
    def _marks_name_fields(self) -> Self:
        known = set(type(self).model_fields) | set(self.quantities())
        wrong = sorted((set(self.sources) | set(self.states)) - known)
        if wrong:
            raise ValueError(f"sources or states name unknown fields {', '.join(wrong)}")
        return self

    @classmethod
    def quantities(cls) -> dict[str, Quantity]:
        """Name → unit and text of every number that formulas can read from this kind of record."""
        return _quantities(cls)

    def number(self, name: str) -> float | None:
        """The value of a quantity, or None where the record does not state it."""
        value = getattr(self, name)
        if value is None:
            return None
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(f"{self.kind} {self.id}: {name} is {number}")
        return number

    def changed(self, changes: Mapping[str, float]) -> Self:
        """The same record with some of its numbers changed, and everything that is derived from them.

        Raises:
            ValidationError: the result makes no sense.
        """
        return type(self).model_validate({**self.model_dump(), **changes})

    def source_of(self, name: str) -> str:
        """Where the number of one field stands."""
        return self.sources.get(name, self.source)

    def state_of(self, name: str) -> State:
        """Whether one field is confirmed, derived or unconfirmed."""
        if name in self.states:
            return self.states[name]
        return "confirmed" if name in type(self).model_fields else "derived"


@cache
def _quantities(cls: type[Record]) -> dict[str, Quantity]:
    found: dict[str, Quantity] = {}
    for name, field in cls.model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, Quantity):
                found[name] = mark
    for base in reversed(cls.__mro__):
        for name, attribute in vars(base).items():
            if isinstance(attribute, property) and attribute.fget is not None:
                mark = attribute.fget.__dict__.get("quantity")
                if isinstance(mark, Quantity):
                    found[name] = mark
    return found
