"""Deployment rules, with every number written out by hand: who holds what, who reads what, how long it takes.

The device is given in round numbers, and the profile is the datasheet's ideal, so that nothing but
the rules is left. Model sizes are counted here from the papers' tables, not taken from the catalogue.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

import tokensheet
from tokensheet.errors import PlanError

BANDWIDTH, PEAK, MEMORY, LINK, STAGE_LINK = 3e12, 1e15, 80e9, 400e9, 50e9
DEVICE: dict[str, Any] = {
    "gpu": "h100-sxm-80gb", "memory_bandwidth": BANDWIDTH, "peak_flops": PEAK, "device_memory_bytes": MEMORY,
    "link_bandwidth": LINK, "stage_link_bandwidth": STAGE_LINK, "profile": "ideal",
}  # fmt: skip
B16 = 2
"""Bytes of a bf16 number."""


class Llama:
    """Llama 2 70B: 80 layers, width 8192, 64 heads of 128 and 8 KV heads, MLP 28672, vocabulary 32000."""

    model = "llama-2-70b"
    layers, width = 80, 8192
    blocks = 80 * (8192 * 8192 * 2 + 8192 * 8 * 128 * 2 + 3 * 8192 * 28672 + 2 * 8192) + 8192
    embedding = head = 32000 * 8192
    kv = 80 * 8 * (128 + 128)
    macs = 80 * 64 * (128 + 128)


class Gemma:
    """Gemma 3 27B: 62 layers, 52 of them with a window of 1024; 16 KV heads of 128; the head is tied."""

    model = "gemma-3-27b"
    layers, width = 62, 5376
    attention = 62 * (5376 * 32 * 128 * 2 + 5376 * 16 * 128 * 2 + 2 * 128)
    blocks = attention + 62 * 3 * 5376 * 21504 + 62 * 4 * 5376 + 5376
    embedding = 262208 * 5376
    full_kv, window_kv = 10 * 16 * 256, 52 * 16 * 256


class Mixtral:
    """Mixtral 8x7B: 32 layers, width 4096, 32 heads, 8 KV heads, 8 experts of 14336, 2 a token."""

    model = "mixtral-8x7b"
    layers, width = 32, 4096
    blocks = 32 * (4096 * 4096 * 2 + 4096 * 1024 * 2 + 2 * 4096 + 4096 * 8) + 4096
    experts = 32 * 8 * 3 * 4096 * 14336
    embedding = head = 32000 * 4096
    kv = 32 * 8 * 256
    macs = 32 * 32 * 256


class Deepseek:
    """DeepSeek-V3: 61 layers, a latent cache of 512 + 64, 256 experts of 2048 in 58 layers, 8 a token."""

    model = "deepseek-v3"
    layers = 61
    experts = 58 * 256 * 3 * 7168 * 2048
    latent = 61 * (512 + 64)


def ask(name: str, plan: Any, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **DEVICE, model=plan.model, **given))


def why(name: str, plan: Any, **given: Any) -> str:
    return str(tokensheet.why(name, **DEVICE, model=plan.model, **given))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-12)


# ---- how many devices do what


@pytest.mark.parametrize(
    ("given", "tp", "devices"),
    [
        ({"gpus": 8}, 8, 8),
        ({"gpus": 8, "pp": 2}, 4, 8),
        ({"gpus": 8, "pp": 2, "dp": 2}, 2, 8),
        ({"gpus": 8, "tp": 4, "pp": 2}, 4, 8),
        ({"gpus": 1}, 1, 1),
        ({"gpus": 64, "tp": 8, "pp": 4, "dp": 2}, 8, 64),
    ],
)
def test_tp_is_what_pp_and_dp_leave(given: dict[str, int], tp: int, devices: int) -> None:
    """A replica has tp × pp × dp devices; tp defaults to gpus/(pp·dp), pp and dp to 1."""
    assert (ask("tp", Llama, **given), ask("devices", Llama, **given)) == (tp, devices)


MISMATCH = (
    "tp {tp} × pp {pp} × dp {dp} does not give the {gpus} devices of the plan in whole parts; "
    "give parts that multiply to {gpus}"
)


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ({"gpus": 8, "tp": 4}, {"tp": 4, "pp": 1, "dp": 1, "gpus": 8}),
        ({"gpus": 8, "tp": 4, "pp": 4}, {"tp": 4, "pp": 4, "dp": 1, "gpus": 8}),
        ({"gpus": 8, "tp": 8, "dp": 2}, {"tp": 8, "pp": 1, "dp": 2, "gpus": 8}),
        ({"gpus": 8, "pp": 3}, {"tp": "2.66667", "pp": 3, "dp": 1, "gpus": 8}),
        ({"gpus": 8, "tp": 2.5}, {"tp": 2.5, "pp": 1, "dp": 1, "gpus": 8}),
    ],
)
@pytest.mark.parametrize("name", ["decode_latency", "decode_memory_time", "memory_per_device", "max_batch"])
def test_parts_that_do_not_multiply_to_the_devices_are_an_error(
    name: str, given: dict[str, float], parts: dict[str, Any]
) -> None:
    """Nothing is rounded or dropped; the message says the parts."""
    with pytest.raises(PlanError) as caught:
        ask(name, Llama, **given, context=1000)
    assert str(caught.value) == f"{name}: {MISMATCH.format(**parts)}"


HEADS = "tp {tp} does not divide the 64 heads of llama-2-70b; choose a divisor, or set uneven_sharding to 1"


@pytest.mark.parametrize("tp", [3, 5, 6, 7, 12])
def test_tp_that_does_not_divide_the_heads_is_an_error_of_results(tp: int) -> None:
    """Latencies refuse it; parts and capacities answer in any case."""
    given = {"gpus": tp, "context": 100}
    for name in ("decode_latency", "tokens_per_second", "tokens_per_second_per_user"):
        assert why(name, Llama, **given) == HEADS.format(tp=tp)
    assert why("prefill_latency", Llama, gpus=tp, prompt=100) == HEADS.format(tp=tp)
    assert why("request_latency", Llama, gpus=tp, prompt=100, output=10) == HEADS.format(tp=tp)
    for name in ("decode_memory_time", "decode_compute_time", "memory_per_device", "max_batch", "fits"):
        assert why(name, Llama, **given) == ""


def test_uneven_sharding_counts_the_largest_shard() -> None:
    """64 heads over 6 ranks: one holds 11 of them; 8 KV heads over 6 ranks: one holds 2."""
    given = {"gpus": 6, "context": 100, "uneven_sharding": 1}
    assert ask("shard_share", Llama, **given) == near(11 / 64)
    assert ask("kv_shard_share", Llama, **given) == near(2 / 8)
    read = (Llama.blocks + Llama.head) * B16 * 11 / 64
    cache = Llama.kv * 2 / 8 * 100 * B16
    assert ask("decode_memory_time", Llama, **given) == near((read + cache) / BANDWIDTH)
    assert why("decode_latency", Llama, **given) == ""


# ---- memory on the fullest device


def test_weights_and_cache_of_tensor_parallelism() -> None:
    """Eight ranks hold an eighth of the weights and one KV head of all sequences."""
    given = {"gpus": 8, "context": 4096, "batch": 16}
    weights = (Llama.blocks + Llama.embedding + Llama.head) * B16 / 8
    cache = 16 * 4096 * Llama.kv / 8 * B16
    assert ask("weight_bytes_per_device", Llama, **given) == near(weights)
    assert ask("memory_per_device", Llama, **given) == near(weights + cache)
    assert ask("fits", Llama, **given) == 1.0


def test_kv_heads_are_copied_beyond_their_number() -> None:
    """16 ranks, 8 KV heads: each rank holds a whole head, two ranks the same one."""
    given = {"gpus": 16, "context": 4096, "batch": 16}
    assert ask("kv_shard_share", Llama, **given) == 1 / 8
    weights = (Llama.blocks + Llama.embedding + Llama.head) * B16 / 16
    projections = 80 * 2 * 8192 * 8 * 128  # to keys and values: an eighth on each rank, not a sixteenth
    weights += projections * (1 / 8 - 1 / 16) * B16
    assert ask("memory_per_device", Llama, **given) == near(weights + 16 * 4096 * Llama.kv / 8 * B16)
    read = (Llama.blocks + Llama.head) * B16 / 16
    step = (read + 16 * 4096 * Llama.kv / 8 * B16) / BANDWIDTH
    assert ask("decode_memory_time", Llama, **given) == near(step)


def test_an_uneven_pipeline_is_as_full_as_its_fullest_stage() -> None:
    """62 layers on 4 stages: one has 16; it also holds the embedding; a window keeps 1024 tokens."""
    given = {"gpus": 8, "tp": 2, "pp": 4, "context": 5000, "batch": 3}
    weights = Gemma.blocks * B16 * 16 / 62 / 2 + Gemma.embedding * B16 / 2
    sequence = 16 / 62 * (Gemma.full_kv / 2 * 5000 + Gemma.window_kv / 2 * 1024) * B16
    assert ask("stage_share", Gemma, **given) == 16 / 62
    assert ask("weight_bytes_per_device", Gemma, **given) == near(weights)
    assert ask("memory_per_device", Gemma, **given) == near(weights + 3 * sequence)
    read = 16 / 62 * (Gemma.blocks + Gemma.embedding) * B16 / 2  # tied: the head is the embedding
    micro = 1  # max(1, 3/4)
    assert ask("decode_memory_time", Gemma, **given) == near((read + micro * sequence) / BANDWIDTH)


def test_a_context_inside_the_window_is_kept_whole() -> None:
    """Below 1024 tokens a window layer keeps what there is, or all of it when an engine reserves in full."""
    given = {"gpus": 1, "batch": 2}
    small = 2 * (Gemma.full_kv + Gemma.window_kv) * 1000 * B16
    assert ask("kv_bytes", Gemma, context=1000, batch=2) == small
    assert (
        ask("kv_bytes", Gemma, context=3000, batch=2)
        == 2 * (Gemma.full_kv * 3000 + Gemma.window_kv * 1024) * B16
    )
    full = ask("memory_per_device", Gemma, context=3000, window_reserved_in_full=1, **given)
    weights = (Gemma.blocks + Gemma.embedding) * B16
    assert full == near(weights + 2 * (Gemma.full_kv + Gemma.window_kv) * 3000 * B16)


@pytest.mark.parametrize(("batch", "sequences"), [(1, 1), (2, 1), (3, 2), (5, 3), (8, 4)])
def test_a_group_holds_its_part_of_the_batch_rounded_up(batch: int, sequences: int) -> None:
    """Two data-parallel groups share a batch of 5 as 3 and 2: the fullest device has 3 sequences."""
    given = {"gpus": 8, "tp": 4, "dp": 2, "context": 1000, "batch": batch}
    weights = (Llama.blocks + Llama.embedding + Llama.head) * B16 / 4
    assert ask("memory_per_device", Llama, **given) == near(weights + sequences * 1000 * Llama.kv / 4 * B16)


def test_experts_spread_over_all_groups_and_the_rest_is_copied() -> None:
    """tp 2, dp 4: an eighth of the experts on each device, half of everything else in each group."""
    given = {"gpus": 8, "tp": 2, "dp": 4, "context": 2000, "batch": 8}
    weights = (Mixtral.blocks + Mixtral.embedding + Mixtral.head) * B16 / 2 + Mixtral.experts * B16 / 8
    assert ask("weight_bytes_per_device", Mixtral, **given) == near(weights)
    assert ask("memory_per_device", Mixtral, **given) == near(weights + 2 * 2000 * Mixtral.kv / 2 * B16)


def test_a_latent_cache_is_whole_on_every_rank() -> None:
    """DeepSeek-V3 on 16 devices: tp 16 holds it 16 times, two groups of 8 half the sequences each."""
    sequence = Deepseek.latent * 4000 * B16
    for dp, sequences in ((1, 10), (2, 5), (4, 3)):
        given = {"gpus": 16, "dp": dp, "context": 4000, "batch": 10}
        weights = ask("weight_bytes_per_device", Deepseek, **given)
        assert ask("kv_bytes_per_sequence_on_device", Deepseek, **given) == sequence
        assert ask("memory_per_device", Deepseek, **given) == near(weights + sequences * sequence)
        micro = max(1, 10 / dp)
        assert ask("kv_read_time", Deepseek, **given) == near(micro * sequence / BANDWIDTH)


def test_experts_of_deepseek_are_spread_and_the_rest_is_not() -> None:
    """Going from one group of 16 to two of 8 doubles all but the experts and the projections to latent vectors."""
    one = ask("weight_bytes_per_device", Deepseek, gpus=16, dp=1)
    two = ask("weight_bytes_per_device", Deepseek, gpus=16, dp=2)
    experts = Deepseek.experts * B16 / 16
    whole = 61 * 7168 * (1536 + 512 + 64) * B16
    assert two - experts - whole == near(2 * (one - experts - whole))


def test_a_plan_that_does_not_fit_says_how_much_is_missing() -> None:
    """Llama 2 70B in 16 bit on one device of 80 GB."""
    need = (Llama.blocks + Llama.embedding + Llama.head) * B16 + 1000 * Llama.kv * B16
    assert f"{need / 1e9:.1f}" == "138.3"
    reason = why("decode_latency", Llama, gpus=1, context=1000)
    assert reason.startswith(
        "llama-2-70b does not fit on 1 × h100-sxm-80gb at batch 1 and context 1000: "
        "each device needs 138.3 GB of 80 GB, 58.28 GB missing"
    )
    assert ask("fits", Llama, gpus=1, context=1000) == 0.0
    assert ask("memory_missing", Llama, gpus=1, context=1000) == near(need - MEMORY)


def test_the_largest_batch_and_context_are_the_last_that_fit() -> None:
    """What is counted by division is what the check says, one by one."""
    for plan, given in (
        (Llama, {"gpus": 8, "tp": 4, "dp": 2}),
        (Gemma, {"gpus": 2}),
        (Mixtral, {"gpus": 2}),
        (Deepseek, {"gpus": 32, "tp": 8, "dp": 4}),
    ):
        batch = ask("max_batch", plan, context=3000, **given)
        assert batch >= 1
        assert ask("fits", plan, context=3000, batch=batch, **given) == 1.0
        assert ask("fits", plan, context=3000, batch=batch + 1, **given) == 0.0
        context = ask("max_context", plan, batch=8, **given)
        assert ask("fits", plan, context=context, batch=8, **given) == 1.0
        assert ask("fits", plan, context=context + 1, batch=8, **given) == 0.0


# ---- time


@pytest.mark.parametrize(
    ("batch", "pp", "dp", "micro"),
    [(1, 1, 1, 1), (16, 1, 1, 16), (16, 4, 1, 4), (16, 2, 2, 4), (3, 4, 1, 1), (1, 4, 2, 1), (6, 4, 1, 1.5)],
)
def test_a_micro_batch(batch: int, pp: int, dp: int, micro: float) -> None:
    """One micro-batch is max(1, batch/(pp·dp))."""
    assert ask("micro_batch", Llama, gpus=8, pp=pp, dp=dp, batch=batch) == micro


def test_a_memory_bound_step_on_eight_devices() -> None:
    """Weights once, the cache of all sequences, an all-reduce twice a layer around the ring."""
    given = {"gpus": 8, "context": 4096, "batch": 16}
    memory = ((Llama.blocks + Llama.head) * B16 / 8 + 16 * 4096 * Llama.kv / 8 * B16) / BANDWIDTH
    operations = 16 * 2 * ((Llama.blocks + Llama.head) + Llama.macs * 4096) / 8
    message = 2 * 7 / 8 * (16 * 8192 * B16) / LINK
    assert ask("decode_memory_time", Llama, **given) == near(memory)
    assert ask("decode_compute_time", Llama, **given) == near(operations / PEAK)
    assert ask("tp_comm_time", Llama, **given) == near(80 * 2 * message)
    assert ask("pp_comm_time", Llama, **given) == 0.0
    latency = memory + 160 * message
    assert ask("decode_latency", Llama, **given) == near(latency)
    assert ask("tokens_per_second", Llama, **given) == near(16 / latency)
    assert ask("tokens_per_second_per_user", Llama, **given) == near(1 / latency)
    assert ask("decode_latency", Llama, overlap_communication=1, **given) == near(max(memory, 160 * message))


def test_a_compute_bound_step() -> None:
    """At batch 1024 and no context, computing takes longer than reading."""
    given = {"gpus": 8, "context": 0, "batch": 1024}
    memory = (Llama.blocks + Llama.head) * B16 / 8 / BANDWIDTH
    compute = 1024 * 2 * (Llama.blocks + Llama.head) / 8 / PEAK
    assert compute > memory
    assert ask("decode_stage_time", Llama, **given) == near(compute)


def test_a_step_through_four_stages() -> None:
    """Every stage works on a micro-batch of 4; a token passes all stages and returns to the first."""
    given = {"gpus": 8, "tp": 2, "pp": 4, "context": 2048, "batch": 16}
    stage = (1 / 4 * (Llama.blocks + Llama.head) * B16 / 2 + 4 * 2048 * Llama.kv / 4 / 2 * B16) / BANDWIDTH
    message = 1 * (4 * 8192 * B16) / LINK  # two ranks: each sends its half twice, or all once
    hop = 4 * 8192 * B16 / STAGE_LINK
    latency = 4 * stage + 160 * message + 4 * hop
    assert ask("decode_stage_time", Llama, **given) == near(stage)
    assert ask("decode_latency", Llama, **given) == near(latency)
    assert ask("tokens_per_second", Llama, **given) == near(16 / latency)


def test_a_step_of_a_mixture_of_experts() -> None:
    """8 tokens touch 1 - (3/4)^8 of the experts; all groups' tokens count, all devices share the reading."""
    given = {"gpus": 8, "tp": 2, "pp": 2, "dp": 2, "context": 1000, "batch": 16}
    touched = 1 - (1 - 2 / 8) ** (4 * 2)
    read = 1 / 2 * ((Mixtral.blocks + Mixtral.head) * B16 / 2 + Mixtral.experts * B16 * touched / (2 * 2))
    cache = 4 * 1000 * Mixtral.kv / 2 / 2 * B16
    assert ask("experts_touched", Mixtral, **given) == near(8 * touched)
    assert ask("decode_memory_time", Mixtral, **given) == near((read + cache) / BANDWIDTH)
    active = Mixtral.blocks + Mixtral.experts * 2 / 8 + Mixtral.head
    operations = 4 * 1 / 2 * 1 / 2 * 2 * (active + Mixtral.macs * 1000)
    assert ask("decode_compute_time", Mixtral, **given) == near(operations / PEAK)


