"""Rows of single formulas, with their steps and checks, as any sheet of calculation has them."""

from __future__ import annotations

from collections.abc import Sequence

from tokensheet.checking import step_units
from tokensheet.declare import Assumption, At, Input, Range
from tokensheet.graph import Inner
from tokensheet.printing.excel import excel, number_text
from tokensheet.printing.plain import plain
from tokensheet.texts import Phrase, Text, capital, expression_text, say, source_text
from tokensheet.tree import Named, Node
from tokensheet.units import Unit
from tokensheet.workbook import row_keys
from tokensheet.workbook.calculation import NO_FACT, Calculation, cell_value
from tokensheet.workbook.constants import literal_name
from tokensheet.workbook.labels import node_label, spaced
from tokensheet.workbook.layout import INPUTS, Cell


class FormulaRows:
    """Adds rows to a calculation; what a row reads of a column stands in the same column of its sheet."""

    def __init__(self, calculation: Calculation) -> None:
        self.calculation, self.registry, self.graph = calculation, calculation.registry, calculation.graph
        self.add, self.at, self.heading = calculation.add, calculation.at, calculation.heading

    def in_range(self, name: str, key: str, definition: Input | Assumption, values: Sequence[Cell]) -> None:
        """The row of a number in use: the one of another row, if it is in range."""
        final = [NO_FACT if isinstance(v, str) or definition.range.problem(v) else v for v in values]
        source = source_text(definition.source) if isinstance(definition, Assumption) else ""
        self.add(
            name,
            capital(Phrase(definition.text)),
            definition.unit,
            say("the number stated, if it is in range"),
            source,
            lambda i: f"IF({range_test(self.at(i, key), definition.range)},{self.at(i, key)},NA())",
            final,
        )

    def pinned(
        self, key: str, name: str, label: Text, unit: str, source: Text, final: Sequence[Cell]
    ) -> None:
        """The row that takes the number stated for a node, else the one calculated or looked up."""
        pin, own = row_keys.stated(name), row_keys.unless_stated(key)
        self.add(
            key,
            label,
            unit,
            say("the number stated, else the row above"),
            source,
            lambda i: f'IF({self.at(i, pin)}="",{self.at(i, own)},{self.at(i, pin)})',
            final,
        )

    def formula(self, node: Inner) -> None:
        """The rows of a formula: its steps, its result, and the number stated for it, if any may be."""
        calculation, body, formula = self.calculation, node.formula.body, node.formula
        label = node_label(node, self.registry.nodes)
        words = {p: w if isinstance(w, str) else number_text(w) for p, w in node.wires.items()}
        units, source = self.units(node), source_text(formula.source)
        for step in body.steps:
            values = [cell_value(w.all_steps(node.key)[step.name]) for w in calculation.walks]
            text = expression_text(plain(step.tree, lambda n: words.get(n, n)))
            place, unit = row_keys.step(node.key, step.name), str(units[step.name])

            def own_step(i: int, tree: Node = step.tree) -> str:
                return self.excel(i, node, tree)

            name = say("{label}: {step}", label=label, step=spaced(step.name))
            self.add(place, name, unit, text, "", own_step, values)
        text = expression_text(plain(body.result, lambda n: words.get(n, n)))
        stated = row_keys.stated(node.name) in calculation.row_of
        own = row_keys.unless_stated(node.key) if stated else node.key
        values = [
            cell_value(w.calculated(node.key) if stated else w.value(node.key)) for w in calculation.walks
        ]
        self.add(own, label, formula.unit, text, source, lambda i: self.checked(i, node), values)
        if stated:
            final = [cell_value(w.value(node.key)) for w in calculation.walks]
            self.pinned(node.key, node.name, label, formula.unit, source, final)

    def units(self, node: Inner) -> dict[str, Unit]:
        """Unit of each step, from those of the nodes that the formula names."""
        if not node.formula.body.steps:
            return {}
        named = self.registry.parameters(node.name, node.formula)
        known = {p: self.registry.unit(t.node if isinstance(t, At) else t) for p, t in named.items()}
        return step_units(node.formula.body, known)

    def excel(self, i: int, node: Inner, tree: Node) -> str:
        """A tree of a node as the formula of a candidate's column."""
        steps = {s.name for s in node.formula.body.steps}

        def address(name: str) -> str:
            wire = row_keys.step(node.key, name) if name in steps else node.wires[name]
            if isinstance(wire, str):
                return self.at(i, wire)
            return self.number(wire, literal_name(node, name))

        return excel(tree, address, self.constant)

    def number(self, value: float, name: str) -> str:
        """A number in a formula: a plain one as it is, any other by the cell of its constant."""
        row = self.calculation.constant_row.get((name, float(value)))
        return number_text(value) if row is None else f"{INPUTS}!$C${row}"

    def constant(self, named: Named) -> str:
        """Cell of a named constant."""
        return f"{INPUTS}!$C${self.calculation.constant_row[named.name, float(named.value)]}"

    def checked(self, i: int, node: Inner) -> str:
        """A node's result, unless one of its checks says no."""
        result = self.excel(i, node, node.formula.body.result)
        tests = [f"{self.at(i, c)}=1" for c in self.graph.conditions(node)]
        if not tests:
            return result
        return f"IF({all_of(tests)},{result},NA())"


def range_test(cell: str, bounds: Range) -> str:
    """Whether a cell holds a number in range; a text is above all numbers there, so ISNUMBER decides."""
    tests = [f"ISNUMBER({cell})"]
    tests += [f"{cell}{sign}{number_text(bound)}" for sign, bound in bounds.ends]
    if bounds.whole:
        tests.append(f"{cell}=INT(N({cell}))")
    return all_of(tests)


def all_of(tests: Sequence[str]) -> str:
    """One test of several."""
    return tests[0] if len(tests) == 1 else f"AND({','.join(tests)})"
