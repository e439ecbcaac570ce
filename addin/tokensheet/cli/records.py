"""Records of the catalogue for the terminal and for programs: every number with its unit, source and state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokensheet import facts
from tokensheet.catalog import Entry
from tokensheet.cli.listing import table
from tokensheet.facts import Fact
from tokensheet.planning import Planner

NAMED = ("_family", "_maker")
"""Ends of the names of numbers that stand for a name in formulas, which know no text."""
MARKS: dict[str, str] = {"confirmed": "", "derived": "~", "unconfirmed": "?"}
"""What stands behind a number in a list, by its state."""

STALE = "!"
LEGEND = {
    MARKS["derived"]: "derived from other numbers",
    MARKS["unconfirmed"]: "unconfirmed",
    STALE: "price older than its stated life",
}

COLUMNS: dict[str, tuple[tuple[str, str, float], ...]] = {
    "accelerator": (
        ("memory_bytes", "GB", 1e9),
        ("usable_memory_bytes", "usable GiB", 2.0**30),
        ("memory_bandwidth", "GB/s", 1e9),
        ("peak_flops_fp16", "fp16 TFLOP/s", 1e12),
        ("peak_flops_bf16", "bf16 TFLOP/s", 1e12),
        ("peak_flops_fp8", "fp8 TFLOP/s", 1e12),
        ("gpu_power", "W", 1),
        ("gpu_price", "USD", 1),
    ),
    "link": (("bandwidth", "GB/s a direction", 1e9), ("latency", "µs", 1e-6)),
    "system": (
        ("system_devices", "devices", 1),
        ("system_power", "kW", 1e3),
        ("system_price", "USD", 1),
    ),
    "model": (
        ("parameters", "1e9 parameters", 1e9),
        ("published_parameters", "1e9 published", 1e9),
        ("active_parameters", "1e9 active", 1e9),
        ("layers", "layers", 1),
        ("max_context", "context", 1),
    ),
    "format": (
        ("attention_bytes_per_element", "bytes attention", 1),
        ("mlp_bytes_per_element", "MLP", 1),
        ("expert_bytes_per_element", "expert", 1),
        ("embedding_bytes_per_element", "embedding", 1),
        ("head_bytes_per_element", "head", 1),
        ("other_bytes_per_element", "other", 1),
    ),
    "profile": (),
    "price": (
        ("usd_per_gpu_hour", "USD/gpu-hour", 1),
        ("usd_purchase", "USD", 1),
        ("usd_per_million_input_tokens", "USD/1e6 input", 1),
        ("usd_per_million_cached_input_tokens", "cached", 1),
        ("usd_per_million_output_tokens", "output", 1),
        ("age_days", "days old", 1),
    ),
}
"""Numbers that a list of a kind shows: field, title with its unit, and what it is divided by."""


def records_found(planner: Planner, kind: str, words: tuple[str, ...]) -> list[Entry]:
    """Records of a kind that all words fit, by id."""
    return [entry for entry in planner.registry.catalog(kind) if facts.matches(entry.record, words)]


def record_table(planner: Planner, kind: str, entries: Sequence[Entry]) -> str:
    """A line for each record: id, its main numbers with marks, name, owner, and what is not confirmed."""
    columns = COLUMNS[kind]
    titles = ["id", *(title for _, title, _ in columns), "name", "offered by", "not confirmed"]
    rows = []
    for entry in entries:
        record = entry.record
        known = {fact.name: fact for fact in facts.facts(record, planner)}
        late = STALE if "stale" in known and known["stale"].value else ""
        cells = [
            _short(float(known[name].value) / scale) + MARKS[known[name].state] if name in known else ""
            for name, _, scale in columns
        ]
        doubtful = [f"{name} {state}" for name, state in record.states.items() if state != "confirmed"]
        name = f"{record.name} {late}".strip()
        rows.append([record.id, *cells, name, str(entry.owner), ", ".join(doubtful)])
    used = {mark for row in rows for cell in row[1:-1] for mark in LEGEND if cell.endswith(mark)}
    legend = "; ".join(f"{mark} {text}" for mark, text in LEGEND.items() if mark in used)
    text = table(titles, rows) if rows else "none"
    return f"{text}\n{legend}" if legend else text


def show_record(entry: Entry, planner: Planner) -> str:
    """A record with every number, its unit, state and source, and what it says in words."""
    record = entry.record
    lines = [f"{record.kind} {record.id}: {record.name}", f"  offered by {entry.owner}"]
    if record.aliases:
        lines.append(f"  also called {', '.join(record.aliases)}")
    lines += [f"  {name}: {text}" for name, text in facts.texts(record).items()]
    if record.notes:
        lines.append(f"  {record.notes}")
    known = facts.facts(record, planner)
    if any(fact.name == "stale" and fact.value for fact in known):
        lines.append("  stale: older than its stated life")
    rows = [
        [f"  {fact.name}", _digits(fact.value), fact.unit, _readable(fact), fact.state, fact.source]
        for fact in known
    ]
    titles = ("  number", "value", "unit", "in short", "state", "source")
    return "\n".join([*lines, table(titles, rows)] if rows else lines)


def as_data(entry: Entry, planner: Planner) -> dict[str, Any]:
    """A record for programs: every number with unit, state and source, and all its texts."""
    record = entry.record
    known = facts.facts(record, planner)
    return {
        "kind": record.kind,
        "id": record.id,
        "name": record.name,
        "aliases": list(record.aliases),
        "offered_by": str(entry.owner),
        "source": record.source,
        "notes": record.notes,
        "stale": next((bool(fact.value) for fact in known if fact.name == "stale"), None),
        "texts": facts.texts(record),
        "numbers": {
            fact.name: {
                "value": fact.value,
                "unit": fact.unit,
                "state": fact.state,
                "source": fact.source,
                "text": fact.text,
            }
            for fact in known
        },
    }


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1e5 else f"{value:,.6g}"


def _digits(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) and abs(value) < 1e18 else repr(value)


def _readable(fact: Fact) -> str:
    """A large number in the unit in which people say it; GB is 1e9 and GiB 2**30."""
    value = fact.value
    if isinstance(value, str) or abs(value) < 1e6 or abs(value) >= 1e30:
        return ""
    match fact.unit:
        case "byte":
            return f"{value / 1e9:,.6g} GB = {value / 2**30:,.6g} GiB"
        case "byte/second":
            return f"{value / 1e9:,.6g} GB/s"
        case "flop/second":
            return f"{value / 1e12:,.6g} TFLOP/s"
        case "1" if fact.name.endswith(NAMED):
            return "stands for a name"
        case "1":
            return f"{value / 1e9:,.4g} billion" if value >= 1e9 else f"{value / 1e6:,.4g} million"
    return ""
