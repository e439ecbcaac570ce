"""Refusing impossible values in records: every problem of one record in one message."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Self

from pydantic import ModelWrapValidatorHandler, ValidationError, model_validator

from tokensheet.errors import listed
from tokensheet.schema.base import Record


class GuardedRecord(Record):
    """A record that checks its numbers before they reach a formula.

    A subclass lists what is impossible in `impossible`; texts, NaN and negative numbers are refused for
    every quantity, and what pydantic finds is added to the same message.
    """

    plain_numbers: ClassVar[Mapping[str, str]] = {}
    """Number fields that formulas do not see, with their units; they are checked like quantities."""

    @classmethod
    def impossible(cls, given: Mapping[str, Any], numbers: Mapping[str, float]) -> list[str]:
        """Problems of one record: `given` as written, `numbers` the stated finite quantities."""
        return []

    @model_validator(mode="wrap")
    @classmethod
    def _all_problems_at_once(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, Mapping):
            return handler(data)
        problems, numbers, bad = _numbers(cls, data)
        problems += cls.impossible(data, numbers)
        if not problems:
            return handler(data)
        try:
            handler(data)
        except ValidationError as error:
            for found in error.errors(include_url=False, include_context=False, include_input=False):
                place = ".".join(str(part) for part in found["loc"])
                if place.split(".")[0] not in bad:
                    problems.append(f"{place}: {found['msg']}" if place else str(found["msg"]))
        raise ValueError(listed(f"{cls.kind} {data.get('id', '(no id)')}", problems))


@cache
def _number_fields(cls: type[GuardedRecord]) -> dict[str, str]:
    seen = {name: mark.unit for name, mark in cls.quantities().items() if name in cls.model_fields}
    return {**seen, **cls.plain_numbers}


def _numbers(
    cls: type[GuardedRecord], data: Mapping[str, Any]
) -> tuple[list[str], dict[str, float], set[str]]:
    problems: list[str] = []
    numbers: dict[str, float] = {}
    bad: set[str] = set()
    units = _number_fields(cls)
    for name, value in data.items():
        if value is None or name not in units:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            shown = f"text {value!r}" if isinstance(value, str) else repr(value)
            problems.append(
                f"{name} is {shown}; give a plain number such as 3.35e12, without quotes or commas"
            )
        elif not math.isfinite(value):
            problems.append(f"{name} is {value}; leave it out where the fact is not known")
        elif value < 0:
            problems.append(f"{name} is {amount(value, units[name])}; it must not be negative")
        else:
            numbers[name] = float(value)
            continue
        bad.add(name)
    return problems, numbers, bad


def amount(value: float, unit: str) -> str:
    """A number with its unit, as messages show it: `80 byte`, `3.35e+12 byte/second`."""
    return f"{value:.12g} {unit}" if unit != "1" else f"{value:.12g}"
