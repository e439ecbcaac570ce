"""What a fleet costs: by month, by year, at present value; purchase against rent, with every line of it shown."""

from __future__ import annotations

import math

from tokensheet.plugin import (
    HOURS_PER_MONTH,
    LARGEST_EXPONENT,
    MONTHS_PER_YEAR,
    WATTS_PER_KILOWATT,
    Constant,
    check,
    formula,
)

_LINES = "sum of its lines; a month has 730 hours"
_ANNUITY = "annuity: Brealey, Myers and Allen, Principles of Corporate Finance"
_PRESENT = "present value of payments at the end of each year: a growing annuity"

LEAST_INTEREST = Constant(
    "LEAST_INTEREST", 1e-9, "1", "smallest rate of interest that is told apart from none"
)
ONE_YEAR = Constant("ONE_YEAR", 1.0, "year", "a year")
ONE_MONTH = Constant("ONE_MONTH", 1.0, "month", "a month")
US_DOLLAR = Constant("US_DOLLAR", 1.0, "usd", "a US dollar")


@formula(unit="usd", source="price of a machine for each replica", title="Purchase")
def fleet_price(replicas, system_price, is_bought):
    """Dollars for the machines of all replicas; 0 when they are rented, whatever they would cost."""
    return replicas * system_price if is_bought else 0


@formula(unit="flag", source="a rent is given, or not", title="Machines are bought")
def is_bought(rent_per_gpu_hour):
    """1 when no rent is given, so that machines are bought."""
    return 0 if rent_per_gpu_hour > 0 else 1


@formula(unit="usd/month", source=_ANNUITY, title="Capital a month")
def capital_per_month(fleet_price, is_bought, residual_share, discount_rate, amortization_years):
    """Dollars a month that pay the purchase back with interest, less what is left of it at the end."""
    months = amortization_years * MONTHS_PER_YEAR / ONE_MONTH
    interest = (1 + discount_rate) ** (1 / 12) - 1
    discounted = math.exp(-min(LARGEST_EXPONENT, amortization_years / ONE_YEAR * math.log(1 + discount_rate)))
    to_pay = fleet_price * is_bought * (1 - residual_share * discounted)
    share = interest / (1 - discounted) if abs(interest) > LEAST_INTEREST else 1 / months
    return to_pay * share / ONE_MONTH


@formula(unit="watt", source="idle power, and the rest by use", title="Power on average")
def average_power(system_power, idle_power_share, utilization):
    """Watts of a replica's machine on average over time, the building aside."""
    return system_power * (idle_power_share + (1 - idle_power_share) * utilization)


@formula(
    unit="kilowatt*hour/month", source=_LINES, cell="gpu, gpus, replicas, [options]", title="Energy a month"
)
def energy_per_month(replicas, average_power, pue, is_bought, reserved_rent, rented_share):
    """Kilowatt hours a month of all replicas, the building included once by PUE; none in hours in which they are given back."""
    given_back = (1 - is_bought) * (1 - reserved_rent) * (1 - rented_share)
    return replicas * average_power / WATTS_PER_KILOWATT * pue * HOURS_PER_MONTH * (1 - given_back)


@formula(unit="usd/month", source=_LINES, title="Power a month")
def power_per_month(energy_per_month, electricity_price, is_bought):
    """Dollars a month for electricity; a rent includes it."""
    return energy_per_month * electricity_price if is_bought else 0


@formula(unit="usd/month", source=_LINES, title="Hosting a month")
def hosting_per_month(replicas, hosting_per_hour, is_bought):
    """Dollars a month for space and service of bought machines."""
    return replicas * hosting_per_hour * HOURS_PER_MONTH * is_bought


@formula(unit="usd/month", source=_LINES, title="Support a month")
def support_per_month(fleet_price, support_share_per_year, is_bought):
    """Dollars a month for support and maintenance of bought machines."""
    return fleet_price * support_share_per_year / (MONTHS_PER_YEAR * ONE_YEAR) * is_bought


@formula(unit="usd/month", source=_LINES, title="Running costs a month")
def running_per_month(
    power_per_month,
    hosting_per_month,
    support_per_month,
    rent_per_month,
    network_per_month,
    storage_per_month,
    staff_per_month,
):
    """Dollars a month without capital: power, hosting and support, or rent; network, storage and staff."""
    machines = power_per_month + hosting_per_month + support_per_month + rent_per_month
    return machines + network_per_month + storage_per_month + staff_per_month


@formula(
    unit="usd/month",
    source=_LINES,
    cell="gpu, gpus, replicas, [options]",
    checks=("system_matches", "system_has_gpu"),
    title="Cost a month",
)
def monthly_cost(capital_per_month, running_per_month):
    """Dollars a month of all replicas: capital with interest and running costs, or rent."""
    return capital_per_month + running_per_month


@formula(
    unit="usd/hour",
    source="all hours are paid, some are used",
    cell="gpu, gpus, [options]",
    title="Cost of a used hour",
)
def cost_per_used_hour(cost_per_hour, utilization):
    """Dollars for each hour in which a replica is used, when it is used a share of the time."""
    return cost_per_hour / utilization


# ---- over years


@check(
    message="year {plan_year} is beyond the {plan_years} years of the plan",
    source="cash flows end with the plan",
    title="Year is within the plan",
)
def year_is_planned(plan_year, plan_years):
    """1 when the year is one of the plan's."""
    return plan_year <= plan_years


@formula(unit="usd", source=_PRESENT, title="Running costs of the first year")
def running_first_year(running_per_month):
    """Dollars of the first year without the purchase."""
    return running_per_month * MONTHS_PER_YEAR * ONE_YEAR


@formula(
    unit="usd",
    source="purchase at the start, running costs at the end of each year, what is left at the end",
    cell="gpu, gpus, replicas, plan_year, plan_years, [options]",
    checks=("system_matches", "system_has_gpu", "year_is_planned"),
    title="Cash flow of a year",
)
def cash_flow(
    fleet_price, is_bought, residual_share, running_first_year, running_cost_growth, plan_year, plan_years
):
    """Dollars that come in (negative: go out) at the start, year 0, or at the end of a year of the plan."""
    purchase = fleet_price * is_bought
    sold = purchase * residual_share if plan_year == plan_years else 0
    grown = math.exp(max(-LARGEST_EXPONENT, (plan_year - 1) * math.log(1 + running_cost_growth)))
    running = running_first_year * grown
    paid = -purchase if plan_year == 0 else sold - running
    return paid


@formula(unit="1", source=_PRESENT, title="Present value of a year's payment each year")
def years_factor(discount_rate, running_cost_growth, plan_years):
    """Payments of the first year's size that all years' payments are worth today."""
    falling = math.log(1 + discount_rate) - math.log(1 + running_cost_growth)
    last = math.exp(-min(LARGEST_EXPONENT, plan_years * falling))
    apart = discount_rate - running_cost_growth
    return (1 - last) / apart if abs(apart) > LEAST_INTEREST else plan_years / (1 + discount_rate)


@formula(
    unit="usd",
    source=_PRESENT,
    cell="gpu, gpus, replicas, plan_years, [options]",
    checks=("system_matches", "system_has_gpu"),
    title="Net present cost",
)
def net_present_cost(
    fleet_price, is_bought, residual_share, discount_rate, running_first_year, years_factor, plan_years
):
    """Dollars of today that the fleet costs over the years: purchase, running costs, less what is left at the end."""
    left = residual_share * math.exp(-min(LARGEST_EXPONENT, plan_years * math.log(1 + discount_rate)))
    return fleet_price * is_bought * (1 - left) + running_first_year * years_factor
