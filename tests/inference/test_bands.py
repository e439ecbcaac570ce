"""Bands: by hand, neutral where nothing was fitted, wider and told where nothing was measured."""

from __future__ import annotations

import math
from typing import Any

import pytest

import tokensheet
from tests.cells import number
from tokensheet.schema.family import named_number

PLAN: dict[str, Any] = {
    "model": "llama-3.1-70b",
    "gpu": "h100-sxm-80gb",
    "gpus": 4,
    "context": 1500,
    "prompt": 1000,
    "output": 500,
    "batch": 16,
    "cost_per_hour": 12,
}
NVIDIA, AMD = named_number("NVIDIA"), named_number("AMD")
WIDTHS = {"band_base": 0.1, "band_tpot": 0.05, "band_ttft": 0.15, "band_experts": 0.07}
WIDER = {"band_unmeasured": 0.6, "band_nearest": 1.3}
PAIRS = {
    "decode_latency": 0.15,
    "prefill_latency": 0.25,
    "request_latency": 0.1,
    "batch_run_time": 0.1,
    "served_tpot": 0.15,
    "tokens_per_second": 0.15,
    "tokens_per_second_per_user": 0.15,
    "usd_per_million_tokens": 0.1,
    "tokens_per_dollar": 0.15,
}


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **{**PLAN, **given}))


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize(
    ("given", "times"),
    [
        ({"measured": 1}, 1),
        ({"measured": 0}, 1.6),
        ({"measured": 0, "nearest": 1}, 2.9),
        ({"measured": 1, "most_bandwidth_measured": 2e12}, 2.3),
        ({"measured": 1, "least_parameters_measured": 400e9}, 2.3),
        ({"measured": 1, "most_bandwidth_measured": 3e12}, 1),
        ({"measured": 1, "first_maker_measured": NVIDIA}, 1),
        ({"measured": 1, "first_maker_measured": AMD}, 2.3),
        ({"measured": 1, "first_maker_measured": AMD, "second_maker_measured": NVIDIA}, 1),
    ],
)
def test_the_band_is_a_factor_around_the_result(name: str, given: dict[str, float], times: float) -> None:
    """exp(band): wider for a stranger's machine, and for a stack, maker or size far from everything measured."""
    far = {"least_bandwidth_measured": 0, "most_bandwidth_measured": 1e300}
    far |= {"first_maker_measured": 0, "second_maker_measured": 0}
    far |= {"least_parameters_measured": 0, "most_parameters_measured": 1e300}
    settings = {**WIDTHS, **WIDER, **far, **given}
    value = ask(name)
    factor = math.exp(PAIRS[name] * times)
    assert ask(f"{name}_low", **settings) == pytest.approx(value / factor, rel=1e-12)
    assert ask(f"{name}_high", **settings) == pytest.approx(value * factor, rel=1e-12)


def test_experts_widen_the_band() -> None:
    """Models with experts were predicted less well."""
    settings = {**WIDTHS, **WIDER, "measured": 1, "profile": "ideal"}
    assert ask("decode_band", model="mixtral-8x7b", **settings) == pytest.approx(0.1 + 0.05 + 0.07)


@pytest.mark.parametrize("profile", ["ideal", "kipply-2022", "li-2023"])
def test_profiles_that_predict_nothing_have_no_band(profile: str) -> None:
    """Low and high are the value itself."""
    plan = {"profile": profile, "model": "classic-13b", "gpu": "classic-a100-40gb"}
    values = {ask(n, **plan) for n in ("decode_latency", "decode_latency_low", "decode_latency_high")}
    assert len(values) == 1


@pytest.mark.parametrize("name", PAIRS)
def test_low_and_high_lie_around_the_value_by_default(name: str) -> None:
    """Every latency, throughput and cost result has both."""
    assert ask(f"{name}_low") < ask(name) < ask(f"{name}_high")


def test_bands_are_functions_in_cells() -> None:
    """With the same arguments as the result."""
    plan = '"llama-3.1-70b","h100-sxm-80gb",8,4096,16'
    low, middle, high = (number(f"=DECODE_LATENCY{end}({plan})") for end in ("_LOW", "", "_HIGH"))
    assert middle / low == pytest.approx(high / middle, rel=1e-12)
    assert middle / low > 1.1


