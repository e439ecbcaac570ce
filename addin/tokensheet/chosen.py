"""The records that a question is about, and the numbers that they give it.

The first of these that states a number counts: the call or the candidate, the proposal's common inputs, the profile, a
record that supplies numbers (a `system`), the record's own fact, the default. How records rank is said here alone:
`speakers` ranks them, `giver` is the answer for one number. Whoever takes a call or a cell puts what it says before these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokensheet.catalog import Entry
from tokensheet.declare import Assumption, Input
from tokensheet.definition import Definition, Field, meaning
from tokensheet.errors import ArgumentError, TokensheetError
from tokensheet.failure import Failure
from tokensheet.graph import Leaf, bounds
from tokensheet.irregular import Missing
from tokensheet.registry import Registry
from tokensheet.schema import KINDS
from tokensheet.schema.profile import Profile


@dataclass(frozen=True)
class Chosen:
    """Records by role reference, the profile, and which record states the number of a node by its own name."""

    entries: Mapping[str, Entry]
    profile: Entry
    stated: Mapping[str, tuple[Entry, float]]
    """Node → the strongest record that states its number, and the number."""

    @property
    def ids(self) -> dict[str, str]:
        """Role reference → id."""
        return {role: e.record.id for role, e in self.entries.items()} | {"profile": self.profile.record.id}


def choose(registry: Registry, roles: Mapping[str, str]) -> Chosen:
    """The records of given ids, and those that are taken by default."""
    entries: dict[str, Entry] = {}
    for name, text in roles.items():
        if name != "profile":
            entries[name] = registry.catalog(registry.roles[name].kind).find(text)
    for role in registry.roles.values():
        if role.default is not None and role.name not in roles and role.name != "profile":
            entries[role.name] = registry.catalog(role.kind).find(role.default)
    profile = registry.catalog("profile").find(roles.get("profile") or str(registry.roles["profile"].default))
    return Chosen(entries, profile, _stated(registry, {**entries, "profile": profile}))


def speakers(registry: Registry, name: str) -> tuple[str, ...]:
    """Roles of the records that may state a number by its own name, strongest first."""
    profile, *supplying = _ranked(registry)
    return (profile, *(r for r in supplying if name in KINDS[registry.roles[r].kind].quantities()))


def _ranked(registry: Registry) -> tuple[str, ...]:
    return ("profile", *(role.name for role in registry.roles.values() if role.supplies))


def _stated(registry: Registry, entries: Mapping[str, Entry]) -> dict[str, tuple[Entry, float]]:
    found: dict[str, tuple[Entry, float]] = {}
    for role in reversed(_ranked(registry)):  # a stronger one takes the place of a weaker
        if role in entries:
            record = entries[role].record
            # A name that only a profile has is kept: whoever asks is told that nothing is called so.
            own = record.quantities().keys() & registry.nodes.keys()
            known = record.values.keys() if isinstance(record, Profile) else own
            stated = ((name, record.number(name)) for name in known)
            found |= {name: (entries[role], value) for name, value in stated if value is not None}
    return found


def giver(registry: Registry, leaf: Leaf, chosen: Chosen) -> tuple[Entry, str] | Missing | None:
    """The record that gives a leaf its number, and the number's name there; None where the default counts."""
    if leaf.name in chosen.stated:
        return chosen.stated[leaf.name][0], leaf.name
    if isinstance(leaf.definition, Field) and leaf.role:
        entry = followed(registry, leaf.role, chosen)
        return entry if isinstance(entry, Missing) else (entry, leaf.definition.field)
    return None


def number_of(registry: Registry, leaf: Leaf, chosen: Chosen) -> float | Missing:
    """The number of a leaf that the call or candidate does not give.

    Raises:
        TokensheetError: a profile or record states a number out of range.
    """
    definition, by = leaf.definition, giver(registry, leaf, chosen)
    if isinstance(by, Missing):
        return by
    if by is None:
        default = definition.default if isinstance(definition, Input | Assumption) else None
        absent = Missing(f"{leaf.name} is not given ({meaning(definition)})", ArgumentError)
        return absent if default is None else float(default)
    entry, name = by
    if leaf.name not in chosen.stated:
        assert isinstance(definition, Field)
        return fact(entry, definition)
    where = f"{entry.record.kind} {entry.record.id}: {name}"
    found = in_range(where, definition, chosen.stated[leaf.name][1])
    if isinstance(found, Failure):
        raise TokensheetError(found.reason)
    return found


def in_range(name: str, definition: Definition, value: float | Failure) -> float | Failure:
    """The value, or why it makes no sense for this node."""
    if isinstance(value, Failure):
        return value
    problem = bounds(definition).problem(value)
    return Failure(f"{name} is {value:g}; it {problem}") if problem else value


def followed(registry: Registry, role: str, chosen: Chosen) -> Entry | Missing:
    """The record of a role reference; `gpu>link` is the link that the gpu's record names."""
    if role in chosen.entries:
        return chosen.entries[role]
    if ">" not in role:
        return Missing(f"{role} is not given ({registry.roles[role].text})", ArgumentError)
    owner, attribute = role.rsplit(">", 1)
    entry = followed(registry, owner, chosen)
    if isinstance(entry, Missing):
        return entry
    if attribute == "id":
        return entry
    named = getattr(entry.record, attribute)
    if named is None:
        return Missing(
            f"{entry.record.kind} {entry.record.id} states no {attribute}; choose one as an option"
        )
    try:
        return registry.catalog(registry.kind_named(attribute)).find(named)
    except TokensheetError as error:
        return Missing(str(error), type(error))


def fact(entry: Entry, field: Field) -> float | Missing:
    """A number of a record, or that it states none."""
    value = entry.record.number(field.field)
    if value is None:
        return Missing(f"{entry.record.kind} {entry.record.id} states no {field.field} ({field.text})")
    return value
