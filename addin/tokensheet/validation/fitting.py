"""Robust least squares of logarithms with priors: Levenberg and Marquardt's steps inside bounds, the same every time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokensheet.validation.prepared import Prepared

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCALE = 0.15
"""Error of a logarithm from which a row counts linearly instead of squared."""
_STEP = 1e-5
_MOST_STEPS = 60
_TOLERANCE = 1e-8


@dataclass(frozen=True, slots=True)
class Free:
    """An assumption that measurements may move.

    Args:
        name: of the assumption
        start: where its prior has its middle, above 0
        spread: of the prior's logarithm: how far rows must pull to move it far from there
        most: upper bound
        shared: one number for all profiles that are fitted together, or one for each
        profiles: only those; all when empty
    """

    name: str
    start: float
    spread: float
    most: float = math.inf
    shared: bool = True
    profiles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Data:
    """Rows of one profile: predictions, logarithms of measured seconds, and weights."""

    prepared: Prepared
    logs: NDArray[np.float64]
    weights: NDArray[np.float64]


@dataclass(frozen=True)
class Parameter:
    """One number that is fitted: an assumption, of one profile or of all."""

    free: Free
    profile: str | None

    def counts_for(self, profile: str) -> bool:
        """Whether a profile takes this number."""
        return self.profile in (None, profile) and (not self.free.profiles or profile in self.free.profiles)


def parameters(free: Sequence[Free], profiles: Sequence[str]) -> list[Parameter]:
    """All numbers to fit, in order."""
    found: list[Parameter] = []
    for each in free:
        if each.shared:
            found.append(Parameter(each, None))
        else:
            found += [Parameter(each, p) for p in profiles if not each.profiles or p in each.profiles]
    return found


def values_of(numbers: Sequence[Parameter], logs: Any, profile: str) -> dict[str, float]:
    """What a profile's assumptions are when the parameters have these logarithms."""
    return {
        n.free.name: float(math.exp(x)) for n, x in zip(numbers, logs, strict=True) if n.counts_for(profile)
    }


def fit(
    free: Sequence[Free], data: Mapping[str, Data], profiles: Sequence[str], fixed: Mapping[str, float]
) -> tuple[list[Parameter], Any]:
    """The parameters and their logarithms at the smallest robust sum of squares with priors.

    Args:
        free: what may move
        data: rows by profile; a profile without rows keeps its priors
        profiles: all profiles fitted together
        fixed: assumptions that are set for all of them
    """
    import numpy as np

    numbers = parameters(free, profiles)
    middle = np.array([math.log(n.free.start) for n in numbers])
    spread = np.array([n.free.spread for n in numbers])
    low = middle - math.log(100)
    high = np.minimum(np.array([math.log(n.free.most) for n in numbers]), middle + math.log(100))
    order = [p for p in profiles if p in data and len(data[p].logs)]

    def rows(profile: str, at: Any) -> Any:
        own = data[profile]
        found = own.prepared.seconds({**fixed, **values_of(numbers, at, profile)})
        wrong = np.sqrt(own.weights) * (np.log(found) - own.logs) / SCALE
        wrong = np.where(np.isfinite(wrong), wrong, 0.0)
        return np.sign(wrong) * np.sqrt(2 * (np.sqrt(1 + wrong * wrong) - 1))

    ends = np.cumsum([0, *(len(data[p].logs) for p in order)])
    size = int(ends[-1]) + len(numbers)

    def residuals(at: Any) -> Any:
        return np.concatenate([*(rows(p, at) for p in order), (at - middle) / spread])

    def slopes(at: Any, here: Any) -> Any:
        found = np.zeros((size, len(numbers)))
        for j, number in enumerate(numbers):
            moved = at.copy()
            moved[j] += _STEP if moved[j] + _STEP <= high[j] else -_STEP
            change = moved[j] - at[j]
            for k, profile in enumerate(order):
                if number.counts_for(profile):
                    part = slice(ends[k], ends[k + 1])
                    found[part, j] = (rows(profile, moved) - here[part]) / change
            found[ends[-1] + j, j] = 1 / spread[j]
        return found

    at = np.clip(middle, low, high)
    here = residuals(at)
    damping = 1e-3
    for _ in range(_MOST_STEPS):
        jacobian = slopes(at, here)
        gradient = jacobian.T @ here
        held = ((at <= low) & (gradient > 0)) | ((at >= high) & (gradient < 0))
        moving = ~held
        square = jacobian[:, moving].T @ jacobian[:, moving]
        better = False
        while damping < 1e10:
            step = np.zeros_like(at)
            step[moving] = np.linalg.solve(square + damping * np.diag(np.diag(square)), -gradient[moving])
            there = np.clip(at + step, low, high)
            wrong = residuals(there)
            gain = here @ here - wrong @ wrong
            if gain > 0:
                better = gain > _TOLERANCE * (here @ here)
                at, here, damping = there, wrong, max(damping / 5, 1e-9)
                break
            damping *= 4
        if not better:
            break
    return numbers, at
