"""Writes docs/accuracy.md: method, errors, bands, every term and its worth: `python -m benchmarks.report_accuracy`.

Reads what `fit_profiles` and `ablation` left in benchmarks/data; run those first when formulas or the table change.
"""

from __future__ import annotations

import csv
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import report_floor, report_speed
from benchmarks.ablation import NEUTRAL
from benchmarks.fit_bands import FEW
from benchmarks.fit_groups import GROUPS
from benchmarks.fit_profiles import ROOT
from benchmarks.fit_table import publisher
from benchmarks.report_facts import METRICS, Facts, middle, table
from tokensheet.planning import Planner
from tokensheet.settings import Settings
from tokensheet.validation import Measurement
from tokensheet.validation.statistics import worst

PAGE = ROOT / "docs" / "accuracy.md"
WANTED = {"tpot_s": 11, "e2e_s": 8, "ttft_s": 18}
NCCL = ROOT / "tests" / "data" / "nccl_all_reduce.csv"


def error_cells(errors: Sequence[Sequence[float]]) -> list[str]:
    """n; median of the three kinds; bias and share within 25 % in cross-validation."""
    crossed = [e[1] for e in errors]
    within = sum(abs(e) <= 25 for e in crossed) / len(crossed)
    return [
        f"{len(errors):,}",
        *(f"{middle(errors, k):.1f}" for k in range(3)),
        f"{statistics.median(crossed):+.1f}",
        f"{100 * within:.0f}",
    ]


ERROR_TITLES = ("rows", "in-sample", "unseen pair", "unseen source", "bias", "within 25 %")


def overall(facts: Facts) -> str:
    """The three metrics against what was wanted."""
    groups = facts.errors_by(lambda row, profile: "")
    rows = [[f"`{m}`", *error_cells(groups["", m]), f"{WANTED[m]}"] for m in METRICS]
    return table(("metric", *ERROR_TITLES, "wanted"), rows)


def errors(facts: Facts, title: str, key: Callable[[Measurement, str], str]) -> str:
    """The same by some key."""
    groups = facts.errors_by(key)
    return table(
        (title, "metric", *ERROR_TITLES), [[k, f"`{m}`", *error_cells(e)] for (k, m), e in groups.items()]
    )


KINDS = (
    "known source, in-sample",
    "known source, unseen pair",
    "unseen source, stack measured elsewhere",
    "unseen source, stack measured by nobody else",
    "unseen source, all",
)


def covered(facts: Facts, metric: str) -> list[list[bool]]:
    """Whether each row of a metric lies within its band, for each of `KINDS`."""
    by_id = {p.id: p.values for p in facts.profiles}
    left = report_floor.rows_left(facts)
    inside: list[list[bool]] = [[] for _ in KINDS]
    for row, profile, wrong in facts.errors:
        if row.metric != metric:
            continue
        values = by_id[profile]
        known = _known_band(facts, values, row)
        alone = left[profile, publisher(row.page)] < FEW
        wide = known * (1 + values["band_unmeasured"] + values["band_nearest"] * alone)
        inner, crossed, source = (abs(math.log1p(max(-0.999999, w / 100))) for w in wrong)
        inside[0].append(inner <= known)
        inside[1].append(crossed <= known)
        inside[3 if alone else 2].append(source <= wide)
        inside[4].append(source <= wide)
    return inside


def coverage(facts: Facts) -> str:
    """Share of rows within the band: of known sources, and of unseen ones whose stack others measured, or nobody."""
    rows = []
    for metric in METRICS:
        parts = covered(facts, metric)
        rows.append([f"`{metric}`", *(f"{100 * sum(p) / len(p):.0f} %" if p else "–" for p in parts)])
    return table(("metric", *KINDS), rows)


def _known_band(facts: Facts, values: Mapping[str, float], row: Measurement) -> float:
    experts = (facts.planner.registry.record("model", row.model).number("experts") or 0) > 0
    more = values["band_tpot"] * (row.metric == "tpot_s") + values["band_ttft"] * (row.metric == "ttft_s")
    return values["band_base"] + more + values["band_experts"] * experts


def stacks(facts: Facts) -> str:
    """What each profile was fitted to."""
    rows = []
    for p in facts.profiles:
        period = " to ".join(x for x in (p.since or "…", p.until or "now")) if p.since else "–"
        low, high = p.since_version, p.below_version
        version = f"{low or '…'} to {high}" if high else f"from {low}" if low else "any"
        rows.append([f"`{p.id}`", ", ".join(p.engines) or "others", version, period, p.fitted_to])
    return table(("profile", "engines", "versions", "period", "fitted to"), rows)


