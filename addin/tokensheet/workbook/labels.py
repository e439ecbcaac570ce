"""What people call formulas, inputs and names of the code, on every sheet alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokensheet.formula import Formula
from tokensheet.graph import Inner
from tokensheet.texts import Phrase, Text, capital, say

LIMITS = {"above": "above {bound}", "at least": "at least {bound}", "at most": "at most {bound}"}


def label_of(definition: Any) -> Text:
    """What people call a node."""
    if isinstance(definition, Formula):
        return Phrase(definition.label)
    return capital(Phrase(str(definition.text)))


def node_label(node: Inner, formulas: Mapping[str, Formula]) -> Text:
    """What people call a formula of the graph; in an expansion, with what that is called."""
    label: Text = _range_label(node) if node.wires.keys() == {"value", "bound"} else label_of(node.formula)
    for part in reversed(node.scope.split(".") if node.scope else []):
        scope = label_of(formulas[part]) if part in formulas else spaced(part)
        label = say("{scope}: {label}", scope=scope, label=label)
    return label


def _range_label(node: Inner) -> Phrase:
    """The label of a check that the graph itself makes: a number taken from another result is in range."""
    name, bound = node.key.partition(".")[0], node.wires["bound"]
    word = node.formula.name.removeprefix(f"{name}_").replace("_", " ")
    limit = say(LIMITS[word], bound=bound)
    return say("{name} taken from {target} is {limit}", name=name, target=node.wires["value"], limit=limit)


def spaced(name: str) -> Phrase:
    """A name of the code in words."""
    return Phrase(name.replace("_", " "))
