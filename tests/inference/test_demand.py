"""Demand: rates of users and days, peaks, growth, lengths as distributions, cached blocks; each by hand."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import tokensheet
from tests.cells import number
from tokensheet.errors import PlanError


def ask(name: str, **given: Any) -> float:
    return float(tokensheet.evaluate(name, **given))


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-12)


def test_users_in_flight_are_not_all_users() -> None:
    """N·R/(R+Z): of 600 users who think 50 s and wait 10 s, 100 wait, and they ask 10 times a second."""
    assert number("=CONCURRENT_REQUESTS(600,50,10)") == 100
    assert number("=PEAK_REQUEST_RATE(600,50,10)") == 10


def test_interactive_law_against_a_simulation() -> None:
    """Users who think and wait in turn are in flight for R/(R+Z) of the time, whatever the distributions."""
    rng = random.Random(3)
    waiting = total = 0.0
    for _ in range(200_000):
        think, answer = rng.expovariate(1 / 50), rng.uniform(5, 15)
        waiting, total = waiting + answer, total + think + answer
    assert 600 * waiting / total == pytest.approx(
        ask("concurrent_requests", users=600, think_time=50, answer_time=10), rel=0.01
    )


HOURS = {f"load_at_{hour:02}": 5 if 9 <= hour < 17 else 1 for hour in range(24)}
"""An office day: 56 units in all, 5 in the busiest hour: 5/(56/24) = 15/7 times the mean."""


def test_peak_of_a_day_of_24_hours() -> None:
    """Busiest over mean hour, times busiest day, times bursts; the mean rate is the peak over that."""
    factor = 15 / 7 * 1.4 * 1.1
    assert ask("peak_to_average", **HOURS, busiest_day_factor=1.4, burst_factor=1.1) == near(factor)
    given = {**HOURS, "busiest_day_factor": 1.4, "burst_factor": 1.1, "requests_per_day": 864_000}
    assert ask("peak_request_rate", **given) == near(10 * factor)
    assert ask("mean_request_rate", **given) == near(10)
    assert ask("request_rate", **given) == near(10 * factor)


def test_a_flat_day_has_no_peak() -> None:
    assert ask("peak_to_average") == 1


def test_users_requests_tools_and_growth_add_up() -> None:
    """(10 from users + 10 from the day) × 1.5 calls × 1.2² growth."""
    given = {
        "users": 600, "think_time": 50, "answer_time": 10, "requests_per_day": 864_000, "tool_share": 0.25,
        "calls_per_tool_request": 3, "growth_per_year": 0.2, "years_ahead": 2,
    }  # fmt: skip
    assert ask("peak_request_rate", **given) == near(20 * 1.5 * 1.44)


def test_a_fleet_without_demand_is_an_error_and_not_one_replica() -> None:
    plan = {"model": "llama-3.1-8b", "gpu": "h100-sxm-80gb", "gpus": 1, "prompt": 100, "output": 10}
    assert ask("request_rate") == 0
    with pytest.raises(
        PlanError, match="no demand: give users with think_time and answer_time, or requests_per_day"
    ):
        ask("replicas_needed", **plan)


def test_users_need_a_rhythm() -> None:
    """Nothing is invented about how long people think or wait."""
    for name in ("request_rate", "concurrent_requests"):
        assert tokensheet.why(name, users=5) == "5 users have no rhythm: give think_time and answer_time"


@pytest.mark.parametrize("sigma", [0.3, 0.8, 1.2])
def test_variation_from_a_percentile_of_a_lognormal(sigma: float) -> None:
    """Mean exp(s²/2), 95th percentile exp(1.645 s): the ratio gives sqrt(exp(s²) - 1) back, within the quantile's error."""
    ratio = math.exp(1.6448536269514722 * sigma - sigma**2 / 2)
    assert number(f"=LENGTH_CV({ratio!r})") == pytest.approx(math.sqrt(math.exp(sigma**2) - 1), rel=4e-3)


def test_equal_lengths_do_not_vary() -> None:
    assert ask("prompt_cv") == pytest.approx(0, abs=1e-7)
    assert ask("output_cv") == pytest.approx(0, abs=1e-7)


