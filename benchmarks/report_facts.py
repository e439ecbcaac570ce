"""What the page about accuracy is made of: rows with their errors of three kinds, profiles, terms; and a table's text."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Callable, Sequence

from benchmarks.ablation import ABLATION
from benchmarks.fit_profiles import RESIDUALS, TABLE
from tokensheet.planning import Planner
from tokensheet.validation import Evaluated, Measurement, evaluate, read
from tokensheet.validation.evaluating import profiles
from tokensheet_inference.engine_profiles import DEFAULT_STACK, STACKS

METRICS = ("tpot_s", "e2e_s", "ttft_s")
COLUMNS = ("in_sample_percent", "crossed_percent", "source_left_out_percent")


class Facts:
    """Everything that the page tells: rows, errors of the three kinds, profiles, terms."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        rows = {r.id: r for r in read(TABLE)}
        with RESIDUALS.open(encoding="utf-8") as file:
            self.errors = [
                (rows[r["id"]], r["profile"], [float(r[c]) for c in COLUMNS]) for r in csv.DictReader(file)
            ]
        self.found: list[Evaluated] = evaluate(planner, list(rows.values()))[0]
        order = [DEFAULT_STACK.id, *(s.id for s in STACKS)]
        known = {p.id: p for p in profiles(planner)}
        self.profiles = [known[i] for i in order]
        with ABLATION.open(encoding="utf-8") as file:
            self.terms = list(csv.DictReader(file))

    def errors_by(self, key: Callable[[Measurement, str], str]) -> dict[tuple[str, str], list[list[float]]]:
        """(key, metric) → errors in percent of its rows."""
        found: dict[tuple[str, str], list[list[float]]] = {}
        for row, profile, errors in self.errors:
            found.setdefault((key(row, profile), row.metric), []).append(errors)
        return dict(sorted(found.items()))


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def middle(errors: Sequence[Sequence[float]], k: int) -> float:
    """Median absolute error of one kind."""
    return statistics.median(abs(e[k]) for e in errors)
