"""Speculative decoding gains less than its acceptance rate promises, and loses at large batches."""

from __future__ import annotations

from pathlib import Path

import pytest
import tokensheet_speculative

from tokensheet import TokensheetError
from tokensheet.planning import Planner
from tokensheet.testing import check_plugin

PLAN = {
    "model": "llama-2-70b",
    "draft_model": "llama-2-7b",
    "gpu": "h100-sxm-80gb",
    "gpus": 8,
    "context": 4096,
    "acceptance_rate": 0.7,
}


def test_the_plugin_is_sound() -> None:
    """Names, units, sources, and every formula in all its readings; what they say is on file."""
    check_plugin(tokensheet_speculative, golden=Path(__file__).with_name("formulas.txt"))


@pytest.mark.parametrize(
    ("rate", "drafted", "tokens"),
    [(0.6, 4, 2.3056), (0.0, 4, 1.0), (1.0, 4, 5.0), (0.5, 1, 1.5), (0.9, 8, (1 - 0.9**9) / 0.1)],
)
def test_tokens_a_step(planner: Planner, rate: float, drafted: int, tokens: float) -> None:
    """(1 - p^(k+1)) / (1 - p); all k + 1 when everything is accepted."""
    found = planner.evaluate("speculative_tokens_per_step", acceptance_rate=rate, draft_tokens=drafted)
    assert found == pytest.approx(tokens, rel=1e-12)


@pytest.mark.parametrize(("verifying", "speedup"), [(1.0, 1.65), (1.5, 1.21)])
def test_speed_up_of_measured_times(planner: Planner, verifying: float, speedup: float) -> None:
    """p = 0.6, k = 4, a draft step of a tenth: 1.65 and not 3.4; 1.21 when verifying costs a step and a half."""
    given = {**PLAN, "acceptance_rate": 0.6, "decode_latency": 1.0, "draft_latency": 0.1}
    found = planner.evaluate("speculative_speedup", **given, verify_latency=verifying)
    assert found == pytest.approx(speedup, abs=0.005)


def test_it_pays_at_batch_one_and_not_at_a_large_batch(planner: Planner) -> None:
    """Verifying k + 1 tokens of each sequence is nearly free alone and is not in a full batch."""
    speedups = [planner.evaluate("speculative_speedup", **PLAN, batch=b) for b in (1, 8, 32, 128)]
    assert speedups == sorted(speedups, reverse=True)
    assert speedups[0] > 1.2
    assert speedups[-1] < 1


def test_verifying_reads_the_cache_once_and_computes_all_tokens(planner: Planner) -> None:
    """Under the profile `ideal` on one device: the larger of reading once and computing k + 1 times."""
    plan = {"model": "llama-2-7b", "gpu": "h100-sxm-80gb", "gpus": 1, "context": 1024, "profile": "ideal"}
    given = {**plan, "draft_model": "llama-2-7b"}

    def node(name: str, **more: float) -> float:
        return float(planner.evaluate(name, **given, **more))

    reading = node("weight_read_time", batch=64) + node("kv_read_time", batch=64)
    computing = node("decode_compute_time", batch=320)
    assert node("verify_latency", batch=64) == pytest.approx(max(reading, computing), rel=1e-12)


def test_the_draft_model_takes_memory(planner: Planner) -> None:
    """Weights and cache of both; a batch that fits alone need not fit with a draft model."""
    draft = planner.evaluate("weight_bytes", model="llama-2-7b") / 8
    both = planner.evaluate("speculative_memory_per_device", **PLAN)
    alone = planner.evaluate("memory_per_device", **{k: v for k, v in PLAN.items() if k not in _DRAFT})
    assert both - alone > draft
    with pytest.raises(
        TokensheetError, match="llama-2-70b with llama-2-7b does not fit on 8 × h100-sxm-80gb"
    ):
        planner.evaluate("speculative_speedup", **PLAN, batch=256)
    assert planner.evaluate("fits", batch=256, **{k: v for k, v in PLAN.items() if k not in _DRAFT}) == 1


@pytest.mark.parametrize("name", ["runtime_bytes", "companion_bytes", "activation_tokens"])
def test_what_one_runtime_sets_aside_counts_once(planner: Planner, name: str) -> None:
    """One process runs both models: 3 GB of its own are 3 GB more, not 6; room for activations is the larger model's."""
    amount = {"activation_tokens": 8192 + 1e9 / 2 / 8192}.get(name, 3e9)
    less = {"activation_tokens": 8192}.get(name, 0)
    found = [planner.evaluate("speculative_memory_per_device", **PLAN, **{name: n}) for n in (less, amount)]
    more = {"activation_tokens": 1e9}.get(name, 3e9)
    assert found[1] - found[0] == pytest.approx(more, rel=1e-9)


_DRAFT = {"draft_model", "acceptance_rate"}
