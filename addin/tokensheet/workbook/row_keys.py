"""Keys by which rows of a calculation are found again, where a row is more than its node's own.

A row of a formula, a fact, an input or an assumption has the node's key; no key made here is the name of a node.
Where no symbol is given, a reader sees the key in the column of names.
"""

from __future__ import annotations

COLUMN, VARIED, DIRECTION = "variant's column", "variant's input", "variant's direction"
NEAREST_CHOICE, CHOICE = "nearest choice", "place of choice"
LEAST, MOST, NUMBER_NOW, NUMBER_CHANGED = "least allowed", "most allowed", "number now", "number changed"
"""What a variant changes: its place in the one-way table, the input, where that stands, by how much and how far."""


def id_of(reference: str) -> str:
    """The id of a chosen record."""
    return f"id of {reference}"


def place_of(reference: str) -> str:
    """The place of that id in its catalogue sheet."""
    return f"place of {reference}"


def supplied(name: str, role: str) -> str:
    """What a chosen record of a role supplies for a node."""
    return f"{name} of {role}"


def first_by(who: str, name: str) -> str:
    """A number as somebody states it, or else as weaker ones do."""
    return f"{who} {name}"


def stated(name: str) -> str:
    """The number stated for a fact or a result; empty where there is none."""
    return f"stated {name}"


def unless_stated(key: str) -> str:
    """A fact or result as it is looked up or calculated, where a number may be stated for it."""
    return f"{key} unless stated"


def step(key: str, name: str) -> str:
    """A named step of a formula."""
    return f"{key}.{name}"


def largest(name: str) -> str:
    """The largest number of an input that has a limit."""
    return f"largest {name}"


def in_use(name: str) -> str:
    """The number of such an input: stated or the largest."""
    return f"{name} in use"


def listed(name: str) -> str:
    """A number of a list, for the input that the list is of."""
    return f"listed {name}"


def own(name: str) -> str:
    """What the candidate of a variant says itself."""
    return f"own {name}"


def of_variant(name: str) -> str:
    """What a variant says: its change, or the candidate's own."""
    return f"variant's {name}"


def place_in(axis: str) -> str:
    """The place of a variant in the list of an axis."""
    return f"{axis} place"
