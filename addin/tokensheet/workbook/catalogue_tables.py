"""Catalogue sheets of one workbook: which kinds it has, and with which records and columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tokensheet.catalog import Entry
from tokensheet.declare import Assumption
from tokensheet.definition import called
from tokensheet.errors import TokensheetError
from tokensheet.graph import Graph
from tokensheet.registry import Registry
from tokensheet.schema import KINDS
from tokensheet.schema.profile import Profile
from tokensheet.texts import Phrase
from tokensheet.workbook.layout import CatalogTable
from tokensheet.workbook.said import Said


def catalogue_tables(
    registry: Registry, graph: Graph, roles: Mapping[str, str], said: Said, profiled: Iterable[str] = ()
) -> dict[str, CatalogTable]:
    """Kind → its sheet, of every kind that a role chooses from: all records, and changed ones that candidates name.

    Args:
        registry: the catalogue
        graph: the nodes of the workbook
        roles: reference → role
        said: by the candidates
        profiled: names besides the graph's for which Profiles has a column where a profile may state them
    """
    used = {registry.roles[role].kind for role in roles.values()} | {"profile"}
    names = {node.name for node in graph.nodes.values()} | frozenset(profiled)
    return {kind: _table(registry, kind, said, names) for kind in KINDS if kind in used}


def _table(registry: Registry, kind: str, said: Said, names: set[str]) -> CatalogTable:
    catalog = registry.catalog(kind)
    roles = [role.name for role in registry.roles.values() if role.kind == kind]
    own = {each[role]: catalog.find(each[role]) for each in said.given for role in roles if each.get(role)}
    entries = dict(sorted({**catalog.entries, **own}.items()))
    named = {r.follows[1] for r in registry.roles.values() if r.follows and r.follows[1] != "id"}
    if kind == "profile":
        nodes = registry.nodes
        columns = [
            (name, nodes[name].unit, Phrase(called(nodes[name])))
            for name in _profile_names(registry, entries.values(), names)
        ]
    else:
        columns = [(name, mark.unit, Phrase(mark.text)) for name, mark in KINDS[kind].quantities().items()]
    return CatalogTable(kind, entries, columns, sorted(named & set(KINDS[kind].model_fields)))


def _profile_names(registry: Registry, entries: Iterable[Entry], names: set[str]) -> list[str]:
    stated = {name for e in entries if isinstance(e.record, Profile) for name in e.record.values}
    assumed = {name for name in names if isinstance(registry.nodes.get(name), Assumption)}
    return sorted((stated & names) | assumed)


def profile_value(registry: Registry, name: str, entry: Entry) -> float | None:
    """What a profile's row has for a name: what it states, or else the assumption's default."""
    value, definition = entry.record.number(name), registry.nodes[name]
    if value is not None:
        return value
    return definition.default if isinstance(definition, Assumption) else None


def named_by_records(registry: Registry, tables: Mapping[str, CatalogTable]) -> set[str]:
    """Names whose number a profile, or a record that supplies numbers, may state in these sheets."""
    found = {column[0] for column in tables["profile"].columns}
    for role in registry.roles.values():
        if role.supplies and role.kind in tables:
            found |= KINDS[role.kind].quantities().keys()
    return found


def id_named(registry: Registry, attribute: str, text: str | None) -> str:
    """The id of the record that another names, or the name as it stands where there is none."""
    try:
        return registry.catalog(registry.kind_named(attribute)).key(text) if text else ""
    except TokensheetError:
        return str(text)
