"""Tables for the terminal: plugins and records. Plain text, so that other programs can read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tokensheet import schema
from tokensheet.formula import Formula
from tokensheet.planning import Planner
from tokensheet.registry import Entry


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their widest cell; nothing is cut."""
    widths = [max(len(str(r[i])) for r in [titles, *rows]) for i in range(len(titles))]
    lines = [
        "  ".join(str(c).ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()
        for row in [titles, *rows]
    ]
    return "\n".join(lines)


def plugin_rows(planner: Planner) -> list[list[str]]:
    """Name, distribution, version, state and offers of each plugin."""
    registry = planner.registry
    offers: dict[str, Counter[str]] = {}
    for name, owner in registry.owners.items():
        if isinstance(registry.nodes.get(name), Formula):
            offers.setdefault(owner.plugin, Counter())["formula"] += 1
    for kind in schema.KINDS:
        for entry in registry.catalog(kind):
            offers.setdefault(entry.owner.plugin, Counter())[kind] += 1
    rows = []
    for info in registry.plugins.infos:
        counted = ", ".join(
            f"{n} {k}{'s' if n != 1 else ''}" for k, n in sorted(offers.get(info.name, {}).items())
        )
        what = info.reason.split("\n")[0] if info.state == "failed" else counted
        rows.append([info.name, info.distribution, info.version, info.state, what])
    return rows


def record_rows(planner: Planner, kind: str) -> list[list[str]]:
    """Id, name, owner and the fields whose numbers are not confirmed."""
    word = kind.strip().lower().rstrip("s").replace("gpu", "accelerator")
    if word == "function":
        return [[n, "", "", ""] for n in sorted(planner.registry.functions)]
    rows = []
    for entry in planner.registry.catalog(word):
        doubtful = [
            f"{field} {state}" for field, state in entry.record.states.items() if state != "confirmed"
        ]
        rows.append([entry.record.id, entry.record.name, str(entry.owner), ", ".join(doubtful)])
    return rows


def show_record(entry: Entry) -> str:
    """A record with every number, its unit, state and source."""
    record = entry.record
    lines = [f"{record.kind} {record.id}: {record.name}", f"  offered by {entry.owner}"]
    if record.notes:
        lines.append(f"  {record.notes}")
    rows = []
    for name, mark in record.quantities().items():
        value = record.number(name)
        if value is not None:
            text = str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
            rows.append([f"  {name}", text, mark.unit, record.state_of(name), record.source_of(name)])
    return "\n".join([*lines, table(("  number", "value", "unit", "state", "source"), rows)])
