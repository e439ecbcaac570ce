"""What is asked for: requests a second on average and at the peak, and how long prompts and answers are."""

from __future__ import annotations

import math

from tokensheet.constants import HOURS_PER_DAY, Constant
from tokensheet.plugin import at, check, formula

_INTERACTIVE = "Little 1961; the interactive response time law, Lazowska et al. 1984"
_DAY = "largest over mean of the day's 24 hours"
_MIX = "mean over kinds of requests, weighed by their shares"
_LOGNORMAL = "mean and one percentile fix a lognormal distribution: its sigma solves a quadratic equation"

LONG = Constant("LONG", 600.0, "1", "exponent beyond which nothing is left")
SECONDS_PER_DAY = Constant("SECONDS_PER_DAY", 86400.0, "second", "seconds in a day")


@check(
    message="{users} users have no rhythm: give think_time and answer_time",
    source=_INTERACTIVE,
    title="Rhythm of the users is given",
)
def rhythm_is_given(users, think_time, answer_time):
    """1 when there are no users, or they take some time to think or wait."""
    without = users if think_time + answer_time == 0 else 0
    return without == 0


@formula(
    unit="request",
    source=_INTERACTIVE,
    cell="users, think_time, answer_time",
    checks=("rhythm_is_given",),
    title="Requests of the users in flight",
)
def concurrent_requests(users, think_time, answer_time):
    """Users who wait for an answer or read it as it comes, on average; the others think."""
    waiting = users * answer_time / (answer_time + think_time) if users > 0 else 0
    return waiting


@formula(
    unit="request/second", source=_INTERACTIVE, checks=("rhythm_is_given",), title="Requests of the users"
)
def user_request_rate(users, think_time, answer_time):
    """Requests a second of users who think, ask and wait for the answer, in turn."""
    asked = users / (answer_time + think_time) if users > 0 else 0
    return asked


@formula(unit="1", source=_DAY, title="Mean hour of the day")
def mean_hour_load(
    load_at_00,
    load_at_01,
    load_at_02,
    load_at_03,
    load_at_04,
    load_at_05,
    load_at_06,
    load_at_07,
    load_at_08,
    load_at_09,
    load_at_10,
    load_at_11,
    load_at_12,
    load_at_13,
    load_at_14,
    load_at_15,
    load_at_16,
    load_at_17,
    load_at_18,
    load_at_19,
    load_at_20,
    load_at_21,
    load_at_22,
    load_at_23,
):
    """Load of a mean hour, in the unit of the 24 values."""
    morning = (
        load_at_00
        + load_at_01
        + load_at_02
        + load_at_03
        + load_at_04
        + load_at_05
        + load_at_06
        + load_at_07
        + load_at_08
        + load_at_09
        + load_at_10
        + load_at_11
    )
    evening = (
        load_at_12
        + load_at_13
        + load_at_14
        + load_at_15
        + load_at_16
        + load_at_17
        + load_at_18
        + load_at_19
        + load_at_20
        + load_at_21
        + load_at_22
        + load_at_23
    )
    return (morning + evening) / HOURS_PER_DAY


@formula(unit="1", source=_DAY, title="Busiest hour of the day")
def busiest_hour_load(
    load_at_00,
    load_at_01,
    load_at_02,
    load_at_03,
    load_at_04,
    load_at_05,
    load_at_06,
    load_at_07,
    load_at_08,
    load_at_09,
    load_at_10,
    load_at_11,
    load_at_12,
    load_at_13,
    load_at_14,
    load_at_15,
    load_at_16,
    load_at_17,
    load_at_18,
    load_at_19,
    load_at_20,
    load_at_21,
    load_at_22,
    load_at_23,
):
    """Load of the busiest hour, in the unit of the 24 values."""
    morning = max(
        load_at_00,
        load_at_01,
        load_at_02,
        load_at_03,
        load_at_04,
        load_at_05,
        load_at_06,
        load_at_07,
        load_at_08,
        load_at_09,
        load_at_10,
        load_at_11,
    )
    evening = max(
        load_at_12,
        load_at_13,
        load_at_14,
        load_at_15,
        load_at_16,
        load_at_17,
        load_at_18,
        load_at_19,
        load_at_20,
        load_at_21,
        load_at_22,
        load_at_23,
    )
    return max(morning, evening)


@formula(
    unit="1",
    source=_DAY + "; times the busiest day and the bursts within an hour",
    title="Peak over average",
)
def peak_to_average(busiest_hour_load, mean_hour_load, busiest_day_factor, burst_factor):
    """Load at the peak over the mean of all days: busiest hour, busiest day, busiest minutes."""
    return busiest_hour_load / mean_hour_load * busiest_day_factor * burst_factor


@formula(unit="1", source="compound growth", title="Growth until then")
def demand_growth(growth_per_year, years_ahead):
    """Demand of the year planned for over today's."""
    return math.exp(max(-LONG, years_ahead * math.log(1 + growth_per_year)))


