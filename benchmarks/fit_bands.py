"""Bands from errors that cross-validation and left-out sources leave."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from benchmarks.fit_table import Table, publisher

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


FEW = 10
"""With fewer rows left of a profile when a source is left out, its priors predict, not measurements."""


def rows_left(data: Table) -> Any:
    """For each row: how many rows of its profile other publishers have."""
    pairs = Counter((p, publisher(r.page)) for r, p in zip(data.rows, data.chosen, strict=True))
    every = Counter(data.chosen)
    return np.array(
        [every[p] - pairs[p, publisher(r.page)] for r, p in zip(data.rows, data.chosen, strict=True)]
    )


ROUNDS = 5
"""Of shape and widths in turn; then they stand still."""


def bands(data: Table, crossed: Any, sources: Any) -> dict[str, float]:
    """Bands: as wide for a known source as the errors of pairs left out, wider as those of sources left out.

    What the band is made of (metric, experts, maker) is told by both kinds of errors together, each in the width of its
    kind: where strangers differ more, as in time to first token, the band of a known source is the wider as well.
    """
    design = band_design(data)
    prior_only = rows_left(data) < FEW
    keys = [f"{publisher(row.page)}|{row.metric}" for row in data.rows]
    counts = Counter(keys)
    weights = np.array([counts[k] ** -0.5 for k in keys])

    def widths(known: Any) -> tuple[float, float]:
        ratio = np.abs(sources) / (design @ known)
        elsewhere, nobody = (weighted_quantile(ratio[m], weights[m], 0.8) for m in (~prior_only, prior_only))
        return elsewhere, nobody

    known = quantile_fit(design, np.abs(crossed))
    twice = np.concatenate([design, design])
    for _ in range(ROUNDS):
        new, far = widths(known)
        both = np.concatenate([np.abs(crossed), np.abs(sources) / np.where(prior_only, far, new)])
        known = quantile_fit(twice, both)
    new, far = widths(known)
    named = dict(zip(BAND_NAMES, map(float, known), strict=True))
    return {**named, "band_unmeasured": new - 1, "band_nearest": max(0.0, far - new)}
