"""Experts over ranks: what the fullest device holds, what the busiest reads and computes, and the messages, by hand."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet
from tests.cells import reason

PLAN: dict[str, Any] = {
    "profile": "ideal", "model": "deepseek-v3", "gpu": "h200-sxm-141gb", "gpus": 16, "weights": "int8", "context": 1000,
    "batch": 256, "message_latency": 5e-6, "link_rate": 100e9,
}  # fmt: skip
EXPERTS = 58 * 256 * 3 * 7168 * 2048
"""DeepSeek-V3: 58 layers of 256 experts with three matrices of 7168 × 2048; 8 experts a token."""


def ask(name: str, plan: dict[str, Any] = PLAN, **more: Any) -> float:
    return float(tokensheet.evaluate(name, **{**plan, **more}))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-12)


# ---- what a device holds


@pytest.mark.parametrize(
    ("given", "share"),
    [
        ({}, 1 / 16),
        ({"ep": 16}, 1 / 16),
        ({"ep": 4}, 1 / 16),
        ({"dp": 16, "ep": 16}, 1 / 16),
        ({"pp": 2, "ep": 8}, 31 / 61 / 8),
        ({"gpus": 12, "ep": 12, "uneven_sharding": 1}, 22 / 256),
        ({"gpus": 12, "uneven_sharding": 1}, 1 / 12),
    ],
)
def test_experts_of_the_fullest_device(given: dict[str, float], share: float) -> None:
    """Whole experts on ranks, slices inside a rank; 12 ranks of 256 experts: the fullest has 22 of them."""
    assert ask("expert_bytes_per_device", **given) == near(EXPERTS * share)
    others = ask("weight_bytes_per_device", **given, expert_bytes=0)
    assert ask("weight_bytes_per_device", **given) == near(others + EXPERTS * share)


def test_a_rank_reads_the_experts_that_its_tokens_touch() -> None:
    """256 tokens touch 1 - (1 - 8/256)^256 of the experts; where 1.5 times as many come to a rank, more of its own."""
    touched = 1 - (1 - 8 / 256) ** 256
    busiest = 1 - (1 - 8 / 256) ** (1.5 * 256)
    assert ask("expert_read_bytes", ep=16) == near(EXPERTS / 16 * touched)
    assert ask("expert_read_bytes", ep=16, expert_imbalance=1.5) == near(EXPERTS / 16 * busiest)
    assert ask("expert_read_bytes", expert_imbalance=1.5) == near(EXPERTS / 16 * touched)


def test_the_busiest_rank_computes_its_tokens() -> None:
    """Only operations with experts grow by the imbalance, in decode steps and in prefill; slices are even."""
    of_experts = 2 * EXPERTS * 8 / 256
    all_of_them = ask("flops_per_token")
    even, uneven = (ask("matrix_compute_time", ep=16, expert_imbalance=i) for i in (1, 1.5))
    assert uneven / even == near((all_of_them + 0.5 * of_experts) / all_of_them)
    assert ask("matrix_compute_time", expert_imbalance=1.5) == near(even)
    prompt = {"prompt": 1000, "ep": 16}
    even, uneven = (ask("prefill_compute_time", **prompt, expert_imbalance=i) for i in (1, 1.5))
    # between tokens the int8 units do nothing: 16-bit operations take twice as long
    between = ask("prefill_attention_flops", **prompt)
    total = ask("prefill_flops", **prompt) + (1979 / 989.4 - 1) * between
    assert uneven / even == near((total + 0.5 * 1000 * of_experts) / total)


# ---- messages


def test_all_to_all_by_hand() -> None:
    """58 layers; 256/16 tokens × 8 experts × 15/16 × 7168 × (1 + 2) bytes, twice 5 µs, over 100 GB/s; 1.5 on the busiest."""
    moved = 256 / 16 * 8 * 15 / 16 * 7168 * 3
    assert ask("all_to_all_time", ep=16) == near(58 * (1e-5 + moved / 100e9))
    assert ask("all_to_all_time", ep=16, expert_imbalance=1.5) == near(58 * (1e-5 + 1.5 * moved / 100e9))
    assert ask("all_to_all_time", ep=1) == 0
    assert ask("expert_comm_time", ep=16, model="llama-3.1-70b") == 0


def test_a_single_sequence_is_in_one_group() -> None:
    """One token of 16 groups: its device sends all of it, the others nothing."""
    moved = 1 * 8 * 15 / 16 * 7168 * 3
    assert ask("all_to_all_time", ep=16, dp=16, batch=1) == near(58 * (1e-5 + moved / 100e9))


def test_groups_that_share_slices_gather_their_tokens() -> None:
    """dp 16 without ranks of whole experts: each device gets the 15 × 16 tokens of the others, and sends sums back."""
    moved = 15 * 16 * 7168 * 3
    assert ask("expert_comm_time", dp=16) == near(58 * (1e-5 + moved / 100e9))
    assert ask("expert_comm_time") == 0


@pytest.mark.parametrize("given", [{"ep": 16}, {"ep": 16, "dp": 16}, {"dp": 4}, {"ep": 8, "pp": 2}])
def test_messages_are_in_steps_prompts_and_requests(given: dict[str, float]) -> None:
    """A step, a prefill and the steps of a request grow by the experts' messages, the largest batch at a rate falls."""
    plan = {**PLAN, **given, "prompt": 300, "output": 20}
    silent = {**plan, "expert_comm_time": 0}
    grown = ask("expert_comm_time", plan)
    assert ask("step_time", plan) - ask("step_time", silent) == pytest.approx(grown, rel=1e-9)
    steps = ask("decode_steps_time", plan) - ask("decode_steps_time", silent)
    assert steps == pytest.approx(19 * grown, rel=1e-9)
    turns, tokens = ask("prefill_turns", plan), ask("turn_tokens", plan)
    prompts = ask("prefill_time", plan) - ask("prefill_time", silent)
    in_turns = 1 + (turns - 1) * ask("stage_share", plan)  # stages send at the same time
    assert prompts == pytest.approx(in_turns * ask("expert_comm_time", plan, micro_batch=tokens), rel=1e-9)


