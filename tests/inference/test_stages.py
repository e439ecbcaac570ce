"""How the parts of a step add up: kernels after one another, layers split over devices, overheads by kind of layer."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet

PLAN: dict[str, Any] = {
    "model": "llama-3.1-70b",
    "gpu": "h100-sxm-80gb",
    "gpus": 8,
    "context": 4000,
    "batch": 64,
    "profile": "vllm-2025",
}


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **{**PLAN, **given}))


@pytest.mark.parametrize("peak", [1e13, 1e14, 1e15])
@pytest.mark.parametrize("batch", [1, 64, 900])
def test_the_three_modes(peak: float, batch: float) -> None:
    """0: one roofline for the stage; 1: one for matrix products and one for attention; 2: matrix times are added."""
    names = ("weight_read_time", "matrix_compute_time", "kv_read_time", "attention_compute_time")
    weights, matrix, cache, attention = (ask(n, peak_flops=peak, batch=batch) for n in names)
    wanted = {
        0: max(weights + cache, matrix + attention),
        1: max(weights, matrix) + max(cache, attention),
        2: weights + matrix + max(cache, attention),
    }
    for mode, seconds in wanted.items():
        found = ask("decode_stage_time", stage_mode=mode, peak_flops=peak, batch=batch)
        assert found == pytest.approx(seconds, rel=1e-12)


@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize("gpus", [1, 2, 4])
@pytest.mark.parametrize("profile", ["llama.cpp", "llama.cpp-python-2024", "vllm-2025"])
def test_requests_are_the_sum_of_their_steps_in_every_mode(mode: int, gpus: int, profile: str) -> None:
    """The closed form of a request holds whatever overlaps."""
    plan = {"gpus": gpus, "stage_mode": mode, "profile": profile, "batch": 8, "device_memory_bytes": 1e15}
    steps = sum(ask("decode_latency", context=c, **plan) for c in range(301, 350))
    wanted = ask("prefill_latency", prompt=300, **plan) + steps
    assert ask("request_latency", prompt=300, output=50, **plan) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("profile", ["default", "llama.cpp", "vllm-2024-rocm"])
@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize("times", [1.001, 1.5, 4])
def test_the_largest_batch_at_a_rate_in_every_mode(profile: str, mode: int, times: float) -> None:
    """The found batch keeps the rate, one more does not."""
    plan: dict[str, Any] = {
        "profile": profile, "stage_mode": mode, "gpus": 2, "context": 1000, "device_memory_bytes": 1e15,
        "model": "llama-3.1-8b",
    }  # fmt: skip
    longest = ask("decode_latency", batch=1, **plan) * times
    found = ask("batch_for_rate", token_rate=1 / longest, **plan)
    assert ask("decode_latency", **{**plan, "batch": found}) <= longest * (1 + 1e-9)
    assert ask("decode_latency", **{**plan, "batch": found + 1}) > longest


def test_layers_split_over_devices() -> None:
    """tp 1, a stage a device, no micro-batches: four devices take as long as one, memory aside."""
    plan = {"profile": "llama.cpp", "model": "llama-3.1-8b", "layer_overhead": 0, "stage_message_latency": 0}
    plan |= {"device_memory_bytes": 1e15, "stage_link_bandwidth": 1e30}
    alone, split = (ask("decode_latency", gpus=n, **plan) for n in (1, 4))
    assert (ask("tp", gpus=4, **plan), ask("pp", gpus=4, **plan)) == (1, 4)
    assert split == pytest.approx(alone, rel=1e-9)
    faster = ask("weight_read_time", gpus=4, layer_split_gain=0.5, **plan)
    assert faster == pytest.approx(ask("weight_read_time", gpus=4, layer_split_gain=0, **plan) / 2, rel=1e-12)
    prompts = [ask("prefill_latency", gpus=n, prompt=500, step_overhead=0, **plan) for n in (1, 4)]
    assert prompts[1] == pytest.approx(prompts[0], rel=1e-9)


def test_stages_can_still_be_given() -> None:
    """A call's pp goes before the profile's split, and parts must multiply to the devices."""
    assert ask("tp", gpus=4, profile="llama.cpp", pp=1) == 4
    reason = tokensheet.why("decode_latency", **{**PLAN, "gpus": 8, "pp": 0.5})
    assert "does not give the 8 devices" in reason


@pytest.mark.parametrize(
    ("model", "weights", "kind", "layers"),
    [
        ("llama-3.1-70b", "bf16", "layer_overhead", 80),
        ("deepseek-v3", "fp8", "latent_layer_overhead", 61),
        ("deepseek-v3", "fp8", "moe_layer_overhead", 58),
        ("deepseek-v3", "fp8", "fp8_moe_layer_overhead", 58),
        ("deepseek-v3", "bf16", "fp8_moe_layer_overhead", 0),
        ("mixtral-8x7b", "int4", "lowbit_moe_layer_overhead", 32),
        ("mixtral-8x7b", "fp8", "lowbit_moe_layer_overhead", 0),
        ("llama-3.1-70b", "int4", "lowbit_moe_layer_overhead", 0),
        ("qwen3-next-80b-a3b", "bf16", "recurrent_layer_overhead", 36),
    ],
)
def test_overheads_count_layers_of_their_kind(model: str, weights: str, kind: str, layers: int) -> None:
    """A millisecond more a layer is as many milliseconds more a step as there are such layers, in prefill as well."""
    plan = {"model": model, "weights": weights, "profile": "ideal", "device_memory_bytes": 1e15}
    for name, more in (("decode_latency", {}), ("prefill_latency", {"prompt": 100})):
        change = ask(name, **{kind: 1e-3}, **plan, **more) - ask(name, **plan, **more)
        assert change == pytest.approx(layers * 1e-3, abs=1e-12)


def test_experts_cost_more_in_prefill() -> None:
    """Twice the cost of an expert's operation adds once the experts' own time."""
    plan = {"model": "mixtral-8x7b", "prompt": 1000, "profile": "ideal", "batch": 1}
    once, twice = (ask("prefill_compute_time", expert_compute_cost=c, **plan) for c in (1, 2))
    experts = 32 * 2 * 3 * 4096 * 14336 * 2 * 1000
    assert twice - once == pytest.approx(experts / 8 / 989.4e12, rel=1e-6)


def test_a_factor_from_measurements_scales_steps_and_prefills() -> None:
    """time_scale 1.3: everything takes 1.3 times as long, and the inverse follows."""
    for name, more in (
        ("decode_latency", {}),
        ("prefill_latency", {"prompt": 500}),
        ("request_latency", {"prompt": 500, "output": 20}),
    ):
        assert ask(name, time_scale=1.3, **more) == pytest.approx(1.3 * ask(name, **more), rel=1e-12)
    rate = 1 / ask("decode_latency", batch=50)
    assert ask("batch_for_rate", token_rate=rate / 1.3, time_scale=1.3) == ask(
        "batch_for_rate", token_rate=rate
    )
