"""MAX_BATCH and FITS say the same of every model: the largest batch fits, one more in each group does not."""

from __future__ import annotations

import pytest

import tokensheet
from tokensheet.planning import shared

MODELS = sorted(
    entry.record.id
    for entry in shared().registry.catalog("model").entries.values()
    if entry.record.number("full_kv_elements") is not None
)
"""All but those whose cache is not stated."""

# a device, few and many of them, a format: what each model is tried on
PLACES = [
    ("h100-sxm-80gb", 1, 1, "fp8"),
    ("h200-sxm-141gb", 8, 1, "bf16"),
    ("h200-sxm-141gb", 16, 2, "bf16"),
    ("rtx-4090", 1, 1, "int4"),
]


@pytest.mark.parametrize("context", [1000, 8192])
@pytest.mark.parametrize(("gpu", "gpus", "dp", "weights"), PLACES)
def test_the_largest_batch_is_the_last_that_fits(
    gpu: str, gpus: int, dp: int, weights: str, context: int
) -> None:
    plan = {
        "gpu": gpu,
        "gpus": gpus,
        "dp": dp,
        "weights": weights,
        "context": context,
        "uneven_sharding": 1,
    }
    seen = 0
    for model in MODELS:
        given = {**plan, "model": model}
        largest = float(tokensheet.evaluate("max_batch", **given))
        if largest > 0:
            seen += 1
            assert tokensheet.evaluate("fits", **given, batch=largest) == 1, (model, largest)
        assert tokensheet.evaluate("fits", **given, batch=largest + dp) == 0, (model, largest)
    assert seen > len(MODELS) / 4
