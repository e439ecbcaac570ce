"""Measurements made ready to be evaluated again and again under other assumptions: what fitting needs.

Records and arguments of all rows become arrays once; the graph is compiled once. An evaluation then only
exchanges the numbers of assumptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokensheet.arguments import identifier
from tokensheet.compiling import Code
from tokensheet.irregular import Missing
from tokensheet.planning import Planner
from tokensheet.validation.evaluating import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class _Part:
    """Rows that ask the same node: their places, the compiled graph and what goes into it."""

    places: NDArray[np.int64]
    code: Code
    numbers: tuple[Any, ...]
    leaves: tuple[Any, ...]
    where: Mapping[str, tuple[int, ...]]
    divisor: Any

    def seconds(self, values: Mapping[str, float]) -> Any:
        """Predictions of these rows with some assumptions exchanged."""
        import numpy as np

        leaves = list(self.leaves)
        for name, value in values.items():
            for place in self.where.get(name, ()):
                leaves[place] = value
        with np.errstate(all="ignore"):
            ((found, _),) = self.code.array(*self.numbers, tuple(leaves))
        return np.broadcast_to(found, self.places.shape) / self.divisor


class Prepared:
    """Rows of one profile. A row whose records lack a fact that is needed gives nan."""

    def __init__(self, planner: Planner, questions: Sequence[Question]) -> None:
        self.size = len(questions)
        self.parts = list(_parts(planner, questions))

    def seconds(self, values: Mapping[str, float]) -> Any:
        """Predictions of all rows.

        Args:
            values: name of an assumption → number; what is not named keeps the profile's value
        """
        import numpy as np

        found = np.full(self.size, np.nan)
        for part in self.parts:
            found[part.places] = part.seconds(values)
        return found


def _parts(planner: Planner, questions: Sequence[Question]) -> Iterable[_Part]:
    import numpy as np

    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for i, each in enumerate(questions):
        groups.setdefault((each.node, tuple(sorted(each.given))), []).append(i)
    for (node, names), places in groups.items():
        question = planner.questions.question((node,), names)
        ids = [tuple(str(identifier(r, questions[i].given[r])) for r in question.roles) for i in places]
        bounds = {each: question.bind(each) for each in dict.fromkeys(ids)}
        codes = {id(b.code): b.code for b in bounds.values()}
        for key, code in codes.items():
            mine = [k for k, each in enumerate(ids) if id(bounds[each].code) == key]
            rows = [places[k] for k in mine]
            leaves = tuple(
                _array([_number(bounds[ids[k]].leaves[n]) for k in mine]) for n in range(len(code.leaves))
            )
            where: dict[str, tuple[int, ...]] = {}
            for n, leaf in enumerate(code.leaves):
                where[leaf.name] = (*where.get(leaf.name, ()), n)
            yield _Part(
                np.array(rows),
                code,
                tuple(_array([questions[i].given[n] for i in rows]) for n in code.numbers),
                leaves,
                where,
                _array([questions[i].divisor for i in rows]),
            )


def _number(value: float | Missing) -> float:
    return float("nan") if isinstance(value, Missing) else value


def _array(values: Sequence[float]) -> Any:
    import numpy as np

    first = values[0]
    if all(v == first for v in values):
        return float(first)
    return np.array(values, dtype=np.float64)
