"""Fits the built-in profiles of engines: `python -m benchmarks.fit_profiles [TABLE.csv]`, the same numbers every time.

Writes plugins/tokensheet_inference/fitted.py. Cross-validation (folds of model × device) and leaving out one source
at a time set the bands; their errors are kept in benchmarks/data/residuals.csv for docs/accuracy.md.
"""

from __future__ import annotations

import csv
import math
import pprint
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tokensheet.planning import Planner
from tokensheet.settings import Settings
from tokensheet.validation.choosing import choose
from tokensheet.validation.evaluating import Question, profiles, question
from tokensheet.validation.fitting import Data, Free, fit, values_of
from tokensheet.validation.measurements import Measurement, read
from tokensheet.validation.prepared import Prepared

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "benchmarks" / "data" / "measured.csv"
RESIDUALS = ROOT / "benchmarks" / "data" / "residuals.csv"
FITTED = ROOT / "plugins" / "tokensheet_inference" / "fitted.py"
FOLDS = 8
CROWDED = 0.6
"""A row of a combination (profile, source, model, device, metric) with n rows weighs n to the minus this."""


@dataclass(frozen=True)
class Group:
    """Profiles that are fitted together, what may move, and what their rows cannot tell."""

    name: str
    profiles: tuple[str, ...]
    free: tuple[Free, ...]
    fixed: Mapping[str, float] = field(default_factory=dict)
    """Assumptions whose value differs from what the profiles set; for ablations."""


SERVING = Group(
    "serving 2025",
    ("vllm-2025", "tensorrt-llm-2025", "sglang-2025", "vllm-2025-rocm"),
    (
        Free("bandwidth_efficiency", 0.85, 0.15, 1),
        Free("kv_bandwidth_efficiency", 0.6, 0.3, 1, shared=False),
        Free("prefill_compute_efficiency", 0.5, 0.2, 1),
        Free("layer_overhead", 35e-6, 0.6, shared=False),
        Free("latent_layer_overhead", 40e-6, 0.7),
        Free("recurrent_layer_overhead", 50e-6, 0.7),
        Free("fp8_moe_layer_overhead", 10e-6, 1.0),
        Free("lowbit_moe_layer_overhead", 15e-6, 0.8, shared=False),
        Free("sequence_overhead", 20e-6, 0.7, shared=False),
        Free("message_latency_least", 5e-6, 0.5),
        Free("expert_compute_cost", 2.0, 0.4),
    ),
)
EARLIER = Group(
    "cuda 2023 and 2024",
    ("vllm-2024", "vllm-2023", "tensorrt-llm-2024", "fastertransformer"),
    (
        Free("bandwidth_efficiency", 0.85, 0.15, 1),
        Free("kv_bandwidth_efficiency", 0.7, 0.4, 1),
        Free("prefill_compute_efficiency", 0.55, 0.2, 1, shared=False),
        Free("link_efficiency", 0.4, 0.4, 1, shared=False),
        Free("layer_overhead", 20e-6, 0.5, shared=False),
        Free("int4_read_efficiency", 0.7, 0.3, 1),
        Free("int8_read_efficiency", 0.8, 0.3, 1),
        Free("step_overhead", 1.5e-3, 0.8, shared=False),
        Free("sequence_overhead", 30e-6, 0.8, shared=False),
        Free("message_latency_least", 15e-6, 0.6, shared=False),
        Free("split_exponent", 0.92, 0.3, 1.2, shared=False, profiles=("fastertransformer",)),
    ),
)
ROCM = Group(
    "rocm 2024",
    ("vllm-2024-rocm",),
    (
        Free("bandwidth_efficiency", 0.6, 0.3, 1),
        Free("kv_bandwidth_efficiency", 0.3, 0.6, 1),
        Free("compute_efficiency", 0.2, 0.6, 1),
        Free("prefill_compute_efficiency", 0.4, 0.4, 1),
        Free("link_efficiency", 0.4, 0.5, 1),
        Free("step_overhead", 2e-3, 0.8),
        Free("sequence_overhead", 30e-6, 0.8),
        Free("message_latency_least", 20e-6, 0.6),
    ),
)
LOCAL = Group(
    "llama.cpp",
    ("llama.cpp",),
    (
        Free("bandwidth_efficiency", 0.6, 0.3, 1),
        Free("kv_bandwidth_efficiency", 0.4, 0.5, 1),
        Free("compute_efficiency", 0.15, 0.6, 1),
        Free("prefill_compute_efficiency", 0.3, 0.4, 1),
        Free("layer_overhead", 30e-6, 0.7),
        Free("moe_layer_overhead", 30e-6, 0.7),
        Free("bandwidth_falloff", 0.3, 0.7, 1),
        Free("compute_falloff", 0.3, 0.7, 1),
    ),
)
PYTHON = Group(
    "llama-cpp-python",
    ("llama.cpp-python-2024", "llama.cpp-python-2024-rocm"),
    (
        Free("bandwidth_efficiency", 0.5, 0.4, 1, shared=False),
        Free("kv_bandwidth_efficiency", 0.4, 0.5, 1),
        Free("prefill_compute_efficiency", 0.4, 0.4, 1),
        Free("layer_overhead", 30e-6, 0.7),
        Free("step_overhead", 5e-3, 0.8, shared=False),
        Free("expert_bandwidth_efficiency", 0.7, 0.4, 1.3),
        Free("layer_split_gain", 0.2, 0.7, 1, shared=False),
    ),
)
GROUPS = (SERVING, EARLIER, ROCM, LOCAL, PYTHON)
MIDDLE = ("vllm-2025", "tensorrt-llm-2025", "sglang-2025")
"""The default is their geometric middle."""
BORROWED = ("latent_layer_overhead", "recurrent_layer_overhead")
BORROWERS = ("vllm-2023", "vllm-2024", "tensorrt-llm-2024", "vllm-2024-rocm", "fastertransformer")
"""No row of theirs has such layers: taken over from the engines of 2025."""
SINGLE = {"fastertransformer", "vllm-2025-rocm"}
"""Profiles with one or two combinations: folded by devices and batch."""
ARTICLES_WEIGHT = 70.0


