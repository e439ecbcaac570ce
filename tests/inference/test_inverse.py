"""Questions turned round: no pinned answers, each is checked against a scan over the plain functions."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet
from tests.cells import number, reason

PLANS: list[tuple[str, str, int, dict[str, Any]]] = [
    ("classic-70b-mha", "classic-4090", 8, {"profile": "li-2023"}),
    (
        "classic-70b-mha",
        "classic-4090",
        8,
        {"profile": "li-2023", "tp": 1, "pp": 8, "stage_interconnect": "eth-1"},
    ),
    ("classic-70b-mha", "classic-4090", 8, {"profile": "li-2023", "overlap_communication": 1}),
    (
        "classic-70b-mha",
        "classic-4090",
        8,
        {"profile": "li-2023", "tp": 4, "pp": 2, "stage_interconnect": "roce-25"},
    ),
    ("classic-52b", "classic-a100-40gb", 8, {"profile": "kipply-2022"}),
    ("classic-52b", "classic-a100-40gb", 8, {"profile": "kipply-2022", "overlap_communication": 1}),
    ("llama-3.1-70b", "h100-sxm-80gb", 8, {}),
    ("llama-3.1-70b", "h100-sxm-80gb", 8, {"tp": 4, "pp": 2}),
    ("llama-3.1-70b", "h100-sxm-80gb", 8, {"tp": 2, "pp": 2, "dp": 2}),
    ("llama-3.1-70b", "h100-sxm-80gb", 8, {"overlap_communication": 1}),
    ("llama-3.1-8b", "rtx-4090", 1, {}),
    ("mixtral-8x7b", "h100-sxm-80gb", 4, {}),
    ("mixtral-8x7b", "h100-sxm-80gb", 4, {"tp": 2, "dp": 2}),
    ("deepseek-v3", "h200-sxm-141gb", 16, {"weights": "fp8"}),
    ("qwen3-235b-a22b", "h200-sxm-141gb", 8, {}),
    ("gemma-2-27b", "a100-sxm-80gb", 2, {"kv": "fp8"}),
]
LARGEST = 3000


@pytest.mark.parametrize("plan", PLANS, ids=lambda p: f"{p[0]} {p[3]}")
@pytest.mark.parametrize("context", [0, 100, 2048])
@pytest.mark.slow
def test_largest_batch_at_a_rate_by_scan(plan: tuple[str, str, int, dict[str, Any]], context: int) -> None:
    """The last batch of a scan whose step is no longer than the rate allows, whatever the rate."""
    model, gpu, gpus, options = plan
    given = {"model": model, "gpu": gpu, "gpus": gpus, "context": context, **options}
    fitting = tokensheet.evaluate("batch_room", **given)
    top = int(min(fitting, LARGEST))
    steps = [tokensheet.evaluate("decode_latency", batch=float(b), **given) for b in range(1, top + 1)]
    assert steps == sorted(steps)
    checked = 0
    for times in (0.9, 1.0001, 1.01, 1.1, 1.5, 2, 3, 5, 10, 50):
        longest = steps[0] * times
        right = sum(step <= longest for step in steps)
        if right < top or top == fitting:
            found = tokensheet.evaluate("batch_for_rate", token_rate=1 / longest, **given)
            assert found == right, f"at {times} times the shortest step"
            checked += 1
    assert checked >= 3


def test_whole_micro_batches_of_the_article() -> None:
    """57 sequences at five tokens a second over 1 Gb/s: one more is too slow."""
    options = '{"profile","li-2023";"tp",1;"pp",8;"stage_interconnect","eth-1";"stage_message_latency",0}'
    plan = '"classic-70b-mha","classic-4090",8,0'
    micro = number(f"=MICRO_BATCH_FOR_RATE({plan},5,{options})")
    assert micro == (0.06 / 8 * 125e6) // 16384
    assert number(f"=DECODE_LATENCY({plan},{8 * micro!r},{options})") <= 0.2
    assert number(f"=DECODE_LATENCY({plan},{8 * (micro + 1)!r},{options})") > 0.2


@pytest.mark.parametrize(("link", "rate"), [("eth-1", 125e6), ("eth-10", 1.25e9), ("roce-25", 3.125e9)])
@pytest.mark.parametrize("wanted", [1, 2, 4, 6, 7])
def test_micro_batch_over_other_networks_by_hand(link: str, rate: float, wanted: int) -> None:
    """What is left of the step after eight stages of 17.5 ms, or of computing, goes over the network."""
    options = f'{{"profile","li-2023";"tp",1;"pp",8;"stage_interconnect","{link}";"stage_message_latency",0}}'
    reading = (1 / wanted - 0.14) / 8 * rate / 16384
    computing = 1 / wanted / (140e9 / 330e12 + 8 * 16384 / rate)
    found = number(f'=MICRO_BATCH_FOR_RATE("classic-70b-mha","classic-4090",8,0,{wanted},{options})')
    assert found == max(0, min(reading, computing)) // 1


@pytest.mark.parametrize(
    "plan", [p for p in PLANS if not {"tp", "pp", "dp"} & set(p[3])], ids=lambda p: f"{p[0]} {p[3]}"
)
@pytest.mark.parametrize("batch", [1, 40])
@pytest.mark.parametrize("wanted", [2, 15, 60, 200, 5000])
@pytest.mark.slow
def test_fewest_devices_by_scan(
    plan: tuple[str, str, int, dict[str, Any]], batch: int, wanted: float
) -> None:
    """The first power of two that fits and is fast enough, or an error that says what no number beats."""
    model, gpu, _, options = plan
    given = {"model": model, "gpu": gpu, "context": 500, "batch": batch, **options}
    right = None
    for gpus in (128, 64, 32, 16, 8, 4, 2, 1):
        possible = not tokensheet.why("decode_latency", gpus=gpus, **given)
        if possible and 1 / tokensheet.evaluate("decode_latency", gpus=gpus, **given) >= wanted:
            right = gpus
    if right is None:
        assert "DECODE_LATENCY_FLOOR" in tokensheet.why("gpus_for_rate", token_rate=wanted, **given)
    else:
        assert tokensheet.evaluate("gpus_for_rate", token_rate=wanted, **given) == right


def test_a_rate_must_be_above_0() -> None:
    assert "must be above 0" in reason('=BATCH_FOR_RATE("llama-3.1-8b","rtx-4090",1,100,0)')
