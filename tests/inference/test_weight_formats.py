"""Weights in their formats by hand: an embedding that is the head too, and the units that compute 32-bit weights."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet
from tokensheet.errors import MissingFactError


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **given))


# ---- tied embeddings

FILES = [
    # model, bytes of its q4_k_m file as published
    ("gemma-2-2b", 1.71e9),
    ("gemma-2-9b", 5.76e9),
    ("gemma-2-27b", 16.65e9),
    ("llama-3.2-3b", 2.02e9),
    ("llama-3.1-8b", 4.92e9),
]


@pytest.mark.parametrize(("model", "wanted"), FILES)
def test_weights_are_as_large_as_their_file(model: str, wanted: float) -> None:
    """llama.cpp keeps an embedding that is the head too in the head's six bits: a sixth of Gemma 2's bytes."""
    assert ask("weight_bytes", model=model, weights="q4_k_m") == pytest.approx(wanted, rel=0.015)


@pytest.mark.parametrize(("model", "bits"), [("gemma-2-9b", 210 * 8 / 256), ("llama-3.1-8b", 144 * 8 / 256)])
def test_a_tied_embedding_has_the_bits_of_a_head(model: str, bits: float) -> None:
    size = ask("embedding_bytes_per_element", model=model, weights="q4_k_m")
    assert size == pytest.approx(bits / 8, rel=1e-12)
    rows = ask("vocabulary", model=model) * ask("d_model", model=model)
    held = ask("embedding_bytes_per_device", model=model, weights="q4_k_m", gpus=1)
    assert held == pytest.approx(rows * bits / 8, rel=1e-12)


def test_one_device_holds_all_weights() -> None:
    """What memory holds and what the function tells are the same bytes, and a step reads no more of the head."""
    given = {"model": "gemma-2-9b", "gpu": "h100-sxm-80gb", "gpus": 1, "weights": "q4_k_m"}
    assert ask("weight_bytes_per_device", **given) == pytest.approx(ask("weight_bytes", **given), rel=1e-12)
    assert ask("head_read_bytes", **given) == pytest.approx(256_000 * 3584 * 6.5625 / 8, rel=1e-12)


# ---- 32 bit

PEAKS = [
    ("h100-sxm-80gb", "fp32", 66.9e12),
    ("h100-sxm-80gb", "bf16", 989.4e12),
    ("a100-sxm-80gb", "fp32", 19.5e12),
    ("mi300x", "fp32", 163.4e12),
]


@pytest.mark.parametrize(("gpu", "weights", "wanted"), PEAKS)
def test_32_bit_weights_run_at_the_fp32_peak(gpu: str, weights: str, wanted: float) -> None:
    """Not at the 16-bit one, which is 5 to 16 times as high."""
    assert ask("peak_flops", gpu=gpu, weights=weights) == pytest.approx(wanted, rel=2e-3)


def test_a_device_without_an_fp32_peak_has_no_answer_for_32_bit_weights() -> None:
    assert ask("peak_flops", gpu="tpu-v5e") == 197e12
    with pytest.raises(MissingFactError, match="peak_flops_fp32"):
        ask("peak_flops", gpu="tpu-v5e", weights="fp32")


# ---- between tokens

BETWEEN = [
    # gpu, weights, cache, peak in units of 1e12
    ("h100-sxm-80gb", "bf16", "bf16", 989.4),
    ("h100-sxm-80gb", "bf16", "fp8", 989.4),
    ("h100-sxm-80gb", "fp8", "bf16", 989.4),
    ("h100-sxm-80gb", "fp8", "fp8", 1979),
    ("h100-sxm-80gb", "int8", "bf16", 989.4),
    ("h100-sxm-80gb", "int4", "fp8", 989.4),
    ("b200-sxm-180gb", "nvfp4", "bf16", 2250),
    ("b200-sxm-180gb", "nvfp4", "fp8", 4500),
    ("a100-sxm-80gb", "fp8", "fp8", 312),
    ("a100-sxm-80gb", "fp32", "fp32", 19.5),
]


@pytest.mark.parametrize(("gpu", "weights", "kv", "peak"), BETWEEN)
def test_between_tokens_the_cache_says_which_units_compute(
    gpu: str, weights: str, kv: str, peak: float
) -> None:
    """No weight takes part in scores and sums: 4-bit and 8-bit units for weights do not speed them up."""
    assert ask("attention_peak_flops", gpu=gpu, weights=weights, kv=kv) == pytest.approx(
        peak * 1e12, rel=1e-12
    )


@pytest.mark.parametrize(
    ("gpu", "model", "weights", "peak"),
    [
        ("b200-sxm-180gb", "gpt-oss-120b", "mxfp4", 2250),
        ("b200-sxm-180gb", "gpt-oss-120b", "mxfp4-all", 9000),
        ("b200-sxm-180gb", "llama-3.1-70b", "nvfp4", 9000),
        ("h100-sxm-80gb", "gpt-oss-120b", "mxfp4", 989.4),
        ("h100-sxm-80gb", "llama-3.1-70b", "fp8", 1979),
    ],
)
def test_what_a_format_leaves_in_16_bit_computes_in_16_bit(
    gpu: str, model: str, weights: str, peak: float
) -> None:
    """gpt-oss: only experts have four bits; attention and head have sixteen, and so have their operations."""
    given: dict[str, Any] = {"gpu": gpu, "model": model, "weights": weights}
    assert ask("dense_peak_flops", **given) == pytest.approx(peak * 1e12, rel=1e-12)
    plan: dict[str, Any] = {**given, "gpus": 1, "profile": "ideal", "context": 0, "batch": 3}
    experts = ask("expert_flops_per_token", model=model)
    wanted = (ask("flops_per_token", model=model) - experts) / peak / 1e12 + experts / ask(
        "peak_flops", **given
    )
    assert ask("matrix_compute_time", **plan) == pytest.approx(3 * wanted, rel=1e-12)


@pytest.mark.parametrize(("kv", "rate"), [("bf16", 2250e12), ("fp8", 4500e12)])
def test_a_long_prompt_in_four_bits_computes_between_its_tokens(kv: str, rate: float) -> None:
    """131,072 tokens of Llama 3.1 70B: 2.3e16 operations between tokens and 1.8e16 with weights, in units of their own."""
    plan: dict[str, Any] = {
        "profile": "ideal", "model": "llama-3.1-70b", "gpu": "b200-sxm-180gb", "gpus": 1, "weights": "nvfp4", "kv": kv,
    }  # fmt: skip
    n = 131_072
    between = 2 * 80 * 64 * 256 * n * (n + 1) / 2
    head = 128_256 * 8192
    matrices = 2 * (n * (70_553_706_496 - 2 * head) + head)
    wanted = matrices / 9000e12 + between / rate
    assert ask("prefill_compute_time", **plan, prompt=n) == pytest.approx(wanted, rel=1e-9)
    step = ask("attention_compute_time", **plan, context=n)
    assert step == pytest.approx(2 * 80 * 64 * 256 * n / rate, rel=1e-12)
