"""Several models on one fleet: replicas of each, nodes that they share, shares of the cost; by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

import tokensheet
from tests.cells import number, reason

PLAN: dict[str, Any] = {
    "model": "llama-3.1-70b", "gpu": "h100-sxm-80gb", "gpus": 8, "prompt": 2048, "output": 256, "request_rate": 20,
}  # fmt: skip
TWO: dict[str, Any] = {
    **PLAN, "second_model": "llama-3.1-8b", "second_model_rate": 30, "second_model_gpus": 1, "second_model_output": 100,
}  # fmt: skip


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **given))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-12)


@pytest.mark.slow
def test_each_model_has_the_replicas_that_it_would_have_alone() -> None:
    """Its own devices, requests, format and targets; no cached prefixes and no long prompts of the first one's."""
    more = {
        "second_weights": "fp8", "second_model_prompt": 700, "second_model_target_tpot": 0.02, "shared_prefix": 1000,
        "prefix_hit_share": 0.9, "long_share": 0.1, "long_prompt": 9000, "target_ttft": 2.0, "target_tpot": 0.05,
    }  # fmt: skip
    alone = {
        "model": "llama-3.1-8b",
        "gpu": "h100-sxm-80gb",
        "gpus": 1,
        "prompt": 700,
        "output": 100,
        "request_rate": 30,
    }
    wanted = ask("replicas_needed", **alone, weights="fp8", target_ttft=2.0, target_tpot=0.02)
    assert ask("second_model_replicas", **TWO, **more) == wanted
    third = {k.replace("second", "third"): v for k, v in {**TWO, **more}.items() if k.startswith("second")}
    assert ask("third_model_replicas", **PLAN, **more, **third) == wanted
    first = {k: v for k, v in more.items() if not k.startswith("second")}
    assert ask("first_model_nodes", **TWO, **more) == ask("replicas_needed", **PLAN, **first)


@pytest.mark.slow
def test_parallel_degrees_of_the_first_are_not_those_of_the_second() -> None:
    """pp 2 of eight devices says nothing about one device."""
    assert ask("second_model_replicas", **TWO, pp=2) == ask("second_model_replicas", **TWO)
    assert ask("second_model_replicas", **{**TWO, "second_model_gpus": 2}, second_model_pp=2) >= 2


REPLICAS = [
    pytest.param((3, 8), (5, 1), (0, 1), 8, 4, id="five of one device in a node of eight"),
    pytest.param((2, 4), (3, 2), (1, 1), 8, 2, id="1 + 3/4 + 1/8 of a node"),
    pytest.param((2, 4), (5, 2), (1, 1), 8, 3, id="1 + 5/4 + 1/8"),
    pytest.param((2, 16), (1, 8), (2, 4), 8, 6, id="replicas of two nodes"),
    pytest.param((1, 24), (1, 14), (1, 14), 72, 3, id="3 and 5 of a node leave gaps: nodes of their own"),
    pytest.param((3, 24), (5, 12), (0, 1), 72, 2, id="3 and 6 of a node share: 1 + 5/6"),
    pytest.param((1, 3), (1, 5), (0, 1), 8, 2, id="3 and 5 devices: half a node and a whole one"),
]


@pytest.mark.parametrize(("first", "second", "third", "node", "nodes"), REPLICAS)
def test_models_share_nodes(
    first: tuple[int, int], second: tuple[int, int], third: tuple[int, int], node: int, nodes: int
) -> None:
    """(replicas, devices of each): parts of nodes add up where they leave no gaps; and they can really be packed so."""
    given = {
        "gpus": first[1], "replicas_needed": first[0], "second_model_gpus": second[1], "second_model_replicas": second[0],
        "third_model_gpus": third[1], "third_model_replicas": third[0], "node_gpus": node,
    }  # fmt: skip
    assert ask("pool_nodes", **given) == nodes
    assert ask("pool_gpus", **given) == nodes * node
    assert ask("pool_racks", **given) == math.ceil(nodes / 4)
    assert packed([first, second, third], node) <= nodes
    assert ask("pool_nodes", **given, other_nodes=2.5) >= nodes + 2


