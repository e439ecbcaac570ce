"""Operations of a block step by step, and the traffic of its intermediate results."""

from __future__ import annotations

import pytest

import tokensheet
from tests.cells import number

MODELS = [
    "llama-3.1-70b",
    "llama-2-70b",
    "classic-52b",
    "mixtral-8x7b",
    "deepseek-v3",
    "gpt2-xl",
    "gemma-2-27b",
]
D, L, H, S = 5120, 40, 40, 512
"""Width, layers, heads and context of the 13B model."""


@pytest.mark.parametrize("model", MODELS)
def test_the_steps_add_up_to_all_operations(model: str) -> None:
    """q, k, v, projection, MLP and unembedding are all of a token's operations but the norms' and routers'."""
    steps = sum(number(f'={step}_FLOPS("{model}")') for step in ("QKV", "PROJECTION", "MLP", "UNEMBEDDING"))
    planner = tokensheet.planner()
    other = 2 * (planner.registry.record("model", model).number("other_parameters") or 0)
    assert steps + other == pytest.approx(number(f'=FLOPS_PER_TOKEN("{model}")'), rel=1e-12)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("context", [0, 100, 8192])
def test_scores_and_weighted_sum_are_all_of_attention(model: str, context: int) -> None:
    parts = number(f'=SCORE_FLOPS("{model}",{context})') + number(f'=WEIGHTED_SUM_FLOPS("{model}",{context})')
    given = {"model": model, "context": context, "profile": "default"}
    assert parts == pytest.approx(tokensheet.evaluate("attention_flops_per_token", **given), rel=1e-12)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('=QKV_FLOPS("classic-13b")', 6 * L * D**2),
        ('=PROJECTION_FLOPS("classic-13b")', 2 * L * D**2),
        ('=MLP_FLOPS("classic-13b")', 16 * L * D**2),
        ('=SCORE_FLOPS("classic-13b",777)', 2 * L * D * 777),
        ('=WEIGHTED_SUM_FLOPS("classic-13b",777)', 2 * L * D * 777),
        ('=UNEMBEDDING_FLOPS("classic-13b",{"vocabulary",50000})', 2 * 50000 * D),
        # grouped heads: q and o are 8192 wide, k and v 1024; three matrices of 28672 in the MLP
        ('=QKV_FLOPS("llama-2-70b")', 2 * 80 * 8192 * (8192 + 2 * 1024)),
        ('=PROJECTION_FLOPS("llama-2-70b")', 2 * 80 * 8192**2),
        ('=MLP_FLOPS("llama-2-70b")', 2 * 80 * 3 * 8192 * 28672),
        ('=UNEMBEDDING_FLOPS("llama-2-70b")', 2 * 32000 * 8192),
        # two of eight experts
        ('=MLP_FLOPS("mixtral-8x7b")', 2 * 32 * 2 * 3 * 4096 * 14336),
        # latent: scores over 512 + 64 cached elements a head, values over 512
        ('=SCORE_FLOPS("deepseek-v3",1000)', 2 * 61 * 128 * 576 * 1000),
        ('=WEIGHTED_SUM_FLOPS("deepseek-v3",1000)', 2 * 61 * 128 * 512 * 1000),
        ('=PROJECTION_FLOPS("deepseek-v3")', 2 * 61 * 128 * 128 * 7168),
    ],
)
def test_operations_by_hand(text: str, right: float) -> None:
    assert number(text) == pytest.approx(right, rel=1e-12)


