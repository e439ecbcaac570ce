"""Served runs by hand: waves where a batch does not fit, prompts between decode steps."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet

PLAN: dict[str, Any] = {
    "model": "llama-3.1-70b",
    "gpu": "h100-sxm-80gb",
    "gpus": 4,
    "prompt": 1000,
    "output": 500,
    "batch": 16,
    "profile": "vllm-2025",
}


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **{**PLAN, **given}))


def test_a_batch_that_fits_runs_at_once() -> None:
    """One wave: the time of a batch is the request latency."""
    assert ask("waves") == 1
    assert ask("batch_run_time") == pytest.approx(ask("request_latency"), rel=1e-12)


@pytest.mark.parametrize("batch", [500, 5000])
def test_a_batch_that_does_not_fit_runs_in_waves(batch: float) -> None:
    """As many requests as have room at their end are held; the time of one turn counts batch/held times."""
    room = ask("cache_room", context=0)
    held = room / (1500 * 80 * 2 * 8 * 128 * 2 / 4)
    assert held < batch
    assert ask("requests_held", batch=batch) == pytest.approx(held, rel=1e-12)
    turn = ask("prefill_time", batch=held) + ask("steps_time", batch=held)
    assert ask("batch_run_time", batch=batch) == pytest.approx(batch / held * turn, rel=1e-12)


def test_a_model_that_does_not_fit_at_all_is_an_error() -> None:
    """A single request needs its weights."""
    reason = tokensheet.why("batch_run_time", **{**PLAN, "gpus": 1})
    assert reason.startswith(
        "llama-3.1-70b does not fit on 1 × h100-sxm-80gb with a single request of 1000 + 500"
    )
    assert tokensheet.why("served_tpot", **{**PLAN, "gpus": 1}).startswith("llama-3.1-70b does not fit")


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_decode_steps_wait_for_other_prompts(share: float) -> None:
    """A step halfway through the output, and of the 15 others' prefills one in each 500 steps."""
    step = ask("step_time", context=1250)
    wanted = step + share * 15 / 500 * ask("prefill_time", batch=1)
    assert ask("served_tpot", prefill_share=share) == pytest.approx(wanted, rel=1e-12)


def test_a_single_user_waits_for_nobody() -> None:
    """Without others a served step is a decode step."""
    assert ask("served_tpot", batch=1) == pytest.approx(
        ask("decode_latency", batch=1, context=1250), rel=1e-12
    )


def test_the_runtime_takes_its_part_of_memory() -> None:
    """2 GB of each device are not there for the cache."""
    less = ask("cache_room", context=0, runtime_bytes=0) - ask("cache_room", context=0, runtime_bytes=2e9)
    assert less == pytest.approx(2e9, rel=1e-12)
