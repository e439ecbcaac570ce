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
        pooled: of numbers for each profile: they lie about a middle that itself moves by the spread, and each may
            part from it by this share of the spread; 0: each has the prior to itself
        about: profile about whose number of the same assumption the prior lies, `start` times as large
    """

    name: str
    start: float
    spread: float
    most: float = math.inf
    shared: bool = True
    profiles: tuple[str, ...] = ()
    pooled: float = 0.0
    about: str = ""


@dataclass(frozen=True)
class Data:
    """Rows of one profile: predictions, logarithms of measured seconds, and weights."""

    prepared: Prepared
    logs: NDArray[np.float64]
    weights: NDArray[np.float64]


@dataclass(frozen=True)
class Parameter:
    """One number that is fitted: an assumption, of one profile or of all; or the middle of several, which no row asks.

    Args:
        free: the assumption
        profile: whose it is; None: of all
        spread: of its prior's logarithm
        middle: whether it is a middle
        pooled: whether its prior lies about the middle
    """

    free: Free
    profile: str | None
    spread: float
    middle: bool = False
    pooled: bool = False

    def counts_for(self, profile: str) -> bool:
        """Whether a profile takes this number."""
        if self.middle:
            return False
        return self.profile in (None, profile) and (not self.free.profiles or profile in self.free.profiles)


def parameters(free: Sequence[Free], profiles: Sequence[str]) -> list[Parameter]:
    """All numbers to fit, in order; a middle stands before those that lie about it."""
    found: list[Parameter] = []
    for each in free:
        if each.shared:
            found.append(Parameter(each, None, each.spread))
            continue
        if each.pooled:
            found.append(Parameter(each, None, each.spread, middle=True))
        spread = each.spread * (each.pooled or 1.0)
        mine = [p for p in profiles if not each.profiles or p in each.profiles]
        found += [Parameter(each, p, spread, pooled=bool(each.pooled)) for p in mine]
    return found


def priors(numbers: Sequence[Parameter]) -> tuple[Any, Any]:
    """Matrix and vector: the matrix times the logarithms, less the vector, is how far each is from its prior in spreads.

    Raises:
        ValueError: nothing that the prior could lie about.
    """
    import numpy as np

    size = len(numbers)
    pull, target = np.zeros((size, size)), np.zeros(size)
    for i, number in enumerate(numbers):
        pull[i, i] = 1 / number.spread
        free = number.free
        if number.pooled:
            other = next(j for j, n in enumerate(numbers) if n.middle and n.free is free)
        elif free.about:
            found = [
                j for j, n in enumerate(numbers) if n.free.name == free.name and n.counts_for(free.about)
            ]
            if not found:
                raise ValueError(f"{free.name}: no number of {free.about} among those that are fitted")
            other = found[0]
        else:
            target[i] = math.log(free.start) / number.spread
            continue
        pull[i, other] = -1 / number.spread
        target[i] = 0.0 if number.pooled else math.log(free.start) / number.spread
    return pull, target


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
    pull, target = priors(numbers)
    middle = np.linalg.solve(pull, target)
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
        return np.concatenate([*(rows(p, at) for p in order), pull @ at - target])

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
        found[ends[-1] :] = pull
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
