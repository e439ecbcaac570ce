"""A person's own measurements: how far they are from a profile, and a profile moved towards them, with its band.

One or two rows give a single factor, `time_scale`. With more, the assumptions that matter move as well, each held
near the profile's value by a prior, so that ten rows cannot turn a bandwidth upside down.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokensheet.errors import RecordError
from tokensheet.planning import Planner
from tokensheet.schema.profile import Profile
from tokensheet.validation.evaluating import Question, evaluate
from tokensheet.validation.fitting import Data, Free, fit, values_of
from tokensheet.validation.measurements import Measurement
from tokensheet.validation.prepared import Prepared

FEW = 2
"""Rows with which only the factor moves."""
SPREADS: Mapping[str, float] = {
    "time_scale": 0.3,
    "bandwidth_efficiency": 0.1,
    "kv_bandwidth_efficiency": 0.2,
    "compute_efficiency": 0.2,
    "prefill_compute_efficiency": 0.2,
    "link_efficiency": 0.2,
    "message_latency_least": 0.3,
    "layer_overhead": 0.3,
    "step_overhead": 0.4,
    "sequence_overhead": 0.4,
}
"""How far each assumption may move: the spread of its logarithm. Values that a profile has at 0 stay there."""
SHARES = tuple(name for name in SPREADS if name.endswith("_efficiency"))
BANDS = ("band_base", "band_tpot", "band_ttft", "band_experts")
EIGHT_OF_TEN = 1.2816
"""A normal error lies within this many standard deviations in 8 of 10 cases."""
PRIOR_ROWS = 5
"""Rows that the profile's own band counts for."""


@dataclass(frozen=True)
class Calibrated:
    """A profile moved to measurements.

    Args:
        base: the profile it starts from
        values: all its values
        moved: names of those that the measurements moved
        rows: number of measurements
        before: median absolute error with the base
        after: the same with the new values
        measured: sources of the measurements
    """

    base: Profile
    values: Mapping[str, float]
    moved: tuple[str, ...]
    rows: int
    before: float
    after: float
    measured: tuple[str, ...]


def calibrate(planner: Planner, rows: Sequence[Measurement], profile: str = "auto") -> list[Calibrated]:
    """One calibrated profile for each profile that the measurements belong to.

    Args:
        planner: with all records
        rows: the measurements
        profile: id of the profile to start from, or `auto`

    Raises:
        RecordError: a row cannot be evaluated; lists all of them.
    """
    found, asked = evaluate(planner, rows, profile)
    failed = [f"{e.row.id}: {e.reason}" for e in found if e.reason]
    if failed:
        raise RecordError("\n".join(["rows that cannot be evaluated; mend them or leave them out", *failed]))
    result = []
    for name in sorted({e.profile for e in found}):
        base = planner.registry.record("profile", name)
        assert isinstance(base, Profile)
        mine = [(e.row, q) for e, q in zip(found, asked, strict=True) if e.profile == name and q is not None]
        result.append(_calibrated(planner, base, [r for r, _ in mine], [q for _, q in mine]))
    return result


def _calibrated(
    planner: Planner, base: Profile, rows: Sequence[Measurement], questions: Sequence[Question]
) -> Calibrated:
    import numpy as np

    prepared = Prepared(planner, questions)
    logs = np.array([math.log(r.value) for r in rows])
    start = np.log(prepared.seconds({})) - logs
    scale = float(base.values.get("time_scale", 1.0))
    if len(rows) <= FEW:
        moved = {"time_scale": scale * math.exp(-float(np.median(start)))}
    else:
        free = [
            Free(name, value, spread, 1.0 if name in SHARES else math.inf)
            for name, spread in SPREADS.items()
            if (value := float(base.values.get(name, scale if name == "time_scale" else 0.0))) > 0
        ]
        numbers, at = fit(free, {base.id: Data(prepared, logs, np.ones(len(rows)))}, [base.id], {})
        moved = values_of(numbers, at, base.id)
    moved = {k: float(f"{v:.5g}") for k, v in moved.items()}
    end = np.log(prepared.seconds(moved)) - logs
    sources = tuple(sorted({r.page for r in rows}))
    return Calibrated(
        base,
        {**base.values, **moved, **_band(planner, base, rows, end, len(moved))},
        tuple(moved),
        len(rows),
        float(np.median(np.abs(np.expm1(start)))),
        float(np.median(np.abs(np.expm1(end)))),
        sources,
    )


def _band(
    planner: Planner, base: Profile, rows: Sequence[Measurement], errors: Any, moved: int
) -> dict[str, float]:
    """The band of a calibrated profile: that of its rows, and the base's counted as a few rows more.

    Each moved value takes away one row's worth of evidence, as far as half of the rows. All parts of the band keep
    their proportions. The machine is now the measured one: `measured` is 1, so that nobody has to give it.
    """
    states = {n: float(base.values.get(n, 0.0)) for n in BANDS}
    if not states["band_base"]:
        return {}
    known = []
    for row in rows:
        experts = (planner.registry.record("model", row.model).number("experts") or 0) > 0
        parts = (
            states["band_base"],
            states["band_tpot"] * (row.metric == "tpot_s"),
            states["band_ttft"] * (row.metric == "ttft_s"),
            states["band_experts"] * experts,
        )
        known.append(sum(parts))
    left = max(len(rows) / 2, len(rows) - moved)
    own = sum((e / k) ** 2 for e, k in zip(errors, known, strict=True)) * len(rows) / left
    prior = PRIOR_ROWS / EIGHT_OF_TEN**2
    factor = EIGHT_OF_TEN * math.sqrt((own + prior) / (len(rows) + PRIOR_ROWS))
    found = {n: float(f"{factor * v:.4g}") for n, v in states.items() if v}
    return {**found, "measured": 1.0}


def as_toml(found: Sequence[Calibrated], source: str, name: str = "") -> str:
    """The profiles as a table that `--catalog` reads.

    Args:
        found: the calibrated profiles
        source: where the measurements stand
        name: id of the profile; several get the name of their base behind it
    """
    parts = []
    for each in found:
        base = each.base
        own = name or f"{base.id}-calibrated"
        id = own if len(found) == 1 or not name else f"{own}-{base.id}"
        texts: dict[str, str] = {
            "id": id,
            "name": f"{base.name or base.id}, calibrated",
            "source": source,
            "fitted_to": f"{each.rows} rows of {source}; starts from {base.id}, which was fitted to {base.fitted_to}",
            "since": base.since,
            "until": base.until,
            "since_version": base.since_version,
            "below_version": base.below_version,
            "served_kv": base.served_kv,
            "calibrated_from": base.id,
        }
        lists = {
            "engines": base.engines,
            "vendors": base.vendors,
            "metrics": base.metrics,
            "measured": each.measured,
            "fitted": each.moved,
        }
        lines = ["[[profiles]]"]
        lines += [f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in texts.items() if v]
        lines += [f"{k} = {json.dumps(list(v), ensure_ascii=False)}" for k, v in lists.items() if v]
        if base.formats:
            pairs = ", ".join(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in base.formats.items())
            lines.append(f"formats = {{ {pairs} }}")
        lines += ["", "[profiles.values]"]
        lines += [f"{k} = {v!r}" for k, v in sorted(each.values.items())]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
