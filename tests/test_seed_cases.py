"""Every worked number of the two articles, through `tokensheet eval -`, and its neighbours by hand."""

from __future__ import annotations

import csv
import subprocess
import sys
from functools import cache
from math import ceil, floor
from pathlib import Path

import pytest

from tests.cells import number

DATA = Path(__file__).parent / "data" / "articles.csv"


def cases() -> list[dict[str, str]]:
    with DATA.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@cache
def answers() -> dict[str, str]:
    """Id → line of one run of `tokensheet eval -` over all cells."""
    code = "import sys; from tokensheet.cli import main; sys.argv = ['tokensheet', 'eval', '-']; main()"
    text = "\n".join(case["cell"] for case in cases())
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == len(cases()), done.stderr
    return {case["id"]: line for case, line in zip(cases(), lines, strict=True)}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_each_number_of_the_articles(case: dict[str, str]) -> None:
    """The right value to 1e-6, whatever the article prints."""
    assert float(answers()[case["id"]]) == pytest.approx(float(case["expected"]), rel=1e-6)


def test_no_case_is_lost() -> None:
    ids = [case["id"] for case in cases()]
    assert ids == [f"K{i:02}" for i in range(1, 31)] + [f"L{i:02}" for i in range(1, 49)]
    assert {case["status"] for case in cases()} == {"exact", "rounded", "derived", "erratum"}


# ---- neighbours: the same questions with other batches, counts and links, by arithmetic of their own

A100 = {"memory": 40e9, "bandwidth": 1.5e12, "peak": 312e12, "link": 300e9}
H100 = {"memory": 80e9, "bandwidth": 3.35e12, "peak": 1979e12, "link": 450e9}
R4090 = {"memory": 24e9, "bandwidth": 1e12, "peak": 330e12, "link": 32e9}

P52 = 12 * 64 * 8192**2
P13 = 12 * 40 * 5120**2
P260 = 260e9
P70 = 70e9

KIPPLY = '{"profile","kipply-2022"}'
LI = '{"profile","li-2023"}'
PIPE = '{"profile","li-2023";"tp",1;"pp",%d;"stage_interconnect","%s";"stage_message_latency",%r}'


def kipply_step(parameters: float, layers: int, width: int, gpus: int, batch: int) -> float:
    """A decode step at context 0 as the first article counts it."""
    read = 2 * parameters / (gpus * A100["bandwidth"])
    compute = batch * 2 * parameters / (gpus * A100["peak"])
    messages = layers * 4 * (8e-6 + batch * 2 * width / A100["link"]) if gpus > 1 else 0
    return max(read, compute) + messages


def li_step(card: dict[str, float], gpus: int, batch: int, latency: float = 30e-6) -> float:
    """A tensor-parallel step of 70B at context 0 as the second article counts it."""
    read = 2 * P70 / (gpus * card["bandwidth"])
    compute = batch * 2 * P70 / (gpus * card["peak"])
    return max(read, compute) + 160 * max(latency, batch * 16384 / card["link"])


def li_pipe(stages: int, micro: float, bandwidth: float, latency: float) -> float:
    """A step of 70B on a pipeline of single 4090 cards."""
    layers = ceil(80 / stages) / 80
    stage = max(2 * P70 * layers / R4090["bandwidth"], micro * 2 * P70 * layers / R4090["peak"])
    return stages * (stage + latency + micro * 16384 / bandwidth)


