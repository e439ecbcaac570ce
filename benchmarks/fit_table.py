"""The measured rows with the profile of each; which are left out together, and the fit of one group."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.fit_groups import ARTICLES_OF, ARTICLES_WEIGHT, SINGLE, Group, articles
from tokensheet.planning import Planner
from tokensheet.validation.choosing import choose
from tokensheet.validation.evaluating import Question, profiles, question
from tokensheet.validation.fitting import Data, fit, values_of
from tokensheet.validation.measurements import Measurement, read
from tokensheet.validation.prepared import Prepared

FOLDS = 8
CROWDED = 0.6
"""A row of a combination (profile, source, model, device, metric) with n rows weighs n to the minus this."""


@dataclass
class Table:
    """The measured rows with the profile of each, ready to be evaluated."""

    planner: Planner
    rows: list[Measurement]
    chosen: list[str]
    questions: list[Question]
    experts: Any

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.rows)

    def of(self, profile: str, keep: Any = None) -> list[int]:
        """Places of a profile's rows, or of those that are kept."""
        return [i for i, p in enumerate(self.chosen) if p == profile and (keep is None or keep[i])]


def table(path: Path, planner: Planner) -> Table:
    """The rows of a file that a built-in profile answers; those of merely the nearest profile are left out."""
    known = profiles(planner)
    rows, chosen, questions, experts = [], [], [], []
    for row in read(path):
        vendor = str(getattr(planner.registry.record("accelerator", row.accelerator), "vendor", ""))
        choice = choose(known, row.engine, row.engine_version, row.date, vendor, row.metric)
        if choice is None or choice.nearest:
            continue
        rows.append(row)
        chosen.append(choice.profile.id)
        questions.append(question(planner, row, choice.profile, False))
        experts.append(float(planner.registry.record("model", row.model).number("experts") or 0) > 0)
    return Table(planner, rows, chosen, questions, np.array(experts))


def row_weights(rows: Sequence[Measurement], chosen: Sequence[str]) -> Any:
    """Weight of each row: many rows of one combination count less each."""
    keys = [(p, r.page, r.model, r.accelerator, r.metric) for r, p in zip(rows, chosen, strict=True)]
    counts = Counter(keys)
    return np.array([counts[k] ** -CROWDED for k in keys])


def folds(data: Table, seed: int = 0) -> Any:
    """Fold of each row: combinations of model and device stay together."""
    cells = [
        f"{r.model}|{r.tp:g}|{r.batch:g}" if p in SINGLE else f"{r.model}|{r.accelerator}"
        for r, p in zip(data.rows, data.chosen, strict=True)
    ]
    unique = sorted(set(cells))
    order = np.random.RandomState(seed).permutation(len(unique))
    place = {c: int(order[i]) % FOLDS for i, c in enumerate(unique)}
    return np.array([place[c] for c in cells])


def publisher(page: str) -> str:
    """aiconfigurator's sample re-publishes InferenceX: one source."""
    return {"aiconfigurator silicon_sample": "InferenceX"}.get(page, page)


class Fitter:
    """One group with its rows prepared once; fits leave rows out by weight 0."""

    def __init__(self, data: Table, group: Group) -> None:
        self.data, self.group = data, group
        weights = row_weights(data.rows, data.chosen)
        self.places = {p: np.array(data.of(p), dtype=int) for p in group.profiles}
        self.points: dict[str, tuple[Prepared, Any, Any]] = {}
        for profile, places in self.places.items():
            rows = [data.rows[i] for i in places]
            questions = [data.questions[i] for i in places]
            own = weights[places] if len(places) else np.zeros(0)
            if profile == ARTICLES_OF:
                record = next(p for p in profiles(data.planner) if p.id == profile)
                rows = [*rows, *articles()]
                questions = [*questions, *(_article_question(data.planner, r, record) for r in articles())]
                own = np.concatenate([own, np.full(4, ARTICLES_WEIGHT)])
            if rows:
                logs = np.array([math.log(r.value) for r in rows])
                self.points[profile] = (Prepared(data.planner, questions), logs, own)

    def fit(self, before: Mapping[str, Mapping[str, float]], keep: Any = None) -> dict[str, dict[str, float]]:
        """Values of each profile of the group, fitted to the rows that are kept.

        Args:
            before: what was found for profiles of the groups before
            keep: which of all rows; all when None
        """
        some: dict[str, Data] = {}
        for profile, (prepared, logs, weights) in self.points.items():
            kept = np.ones(len(logs))
            if keep is not None:
                kept[: len(self.places[profile])] = keep[self.places[profile]]
            some[profile] = Data(prepared, logs, weights * kept)
        numbers, at = fit(self.group.about(before), some, self.group.profiles, self.group.fixed)
        return {p: values_of(numbers, at, p) for p in self.group.profiles}

    def errors(self, values: Mapping[str, Mapping[str, float]], out: Any, mask: Any = None) -> None:
        """Writes the logarithm of prediction over measurement of the group's rows (or some) to `out`."""
        for profile, (prepared, logs, _) in self.points.items():
            places = self.places[profile]
            found = np.log(prepared.seconds({**self.group.fixed, **values[profile]})) - logs
            for k, i in enumerate(places):
                if mask is None or mask[i]:
                    out[i] = found[k]

    def has(self, mask: Any) -> bool:
        """Whether any of the rows is the group's."""
        return any(bool(mask[places].any()) for places in self.places.values())


def fit_all(fitters: Sequence[Fitter], keep: Any = None) -> dict[str, dict[str, float]]:
    """Values of all profiles, group after group, fitted to the rows that are kept."""
    found: dict[str, dict[str, float]] = {}
    for fitter in fitters:
        found |= fitter.fit(found, keep)
    return found


def left_out(fitters: Sequence[Fitter], labels: Any) -> Any:
    """Error of each row when all rows of its label are left out of the fit; nan for rows of no group."""
    out = np.full(fitters[0].data.size, np.nan)
    for label in sorted(set(labels)):
        mask = labels == label
        if any(f.has(mask) for f in fitters):
            values = fit_all(fitters, ~mask)
            for fitter in fitters:
                fitter.errors(values, out, mask)
    return out


def _article_question(planner: Planner, row: Measurement, profile: Any) -> Question:
    asked = question(planner, row, profile, False)
    if row.metric == "tpot_s":
        given = {k: v for k, v in asked.given.items() if k not in ("prompt", "output", "cached_prefix")}
        return Question("step_time", "decode_band", {**given, "context": row.prompt})
    return asked
