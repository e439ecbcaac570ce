"""Records of one kind, found by id, alias or `plugin:id`; two owners of an id are a clash, never a choice by order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from tokensheet.declare import Owner
from tokensheet.errors import ArgumentError, UnknownNameError, hint
from tokensheet.former import Former
from tokensheet.schema.base import Record

CHANGED = "@"
"""Stands between an id and the numbers in which a record is to differ."""
MOST_CHANGED = 2_000
"""Changed records of a kind kept for the next time; then all are forgotten."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record and who offers it."""

    record: Record
    owner: Owner


def squeezed(text: str) -> str:
    """The form in which ids and aliases are compared: without case, spaces, `-` and `_`."""
    return re.sub(r"[\s_-]+", "", text).lower()


def clash(kind: str, text: str, key: str, owners: Sequence[Owner]) -> str:
    """That several plugins offer a record of one id, and how each is had."""
    offered = " and by ".join(map(str, owners))
    return f"{kind} {text} is offered by {offered}; write {' or '.join(f'{o.plugin}:{key}' for o in owners)}"


def pydantic_lines(error: ValidationError) -> list[str]:
    """Each problem of a validation as `field: what`."""
    lines = []
    for e in error.errors(include_url=False):
        where = ".".join(str(p) for p in e["loc"])
        what = e["msg"].removeprefix("Value error, ")
        shown = "" if e["type"] in {"missing", "value_error"} else f" (got {e['input']!r:.80})"
        lines.append(f"{where}: {what}{shown}" if where else f"{what}{shown}")
    return lines


def changes_of(text: str, pairs: str, record: Record) -> dict[str, float]:
    """The changed numbers of `llama-2-70b@kv_heads=2,layers=40`.

    Raises:
        ArgumentError: it cannot be read, gives a number twice, or the record has no such field.
    """
    found: dict[str, float] = {}
    known = [name for name in record.quantities() if name in type(record).model_fields]
    for pair in pairs.split(","):
        name, _, value = (part.strip() for part in pair.partition("="))
        if name not in known:
            raise ArgumentError(
                f"{record.kind} {text}: no field to change is called {name!r}{hint(name, known)}"
            )
        if name in found:
            raise ArgumentError(f"{record.kind} {text}: {name} is given twice; leave one out")
        try:
            found[name] = float(value)
        except ValueError:
            raise ArgumentError(f"{record.kind} {text}: {name} is {value!r}; write a number") from None
    return dict(sorted(found.items()))


class Catalog:
    """Records of one kind by id, alias or `plugin:id`.

    Args:
        kind: of the records
        prefer: id → plugin whose record the plain id means, where several offer it
    """

    def __init__(self, kind: str, prefer: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self.entries: dict[str, Entry] = {}
        self.clashes: dict[str, list[Owner]] = {}
        self.prefer = prefer or {}
        self._index: dict[str, set[str]] = {}
        self._former: dict[str, Former] = {}
        self._changed: dict[str, Entry] = {}

    def add(self, record: Record, owner: Owner) -> None:
        """Adds a record; the same id from two owners is kept as a clash and needs `plugin:id`."""
        key = record.id
        if key in self.clashes or key in self.entries:
            first = self.entries.pop(key, None)
            owners = self.clashes.setdefault(key, [first.owner] if first else [])
            owners.append(owner)
            if first:
                self._keep(f"{first.owner.plugin}:{key}", first)
            self._keep(f"{owner.plugin}:{key}", Entry(record, owner))
            return
        self._keep(key, Entry(record, owner))

    def _keep(self, key: str, entry: Entry) -> None:
        self.entries[key] = entry
        vendor = getattr(entry.record, "vendor", "")
        long = [f"{vendor} {n}" for n in (key, entry.record.name) if vendor and ":" not in key]
        for name in filter(None, (key, entry.record.name, *entry.record.aliases, *long)):
            self._index.setdefault(squeezed(name), set()).add(key)

    def decide(self) -> None:
        """Gives each id to the plugin that is preferred; called when all records are in.

        An id whose preferred plugin does not offer it is a clash, so that no other record takes its place.
        """
        for key, plugin in self.prefer.items():
            entry = self.entries.get(f"{plugin}:{key}")
            if key in self.clashes and entry is not None:
                del self.clashes[key]
                self._keep(key, entry)
            elif key in self.entries and self.entries[key].owner.plugin != plugin:
                other = self.entries.pop(key)
                self.clashes[key] = [other.owner]
                self._keep(f"{other.owner.plugin}:{key}", other)

    def add_former(self, former: Former) -> str | None:
        """Adds a former id; what is wrong with it, or None."""
        alias = former.alias
        if alias.new not in self.entries:
            return f"no {self.kind} named {alias.new}{hint(alias.new, self.entries)}"
        if squeezed(alias.old) in self._index or alias.old in self.clashes:
            return f"{self.kind} {alias.old} is there"
        self._former[squeezed(alias.old)] = former
        return None

    def find(self, text: str) -> Entry:
        """The record of an id or alias, or of one with some numbers changed: `llama-2-70b@kv_heads=2`.

        Raises:
            UnknownNameError: no such record, with the nearest ids; or two owners offer it.
            ArgumentError: a changed number makes no sense.
        """
        entry = self.entries.get(text)
        if entry is not None:
            return entry
        if CHANGED in text:
            return self.changed(text)
        key = squeezed(text)
        if key in self._former:
            return self.entries[self._former[key].new_name()]
        disputed = next((id for id in self.clashes if squeezed(id) == key), None)
        if disputed is not None and disputed in self.prefer:
            raise UnknownNameError(
                f"{self.kind} {text} is to be that of {self.prefer[disputed]}, which does not offer it; the settings "
                f"prefer it to {' and '.join(map(str, self.clashes[disputed]))}"
            )
        if disputed is not None:
            raise UnknownNameError(clash(self.kind, text, disputed, self.clashes[disputed]))
        found = {k for k in self._index.get(key, ()) if k in self.entries}
        found = {k for k in found if squeezed(k) == key} or found
        if len(found) == 1:
            return self.entries[found.pop()]
        if found:
            raise UnknownNameError(
                f"{self.kind} {text!r} may be {' or '.join(sorted(found))}; write one of them"
            )
        raise UnknownNameError(f"no {self.kind} named {text!r}{hint(text, self.entries)}")

    def key(self, text: str) -> str:
        """The id by which a record is kept here."""
        found = self.find(text)
        return next((key for key, each in self.entries.items() if each is found), found.record.id)

    def changed(self, text: str) -> Entry:
        """The record of an id with numbers changed after `@`, kept for the next time."""
        base, _, rest = text.partition(CHANGED)
        entry = self.find(base.strip())
        changes = changes_of(text, rest, entry.record)
        id = self.key(base.strip()) + CHANGED + ",".join(f"{k}={v:.15g}" for k, v in changes.items())
        found = self._changed.get(id)
        if found is None:
            try:
                changed = entry.record.changed(changes)
            except ValidationError as error:
                lines = "; ".join(pydantic_lines(error)).removeprefix(f"{self.kind} {entry.record.id}: ")
                raise ArgumentError(f"{self.kind} {text}: {lines}") from None
            except ValueError as error:
                raise ArgumentError(f"{self.kind} {text}: {error}") from None
            sources = {**entry.record.sources, **dict.fromkeys(changes, f"changed in {id}")}
            record = changed.model_copy(update={"id": id, "sources": sources})
            if len(self._changed) >= MOST_CHANGED:
                self._changed.clear()
            found = self._changed[id] = Entry(record, entry.owner)
        return found

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries[key] for key in sorted(self.entries))