def test_what_is_far_from_measurements_says_so() -> None:
    """A warning beside the answer: a device or model outside the measured sizes, or another engine's profile."""
    lines, warnings = tokensheet.planner().explain("decode_latency_low", **{**PLAN, "cost_per_hour": None})
    assert [x for x in warnings if "band" in x] == []
    assert "decode_band" in {line.key for line in lines}
    far = {**PLAN, "cost_per_hour": None, "model": "llama-3.2-1b", "gpu": "apple-m1", "gpus": 1, "batch": 1}
    _, warnings = tokensheet.planner().explain("decode_latency_low", **far)
    assert any("the profile was fitted on" in w and "the band is widened by" in w for w in warnings)
    other = {**PLAN, "cost_per_hour": None, "gpu": "mi300x"}
    _, warnings = tokensheet.planner().explain("decode_latency_low", **other)
    assert any("mi300x is of another maker" in w for w in warnings)
    _, warnings = tokensheet.planner().explain(
        "decode_latency_low", nearest=1, **{**PLAN, "cost_per_hour": None}
    )
    assert any("another engine" in w for w in warnings)


@pytest.mark.parametrize(
    ("profile", "gpu", "model", "times"),
    [
        ("default", "h100-sxm-80gb", "llama-3.1-70b", "unmeasured"),
        ("default", "mi300x", "llama-3.1-70b", "far"),
        ("default", "tpu-v6e", "llama-3.1-8b", "far"),
        ("default", "h100-sxm-80gb", "opt-125m", "far"),
        ("vllm-2025-rocm", "mi300x", "llama-3.1-70b", "unmeasured"),
        ("llama.cpp-metal", "apple-m2-ultra", "llama-3.1-8b", "unmeasured"),
        ("llama.cpp", "apple-m2-ultra", "llama-3.1-8b", "far"),
        ("llama.cpp", "rtx-4090", "llama-3.1-8b", "unmeasured"),
        ("llama.cpp", "rx-7900-xtx", "llama-3.1-8b", "far"),
        ("fastertransformer", "a100-sxm-40gb", "classic-13b", "unmeasured"),
    ],
)
def test_a_cell_gets_the_right_band_without_being_told(
    profile: str, gpu: str, model: str, times: str
) -> None:
    """Engine by the profile; maker of the device and sizes by the records: nothing has to be given."""
    found = number(f'=DECODE_LATENCY_HIGH("{model}","{gpu}",4,512,1,"profile={profile}")')
    middle = number(f'=DECODE_LATENCY("{model}","{gpu}",4,512,1,"profile={profile}")')
    record = tokensheet.planner().registry.record("profile", profile)
    values = record.values  # type: ignore[attr-defined]
    wider = 1 + values["band_unmeasured"] + (values["band_nearest"] if times == "far" else 0)
    known = values["band_base"] + values["band_tpot"]
    assert found / middle == pytest.approx(math.exp(known * wider), rel=1e-12)


def test_each_maker_has_a_number_of_its_own() -> None:
    """However its name is capitalised; two makers with one number would make a band too narrow."""
    devices = [e.record for e in tokensheet.planner().registry.catalog("accelerator").entries.values()]
    makers = {str(d.vendor).casefold() for d in devices}  # type: ignore[attr-defined]
    assert len({d.number("gpu_maker") for d in devices}) == len(makers)
    assert named_number("Nvidia") == NVIDIA


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"least_parameters_measured": 100e9, "most_parameters_measured": 405853388800},
            "llama-3.1-70b has 70.55 billion parameters, and the profile was fitted on models of 100 billion to 405.9 billion; "
            "the band is widened by 130 %",
        ),
        (
            {"least_bandwidth_measured": 1.6e11, "most_bandwidth_measured": 2.0e12},
            "h100-sxm-80gb reads 3,350 GB/s, and the profile was fitted on devices of 160 GB/s to 2,000 GB/s; "
            "the band is widened by 130 %",
        ),
    ],
)
def test_which_range_was_left_is_told_for_people(given: dict[str, float], told: str) -> None:
    """One warning for what is outside, in billions of parameters or GB/s; none for what is inside."""
    open_ended = {"least_parameters_measured": 0, "most_parameters_measured": 1e300, "first_maker_measured": 0,
                  "least_bandwidth_measured": 0, "most_bandwidth_measured": 1e300}  # fmt: skip
    plan = {k: v for k, v in PLAN.items() if k not in ("prompt", "output", "cost_per_hour")}
    plan |= {"profile": "vllm-2025", **WIDTHS, **WIDER, **open_ended, **given}
    warnings = tokensheet.explain("decode_latency_low", **plan)[1]
    assert [w for w in warnings if "fitted on" in w] == [told]
