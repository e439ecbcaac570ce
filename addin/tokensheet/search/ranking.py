"""What a search keeps while candidates pass by: the best, the front, the nearest miss, and why others are out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Best:
    """The candidates with the smallest keys, the first key first.

    Args:
        count: how many are kept
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.numbers: list[int] = []
        self.keys: list[list[float]] = []

    def add(self, numbers: NDArray[np.int64], keys: Sequence[NDArray[np.float64]]) -> None:
        """Looks at candidates and their keys."""
        import numpy as np

        if not len(numbers):
            return
        kept = np.array(self.keys, dtype=np.float64).reshape(-1, len(keys)).T
        all_keys = [np.concatenate([old, new]) for old, new in zip(kept, keys, strict=True)]
        every = np.concatenate([np.array(self.numbers, dtype=np.int64), numbers])
        # the candidate's number last, so that the order of looking does not matter
        order = np.lexsort((every, *reversed(all_keys)))[: self.count]
        self.numbers = every[order].tolist()
        self.keys = [[float(k[i]) for k in all_keys] for i in order]

    @property
    def worst(self) -> float:
        """First key of the last one kept; endless while there is room."""
        return self.keys[-1][0] if len(self.keys) >= self.count else float("inf")


class Front:
    """Candidates that no other beats in two numbers together."""

    def __init__(self) -> None:
        self.points: list[tuple[float, float, int]] = []

    def add(
        self, numbers: NDArray[np.int64], first: NDArray[np.float64], second: NDArray[np.float64]
    ) -> None:
        """Looks at candidates."""
        import numpy as np

        if not len(numbers):
            return
        old = np.array(self.points, dtype=np.float64).reshape(-1, 3).T
        one, two = np.concatenate([old[0], first]), np.concatenate([old[1], second])
        every = np.concatenate([old[2].astype(np.int64), numbers])
        order = np.lexsort((every, two, one))
        least = np.minimum.accumulate(two[order])
        better = np.concatenate([[True], two[order][1:] < least[:-1]])
        self.points = [(float(one[i]), float(two[i]), int(every[i])) for i in order[better]]


@dataclass
class Nearest:
    """The candidate that misses its targets by the least: its worst target and that target's value."""

    worst: float = float("inf")
    number: int = -1
    target: str = ""
    value: float = 0.0

    def add(self, numbers: NDArray[np.int64], shares: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        """Looks at candidates.

        Args:
            numbers: of candidates
            shares: target → how far it is used; above 1 it is missed
            values: target → value of each candidate
        """
        import numpy as np

        if not len(numbers) or not shares:
            return
        names = list(shares)
        table = np.vstack([np.nan_to_num(shares[n], nan=np.inf) for n in names])
        worst = table.max(axis=0)
        i = int(worst.argmin())
        if worst[i] < self.worst:
            name = names[int(table[:, i].argmax())]
            self.worst, self.number = float(worst[i]), int(numbers[i])
            self.target, self.value = name, float(values[name][i])


@dataclass
class Tally:
    """Reason → how many candidates are out for it, and one of them with the node that has no result."""

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, reason: str, numbers: NDArray[np.int64], node: str = "") -> None:
        """Counts candidates."""
        if len(numbers):
            self.counts[reason] = self.counts.get(reason, 0) + len(numbers)
            self.examples.setdefault(reason, (int(numbers[0]), node))
