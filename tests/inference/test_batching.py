"""Which limit binds, and what batch follows, against scans and arithmetic by hand."""

from __future__ import annotations

import pytest

from tests.cells import number, reason
from tokensheet import planner

PLANS = [
    ("classic-52b", "classic-a100-40gb", 4, '"profile","kipply-2022"'),
    ("classic-70b-mha", "classic-4090", 8, '"profile","li-2023"'),
    ("classic-70b-mha", "classic-4090", 8, '"profile","li-2023";"tp",1;"pp",8'),
    ("llama-3.1-70b", "h100-sxm-80gb", 8, '"profile","default"'),
    ("llama-3.1-70b", "h100-sxm-80gb", 8, '"profile","default";"tp",2;"pp",2;"dp",2'),
    ("mixtral-8x7b", "h100-sxm-80gb", 4, '"profile","default"'),
    ("deepseek-v3", "h200-sxm-141gb", 16, '"profile","default";"weights","fp8"'),
    ("gemma-2-27b", "a100-sxm-80gb", 2, '"profile","default"'),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda p: f"{p[0]} {p[3]}")
@pytest.mark.parametrize("context", [0, 50, 3000])
def test_smallest_compute_bound_batch_by_scan(plan: tuple[str, str, int, str], context: int) -> None:
    """From this batch on a step waits for computing; one sequence less waits for memory, or there is none."""
    model, gpu, gpus, options = plan
    given = f'"{model}","{gpu}",{gpus},{context}'
    found = number(f"=COMPUTE_BOUND_BATCH({given},{{{options}}})")

    def bound(batch: float) -> bool:
        memory = number(f"=DECODE_MEMORY_TIME({given},{batch!r},{{{options}}})")
        return number(f"=DECODE_COMPUTE_TIME({given},{batch!r},{{{options}}})") >= memory * (1 - 1e-9)

    if found == 1e300:
        assert not any(bound(b) for b in (1.0, 10.0, 1e3, 1e5, 1e7))
    else:
        assert bound(found) and bound(found * 3)
        assert found == 1 or not bound(found - 1)
    largest = number(f"=MAX_BATCH({given},{{{options}}})") if context else 1e300
    assert number(f"=WORTHWHILE_BATCH({given},{{{options}}})") == min(found, largest)
    assert number(f"=CAPACITY_BINDS({given},{{{options}}})") == (largest < found)


def test_without_a_cache_memory_sets_no_limit() -> None:
    """At context 0 there is no largest batch, and a number would look like one; what does not fit stays 0."""
    assert reason('=MAX_BATCH("llama-3.1-8b","h100-sxm-80gb",1,0)') == (
        "MAX_BATCH: max_batch.per_group: divides by zero: `kv_bytes_per_sequence_on_device` is 0"
    )
    assert number('=MAX_BATCH("llama-2-70b","rtx-4090",1,0)') == 0
    assert number('=WORTHWHILE_BATCH("llama-3.1-8b","h100-sxm-80gb",1,0)') == number(
        '=COMPUTE_BOUND_BATCH("llama-3.1-8b","h100-sxm-80gb",1,0)'
    )


def test_smallest_compute_bound_batch_by_hand() -> None:
    """The ridge, moved by what each sequence's cache takes to read."""
    weights, compute, cache = 24 * 64 * 8192**2, 24 * 64 * 8192**2, 100 * 4 * 64 * 8192
    right = weights / 1.5e12 / (compute / 312e12 - cache / 1.5e12)
    found = number('=COMPUTE_BOUND_BATCH("classic-52b","classic-a100-40gb",4,100,{"profile","kipply-2022"})')
    assert found - 1 < right <= found
    assert (
        number('=COMPUTE_BOUND_BATCH("classic-52b","classic-a100-40gb",8,0,{"profile","kipply-2022"})') == 208
    )


@pytest.mark.parametrize(("batch", "bound"), [(1, 1), (207, 1), (208, 0), (500, 0)])
def test_memory_bound_below_the_ridge(batch: int, bound: int) -> None:
    text = f'=MEMORY_BOUND("classic-52b","classic-a100-40gb",4,0,{batch},{{"profile","kipply-2022"}})'
    assert number(text) == bound


@pytest.mark.parametrize(("gpus", "batch"), [(16, 1), (16, 512), (8, 100), (1, 5)])
def test_both_regimes_by_hand(gpus: int, batch: int) -> None:
    """Small: weights and the latency of messages. Large: operations and their transfer."""
    given = f'"classic-gopher-260b","classic-a100-40gb",{gpus},0,{batch},{{"profile","kipply-2022"}}'
    messages = 320 if gpus > 1 else 0
    small = 520e9 / gpus / 1.5e12 + messages * 8e-6
    large = batch * 520e9 / gpus / 312e12 + messages * batch * 2 * 16384 / 300e9
    assert number(f"=SMALL_BATCH_LATENCY({given})") == pytest.approx(small, rel=1e-12)
    assert number(f"=LARGE_BATCH_LATENCY({given})") == pytest.approx(large, rel=1e-12)


