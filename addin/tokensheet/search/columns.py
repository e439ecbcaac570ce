"""Many candidates that differ in their records too, in few array calls: facts become columns as numbers are.

`arrays.py` makes one call for each combination of records, which is best for long ranges. A search has thousands
of combinations with few rows each; those that need the same code are answered together here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokensheet.arrays import CHUNK
from tokensheet.binding import Bound, Questions
from tokensheet.broadcast import Ids
from tokensheet.errors import TokensheetError
from tokensheet.irregular import IrregularError, Missing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALONE = 2048
"""Rows from which a combination of records is worth a call of its own: its facts stay single numbers."""


@dataclass(frozen=True)
class Results:
    """Outputs of all rows: nan where there is none, and the kind of that failure (`masked.KINDS`, 0: not known)."""

    values: Mapping[str, NDArray[np.float64]]
    kinds: Mapping[str, NDArray[np.int8]]

    def with_rows(self, other: Results, rows: NDArray[np.bool_]) -> Results:
        """These, and others that are known for some rows; a check forbids the rest."""
        import numpy as np

        from tokensheet.masked import PLAN

        values, kinds = dict(self.values), dict(self.kinds)
        for name, found in other.values.items():
            values[name] = np.full(len(rows), np.nan)
            kinds[name] = np.full(len(rows), PLAN, dtype=np.int8)
            values[name][rows], kinds[name][rows] = found, other.kinds[name]
        return Results(values, kinds)


def taken(columns: Mapping[str, Any], rows: NDArray[np.bool_]) -> dict[str, Any]:
    """Some rows of columns."""
    return {n: Ids(c.names, c.codes[rows]) if isinstance(c, Ids) else c[rows] for n, c in columns.items()}


@dataclass(frozen=True)
class _Group:
    """Rows that one combination of records answers."""

    bound: Bound
    rows: NDArray[np.int64]


def evaluate(
    home: Questions,
    outputs: tuple[str, ...],
    shared: Mapping[str, Any],
    columns: Mapping[str, Any],
    size: int,
) -> Results:
    """All outputs for all rows. Numbers are not checked against the ranges of their inputs.

    Args:
        home: prepared questions
        outputs: nodes asked for
        shared: what all rows share: ids and numbers
        columns: name → `Ids` for a role, an array of floats for any other name
        size: number of rows
    """
    import numpy as np

    values = {o: np.full(size, np.nan) for o in outputs}
    kinds = {o: np.zeros(size, dtype=np.int8) for o in outputs}
    numbers = {n: v for n, v in (*shared.items(), *columns.items()) if n not in home.registry.roles}
    for cluster in _clusters(_groups(home, outputs, shared, columns, size)):
        rows = np.concatenate([g.rows for g in cluster])
        leaves = _leaves(cluster)
        for start in range(0, len(rows), CHUNK):
            place = slice(start, min(start + CHUNK, len(rows)))
            taken = rows[place]
            given = {n: v[taken] if isinstance(v, np.ndarray) else v for n, v in numbers.items()}
            part = tuple(v[place] if isinstance(v, np.ndarray) else v for v in leaves)
            for output, (found, marks) in zip(
                outputs, _piece(cluster[0].bound, given, part, len(taken)), strict=True
            ):
                values[output][taken], kinds[output][taken] = found, marks
    return Results(values, kinds)


def _groups(
    home: Questions,
    outputs: tuple[str, ...],
    shared: Mapping[str, Any],
    columns: Mapping[str, Any],
    size: int,
) -> list[_Group]:
    """Rows by their records; those whose question cannot be asked are left out."""
    import numpy as np

    codes = np.zeros(size, dtype=np.int64)
    ids = {n: c for n, c in columns.items() if isinstance(c, Ids)}
    for column in ids.values():
        codes = codes * len(column.names) + column.codes
    unique, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    ends = np.searchsorted(inverse[order], np.arange(len(unique) + 1))
    found = []
    for g, i in enumerate(first.tolist()):
        try:
            bound = bind(home, outputs, {**shared, **columns, **{n: c[i] for n, c in ids.items()}})
        except TokensheetError:
            continue
        found.append(_Group(bound, order[ends[g] : ends[g + 1]]))
    return found


def bind(home: Questions, outputs: tuple[str, ...], given: Mapping[str, Any]) -> Bound:
    """The question of one row: records by their ids, any other name by what it gives; None is not given.

    Raises:
        TokensheetError: a record is not there, or its profile makes no sense.
    """
    roles = sorted(n for n, v in given.items() if n in home.registry.roles and v is not None)
    numbers = sorted(n for n in given if n not in home.registry.roles)
    return home.question(outputs, (*roles, *numbers)).bind(tuple(str(given[n]) for n in roles))


def _clusters(groups: Sequence[_Group]) -> list[list[_Group]]:
    """Groups that one call answers: of the same code, with facts in the same places."""
    found: dict[Any, list[_Group]] = {}
    for i, group in enumerate(groups):
        missing = tuple(isinstance(v, Missing) for v in group.bound.leaves)
        alone = i if len(group.rows) >= ALONE else None
        found.setdefault((id(group.bound.code), missing, alone), []).append(group)
    return list(found.values())


def _leaves(cluster: Sequence[_Group]) -> list[Any]:
    """Each leaf of the code: one number where all rows share it, else a number a row."""
    import numpy as np

    lengths = [len(g.rows) for g in cluster]
    found: list[Any] = []
    for several in zip(*(g.bound.leaves for g in cluster), strict=True):
        same = isinstance(several[0], Missing) or all(v == several[0] for v in several)
        found.append(several[0] if same else np.repeat(np.array(several, dtype=np.float64), lengths))
    return found


def _piece(bound: Bound, numbers: Mapping[str, Any], leaves: tuple[Any, ...], size: int) -> Sequence[Any]:
    """Values and kinds of each output, by the straight code, or by the masked walk where that gives up."""
    from tokensheet import masked

    try:
        return _straight(bound, numbers, leaves, size)
    except (IrregularError, ArithmeticError, ValueError, TypeError):
        given: dict[str, Any] = dict(zip((x.key for x in bound.code.leaves), leaves, strict=True))
        return masked.evaluate(bound.graph, {**given, **numbers}, size)


def _straight(bound: Bound, numbers: Mapping[str, Any], leaves: tuple[Any, ...], size: int) -> list[Any]:
    import numpy as np

    from tokensheet.masked import PLAN

    found: list[Any] = []
    with np.errstate(over="raise", divide="raise", invalid="raise", under="ignore"):
        for values, bad in bound.code.array(*(numbers[n] for n in bound.code.numbers), leaves):
            result = np.broadcast_to(np.asarray(values, dtype=np.float64), (size,))
            if not np.isfinite(result).all():
                raise IrregularError
            lost = np.broadcast_to(np.asarray(bad), (size,))
            found.append((np.where(lost, np.nan, result), np.where(lost, np.int8(PLAN), np.int8(0))))
    return found
