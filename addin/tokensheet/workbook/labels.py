"""What people call formulas, inputs and names of the code, on every sheet alike."""

from __future__ import annotations

from collections.abc import Mapping

from tokensheet.definition import Definition, called
from tokensheet.formula import Formula
from tokensheet.graph import Inner
from tokensheet.texts import Phrase, Text, capital, say

LIMITS = {
    "above": "above {bound}",
    "at least": "at least {bound}",
    "at most": "at most {bound}",
    "whole": "a whole number",
}
"""What a limit says of a number, by its word."""


def label_of(definition: Definition) -> Text:
    """What people call a node."""
    label = Phrase(called(definition))
    return label if isinstance(definition, Formula) else capital(label)


def node_label(node: Inner, nodes: Mapping[str, object]) -> Text:
    """What people call a formula of the graph; in an expansion, with what that is called."""
    label: Text = _range_label(node) or label_of(node.formula)
    for part in reversed(node.scope.split(".") if node.scope else []):
        known = nodes.get(part)
        scope = label_of(known) if isinstance(known, Formula) else spaced(part)
        label = say("{scope}: {label}", scope=scope, label=label)
    return label


def _range_label(node: Inner) -> Phrase | None:
    """The label of a check that the graph itself makes: a number taken from another result is in range."""
    name, _, check = node.key.partition(".")
    word = check.removeprefix(f"{name}_").replace("_", " ")
    if word not in LIMITS or "value" not in node.wires:
        return None
    limit = say(LIMITS[word], **{k: v for k, v in node.wires.items() if k == "bound"})
    return say("{name} taken from {target} is {limit}", name=name, target=node.wires["value"], limit=limit)


def spaced(name: str) -> Phrase:
    """A name of the code in words."""
    return Phrase(name.replace("_", " "))
