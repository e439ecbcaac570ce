"""What the prices of the plans found rest on: given, stated by the device, or the median of so many dated records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from tokensheet.expanding import expand
from tokensheet.goals import Basis
from tokensheet.planning import Planner
from tokensheet.schema.base import Record
from tokensheet.search.found import Found, measured, results_of


@dataclass(frozen=True)
class Price:
    """One number by which the plans of a record, such as a device, are priced.

    Args:
        record: id of what is priced
        number: input or fact that holds the price
        value: the price; None where the record states none
        unit: of the price
        basis: word of the option, such as `reserved`; empty where somebody gives the price
        records: records behind it; 0 where somebody gives it
        first: earliest day of those records
        last: latest day
        undated: how many of them have no day
        words: the same for people
        warning: why the price is weak; empty where nothing is known against it
    """

    record: str
    number: str
    value: float | None
    unit: str
    basis: str
    records: int
    first: date | None
    last: date | None
    undated: int
    words: str
    warning: str

    @property
    def line(self) -> str:
        """Words and warning."""
        return f"{self.words}; warning: {self.warning}" if self.warning else self.words


def prices(planner: Planner, found: Found) -> tuple[Price, ...]:
    """The price of each record that a plan found uses, in the order of the plans."""
    return tuple(dict.fromkeys(_prices(planner, found)))


def _prices(planner: Planner, found: Found) -> Iterator[Price]:
    asked = found.asked
    for basis in asked.bases:
        plans = (*found.best, *found.front)
        ids = dict.fromkeys(plan.given.get(basis.role) or asked.given.get(basis.role) for plan in plans)
        if basis.number or basis.needs:
            yield from (_price(planner, found, basis, str(id)) for id in ids if id)


def _price(planner: Planner, found: Found, basis: Basis, id: str) -> Price:
    """The price of one record: what somebody gives goes before what is on record."""
    number = basis.number or basis.needs
    unit = planner.registry.definition(number).unit
    others = (b.number for b in found.asked.kit.bases[basis.option].values())
    for name in (number, *filter(None, others)):
        if name in found.asked.given:
            value = float(found.asked.given[name])
            own = planner.registry.definition(name).unit
            words = f"{name} {value:,.10g} {own}, as given"
            return Price(id, name, value, own, "", 0, None, None, 0, words, "")
    if not basis.number:
        return _stated(planner, found, basis, id, unit)
    records = found.asked.records[number][id]
    value = found.asked.lookups[number][1][id]
    days = [d for r in records if (d := getattr(r, "as_of", None)) is not None]
    first, last, undated = min(days, default=None), max(days, default=None), len(records) - len(days)
    count = f"median of {len(records)} {basis.name} records" if len(records) > 1 else f"1 {basis.name} record"
    words = f"{number} {measured(planner, number, value)}, {count}, {_dated(days, undated)}"
    warning = f"a single record decides: {_origin(records[0])}" if len(records) == 1 else ""
    return Price(id, number, value, unit, basis.name, len(records), first, last, undated, words, warning)


def _stated(planner: Planner, found: Found, basis: Basis, id: str, unit: str) -> Price:
    """A price that the record itself states, where something reads it."""
    if not _is_read(planner, found, basis.needs):
        words = f"{basis.needs} is not read; something that is given stands in its place"
        return Price(id, basis.needs, None, unit, basis.name, 0, None, None, 0, words, "")
    record = planner.registry.catalog(planner.registry.roles[basis.role].kind).find(id).record
    value = record.number(basis.needs)
    if value is None:
        return Price(
            id, basis.needs, None, unit, basis.name, 0, None, None, 0, f"states no {basis.needs}", ""
        )
    words = f"{basis.needs} {value:,.10g} {unit}, {basis.name}, as its record states"
    state = record.state_of(basis.needs)
    warning = f"{state}: {record.source_of(basis.needs)}" if state == "unconfirmed" else ""
    return Price(id, basis.needs, value, unit, basis.name, 1, None, None, 1, words, warning)


def _is_read(planner: Planner, found: Found, fact: str) -> bool:
    """Whether the results that are told of a plan are calculated from a fact."""
    given, registry = found.asked.given, planner.registry
    graph = expand(registry, results_of(found), [n for n in given if n in registry.nodes])
    return any(leaf.name == fact for leaf in graph.leaves)


def _dated(days: Iterable[date], undated: int) -> str:
    """`of 2025-01-01`, `2025-01-01 to 2026-03-02, 3 undated`, `undated`."""
    known = sorted(set(days))
    if not known:
        return "undated"
    span = f"of {known[0]}" if len(known) == 1 else f"of {known[0]} to {known[-1]}"
    return f"{span}, {undated} undated" if undated else span


def _origin(record: Record) -> str:
    """Where a record comes from, in a few words."""
    provider = getattr(record, "provider", "")
    return f"{record.id} ({provider})" if provider else record.id