def articles() -> list[Measurement]:
    """kipply 2022, benchmark comparison: 13B in FasterTransformer on one and two A100."""
    points = (("tpot_s", 1, 0.0220), ("tpot_s", 2, 0.0135), ("ttft_s", 1, 0.06317), ("ttft_s", 2, 0.04545))
    return [
        Measurement(
            id=f"article-{i}",
            source="kipply 2022",
            engine="fastertransformer",
            engine_version="",
            date="2022-03",
            model="classic-13b",
            accelerator="a100-sxm-40gb",
            gpus=gpus,
            tp=gpus,
            pp=1,
            weights="bf16",
            kv="bf16",
            batch=1,
            prompt=512,
            output=1,
            depth=0,
            metric=metric,
            value=value,
        )
        for i, (metric, gpus, value) in enumerate(points)
    ]


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
            if profile == "fastertransformer":
                record = next(p for p in profiles(data.planner) if p.id == profile)
                rows = [*rows, *articles()]
                questions = [*questions, *(_article_question(data.planner, r, record) for r in articles())]
                own = np.concatenate([own, np.full(4, ARTICLES_WEIGHT)])
            if rows:
                logs = np.array([math.log(r.value) for r in rows])
                self.points[profile] = (Prepared(data.planner, questions), logs, own)

    def fit(self, keep: Any = None) -> dict[str, dict[str, float]]:
        """Values of each profile of the group, fitted to the rows that are kept."""
        some: dict[str, Data] = {}
        for profile, (prepared, logs, weights) in self.points.items():
            kept = np.ones(len(logs))
            if keep is not None:
                kept[: len(self.places[profile])] = keep[self.places[profile]]
            some[profile] = Data(prepared, logs, weights * kept)
        numbers, at = fit(self.group.free, some, self.group.profiles, self.group.fixed)
        return {p: values_of(numbers, at, p) for p in self.group.profiles}

    def errors(self, values: Mapping[str, Mapping[str, float]], out: Any, mask: Any = None) -> None:
        """Writes the logarithm of prediction over measurement of the group's rows (or some) to `out`."""
        for profile, (prepared, logs, _) in self.points.items():
            places = self.places[profile]
            found = np.log(prepared.seconds({**self.group.fixed, **values[profile]})) - logs
            for k, i in enumerate(places):
                if mask is None or mask[i]:
                    out[i] = found[k]

    def left_out(self, labels: Any) -> Any:
        """Error of each row when all rows of its label are left out of the fit."""
        out = np.full(self.data.size, np.nan)
        mine = np.concatenate([*self.places.values(), np.zeros(0, dtype=int)])
        for label in sorted({labels[i] for i in mine}):
            mask = labels == label
            self.errors(self.fit(~mask), out, mask)
        return out