def value_names(facts: Facts) -> list[str]:
    """Assumptions in the table of values: all that some profile states but the bands' ranges."""
    names = {n for p in facts.profiles for n in p.values}
    return sorted(n for n in names if not n.endswith("_measured"))


def values(facts: Facts) -> str:
    """Every value of every profile; bold where rows of its group moved it."""
    rows = []
    for name in value_names(facts):
        definition = facts.planner.registry.nodes[name]
        default = getattr(definition, "default", None)
        cells = []
        for p in facts.profiles:
            value = p.values.get(name, default)
            shown = "–" if value is None else f"{value:.4g}"
            cells.append(f"**{shown}**" if name in p.fitted else shown)
        rows.append([f"`{name}`", definition.unit, *cells])
    return table(("assumption", "unit", *(f"`{p.id}`" for p in facts.profiles)), rows)


def terms(facts: Facts) -> str:
    """Meaning and worth of each term."""
    full = {(t["group"], t["metric"]): t for t in facts.terms if t["term"] == "all terms"}
    rows = []
    for name, neutral in NEUTRAL.items():
        effects = []
        for group in GROUPS:
            parts = []
            for t in facts.terms:
                if t["group"] == group.name and t["term"] == name:
                    base = full[group.name, t["metric"]]
                    change = float(t["median_percent"]) - float(base["median_percent"])
                    mean = float(t["mean_log_percent"]) - float(base["mean_log_percent"])
                    parts.append(f"{t['metric'].removesuffix('_s')} {change:+.1f} / {mean:+.1f}")
            if parts:
                effects.append(f"{group.name}: {', '.join(parts)}")
        if not effects:
            continue
        definition = facts.planner.registry.nodes[name]
        shown = {1e9: "no cap", 1e-12: "0"}.get(neutral, f"{neutral:g}")
        rows.append([f"`{name}`", getattr(definition, "text", ""), shown, "; ".join(effects)])
    return table(("assumption", "meaning", "set to", "error grows by"), rows)


def articles(planner: Planner) -> str:
    """The measurements of the first article, through the functions of cells."""
    rows = []
    for gpus, name, measured in (
        (1, "decode_latency", 0.0220), (2, "decode_latency", 0.0135),
        (1, "prefill_latency", 0.06317), (2, "prefill_latency", 0.04545),
    ):  # fmt: skip
        length = {"context": 512} if name == "decode_latency" else {"prompt": 512}
        found = float(
            planner.evaluate(
                name,
                model="classic-13b",
                gpu="a100-sxm-40gb",
                gpus=gpus,
                profile="fastertransformer",
                **length,
            )
        )
        rows.append(
            [
                name.upper(),
                f"{gpus}",
                f"{measured * 1e3:.2f} ms",
                f"{found * 1e3:.2f} ms",
                f"{100 * (found / measured - 1):+.1f} %",
            ]
        )
    return table(("function", "A100", "measured", "reckoned", "error"), rows)


def messages(planner: Planner) -> str:
    """All-reduces by device."""
    with NCCL.open(encoding="utf-8") as file:
        measured = list(csv.DictReader(file))
    found: dict[str, dict[str, list[float]]] = {}
    for row in measured:
        seconds = planner.evaluate(
            "all_reduce_time", gpu=row["accelerator"], gpus=float(row["gpus"]), message_bytes=float(row["bytes"]),
            profile="nccl",
        )  # fmt: skip
        wrong = 100 * abs(float(seconds) / (float(row["microseconds"]) * 1e-6) - 1)
        found.setdefault(row["accelerator"], {}).setdefault(row["bytes"], []).append(wrong)
    sizes = sorted({r["bytes"] for r in measured}, key=float)
    titles = {"512": "512 B", str(2**20): "1 MiB", str(2**29): "512 MiB"}
    rows = []
    for device, by_size in sorted(found.items()):
        every = [e for part in by_size.values() for e in part]
        parts = [f"{statistics.median(by_size[s]):.1f}" for s in sizes]
        rows.append([f"`{device}`", *parts, f"{statistics.median(every):.1f}"])
    every = [e for by_size in found.values() for part in by_size.values() for e in part]
    each = [f"{statistics.median([e for d in found.values() for e in d[s]]):.1f}" for s in sizes]
    rows.append(["all", *each, f"{statistics.median(every):.1f}"])
    return table(("device", *(titles.get(s, s) for s in sizes), "all"), rows)


