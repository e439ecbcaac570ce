"""Reasons why the ideal price is not reached, each a factor of its own; and machines compared: by hand."""

from __future__ import annotations

from math import ceil

import pytest

from tests.cells import number, reason

PLAN = '"classic-70b-mha","classic-4090",8'
STEP = max(0.0175, 160 * 330 * 16384 / 32e9)
IDEAL = 330 / STEP * 3600 / 2

REASONS = [
    ("compute_share_reached", 0.4, 0.4),
    ("utilization", 0.3, 0.3),
    ("useful_length_share", 0.55, 0.55),
    ("model_size_ratio", 2.5, 1 / 2.5),
    ("other_costs_per_serving_cost", 3, 1 / 4),
]


def options(**given: float) -> str:
    pairs = [f'"{name}",{value!r}' for name, value in given.items()]
    return "{" + ";".join(['"profile","li-2023"', '"overlap_communication",1', *pairs]) + "}"


def test_without_reasons_it_is_the_ideal() -> None:
    for function in ("SOLD_TOKENS_PER_DOLLAR", "TOKENS_PER_DOLLAR"):
        assert number(f"={function}({PLAN},2,0,330,{options()})") == pytest.approx(IDEAL, rel=1e-12)


@pytest.mark.parametrize(("name", "value", "factor"), REASONS, ids=[r[0] for r in REASONS])
def test_each_reason_is_one_factor(name: str, value: float, factor: float) -> None:
    text = f"=SOLD_TOKENS_PER_DOLLAR({PLAN},2,0,330,{options(**{name: value})})"
    assert number(text) == pytest.approx(IDEAL * factor, rel=1e-12)


def test_all_reasons_multiply() -> None:
    given = {name: value for name, value, _ in REASONS}
    right = IDEAL * 0.4 * 0.3 * 0.55 / 2.5 / 4
    assert number(f"=SOLD_TOKENS_PER_DOLLAR({PLAN},2,0,330,{options(**given)})") == pytest.approx(
        right, rel=1e-12
    )
    advantage = f"=API_ADVANTAGE({PLAN},2,0,0.5,330,{options(**given, per_tokens=1e6)})"
    assert number(advantage) == pytest.approx(right / 2e6, rel=1e-12)


def test_a_share_is_at_most_one() -> None:
    text = f"=SOLD_TOKENS_PER_DOLLAR({PLAN},2,0,330,{options(useful_length_share=1.5)})"
    assert "useful_length_share is 1.5; it must be at most 1" in reason(text)


@pytest.mark.parametrize(
    ("gpu", "system", "share"),
    [
        ("classic-4090", "li-8x4090-pcie", 27200 / 40000),
        ("classic-h100", "li-8xh100", 60000 / 300000),
        ("classic-4090", "li-pp-10g", 7550 / 20350),
        ("classic-4090", "li-2x4-25g", 6600 / 19400),
    ],
)
def test_share_of_the_price_that_is_not_cards(gpu: str, system: str, share: float) -> None:
    text = f'=HOST_PRICE_SHARE("{gpu}",8,{{"profile","li-2023";"system","{system}"}})'
    assert number(text) == pytest.approx(share, rel=1e-12)


@pytest.mark.parametrize("wanted", [1, 12207, 12208, 112942.857, 1e6])
def test_power_of_whole_machines(wanted: float) -> None:
    """Five kilowatts for each machine that the rate takes."""
    text = f'=POWER_FOR_RATE({PLAN},{wanted!r},0,330,{options()[:-1]};"system","li-8x4090-pcie"}})'
    assert number(text) == 5000 * ceil(wanted / (330 / STEP))


def test_a_system_is_for_its_number_of_devices() -> None:
    text = '=HOST_PRICE_SHARE("classic-4090",4,{"profile","li-2023";"system","li-8x4090-pcie"})'
    assert "the system has 8 devices, the plan 4" in reason(text)
