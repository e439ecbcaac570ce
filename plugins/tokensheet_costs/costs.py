"""What an hour costs, and what it yields."""

from __future__ import annotations

import math

from tokensheet.plugin import (
    HOURS_PER_YEAR,
    PER_MILLION,
    SECONDS_PER_HOUR,
    WATTS_PER_KILOWATT,
    check,
    formula,
)

_LI = "Bojie Li 2023: cost of serving with RTX 4090"


@formula(unit="usd", source="list price of the devices and a host's share", title="Price of the machine")
def system_price(gpus, gpu_price, host_price_per_gpu):
    """Dollars for the devices of a replica with their hosts, unless a system or a price is given."""
    return gpus * (gpu_price + host_price_per_gpu)


@formula(unit="watt", source="power limit of the devices and a host's share", title="Power of the machine")
def system_power(gpus, gpu_power, host_power_per_gpu):
    """Watts of the devices of a replica with their hosts, unless a system or a power is given."""
    return gpus * (gpu_power + host_power_per_gpu)


@formula(unit="gpu", source="the system chosen", title="Devices of the machine")
def system_devices(gpus):
    """Devices of the machine that is priced."""
    return gpus


@check(
    message="the system has {system_devices} devices, the plan {gpus}; choose another system or number",
    source="a price is for all devices of a machine",
    title="System has the plan's devices",
)
def system_matches(system_devices, gpus):
    """1 when the priced machine has as many devices as the plan."""
    return system_devices == gpus


@formula(unit="1", source="the system chosen", title="Product family of the machine's devices")
def system_family(gpus):
    """Number of the product family of a chosen machine's devices; below 0 when no machine is chosen."""
    return -gpus


@check(
    message="{system} is a machine with other devices than {gpu}; choose another system or device",
    source="a price is for the devices of a machine",
    title="System has the plan's kind of device",
)
def system_has_gpu(system_family, gpu_family):
    """1 when no machine is chosen, or its devices are variants of the plan's."""
    return system_family == gpu_family if system_family > 0 else 1


@formula(unit="usd/hour", source=_LI, title="Capital an hour")
def capital_cost_per_hour(system_price, amortization_years):
    """Dollars an hour of a purchase spread evenly over its years; no interest, no residual value."""
    return system_price / (amortization_years * HOURS_PER_YEAR)


@formula(unit="usd/hour", source=_LI, title="Power an hour")
def power_cost_per_hour(system_power, pue, electricity_price):
    """Dollars an hour for electricity, cooling of the building included by PUE."""
    return system_power / WATTS_PER_KILOWATT * pue * electricity_price


@formula(unit="usd/hour", source=_LI, title="Owning an hour")
def owned_cost_per_hour(capital_cost_per_hour, power_cost_per_hour, hosting_per_hour):
    """Dollars an hour of a machine that is bought: capital, power and hosting."""
    return capital_cost_per_hour + power_cost_per_hour + hosting_per_hour


@formula(
    unit="usd/hour",
    source=_LI,
    cell="gpu, gpus, [options]",
    checks=("system_matches", "system_has_gpu"),
    title="Cost an hour",
    headline=True,
    example=20,
)
def cost_per_hour(gpus, rent_per_gpu_hour, serving_rent, owned_cost_per_hour):
    """Dollars an hour of one replica: rent when a rent is given, else capital, power and hosting."""
    return gpus * serving_rent if rent_per_gpu_hour > 0 else owned_cost_per_hour


@formula(
    unit="token/usd",
    source=_LI,
    cell="model, gpu, gpus, cost_per_hour, context, [batch], [options]",
    title="Tokens a dollar",
    headline=True,
)
def tokens_per_dollar(tokens_per_second, cost_per_hour, utilization):
    """Generated tokens that one dollar buys at a stated utilization."""
    return tokens_per_second * SECONDS_PER_HOUR / cost_per_hour * utilization


@formula(
    unit="usd/million",
    source="cost of a batch of requests over its generated tokens",
    cell="model, gpu, gpus, cost_per_hour, prompt, output, [batch], [options]",
    title="Dollars a million output tokens",
    headline=True,
)
def usd_per_million_tokens(request_latency, cost_per_hour, batch, output, utilization):
    """Dollars a million generated tokens when batches of whole requests follow each other, prompts included."""
    batch_cost = cost_per_hour * request_latency / SECONDS_PER_HOUR
    return batch_cost / (batch * output) * PER_MILLION / utilization


@formula(unit="replica", source="whole replicas, at least one", title="Replicas for a wanted rate")
def replicas_for_rate(wanted_tokens_per_second, tokens_per_second, utilization):
    """Replicas that together reach a wanted rate of tokens at the stated utilization; at least one."""
    return max(1, math.ceil(wanted_tokens_per_second / (tokens_per_second * utilization)))


@formula(
    unit="usd/hour", source="cost of one replica times their number", title="Cost an hour for a wanted rate"
)
def cost_for_rate(replicas_for_rate, cost_per_hour):
    """Dollars an hour of the replicas that a wanted rate takes."""
    return replicas_for_rate * cost_per_hour


@formula(
    unit="token/usd",
    source=_LI,
    cell="price, [per_tokens]",
    title="Tokens a dollar from an API",
)
def api_tokens_per_dollar(price, per_tokens):
    """Tokens that one dollar buys from an API whose price is for a number of tokens, a million by default."""
    return per_tokens / price