WHY: Sequence[tuple[Callable[[Measurement], bool], str]] = (
    (lambda r: r.engine == "sglang" and r.accelerator[:2] in ("b2", "b3"), "perhaps memory nearly full"),
    (lambda r: r.engine == "sglang", "perhaps undeclared multi-token prediction, or another build"),
    (lambda r: r.engine == "tensorrt-llm" and "gpt-oss" in r.model, "perhaps kernels of their own for this model"),
    (lambda r: r.engine == "tensorrt-llm", "the same model at another date is up to half as fast again"),
    (lambda r: r.accelerator == "dgx-spark-gb10", "its 16-bit peak is derived, not stated"),
    (lambda r: r.engine == "llama.cpp" and r.metric == "ttft_s", "short prompts wait for launches; matrix kernels differ by device"),
    (lambda r: r.engine == "vllm" and "qwen2-" in r.model, "vLLM 0.4.2 with AWQ and GPTQ kernels of that time, and long contexts"),
    (lambda r: r.metric == "e2e_s", "perhaps room for a few sequences only: the result hangs on the reserve"),
)  # fmt: skip


def worst_rows(facts: Facts) -> str:
    """The rows that are furthest off, and why as far as we know."""
    rows = []
    for e in worst(facts.found, 15):
        r = e.row
        why = next((text for test, text in WHY if test(r)), "not known")
        rows.append(
            [r.id, e.profile, f"{r.model} on {r.gpus:g} × {r.accelerator}, {r.weights}",
             f"batch {r.batch:g}, {r.prompt:g} + {r.output:g}", f"`{r.metric}`", f"{r.value:.4g}", f"{e.value:.4g}", why]
        )  # fmt: skip
    return table(("row", "profile", "what ran", "load", "metric", "measured", "reckoned", "why"), rows)


def cells_off(facts: Facts) -> str:
    """Combinations whose level is missed, in cross-validation."""
    groups: dict[tuple[str, str, str, str, str], list[float]] = {}
    for row, profile, wrong in facts.errors:
        groups.setdefault((profile, row.model, row.accelerator, row.weights, row.metric), []).append(wrong[1])
    ranked = sorted(
        ((statistics.median(map(abs, e)), key, e) for key, e in groups.items() if len(e) >= 6), reverse=True
    )
    return table(
        ("profile", "model", "device", "weights", "metric", "rows", "median error", "bias"),
        [
            [*key[:4], f"`{key[4]}`", f"{len(e)}", f"{size:.0f} %", f"{statistics.median(e):+.0f} %"]
            for size, key, e in ranked[:15]
        ],
    )


def page(facts: Facts) -> str:
    """The whole page."""
    planner = facts.planner
    text = (ROOT / "benchmarks" / "accuracy.in.md").read_text(encoding="utf-8")
    sources = {r.page for r, _, _ in facts.errors}
    shapes, level = report_floor.shape(facts)
    scaled = report_floor.factor(facts)
    parts: Mapping[str, Any] = {
        "REPEATS": report_floor.repeats(facts),
        "LEFT_OUT": report_floor.left_out(facts),
        "CLASSES": report_floor.classes(facts),
        "FEW": f"{FEW}",
        "SPEED": report_speed.speed(),
        "FASTER": report_speed.faster(),
        "SHAPE": ", ".join(f"{shapes[m]:.1f} % (`{m}`)" for m in METRICS),
        "LEVEL": f"{level:.0f}",
        **report_floor.amd_cache(facts),
        "SCALED": ", ".join(f"{scaled[m]:.1f} % (`{m}`)" for m in METRICS),
        "ROWS": f"{len(facts.errors):,}",
        "SOURCES": f"{len(sources)}",
        "OVERALL": overall(facts),
        "BY_ENGINE": errors(facts, "engine", lambda r, p: r.engine),
        "BY_PROFILE": errors(facts, "profile", lambda r, p: f"`{p}`"),
        "BY_SOURCE": errors(facts, "source", lambda r, p: r.page),
        "COVERAGE": coverage(facts),
        "STACKS": stacks(facts),
        "VALUES": values(facts),
        "TERMS": terms(facts),
        "ARTICLES": articles(planner),
        "MESSAGES": messages(planner),
        "WORST": worst_rows(facts),
        "CELLS": cells_off(facts),
    }
    for name, part in parts.items():
        text = text.replace(f"@{name}@", str(part))
    return text


def main(path: Path = PAGE) -> None:
    """Writes the page."""
    path.write_text(page(Facts(Planner(settings=Settings()))), encoding="utf-8", newline="\n")
    print(f"written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()


__all__ = ["Facts", "page", "value_names", "values"]