@pytest.mark.parametrize("prompt", [1, 7, 16, 100, 208, 209, 5000])
def test_largest_memory_bound_prefill_by_hand(prompt: int) -> None:
    """As many prompts as the ridge of 208 tokens holds."""
    text = f'=MEMORY_BOUND_PREFILL_BATCH("classic-52b","classic-a100-40gb",4,{prompt},{{"profile","kipply-2022"}})'
    assert number(text) == 208 // prompt


@pytest.mark.parametrize(("prompt", "batch"), [(512, 1), (100, 1), (400, 3)])
def test_prefill_by_the_ridge_by_hand(prompt: int, batch: int) -> None:
    """One decode step for each 208 tokens, and one at least."""
    step = 24 * 40 * 5120**2 / 1.5e12 + prompt * 4 * 40 * 5120 / 1.5e12
    text = f'=PREFILL_RIDGE_TIME("classic-13b","classic-a100-40gb",1,{prompt},{batch},{{"profile","kipply-2022"}})'
    assert number(text) == pytest.approx(step * max(1, prompt * batch / 208), rel=1e-12)


@pytest.mark.parametrize(("batch", "gpus"), [(1, 8), (330, 8), (1000, 16)])
def test_share_of_computing_used_by_hand(batch: int, gpus: int) -> None:
    step = max(140e9 / gpus / 1e12, batch * 140e9 / gpus / 330e12) + 160 * max(30e-6, batch * 16384 / 32e9)
    text = f'=COMPUTE_UTILIZATION("classic-70b-mha","classic-4090",{gpus},0,{batch},{{"profile","li-2023"}})'
    assert number(text) == pytest.approx(batch * 140e9 / (step * gpus * 330e12), rel=1e-12)


@pytest.mark.parametrize(("link", "rate"), [("eth-1", 125e6), ("eth-10", 1.25e9), ("roce-25", 3.125e9)])
@pytest.mark.parametrize(("batch", "latency"), [(1, 0.00025), (80, 0.0), (8000, 0.001)])
def test_duty_cycle_by_hand(link: str, rate: float, batch: int, latency: float) -> None:
    """Data on the wire over the stage and its hop."""
    micro = max(1, batch / 8)
    stage, wire = max(0.0175, micro * 140e9 / 8 / 330e12), micro * 16384 / rate
    text = (
        f'=NETWORK_DUTY_CYCLE("classic-70b-mha","classic-4090",8,0,{batch},{{"profile","li-2023";"tp",1;"pp",8;'
        f'"stage_interconnect","{link}";"stage_message_latency",{latency!r}}})'
    )
    assert number(text) == pytest.approx(wire / (stage + latency + wire), rel=1e-12)


def test_no_network_in_a_pipeline_of_one() -> None:
    assert number('=NETWORK_DUTY_CYCLE("classic-70b-mha","classic-4090",8,0,1,{"profile","li-2023"})') == 0


@pytest.mark.parametrize("plan", [p for p in PLANS if '"pp"' not in p[3]], ids=lambda p: p[0])
@pytest.mark.parametrize("batch", [1, 64])
@pytest.mark.parametrize("context", [0, 1000])
def test_no_number_of_devices_beats_the_floor(
    plan: tuple[str, str, int, str], batch: int, context: int
) -> None:
    """Tensor parallelism over 2, 4, 8 … 64 devices stays above it, fitting in memory or not."""
    model, gpu, _, options = plan
    floor = number(f'=DECODE_LATENCY_FLOOR("{model}","{gpu}",{context},{batch},{{{options}}})')
    words = options.replace(";", ",").replace('"', "").split(",")
    given: dict[str, object] = dict(zip(words[::2], words[1::2], strict=True))
    given |= {"model": model, "gpu": gpu, "context": context, "batch": batch, "device_memory_bytes": 1e15}
    reached = [
        planner().evaluate("decode_latency", gpus=gpus, uneven_sharding=1, **given)
        for gpus in (2, 4, 8, 16, 32, 64, 128)
    ]
    assert floor <= min(reached)
    assert floor > 0


@pytest.mark.parametrize(("gpus", "measured"), [(1, 0.022), (2, 0.0135), (2, 0.001)])
def test_reckoned_over_measured_by_hand(gpus: int, measured: float) -> None:
    step = 24 * 40 * 5120**2 / gpus / 1.5e12 + (gpus > 1) * 160 * (8e-6 + 2 * 5120 / 300e9)
    text = f'=LATENCY_OVER_MEASURED("classic-13b","classic-a100-40gb",{gpus},0,{measured},1,{{"profile","kipply-2022"}})'
    assert number(text) == pytest.approx(step / measured, rel=1e-12)