@formula(unit="1", source=_MIX, title="Model calls a request")
def calls_per_request(tool_share, calls_per_tool_request):
    """Model calls of a mean request: each result of a tool goes back to the model."""
    return 1 + tool_share * (calls_per_tool_request - 1)


@formula(
    unit="request/second",
    source="users of the busiest time; mean of a day times peak over average",
    cell="users, think_time, answer_time, [options]",
    title="Requests a second at the peak",
)
def peak_request_rate(user_request_rate, requests_per_day, peak_to_average, calls_per_request, demand_growth):
    """Model calls a second at the busiest time: those of `users` then, and those of `requests_per_day`."""
    by_day = requests_per_day * peak_to_average / SECONDS_PER_DAY
    return (user_request_rate + by_day) * calls_per_request * demand_growth


@formula(
    unit="request/second",
    source="peak over peak to average",
    cell="users, think_time, answer_time, [options]",
    title="Requests a second on average",
)
def mean_request_rate(peak_request_rate, peak_to_average):
    """Model calls a second, mean over all days."""
    return peak_request_rate / peak_to_average


@formula(
    unit="request/second", source="the peak, unless another time is looked at", title="Requests a second"
)
def request_rate(peak_request_rate):
    """Requests a second of all replicas together at the time looked at."""
    return peak_request_rate


@check(
    message="no demand: give users with think_time and answer_time, or requests_per_day, or request_rate itself",
    source="nothing is invented",
    title="Demand is given",
)
def demand_is_given(request_rate):
    """1 when there are requests."""
    return request_rate > 0


@check(
    message="a length of {high_over_mean} times the mean is beyond what a lognormal distribution reaches at its percentile "
    "{high_percentile}; give a lower ratio, or another percentile",
    source=_LOGNORMAL,
    title="Percentile is possible",
)
def ratio_is_possible(
    high_over_mean, high_percentile, quantile=at("normal_quantile", percentile="high_percentile")
):
    """1 when some lognormal distribution has this percentile over its mean."""
    return 2 * math.log(high_over_mean) <= quantile**2


@formula(
    unit="1",
    source=_LOGNORMAL,
    cell="high_over_mean, [high_percentile]",
    checks=("ratio_is_possible",),
    title="Variation of lengths",
)
def length_cv(high_over_mean, quantile=at("normal_quantile", percentile="high_percentile")):
    """Standard deviation over mean of lengths whose percentile is known; 0 when all are the same."""
    sigma = quantile - math.sqrt(max(0, quantile**2 - 2 * math.log(high_over_mean)))
    return math.sqrt(math.exp(sigma**2) - 1)


@formula(unit="1", source=_LOGNORMAL, title="Variation of prompts")
def prompt_cv(spread=at("length_cv", high_over_mean="prompt_high_ratio")):
    """Standard deviation over mean of the prompts' lengths."""
    return spread


@formula(unit="1", source=_LOGNORMAL, title="Variation of outputs")
def output_cv(spread=at("length_cv", high_over_mean="output_high_ratio")):
    """Standard deviation over mean of the outputs' lengths."""
    return spread


@formula(unit="token", source=_MIX, title="Prompt of the long requests")
def long_prompt(prompt):
    """Prompt tokens of the requests with long contexts; as the others, unless given."""
    return prompt


@formula(unit="token", source=_MIX, title="Mean prompt")
def mean_prompt(prompt, long_prompt, long_share):
    """Prompt tokens of a mean request, long ones included."""
    return (1 - long_share) * prompt + long_share * long_prompt


@formula(
    unit="token",
    source="vLLM and SGLang keep blocks; the last token is always computed, its output is asked for",
    cell="prompt, shared_prefix, [block_tokens]",
    title="Prompt tokens found in the cache",
)
def cached_prompt_tokens(prompt, shared_prefix, block_tokens):
    """Tokens of a prompt that a request with the shared prefix finds in the cache: whole blocks only."""
    return math.floor(min(shared_prefix, prompt - 1) / block_tokens) * block_tokens


@formula(unit="token", source="prompt without what the cache has", title="Prompt tokens computed after a hit")
def computed_prompt(prompt, cached_prompt_tokens):
    """Tokens of a prompt that a request with the shared prefix must compute."""
    return prompt - cached_prompt_tokens


@formula(
    unit="token", source="cache before the prompt, and what is found", title="Cache before what is computed"
)
def hit_prefix(cached_prefix, cached_prompt_tokens):
    """Tokens in the cache before the first computed one, after a hit."""
    return cached_prefix + cached_prompt_tokens


@formula(unit="token", source=_MIX, title="Prompt tokens computed on average")
def mean_computed_prompt(prompt, cached_prompt_tokens, prefix_hit_share, long_prompt, long_share):
    """Prompt tokens that a mean request makes the engine compute."""
    common = prompt - prefix_hit_share * cached_prompt_tokens
    return (1 - long_share) * common + long_share * long_prompt


@formula(unit="token", source=_MIX, title="Prompt tokens from the cache on average")
def mean_cached_prompt(mean_prompt, mean_computed_prompt):
    """Prompt tokens of a mean request that are found in the cache."""
    return mean_prompt - mean_computed_prompt
