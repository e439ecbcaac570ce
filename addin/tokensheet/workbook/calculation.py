"""A calculation as a sheet has it: rows under their keys, and a column for each candidate, variant or number of a list.

What its columns are and where their numbers come from is for those who make one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tokensheet.errors import ExportError
from tokensheet.failure import Failure, Value
from tokensheet.graph import Graph, Inner
from tokensheet.interpret import Interpreter
from tokensheet.registry import Registry
from tokensheet.texts import Phrase, Text
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.layout import FIRST_ROW, Cell, Row, calculation_cell

NO_FACT = CellError("#N/A")
Column = Callable[[int], str]
"""Column's index → address or formula text."""


class Calculation:
    """Rows of formulas with the engine's values.

    Args:
        registry: the definitions
        graph: the nodes that are calculated
        names: of the columns
        walks: the engine's values, one walk a column
        constant_row: name and number of a constant → its row on Inputs
        rows: of the sheet, where another calculation began it

    Attributes:
        row_of: key → row number
    """

    def __init__(
        self,
        registry: Registry,
        graph: Graph,
        names: Sequence[str],
        walks: Sequence[Interpreter],
        constant_row: dict[tuple[str, float], int],
        rows: list[Row] | None = None,
    ) -> None:
        self.registry, self.graph, self.names, self.walks = registry, graph, list(names), list(walks)
        self.constant_row = constant_row
        self.rows: list[Row] = [] if rows is None else rows
        self.row_of: dict[str, int] = {}

    def add(
        self,
        key: str,
        label: Text,
        unit: str,
        words: Text,
        source: Text,
        formula: Column | None,
        values: Sequence[Cell],
        symbol: str = "",
    ) -> str:
        """A row with its key, by which others read it; gives the key. Without a formula it is data."""
        self.rows.append(Row(label, symbol or key, unit, words, source, formula, values))
        self.row_of[key] = FIRST_ROW + len(self.rows) - 1
        return key

    def heading(self, title: Phrase) -> None:
        """A section's title."""
        self.rows.append(Row(title, heading=True))

    def at(self, index: int, key: str) -> str:
        """Cell of a key in a column."""
        return calculation_cell(index, self.row_of[key])

    def row(self, key: str) -> Row:
        """The row of a key."""
        return self.rows[self.row_of[key] - FIRST_ROW]

    def shown(self, index: int, key: str) -> Cell:
        """What a written row shows in a column."""
        return self.row(key).values[index]

    def unit(self, key: str) -> str:
        """Unit of a node."""
        node = self.graph.nodes[key]
        return str(node.formula.unit if isinstance(node, Inner) else node.definition.unit)

    def value(self, index: int, key: str) -> Value:
        """The engine's value of a node in a column."""
        return self.walks[index].value(key)

    def check_rows(self) -> None:
        """Each node's row shows the engine's value, also where others state it, such as an input's.

        Raises:
            ExportError: a mistake in the program.
        """
        for key in self.graph.nodes.keys() & self.row_of.keys():
            for index, name in enumerate(self.names):
                shown, value = self.shown(index, key), self.value(index, key)
                own = Failure(shown) if isinstance(shown, CellError) else shown
                if isinstance(own, str) or not same(own, value):
                    raise ExportError(
                        f"{name}: the row of {key} shows {shown} for {value}; please report this"
                    )


def cell_value(value: Value) -> Cell:
    """An engine's value as a cell holds it."""
    return CellError(value.code) if isinstance(value, Failure) else float(value)


def same(mine: Value, engine: Value) -> bool:
    """Whether two ways gave the same number, or both none."""
    if isinstance(mine, Failure) or isinstance(engine, Failure):
        return isinstance(mine, Failure) and isinstance(engine, Failure)
    return abs(mine - engine) <= 1e-12 * abs(engine)
