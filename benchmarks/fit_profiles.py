"""Fits the built-in profiles of engines: `python -m benchmarks.fit_profiles [TABLE.csv]`, the same numbers every time.

Writes plugins/tokensheet_inference/fitted.py. Cross-validation (folds of model × device) and leaving out one source
at a time set the bands; their errors are kept in benchmarks/data/residuals.csv for docs/accuracy.md.
"""

from __future__ import annotations

import csv
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.fit_bands import bands
from benchmarks.fit_groups import GROUPS
from benchmarks.fit_table import Fitter, Table, fit_all, folds, left_out, publisher, table
from benchmarks.fit_text import built, source
from tokensheet.planning import Planner
from tokensheet.settings import Settings

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "benchmarks" / "data" / "measured.csv"
RESIDUALS = ROOT / "benchmarks" / "data" / "residuals.csv"
FITTED = ROOT / "plugins" / "tokensheet_inference" / "fitted.py"


@dataclass
class Result:
    """A fit of everything: values, and errors as logarithms in-sample, cross-validated, and without the source."""

    data: Table
    moved: dict[str, dict[str, float]]
    inside: Any
    crossed: Any
    sources: Any


def run(path: Path, planner: Planner) -> Result:
    """Fits all groups to a table."""
    data = table(path, planner)
    labels = folds(data)
    pages = np.array([publisher(r.page) for r in data.rows])
    fitters = [Fitter(data, group) for group in GROUPS]
    moved = fit_all(fitters)
    inside = np.full(data.size, np.nan)
    for fitter in fitters:
        fitter.errors(moved, inside)
    return Result(data, moved, inside, left_out(fitters, labels), left_out(fitters, pages))


def write_residuals(result: Result) -> None:
    """One line a row: errors of the three kinds, in percent."""
    with RESIDUALS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "profile", "in_sample_percent", "crossed_percent", "source_left_out_percent"])
        for i, row in enumerate(result.data.rows):
            errors = (result.inside[i], result.crossed[i], result.sources[i])
            writer.writerow([row.id, result.data.chosen[i], *(f"{100 * math.expm1(e):.2f}" for e in errors)])


def main() -> None:
    """Fits, and writes the profiles' values and the errors of all rows."""
    start = time.perf_counter()
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else TABLE
    result = run(path, Planner(settings=Settings()))
    band = bands(result.data, result.crossed, result.sources)
    FITTED.write_text(source(built(result.data, result.moved, band)), encoding="utf-8")
    write_residuals(result)
    metric = np.array([r.metric for r in result.data.rows])
    for name in ("tpot_s", "e2e_s", "ttft_s"):
        rows = metric == name
        shown = (
            f"{100 * np.median(np.abs(np.expm1(errors[rows]))):.1f} %"
            for errors in (result.inside, result.crossed, result.sources)
        )
        print(
            f"{name}: {int(rows.sum())} rows, in-sample, cross-validated, source left out: {', '.join(shown)}"
        )
    print(f"bands: {', '.join(f'{k} {v:.4f}' for k, v in band.items())}")
    print(f"{time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
