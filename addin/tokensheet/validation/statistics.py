"""Errors of many predictions in a few numbers, by engine, metric, source, device and model."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence

from tokensheet.validation.evaluating import Evaluated
from tokensheet.validation.measurements import METRICS

Summary = Mapping[str, float]
WITHIN = 0.25


def summary(found: Sequence[Evaluated]) -> Summary:
    """Number, median and mean absolute error, median error (bias), share within 25 %, share within the band."""
    errors = [e.error for e in found]
    sizes = [abs(e) for e in errors]
    return {
        "n": len(found),
        "mdape": statistics.median(sizes),
        "mape": statistics.fmean(sizes),
        "bias": statistics.median(errors),
        "within25": sum(s <= WITHIN for s in sizes) / len(sizes),
        "cover80": sum(e.covered for e in found) / len(found),
    }


def by_metric(found: Iterable[Evaluated]) -> dict[str, Summary]:
    """A summary of each metric that occurs."""
    answered = [e for e in found if not e.reason]
    parts = {m: [e for e in answered if e.row.metric == m] for m in METRICS}
    return {m: summary(part) for m, part in parts.items() if part}


GROUPS: Mapping[str, Callable[[Evaluated], str]] = {
    "by_engine": lambda e: e.row.engine,
    "by_source": lambda e: e.row.page,
    "by_profile": lambda e: e.profile,
    "by_device": lambda e: e.row.accelerator,
    "by_model": lambda e: e.row.model,
}


def grouped(found: Sequence[Evaluated], key: Callable[[Evaluated], str]) -> dict[str, dict[str, Summary]]:
    """Summaries of each metric for each value of a key."""
    names = sorted({key(e) for e in found})
    parts = {name: by_metric([e for e in found if key(e) == name]) for name in names}
    return {name: part for name, part in parts.items() if part}


def worst(found: Sequence[Evaluated], count: int = 10) -> list[Evaluated]:
    """The rows with the largest factor between prediction and measurement."""
    answered = [e for e in found if not e.reason]
    return sorted(answered, key=lambda e: max(e.value / e.row.value, e.row.value / e.value), reverse=True)[
        :count
    ]