def _article_question(planner: Planner, row: Measurement, profile: Any) -> Question:
    asked = question(planner, row, profile, False)
    if row.metric == "tpot_s":
        given = {k: v for k, v in asked.given.items() if k not in ("prompt", "output", "cached_prefix")}
        return Question("step_time", "decode_band", {**given, "context": row.prompt})
    return asked


BAND_NAMES = ("band_base", "band_tpot", "band_ttft", "band_experts", "rocm")


def band_design(data: Table) -> Any:
    """One row a measurement: what its band is made of."""
    metric = np.array([r.metric for r in data.rows])
    rocm = np.array(["rocm" in p for p in data.chosen])
    columns = [np.ones(data.size), metric == "tpot_s", metric == "ttft_s", data.experts, rocm]
    return np.stack([np.asarray(c, dtype=float) for c in columns], 1)


def quantile_fit(design: Any, sizes: Any, share: float = 0.8) -> Any:
    """Coefficients, none below 0, of a line above which lies 1 - `share` of the sizes: reweighted least squares."""
    found = np.full(design.shape[1], 1e-2)
    for _ in range(300):
        gap = sizes - design @ found
        weights = np.where(gap > 0, share, 1 - share) / np.maximum(np.abs(gap), 1e-4)
        square = (design * weights[:, None]).T @ design
        pull = (design * weights[:, None]).T @ sizes
        for _ in range(200):  # each coefficient in turn, as long as it is not below 0
            for k in range(len(found)):
                rest = pull[k] - square[k] @ found + square[k, k] * found[k]
                found[k] = max(0.0, rest / square[k, k])
    return found


def weighted_quantile(values: Any, weights: Any, share: float) -> float:
    """The value below which lies a share of the weight."""
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(total, share * total[-1])])


def bands(data: Table, inside: Any, crossed: Any, sources: Any) -> dict[str, float]:
    """Bands: of known combinations from in-sample and cross-validated errors, wider ones from unseen sources."""
    design = band_design(data)
    known = quantile_fit(design, (np.abs(inside) + np.abs(crossed)) / 2)
    ratio = np.abs(sources) / (design @ known)
    pages = np.array([r.page for r in data.rows])
    alone = {
        p: len({r.page for r, c in zip(data.rows, data.chosen, strict=True) if c == p}) == 1
        for p in set(data.chosen)
    }
    prior_only = np.array([alone[p] for p in data.chosen])

    def typical(mask: Any) -> float:
        keys = [f"{pages[i]}|{data.rows[i].metric}" for i in np.flatnonzero(mask)]
        counts = Counter(keys)
        return weighted_quantile(ratio[mask], np.array([counts[k] ** -0.5 for k in keys]), 0.8)

    new, far = typical(~prior_only), typical(prior_only)
    named = dict(zip(BAND_NAMES, map(float, known), strict=True))
    return {**named, "band_unmeasured": new - 1, "band_nearest": max(0.0, far - new)}


def rounded(value: float) -> float:
    """Four digits."""
    return float(f"{value:.4g}")


def fitted_to(data: Table, profile: str) -> str:
    """Sources and number of rows in words."""
    counts = Counter(data.rows[i].page for i in data.of(profile))
    parts = [f"{page} ({n} rows)" for page, n in sorted(counts.items())]
    if profile == "fastertransformer":
        parts.append("kipply 2022 (4 rows)")
    return "; ".join(parts)


