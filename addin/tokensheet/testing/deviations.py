"""Where a spreadsheet program is known to answer otherwise than Python, to tell it from a mistake."""

from __future__ import annotations

from collections.abc import Mapping

from tokensheet import tree
from tokensheet.failure import Failure, Value
from tokensheet.tree import Node
from tokensheet.tree_walk import calculate

POWERS = {
    "0^0": "Excel and IronCalc: an error; Python and LibreOffice: 1",
    "underflow": "LibreOffice: an error where a power is too small for a number; everybody else: 0",
    "root of a negative number": "spreadsheets: (-8)^(1/3) is -2; Python: no answer",
}
"""The deviations of `**`; a formula should keep away from all of them."""


def deviation(node: Node, values: Mapping[str, Value]) -> str | None:
    """Which known deviation the calculation of a tree touches, branches not taken included.

    Args:
        node: the tree
        values: of the names in it
    """
    for part in tree.walk(node):
        if isinstance(part, tree.Binary) and part.op == "**":
            base = calculate(part.left, values.__getitem__, "")
            exponent = calculate(part.right, values.__getitem__, "")
            power = calculate(part, values.__getitem__, "")
            if isinstance(base, Failure) or isinstance(exponent, Failure):
                continue
            if base == 0 and exponent == 0:
                return "0^0"
            if base < 0 and exponent != exponent // 1:
                return "root of a negative number"
            if not isinstance(power, Failure) and base != 0 and abs(power) < 2.3e-308:
                return "underflow"
    return None
