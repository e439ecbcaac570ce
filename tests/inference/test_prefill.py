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
    assert ask("prefill_turns", **given) == 1
    stages = 2 * ask("prefill_stage_time", **given)
    assert ask("prefill_pass_time", **given, overlap_communication=0) > stages


STAGES: dict[str, Any] = {
    "profile": "ideal", "model": "llama-3.1-70b", "gpu": "h100-sxm-80gb", "gpus": 8, "pp": 4, "prompt": 4096,
    "message_mode": 0, "messages_per_layer": 2, "link_efficiency": 1, "message_latency": 1e-5, "link_bandwidth": 1e10,
    "stage_message_latency": 2e-5, "stage_link_bandwidth": 5e9, "overlap_communication": 0, "layer_overhead": 1e-5,
    "step_overhead": 3e-3,
}  # fmt: skip


@pytest.mark.parametrize("batch", [1, 2, 8, 24])
def test_stages_send_messages_at_the_same_time(batch: int) -> None:
    """m prompts take (m + 3)/4 times as long as one, by hand: computing, messages, hops and launches alike."""
    wide = 4096 * 8192 * 2
    computing = ask("prefill_compute_time", **STAGES, batch=1)
    messages = 160 * (1e-5 + wide / 1e10)
    hops = 4 * (2e-5 + wide / 5e9)
    one = 4 * computing + messages + hops + 80e-5
    found = ask("prefill_time", **STAGES, batch=batch)
    assert found == pytest.approx((batch + 3) / 4 * one + 3e-3, rel=1e-9)


@pytest.mark.parametrize("model", ["llama-3.1-70b", "mixtral-8x7b", "deepseek-v3", "gemma-3-27b"])
@pytest.mark.parametrize("gpu", ["h100-sxm-80gb", "l40s", "rtx-4090"])
@pytest.mark.parametrize("prompt", [1, 40, 700])
def test_turns_are_never_later_done_than_all_together(model: str, gpu: str, prompt: int) -> None:
    """What each part does anew is weighed against stages that work at the same time; more prompts are never sooner done."""
    plan = {"model": model, "gpu": gpu, "gpus": 8, "pp": 4, "prompt": prompt, "weights": "fp8"}
    times = []
    for batch in (1, 2, 5, 16, 64, 300):
        times.append(ask("prefill_time", **plan, batch=batch))
        assert times[-1] <= ask("prefill_time", **plan, batch=batch, prefill_turns=1) * (1 + 1e-12)
    assert times == sorted(times)


@pytest.mark.parametrize("batch", [1, 8])
def test_one_stage_has_one_turn(batch: int) -> None:
    given = {**STAGES, "pp": 1, "batch": batch}
    assert ask("prefill_turns", **given) == 1
    assert ask("prefill_time", **given) == pytest.approx(ask("prefill_pass_time", **given) + 3e-3, rel=1e-12)
