"""The part of docs/accuracy.md about speed: what benchmarks/peers.py kept of its last whole run."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.peers import MILLION, RESULTS
from benchmarks.report_facts import table


def kept() -> dict[str, Any]:
    """The last whole run of all peers."""
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def _seconds(value: float) -> str:
    """A time with a fitting unit."""
    for size, unit in ((3600, "h"), (60, "min"), (1, "s"), (1e-3, "ms")):
        if value >= size:
            return f"{value / size:,.1f} {unit}"
    return f"{value * 1e6:,.1f} µs"


def speed() -> str:
    """One line a calculator; those that did not install or run with the reason."""
    found = kept()
    rows = []
    for r in found["results"]:
        if "skipped" in r:
            rows.append([r["name"], "–", "–", "–", "–", "–", "–", f"skipped: {r['skipped']}"])
            continue
        rows.append(
            [
                r["name"], f"{r['imported']:.2f} s", f"{r['ready']:.2f} s", _seconds(r["one"]), f"{r['rate']:,.0f}",
                _seconds(MILLION / r["rate"]), f"{r['peak']:.0f} MB", f"{r['answer']:.1f} ms",
                f"{r['note']} ({r['from']})",
            ]
        )  # fmt: skip
    titles = (
        "", "import", "first answer", "one plan, warm", "plans a second", "1,000,000 plans", "peak memory",
        "decode step", "",
    )  # fmt: skip
    return f"{found['machine']}:\n\n{table(titles, rows)}"


def faster() -> str:
    """Where a peer beats us, in words."""
    ours, *others = [r for r in kept()["results"] if "skipped" not in r]
    parts = []
    for name, key, larger in (
        ("import", "imported", False), ("first answer", "ready", False), ("one plan", "one", False),
        ("a sweep", "rate", True), ("peak memory", "peak", False),
    ):  # fmt: skip
        better = [r["name"] for r in others if (r[key] > ours[key] if larger else r[key] < ours[key])]
        if better:
            parts.append(f"{name}: {', '.join(better)}")
    return "; ".join(parts) if parts else "nowhere in this table"
