"""What the reference says of functions: signature, formula, arguments with units, an example with its value, source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokensheet.cell_function import CellFunction
from tokensheet.declare import Assumption, At, Input
from tokensheet.errors import TokensheetError
from tokensheet.failure import Failure
from tokensheet.formula import Formula
from tokensheet.functions import OPTIONS_TEXT, Functions
from tokensheet.interpret import shown
from tokensheet.reference.examples import Example, examples
from tokensheet.reference.parts import Code, Entry, Maths, Part, Said, Section, Table
from tokensheet.registry import Registry
from tokensheet.tree import Named, Node, walk

MOST_ROWS = 6
"""Rows of a spilled answer that are shown."""


def functions_section(functions: Functions) -> Section:
    """All functions in cells by name."""
    found = examples(functions)
    entries = [_entry(functions, f, found.get(name)) for name, f in sorted(functions.table.items())]
    return Section("functions", "Functions", "What can be typed in a cell.", tuple(entries))


def _entry(functions: Functions, function: CellFunction, example: Example | None) -> Entry:
    registry = functions.planner.registry
    formula = registry.functions.get(function.name)
    text = function.text if formula is None else paragraphs(formula.text)
    parts = [Code(f"={function.signature}"), *_arguments(registry, function)]
    if formula is not None:
        parts.append(Said("Unit", formula.unit))
    parts += _example_parts(registry, function, example)
    if formula is not None:
        parts += [*_formula_parts(registry, formula), *_around(registry, formula)]
    return Entry(function.name, text, function.name, tuple(parts))


def paragraphs(text: str) -> str:
    """A docstring in one line."""
    return " ".join(text.split())


def formula_lines(formula: Formula) -> tuple[tuple[str, Node], ...]:
    """Steps and result by name.

    Raises:
        FormulaError: its source cannot be read.
    """
    return (*((s.name, s.tree) for s in formula.body.steps), (formula.name, formula.body.result))


def _formula_parts(registry: Registry, formula: Formula) -> Iterator[Part]:
    try:
        lines = formula_lines(formula)
        yield Maths(lines)
        yield from _reads(registry, formula)
        constants = {n.name: n for _, line in lines for n in walk(line) if isinstance(n, Named)}
        if constants:
            said = (
                f"`{n.name}` = {_with_unit(shown(n.value), n.unit)}, {n.text}" for n in constants.values()
            )
            yield Said("Constants", "; ".join(said))
    except TokensheetError as error:
        yield Said("Formula", str(error))


def _reads(registry: Registry, formula: Formula) -> Iterator[Part]:
    """What the formula's parameters are, with units."""
    said = []
    for name, target in registry.parameters(formula.name, formula).items():
        node = target.node if isinstance(target, At) else target
        unit = registry.nodes[node].unit if node in registry.nodes else "unknown"
        text = f"`{name}`" if name == node else f"`{name}`: `{node}`"
        if isinstance(target, At):
            text += " at " + ", ".join(f"`{k}` = {_replaced(v)}" for k, v in target.under.items())
        said.append(text if unit == "1" else f"{text} ({unit})")
    if said:
        yield Said("Reads", "; ".join(said))


def _replaced(value: str | float) -> str:
    return f"`{value}`" if isinstance(value, str) else shown(float(value))


def _arguments(registry: Registry, function: CellFunction) -> Iterator[Part]:
    """Arguments with units, `options` aside where they are those of every function."""
    rows = []
    for a in function.arguments:
        role, node = registry.roles.get(a.name), registry.nodes.get(a.name)
        unit = f"{role.kind} id" if role else node.unit if node is not None else ""
        text = a.text
        if role:
            text = role.text
        elif isinstance(node, Input | Assumption):
            text = node.text if node.default is None else f"{node.text}; {shown(node.default)} by default"
        if a.text != OPTIONS_TEXT:
            rows.append((f"`{a.name}`" if a.required else f"`[{a.name}]`", unit, text))
    if rows:
        yield Table(("argument", "unit", "what"), tuple(rows))


def _example_parts(registry: Registry, function: CellFunction, example: Example | None) -> Iterator[Part]:
    if example is None:
        without = [a.name for a in function.arguments if a.required and a.name in registry.roles]
        lacking = [name for name in without if registry.roles[name].example is None]
        told = (
            f"give a {registry.roles[lacking[0]].kind} of your own as `{lacking[0]}`" if lacking else "none"
        )
        yield Said("Example", told)
        return
    match example.answer:
        case Failure(reason=reason):
            yield Said("Example", f"`{example.call}` is an error: {reason}")
        case [[_], *_] as rows:
            column = ", ".join(f"`{cell(row[0])}`" for row in rows[:MOST_ROWS])
            more = ", …" if len(rows) > MOST_ROWS else ""
            yield Said("Example", f"`{example.call}` fills a column: {column}{more}")
        case [head, *rows]:
            yield Said("Example", f"`{example.call}` fills rows; the first are")
            yield Table(tuple(map(cell, head)), tuple(tuple(map(cell, row)) for row in rows[:MOST_ROWS]))
        case answer:
            yield Said("Example", f"`{example.call}` is {_with_unit(cell(answer), function.unit)}")


def _with_unit(value: str, unit: str) -> str:
    return value if unit in {"", "1", "flag"} else f"{value} {unit}"


def cell(value: Any) -> str:
    """A cell's value for people."""
    if isinstance(value, Failure):
        return value.code
    return shown(float(value)) if isinstance(value, (int, float)) else str(value)


def _around(registry: Registry, formula: Formula) -> Iterator[Part]:
    """Checks, source and owner of a formula."""
    names = registry.checks(formula.name, formula)
    for label, warn in (("No result unless", False), ("Warns unless", True)):
        said = [f"`{n}`" for n in names if _is_warning(registry.nodes, n) == warn]
        if said:
            yield Said(label, " and ".join(said))
    yield Said("Source", formula.source)
    yield Said("Plugin", plugin_of(registry, formula.name))


def _is_warning(nodes: Mapping[str, Any], name: str) -> bool:
    node = nodes.get(name)
    return isinstance(node, Formula) and node.warning


def plugin_of(registry: Registry, name: str) -> str:
    """Who offers a formula, and in place of whom; versions stand elsewhere."""
    owner = registry.owners[name]
    whose = f"{owner.plugin} ({owner.distribution})" if owner.distribution else owner.plugin
    return f"{whose}, in place of {owner.replaced}" if owner.replaced else whose