def test_a_percentile_that_no_lognormal_has_is_an_error() -> None:
    """The 95th percentile of a lognormal is at most exp(1.645²/2) = 3.87 times its mean."""
    assert ask("length_cv", high_over_mean=3.86) > 3
    assert "beyond what a lognormal distribution reaches" in tokensheet.why("length_cv", high_over_mean=3.9)


@pytest.mark.parametrize(
    ("prompt", "prefix", "found"),
    [
        (100, 50, 48),
        (100, 15, 0),
        (100, 16, 16),
        (100, 100, 96),
        (97, 97, 96),
        (96, 96, 80),
        (64, 64, 48),
        (1, 0, 0),
    ],
)
def test_only_whole_blocks_of_a_prefix_are_found(prompt: int, prefix: int, found: int) -> None:
    """Blocks of 16; the prompt's last token is computed in any case."""
    assert number(f"=CACHED_PROMPT_TOKENS({prompt},{prefix})") == found


def test_kinds_of_requests_are_weighed() -> None:
    """A quarter is long (9000); of the others half find 96 of their 1000 tokens."""
    given = {
        "prompt": 1000,
        "long_prompt": 9000,
        "long_share": 0.25,
        "shared_prefix": 100,
        "prefix_hit_share": 0.5,
    }
    assert ask("mean_prompt", **given) == near(0.75 * 1000 + 0.25 * 9000)
    assert ask("mean_computed_prompt", **given) == near(0.75 * (1000 - 48) + 0.25 * 9000)
    assert ask("mean_cached_prompt", **given) == near(0.75 * 48)


# ---- the week, an hour, histograms


def test_the_busiest_day_of_a_week() -> None:
    """Five days of 10 and two of 3: 10/(56/7); a factor that is given counts instead, and is at least 1."""
    week = {f"load_on_{day}": 10 for day in ("monday", "tuesday", "wednesday", "thursday", "friday")}
    week |= {"load_on_saturday": 3, "load_on_sunday": 3}
    assert ask("busiest_day_factor", **week) == near(10 / 8)
    assert ask("peak_to_average", **week, **HOURS) == near(10 / 8 * 15 / 7)
    assert ask("peak_to_average", **week, busiest_day_factor=1.4) == near(1.4)
    assert tokensheet.why("peak_to_average", busiest_day_factor=0.5).startswith("busiest_day_factor is 0.5; ")


@pytest.mark.parametrize(
    "day", ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
)
def test_any_day_can_be_the_busiest(day: str) -> None:
    assert ask("busiest_day_factor", **{f"load_on_{day}": 8}) == near(8 / 2)


def test_an_hours_rate_is_the_peaks_without_bursts_and_busiest_day() -> None:
    given = {**HOURS, "requests_per_day": 864_000, "busiest_day_factor": 1.4, "burst_factor": 1.1}
    assert ask("hour_request_rate", **given, hour=10) == near(10 * 15 / 7)
    assert ask("hour_request_rate", **given, hour=3) == near(10 * 3 / 7)


BINS = [(100, 50), (400, 30), (1500, 15), (8000, 5)]


def test_mean_and_variation_of_a_histogram() -> None:
    """As if each request had the mean length of its bin, whatever the unit of the counts."""
    lengths = [length for length, count in BINS for _ in range(count)]
    mean, square = sum(lengths) / 100, sum(x * x for x in lengths) / 100
    bins = ",".join(f"{length},{count}" for length, count in BINS)
    assert number(f"=HISTOGRAM_MEAN({bins})") == near(mean)
    assert number(f"=HISTOGRAM_CV({bins})") == near(math.sqrt(square / mean**2 - 1))
    shares = ",".join(f"{length},{count / 100}" for length, count in BINS)
    assert number(f"=HISTOGRAM_CV({shares})") == near(number(f"=HISTOGRAM_CV({bins})"))
    assert number("=HISTOGRAM_CV(700,3)") == 0


def test_six_bins_are_read_each_by_itself() -> None:
    bins = {f"bin_share_{i}": 1 for i in range(1, 7)} | {f"bin_length_{i}": 10**i for i in range(1, 7)}
    assert ask("histogram_mean", **bins) == near(1_111_110 / 6)
    square = sum(10 ** (2 * i) for i in range(1, 7)) / 6
    assert ask("histogram_cv", **bins) == near(math.sqrt(square / (1_111_110 / 6) ** 2 - 1))
