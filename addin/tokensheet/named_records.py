"""Records that a record names by id, such as a device's links: whether each is in the catalogue."""

from __future__ import annotations

from collections.abc import Iterator

from tokensheet.errors import TokensheetError
from tokensheet.registry import Registry
from tokensheet.schema import KINDS
from tokensheet.schema.base import Record


def unknown_names(registry: Registry, record: Record) -> Iterator[str]:
    """A line for each id of a record that finds no record."""
    for field, kind in record.named.items():
        target = getattr(record, field)
        if target:
            try:
                registry.catalog(kind).find(target)
            except TokensheetError as error:
                yield f"{record.kind} {record.id}: {field}: {error}"


def all_unknown_names(registry: Registry) -> list[str]:
    """The same of all records of all plugins, with who offers them; reads all catalogues."""
    return [
        f"plugin {entry.owner}: {line}"
        for kind in KINDS
        for entry in registry.catalog(kind)
        for line in unknown_names(registry, entry.record)
    ]