def test_spread_experts_need_no_sum_over_shards() -> None:
    """58 of 61 layers have one message instead of two."""
    assert ask("tp_messages", messages_per_layer=2) == 122
    assert ask("tp_messages", messages_per_layer=2, ep=16) == 3 * 2 + 58
    assert ask("tp_messages", messages_per_layer=2, ep=16, model="llama-3.1-70b") == 160


@pytest.mark.parametrize(
    "given", [{"ep": 16}, {"ep": 16, "dp": 8}, {"dp": 4}, {"ep": 16, "expert_imbalance": 2}]
)
def test_the_largest_batch_at_a_rate_counts_the_messages(given: dict[str, float]) -> None:
    """It is fast enough, and one sequence in each group more is not."""
    plan = {**PLAN, **given, "token_rate": 40}
    batch = ask("batch_for_rate", plan, batch_room=1e9)
    steps = [ask("step_time", plan, batch=batch + more) for more in (0, given.get("dp", 1))]
    assert steps[0] <= 1 / 40 * (1 + 1e-9) < steps[1]


def test_one_name_for_both() -> None:
    """DECODE_LATENCY with `ep` is EXPERT_PARALLEL_LATENCY."""
    assert ask("expert_parallel_latency", ep=16) == ask("decode_latency", ep=16) > 0


