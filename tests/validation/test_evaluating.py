"""Measurements through the graph: each metric asks its function, and the shipped profiles keep what they promise."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tokensheet
from tokensheet.errors import TokensheetError
from tokensheet.validation import Evaluated, Measurement, evaluate, read
from tokensheet.validation.evaluating import profiles
from tokensheet.validation.statistics import GROUPS, by_metric, grouped, summary, worst

TABLE = Path(__file__).parents[2] / "benchmarks" / "data" / "measured.csv"
ROW = Measurement(
    id="mine", source="a page (of 2025)", engine="vllm", engine_version="0.10.0", date="", model="llama-3.1-70b",
    accelerator="h100-sxm-80gb", gpus=4, tp=4, pp=1, weights="bf16", kv="bf16", batch=16, prompt=1000, output=500,
    depth=0, metric="tpot_s", value=0.02,
)  # fmt: skip
PLAN: dict[str, Any] = {
    "model": "llama-3.1-70b", "gpu": "h100-sxm-80gb", "gpus": 4, "prompt": 1000, "output": 500, "batch": 16,
    "profile": "vllm-2025",
}  # fmt: skip


def one(row: Measurement, profile: str = "auto") -> Evaluated:
    ((found,), _) = evaluate(tokensheet.planner(), [row], profile)
    return found


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **{**PLAN, **given}))


@pytest.mark.parametrize(
    ("metric", "given", "wanted"),
    [
        ("tpot_s", {}, lambda: ask("served_tpot")),
        ("tpot_s", {"whole_time": True}, lambda: ask("batch_run_time") / 500),
        ("e2e_s", {}, lambda: ask("batch_run_time")),
        ("ttft_s", {}, lambda: ask("prefill_latency", output=None)),
        ("ttft_s", {"depth": 2000}, lambda: ask("prefill_latency", output=None, cached_prefix=2000)),
        ("tpot_s", {"prompt": 0}, lambda: ask("served_tpot", prompt=1)),
        ("e2e_s", {"weights": "fp8"}, lambda: ask("batch_run_time", weights="fp8", kv="fp8")),
        ("e2e_s", {"weights": "nvfp4"}, lambda: ask("batch_run_time", weights="nvfp4", kv="fp8")),
        ("e2e_s", {"gpus": 8}, lambda: ask("batch_run_time", gpus=8, dp=2)),
    ],
)
def test_each_metric_asks_its_function(metric: str, given: dict[str, Any], wanted: Any) -> None:
    """The answer is what a cell gives; the cache of 8-bit and 4-bit weights is served in 8 bit."""
    found = one(replace(ROW, metric=metric, **given))
    assert found.reason == ""
    assert found.value == pytest.approx(wanted(), rel=1e-12)


def test_a_profile_says_what_tables_call_its_formats() -> None:
    """int8 of an engine of 2024 is weight-only; mxfp4 in llama.cpp is a mix of its own."""
    old = replace(ROW, engine_version="0.6.3", weights="int8", metric="e2e_s")
    wanted = ask("batch_run_time", weights="int8-w8a16", profile="vllm-2024")
    assert one(old).value == pytest.approx(wanted, rel=1e-12)
    local = replace(
        ROW, engine="llama.cpp", model="gpt-oss-20b", weights="mxfp4", gpus=1, tp=1, metric="ttft_s"
    )
    plan = {"model": "gpt-oss-20b", "gpus": 1, "profile": "llama.cpp", "output": None}
    wanted = ask("prefill_time", weights="gguf-mxfp4", **plan)
    assert one(local).value == pytest.approx(wanted, rel=1e-12)


def test_the_band_is_narrow_for_what_was_measured_and_wide_for_a_stranger() -> None:
    """A source that the profile was fitted on; another; an engine that nobody measured."""
    (profile,) = (p for p in profiles(tokensheet.planner()) if p.id == "vllm-2025")
    measured = replace(ROW, source=f"{profile.measured[0]} (a sample)")
    known, new = one(measured), one(replace(measured, source="somebody else's"))
    far = one(replace(measured, engine="house"))
    widths = [e.high / e.low for e in (known, new, far)]
    assert widths == sorted(widths)
    assert widths[0] < widths[1] < widths[2]
    assert (known.nearest, far.nearest, far.profile) == (False, True, "default")
    assert known.low < known.value < known.high


def test_expert_ranks_are_those_of_the_row() -> None:
    """ep of the table; the profile says how unevenly experts are chosen."""
    device = "h200-sxm-141gb"
    spread = replace(ROW, model="deepseek-v3", accelerator=device, weights="fp8", gpus=8, tp=8, ep=8)
    plan = {"model": "deepseek-v3", "gpu": device, "weights": "fp8", "kv": "fp8", "gpus": 8}
    assert one(spread).value == pytest.approx(ask("served_tpot", **plan, ep=8), rel=1e-12)
    assert one(spread).value > one(replace(spread, ep=1)).value


def test_what_was_measured_did_run() -> None:
    """Neither memory nor heads are checked."""
    assert one(replace(ROW, gpus=1, tp=1)).reason == ""
    assert one(replace(ROW, gpus=3, tp=3)).reason == ""


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"model": "llama-9"}, "no model named 'llama-9'"),
        ({"accelerator": "h9"}, "no accelerator named 'h9'"),
        ({"weights": "int3"}, "no format named 'int3'"),
    ],
)
def test_a_row_that_cannot_be_evaluated_says_why_and_leaves_the_others(
    given: dict[str, Any], reason: str
) -> None:
    """Unknown names are that row's; statistics leave it out."""
    found, _ = evaluate(tokensheet.planner(), [replace(ROW, **given), ROW])
    assert found[0].reason.startswith(reason)
    assert found[1].reason == ""
    assert by_metric(found)["tpot_s"]["n"] == 1


