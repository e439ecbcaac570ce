"""Data-parallel groups (dp): a dense model's groups are copies of it."""

from __future__ import annotations

import pytest

import tokensheet

COPIES = [
    ("llama-3.1-8b", "h100-sxm-80gb", 8, 1),
    ("llama-3.1-8b", "h100-sxm-80gb", 8, 2),
    ("gemma-3-27b", "h200-sxm-141gb", 4, 2),
]


@pytest.mark.parametrize("profile", ["default", "vllm-2025", "ideal"])
@pytest.mark.parametrize(("model", "gpu", "dp", "pp"), COPIES)
@pytest.mark.parametrize("batch", [1, 4, 16])
def test_groups_of_a_dense_model_are_copies(
    profile: str, model: str, gpu: str, dp: int, pp: int, batch: int
) -> None:
    """Each group schedules and samples its own sequences: dp groups at dp times the batch take a copy's time."""
    one = {"model": model, "gpu": gpu, "gpus": pp, "pp": pp, "context": 2000, "profile": profile}
    groups = {**one, "gpus": pp * dp, "dp": dp}
    alone = float(tokensheet.evaluate("decode_latency", **one, batch=batch))
    assert float(tokensheet.evaluate("decode_latency", **groups, batch=dp * batch)) == pytest.approx(
        alone, rel=1e-12
    )
    rate = 1 / alone
    copies = dp * float(tokensheet.evaluate("batch_for_rate", **one, token_rate=rate))
    found = float(tokensheet.evaluate("batch_for_rate", **groups, token_rate=rate))
    assert copies <= found < copies + dp


def test_a_sequence_costs_its_group_a_whole_one() -> None:
    """One sequence on eight groups is served by one of them, at the overhead of one."""
    given = {"step_overhead": 0, "layers_overhead_time": 0, "sequence_overhead": 1e-3, "dp": 8}
    for batch, wanted in ((1, 1e-3), (8, 1e-3), (64, 8e-3)):
        assert tokensheet.evaluate("overhead_time", **given, batch=batch) == pytest.approx(wanted)
