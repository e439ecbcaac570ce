"""What the reference says of records: kinds with every field, hooks that offer them, and profiles with their values."""

from __future__ import annotations

import ast
import datetime as dt
import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from tokensheet import hookspecs, schema
from tokensheet.definition import Field
from tokensheet.interpret import shown
from tokensheet.plugins import HOOKS
from tokensheet.reference.functions import paragraphs
from tokensheet.reference.parts import Code, Entry, Part, Row, Said, Section, Table
from tokensheet.reference.parts import List as Listed
from tokensheet.registry import Registry
from tokensheet.schema.base import Record
from tokensheet.schema.profile import Profile

COMMON = ("id", "name", "aliases", "source", "sources", "states", "notes")
"""Fields of every kind of record, told once."""
HEAD = ("field", "unit", "what", "given", "in formulas")


def kind_lists(registry: Registry) -> Iterator[Listed]:
    """A list for the fields that all kinds have, and one for each kind."""
    yield Listed(
        "kind-record", "Every record", "Fields of all kinds.", HEAD, _rows(registry, Record, "record", COMMON)
    )
    for kind, model in schema.KINDS.items():
        names = [n for n in dict.fromkeys((*model.model_fields, *model.quantities())) if n not in COMMON]
        text = f"{paragraphs(inspect.getdoc(model) or '')} Offered through `{schema.HOOKS[kind]}`."
        rows = _rows(registry, model, kind, names)
        yield Listed(f"kind-{kind}", f"{model.__name__} ({kind})", text, HEAD, rows)


def _rows(registry: Registry, model: type[Record], kind: str, names: Iterable[str]) -> tuple[Row, ...]:
    read, docs = _read(registry, kind), _docs(model)
    units: Mapping[str, str] = getattr(model, "plain_numbers", {})
    rows = []
    for name in names:
        mark, field = model.quantities().get(name), model.model_fields.get(name)
        given = "follows from others"
        if field is not None:
            given = (
                f"{_type(field.annotation)}, {'must be given' if field.is_required() else 'may be left out'}"
            )
        text = _text(mark.text if mark else "", paragraphs(docs.get(name, "")))
        unit = mark.unit if mark else units.get(name, "")
        seen = read.get(name, [])
        cells = (unit, text, given, ", ".join(f"`{n}`" for n in seen))
        rows.append(Row(name, cells, f"{kind}.{name}", tuple(seen)))
    return tuple(rows)


def _text(short: str, long: str) -> str:
    """What a field is: the words of its quantity, and those below it in the source where they say more."""
    if long.rstrip(".").lower() == short.rstrip(".").lower():
        return short
    return ". ".join(filter(None, (short, long)))


def _read(registry: Registry, kind: str) -> dict[str, list[str]]:
    """Field → the names under which formulas read it."""
    found: dict[str, list[str]] = {}
    for name, node in registry.nodes.items():
        if isinstance(node, Field) and registry.roles[node.role].kind == kind:
            found.setdefault(node.field, []).append(name)
    return found


def _docs(model: type[Record]) -> dict[str, str]:
    """Field → the text that stands below it in the source, of the class and those that it builds on."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, Record):
            body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
            assert isinstance(body, ast.ClassDef)
            for field, below in zip(body.body, body.body[1:], strict=False):
                match field, below:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(text))),
                    ):
                        found[name] = text
    return found


def _type(annotation: Any) -> str:
    """What a field takes, in words."""
    plain = {str: "text", bool: "yes or no", int: "number", float: "number", dt.date: "date"}
    if annotation in plain:
        return plain[annotation]
    parts = [a for a in get_args(annotation) if a is not NoneType]
    origin = get_origin(annotation)
    if origin in {Union, UnionType}:
        return " or ".join(dict.fromkeys(map(_type, parts)))
    if origin is Literal:
        return "one of " + ", ".join(f"`{a}`" if a else "nothing" for a in parts)
    if origin is tuple:
        return f"list: {_type(parts[0])}"
    if origin is not None and len(parts) == 2:
        return f"table: {_type(parts[1])}"
    return _type(parts[0]) if parts else f"`{getattr(annotation, '__name__', annotation)}`"


def hooks_section() -> Section:
    """Each hook with its signature."""
    entries = []
    for name in HOOKS:
        function = getattr(hookspecs, name)
        signature = f"{name}{inspect.signature(function)}".replace("'", "")
        entries.append(Entry(name, paragraphs(inspect.getdoc(function) or ""), name, (Code(signature),)))
    return Section("hooks", "Hooks", "What a plugin can offer: each hook returns a list.", tuple(entries))


def profiles_section(registry: Registry) -> Section:
    """Each profile with what it was fitted to and every value that it states."""
    entries = []
    for entry in registry.catalog(Profile.kind):
        record = entry.record
        assert isinstance(record, Profile)
        parts = [*_said(record), Said("Plugin", entry.owner.plugin), _values(registry, record)]
        entries.append(Entry(record.id, record.name or record.id, f"profile-{record.id}", tuple(parts)))
    text = "Named sets of assumptions. What a profile does not state has its default."
    return Section("profiles", "Profiles", text, tuple(entries))


def _said(record: Profile) -> Iterator[Part]:
    period = f"{record.since or '…'} to {record.until or 'now'}" if record.since or record.until else ""
    releases = " and ".join(
        [f"from {record.since_version}"] * bool(record.since_version)
        + [f"below {record.below_version}"] * bool(record.below_version)
    )
    told = {
        "Fitted to": record.fitted_to,
        "Engines": ", ".join(record.engines),
        "Stands for": ", ".join(record.stands_for),
        "Vendors": ", ".join(record.vendors),
        "Metrics": ", ".join(record.metrics),
        "Releases": ", ".join(filter(None, (period, releases))),
        "Measured": ", ".join(record.measured),
        "Source": record.source,
        "Notes": record.notes,
    }
    yield from (Said(label, text) for label, text in told.items() if text)


def _values(registry: Registry, record: Profile) -> Table:
    rows = []
    for name, value in record.values.items():
        unit = registry.nodes[name].unit if name in registry.nodes else ""
        rows.append((f"`{name}`", shown(value), unit, "fitted" if name in record.fitted else "set"))
    return Table(("name", "value", "unit", "how"), tuple(rows))
