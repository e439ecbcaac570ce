"""How low the errors can go: what sources disagree on, what is left when levels are known, and sources left out one by one."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from benchmarks.fit_bands import FEW
from benchmarks.fit_table import publisher
from benchmarks.report_facts import METRICS, Facts, middle, table
from tokensheet.validation import Measurement

LOCAL = 2
"""Rows of one's own from which a factor is taken."""


def _runs(facts: Facts) -> list[list[Measurement]]:
    """Rows of one configuration each."""
    found: dict[tuple[Any, ...], list[Measurement]] = {}
    for row, _, _ in facts.errors:
        key = (row.engine, row.model, row.accelerator, row.gpus, row.tp, row.weights, row.kv, row.batch)
        found.setdefault((*key, row.prompt, row.output, row.depth, row.metric), []).append(row)
    return list(found.values())


def repeats(facts: Facts) -> str:
    """By how much two runs of one configuration differ: same source, version and date; another of them; another publisher."""
    kinds: dict[tuple[str, str], list[float]] = {}
    for rows in _runs(facts):
        for a, b in combinations(rows, 2):
            if a.value == b.value:
                continue
            if publisher(a.page) != publisher(b.page):
                kind = "other publisher"
            elif (a.engine_version, a.date) == (b.engine_version, b.date):
                kind = "same publisher, version and date"
            else:
                kind = "same publisher, other version or date"
            apart = 100 * (math.exp(abs(math.log(a.value / b.value))) - 1)
            for engine in (a.engine, "all"):
                kinds.setdefault((kind, engine), []).append(apart)
    order = ("same publisher, version and date", "same publisher, other version or date", "other publisher")
    rows_ = [
        [kind, engine, f"{len(d)}", f"{statistics.median(d):.1f}", f"{sorted(d)[int(0.8 * len(d))]:.1f}"]
        for kind in order
        for (k, engine), d in sorted(kinds.items())
        if k == kind
    ]
    return table(("two runs of one configuration", "engine", "pairs", "median", "8 of 10 below"), rows_)


def rows_left(facts: Facts) -> dict[tuple[str, str], int]:
    """(profile, publisher) → rows of the profile that other publishers have."""
    every = Counter(p for _, p, _ in facts.errors)
    own = Counter((p, publisher(r.page)) for r, p, _ in facts.errors)
    return {(p, page): every[p] - n for (p, page), n in own.items()}


def left_out(facts: Facts) -> str:
    """Each source left out, with what remains of its profile."""
    left = rows_left(facts)
    found: dict[tuple[str, str, str], list[list[float]]] = {}
    for row, profile, wrong in facts.errors:
        found.setdefault((profile, publisher(row.page), row.metric), []).append(wrong)
    rows = [
        [
            f"`{p}`", page, f"`{metric}`", f"{len(e):,}", f"{left[p, page]:,}",
            f"{middle(e, 2):.1f}", f"{statistics.median(x[2] for x in e):+.1f}", _after_factor(e),
        ]
        for (p, page, metric), e in sorted(found.items())
    ]  # fmt: skip
    titles = (
        "profile",
        "source left out",
        "metric",
        "rows",
        "rows left of the profile",
        "error",
        "bias",
        "after two rows",
    )
    return table(titles, rows)


def classes(facts: Facts) -> str:
    """Unseen sources where others measured the same stack, and where nobody did."""
    left = rows_left(facts)
    rows = []
    for metric in METRICS:
        parts: tuple[list[Sequence[float]], list[Sequence[float]]] = ([], [])
        for row, profile, wrong in facts.errors:
            if row.metric == metric:
                parts[left[profile, publisher(row.page)] < FEW].append(wrong)
        cells = [x for part in parts for x in (f"{len(part):,}", f"{middle(part, 2):.1f}" if part else "–")]
        rows.append([f"`{metric}`", *cells])
    return table(("metric", "rows: stack measured elsewhere", "error", "rows: by nobody else", "error"), rows)


def shape(facts: Facts) -> tuple[dict[str, float], float]:
    """Median error by metric when the level of each combination is known, and that level's share of squared errors of tpot."""
    cells: dict[tuple[str, ...], list[float]] = {}
    for row, profile, wrong in facts.errors:
        cell = (row.metric, profile, row.page, row.model, row.accelerator)
        cells.setdefault(cell, []).append(math.log1p(wrong[1] / 100))
    left: dict[str, list[float]] = {}
    squares = [0.0, 0.0]
    for key, logs in cells.items():
        level = statistics.median(logs)
        left.setdefault(key[0], []).extend(100 * abs(math.expm1(e - level)) for e in logs)
        if key[0] == "tpot_s":
            squares[0] += len(logs) * min(1.0, level**2)
            squares[1] += sum(min(1.0, e**2) for e in logs)
    return {m: statistics.median(e) for m, e in left.items()}, 100 * squares[0] / squares[1]


def _scaled(logs: Sequence[float]) -> list[float]:
    """Absolute errors in percent after a factor from two rows, of the others."""
    known = [len(logs) // 4, 3 * len(logs) // 4]
    level = statistics.mean(logs[i] for i in known)
    return [100 * abs(math.expm1(e - level)) for i, e in enumerate(logs) if i not in known]


def _logs(errors: Sequence[Sequence[float]]) -> list[float]:
    """Logarithms of errors of the source left out."""
    return [math.log1p(max(-0.999, e[2] / 100)) for e in errors]


def _after_factor(errors: Sequence[Sequence[float]]) -> str:
    return f"{statistics.median(_scaled(_logs(errors))):.1f}" if len(errors) >= FEW else "–"


def factor(facts: Facts) -> dict[str, float]:
    """Median error by metric for an unseen source after one factor from two of its rows, scored on the others."""
    cells: dict[tuple[str, str, str], list[list[float]]] = {}
    for row, profile, wrong in facts.errors:
        cells.setdefault((row.metric, profile, row.page), []).append(wrong)
    left: dict[str, list[float]] = {}
    for (metric, _, _), errors in cells.items():
        if len(errors) > LOCAL:
            left.setdefault(metric, []).extend(_scaled(_logs(errors)))
    return {m: statistics.median(e) for m, e in left.items()}


def amd_cache(facts: Facts) -> dict[str, str]:
    """Share of bandwidth at which the cache is read on AMD over that on NVIDIA, of one engine in 2024 and in 2025."""
    shares = {p.id: p.values["kv_bandwidth_efficiency"] for p in facts.profiles}
    return {
        "AMD24": f"{shares['vllm-2024-rocm'] / shares['vllm-2024']:.2f}",
        "AMD25": f"{shares['vllm-2025-rocm'] / shares['vllm-2025']:.2f}",
    }