NEIGHBOURS = [
    # K01, K02, K03: another device, count, parameters
    ('=RIDGE_BATCH("classic-a100-40gb",{"profile","kipply-2022";"memory_bandwidth",2e12})', 156),
    (f'=DECODE_MEMORY_TIME("classic-52b","classic-a100-40gb",8,0,1,{KIPPLY})', 2 * P52 / 8 / 1.5e12),
    (f'=DECODE_MEMORY_TIME("classic-13b","classic-a100-40gb",4,0,1,{KIPPLY})', 2 * P13 / 4 / 1.5e12),
    # K04, K05: proportional to the prompt, and to the batch
    (
        f'=PREFILL_COMPUTE_TIME("classic-52b","classic-a100-40gb",8,700,3,{KIPPLY})',
        2100 * 2 * P52 / 8 / 312e12,
    ),
    # K06, K28: the shares hold for any square model
    ('=KV_FLOPS_PER_TOKEN("classic-13b")', 4 * 40 * 5120**2),
    ('=FLOPS_PER_TOKEN("classic-13b")', 24 * 40 * 5120**2),
    # K07 to K11
    ('=WEIGHT_BYTES("classic-13b")', 2 * P13),
    ('=WEIGHT_BYTES("classic-52b",{"weights","int8"})', P52),
    (
        f'=GPUS_NEEDED("classic-52b","classic-a100-40gb",2048,8,{KIPPLY})',
        ceil((2 * P52 + 8 * 2048 * 2**21) / 40e9),
    ),
    ('=KV_BYTES_PER_TOKEN("classic-13b")', 4 * 40 * 5120),
    (
        f'=KV_CAPACITY_TOKENS("classic-52b","classic-a100-40gb",5,{KIPPLY})',
        floor((5 * 40e9 - 2 * P52) / 2**21),
    ),
    (f'=KV_CAPACITY_TOKENS("classic-13b","classic-a100-40gb",1,{KIPPLY})', floor((40e9 - 2 * P13) / 819200)),
    # K12 to K17: other counts and batches
    (
        f'=DECODE_LATENCY("classic-gopher-260b","classic-a100-40gb",32,0,1,{KIPPLY})',
        kipply_step(P260, 80, 16384, 32, 1),
    ),
    (
        f'=DECODE_LATENCY("classic-gopher-260b","classic-a100-40gb",16,0,200,{KIPPLY})',
        kipply_step(P260, 80, 16384, 16, 200),
    ),
    (
        f'=DECODE_LATENCY("classic-gopher-260b","classic-a100-40gb",16,0,1024,{KIPPLY})',
        kipply_step(P260, 80, 16384, 16, 1024),
    ),
    (
        f'=TP_COMM_TRANSFER_TIME("classic-gopher-260b","classic-a100-40gb",8,7,{KIPPLY})',
        320 * 7 * 2 * 16384 / 300e9,
    ),
    (f'=TP_COMM_LATENCY_TIME("classic-13b","classic-a100-40gb",8,5,{KIPPLY})', 160 * 8e-6),
    # K18 to K22
    ('=COMM_RIDGE("classic-4090",{"profile","kipply-2022"})', 330e12 / 32e9),
    (
        '=COMM_RIDGE("classic-a100-40gb",{"profile","kipply-2022";"interconnect","classic-nvlink4"})',
        312e12 / 450e9,
    ),
    (f'=DECODE_COMPUTE_TIME("classic-52b","classic-a100-40gb",8,0,300,{KIPPLY})', 300 * 2 * P52 / 8 / 312e12),
    (f'=DECODE_LATENCY("classic-13b","classic-a100-40gb",4,0,1,{KIPPLY})', kipply_step(P13, 40, 5120, 4, 1)),
    # K24 to K27: other efficiencies
    (
        '=DECODE_LATENCY("classic-13b","classic-a100-40gb",2,0,1,{"profile","kipply-2022";"bandwidth_efficiency",0.8;"step_overhead",0.002})',
        2 * P13 / 2 / (1.5e12 * 0.8) + 160 * (8e-6 + 10240 / 300e9) + 0.002,
    ),
    ('=RIDGE_BATCH("classic-4090",{"profile","li-2023";"compute_efficiency",0.5})', 165),
    # K29, K30: moving is the larger for a thin product
    (
        '=MATMUL_TIME(1024,4096,4096,"classic-a100-40gb",{"profile","kipply-2022"})',
        2 * 1024 * 4096**2 / 312e12,
    ),
    (
        '=MATMUL_TIME(4,4096,4096,"classic-a100-40gb",{"profile","kipply-2022"})',
        2 * (4 * 4096 * 2 + 4096**2) / 1.5e12,
    ),
    # a context: reading the cache is added
    (
        f'=DECODE_MEMORY_TIME("classic-52b","classic-a100-40gb",4,2048,10,{KIPPLY})',
        (2 * P52 + 10 * 2048 * 2**21) / 4 / 1.5e12,
    ),
    # L01 to L06
    ('=KV_BYTES("classic-70b-mha",1000,3)', 4 * 80 * 8192 * 3000),
    ('=KV_BYTES("llama-2-70b",1000,3)', 4 * 80 * 1024 * 3000),
    ('=KV_FLOPS_SAVED("classic-70b-mha",1000,3)', 4 * 8192**2 * 80 * 3000),
    ('=ACTIVATION_BYTES("classic-70b-mha",1000,3)', 3000 * 8192 * 2),
    # L11, L12: other batches
    (f'=GPUS_NEEDED("classic-70b-mha","classic-h100",4096,8,{LI})', ceil((140e9 + 8 * 10 * 2**30) / 80e9)),
    (f'=GPUS_NEEDED("classic-70b-mha","classic-4090",4096,1,{LI})', ceil((140e9 + 10 * 2**30) / 24e9)),
    # L13 to L20: other stages, micro-batches and networks
    (
        f'=DECODE_LATENCY("classic-70b-mha","classic-4090",8,0,80,{PIPE % (8, "eth-1", 0.00025)})',
        li_pipe(8, 10, 125e6, 0.00025),
    ),
    (
        f'=DECODE_LATENCY("classic-70b-mha","classic-4090",10,0,1000,{PIPE % (10, "eth-10", 0)})',
        li_pipe(10, 100, 1.25e9, 0),
    ),
    (
        f'=DECODE_LATENCY("classic-70b-mha","classic-4090",16,0,16000,{PIPE % (16, "roce-25", 1e-05)})',
        li_pipe(16, 1000, 3.125e9, 1e-5),
    ),
    # L21 to L28: other batches, counts and links
    *[
        (f'=DECODE_LATENCY("classic-70b-mha","classic-4090",8,0,{b},{LI})', li_step(R4090, 8, b))
        for b in (2, 58, 59, 100, 329, 331, 1000)
    ],
    *[
        (f'=DECODE_LATENCY("classic-70b-mha","classic-4090",{n},0,330,{LI})', li_step(R4090, n, 330))
        for n in (16, 32, 64)
    ],
    (f'=DECODE_LATENCY("classic-70b-mha","classic-h100",4,0,64,{LI})', li_step(H100, 4, 64)),
    (
        '=DECODE_LATENCY("classic-70b-mha","classic-4090",8,0,330,{"profile","li-2023";"interconnect","eth-10"})',
        2 * P70 / 8e12 + 160 * 330 * 16384 / 1.25e9,
    ),
    (
        '=TOKENS_PER_SECOND("classic-70b-mha","classic-h100",8,0,300,{"profile","li-2023";"overlap_communication",1})',
        300 / max(2 * P70 / 8 / 3.35e12, 160 * max(30e-6, 300 * 16384 / 450e9)),
    ),
    # L29 to L33, L37 to L40: other prices
    (
        '=COST_PER_HOUR("classic-4090",8,{"profile","li-2023";"system_price",25000;"amortization_years",4;"system_power",4000;"electricity_price",0.2})',
        25000 / (4 * 8760) + 0.8,
    ),
    (
        f'=TOKENS_PER_DOLLAR("classic-70b-mha","classic-4090",8,3,0,100,{LI})',
        100 / li_step(R4090, 8, 100) * 3600 / 3,
    ),
    ("=API_TOKENS_PER_DOLLAR(2.5)", 400_000),
    # L36: other micro-batch and stages
    (
        '=DECODE_LATENCY("classic-70b-mha","classic-4090",8,0,200,{"profile","li-2023";"tp",2;"pp",4;"stage_interconnect","roce-25";"stage_message_latency",0})',
        4 * (2 * P70 / 8 / 1e12) + 160 * max(30e-6, 50 * 16384 / 32e9) + 4 * 2 * 50 * 16384 / 3.125e9,
    ),
    # L41 to L43
    ('=KV_CROSSOVER_BATCH("classic-70b-mha",2048)', 140e9 / (5 * 2**30)),
    (f'=MAX_BATCH("classic-70b-mha","classic-h100",4,4096,{LI})', floor((4 * 80e9 - 140e9) / (10 * 2**30))),
    (
        f'=MAX_CONTEXT("classic-70b-mha","classic-h100",4,16,{LI})',
        floor((4 * 80e9 - 140e9) / 16 / (4 * 80 * 8192)),
    ),
]


