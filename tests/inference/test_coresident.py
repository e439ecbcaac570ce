"""Models on the same devices: weights side by side, room and time divided, loads that add up; by hand."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet
from tests.cells import number

ENGINE: dict[str, Any] = {
    "profile": "ideal",
    "memory_reserve": 0.1,
    "activation_tokens": 1000,
    "runtime_bytes": 1e9,
}
ONE: dict[str, Any] = {
    **ENGINE, "model": "llama-3.1-8b", "gpu": "h100-sxm-80gb", "gpus": 1, "prompt": 1000, "output": 200, "request_rate": 5,
}  # fmt: skip
TWO: dict[str, Any] = {**ONE, "second_model": "qwen3-8b", "second_model_rate": 2, "second_model_output": 400}
THREE: dict[str, Any] = {**TWO, "third_model": "gemma-2-9b", "third_model_rate": 1, "third_weights": "fp8"}
SECOND: dict[str, Any] = {**ONE, "model": "qwen3-8b", "output": 400, "request_rate": 2}


def ask(name: str, plan: dict[str, Any], **more: Any) -> float:
    return float(tokensheet.evaluate(name, **{**plan, **more}))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-9)


def test_all_weights_lie_on_every_device() -> None:
    """What a device offers, less weights, activations and runtime of each of the three."""
    available = ask("memory_available", ONE)
    held = 0.0
    for model, weights in (("llama-3.1-8b", "bf16"), ("qwen3-8b", "bf16"), ("gemma-2-9b", "fp8")):
        plan = {**ONE, "model": model, "weights": weights}
        held += ask("weight_bytes_per_device", plan) + 1000 * ask("d_model", plan) * 2 + 1e9
    assert ask("coresident_models", THREE) == 3
    assert ask("coresident_room", THREE) == near(available - held)


def test_the_room_is_divided() -> None:
    """Evenly unless shares are given; a model without requests has none."""
    room = ask("coresident_room", THREE)
    assert [ask(f"{n}_model_room", THREE) for n in ("first", "second", "third")] == near([room / 3] * 3)
    shares = {"second_model_room_share": 0.5, "third_model_room_share": 0.1}
    wanted = [0.4 * room, 0.5 * room, 0.1 * room]
    assert [ask(f"{n}_model_room", THREE, **shares) for n in ("first", "second", "third")] == near(wanted)
    assert ask("first_model_room", ONE) == near(ask("cache_room", ONE))


def test_loads_add_up() -> None:
    """Each over the capacity of a replica with its room alone."""
    room = ask("coresident_room", TWO) / 2
    first = 5 / ask("replica_capacity", ONE, cache_room=room)
    second = 2 / ask("replica_capacity", SECOND, cache_room=room)
    assert ask("coresident_utilization", TWO) == near(first + second)
    assert ask("coresident_utilization", TWO, replicas=2) == near((first + second) / 2)


@pytest.mark.parametrize("percentile", [0, 0.95])
@pytest.mark.slow
def test_a_model_is_as_slow_as_its_share_of_the_time(percentile: float) -> None:
    """Its load and half of what is left: then steps and prefills of that device are so much longer."""
    room = ask("coresident_room", TWO) / 2
    loads = [ask(f"{n}_model_load", TWO) for n in ("first", "second")]
    for node, plan, own in (("coresident", ONE, loads[0]), ("second_model", SECOND, loads[1])):
        share = own + (1 - sum(loads)) / 2
        for what in ("ttft", "tpot"):
            alone = ask(what, plan, cache_room=room, time_scale=1 / share, percentile=percentile)
            assert ask(f"{node}_{what}", TWO, percentile=percentile) == near(alone)


def test_shares_of_the_time_may_be_given() -> None:
    """No more than all of it together."""
    shares = {"first_model_time_share": 0.8, "second_model_time_share": 0.2}
    room = ask("coresident_room", TWO) / 2
    assert ask("coresident_tpot", TWO, **shares) == near(
        ask("tpot", ONE, cache_room=room, time_scale=1 / 0.8)
    )
    assert tokensheet.why(
        "coresident_tpot", **TWO, first_model_time_share=0.8, second_model_time_share=0.3
    ).startswith("the models' shares of the time are 0.8, 0.3 and ")


def test_alone_it_is_the_plain_model() -> None:
    """Without a second rate nothing is shared, and nobody asks for a second model."""
    assert ask("coresident_ttft", ONE, percentile=0.95) == near(ask("ttft", ONE, percentile=0.95))
    assert (
        ask("coresident_targets_hold", ONE, target_tpot=0.02)
        == ask("targets_hold", ONE, target_tpot=0.02)
        == 1
    )


@pytest.mark.slow
def test_targets_of_all_models_must_hold() -> None:
    """A target of the second that it misses fails them all."""
    easy = {"target_ttft": 5, "target_tpot": 0.5}
    assert ask("coresident_targets_hold", THREE, **easy) == 1
    assert ask("coresident_targets_hold", THREE, **easy, second_model_target_tpot=1e-4) == 0
    assert ask("coresident_targets_hold", THREE, **easy, third_model_target_ttft=1e-4) == 0


def test_what_does_not_fit_and_what_is_unstable() -> None:
    """Both say so, and give no latency."""
    large = tokensheet.why("coresident_tpot", **{**TWO, "second_model": "llama-3.1-70b"})
    assert large.startswith(
        "the models do not fit on 1 × h100-sxm-80gb together: on the fullest device their weights take "
    )
    busy = tokensheet.why("coresident_ttft", **{**TWO, "second_model_rate": 500})
    assert busy.startswith("unstable: the models together take ")


@pytest.mark.slow
def test_models_beside_each_other_in_a_cell() -> None:
    plan = '"llama-3.1-8b","h100-sxm-80gb",1,1000,200,5,"qwen3-8b",2'
    assert 0 < number(f"=CORESIDENT_UTILIZATION({plan})") < 1
    assert number(f"=CORESIDENT_TTFT({plan},0.95)") > number(f"=CORESIDENT_TTFT({plan})")
    assert number(f"=CORESIDENT_TPOT({plan})") > number('=TPOT("llama-3.1-8b","h100-sxm-80gb",1,1000,200,5)')
