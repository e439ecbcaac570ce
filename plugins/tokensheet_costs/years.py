"""A fleet that grows with its demand: devices, capital, running costs and cash flow of each year, and their present value."""

from __future__ import annotations

import math

from tokensheet.plugin import CHANGE, LARGEST_EXPONENT, Assumption, Constant, Declaration, at, check, formula
from tokensheet_costs.fleet import CELL

_GROWTH = "the demand stated is that of the first year; each further year it grows"
_BOUGHT = "machines are bought at the start of the year that needs them, and none is sold before the end"
_FLOW = "purchase at the start, running costs at the end of the year, what is left at the end of the last"
_PRESENT = "present value: Brealey, Myers and Allen, Principles of Corporate Finance"
_OF_YEAR = CELL.replace("request_rate,", "request_rate, plan_year, plan_years,")
_OF_YEARS = CELL.replace("request_rate,", "request_rate, plan_years,")

LONGEST_PLAN = Constant("LONGEST_PLAN", 10.0, "1", "years of a growing fleet that are summed at most")

DECLARATIONS: tuple[Declaration, ...] = (
    Assumption(
        "price_change_per_year",
        "1",
        "change of the machines' price in a year, below 0 when they get cheaper",
        "0 by default, shown",
        0,
        CHANGE,
    ),
)

RUNNING = ("year_is_planned", "year_is_running")
YEAR = ("system_matches", "system_has_gpu", "peak_is_paid", *RUNNING)


@check(
    message="plan_year 0 is the start; years of a growing fleet are 1 to plan_years",
    source=_FLOW,
    title="Year is one in which the fleet runs",
)
def year_is_running(plan_year):
    """1 when the year is the first or a later one."""
    return plan_year >= 1


@formula(unit="1", source=_GROWTH, title="Years before")
def years_before(plan_year):
    """Years of the plan before the one that is looked at."""
    return plan_year - 1


@check(
    message="years_ahead is {years_ahead}, and the years of the plan grow as well; give the first year's demand with years_ahead 0",
    source=_GROWTH,
    title="Demand grows once",
)
def growth_is_counted_once(years_ahead):
    """1 when the demand stated is that of the first year, not one that has grown already."""
    return years_ahead == 0


@formula(
    unit="request/second",
    source=_GROWTH,
    checks=("growth_is_counted_once",),
    title="Requests a second then",
)
def rate_then(request_rate, growth=at("demand_growth", years_ahead="years_before")):
    """Requests a second at the peak of a year, whether or not it is one of the plan's."""
    return request_rate * growth


@formula(unit="request/second", source=_GROWTH, checks=RUNNING, title="Requests a second of a year")
def year_request_rate(rate_then):
    """Requests a second at the peak of one year of the plan."""
    return rate_then


@formula(unit="replica", source=_GROWTH, title="Replicas for the demand of a year")
def replicas_then(needed=at("replicas_needed", request_rate="rate_then")):
    """Replicas that the demand of a year needs, whether or not it is one of the plan's."""
    return needed


@formula(
    unit="replica",
    source=_GROWTH,
    cell=CELL.replace("request_rate,", "request_rate, plan_year,"),
    checks=("year_is_running",),
    title="Replicas of a year",
)
def year_replicas(replicas_then):
    """Replicas that one year of the plan needs, spare ones included."""
    return replicas_then


@formula(unit="gpu", source=_GROWTH, checks=RUNNING, title="Devices of a year")
def year_gpus(replicas_then, gpus):
    """Devices of the replicas of one year of the plan."""
    return replicas_then * gpus


@formula(unit="node", source=_GROWTH, checks=RUNNING, title="Nodes of a year")
def year_nodes(whole=at("fleet_nodes", replicas="replicas_then")):
    """Whole nodes for the replicas of one year of the plan."""
    return whole


@formula(unit="replica", source=_BOUGHT, title="Replicas of the year before")
def replicas_before(plan_year, earlier=at("replicas_then", plan_year="years_before")):
    """Replicas that are there when a year begins; none before the first."""
    return earlier if plan_year > 1 else 0


@formula(unit="1", source="compound growth", title="Machines' price of a year over the first")
def price_growth(price_change_per_year, years_before):
    """Price of a machine at the start of a year over that at the start of the plan."""
    return math.exp(max(-LARGEST_EXPONENT, years_before * math.log(1 + price_change_per_year)))


@formula(unit="1", source="compound growth", title="Running costs of a year over the first")
def running_growth(running_cost_growth, years_before):
    """Running costs of the same fleet in a year over those of the first."""
    return math.exp(max(-LARGEST_EXPONENT, years_before * math.log(1 + running_cost_growth)))


@formula(unit="usd", source=_BOUGHT, title="Capital then")
def capital_then(replicas_then, replicas_before, system_price, price_growth, is_bought):
    """Dollars for the machines that a year adds at its start, whether or not it is one of the plan's; 0 when rented."""
    return max(0, replicas_then - replicas_before) * system_price * price_growth * is_bought


