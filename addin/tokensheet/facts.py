"""Every number of a catalogue record with unit, state, source and meaning: what lists and TS_SPEC show."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokensheet.catalog import Entry
from tokensheet.definition import meaning
from tokensheet.errors import MissingFactError, UnknownNameError, hint
from tokensheet.failure import Failure
from tokensheet.formula import Formula
from tokensheet.planning import Planner
from tokensheet.schema import KINDS
from tokensheet.schema.base import Record, State
from tokensheet.schema.guards import GuardedRecord
from tokensheet.schema.price import Price
from tokensheet.schema.profile import Profile
from tokensheet.schema.system import System

SYNONYMS: dict[str, tuple[str, ...]] = {
    "price": ("gpu_price", "system_price", "usd_per_gpu_hour", "usd_purchase", "usd_per_kwh"),
    "power": ("gpu_power", "system_power"),
    "tdp": ("gpu_power",),
    "memory": ("memory_bytes",),
    "usable_memory": ("usable_memory_bytes",),
    "bandwidth": ("memory_bandwidth",),
    "flops": ("peak_flops_16bit",),
    "devices": ("system_devices",),
    "params": ("parameters",),
    "active": ("active_parameters",),
    "context": ("max_context",),
    "kv": ("kv_bytes_per_token",),
    "weights": ("weight_bytes",),
    "bytes": ("bytes_per_element",),
    "repo": ("hf_repo",),
    "date": ("as_of",),
}
"""Words that people write for a field → its names, the first that a record states counts."""

NOT_TEXTS = frozenset(["id", "name", "aliases", "source", "sources", "states", "notes", "values", "bill"])
"""Fields that are shown in their own way."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One number or text of a record."""

    name: str
    value: float | str
    unit: str
    state: State
    source: str
    text: str = ""
    plugin: str = ""
    """Who offers the record, with its version."""


def facts(record: Record, planner: Planner, today: dt.date | None = None) -> list[Fact]:
    """All numbers that a record states or that follow from it; a price says whether it is stale."""
    found = [
        Fact(name, value, mark.unit, record.state_of(name), record.source_of(name), mark.text)
        for name, mark in record.quantities().items()
        if (value := record.number(name)) is not None
    ]
    if isinstance(record, GuardedRecord):
        for name, unit in record.plain_numbers.items():
            stated = getattr(record, name)
            if stated is not None:
                found.append(Fact(name, float(stated), unit, record.state_of(name), record.source_of(name)))
    match record:
        case Profile():
            found += _profile(record, planner)
        case System():
            state = record.state_of("system_price")
            bill = ((line.item, line.price, line.source) for line in record.bill)
            found += [Fact(f"bill: {item}", price, "usd", state, source) for item, price, source in bill]
        case Price():
            found += _life(record, today or dt.date.today())
    return found


def _profile(record: Profile, planner: Planner) -> Iterator[Fact]:
    """Values of an assumption set; what was fitted or chosen is not confirmed."""
    for name, value in record.values.items():
        node = planner.registry.nodes.get(name)
        text = "" if node is None else meaning(node)
        unit = node.unit if node is not None else ""
        state = record.states.get("values", "derived")
        yield Fact(name, float(value), unit, state, record.source_of("values"), text)


def _life(record: Price, today: dt.date) -> Iterator[Fact]:
    source = record.source_of("as_of")
    stale = float(record.stale(today))
    yield Fact("stale", stale, "flag", "derived", source, "1 when the price is older than its stated life")
    if record.as_of is not None:
        age = float((today - record.as_of).days)
        yield Fact("age_days", age, "day", "derived", source, "days since the earliest day of its date")