def test_a_given_profile_counts_for_all_rows() -> None:
    """And must exist."""
    assert one(ROW, "ideal").profile == "ideal"
    assert one(ROW, "ideal").value == pytest.approx(ask("served_tpot", profile="ideal"), rel=1e-12)
    with pytest.raises(TokensheetError, match="no profile named 'none'"):
        one(ROW, "none")


def test_statistics_by_hand() -> None:
    """Median, mean, bias, share within 25 % and within the band."""
    rows = [
        Evaluated(replace(ROW, value=1.0), "p", False, v, v / 1.2, v * 1.2)
        for v in (0.9, 1.1, 1.15, 1.4, 2.0)
    ]
    assert summary(rows) == pytest.approx(
        {"n": 5, "mdape": 0.15, "mape": 0.35, "bias": 0.15, "within25": 0.6, "cover80": 0.6}
    )
    assert [e.value for e in worst(rows, 2)] == [2.0, 1.4]
    assert set(grouped(rows, GROUPS["by_source"])) == {"a page"}


# ---- the shipped profiles on the shipped table


@cache
def shipped() -> list[Evaluated]:
    return evaluate(tokensheet.planner(), read(TABLE))[0]


@pytest.mark.slow
def test_every_row_of_the_shipped_table_is_answered() -> None:
    """By a profile of its own engine and period."""
    assert [e.reason for e in shipped() if e.reason] == []
    assert [e for e in shipped() if e.nearest] == []


@pytest.mark.parametrize(("metric", "most"), [("tpot_s", 0.09), ("e2e_s", 0.075), ("ttft_s", 0.14)])
@pytest.mark.slow
def test_median_errors_on_the_shipped_table(metric: str, most: float) -> None:
    """In-sample; docs/accuracy.md has the errors on data that was left out of the fit."""
    found = by_metric(shipped())[metric]
    assert found["mdape"] <= most
    assert abs(found["bias"]) <= 0.03
    assert 0.75 <= found["cover80"] <= 0.9


@pytest.mark.slow
def test_no_engine_is_far_off() -> None:
    """With 30 rows or more: at most 16 % in the median."""
    by_engine = grouped(shipped(), GROUPS["by_engine"])
    many = {
        (engine, metric): found["mdape"]
        for engine, metrics in by_engine.items()
        for metric, found in metrics.items()
        if found["n"] >= 30
    }
    assert len(many) > 5
    assert {where: error for where, error in many.items() if error > 0.16} == {}
