"""Prefixes in the cache: read by the prompt that follows them, held once by all sequences that share them; by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

import tokensheet

TOKEN = 32 * 8 * 256 * 2
"""Bytes of cache of a token of Llama 3.1 8B: 32 layers, 8 KV heads of 128 for K and V, 16 bit."""

PLAN: dict[str, Any] = {
    "profile": "ideal", "model": "llama-3.1-8b", "gpu": "rtx-4090", "gpus": 1, "memory_bandwidth": 1e12, "prompt": 1000,
}  # fmt: skip


def ask(name: str, plan: dict[str, Any] = PLAN, **more: Any) -> float:
    return float(tokensheet.evaluate(name, **{**plan, **more}))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-12)


# ---- reading


@pytest.mark.parametrize(("prefix", "batch"), [(0, 1), (4096, 1), (100_000, 3)])
def test_the_cache_before_the_prompt_is_read_once(prefix: int, batch: int) -> None:
    assert ask("prefix_read_time", cached_prefix=prefix, batch=batch) == near(batch * prefix * TOKEN / 1e12)


def test_a_short_prompt_after_a_long_prefix_waits_for_the_cache() -> None:
    """One token after 100,000: weights and cache are read, as in a decode step; stages and groups share the cache."""
    fast = {"prompt": 1, "cached_prefix": 100_000, "prefill_compute_time": 0}
    weights = ask("weight_read_time")
    assert ask("prefill_time", **fast) == near(weights + 100_000 * TOKEN / 1e12)
    assert ask("prefill_time", **{**fast, "cached_prefix": 0}) == near(weights)
    assert ask("prefix_read_time", **fast, gpus=2) == near(100_000 * TOKEN / 2 / 1e12)


def test_a_long_prompt_hides_it() -> None:
    """Computing takes longer than reading, and the two overlap; a profile that adds them adds the cache too."""
    given = {"prompt": 8000, "cached_prefix": 8000}
    computing, reading = ask("prefill_compute_time", **given), ask("prefix_read_time", **given)
    assert ask("prefill_time", **given) == near(computing)
    weights = ask("weight_read_time")
    assert ask("prefill_time", **given, stage_mode=2) == near(computing + weights + reading)


def test_a_state_is_read_with_its_prefix_only() -> None:
    """A recurrent model reads its state where something came before, however long that was, and writes it."""
    plan = {**PLAN, "model": "mamba-2.8b"}
    assert ask("prefix_read_time", plan) == 0
    one, many = (ask("prefix_read_time", plan, cached_prefix=c) for c in (1, 1000))
    assert one == many == near(2 * ask("state_bytes", plan) / 1e12)


# ---- holding

SERVED = {**PLAN, "output": 200, "cache_room": 2e9}
"""Room for 2e9 bytes of cache; a request ends with 1200 tokens."""


def test_sequences_hold_a_shared_prefix_once() -> None:
    """50 blocks of 16 tokens are shared by all: 400 tokens each, and 800 once."""
    shared = {"shared_prefix": 807, "prefix_hit_share": 1}
    assert ask("memory_slots", SERVED) == math.floor(2e9 / (1200 * TOKEN)) == 12
    assert ask("memory_slots", SERVED, **shared) == math.floor((2e9 - 800 * TOKEN) / (400 * TOKEN)) == 36


def test_only_those_who_find_it_share_it() -> None:
    """Half find it, and of these a quarter has a long context instead: 1200 + long ones, less 0.375 × 800 tokens."""
    given = {"shared_prefix": 800, "prefix_hit_share": 0.5, "long_share": 0.25, "long_prompt": 1000}
    own = (1200 - 0.5 * 0.75 * 800) * TOKEN
    assert ask("own_bytes", SERVED, **given) == near(own)
    assert ask("memory_slots", SERVED, **given) == math.floor((2e9 - 800 * TOKEN) / own)


@pytest.mark.parametrize("given", [{"shared_prefix": 800}, {"shared_prefix": 15, "prefix_hit_share": 1}])
def test_nothing_found_saves_nothing(given: dict[str, float]) -> None:
    """A prefix that nobody finds, or shorter than a block, changes no slot."""
    assert ask("memory_slots", SERVED, **given) == 12


def test_each_data_parallel_group_holds_its_own() -> None:
    """Two groups of a device each: twice the slots of one, the prefix once in each."""
    shared = {"shared_prefix": 800, "prefix_hit_share": 1}
    assert ask("memory_slots", SERVED, **shared, gpus=2, dp=2) == 2 * 36


def test_windows_and_states_are_held_by_each_sequence() -> None:
    """Only full and latent layers share: Gemma's window layers and Mamba's states do not."""
    shared = {"shared_prefix": 800, "prefix_hit_share": 1}
    full = ask("full_kv_elements", SERVED, model="gemma-3-4b")
    assert ask("shared_prefix_bytes", SERVED, **shared, model="gemma-3-4b") == near(full * 2 * 800)
    assert ask("shared_prefix_bytes", SERVED, **shared, model="mamba-2.8b") == 0
    latent = ask("shared_prefix_bytes", SERVED, **shared, model="deepseek-v3", gpu="h200-sxm-141gb", gpus=8)
    assert latent == near(61 * 576 * 2 * 800)


def test_a_replica_whose_cache_is_full_takes_more_requests() -> None:
    """Sharing saves prefill and room: each of the two alone gains less than both."""
    plan = {**PLAN, "output": 300, "prompt": 4000, "max_sequences": 512}
    shared = {"shared_prefix": 3200, "prefix_hit_share": 0.9}
    gain = ask("prefix_caching_gain", plan, **shared)
    without_room = ask("replica_capacity", plan, **shared, memory_slots=ask("memory_slots", plan))
    assert gain > without_room / ask("replica_capacity", plan) > 1
