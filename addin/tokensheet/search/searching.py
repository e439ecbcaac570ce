"""The search for the best plan: every candidate by array calls of the same graph that answers a cell.

Nothing is modelled a second time, and nothing here knows what a plan is: plugins declare it (`goals.py`). Where a
goal has a bound, candidates are calculated in its order until no other can be better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from tokensheet.errors import ArgumentError
from tokensheet.goals import Front, Shown, Target
from tokensheet.masked import PLAN
from tokensheet.planning import Planner
from tokensheet.search import ranking
from tokensheet.search.found import (
    TOLERANCE,
    Asked,
    Found,
    Miss,
    Plan,
    Rejected,
    measured,
    missed,
    titled,
    used,
)
from tokensheet.search.looking import Looking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST_SPACE = 5_000_000
BLOCK = 65_536
"""Candidates looked at together: memory stays bounded whatever the size of the space."""
FIRST_LOOK, LONGEST_LOOK = 1024, 16_384
"""Candidates calculated together in the order of their bounds: few at first, as the best are soon found."""

Progress = Callable[[int, int], None]


def search(planner: Planner, asked: Asked, progress: Progress | None = None) -> Found:
    """The best plans of a space, the same that asking for each candidate would find.

    Args:
        planner: answers the candidates
        asked: what is searched for
        progress: told how many candidates are done, and of how many

    Raises:
        TokensheetError: the space is empty or too large, or what is asked for cannot be calculated at all.
    """
    size = asked.space.size
    if not size:
        raise ArgumentError("no candidate: nothing tried divides what it splits; give other numbers")
    if size > LARGEST_SPACE:
        raise ArgumentError(f"{size:,} candidates; at most {LARGEST_SPACE:,}: try less of what is varied")
    told = progress or (lambda done, total: None)
    looking = Looking(planner, asked)
    run = _Run(looking, looking.implied(), told)
    best = run.plans(run.best.numbers)
    if not all(run.holds(plan) for plan in best):  # a target that the goal was trusted with
        run = _Run(looking, frozenset(), told)
        best = run.plans(run.best.numbers)
    front = run.plans([number for _, _, number in run.front.points])
    return Found(asked, best, front, run.rejected(), size, run.holding, run.spared, run.miss())


class _Run:
    """One pass over all candidates.

    Args:
        looking: answers them
        implied: targets that need no comparing
        progress: is told how far it is
    """

    def __init__(self, looking: Looking, implied: frozenset[str], progress: Progress) -> None:
        self.looking, self.asked, self.progress = looking, looking.asked, progress
        self.best, self.front = ranking.Best(self.asked.count), ranking.Front()
        self.nearest, self.tally = ranking.Nearest(), ranking.Tally()
        self.holding = self.spared = 0
        self.lost: list[Any] = []
        """Candidates that a check forbids: perhaps at no load do they hold the targets."""
        goal, kit = self.asked.goal, self.asked.kit
        self.sign = -1.0 if goal.most else 1.0
        self.targets = {n: t for n, t in kit.of(Target).items() if n in self.asked.limits}
        self.compared = {n: t for n, t in self.targets.items() if n not in implied}
        bound = looking.bound()
        self.pair = () if bound else next((f.pair for f in kit.of(Front).values()), ())
        nodes = (goal.node, *goal.then, *self.pair, *(t.node for t in self.compared.values()))
        self.nodes = tuple(dict.fromkeys(nodes))
        if bound:
            self.by_bound(bound)
        else:
            for block in self.blocks():
                self.calculate(block)
                self.progress(int(block[-1]) + 1, self.asked.space.size)

    def blocks(self) -> Iterable[NDArray[np.int64]]:
        """All candidates, some at a time."""
        import numpy as np

        size = self.asked.space.size
        return (np.arange(i, min(i + BLOCK, size)) for i in range(0, size, BLOCK))

    def by_bound(self, bound: str) -> None:
        """Calculates candidates, the best bound first, until no other can be better than those kept."""
        import numpy as np

        size = self.asked.space.size
        parts: list[tuple[Any, Any]] = []
        for block in self.blocks():
            found = self.looking.results(block, (bound,))
            values = self.sign * found.values[bound]
            good = np.isfinite(values)
            self.looking.out(self.tally, block, found, bound, ~good)
            parts.append((values[good], block[good]))
            self.progress((int(block[-1]) + 1) // 2, size)
        values, numbers = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.argsort(values, kind="stable")
        values, numbers = values[order] - TOLERANCE * np.abs(values[order]), numbers[order]
        start, length, trusted = 0, FIRST_LOOK, True
        while start < len(numbers) and not (trusted and values[start] > self.best.worst):
            stop = min(start + length, len(numbers))
            keys = self.calculate(numbers[start:stop], passed=True)
            trusted = trusted and not np.any(keys < values[start:stop])
            start, length = stop, min(2 * length, LONGEST_LOOK)
            self.progress((size + size * stop // len(numbers)) // 2, size)
        self.spared = len(numbers) - start
        self.progress(size, size)

    def calculate(self, numbers: NDArray[np.int64], *, passed: bool = False) -> Any:
        """Ranks candidates; gives the goal's key of each, endless where there is none."""
        import numpy as np

        goal, found = self.asked.goal, self.looking.results(numbers, self.nodes, passed=passed)
        sound = np.ones(len(numbers), dtype=bool)
        for node in dict.fromkeys((goal.node, *(t.node for t in self.compared.values()))):
            lost = sound & ~np.isfinite(found.values[node])
            self.looking.out(self.tally, numbers, found, node, lost)
            sound &= ~lost
        self.lost.append(numbers[found.kinds[goal.node] == PLAN])
        held = sound.copy()
        for name, target in self.compared.items():
            value, limit = found.values[target.node], self.asked.limits[name]
            late = held & missed(target, value, limit)
            self.tally.add(self.words(target, limit), numbers[late])
            held &= ~late
        self.come_near(numbers[sound], {n: found.values[t.node][sound] for n, t in self.compared.items()})
        key = self.sign * found.values[goal.node]
        then = (np.nan_to_num(found.values[n], nan=np.inf) for n in goal.then)
        self.best.add(numbers[held], [k[held] for k in (key, *then)])
        if self.pair:
            one, two = (np.nan_to_num(found.values[n], nan=np.inf) for n in self.pair)
            both = held & np.isfinite(one) & np.isfinite(two)
            self.front.add(numbers[both], one[both], two[both])
        self.holding += int(held.sum())
        return np.where(sound, key, np.inf)

    # ---- what holds no targets

    def words(self, target: Target, limit: float) -> str:
        """That a target is missed."""
        planner, side = self.looking.planner, "below" if target.least else "above"
        return f"{titled(planner, target.node)} {side} {measured(planner, target.node, limit)}"

    def come_near(self, numbers: NDArray[np.int64], values: dict[str, Any]) -> None:
        """Keeps the candidate whose worst target is missed by the least."""
        shares = {n: used(self.targets[n], v, self.asked.limits[n]) for n, v in values.items()}
        self.nearest.add(numbers, shares, values)

    def miss(self) -> Miss | None:
        """How far off the nearest plan is, when none holds all targets."""
        import numpy as np

        if self.best.numbers:
            return None
        light = {n: t.lightest for n, t in self.targets.items() if t.lightest}
        lost = np.concatenate([*self.lost, np.zeros(0, dtype=np.int64)])
        for start in range(0, len(lost) if light else 0, BLOCK):
            block = lost[start : start + BLOCK]
            found = self.looking.results(block, tuple(light.values())).values
            self.come_near(block, {n: found[node] for n, node in light.items()})
        near = self.nearest
        if near.number < 0:
            return None
        given = self.asked.space.candidate(near.number)
        target = self.targets[near.target]
        node = target.node if near.target in self.compared else target.lightest
        return Miss(given, near.target, node, near.value, self.asked.limits[near.target])

    def rejected(self) -> tuple[Rejected, ...]:
        """Reasons with one candidate each, the most frequent first."""
        counts = sorted(self.tally.counts.items(), key=lambda item: -item[1])
        examples = self.tally.examples
        return tuple(Rejected(r, n, self.looking.reason(*examples[r])) for r, n in counts)

    # ---- plans in full

    def plans(self, numbers: Iterable[int]) -> tuple[Plan, ...]:
        """Candidates with everything that is told of them."""
        import numpy as np

        chosen = np.array(list(numbers), dtype=np.int64)
        if not len(chosen):
            return ()
        shares = {n: t.fullest or t.node for n, t in self.targets.items()}
        told = [*self.nodes, *self.asked.kit.of(Shown), *(t.node for t in self.targets.values())]
        nodes = tuple(dict.fromkeys(told))
        found = self.looking.results(chosen, tuple(dict.fromkeys((*nodes, *shares.values())))).values
        plans = []
        for i, number in enumerate(chosen.tolist()):
            values = {n: float(found[n][i]) if np.isfinite(found[n][i]) else None for n in nodes}
            limits = self.asked.limits
            far = {n: float(used(self.targets[n], found[node][i], limits[n])) for n, node in shares.items()}
            far = {n: v for n, v in far.items() if 0 < v < np.inf}
            binds = max(far, key=lambda n: far[n], default="")
            plans.append(Plan(self.asked.space.candidate(number), values, binds, far.get(binds, 0.0)))
        return tuple(plans)

    def holds(self, plan: Plan) -> bool:
        """Whether a plan holds all targets by its own results."""
        values = {n: plan.values[t.node] for n, t in self.targets.items()}
        return not any(
            v is None or missed(self.targets[n], v, self.asked.limits[n]) for n, v in values.items()
        )
