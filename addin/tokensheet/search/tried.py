"""What a search tries of each axis: what somebody names, else what is declared or on record, and what stays out and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any

from tokensheet.errors import ArgumentError, TokensheetError, hint
from tokensheet.failure import Failure
from tokensheet.goals import Axis, Basis
from tokensheet.planning import Planner
from tokensheet.schema.base import Record
from tokensheet.search.found import LeftOut
from tokensheet.search.space import Tried

Lookups = Mapping[str, tuple[str, Mapping[str, float]]]
"""Input → the role that decides, and its number for each record."""


def words(name: str, value: Any) -> list[str]:
    """The words of a text with commas, of one cell or of a range; empty cells say nothing.

    Raises:
        ArgumentError: a cell is an error.
    """
    cells = [value] if isinstance(value, (str, int, float)) or value is None else list(value)
    flat = [v for row in cells for v in (row if isinstance(row, (list, tuple)) else [row])]
    found: list[str] = []
    for cell in flat:
        if isinstance(cell, Failure):
            raise cell.error(name)
        text = f"{cell:.17g}" if isinstance(cell, (int, float)) else str(cell or "")
        found += [w.strip() for w in text.split(",") if w.strip()]
    return found


def stated(planner: Planner, axis: Axis, words: list[str], problems: list[str]) -> tuple[Tried, ...]:
    """What somebody says for an axis, ids as the catalogue has them, else what the axis tries by itself.

    Raises:
        TokensheetError: a record is not in the catalogue.
    """
    role = planner.registry.roles.get(axis.of)
    if role is not None:
        catalog = planner.registry.catalog(role.kind)
        return tuple(dict.fromkeys(catalog.find(w).record.id for w in words)) or axis.values
    found: list[Tried] = []
    for word in words:
        try:
            value = float(word)
        except ValueError:
            problems.append(f"{axis.name} holds {word!r}; give numbers with commas between")
            continue
        failure = planner.out_of_range({axis.of: value})
        problems += [failure.reason] if failure is not None else []
        found.append(value)
    return tuple(dict.fromkeys(found)) or axis.values


def records_of(planner: Planner, basis: Basis) -> dict[str, tuple[Record, ...]]:
    """Record of the role → other records that state the number of a basis for it."""
    found: dict[str, list[Record]] = {}
    for entry in planner.registry.catalog(basis.kind):
        record = entry.record
        value, owner = record.number(basis.fact), getattr(record, basis.by)
        if value and owner and all(getattr(record, k) == v for k, v in basis.where.items()):
            found.setdefault(owner, []).append(record)
    return {owner: tuple(records) for owner, records in found.items()}


def medians(basis: Basis, records: Mapping[str, tuple[Record, ...]]) -> dict[str, float]:
    """Record of the role → median of the numbers that other records state for it."""
    found = {}
    for owner, stating in records.items():
        found[owner] = median([v for r in stating if (v := r.number(basis.fact)) is not None])
    return found


def every(
    planner: Planner,
    axis: Axis,
    bases: Iterable[Basis],
    lookups: Lookups,
    left_out: list[LeftOut],
) -> tuple[Tried, ...]:
    """All records that an axis tries when nobody names any; adds those that it does not, and why."""
    registry = planner.registry
    out: dict[str, list[str]] = {}
    found: list[str] = []
    for entry in registry.catalog(registry.roles[axis.of].kind):
        record = entry.record
        reasons = [text for attribute, text in axis.avoids if getattr(record, attribute)]
        for basis in (b for b in bases if b.role == axis.of):
            if basis.needs and record.number(basis.needs) is None:
                reasons.append(f"states no {basis.needs}")
            if basis.number in lookups and record.id not in lookups[basis.number][1]:
                reasons.append(f"no {basis.kind} on record with {basis.fact}")
        if reasons:
            out.setdefault(reasons[0], []).append(record.id)
        else:
            found.append(record.id)
    left_out += [LeftOut(axis.name, reason, tuple(ids)) for reason, ids in out.items()]
    if not found:
        raise ArgumentError(f"no {axis.name} to try: name them with {axis.name}")
    return tuple(found)


def check(axes: Iterable[Axis], stated: Mapping[str, tuple[Tried, ...]], lookups: Lookups) -> None:
    """Refuses records that somebody names and that have no number on record.

    Raises:
        TokensheetError: says which.
    """
    for name, (role, known) in lookups.items():
        for axis in (a for a in axes if a.of == role):
            missing = [str(v) for v in stated[axis.name] if str(v) not in known]
            if missing:
                raise TokensheetError(
                    f"no {name} on record for {', '.join(missing)}{hint(missing[0], known)}"
                )
