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


def bands(data: Table, crossed: Any, sources: Any) -> dict[str, float]:
    """Bands: for a known source from the errors of pairs left out, wider ones from sources left out."""
    design = band_design(data)
    known = quantile_fit(design, np.abs(crossed))
    ratio = np.abs(sources) / (design @ known)
    prior_only = rows_left(data) < FEW

    def typical(mask: Any) -> float:
        keys = [f"{publisher(data.rows[i].page)}|{data.rows[i].metric}" for i in np.flatnonzero(mask)]
        counts = Counter(keys)
        return weighted_quantile(ratio[mask], np.array([counts[k] ** -0.5 for k in keys]), 0.8)

    new, far = typical(~prior_only), typical(prior_only)
    named = dict(zip(BAND_NAMES, map(float, known), strict=True))
    return {**named, "band_unmeasured": new - 1, "band_nearest": max(0.0, far - new)}
