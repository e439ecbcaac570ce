"""What each term is worth: set it to neutral, fit everything else again, cross-validate: `python -m benchmarks.ablation`.

Writes benchmarks/data/ablation.csv for docs/accuracy.md; takes some minutes.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.fit_groups import GROUPS, Group
from benchmarks.fit_profiles import ROOT, TABLE
from benchmarks.fit_table import Fitter, Table, fit_all, folds, table
from tokensheet.planning import Planner
from tokensheet.settings import Settings

ABLATION = ROOT / "benchmarks" / "data" / "ablation.csv"
METRICS = ("tpot_s", "e2e_s", "ttft_s")
NEUTRAL: Mapping[str, float] = {
    "bandwidth_efficiency": 0.8,
    "kv_bandwidth_efficiency": 0.8,
    "expert_bandwidth_efficiency": 1,
    "compute_efficiency": 1,
    "prefill_compute_efficiency": 0.5,
    "expert_compute_cost": 1,
    "expert_imbalance": 1,
    "bandwidth_falloff": 0,
    "compute_falloff": 0,
    "share_cap": 1e9,
    "integer_compute": 0,
    "int4_read_efficiency": 1,
    "int8_read_efficiency": 1,
    "link_efficiency": 1,
    "message_latency_least": 1e-12,
    "latency_growth": 0,
    "kv_reread_exponent": 0,
    "layer_overhead": 0,
    "moe_layer_overhead": 0,
    "fp8_moe_layer_overhead": 0,
    "lowbit_moe_layer_overhead": 0,
    "latent_layer_overhead": 0,
    "recurrent_layer_overhead": 0,
    "step_overhead": 0,
    "sequence_overhead": 0,
    "prefill_overhead": 0,
    "prefill_share": 0,
    "layer_split": 0,
    "layer_split_gain": 0,
    "stage_mode": 1,
    "memory_reserve": 0,
    "runtime_bytes": 0,
}
"""The value with which a term has no effect, or where there is none, a usual one."""


def used(data: Table, group: Group) -> list[str]:
    """Terms that a group's profiles have."""
    records = [data.planner.registry.record("profile", p) for p in group.profiles]
    stated = {n for r in records for n in getattr(r, "values", {})}
    moved = {f.name for f in group.free}
    own = {
        f
        for f in stated
        if any(getattr(r, "values", {}).get(f) not in (None, NEUTRAL.get(f)) for r in records)
    }
    return [n for n in NEUTRAL if n in moved | own | {"latency_growth"}]


Found = Mapping[int, Mapping[str, Mapping[str, float]]]
"""Fold → profile → values when the fold's rows are left out."""


def scores(data: Table, group: Group, labels: Any, found: Found) -> dict[str, tuple[float, float]]:
    """Median absolute error and mean absolute logarithm in cross-validation, in percent, by metric."""
    fitter = Fitter(data, group)
    errors = np.full(data.size, np.nan)
    for label, before in found.items():
        mask = labels == label
        if fitter.has(mask):
            fitter.errors(fitter.fit(before, ~mask), errors, mask)
    metric = np.array([r.metric for r in data.rows])
    result = {}
    for name in METRICS:
        some = errors[(metric == name) & ~np.isnan(errors)]
        if len(some) > 10:
            result[name] = (
                100 * float(np.median(np.abs(np.expm1(some)))),
                100 * float(np.mean(np.abs(some))),
            )
    return result


def without(group: Group, name: str) -> Group:
    """The group with one term set to neutral."""
    free = tuple(f for f in group.free if f.name != name)
    return replace(group, free=free, fixed={**group.fixed, name: NEUTRAL[name]})


def main() -> None:
    """Writes the table."""
    data = table(Path(sys.argv[1]) if len(sys.argv) > 1 else TABLE, Planner(settings=Settings()))
    labels = folds(data)
    fitters = [Fitter(data, group) for group in GROUPS]
    found = {label: fit_all(fitters, labels != label) for label in sorted(set(labels))}
    with ABLATION.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["group", "term", "metric", "median_percent", "mean_log_percent"])
        for group in GROUPS:
            for name in ("", *used(data, group)):
                tried = without(group, name) if name else group
                for metric, (middle, mean) in scores(data, tried, labels, found).items():
                    writer.writerow([group.name, name or "all terms", metric, f"{middle:.1f}", f"{mean:.1f}"])
                file.flush()


if __name__ == "__main__":
    main()
