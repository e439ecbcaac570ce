"""Profiles of engines: complete, told where they come from, and right about the first article's measurements."""

from __future__ import annotations

import pytest

import tokensheet
from tests.cells import number
from tokensheet.schema.profile import Profile
from tokensheet_inference import engine_profiles, fitted

PLANNER = tokensheet.planner()
STACKS = [engine_profiles.DEFAULT_STACK, *engine_profiles.STACKS]


def record(name: str) -> Profile:
    found = PLANNER.registry.record("profile", name)
    assert isinstance(found, Profile)
    return found


@pytest.mark.parametrize(
    ("function", "gpus", "measured"),
    [
        ("DECODE_LATENCY", 1, 0.0220),
        ("DECODE_LATENCY", 2, 0.0135),
        ("PREFILL_LATENCY", 1, 0.06317),
        ("PREFILL_LATENCY", 2, 0.04545),
    ],
)
def test_the_articles_own_measurements(function: str, gpus: int, measured: float) -> None:
    """kipply 2022: 13B in FasterTransformer, 512 tokens, one and two A100: within 5 %."""
    found = number(f'={function}("classic-13b","a100-sxm-40gb",{gpus},512,1,"profile=fastertransformer")')
    assert found == pytest.approx(measured, rel=0.05)


@pytest.mark.parametrize("stack", STACKS, ids=lambda s: s.id)
def test_a_profile_states_what_it_was_fitted_to(stack: engine_profiles.Stack) -> None:
    """Sources with their numbers of rows; values that measurements moved; nothing is set twice."""
    found = record(stack.id)
    assert found.fitted_to
    assert set(found.fitted) <= set(found.values)
    assert bool(found.fitted) == ("rows" in found.fitted_to)
    assert set(found.fitted) & set(engine_profiles.set_by_hand(stack)) <= {
        "link_efficiency", "step_overhead", "compute_efficiency", "layer_overhead",
    }  # fmt: skip
    assert not (stack.since and stack.until) or stack.since < stack.until


@pytest.mark.parametrize("stack", STACKS, ids=lambda s: s.id)
@pytest.mark.parametrize(
    ("model", "gpu", "weights"),
    [
        ("llama-3.1-8b", "rtx-4090", "bf16"),
        ("llama-3.1-70b", "mi300x", "bf16"),
        ("deepseek-v3", "b200-sxm-180gb", "fp8"),
        ("gpt-oss-120b", "h100-sxm-80gb", "mxfp4"),
        ("gemma-3-27b", "apple-m2-ultra", "q4_k_m"),
        ("llama-2-7b", "ascend-910b2", "bf16"),
    ],
)
@pytest.mark.slow
def test_a_profile_answers_on_any_kind_of_device(
    stack: engine_profiles.Stack, model: str, gpu: str, weights: str
) -> None:
    """NVIDIA, AMD, Apple, Ascend: links without a latency on record too; low < value < high."""
    plan = {"model": model, "gpu": gpu, "weights": weights, "profile": stack.id, "batch": 4, "prompt": 500}
    plan |= {"gpus": 1 if gpu in ("rtx-4090", "apple-m2-ultra") else 8, "output": 100}
    low, middle, high = (
        tokensheet.evaluate(n, **plan)
        for n in ("request_latency_low", "request_latency", "request_latency_high")
    )
    assert 0 < low < middle < high


def test_the_default_is_the_middle_of_three_engines() -> None:
    """The geometric middle of what was fitted for them."""
    three = [record(n) for n in ("vllm-2025", "tensorrt-llm-2025", "sglang-2025")]
    for name in three[0].fitted:
        product = three[0].values[name] * three[1].values[name] * three[2].values[name]
        assert record("default").values[name] == pytest.approx(product ** (1 / 3), rel=1e-3)


def test_the_default_keeps_room_for_what_users_counted_on() -> None:
    """DeepSeek-V3 in fp8 on 16 H100 holds some half a million tokens."""
    found = tokensheet.evaluate(
        "kv_capacity_tokens", model="deepseek-v3", gpu="h100-sxm-80gb", gpus=16, weights="fp8"
    )
    assert 0.5e6 < found < 0.58e6


def test_fitted_values_are_of_known_assumptions_in_range() -> None:
    """A name that no formula knows would be silently useless."""
    for values in fitted.VALUES.values():
        for name, value in values.items():
            definition = PLANNER.registry.nodes[name]
            assert definition.range.problem(value) is None, name  # type: ignore[union-attr]