def texts(record: Record) -> dict[str, str]:
    """What a record says in words: vendor, link, provider, region, dates."""
    seen = set(record.quantities()) | set(getattr(record, "plain_numbers", ())) | NOT_TEXTS
    found: dict[str, str] = {}
    for name, field in type(record).model_fields.items():
        value = getattr(record, name)
        said = isinstance(value, (str, int, float, dt.date)) and not isinstance(value, bool)
        if said and name not in seen and value != field.default:
            found[name] = str(value)
    if isinstance(record, Price) and record.valid_until is not None:
        found["valid_until"] = str(record.valid_until)
    traits = getattr(record, "traits", ())
    return found | ({"traits": ", ".join(traits)} if traits else {})


def matches(record: Record, words: tuple[str, ...], today: dt.date | None = None) -> bool:
    """Whether each word is part of what a record is called or says of itself, or is a state it has."""
    said = [record.id, record.name, *record.aliases, *record.states.values(), *texts(record).values()]
    if isinstance(record, Price) and record.stale(today or dt.date.today()):
        said.append("stale")
    text = "\n".join(said).lower()
    return all(word.lower() in text for word in words)


def entries(planner: Planner, text: str) -> list[Entry]:
    """Records of this id or alias, of any kind.

    Raises:
        UnknownNameError: there is none; lists the nearest ids of all kinds.
    """
    found: list[Entry] = []
    problems: list[str] = []
    for kind in KINDS:
        try:
            found.append(planner.registry.catalog(kind).find(text))
        except UnknownNameError as error:
            if " named " not in str(error):
                problems.append(str(error))
    if found:
        return found
    if problems:
        raise UnknownNameError(problems[0])
    ids = [key for kind in KINDS for key in planner.registry.catalog(kind).entries]
    raise UnknownNameError(f"no record named {text!r}{hint(text, ids)}")


def fact(planner: Planner, id: str, field: str) -> Fact | Failure:
    """One fact of the record of an id; a field may be written as people say it: price, memory, kv.

    Raises:
        UnknownNameError: no such record or field, with the nearest ones.
    """
    word = field.strip().lower().replace(" ", "_").replace("-", "_")
    found = entries(planner, id)
    known: set[str] = set()
    absent: Failure | None = None
    for name in (word, *SYNONYMS.get(word, ())):
        for entry in found:
            record, plugin = entry.record, str(entry.owner)
            stated = {f.name: f for f in facts(record, planner)}
            said = texts(record)
            fields = {*record.quantities(), *type(record).model_fields, *stated, *said}
            known |= fields
            if name in stated:
                return replace(stated[name], plugin=plugin)
            if name in said or name in fields:
                value: Any = said.get(name, getattr(record, name, None))
                if value is not None and name not in record.quantities():
                    source = record.source_of(name)
                    return Fact(name, _plain(value), "", record.state_of(name), source, plugin=plugin)
                absent = absent or Failure(_lacks(record, word, stated), MissingFactError)
            elif (formula := _of_record(planner, record.kind, name)) is not None:
                value = planner.one(name, {formula[0]: record.id})
                if isinstance(value, Failure):
                    return value
                summary = formula[1].summary
                return Fact(name, value, formula[1].unit, "derived", formula[1].source, summary, plugin)
    if absent is not None:
        return absent
    raise UnknownNameError(f"{id} has no field {field}{hint(word, known | set(SYNONYMS))}")


def _lacks(record: Record, word: str, stated: Mapping[str, Fact]) -> str:
    said = f"{record.kind} {record.id} states no {word}"
    prices = [name for name in stated if name.startswith("usd_")]
    return f"{said}; it states {', '.join(prices)}" if word in SYNONYMS and prices else said


def _of_record(planner: Planner, kind: str, name: str) -> tuple[str, Formula] | None:
    """The function of cells that asks only for a record of this kind, and the argument's name."""
    formula = planner.registry.functions.get(name.upper())
    if formula is None:
        return None
    wanted = [a for a in formula.cell or () if a not in formula.optional]
    roles = planner.registry.roles
    if len(wanted) == 1 and wanted[0] in roles and roles[wanted[0]].kind == kind:
        return wanted[0], formula
    return None


def _plain(value: Any) -> float | str:
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, (int, float, str)):
        return value
    return ", ".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
