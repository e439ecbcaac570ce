"""One formula by itself: its parameters are given, and all its readings can be asked for the same answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tokensheet.compiling import compile_graph
from tokensheet.declare import Input
from tokensheet.errors import CalculationError
from tokensheet.failure import Failure, Value
from tokensheet.formula import Formula
from tokensheet.graph import Graph, Inner, Leaf
from tokensheet.interpret import Interpreter
from tokensheet.irregular import IrregularError

IRREGULAR = (IrregularError, ArithmeticError, ValueError, TypeError)
"""What the compiled code raises when only the walk over the tree can tell what happened."""

Inputs = Mapping[str, float]


class Alone:
    """A formula whose parameters are numbers instead of other nodes; its checks are left out.

    Args:
        name: of the formula
        formula: the definition
    """

    def __init__(self, name: str, formula: Formula) -> None:
        self.name, self.formula = name, formula
        self.parameters = formula.body.parameters
        leaves: dict[str, Leaf | Inner] = {p: Leaf(p, p, Input(p, "1", p)) for p in self.parameters}
        node = Inner(name, name, formula, {p: p for p in self.parameters}, (), "")
        self.graph = Graph({**leaves, name: node}, (name,), {})
        self.code = compile_graph(self.graph, self.parameters)

    def function(self, inputs: Inputs) -> Value:
        """What Python gives when the function itself is called."""
        try:
            found = self.formula(**inputs)
        except (ArithmeticError, ValueError) as error:
            return Failure(f"{type(error).__name__}: {error}", CalculationError)
        if isinstance(found, complex) or not math.isfinite(found):
            return Failure(f"gives {found}", CalculationError)
        return float(found)

    def tree(self, inputs: Inputs) -> dict[str, Value]:
        """What the walk over the tree gives: each step by name, and the result under the name ""."""
        walk = Interpreter(self.graph, dict(inputs), {})
        result = walk.value(self.name)
        return {**walk.all_steps(self.name), "": result}

    def scalar(self, inputs: Inputs) -> Value | None:
        """What the compiled code for plain floats gives; None when it leaves the answer to the tree."""
        try:
            return float(self.code.scalar(*(float(inputs[p]) for p in self.parameters), ()))
        except IRREGULAR:
            return None

    def array(self, rows: Sequence[Inputs]) -> list[float | None]:
        """What the array code gives in one call; None where it leaves the answer to the tree."""
        import numpy as np

        def piece(columns: list[Any], size: int) -> list[float | None]:
            try:
                ((values, _),) = self.code.array(*columns, ())
                found = np.broadcast_to(np.asarray(values, dtype=np.float64), (size,))
                return [float(v) if math.isfinite(v) else None for v in found]
            except IRREGULAR:
                if size == 1:
                    return [None]
                half = size // 2
                first = piece([c[:half] for c in columns], half)
                return first + piece([c[half:] for c in columns], size - half)

        columns = [np.array([float(row[p]) for row in rows]) for p in self.parameters]
        with np.errstate(over="raise", divide="raise", invalid="raise", under="ignore"):
            return piece(columns, len(rows))