def test_no_context_reads_no_cache() -> None:
    """Context 0 is allowed and means that nothing is cached yet; it must be given all the same."""
    memory = (Llama.blocks + Llama.head) * B16 / 8 / BANDWIDTH
    assert ask("decode_memory_time", Llama, gpus=8, context=0) == near(memory)
    assert why("decode_memory_time", Llama, gpus=8).startswith("context is not given")


def test_replicas_are_whole_copies() -> None:
    """They change nothing of one replica's numbers."""
    given = {"gpus": 8, "context": 1000, "batch": 4}
    for name in ("decode_latency", "tokens_per_second", "memory_per_device"):
        assert ask(name, Llama, replicas=3, **given) == ask(name, Llama, **given)


def test_smaller_formats_shrink_weights_and_cache() -> None:
    """int8 weights are a byte each, an fp8 cache is half; the embedding of this format stays as it says."""
    given = {"gpus": 8, "context": 4096, "batch": 16}
    half = ask("kv_bytes_per_sequence_on_device", Llama, kv="fp8", **given)
    assert half == 4096 * Llama.kv / 8
    smaller = ask("weight_bytes_per_device", Llama, weights="fp8", **given)
    assert (Llama.blocks + Llama.embedding + Llama.head) / 8 <= smaller < Llama.blocks * B16 / 8


@pytest.mark.parametrize("batch", [1, 7, 64])
@pytest.mark.parametrize("given", [{"gpus": 8}, {"gpus": 8, "pp": 2}, {"gpus": 8, "dp": 4}])
def test_tokens_a_second_is_batch_over_latency_always(batch: int, given: dict[str, int]) -> None:
    """Whatever the plan, and whatever the profile."""
    for profile in ("ideal", "default"):
        plan = {
            **DEVICE,
            "model": Llama.model,
            **given,
            "profile": profile,
            "context": 100,
            "batch": batch,
            "weights": "fp8",
        }
        latency = tokensheet.evaluate("decode_latency", **plan)
        assert math.isclose(tokensheet.evaluate("tokens_per_second", **plan), batch / latency, rel_tol=1e-14)
