"""Arguments with ranges among them: their common shape, and each as a column over all elements, as Excel has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokensheet.arguments import is_array, number
from tokensheet.failure import Failure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ABSENT = "no value in this argument at this place of the range"


def shape_of(value: Any) -> tuple[int, ...]:
    """The lengths of the sides of an array, of a list, or of rows that may differ in length."""
    if hasattr(value, "shape"):
        return tuple(value.shape)
    if value and isinstance(value[0], (list, tuple)):
        return (len(value), max(len(r) for r in value))
    return (len(value),)


def common_shape(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The common shape: along each side the longest, as Excel fills the rest with #N/A."""
    depth = max(map(len, shapes))
    padded = [(1,) * (depth - len(s)) + s for s in shapes]
    return tuple(max(sizes) for sizes in zip(*padded, strict=True))


@dataclass(frozen=True)
class Ids:
    """Ids of many elements, each stated once: `names[codes[i]]` is the id of element i."""

    names: tuple[str | None, ...]
    codes: NDArray[np.int64]
    ndim = 1

    @property
    def shape(self) -> tuple[int, ...]:
        """The one length."""
        return self.codes.shape

    def __getitem__(self, i: int) -> str | None:
        return self.names[int(self.codes[i])]


@dataclass(frozen=True)
class Column:
    """One argument over all elements: a scalar, or an object or float array (or Ids) of the common size."""

    name: str
    scalar: Any
    array: Any

    def raw(self, i: int) -> Any:
        """What was given for one element."""
        return self.scalar if self.array is None else self.array[i]

    def numbers(self, rows: Any) -> Any:
        """The numbers of some elements; nan where something else was given. A scalar stays one."""
        import numpy as np

        if self.array is None:
            value = number(self.name, self.scalar)
            return np.float64(value if isinstance(value, float) else np.nan)
        if self.array.dtype != object:
            return self.array[rows]
        found = [number(self.name, v) for v in self.array[rows]]
        return np.array([v if isinstance(v, float) else np.nan for v in found])


def column_of(name: str, value: Any, shape: tuple[int, ...], text: bool) -> Column:
    """An argument over all elements of a shape; `text` says that it holds ids."""
    import numpy as np

    if not is_array(value):
        return Column(name, value, None)
    if isinstance(value, Ids) and value.shape == shape:
        return Column(name, None, value)
    array = _as_array(value, text)
    array = array.reshape((1,) * (len(shape) - array.ndim) + array.shape)
    sizes = tuple(a if a in (1, s) else 0 for a, s in zip(array.shape, shape, strict=True))
    if 0 in sizes:
        wide = np.full(shape, Failure(ABSENT), dtype=object)
        # a side of length one is repeated, as Excel does; a shorter one is filled with errors
        target = tuple(slice(0, s if a == 1 else a) for a, s in zip(array.shape, shape, strict=True))
        wide[target] = array
        array = wide
    return Column(name, None, np.broadcast_to(array, shape).reshape(-1))


def _as_array(value: Any, text: bool) -> Any:
    import numpy as np

    if hasattr(value, "dtype") and value.dtype.kind in "fiub":
        return value.astype(np.float64, copy=False) if not text else value.astype(object)
    if not text:
        try:
            array = np.asarray(value)
            if array.dtype.kind in "fiu":
                return array.astype(np.float64, copy=False)
        except (ValueError, TypeError):
            pass
    rows = value.tolist() if hasattr(value, "tolist") else value
    if rows and isinstance(rows[0], (list, tuple)):
        width = max(len(r) for r in rows)
        array = np.full((len(rows), width), None, dtype=object)
        for i, row in enumerate(rows):
            for j, item in enumerate(row):
                array[i, j] = item
        return array
    array = np.full(len(rows), None, dtype=object)
    for i, item in enumerate(rows):
        array[i] = item
    return array
