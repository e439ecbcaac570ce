"""MAX_BATCH and FITS say the same of every model: the largest batch fits, one more in each group does not."""

from __future__ import annotations

from typing import Any

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


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, 2),
        ({"companion_bytes": 8e9}, 2),  # 142.1 GB in 2 × 77.9
        ({"companion_bytes": 16e9}, 3),  # in 2 × 69.9 no longer
        ({"runtime_bytes": 16e9}, 3),
        ({"adapters": 48}, 3),
    ],
)
def test_devices_needed_hold_what_each_sets_aside(given: dict[str, float], wanted: float) -> None:
    """As FITS counts it: companions, the runtime's own and adapters are on every device, so more devices are needed."""
    plan = {"model": "llama-3.1-70b", "gpu": "a100-sxm-80gb", "context": 4096, "profile": "ideal"}
    assert tokensheet.evaluate("gpus_needed", **plan, **given) == wanted
    fitting = [n for n in range(1, 9) if tokensheet.evaluate("fits", **plan, **given, gpus=n) == 1]
    assert fitting[0] == wanted


def test_no_number_of_devices_is_enough_for_what_each_sets_aside() -> None:
    told = tokensheet.why(
        "gpus_needed", model="llama-3.1-8b", gpu="rtx-4090", context=0, companion_bytes=30e9
    )
    assert "a device do not hold the 30" in told and "that each sets aside" in told


COPIES = [
    # 61 layers compress 7168 to 512 + 64 for keys and values and to 1536 for queries; each of 8 ranks has all of it
    ("deepseek-v3", {"gpus": 8, "weights": "fp8"}, 61 * 7168 * (576 + 1536) * 7 / 8),
    ("deepseek-v3", {"gpus": 8, "dp": 8, "weights": "fp8"}, 0),
    # 8 KV heads on 16 ranks: two ranks have each; keys and values of 128 in 80 layers 8192 wide
    ("llama-3.1-70b", {"gpus": 16}, 2 * 80 * 8192 * 2 * 1024 * (1 / 8 - 1 / 16)),
    ("llama-3.1-70b", {"gpus": 8}, 0),
    ("llama-3.1-70b", {"gpus": 32, "pp": 2}, 2 * 80 * 8192 * 2 * 1024 * (1 / 8 - 1 / 16)),
    ("mamba-2.8b", {"gpus": 4}, 0),
    ("llama-3.1-8b", {"gpus": 1}, 0),
]


@pytest.mark.parametrize(("model", "given", "copied"), COPIES)
def test_a_rank_holds_copies_of_what_cannot_be_divided(
    model: str, given: dict[str, Any], copied: float
) -> None:
    """Projections to shared KV heads and to latent vectors: beside the shard, on the stage that has the layers."""
    plan = {"model": model, "gpu": "h200-sxm-141gb", "weights": "bf16", **given}
    found = float(tokensheet.evaluate("copied_bytes", **plan))
    assert found == pytest.approx(copied, rel=1e-12)
    without = float(tokensheet.evaluate("weight_bytes_per_device", **plan, copied_bytes=0))
    held = float(tokensheet.evaluate("weight_bytes_per_device", **plan))
    assert held - without == pytest.approx(copied / given.get("pp", 1), rel=1e-6, abs=1)
