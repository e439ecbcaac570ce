"""Numbers that formulas name and nobody chooses: they stand on Inputs below what may be changed."""

from __future__ import annotations

from collections.abc import Iterator

from tokensheet.declare import At, Input
from tokensheet.graph import Graph, Inner
from tokensheet.registry import Registry
from tokensheet.texts import Phrase, say
from tokensheet.tree import Named, walk
from tokensheet.workbook.labels import label_of, node_label, spaced
from tokensheet.workbook.layout import ConstantCell

PLAIN = (0.0, 1.0)
"""Numbers that may stand in a formula: nothing, and one."""


def constants_of(registry: Registry, graph: Graph) -> list[ConstantCell]:
    """Constants of the formulas, numbers that plugins declare, and defaults of inputs, by name."""
    found: dict[tuple[str, float], ConstantCell] = {}
    for node in graph.inner:
        for tree in (*(s.tree for s in node.formula.body.steps), node.formula.body.result):
            for part in walk(tree):
                if isinstance(part, Named):
                    value = float(part.value)
                    cell = ConstantCell(part.name, value, part.unit, Phrase(part.text))
                    found.setdefault((part.name, value), cell)
        for literal in _literals(registry, node):
            found.setdefault((literal.name, literal.value), literal)
    inputs = [d for d in registry.nodes.values() if isinstance(d, Input)]
    taken = {leaf.name for leaf in graph.leaves} | registry.limits.keys()
    for given in inputs:
        if given.name in taken and given.default is not None and given.default not in PLAIN:
            name, label = (
                default_name(given.name),
                say("{label}: where nobody says", label=Phrase(given.text)),
            )
            found[name, given.default] = ConstantCell(name, given.default, given.unit, label)
    return [found[key] for key in sorted(found)]


def _literals(registry: Registry, node: Inner) -> Iterator[ConstantCell]:
    """Numbers that the formula reads because a plugin declares it so, `at("decode_latency", batch=8)`."""
    named = registry.parameters(node.name, node.formula) if node.name in registry.nodes else {}
    for parameter, wire in node.wires.items():
        if not isinstance(wire, str) and wire not in PLAIN:
            target = named.get(parameter, parameter)
            source = target.node if isinstance(target, At) else target
            read = registry.nodes.get(source)
            what = spaced(parameter) if read is None else label_of(read)
            label = say("{label}: {what}", label=node_label(node, registry.nodes), what=what)
            unit = read.unit if read else "1"
            yield ConstantCell(literal_name(node, parameter), float(wire), unit, label)


def default_name(name: str) -> str:
    """Name of the constant that an empty input stands for."""
    return f"default of {name}"


def literal_name(node: Inner, parameter: str) -> str:
    """Name of the constant that a formula reads for a parameter."""
    return f"{node.scope or node.key}.{parameter}"