SCORES = L * H * S
SEPARATE = (
    L * 2 * (D + D)  # two norms, in and out
    + L * 2 * 3 * D  # two additions: two in, one out
    + 4 * SCORES  # softmax
    + L * 2 * (3 * D + D + 4 * D + D)  # biases of qkv, projection, both MLP matrices: in and out
    + L * (4 * D + 4 * D)  # activation function
    + L * (D + 3 * D)  # qkv
    + L * D
    + SCORES  # queries in, scores out
    + SCORES
    + L * D  # scores in, values' sum out
    + L * (D + D)  # projection
    + L * (D + 4 * D + 4 * D + D)  # MLP
    + L * 2 * 2 * D  # keys and values into the cache
)
FUSED = (
    L * 2 * 4 * D  # norm and addition together: two in, two out
    + L * (D + 3 * D)
    + L * (D + D)  # attention in one kernel: queries in, sum out
    + L * (D + D)
    + L * (D + 4 * D + 4 * D + D)
)


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        (f'=SOFTMAX_BYTES("classic-13b",{S},3)', 3 * 4 * SCORES),
        (f'=SOFTMAX_BYTES("classic-13b",{S},3,{{"softmax_passes",2}})', 3 * 2 * SCORES),
        (f'=SOFTMAX_BYTES("classic-13b",{S},3,{{"fused_kernels",1}})', 0),
        ('=NORM_BYTES("classic-13b",3)', 3 * L * 2 * 5 * D),
        ('=BIAS_BYTES("classic-13b",3)', 3 * L * 2 * 9 * D),
        ('=BIAS_BYTES("classic-13b",3,{"bias_kernels",0})', 0),
        ('=ACTIVATION_FUNCTION_BYTES("classic-13b",3)', 3 * L * 8 * D),
        (f'=INTERMEDIATE_BYTES("classic-13b",{S},3)', 3 * SEPARATE),
        (f'=INTERMEDIATE_BYTES("classic-13b",{S},3,{{"fused_kernels",1}})', 3 * FUSED),
        (f'=FUSION_BYTES_SAVED("classic-13b",{S},3)', 3 * (SEPARATE - FUSED)),
        # while a prompt is read: the stream twice, and the MLP's 8 d_model against attention's 5, and all scores
        ('=INTERMEDIATE_PEAK_BYTES("classic-13b",100,2)', 200 * (2 * D + 8 * D + H * 100)),
        ('=INTERMEDIATE_PEAK_BYTES("classic-13b",100,2,{"fused_kernels",1})', 200 * 10 * D),
        # a gate: two matrices of 28672 write, one kernel reads both and writes one
        ('=ACTIVATION_FUNCTION_BYTES("llama-2-70b")', 80 * 3 * 28672),
    ],
)
def test_traffic_by_hand(text: str, elements: float) -> None:
    """Two bytes for each element that a kernel reads or writes."""
    assert number(text) == pytest.approx(2 * elements, rel=1e-12)


@pytest.mark.parametrize("gpus", [1, 4])
@pytest.mark.parametrize("batch", [1, 48])
def test_time_of_traffic_is_divided_over_ranks(gpus: int, batch: int) -> None:
    text = f'=INTERMEDIATE_TIME("classic-13b","classic-a100-40gb",{gpus},{S},{batch},{{"profile","kipply-2022"}})'
    assert number(text) == pytest.approx(batch * 2 * SEPARATE / gpus / 1.5e12, rel=1e-12)


A100 = '"classic-a100-40gb"'
OPTIONS = '{"profile","kipply-2022"}'


@pytest.mark.parametrize(("prompt", "batch"), [(512, 1), (2048, 1), (128, 16)])
def test_kernels_of_a_prompt_by_hand(prompt: int, batch: int) -> None:
    """Softmax moves the scores four times; products take the larger of computing and moving."""
    tokens, scores = batch * prompt, batch * L * H * prompt**2
    given = f'"classic-13b",{A100},{prompt},{batch},{OPTIONS}'
    assert number(f"=SOFTMAX_TIME({given})") == pytest.approx(4 * scores * 2 / 1.5e12, rel=1e-12)
    product = max(2 * scores * 128 / 312e12, (2 * tokens * L * D + scores) * 2 / 1.5e12)
    assert number(f"=QK_TIME({given})") == pytest.approx(product, rel=1e-12)
    moved = 2 * (3 * L * D**2 + tokens * L * 4 * D)
    assert number(f"=QKV_TIME({given})") == pytest.approx(
        max(2 * tokens * 3 * L * D**2 / 312e12, moved / 1.5e12), rel=1e-12
    )


@pytest.mark.parametrize(("gpus", "kv", "size"), [(1, "bf16", 2), (2, "bf16", 2), (4, "fp8", 1)])
def test_storing_keys_and_values_by_hand(gpus: int, kv: str, size: int) -> None:
    """16 bit are read and the cache's format is written."""
    text = f'=KV_STORE_TIME("classic-13b",{A100},{gpus},700,3,{{"profile","kipply-2022";"kv","{kv}"}})'
    assert number(text) == pytest.approx(3 * 700 * 2 * L * D * (2 + size) / gpus / 1.5e12, rel=1e-12)


@pytest.mark.parametrize("measured", [344.148021e-6, 1e-3])
def test_efficiency_is_expected_over_measured(measured: float) -> None:
    text = f"=MATMUL_EFFICIENCY(512,5120,20480,{A100},{measured!r},{OPTIONS})"
    assert number(text) == pytest.approx(2 * 512 * 5120 * 20480 / 312e12 / measured, rel=1e-12)
