"""The records that a question is about: chosen by id, by default or by another record; and the numbers they give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tokensheet.catalog import Entry
from tokensheet.definition import Field
from tokensheet.errors import ArgumentError
from tokensheet.irregular import Missing
from tokensheet.registry import Registry
from tokensheet.schema.profile import Profile


@dataclass(frozen=True)
class Chosen:
    """Records by role reference, the profile, and records that give the numbers of nodes by their own names."""

    entries: Mapping[str, Entry]
    profile: Entry
    suppliers: Mapping[str, tuple[Entry, float]]
    """Node → the record that gives its number, such as a system its price; and the number."""

    @property
    def values(self) -> Mapping[str, float]:
        """What the profile states."""
        record = self.profile.record
        assert isinstance(record, Profile)
        return record.values

    @cached_property
    def stated(self) -> Mapping[str, float]:
        """Numbers of nodes that the profile states, or else such a record."""
        return {**{name: value for name, (_, value) in self.suppliers.items()}, **self.values}

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
    return Chosen(entries, profile, _suppliers(registry, entries))


def _suppliers(registry: Registry, entries: Mapping[str, Entry]) -> dict[str, tuple[Entry, float]]:
    found: dict[str, tuple[Entry, float]] = {}
    for role, entry in entries.items():
        if registry.roles[role].supplies:
            for name in entry.record.quantities():
                value = entry.record.number(name)
                if name in registry.nodes and value is not None:
                    found[name] = (entry, value)
    return found


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
    return registry.catalog(registry.kind_named(attribute)).find(named)


def stated(entry: Entry, field: Field) -> float | Missing:
    """A number of a record, or that it states none."""
    value = entry.record.number(field.field)
    if value is None:
        return Missing(f"{entry.record.kind} {entry.record.id} states no {field.field} ({field.text})")
    return value
