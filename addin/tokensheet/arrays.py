"""Ranges: arguments broadcast as in Excel, elements grouped by their records, each group in one array call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokensheet.arguments import NodeRef, identifier, is_array, number
from tokensheet.binding import Bound, Questions
from tokensheet.broadcast import Column, Ids, column_of, common_shape, shape_of
from tokensheet.errors import TokensheetError
from tokensheet.failure import Failure
from tokensheet.irregular import IrregularError, range_mask

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK = 16_384
"""Elements calculated at once: intermediate arrays of this size stay in the processor's cache."""

MOST_ASKED = 256
"""Failed elements of a range that are looked at one by one, for reasons in full."""
MANY = "one of many failures; ask WHY for this element alone"


@dataclass(frozen=True)
class Answers:
    """An array of results; an element that failed is nan and `failure` says why."""

    values: NDArray[np.float64]
    kinds: NDArray[np.int8]
    """Flat: kind of each failure (`masked.KINDS`); 0 where it is not known without asking."""
    failure: Callable[[int], Failure]
    """Flat index → why that element has no number."""

    def failures(self) -> dict[int, Failure]:
        """Every failed element; beyond `MOST_ASKED` of them with the kind alone, which is quick to tell."""
        import numpy as np

        found: dict[int, Failure] = {}
        for i in np.flatnonzero(np.isnan(self.values.reshape(-1))).tolist():
            kind = None
            if len(found) >= MOST_ASKED and self.kinds[i]:
                from tokensheet.masked import KINDS

                kind = KINDS[self.kinds[i]]
            found[i] = self.failure(i) if kind is None else Failure(MANY, kind)
        return found


def evaluate_array(
    home: Questions,
    outputs: tuple[str, ...],
    given: Mapping[str, Any],
    one: Callable[[str, Mapping[str, Any]], Any],
) -> list[Answers]:
    """All elements of a question with ranges among its arguments, for several outputs at once.

    Args:
        home: prepared questions
        outputs: the nodes asked for
        given: name → scalar, list, nested list or array
        one: answers a single element of one output, for reasons
    """
    import numpy as np

    shape = common_shape([shape_of(v) for v in given.values() if is_array(v)])
    size = int(np.prod(shape, dtype=np.int64))
    linked = tuple((name, str(value)) for name, value in given.items() if isinstance(value, NodeRef))
    columns = {
        name: column_of(name, value, shape, name in home.registry.roles)
        for name, value in given.items()
        if not isinstance(value, NodeRef)
    }
    values = [np.full(size, np.nan) for _ in outputs]
    kinds = [np.zeros(size, dtype=np.int8) for _ in outputs]
    for names, ids, rows in _groups(columns, size, home):
        found = _group(home, outputs, names, linked, ids, rows, columns)
        for k, (numbers, marks) in enumerate(found):
            values[k][rows], kinds[k][rows] = numbers, marks

    def failure(output: str) -> Callable[[int], Failure]:
        def why(i: int) -> Failure:
            element = {name: c.raw(i) for name, c in columns.items()}
            found = one(output, element | {name: NodeRef(node) for name, node in linked})
            return found if isinstance(found, Failure) else Failure("no answer")

        return why

    return [Answers(v.reshape(shape), k, failure(o)) for o, v, k in zip(outputs, values, kinds, strict=True)]


def _group(
    home: Questions,
    outputs: tuple[str, ...],
    names: tuple[str, ...],
    linked: tuple[tuple[str, str], ...],
    ids: tuple[str, ...],
    rows: Any,
    columns: Mapping[str, Column],
) -> list[Any]:
    """Values and kinds of failure of one group's rows, a pair an output; nan where there is no answer."""
    import numpy as np

    nothing = [(np.full(len(rows), np.nan), np.zeros(len(rows), dtype=np.int8)) for _ in outputs]
    try:
        question = home.question(outputs, names, linked)
        bound = question.bind(ids)
    except TokensheetError:
        return nothing
    numbers = {n: columns[n].numbers(rows) for n in question.numbers}
    ok = np.ones(len(rows), dtype=bool)
    for name, array in numbers.items():
        ok &= range_mask(array, question.ranges[name])
    if not ok.any():
        return nothing
    if not ok.all():
        numbers = {n: a[ok] if a.ndim else a for n, a in numbers.items()}
    found = _block(bound, numbers, int(ok.sum()))
    for (place, marks), (each, kind) in zip(nothing, found, strict=True):
        place[ok], marks[ok] = each, kind
    return nothing