def extent(data: Table, profile: str) -> dict[str, float]:
    """Smallest and largest device and model of a profile's rows."""
    rows = [data.rows[i] for i in data.of(profile)]
    device = [
        data.planner.registry.record("accelerator", r.accelerator).number("memory_bandwidth") for r in rows
    ]
    model = [data.planner.registry.record("model", r.model).number("parameters") for r in rows]
    return {
        "least_bandwidth_measured": min(d for d in device if d),
        "most_bandwidth_measured": max(d for d in device if d),
        "least_parameters_measured": min(m for m in model if m),
        "most_parameters_measured": max(m for m in model if m),
    }


def built(data: Table, moved: Mapping[str, Mapping[str, float]], band: Mapping[str, float]) -> dict[str, Any]:
    """What fitted.py holds."""
    values: dict[str, dict[str, float]] = {}
    fitted: dict[str, tuple[str, ...]] = {}
    for profile, found in moved.items():
        values[profile] = {k: rounded(v) for k, v in found.items()}
        fitted[profile] = tuple(sorted(found))
        if profile in BORROWERS:
            values[profile] |= {k: rounded(moved["vllm-2025"][k]) for k in BORROWED}
    names = {k for p in MIDDLE for k in moved[p]}
    values["default"] = {
        k: rounded(math.exp(sum(math.log(moved[p][k]) for p in MIDDLE) / len(MIDDLE))) for k in sorted(names)
    }
    fitted["default"] = ()
    extents = {p: extent(data, p) for p in moved}
    extents["default"] = {
        k: (min if k.startswith("least") else max)(extents[p][k] for p in MIDDLE) for k in extents[MIDDLE[0]]
    }
    for profile, found in values.items():
        found |= {k: rounded(v) for k, v in band.items() if k.startswith("band_")}
        if "rocm" in profile:
            found["band_base"] = rounded(band["band_base"] + band["rocm"])
        found |= extents[profile]
    return {
        "VALUES": values,
        "FITTED": fitted,
        "MEASURED": {
            p: tuple(sorted({f"{data.rows[i].model}@{data.rows[i].accelerator}" for i in data.of(p)}))
            for p in values
        },
        "FITTED_TO": {
            p: fitted_to(data, p) if p != "default" else f"geometric middle of {', '.join(MIDDLE)}"
            for p in values
        },
    }


TYPES = {
    "VALUES": "Mapping[str, Mapping[str, float]]",
    "FITTED": "Mapping[str, tuple[str, ...]]",
    "MEASURED": "Mapping[str, tuple[str, ...]]",
    "FITTED_TO": "Mapping[str, str]",
}


def source(found: Mapping[str, Any]) -> str:
    """The text of fitted.py."""
    lines = [
        '"""Values that measurements moved: written by benchmarks/fit_profiles.py, do not edit."""',
        "",
        "# fmt: off",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping",
    ]
    for name, value in found.items():
        text = pprint.pformat(value, width=104, sort_dicts=True, underscore_numbers=False)
        lines += ["", f"{name}: {TYPES[name]} = {text.replace(chr(39), chr(34))}"]
    return "\n".join(lines) + "\n"


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
    pages = np.array([_publisher(r.page) for r in data.rows])
    moved: dict[str, dict[str, float]] = {}
    inside, crossed, sources = (np.full(data.size, np.nan) for _ in range(3))
    for group in GROUPS:
        fitter = Fitter(data, group)
        values = fitter.fit()
        moved |= values
        fitter.errors(values, inside)
        for out, by in ((crossed, labels), (sources, pages)):
            found = fitter.left_out(by)
            mine = ~np.isnan(found)
            out[mine] = found[mine]
    return Result(data, moved, inside, crossed, sources)


def _publisher(page: str) -> str:
    """aiconfigurator's sample re-publishes InferenceX: one source."""
    return {"aiconfigurator silicon_sample": "InferenceX"}.get(page, page)


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
    band = bands(result.data, result.inside, result.crossed, result.sources)
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