def packed(models: list[tuple[int, int]], node: int) -> int:
    """Nodes when the largest replicas are placed first, each in the first node with room."""
    free: list[int] = []
    for gpus, count in sorted(((g, n) for n, g in models), reverse=True):
        for _ in range(count):
            if gpus > node:
                free += [0] * math.ceil(gpus / node)
            elif (place := next((i for i, room in enumerate(free) if room >= gpus), None)) is not None:
                free[place] -= gpus
            else:
                free.append(node - gpus)
    return len(free)


@pytest.mark.slow
def test_a_pool_of_one_model_is_its_fleet() -> None:
    nodes = ask("fleet_nodes", gpus=8, replicas=ask("replicas_needed", **PLAN))
    assert ask("pool_nodes", **PLAN) == nodes
    assert ask("pool_monthly_cost", **PLAN, rent_per_gpu_hour=2) == near(nodes * 8 * 2 * 730)


def test_the_pools_cost_is_shared_by_nodes() -> None:
    """Three nodes of the first, 5/8 of one of the second: four nodes of eight devices at two dollars."""
    given = {**TWO, "replicas_needed": 3, "second_model_replicas": 5, "rent_per_gpu_hour": 2}
    cost = 4 * 8 * 2 * 730
    assert ask("pool_monthly_cost", **given) == near(cost)
    assert ask("first_model_monthly_cost", **given) == near(cost * 3 / 3.625)
    assert ask("second_model_monthly_cost", **given) == near(cost * 0.625 / 3.625)
    assert ask("third_model_monthly_cost", **given) == 0


@pytest.mark.parametrize("other", [0, 0.5, 20])
def test_shares_of_the_pool_are_one_with_the_other_nodes(other: float) -> None:
    """Three nodes of the first, 5/8 of the second, two of the third and others: nobody pays for what others fill."""
    given = {**TWO, "replicas_needed": 3, "second_model_replicas": 5, "third_model_replicas": 2, "third_model_gpus": 8,
             "other_nodes": other, "rent_per_gpu_hour": 2}  # fmt: skip
    names = ("first_model", "second_model", "third_model", "other_nodes")
    assert sum(ask(f"{n}_share", **given) for n in names) == near(1)
    whole = ask("pool_monthly_cost", **given)
    assert sum(ask(f"{n}_monthly_cost", **given) for n in names) == near(whole)
    assert ask("first_model_monthly_cost", **given) == near(whole * 3 / (5.625 + other))
    gap = 8 * 2 * 730
    assert ask("first_model_monthly_cost", **given) <= 3 * gap * (1 + 1 / (5.625 + other))


def test_models_on_the_same_devices_add_their_loads() -> None:
    """2.9 replicas' worth of load at 0.7 are five, and a spare one; a hundredth is down."""
    given = {**TWO, "coresident_utilization": 2.9, "coresident_room": 1e9}
    assert ask("coresident_replicas_needed", **given) == math.ceil(2.9 / 0.7) + 1
    assert ask("coresident_replicas_needed", **given, replica_availability=0.8) == math.ceil(5 / 0.8) + 1


@pytest.mark.slow
def test_pools_in_cells() -> None:
    plan = '"llama-3.1-70b","h100-sxm-80gb",8,2048,256,20'
    second = '"llama-3.1-8b",30'
    options = '"second_model_gpus=1; target_ttft=1; target_tpot=0.04"'
    assert number(f"=POOL_NODES({plan},{second},{options})") > number(f"=REPLICAS_NEEDED({plan},1,0.04)")
    assert number(f"=POOL_MONTHLY_COST({plan},{second},{options})") > 0
    assert reason(f'=POOL_NODES({plan},"no-such-model",30)').startswith(
        "POOL_NODES: no model named 'no-such-model'"
    )
    assert "third_model is not given" in reason(f'=POOL_NODES({plan},{second},"third_model_rate=1")')
