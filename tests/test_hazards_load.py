"""Mistakes that users of similar tools met with load, definitions, parallel plans, prices and power: each stays away here.

The letters and numbers name the mistakes; a row says what went wrong elsewhere and what is right.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cells import number, reason
from tokensheet import planner

PLAN = '"llama-3.1-70b","h100-sxm-80gb",8'
BY_HAND = "curve_time=0.02; prefill_time=0.166; slots=64; token_slots=64; behind_time=0"
"""Steps of 20 ms, prompts of 166 ms."""
SERVER = "system_price=300000; electricity_price=0"
RACK = "system_power=5600; pue=1.3; electricity_price=0.12"
API = (
    "api_usd_per_million_input_tokens={}; api_usd_per_million_cached_input_tokens={}; "
    "api_usd_per_million_output_tokens={}; api_last_date=0"
)

NUMBERS: list[tuple[str, str, str, float, float]] = [
    ("C33", "the time to the first token is no time per output token",
     f'=TPOT({PLAN},100,31,0.1,0,"mean_ttft=0.5; served_step_time=0.05; prompt_time_share=0; behind_time=0")', 0.05, 1e-9),
    ("C37", "at 60 % a request takes 2.5 services", "=QUEUE_TIME(1,0.6/0.25,0.25)", 0.625, 1e-9),
    ("C37", "at 90 % ten", "=QUEUE_TIME(1,0.9/0.25,0.25)", 2.5, 1e-9),
    ("C37", "plans are for 70 % unless another share is given",
     f"=LARGEST_LOAD({PLAN},2048,256)/REPLICA_CAPACITY({PLAN},2048,256)", 0.7, 1e-9),
    ("C38", "a third of the time is prefill, so tokens take half as long again",
     f'=TPOT({PLAN},4096,256,2,0,"{BY_HAND}")', 0.02 / 0.668, 1e-9),
    ("C38", "a whole prompt stops all others",
     f'=LONGEST_GAP({PLAN},4096,256,2,"{BY_HAND}; chunked_prefill=0; step_tokens=4096")', 0.186, 1e-9),
    ("C38", "two of them stop them longer",
     f'=LONGEST_GAP({PLAN},4096,256,2,"{BY_HAND}; chunked_prefill=0; step_tokens=8192")', 0.352, 1e-9),
    ("C41", "151 MB a step over 109 Gb/s",
     '=TP_COMM_TRANSFER_TIME("gpt-3-175b","a100-sxm-80gb",16,32,'
     '"d_model=12288; layers=96; message_mode=0; messages_per_layer=2; link_rate=13.625e9")', 0.01108, 1e-3),
    ("C49", "cached tokens are part of the prompt and cost their own price",
     f'=API_REQUEST_COST("p187",20212,931,16298,"{API.format(0.5, 0.05, 3)}")', 0.005565, 1e-4),
    ("C49", "the same where a provider counts them apart",
     f'=API_REQUEST_COST("p187",538+2208,197,2208,"{API.format(0.25, 0.025, 2)}")', 0.000584, 1e-3),
    ("C52", "983,087 input tokens at 0.45 a million",
     f'=API_REQUEST_COST("p187",983087,1,0,"{API.format(0.45, 0, 0)}")', 0.4424, 1e-4),
    ("C54", "a month has 730 hours", '=MONTHLY_COST("h100-sxm-80gb",8,1,"rent_per_gpu_hour=2.5")', 14_600, 1e-9),
    ("C55", "a reserved machine is paid around the clock",
     '=MONTHLY_COST("h100-sxm-80gb",1,1,"rent_per_gpu_hour=2.2; reserved_rent=1; rented_share=0.3")', 1606, 1e-9),
    ("C55", "1/0.9 spot machines that are there, and billed, for 90 % of the time",
     '=MONTHLY_COST("h100-sxm-80gb",1,1,"rent_per_gpu_hour=1.6; rent_availability=0.9")', 1.6 * 730, 1e-9),
    ("C55", "starts after interruptions are billed, two hours of each day here",
     '=MONTHLY_COST("h100-sxm-80gb",1,1,"rent_per_gpu_hour=1.6; rent_availability=0.9; interruptions_per_day=8")',
     1.6 * 730 / (1 - 2 / 24), 1e-9),
    ("C55", "or machines on demand stand in",
     '=MONTHLY_COST("h100-sxm-80gb",1,1,"rent_per_gpu_hour=1.6; rent_availability=0.9; fallback_rent_per_gpu_hour=4")',
     730 * (0.9 * 1.6 + 0.1 * 4), 1e-9),
    ("C56", "three years of all hours", f'=COST_PER_HOUR("h100-sxm-80gb",8,"{SERVER}; amortization_years=3")', 11.42, 1e-3),
    ("C56", "five years", f'=COST_PER_HOUR("h100-sxm-80gb",8,"{SERVER}; amortization_years=5")', 6.85, 1e-3),
    ("C56", "a used hour carries the idle ones",
     f'=COST_PER_USED_HOUR("h100-sxm-80gb",8,"{SERVER}; amortization_years=3; utilization=0.4")', 28.54, 1e-3),
    ("C57", "8 × 700 W for a month, before the building", '=ENERGY_PER_MONTH("h100-sxm-80gb",8,1,"system_power=5600; pue=1")',
     4088, 1e-9),
    ("C57", "the building once", f'=ENERGY_PER_MONTH("h100-sxm-80gb",8,1,"{RACK}")*0.12', 637.73, 1e-4),
    ("C57", "the whole server, not its devices alone",
     '=ENERGY_PER_MONTH("h100-sxm-80gb",8,1,"system_power=10200; pue=1")', 7446, 1e-9),
    ("C57", "joules a token are kilowatt hours a million",
     f'=KWH_PER_MILLION_TOKENS({PLAN},1000,1,"energy_per_token=2; pue=1")', 0.5556, 1e-3),
    ("C57", "and dollars", f'=ENERGY_USD_PER_MILLION_TOKENS({PLAN},1000,1,"energy_per_token=2; pue=1; electricity_price=0.12")',
     0.0667, 1e-3),
]  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "right", "tolerance"), [row[2:] for row in NUMBERS], ids=[f"{r[0]} {r[1]}" for r in NUMBERS]
)
def test_the_right_number(cell: str, right: float, tolerance: float) -> None:
    assert number(cell) == pytest.approx(right, rel=tolerance)


REFUSED: list[tuple[str, str, str]] = [
    ("C33", f"=TPOT({PLAN},100,1,0.1)", "TPOT: time per output token is undefined for one output token"),
    ("C37", "=QUEUE_TIME(1,4,0.25)", "QUEUE_TIME: unstable: "),
    ("C37", f"=TTFT({PLAN},2048,256,1000)", "TTFT: unstable: "),
    (
        "C55",
        '=OFFER_MONTHLY_COST("h100-sxm-80gb",8,1,"p017")',
        "OFFER_MONTHLY_COST: spot machines are taken back at times",
    ),
]


@pytest.mark.parametrize(("cell", "says"), [row[1:] for row in REFUSED])
def test_no_number_but_the_reason(cell: str, says: str) -> None:
    assert reason(cell).startswith(says)


WARNED = [
    ("C41", "decode_latency", {"model": "gpt-3-175b", "gpu": "a100-sxm-80gb", "gpus": 16, "context": 0, "weights": "int8"},
     "tp 16 goes beyond the 8 devices that one link joins"),
    ("C55", "offer_monthly_cost", {"gpu": "h100-sxm-80gb", "gpus": 8, "replicas": 1, "offer": "p003", "plan_date": 20261129},
     "the rent of p003 is past its life at the date of the plan"),
    ("C55", "api_request_cost", {"api": "p187", "prompt": 100, "output": 10, "plan_date": 20301129},
     "the price of p187 is past its life at the date of the plan"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "says"), [row[1:] for row in WARNED])
def test_the_answer_stands_and_is_warned_of(name: str, given: dict[str, object], says: str) -> None:
    assert any(line.startswith(says) for line in planner().explain(name, **given)[1])


@pytest.mark.parametrize(("prompts", "idle"), [(1, 0.75), (4, 3 / 7), (8, 3 / 11), (32, 3 / 35)])
def test_stages_wait_for_each_other(prompts: int, idle: float) -> None:
    """C42: four stages idle for (p - 1)/(m + p - 1) of a prefill; the stage with 16 of 62 layers sets pace and memory."""
    plan = {"profile": "ideal", "model": "gemma-3-27b", "gpu": "h100-sxm-80gb", "gpus": 4, "pp": 4, "prompt": 4096,
            "batch": prompts, "exchange_time": 0}  # fmt: skip
    turns, stage, prefill = (
        planner().evaluate(name, **plan) for name in ("prefill_turns", "prefill_stage_time", "prefill_time")
    )
    assert 1 - turns * stage / prefill == pytest.approx(idle, rel=1e-12)
    assert planner().evaluate("stage_share", model="gemma-3-27b", gpus=4, pp=4) == pytest.approx(
        16 / 62, rel=1e-12
    )


ELSEWHERE = {
    "C16": "tests/test_hazards_sizes.py", "C30": "tests/test_hazards_sizes.py", "C31": "tests/test_hazards_sizes.py",
    "C45": "tests/test_hazards_sizes.py", "C46": "tests/test_hazards_sizes.py",
    "C43": "plugins/tokensheet-speculative/tests/test_speculative.py",
}  # fmt: skip
"""Mistakes of this kind that other tests hold off."""

COVERED = "C33 C37 C38 C41 C42 C49 C52 C54 C55 C56 C57"


def test_no_hazard_is_left_out() -> None:
    """A row that is taken out of a table is missed, and so is a test that another file has no longer."""
    rows = {row[0] for table in (NUMBERS, REFUSED, WARNED) for row in table}
    text = Path(__file__).read_text(encoding="utf-8").partition("ELSEWHERE =")[0]
    assert rows <= set(COVERED.split())
    assert [id for id in COVERED.split() if id not in rows and f'"""{id}' not in text] == []
    root = Path(__file__).parents[1]
    speedup = "1.65"
    for id, file in ELSEWHERE.items():
        held = (root / file).read_text(encoding="utf-8")
        assert f'"{id}"' in held or speedup in held, id
