"""Generating without a cache, against plain loops."""

from __future__ import annotations

from math import inf

import pytest

from tests.cells import number, reason

P52 = 12 * 64 * 8192**2
P13 = 12 * 40 * 5120**2
ONCE_A_PASS, ONCE_A_TOKEN = (
    f'{{"profile","kipply-2022";"weights_read_per_token",{flag}}}' for flag in (0, 1)
)


@pytest.mark.parametrize(("context", "batch"), [(4096, 1), (100, 7), (0, 3)])
def test_k_and_v_weights_read_again(context: int, batch: int) -> None:
    """Once for a pass, or once for each earlier token of each sequence."""
    weights = 2 * 2 * 64 * 8192**2
    given = f'"classic-52b",{context},{batch}'
    assert number(f"=NO_CACHE_KV_BYTES({given},{ONCE_A_TOKEN})") == batch * context * weights
    assert number(f"=NO_CACHE_KV_BYTES({given},{ONCE_A_PASS})") == (weights if context else 0)


@pytest.mark.parametrize(("context", "batch", "gpus"), [(4096, 1, 1), (30, 2, 4), (207, 1, 3)])
def test_time_of_keys_and_values_again(context: int, batch: int, gpus: int) -> None:
    """The larger of reading and computing, evenly divided."""
    weights = 2 * 2 * 64 * 8192**2
    compute = 2 * batch * context * 2 * 64 * 8192**2 / (gpus * 312e12)
    given = f'"classic-52b","classic-a100-40gb",{gpus},{context},{batch}'
    assert number(f"=NO_CACHE_KV_TIME({given},{ONCE_A_PASS})") == pytest.approx(
        max(weights / (gpus * 1.5e12), compute), rel=1e-12
    )
    assert number(f"=NO_CACHE_KV_TIME({given},{ONCE_A_TOKEN})") == pytest.approx(
        max(batch * context * weights / (gpus * 1.5e12), compute), rel=1e-12
    )


def test_all_layers_pass_again() -> None:
    assert number('=NO_CACHE_FLOPS("classic-52b",99,3)') == 3 * 100 * 2 * P52


@pytest.mark.parametrize(
    ("context", "batch", "gpus"), [(0, 1, 4), (100, 1, 4), (207, 1, 8), (208, 1, 8), (900, 5, 4)]
)
def test_a_step_without_a_cache(context: int, batch: int, gpus: int) -> None:
    read, compute = 2 * P52 / (gpus * 1.5e12), batch * (context + 1) * 2 * P52 / (gpus * 312e12)
    text = f'=NO_CACHE_STAGE_TIME("classic-52b","classic-a100-40gb",{gpus},{context},{batch},{ONCE_A_PASS})'
    assert number(text) == pytest.approx(max(read, compute), rel=1e-12)


@pytest.mark.parametrize(
    ("prompt", "output", "batch"), [(1, 400, 1), (100, 300, 1), (500, 20, 1), (3, 300, 3), (10, 1, 1)]
)
@pytest.mark.parametrize("stages", [1, 4])
def test_all_steps_without_a_cache_are_a_loop(prompt: int, output: int, batch: int, stages: int) -> None:
    """Each step after the first token passes all tokens so far: the larger of reading and computing."""
    micro = max(1, batch / stages)
    read, compute = 2 * P13 / (4 * 1.5e12), 2 * P13 / (4 * 312e12)
    plan = f'"classic-13b","classic-a100-40gb",4,{prompt},{output},{batch}'
    degrees = f'"pp",{stages};"tp",{4 // stages}'
    tokens = [prompt + generated + 1 for generated in range(1, output)]
    once = sum(stages * max(read, micro * t * compute) for t in tokens)
    each = sum(stages * max(micro * t * read, micro * t * compute) for t in tokens)
    for options, right in ((ONCE_A_PASS, once), (ONCE_A_TOKEN, each)):
        text = f"=NO_CACHE_OUTPUT_TIME({plan},{options[:-1]};{degrees}}})"
        assert number(text) == pytest.approx(right, rel=1e-9, abs=0)


@pytest.mark.parametrize(("prompt", "output", "batch"), [(512, 512, 8), (1, 100, 1), (2000, 1, 4)])
def test_traffic_saved_is_a_loop(prompt: int, output: int, batch: int) -> None:
    """Earlier tokens' intermediate results, and the weights where each token reads them."""
    again = batch * sum(prompt + generated for generated in range(1, output))
    a_token = 2 * 40 * 5120 * (4 + 6 + 18 + 8 + 4 + 1 + 1 + 2 + 10 + 4)
    given = f'"classic-13b",{prompt},{output},{batch}'
    assert number(f"=CACHE_BYTES_SAVED({given},{ONCE_A_PASS})") == pytest.approx(again * a_token, rel=1e-12)
    assert number(f"=CACHE_BYTES_SAVED({given},{ONCE_A_TOKEN})") == pytest.approx(
        again * (a_token + 2 * P13), rel=1e-12
    )


def test_the_cache_costs_its_reading() -> None:
    text = '=CACHE_READ_TIME("classic-52b","classic-a100-40gb",4,1000,6,{"profile","kipply-2022"%s})'
    whole = 6 * 1000 * 4 * 64 * 8192 / 1.5e12
    assert number(text % "") == pytest.approx(whole / 4, rel=1e-12)
    # a pipeline: each of four stages reads its quarter for one and a half sequences
    assert number(text % ';"tp",1;"pp",4') == pytest.approx(whole / 4, rel=1e-12)


@pytest.mark.parametrize("model", ["classic-52b", "classic-13b", "llama-2-70b"])
@pytest.mark.parametrize(
    ("gpu", "profile"),
    [("classic-a100-40gb", "kipply-2022"), ("classic-4090", "li-2023"), ("h100-sxm-80gb", "default")],
)
@pytest.mark.parametrize("batch", [1, 2, 5, 64, 300])
def test_longest_context_of_recomputing_by_scan(model: str, gpu: str, profile: str, batch: int) -> None:
    """At the context given recomputing is no slower than the cache; one token later it is."""
    options = f'{{"profile","{profile}";"weights_read_per_token",0;"attention_flops_counted",0}}'
    plan = f'"{model}","{gpu}",8'
    found = int(number(f"=RECOMPUTE_CONTEXT({plan},{batch},{options})"))

    def slower(context: int) -> float:
        cached = number(f"=DECODE_STAGE_TIME({plan},{context},{batch},{options})")
        again = number(f"=NO_CACHE_STAGE_TIME({plan},{context},{batch},{options})")
        return again / cached - 1

    assert slower(found) <= 1e-12
    assert slower(found + 1) > 0
    assert max([slower(c) for c in range(0, found, max(1, found // 7))], default=-inf) <= 1e-12


def test_experts_make_it_a_question_of_their_number() -> None:
    """More tokens read more experts: there is no one context, and the function says what to do."""
    assert "NO_CACHE_STAGE_TIME" in reason('=RECOMPUTE_CONTEXT("mixtral-8x7b","h100-sxm-80gb",8)')
