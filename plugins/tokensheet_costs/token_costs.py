"""What tokens cost by kind (input, cached input, output), what an API asks for the same, and where both are even."""

from __future__ import annotations

from tokensheet.plugin import HOURS_PER_MONTH, PER_MILLION, ROUNDING, SECONDS_PER_HOUR, at, check, formula
from tokensheet_inference.prefill import PROMPTED
from tokensheet_inference.serving import SERVED

_TIME = "each kind of token pays for the replica's time that it takes, at its largest batch"
_API = "provider's price list; cached tokens cost their own price instead of the input price"
_EVEN = "both cost the same there"


@formula(unit="usd/second", source=_TIME, title="Cost of a used second")
def cost_per_used_second(cost_per_hour, utilization):
    """Dollars for each second in which a replica is used."""
    return cost_per_hour / SECONDS_PER_HOUR / utilization


@formula(
    unit="usd/million",
    source=_TIME,
    cell="model, gpu, gpus, cost_per_hour, prompt, [options]",
    checks=PROMPTED,
    title="Dollars a million input tokens",
)
def usd_per_million_input(cost_per_used_second, missed_prefill_work, prompt):
    """Dollars a million prompt tokens that are computed."""
    return cost_per_used_second * missed_prefill_work / prompt * PER_MILLION


@formula(
    unit="usd/million",
    source=_TIME + ": attention to the cached tokens",
    cell="model, gpu, gpus, cost_per_hour, prompt, shared_prefix, [options]",
    checks=PROMPTED,
    title="Dollars a million cached input tokens",
)
def usd_per_million_cached(
    cost_per_used_second,
    hit_prefill_work,
    cached_prompt_tokens,
    alone=at("missed_prefill_work", prompt="computed_prompt"),
):
    """Dollars a million prompt tokens found in the cache: what they add to the computed ones, storage aside."""
    added = (hit_prefill_work - alone) * cost_per_used_second
    return added / max(1, cached_prompt_tokens) * PER_MILLION


@formula(
    unit="usd/million",
    source=_TIME,
    cell="model, gpu, gpus, cost_per_hour, prompt, output, [options]",
    checks=SERVED,
    title="Dollars a million output tokens by time",
)
def usd_per_million_output(cost_per_used_second, full_step_time, full_batch):
    """Dollars a million output tokens beyond the first, which comes with the prompt."""
    return cost_per_used_second * full_step_time / full_batch * PER_MILLION


@formula(
    unit="usd",
    source=_TIME,
    cell="model, gpu, gpus, cost_per_hour, prompt, output, [options]",
    title="Cost of a request",
)
def request_cost(cost_per_used_second, replica_capacity):
    """Dollars of a mean request at the stated utilization."""
    return cost_per_used_second / replica_capacity


# ---- at 100 % of the time in use, beside the stated utilization


@formula(unit="usd/million", source=_TIME, title="Dollars a million input tokens at 100 %")
def full_usd_per_million_input(busy=at("usd_per_million_input", utilization=1)):
    """Dollars a million prompt tokens that are computed, on a replica that is always in use."""
    return busy


@formula(unit="usd/million", source=_TIME, title="Dollars a million cached input tokens at 100 %")
def full_usd_per_million_cached(busy=at("usd_per_million_cached", utilization=1)):
    """Dollars a million prompt tokens found in the cache, on a replica that is always in use."""
    return busy


@formula(unit="usd/million", source=_TIME, title="Dollars a million output tokens at 100 %")
def full_usd_per_million_output(busy=at("usd_per_million_output", utilization=1)):
    """Dollars a million output tokens beyond the first, on a replica that is always in use."""
    return busy


# ---- against an API


@check(
    message="{mean_cached_prompt} cached tokens are more than the prompt's {mean_prompt}; they are a part of it",
    source=_API,
    title="Cached tokens are part of the prompt",
)
def cached_is_of_prompt(mean_cached_prompt, mean_prompt):
    """1 when no more tokens are cached than the prompt has."""
    return mean_cached_prompt <= mean_prompt * (1 + ROUNDING)


@formula(
    unit="usd",
    source=_API,
    cell="api, prompt, output, [mean_cached_prompt], [options]",
    checks=("cached_is_of_prompt", "plan_is_dated", "api_is_fresh"),
    title="Price of a request at an API",
)
def api_request_cost(
    mean_prompt,
    mean_cached_prompt,
    output,
    api_usd_per_million_input_tokens,
    api_usd_per_million_cached_input_tokens,
    api_usd_per_million_output_tokens,
):
    """Dollars of a request at an API whose prompt tokens include the cached ones."""
    cached = mean_cached_prompt * api_usd_per_million_cached_input_tokens if mean_cached_prompt > 0 else 0
    computed = (mean_prompt - mean_cached_prompt) * api_usd_per_million_input_tokens
    return (computed + cached + output * api_usd_per_million_output_tokens) / PER_MILLION


@formula(
    unit="token/month",
    source=_EVEN,
    cell="gpu, gpus, replicas, api, prompt, output, [options]",
    title="Tokens a month that break even with an API",
)
def break_even_tokens(monthly_cost, api_request_cost, mean_prompt, output):
    """Prompt and output tokens a month from which the fleet costs less than the API, if it can serve so many."""
    return monthly_cost / api_request_cost * (mean_prompt + output)


@formula(unit="request/second", source=_EVEN, title="Requests a second that break even with an API")
def break_even_rate(monthly_cost, api_request_cost):
    """Requests a second, mean over all hours, from which the fleet costs less than the API."""
    return monthly_cost / api_request_cost / (HOURS_PER_MONTH * SECONDS_PER_HOUR)


@formula(
    unit="share",
    source=_EVEN,
    cell="model, gpu, gpus, replicas, api, prompt, output, [target_ttft], [target_tpot], [target_percentile], [options]",
    title="Share of the largest load that breaks even with an API",
)
def break_even_load_share(break_even_rate, largest_load):
    """Share of the fleet's largest load from which it costs less than the API; above 1 the API is cheaper at any load."""
    return break_even_rate / largest_load
