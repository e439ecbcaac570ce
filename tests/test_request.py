"""A request's latency in closed form against a plain loop over its tokens."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

import tokensheet

FREE = {"device_memory_bytes": 1e15}
"""Memory is not what these cases are about."""

MODELS = {
    "dense": "llama-3.1-70b",
    "small dense": "llama-3.1-8b",
    "window of 1024": "gemma-3-27b",
    "window of 128 and experts": "gpt-oss-120b",
    "latent and experts": "deepseek-v3",
    "experts": "mixtral-8x7b",
}


def loop(prompt: int, output: int, plan: Mapping[str, Any]) -> float:
    """Prefill, then one decode step for each token but the first, each with its own context."""
    total = float(tokensheet.evaluate("prefill_latency", prompt=prompt, **plan))
    if output == 1:
        return total
    contexts = np.arange(prompt + 1, prompt + output, dtype=float)
    steps = tokensheet.evaluate("decode_latency", context=contexts, **plan)
    assert len(steps) == output - 1
    return total + math.fsum(steps)


def agrees(prompt: int, output: int, plan: Mapping[str, Any]) -> None:
    found = tokensheet.evaluate("request_latency", prompt=prompt, output=output, **plan)
    assert found == pytest.approx(loop(prompt, output, plan), rel=1e-9)


def plan_of(model: str, **more: Any) -> dict[str, Any]:
    return {"model": model, "gpu": "h100-sxm-80gb", "gpus": 8, **FREE, **more}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("overlap", [0, 1])
@pytest.mark.parametrize("pp", [1, 4])
@pytest.mark.parametrize(("prompt", "output"), [(1, 1), (1, 2), (1, 3), (100, 28), (100, 29), (1000, 400)])
def test_all_kinds_of_models(model: str, overlap: int, pp: int, prompt: int, output: int) -> None:
    """The sum is exact for one token and many, inside a window, beyond it, and across its end."""
    agrees(prompt, output, plan_of(model, overlap_communication=overlap, pp=pp, batch=16))


@pytest.mark.parametrize(
    ("prompt", "output"), [(1022, 2), (1022, 3), (1023, 2), (1024, 2), (1025, 2), (900, 300)]
)
def test_the_end_of_a_window(prompt: int, output: int) -> None:
    """The step at which a window is full belongs to one stretch only."""
    agrees(prompt, output, plan_of("gemma-3-27b", batch=8))


def test_the_hand_made_sum() -> None:
    """Three steps, written out."""
    plan = plan_of("llama-3.1-70b", batch=4)
    steps = [tokensheet.evaluate("decode_latency", context=c, **plan) for c in (11, 12, 13)]
    wanted = tokensheet.evaluate("prefill_latency", prompt=10, **plan) + sum(steps)
    assert tokensheet.evaluate("request_latency", prompt=10, output=4, **plan) == pytest.approx(
        wanted, rel=1e-12
    )


# ---- where one time overtakes another


@cache
def at_context(name: str, context: float, peak: float, pp: int, overlap: int) -> float:
    plan = plan_of("llama-3.1-70b", batch=64, pp=pp, peak_flops=peak, overlap_communication=overlap)
    return float(tokensheet.evaluate(name, context=context, **plan))


@pytest.mark.parametrize("pp", [1, 4])
@pytest.mark.parametrize("overlap", [0, 1])
@pytest.mark.parametrize("share", [0.0, 1e-6, 0.1, 0.5, 0.9, 1.0])
def test_memory_and_compute_cross_inside_the_request(pp: int, overlap: int, share: float) -> None:
    """Wherever the two lines cross, at the first or the last token too, each step takes the larger."""
    first, last, peak = 500, 8500, 4e13
    memory = [at_context("decode_memory_time", c, peak, pp, overlap) for c in (first, last)]
    compute = [at_context("decode_compute_time", c, peak, pp, overlap) for c in (first, last)]
    middle = (memory[0] + share * (memory[1] - memory[0])) / (compute[0] + share * (compute[1] - compute[0]))
    peak /= middle  # now both are equal at that share of the way
    plan = plan_of("llama-3.1-70b", batch=64, pp=pp, peak_flops=peak, overlap_communication=overlap)
    agrees(first - 1, last - first + 2, plan)


@pytest.mark.parametrize("pp", [1, 4])
@pytest.mark.parametrize("bandwidth", [3e8, 1e9, 3e9, 1e10, 3e10])
def test_communication_behind_computation_is_overtaken(pp: int, bandwidth: float) -> None:
    """With overlap a slow link is a floor that growing steps rise above, early, late or never."""
    plan = plan_of("llama-3.1-70b", batch=64, pp=pp, link_bandwidth=bandwidth, overlap_communication=1)
    agrees(200, 3000, plan)


def case(number: int) -> tuple[int, int, dict[str, Any]]:
    """A random plan and request."""
    rng = random.Random(number)
    model = rng.choice(list(MODELS.values()))
    prompt = rng.choice([1, rng.randint(1, 200), rng.randint(200, 3000)])
    output = rng.choice([1, 2, rng.randint(3, 100), rng.randint(100, 2500)])
    gpus, pp, dp = rng.choice([(1, 1, 1), (8, 1, 1), (8, 4, 1), (8, 2, 2), (8, 1, 8), (16, 4, 2)])
    plan = plan_of(
        model,
        pp=pp,
        dp=dp,
        batch=rng.choice([1, 3, rng.randint(1, 64), rng.randint(64, 512)]),
        overlap_communication=rng.randint(0, 1),
        peak_flops=10 ** rng.uniform(12.5, 15.5),
        memory_bandwidth=10 ** rng.uniform(11, 13),
        link_bandwidth=10 ** rng.uniform(9, 12),
        profile=rng.choice(["default", "ideal", "kipply-2022", "li-2023"]),
        attention_flops_counted=rng.randint(0, 1),
    )
    plan |= {"gpus": gpus}
    middle = prompt + output * rng.random()
    memory, compute = (
        float(tokensheet.evaluate(f"decode_{kind}_time", context=middle, **plan))
        for kind in ("memory", "compute")
    )
    if number % 3 == 1:  # the two cross at that context
        plan["peak_flops"] *= compute / memory
    if number % 3 == 2:  # communication is overtaken there
        plan |= {"tp_comm_time": pp * max(memory, compute), "overlap_communication": 1}
    return prompt, output, plan


@pytest.mark.parametrize("number", range(60))
def test_random_requests(number: int) -> None:
    """Any model, plan, device and profile: the closed form is the loop to 1e-9."""
    prompt, output, plan = case(number)
    agrees(prompt, output, plan)


def test_random_requests_reach_every_kind_of_step() -> None:
    """The cases would be hollow if one time were the largest in all of them."""
    seen = set()
    for number in range(60):
        prompt, output, plan = case(number)
        ends = []
        for context in (prompt + 1, prompt + output - 1):
            names = ("decode_memory_time", "decode_compute_time", "tp_comm_time")
            values = [float(tokensheet.evaluate(n, **({"context": context} | plan))) for n in names]
            stages = [v * plan["pp"] for v in values[:2]] + [values[2] * plan["overlap_communication"]]
            ends.append(stages.index(max(stages)))
        seen.add(tuple(ends))
    assert {(0, 0), (1, 1), (2, 2), (0, 1), (1, 0), (2, 0), (2, 1)} <= seen


# ---- what else a request does


def test_a_cached_prefix_moves_all_contexts() -> None:
    """Tokens that are in the cache already are read in every step, and the prompt attends to them."""
    plan = plan_of("llama-3.1-70b", batch=4)
    found = tokensheet.evaluate("request_latency", prompt=10, output=4, cached_prefix=1000, **plan)
    steps = [tokensheet.evaluate("decode_latency", context=c, **plan) for c in (1011, 1012, 1013)]
    prefill = tokensheet.evaluate("prefill_latency", prompt=10, cached_prefix=1000, **plan)
    assert found == pytest.approx(prefill + sum(steps), rel=1e-12)
    attended = tokensheet.evaluate("prefill_attention_flops", prompt=10, cached_prefix=1000, **plan)
    pairs = 10 * 1000 + 10 * 11 / 2
    assert attended == 2 * 80 * 64 * (128 + 128) * pairs


def test_one_token_is_prefill_alone() -> None:
    """The first token comes from prefill."""
    plan = plan_of("llama-3.1-70b", batch=4)
    assert tokensheet.evaluate("request_latency", prompt=700, output=1, **plan) == tokensheet.evaluate(
        "prefill_latency", prompt=700, **plan
    )


def test_a_request_must_fit_at_its_end() -> None:
    """The first step may fit and the last not; then there is no answer."""
    plan = {"model": "llama-3.1-70b", "gpu": "h100-sxm-80gb", "gpus": 4, "batch": 16}
    longest = tokensheet.evaluate("max_context", **plan)
    assert tokensheet.why("request_latency", prompt=longest - 100, output=100, **plan) == ""
    reason = tokensheet.why("request_latency", prompt=longest - 100, output=101, **plan)
    start = f"llama-3.1-70b does not fit on 4 × h100-sxm-80gb at the end of {longest - 100:,.0f} + 101 tokens"
    assert reason.startswith(f"{start} and batch 16: each device needs ")


@pytest.mark.parametrize("output", [0, -1, 1.5])
def test_tokens_are_whole_and_at_least_one(output: float) -> None:
    """There is no request of half a token."""
    reason = tokensheet.why("request_latency", prompt=10, output=output, **plan_of("llama-3.1-70b"))
    assert reason.startswith(f"output is {output:g}; it must be ")


def test_requests_in_a_range() -> None:
    """A block of prompts by outputs is what single calls give."""
    plan = plan_of("gemma-3-27b", batch=8)
    prompts, outputs = [10, 1000, 5000], [1, 30, 400]
    found = tokensheet.evaluate("request_latency", prompt=[[p] for p in prompts], output=[outputs], **plan)
    for i, prompt in enumerate(prompts):
        for j, output in enumerate(outputs):
            one = tokensheet.evaluate("request_latency", prompt=prompt, output=output, **plan)
            assert found[i, j] == pytest.approx(one, rel=1e-12)