# ---- what cannot be


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"ep": 7}, "ep 7 does not divide the 16 devices of a stage (tp 16 × dp 1); choose a divisor"),
        ({"ep": 16, "pp": 2}, "ep 16 does not divide the 8 devices of a stage (tp 8 × dp 1); choose a divisor"),
        ({"ep": 16, "model": "mixtral-8x7b"}, "ep 16 does not divide the 8 experts of mixtral-8x7b; choose a divisor, "
         "or set uneven_sharding to 1"),
    ],
)  # fmt: skip
def test_ranks_must_divide(given: dict[str, Any], says: str) -> None:
    """Results refuse it, parts answer."""
    for name in ("decode_latency", "expert_parallel_latency"):
        assert tokensheet.why(name, **{**PLAN, **given}) == says
    plan = {**PLAN, **given, "prompt": 10, "output": 5}
    for name in ("prefill_latency", "request_latency", "ttft"):
        more = {"request_rate": 0.1} if name == "ttft" else {}
        assert tokensheet.why(name, **plan, **more) == says
    assert tokensheet.why("decode_memory_time", **{**PLAN, **given}) == ""


def test_ranks_in_a_cell() -> None:
    assert reason('=DECODE_LATENCY("deepseek-v3","h200-sxm-141gb",16,1000,1,"weights=fp8; ep=3")').startswith(
        "DECODE_LATENCY: ep 3 does not divide the 16 devices"
    )


def test_tensor_parallelism_beyond_a_node_is_warned_of() -> None:
    """Sixteen devices on links that join eight: the answer stands, and the explanation says it."""
    _, warnings = tokensheet.planner().explain("decode_latency", **PLAN)
    wanted = "tp 16 goes beyond the 8 devices that one link joins: messages of every layer cross the network; use pp across nodes"
    assert wanted in warnings
    assert wanted not in tokensheet.planner().explain("decode_latency", **{**PLAN, "pp": 2})[1]


# ---- between nodes

MEASURED = [
    # ranks, seconds of dispatch and combine: DeepEP on nodes of eight H800, a card of 50 GB/s each (its documentation)
    (16, 118e-6 + 195e-6),
    (32, 155e-6 + 273e-6),
    (64, 173e-6 + 314e-6),
    (128, 192e-6 + 369e-6),
    (256, 194e-6 + 360e-6),
]
BETWEEN: dict[str, Any] = {
    "profile": "default", "model": "deepseek-v3", "gpu": "h800-sxm-80gb", "weights": "fp8-block", "expert_imbalance": 1,
    "node_link_bandwidth": 400e9,
}  # fmt: skip


@pytest.mark.parametrize(("ranks", "seconds"), MEASURED)
def test_between_nodes_an_all_to_all_takes_what_one_card_carries(ranks: int, seconds: float) -> None:
    """128 tokens a device, 7168 wide, fp8 to the experts and bf16 back: measured within a sixth."""
    plan = {**BETWEEN, "gpus": ranks, "dp": ranks, "ep": ranks, "batch": 128 * ranks}
    assert ask("all_to_all_time", plan) / 58 == pytest.approx(seconds, rel=1 / 6)


def test_what_leaves_the_node_takes_its_part_of_the_network() -> None:
    """16 devices in two nodes: 8 of the 15 others are outside, over 400 GB/s of which each device has an eighth."""
    plan = {**BETWEEN, "gpus": 16, "dp": 16, "ep": 16}
    assert ask("outside_share", plan) == near(8 / 15)
    assert ask("all_to_all_rate", plan) == near(50e9 * 0.7 * 15 / 8)
    assert ask("all_to_all_rate", plan, node_link_bandwidth=1e15) == near(200e9 * 0.7)
    assert ask("all_to_all_rate", {**plan, "gpus": 8, "dp": 8, "ep": 8}) == near(200e9 * 0.7)


@pytest.mark.parametrize(
    ("gpu", "gpus", "rate"), [("gb200", 32, 900e9), ("gb300", 72, 900e9), ("gb200", 144, None)]
)
def test_a_rack_of_72_is_one_domain(gpu: str, gpus: int, rate: float | None) -> None:
    """NVL72: all 72 devices of a rack are joined by NVLink; two racks are not, and each eight have a node's network."""
    plan = {**BETWEEN, "gpu": gpu, "gpus": gpus, "dp": gpus, "ep": gpus, "uneven_sharding": 1}
    wanted = 400e9 / 8 * 143 / 72 if rate is None else rate
    assert ask("all_to_all_rate", plan) == near(wanted * 0.7)
