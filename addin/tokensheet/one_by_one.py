"""Ranges without NumPy, as in a browser's Python: element by element, with the same answers as `arrays`.

Slower by a factor of a hundred, and enough for a sheet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from tokensheet.arguments import is_array
from tokensheet.binding import Questions
from tokensheet.broadcast import ABSENT, common_shape, shape_of
from tokensheet.failure import Failure


@dataclass(frozen=True)
class Grid:
    """Numbers in a shape, with as much of an array's ways as callers need."""

    flat: tuple[float, ...]
    shape: tuple[int, ...]

    @property
    def ndim(self) -> int:
        """Number of sides."""
        return len(self.shape)

    def reshape(self, size: int) -> Grid:
        """All in one row; any other shape is not asked for."""
        if size != -1:
            raise ValueError(f"shape {size}; only -1 works without NumPy")
        return Grid(self.flat, (len(self.flat),))

    def tolist(self) -> list[Any]:
        """Nested lists."""
        found: list[Any] = list(self.flat)
        for side in reversed(self.shape[1:]):
            found = [found[i : i + side] for i in range(0, len(found), side)]
        return found


@dataclass(frozen=True)
class Elements:
    """Answers of all elements; one that failed is nan in `values`."""

    found: tuple[float | Failure, ...]
    shape: tuple[int, ...]

    @property
    def values(self) -> Grid:
        """The numbers."""
        return Grid(tuple(math.nan if isinstance(v, Failure) else v for v in self.found), self.shape)

    def failure(self, place: int) -> Failure:
        """Why an element has no number."""
        found = self.found[place]
        return found if isinstance(found, Failure) else Failure("no answer")

    def failures(self) -> dict[int, Failure]:
        """Every failed element; all are known already."""
        return {i: v for i, v in enumerate(self.found) if isinstance(v, Failure)}


def evaluate_array(
    home: Questions,
    outputs: tuple[str, ...],
    given: Mapping[str, Any],
    one: Callable[[str, Mapping[str, Any]], Any],
) -> list[Elements]:
    """All elements of a question with ranges among its arguments, for several outputs.

    Args:
        home: prepared questions; not needed here
        outputs: the nodes asked for
        given: name → scalar, list or nested list
        one: answers a single element of one output
    """
    tables = {name: _table(value) for name, value in given.items() if is_array(value)}
    shape = common_shape([sides for _, sides in tables.values()])
    found: list[list[float | Failure]] = [[] for _ in outputs]
    for place in product(*(range(side) for side in shape)):
        element = {name: _at(*tables[name], place) if name in tables else v for name, v in given.items()}
        for answers, output in zip(found, outputs, strict=True):
            answers.append(one(output, element))
    return [Elements(tuple(answers), shape) for answers in found]


def _table(value: Any) -> tuple[Any, tuple[int, ...]]:
    """Lists of a range and the lengths of its sides; rows may differ in length."""
    rows = value.tolist() if hasattr(value, "tolist") else value
    return rows, shape_of(rows)


def _at(rows: Any, shape: tuple[int, ...], place: tuple[int, ...]) -> Any:
    """One element; a side of length one is repeated, as Excel does, a shorter one is filled with errors."""
    for side, i in zip(shape, place[len(place) - len(shape) :], strict=True):
        index = 0 if side == 1 else i
        if index >= side:
            return Failure(ABSENT)
        rows = rows[index] if index < len(rows) else None
        if rows is None:
            return None
    return rows