@pytest.mark.parametrize(("text", "right"), NEIGHBOURS, ids=[text[:60] for text, _ in NEIGHBOURS])
def test_neighbours_of_the_cases(text: str, right: float) -> None:
    """Other inputs than the articles' agree with an arithmetic that does not use the formulas."""
    assert number(text) == pytest.approx(right, rel=1e-9)


@pytest.mark.parametrize(
    ("model", "gpu", "gpus", "prompt", "output", "batch", "profile"),
    [
        ("classic-13b", "classic-a100-40gb", 1, 512, 10, 1, "kipply-2022"),
        ("classic-52b", "classic-a100-40gb", 8, 300, 200, 12, "kipply-2022"),
        ("classic-70b-mha", "classic-4090", 16, 1000, 64, 8, "li-2023"),
    ],
)
def test_a_request_is_a_loop_over_its_tokens(
    model: str, gpu: str, gpus: int, prompt: int, output: int, batch: int, profile: str
) -> None:
    """Exercise 5: the time of a sample is the prompt's pass and a step for each further token."""
    options = f'{{"profile","{profile}"}}'
    plan = f'"{model}","{gpu}",{gpus}'
    total = number(f"=PREFILL_LATENCY({plan},{prompt},{batch},{options})")
    for generated in range(1, output):
        total += number(f"=DECODE_LATENCY({plan},{prompt + generated},{batch},{options})")
    assert number(f"=REQUEST_LATENCY({plan},{prompt},{output},{batch},{options})") == pytest.approx(
        total, rel=1e-9
    )
