"""Whether formulas make sense among all others: names that are there, units that agree, no circles."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from tokensheet.checking import check_truths, check_units, name_problem
from tokensheet.declare import At
from tokensheet.errors import FormulaError, hint
from tokensheet.formula import Formula
from tokensheet.units import PLAIN, Unit, parse

if TYPE_CHECKING:
    from tokensheet.registry import Registry


def check_formula(registry: Registry, name: str, formula: Formula) -> None:
    """Everything about one formula that its body alone cannot tell: names, units, docstring and source.

    Raises:
        FormulaError: what is wrong, and what to do.
    """
    body = formula.body
    for word in (*body.parameters, *(s.name for s in body.steps)):
        problem = name_problem(word)
        if problem:
            raise FormulaError(f"{name}: {problem}")
    if not formula.summary:
        raise FormulaError(f"{name}: has no docstring; say in one line what the result is")
    if not formula.source:
        raise FormulaError(f"{name}: has no source; say where the formula stands")
    units: dict[str, Unit] = {}
    whole = True
    for parameter, target in registry.parameters(name, formula).items():
        node = target.node if isinstance(target, At) else target
        if parameter in body.defaults and not isinstance(target, At):
            raise FormulaError(
                f"{name}: parameter {parameter} has a default; declare it on the Input or Assumption"
            )
        _check_name(registry, name, node)
        if isinstance(target, At):
            for key, value in target.under.items():
                _check_name(registry, name, key, roles=True)
                if isinstance(value, str):
                    _check_name(registry, name, value, roles=True)
        whole = whole and node in registry.nodes
        units[parameter] = registry.unit(node) if node in registry.nodes else PLAIN
    for checked in registry.checks(name, formula):
        _check_name(registry, name, checked)
    for step in body.steps:
        check_truths(step.tree, body.place)
    check_truths(body.result, body.place)
    if whole:  # what is broken has no unit to check with
        check_units(body, units, parse(formula.unit))
    for node in re.findall(r"\{([a-z_0-9.]+)(?::[^}]*)?\}", formula.message):
        if node not in units:
            _check_name(registry, name, node, roles=True)


def _check_name(registry: Registry, where: str, node: str, roles: bool = False) -> None:
    """That a name is there."""
    if node in registry.nodes or node in registry.broken or (roles and node in registry.roles):
        return
    lost = [i.line for i in registry.plugins.failed if i.module is None]
    failed = f" ({'; '.join(lost)})" if lost else ""
    known = [n for n in registry.nodes if "." not in n]
    raise FormulaError(f"{where}: nothing is called {node}{hint(node, known)}{failed}")


def circles(registry: Registry, unread: Container[str]) -> Iterator[tuple[str, str]]:
    """A formula of each circle with the way round; what is broken or not read yet is left out."""
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> Iterator[tuple[str, str]]:
        if name in done or name in registry.broken or name in unread:
            return
        if name in path:
            yield name, " → ".join([*path[path.index(name) :], name])
            return
        definition = registry.nodes.get(name)
        if isinstance(definition, Formula):
            for target in registry.parameters(name, definition).values():
                yield from visit(target.node if isinstance(target, At) else target, [*path, name])
            for checked in registry.checks(name, definition):
                yield from visit(checked, [*path, name])
        done.add(name)

    for name in list(registry.nodes):
        yield from visit(name, [])
