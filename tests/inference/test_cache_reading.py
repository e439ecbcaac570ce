"""How often the cache is read: by hand, once by default, and only where heads share keys."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet


def ask(name: str, model: str, **given: Any) -> float:
    return float(
        tokensheet.evaluate(name, model=model, gpu="h100-sxm-80gb", gpus=8, context=2000, batch=4, **given)
    )


@pytest.mark.parametrize(
    ("model", "exponent", "times"),
    [
        ("llama-3.1-70b", 0, 1),  # 64 heads, 8 with keys
        ("llama-3.1-70b", 0.5, 8**0.5),
        ("llama-3.1-70b", 1, 8),  # every query head reads for itself
        ("llama-2-7b", 1, 1),  # each head has keys of its own
        ("deepseek-v3", 1, 1),  # a latent cache is read once for all heads
        ("falcon-7b", 1, 71),  # one pair of keys and values for all
    ],
)
def test_heads_that_share_keys_may_read_them_again(model: str, exponent: float, times: float) -> None:
    """(heads/KV heads)^exponent, on the time of reading the cache alone."""
    given = {"uneven_sharding": 1.0, "kv_reread_exponent": exponent}
    assert ask("kv_rereads", model, **given) == pytest.approx(times, rel=1e-12)
    once = ask("kv_read_time", model, uneven_sharding=1.0, kv_reread_exponent=0)
    assert ask("kv_read_time", model, **given) == pytest.approx(once * times, rel=1e-12)


def test_engines_of_today_read_it_once() -> None:
    """Profiles of 2025 leave the exponent at 0; it is fitted for the kernels of 2024."""
    known = {
        p: tokensheet.planner().registry.record("profile", p).values  # type: ignore[attr-defined]
        for p in ("default", "vllm-2025", "vllm-2024", "vllm-2024-rocm")
    }
    stated = {p: values.get("kv_reread_exponent", 0) > 0 for p, values in known.items()}
    assert stated == {"default": False, "vllm-2025": False, "vllm-2024": True, "vllm-2024-rocm": True}


SPARSE = [
    ("deepseek-v3.2", 61),
    ("glm-5", 78),
    ("minimax-m3", 57),
    ("phi-3-small", 16),
    ("deepseek-v3", 0),
    ("llama-3.1-8b", 0),
]


@pytest.mark.parametrize(("model", "layers"), SPARSE)
def test_layers_that_choose_what_they_read_are_warned_of(model: str, layers: int) -> None:
    """All cached tokens count as read and an index takes no room: the answer stands, and says so."""
    assert tokensheet.evaluate("sparse_layers", model=model) == layers
    for name, given in (("kv_bytes", {}), ("max_batch", {"gpu": "h200-sxm-141gb", "gpus": 16})):
        warned = tokensheet.explain(name, model=model, context=4096, uneven_sharding=1, **given)[1]
        assert any("chooses the cached tokens" in line for line in warned) == bool(layers)


@pytest.mark.parametrize(
    ("model", "cached"),
    [
        ("mamba-2.8b", 0),
        (
            "qwen3-next-80b-a3b",
            12 * 2 * 256 * 2 * 2000 * 2 / 2,
        ),  # 2 KV heads on 8 ranks: each has one of them
        ("llama-3.1-8b", 32 * 8 * 128 * 2 * 2000 * 2 / 8),
    ],
)
def test_a_step_reads_and_writes_the_state(model: str, cached: float) -> None:
    """A recurrent layer changes its state with each token; of the cache of attention nothing old is written."""
    state = ask("state_bytes", model) / 8
    found = ask("kv_bytes_read_per_sequence", model, profile="ideal", weights="bf16")
    assert found == pytest.approx(cached + 2 * state, rel=1e-12)
