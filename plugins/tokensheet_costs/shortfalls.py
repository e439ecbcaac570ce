"""Why the ideal price of a token is not reached: five reasons, each a factor of its own; and hosts compared.

The share of the day at the stated batch is `utilization`, which TOKENS_PER_DOLLAR has already.
"""

from __future__ import annotations

from tokensheet.plugin import NOT_NEGATIVE, POSITIVE, SHARE, Assumption, Declaration, formula

_REASONS = "Bojie Li 2023: five reasons why the sum is not that simple"

DECLARATIONS: tuple[Declaration, ...] = (
    Assumption(
        "compute_share_reached",
        "1",
        "speed reached over the speed reckoned: what software loses",
        _REASONS + ", first",
        1,
        SHARE,
    ),
    Assumption(
        "useful_length_share",
        "1",
        "tokens paid for over tokens computed: mean over longest length of a batch",
        _REASONS + ", third",
        1,
        SHARE,
    ),
    Assumption(
        "model_size_ratio",
        "1",
        "work of a token of the model sold over a token of the model reckoned: 175/70 for GPT-3.5",
        _REASONS + ", fourth",
        1,
        POSITIVE,
    ),
    Assumption(
        "other_costs_per_serving_cost",
        "1",
        "dollars for training, staff and the rest for each dollar of serving",
        _REASONS + ", fifth",
        0,
        NOT_NEGATIVE,
    ),
)


@formula(unit="1", source=_REASONS, title="Share of the ideal that is left")
def shortfall(compute_share_reached, useful_length_share, model_size_ratio, other_costs_per_serving_cost):
    """Share of the reckoned tokens a dollar that four reasons leave; the fifth, load over the day, is `utilization`."""
    sold = compute_share_reached * useful_length_share / model_size_ratio
    return sold / (1 + other_costs_per_serving_cost)


@formula(
    unit="token/usd",
    source=_REASONS,
    cell="model, gpu, gpus, cost_per_hour, context, [batch], [options]",
    title="Tokens a dollar that can be sold",
)
def sold_tokens_per_dollar(tokens_per_dollar, shortfall):
    """Tokens a dollar after losses of software, load, unequal lengths, a larger model and other costs."""
    return tokens_per_dollar * shortfall


@formula(
    unit="1",
    source=_REASONS,
    cell="model, gpu, gpus, cost_per_hour, context, price, [batch], [options]",
    title="Advantage over an API",
)
def api_advantage(sold_tokens_per_dollar, api_tokens_per_dollar):
    """How many times as many tokens a dollar buys as from an API with a price for `per_tokens` tokens."""
    return sold_tokens_per_dollar / api_tokens_per_dollar


@formula(
    unit="1",
    source="Bojie Li 2023: share of the price that is not cards",
    cell="gpu, gpus, [options]",
    checks=("system_matches", "system_has_gpu"),
    title="Share of the price that is not devices",
)
def host_price_share(system_price, gpus, gpu_price):
    """Share of a machine's price that buys hosts, network and the rest instead of devices at their list price."""
    return 1 - gpus * gpu_price / system_price


@formula(
    unit="watt",
    source="Bojie Li 2023: nine hosts of 5 kW against one of 10 kW",
    cell="model, gpu, gpus, wanted_tokens_per_second, context, [batch], [options]",
    checks=("system_matches", "system_has_gpu"),
    title="Power for a wanted rate",
)
def power_for_rate(replicas_for_rate, system_power):
    """Watts of as many whole machines as a wanted rate takes."""
    return replicas_for_rate * system_power
