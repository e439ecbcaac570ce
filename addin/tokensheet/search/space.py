"""The candidates of a search, numbered: every combination of what its axes try, made in blocks when asked for."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tokensheet.broadcast import Ids
from tokensheet.errors import ArgumentError
from tokensheet.goals import Axis

Tried = float | str | None

MOST_TOGETHER = 1_000_000
"""Combinations of a number with its factors, from which those that divide it are taken."""


@dataclass(frozen=True)
class Space:
    """What is tried.

    Args:
        axes: what is varied, in the order in which it is told; the first changes slowest
        values: axis → what is tried of it
    """

    axes: tuple[Axis, ...]
    values: Mapping[str, tuple[Tried, ...]]

    @cached_property
    def sides(self) -> tuple[tuple[tuple[str, ...], tuple[tuple[Tried, ...], ...]], ...]:
        """Names of inputs, and what they take together: factors of one number are a side with it."""
        found = []
        owners = {a.of for a in self.axes}
        for axis in self.axes:
            if axis.splits in owners:
                continue
            factors = [a for a in self.axes if a.splits == axis.of]
            together = math.prod(len(self.values[a.name]) for a in (axis, *factors))
            if together > MOST_TOGETHER:
                names = ", ".join(a.name for a in (axis, *factors))
                raise ArgumentError(f"{together:,} ways to combine {names}; at most {MOST_TOGETHER:,}")
            tuples = itertools.product(*(self.values[a.name] for a in (axis, *factors)))
            sound = tuple(t for t in tuples if not factors or _divides(t))
            found.append(((axis.of, *(a.of for a in factors)), sound))
        return tuple(found)

    @property
    def size(self) -> int:
        """Number of candidates."""
        return math.prod(len(tuples) for _, tuples in self.sides)

    @property
    def names(self) -> tuple[str, ...]:
        """The inputs and roles that are varied."""
        return tuple(a.of for a in self.axes)

    def candidate(self, i: int) -> dict[str, Any]:
        """What one candidate gives."""
        found: dict[str, Any] = {}
        for names, tuples in reversed(self.sides):
            i, place = divmod(i, len(tuples))
            found |= dict(zip(names, tuples[place], strict=True))
        return {name: found[name] for name in self.names}

    def columns(self, numbers: Any, roles: Collection[str]) -> dict[str, Any]:
        """What candidates give, a column for each input: ids for roles, floats for others.

        Args:
            numbers: array of candidates
            roles: names that take ids
        """
        import numpy as np

        found: dict[str, Any] = {}
        rest = numbers
        for names, tuples in reversed(self.sides):
            rest, places = np.divmod(rest, len(tuples))
            for name, column in zip(names, zip(*tuples, strict=True), strict=True):
                if name in roles:
                    known = tuple(dict.fromkeys(column))
                    codes = np.array([known.index(v) for v in column], dtype=np.int64)
                    found[name] = Ids(tuple(None if v is None else str(v) for v in known), codes[places])
                else:
                    found[name] = np.array(column, dtype=np.float64)[places]
        return found


def _divides(parts: Sequence[Tried]) -> bool:
    """Whether the factors that come after a number divide it."""
    whole, *factors = (float(p) for p in parts if p is not None)
    return whole % math.prod(factors) == 0