@formula(unit="usd", source=_BOUGHT, checks=RUNNING, title="Capital of a year")
def year_capital(capital_then):
    """Dollars for the machines that are added at the start of one year; 0 when they are rented."""
    return capital_then


@formula(unit="usd", source=_FLOW, title="Running costs then")
def running_then(running_growth, first=at("running_first_year", replicas="replicas_then")):
    """Dollars of a year without purchases, whether or not it is one of the plan's."""
    return first * running_growth


@formula(unit="usd", source=_FLOW, checks=RUNNING, title="Running costs of a year")
def year_running(running_then):
    """Dollars of one year without purchases: power, hosting and support, or rent; network, storage and staff."""
    return running_then


@formula(unit="replica", source=_BOUGHT, title="Replicas owned at the end")
def replicas_owned(replicas_then, first=at("replicas_then", plan_year=1)):
    """Replicas bought by the end of a year: those of the year, or of the first when the demand falls."""
    return max(replicas_then, first)


@formula(unit="usd", source=_FLOW, title="Left at the end then")
def residual_then(plan_year, plan_years, replicas_owned, system_price, residual_share, is_bought):
    """Dollars left at the end of a year, whether or not it is one of the plan's; 0 but in the last."""
    sold = replicas_owned * system_price * residual_share * is_bought
    return sold if plan_year == plan_years else 0


@formula(unit="usd", source=_FLOW, checks=RUNNING, title="Left at the end")
def year_residual(residual_then):
    """Dollars for which the machines are sold at the end of the last year, at one share of the first price each; else 0."""
    return residual_then


@formula(
    unit="usd", source=_FLOW, cell=_OF_YEAR, checks=YEAR, title="Cash flow of a year of the growing fleet"
)
def year_cash_flow(year_capital, year_running, year_residual):
    """Dollars that come in (negative: go out) in one year of a fleet that grows with its demand."""
    return year_residual - year_capital - year_running


@formula(unit="1", source=_PRESENT, title="Worth today of a payment at the end of a year")
def year_discount(discount_rate, plan_year):
    """Dollars of today for one dollar at the end of a year."""
    return math.exp(-min(LARGEST_EXPONENT, plan_year * math.log(1 + discount_rate)))


@formula(unit="usd", source=_PRESENT, title="Worth today of a year")
def year_worth(
    capital_then,
    running_then,
    residual_then,
    year_discount,
    at_start=at("year_discount", plan_year="years_before"),
):
    """Dollars of today that a year brings in (negative: costs), whether or not it is one of the plan's."""
    return (residual_then - running_then) * year_discount - capital_then * at_start


@formula(unit="usd", source=_PRESENT, cell=_OF_YEAR, checks=YEAR, title="Cash flow of a year, discounted")
def year_present_value(year_worth):
    """Dollars of today that one year brings in (negative: costs): purchases at its start, the rest at its end."""
    return year_worth


@formula(
    unit="usd/million",
    source=_GROWTH,
    checks=RUNNING,
    title="Dollars a million tokens of a year",
)
def year_usd_per_million(cost=at("fleet_usd_per_million", request_rate="rate_then")):
    """Dollars a million prompt and output tokens that the fleet of one year really serves, at today's prices."""
    return cost


@formula(unit="usd", source=_PRESENT, title="Worth today of a year of the plan")
def planned_worth(year_worth, plan_year, plan_years):
    """Dollars of today that a year brings in (negative: costs); 0 after the last year of the plan."""
    return year_worth if plan_year <= plan_years else 0


@check(
    message="{plan_years} years are more than the ten that are summed for a growing fleet; give fewer",
    source=_PRESENT,
    title="Plan is short enough to be summed",
)
def plan_is_short(plan_years):
    """1 when all years of the plan are summed."""
    return plan_years <= LONGEST_PLAN


@formula(
    unit="usd",
    source=_PRESENT,
    cell=_OF_YEARS,
    checks=("system_matches", "system_has_gpu", "plan_is_short", "peak_is_paid"),
    title="Net present cost of the growing fleet",
)
def growing_net_present_cost(
    first=at("planned_worth", plan_year=1),
    second=at("planned_worth", plan_year=2),
    third=at("planned_worth", plan_year=3),
    fourth=at("planned_worth", plan_year=4),
    fifth=at("planned_worth", plan_year=5),
    sixth=at("planned_worth", plan_year=6),
    seventh=at("planned_worth", plan_year=7),
    eighth=at("planned_worth", plan_year=8),
    ninth=at("planned_worth", plan_year=9),
    tenth=at("planned_worth", plan_year=10),
):
    """Dollars of today that a fleet costs which grows with its demand over up to ten years."""
    five = first + second + third + fourth + fifth
    return -(five + sixth + seventh + eighth + ninth + tenth)