def _groups(
    columns: Mapping[str, Column], size: int, home: Questions
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], Any]]:
    """Elements that share records and the set of arguments that are not empty."""
    import numpy as np

    codes = np.zeros(size, dtype=np.int64)
    labels: list[tuple[str, list[Any]]] = []
    always: list[str] = []
    fixed: dict[str, str] = {}
    for name, column in columns.items():
        role = name in home.registry.roles
        if column.array is None:
            value = identifier(name, column.scalar) if role else number(name, column.scalar)
            if isinstance(value, Failure):
                return
            if value is None:
                continue
            if role:
                fixed[name] = str(value)
            always.append(name)
        elif isinstance(column.array, Ids):
            codes = codes * len(column.array.names) + column.array.codes
            labels.append((name, list(column.array.names)))
        elif role:
            raw = [identifier(name, v) for v in column.array.tolist()]
            marks = [v if isinstance(v, (str, type(None))) else False for v in raw]
            keys = {m: i for i, m in enumerate(dict.fromkeys(marks))}
            codes = codes * len(keys) + np.fromiter((keys[m] for m in marks), np.int64, size)
            labels.append((name, list(keys)))
        elif column.array.dtype == object:
            empty = np.fromiter((v is None or v == "" for v in column.array.tolist()), bool, size)
            codes = codes * 2 + empty
            labels.append((name, [True, None]))
        else:
            always.append(name)
    unique, inverse = np.unique(codes, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    bounds = np.searchsorted(inverse[order], np.arange(len(unique) + 1))
    for g, code in enumerate(unique.tolist()):
        picked: dict[str, Any] = {}
        for name, values in reversed(labels):
            code, position = divmod(code, len(values))
            picked[name] = values[position]
        if any(v is False for v in picked.values()):
            continue
        present = {n for n, v in picked.items() if v is not None} | set(always)
        names = tuple(n for n in columns if n in present)
        ids = tuple(str(picked.get(n, fixed.get(n))) for n in names if n in home.registry.roles)
        yield names, ids, order[bounds[g] : bounds[g + 1]]


def _block(bound: Bound, numbers: Mapping[str, Any], size: int) -> list[Any]:
    """All outputs, piece by piece: by the straight code, or by the masked walk where that gives up."""
    import numpy as np

    outs = [(np.empty(size), np.zeros(size, dtype=np.int8)) for _ in bound.graph.outputs]
    for start in range(0, size, CHUNK):
        stop = min(start + CHUNK, size)
        piece = {n: a[start:stop] if a.ndim else float(a) for n, a in numbers.items()}
        try:
            found = _straight(bound, piece, stop - start)
        except (IrregularError, ArithmeticError, ValueError, TypeError):
            from tokensheet.masked import evaluate

            found = evaluate(bound.graph, bound.given(piece), stop - start)
        for (out, marks), (values, kinds) in zip(outs, found, strict=True):
            out[start:stop], marks[start:stop] = values, kinds
    return outs


def _straight(bound: Bound, numbers: Mapping[str, Any], size: int) -> list[Any]:
    import numpy as np

    from tokensheet.masked import PLAN

    found: list[Any] = []
    with np.errstate(over="raise", divide="raise", invalid="raise", under="ignore"):
        answers = bound.code.array(*(numbers[n] for n in bound.code.numbers), bound.leaves)
        for values, bad in answers:
            result = np.broadcast_to(np.asarray(values, dtype=np.float64), (size,))
            if not np.isfinite(result).all():
                raise IrregularError
            if np.any(bad):
                found.append((np.where(bad, np.nan, result), np.where(bad, np.int8(PLAN), np.int8(0))))
            else:
                found.append((result, 0))
    return found
