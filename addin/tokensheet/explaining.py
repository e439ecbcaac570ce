"""An answer explained: each node that it was calculated from, with formula in words, value, unit and source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tokensheet.binding import Bound
from tokensheet.catalog import Entry
from tokensheet.chosen import giver
from tokensheet.declare import Assumption, Owner
from tokensheet.definition import meaning
from tokensheet.failure import Failure, Value
from tokensheet.graph import Inner, Leaf
from tokensheet.interpret import Interpreter
from tokensheet.irregular import Missing
from tokensheet.printing.plain import plain
from tokensheet.registry import Registry


@dataclass(frozen=True, slots=True)
class Line:
    """One row of an explained calculation."""

    key: str
    words: str
    value: Value
    unit: str
    source: str
    owner: str
    text: str = ""


def explained(registry: Registry, bound: Bound, numbers: Mapping[str, float]) -> tuple[list[Line], list[str]]:
    """The calculation of a question's first output, in its order; and the warnings that apply to it."""
    walk = bound.interpreter(numbers)
    walk.value(bound.graph.outputs[0])
    lines: list[Line] = []
    for node in bound.graph.nodes.values():
        if node.key not in walk.values:
            continue
        if isinstance(node, Leaf):
            lines.append(_given(registry, node, bound, numbers, walk.values[node.key]))
        else:
            lines += _calculated(registry, node, walk)
    return lines, walk.warnings()


def _calculated(registry: Registry, node: Inner, walk: Interpreter) -> Iterator[Line]:
    """The steps of a formula that were needed, then its result."""
    words = {p: w if isinstance(w, str) else f"{w:g}" for p, w in node.wires.items()}
    whose = registry.owners.get(node.name, Owner("tokensheet"))
    for step in node.formula.body.steps:
        value = walk.steps.get(node.key, {}).get(step.name)
        if value is not None:
            words[step.name] = f"{node.key}.{step.name}"
            text = plain(step.tree, lambda n: words.get(n, n))
            yield Line(words[step.name], text, value, "", "", str(whose))
    text = plain(node.formula.body.result, lambda n: words.get(n, n))
    owner = f"{whose}, replaces {whose.replaced}" if whose.replaced else str(whose)
    formula = node.formula
    yield Line(node.key, text, walk.values[node.key], formula.unit, formula.source, owner, formula.summary)


def _given(registry: Registry, leaf: Leaf, bound: Bound, numbers: Mapping[str, float], value: Value) -> Line:
    """A number that was given: by the call, a profile, a record, or its default."""
    definition, by = leaf.definition, giver(registry, leaf, bound.chosen)
    text = meaning(definition)
    owner = str(registry.owners.get(leaf.name, ""))
    if leaf.name in bound.code.numbers and leaf.name in numbers:
        words, source = "given", "the call"
    elif isinstance(by, Missing):
        words, source = leaf.role, ""
    elif by is not None:
        words, source, owner = _of_record(*by)
    else:
        words = "default" if not isinstance(value, Failure) else "missing"
        source = definition.source if isinstance(definition, Assumption) else ""
    return Line(leaf.key, words, value, definition.unit, source, owner, text)


def _of_record(entry: Entry, field: str) -> tuple[str, str, str]:
    """Which record a number is of, its source, and whose the record is."""
    record, state = entry.record, entry.record.state_of(field)
    words = f"{record.kind} {record.id}" + ("" if state == "confirmed" else f" ({state})")
    return words, record.source_of(field), str(entry.owner)
