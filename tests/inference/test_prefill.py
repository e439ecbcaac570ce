"""Prefill by hand: pairs of tokens inside a window after a cached prefix, stages of a pipeline that wait for weights."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **given))


# ---- windows

PAIRS = [
    # prompt, cached before it, window
    (1, 0, 4),
    (4, 0, 4),
    (9, 0, 4),
    (3, 2, 8),
    (3, 2, 4),
    (3, 3, 4),
    (3, 4, 4),
    (3, 100, 4),
    (500, 800, 1024),
    (500, 2000, 1024),
    (3000, 600, 1024),
    (3000, 0, 100_000),
]


@pytest.mark.parametrize(("prompt", "cached", "window"), PAIRS)
def test_each_token_of_a_prompt_sees_a_window_of_those_before_it(
    prompt: int, cached: int, window: int
) -> None:
    """Counted one by one: a token sees itself and those before it, cached ones too, at most a window of them."""
    counted = sum(min(cached + place, window) for place in range(1, prompt + 1))
    assert ask("window_pairs", prompt=prompt, cached_prefix=cached, window=window) == counted


def test_without_a_limit_a_window_is_full_attention() -> None:
    found = ask("window_pairs", prompt=700, cached_prefix=300, window=1000)
    assert found == ask("attention_pairs", prompt=700, cached_prefix=300)


# ---- pipelines

LLAMA: dict[str, Any] = {
    "profile": "ideal", "model": "llama-3.1-8b", "gpu": "h100-sxm-80gb", "gpus": 4, "pp": 4, "exchange_time": 0,
}  # fmt: skip


def test_short_prompts_wait_for_the_weights_on_every_stage() -> None:
    """One token each: a stage reads its quarter of the weights for whatever it has, and there are four stages."""
    weights = (8_030_261_248 - 128_256 * 4096) * 2 / 3.35e12
    for batch in (1, 2, 8, 16):
        assert ask("prefill_time", **LLAMA, prompt=1, batch=batch) == pytest.approx(weights, rel=1e-12)


@pytest.mark.parametrize("prompt", [1, 50, 150, 400, 4000])
@pytest.mark.parametrize("stage_mode", [0, 1, 2])
def test_more_prompts_are_never_sooner_done(prompt: int, stage_mode: int) -> None:
    given = {**LLAMA, "prompt": prompt, "stage_mode": stage_mode}
    times = [ask("prefill_time", **given, batch=batch) for batch in (1, 2, 3, 8, 20, 64)]
    assert times == sorted(times)


def test_between_the_two_a_stage_computes_all_and_the_rest_read_once() -> None:
    """Eight prompts of 100 tokens: together they compute longer than the weights take, each alone does not."""
    given = {**LLAMA, "prompt": 100, "batch": 8}
    computing, weights = ask("prefill_compute_time", **given), ask("weight_read_time", **given)
    assert computing > weights > computing / 8
    assert ask("prefill_time", **given) == pytest.approx(computing + 3 * weights, rel=1e-12)


def test_layers_split_over_devices_go_together() -> None:
    """llama.cpp: one device works and the others wait, however many prompts there are."""
    given = {
        "profile": "llama.cpp",
        "model": "llama-3.1-8b",
        "gpu": "rtx-4090",
        "gpus": 2,
        "prompt": 512,
        "batch": 4,
    }
    stage = ask("prefill_stage_time", **given)
    assert ask("prefill_turn_time", **given) == stage
