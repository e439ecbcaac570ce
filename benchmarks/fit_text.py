"""What plugins/tokensheet_inference/fitted.py holds, and its text."""

from __future__ import annotations

import math
import pprint
from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchmarks.fit_bands import FEW
from benchmarks.fit_groups import ARTICLE, ARTICLES_OF, BORROWED, MIDDLE, articles
from benchmarks.fit_table import Table
from tokensheet.schema.family import named_number


def rounded(value: float) -> float:
    """Four digits."""
    return float(f"{value:.4g}")


def fitted_to(data: Table, profile: str) -> str:
    """Sources and number of rows in words."""
    counts = Counter(data.rows[i].page for i in data.of(profile))
    parts = [f"{page} ({n} rows)" for page, n in sorted(counts.items())]
    if profile == ARTICLES_OF:
        parts.append(f"{ARTICLE} (4 rows)")
    return "; ".join(parts)


def extent(data: Table, profile: str) -> dict[str, float]:
    """Smallest and largest device and model of a profile's rows, and the makers of ten rows or more."""
    rows = [data.rows[i] for i in data.of(profile)] + (articles() if profile == ARTICLES_OF else [])
    device = [
        data.planner.registry.record("accelerator", r.accelerator).number("memory_bandwidth") for r in rows
    ]
    model = [data.planner.registry.record("model", r.model).number("parameters") for r in rows]
    counts = Counter(
        str(getattr(data.planner.registry.record("accelerator", r.accelerator), "vendor", "")) for r in rows
    )
    makers = [named_number(m) for m, n in sorted(counts.items(), key=lambda x: (-x[1], x[0])) if n >= FEW]
    first, second = (*makers, 0.0, 0.0)[:2]
    return {
        "first_maker_measured": first,
        "second_maker_measured": second,
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
        values[profile] |= {k: rounded(moved["vllm-2025"][k]) for k in BORROWED.get(profile, ())}
    names = {k for p in MIDDLE for k in moved[p]}
    values["default"] = {
        k: rounded(math.exp(sum(math.log(moved[p][k]) for p in MIDDLE) / len(MIDDLE))) for k in sorted(names)
    }
    fitted["default"] = ()
    extents = {p: extent(data, p) for p in moved}
    extents["default"] = {
        k: (min if k.startswith(("least", "first", "second")) else max)(extents[p][k] for p in MIDDLE)
        for k in extents[MIDDLE[0]]
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
            p: tuple(
                sorted({data.rows[i].page for i in data.of(p)} | ({ARTICLE} if p == ARTICLES_OF else set()))
            )
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
