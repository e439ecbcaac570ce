"""What compiled code runs with: words for arrays, facts that are missing, and the error that calls the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tokensheet.declare import SIGNS, Range
from tokensheet.errors import MissingFactError, TokensheetError


class IrregularError(Exception):
    """The straight code met something that only the interpreter can tell apart."""


class Missing:
    """Stands for a fact that no one gave: whatever is done with it raises."""

    __slots__ = ("kind", "reason")

    def __init__(self, reason: str, kind: type[TokensheetError] = MissingFactError) -> None:
        self.reason, self.kind = reason, kind

    def _refuse(self, *_: object) -> Any:
        raise IrregularError(self.reason)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __pow__ = __rpow__ = __neg__ = __abs__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refuse
    __bool__ = __float__ = __ceil__ = __floor__ = __array__ = _refuse
    __hash__ = object.__hash__


def range_mask(values: Any, bounds: Range) -> Any:
    """Which elements of an array lie in a range."""
    import numpy as np

    ok = np.isfinite(values)
    for sign, bound in bounds.ends:
        ok &= SIGNS[sign][1](values, bound)
    if bounds.whole:
        ok &= values == np.floor(values)
    return ok


def array_words() -> dict[str, Any]:
    """Name → function of what generated array code calls."""
    import numpy as np

    def choose(test: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        if isinstance(test, (bool, np.bool_)):
            return then() if test else otherwise()
        a, b = then(), otherwise()
        if isinstance(a, Missing) or isinstance(b, Missing):
            raise IrregularError
        return np.where(test, a, b)

    def both(a: Any, b: Callable[[], Any]) -> Any:
        if isinstance(a, (bool, np.bool_)):
            return b() if a else False
        return np.logical_and(a, b())

    def either(a: Any, b: Callable[[], Any]) -> Any:
        if isinstance(a, (bool, np.bool_)):
            return True if a else b()
        return np.logical_or(a, b())

    return {
        "IrregularError": IrregularError,
        "choose": choose,
        "both": both,
        "either": either,
        "inverse": lambda a: (not a) if isinstance(a, bool) else np.logical_not(a),
        "any_of": np.any,
        "equal": np.equal,
        **{
            n: getattr(np, n)
            for n in ("maximum", "minimum", "absolute", "ceil", "floor", "sqrt", "exp", "log", "power")
        },
    }
