"""Dates and currencies: prices past their life, and amounts at a rate that states its direction and date."""

from __future__ import annotations

import math

from tokensheet.plugin import POSITIVE, Constant, Declaration, Input, Range, Role, at, check, formula
from tokensheet_costs.finance import US_DOLLAR

_LIFE = "a price has a life, 90 days unless its record says otherwise"
_CALENDAR = "days of the Gregorian calendar: Fliegel and Van Flandern 1968"
_RATE = "rate with direction and date as given; no rate ships with the program"
_RECORD = "rate of the currency's record, which states its direction and date"

MARCH_FIRST = Constant("MARCH_FIRST", 3.0, "1", "month with which the calendar's year is counted from")
MONTHS = Constant("MONTHS", 12.0, "1", "months of a year")
DAYS_OF_FIVE_MONTHS = Constant(
    "DAYS_OF_FIVE_MONTHS", 153.0, "1", "days from March to July, and again from August"
)
FIVE_MONTHS = Constant("FIVE_MONTHS", 5.0, "1", "months in which the lengths of months repeat")
LONGEST_MONTH = Constant("LONGEST_MONTH", 31.0, "1", "days of the longest month")
AUGUST = Constant("AUGUST", 8.0, "1", "month from which even months, not odd ones, are long")
DAYS_PER_YEAR = Constant("DAYS_PER_YEAR", 365.0, "1", "days of a year that is no leap year")
LEAP_CYCLE = Constant("LEAP_CYCLE", 4.0, "1", "years from one leap year to the next")
CENTURY = Constant("CENTURY", 100.0, "1", "years of a century, whose last is no leap year")
FOUR_CENTURIES = Constant("FOUR_CENTURIES", 400.0, "1", "years of four centuries, whose last is a leap year")
PLACE_OF_YEAR = Constant("PLACE_OF_YEAR", 10000.0, "1", "what the year counts for in a date as a number")
PLACE_OF_MONTH = Constant("PLACE_OF_MONTH", 100.0, "1", "what the month counts for in a date as a number")
FIRST_DATE = Constant("FIRST_DATE", 19000101.0, "1", "earliest date that is understood")
LAST_DATE = Constant("LAST_DATE", 21001231.0, "1", "latest date that is understood")
RATE_LIFE = Constant("RATE_LIFE", 90.0, "1", "days after which an exchange rate is old")

_DATE = Range(minimum=0, maximum=LAST_DATE, whole=True)

DECLARATIONS: tuple[Declaration, ...] = (
    Role("currency", "price", "rate of the currency in which a cost is told, with direction and date", prefix="currency_"),
    Input("plan_date", "1", "date of the plan as a number, 20261129; 0: prices are not asked for their age", 0, _DATE),
    Input("calendar_date", "1", "a date as a number of year, month and day: 20261129", range=_DATE),
    Input("usd_amount", "usd", "US dollars that are told in another currency", example=1000),
    Input("currency_amount", "1", "amount in the other currency", example=1000),
    Input("exchange_rate", "1", "rate of the currency, in the direction that is given", range=POSITIVE, example=1.1),
    Input("exchange_direction", "1", "1: the rate is US dollars for one unit of the currency; 2: units for one US dollar",
          range=Range(minimum=1, maximum=2, whole=True), example=1),
    Input("exchange_date", "1", "date of the rate as a number, 20261129", range=_DATE, example=20261101),
)  # fmt: skip


# ---- dates


@formula(unit="1", source=_CALENDAR, title="Number of a day")
def day_number(calendar_date):
    """Days from a day long ago to a date, so that two of them can be subtracted."""
    year = math.floor(calendar_date / PLACE_OF_YEAR)
    month = math.floor(calendar_date / PLACE_OF_MONTH) - PLACE_OF_MONTH * year
    day = calendar_date - PLACE_OF_YEAR * year - PLACE_OF_MONTH * month
    before_march = 1 if month < MARCH_FIRST else 0
    shifted_year = year - before_march
    shifted_month = month + MONTHS * before_march - MARCH_FIRST
    of_year = math.floor((DAYS_OF_FIVE_MONTHS * shifted_month + 2) / FIVE_MONTHS) + day
    by_centuries = math.floor(shifted_year / FOUR_CENTURIES) - math.floor(shifted_year / CENTURY)
    leap_days = math.floor(shifted_year / LEAP_CYCLE) + by_centuries
    return DAYS_PER_YEAR * shifted_year + leap_days + of_year


@check(
    message="{calendar_date} is no date; write year, month and day as one number, such as 20261129",
    source=_CALENDAR,
    title="Date is one of the calendar",
)
def date_is_real(calendar_date):
    """1 when a number is year, month and day of a date from 1900 to 2100, leap years told apart."""
    month = math.floor(calendar_date / PLACE_OF_MONTH) - PLACE_OF_MONTH * math.floor(
        calendar_date / PLACE_OF_YEAR
    )
    day = calendar_date - PLACE_OF_MONTH * math.floor(calendar_date / PLACE_OF_MONTH)
    year = math.floor(calendar_date / PLACE_OF_YEAR)
    by_fours = year - LEAP_CYCLE * math.floor(year / LEAP_CYCLE)
    by_hundreds = year - CENTURY * math.floor(year / CENTURY)
    by_four_hundreds = year - FOUR_CENTURIES * math.floor(year / FOUR_CENTURIES)
    leap_day = 1 if by_fours == 0 and (by_hundreds > 0 or by_four_hundreds == 0) else 0
    place = month + math.floor(month / AUGUST)
    long_day = place - 2 * math.floor(place / 2)
    last_day = LONGEST_MONTH - 3 + leap_day if month == 2 else LONGEST_MONTH - 1 + long_day
    real_month = month >= 1 and month <= MONTHS
    real_day = day >= 1 and day <= last_day
    near = calendar_date >= FIRST_DATE and calendar_date <= LAST_DATE
    return min(real_month, real_day, near) == 1


@check(
    message="the rent of {offer} is past its life at the date of the plan; ask for a new price",
    source=_LIFE,
    warning=True,
    title="Offer is fresh",
)
def offer_is_fresh(plan_date, offer_last_date):
    """1 when no date is given, or the offer's price has not passed its life by then."""
    return plan_date <= offer_last_date if plan_date > 0 else 1


@check(
    message="the price of {api} is past its life at the date of the plan; ask for a new price",
    source=_LIFE,
    warning=True,
    title="Price of the API is fresh",
)
def api_is_fresh(plan_date, api_last_date):
    """1 when no date is given, or the API's price has not passed its life by then."""
    return plan_date <= api_last_date if plan_date > 0 else 1


@check(
    message="the rate of {currency} is past its life at the date of the plan; take a new one",
    source=_LIFE,
    warning=True,
    title="Rate of the currency is fresh",
)
def currency_is_fresh(plan_date, currency_last_date):
    """1 when no date is given, or the currency's rate has not passed its life by then."""
    return plan_date <= currency_last_date if plan_date > 0 else 1


# ---- at a rate that is given


@formula(unit="usd", source=_RATE, title="Worth of a unit of the currency")
def exchange_usd_per_unit(exchange_rate, exchange_direction):
    """US dollars for one unit of the currency, whichever way the rate is stated."""
    return (exchange_rate if exchange_direction == 1 else 1 / exchange_rate) * US_DOLLAR


@check(
    message="exchange_date {exchange_date} is no date; write year, month and day as one number, such as 20261129",
    source=_CALENDAR,
    title="Date of the rate is real",
)
def exchange_is_dated(exchange_date, real=at("date_is_real", calendar_date="exchange_date")):
    """1 when the rate has a date of the calendar."""
    return real == 1


@check(
    message="plan_date {plan_date} is no date; write year, month and day as one number, such as 20261129",
    source=_CALENDAR,
    title="Date of the plan is real",
)
def plan_is_dated(plan_date, real=at("date_is_real", calendar_date="plan_date")):
    """1 when the plan has no date, or one of the calendar."""
    return real == 1 if plan_date > 0 else 1


@check(
    message="the exchange rate is more than 90 days older than the plan; take a new one",
    source=_LIFE,
    warning=True,
    title="Exchange rate is fresh",
)
def exchange_is_fresh(
    plan_date,
    today=at("day_number", calendar_date="plan_date"),
    then_day=at("day_number", calendar_date="exchange_date"),
):
    """1 when no date of the plan is given, or the rate is at most 90 days older."""
    return today - then_day <= RATE_LIFE if plan_date > 0 else 1


@formula(
    unit="1",
    source=_RATE,
    cell="usd_amount, exchange_rate, exchange_direction, exchange_date, [options]",
    checks=("exchange_is_dated", "plan_is_dated", "exchange_is_fresh"),
    title="Amount in another currency",
)
def in_currency(usd_amount, exchange_usd_per_unit):
    """Units of a currency for an amount of US dollars, at a rate with direction and date."""
    return usd_amount / exchange_usd_per_unit


@formula(
    unit="usd",
    source=_RATE,
    cell="currency_amount, exchange_rate, exchange_direction, exchange_date, [options]",
    checks=("exchange_is_dated", "plan_is_dated", "exchange_is_fresh"),
    title="Amount in US dollars",
)
def in_usd(currency_amount, exchange_usd_per_unit):
    """US dollars for an amount in a currency, at a rate with direction and date: to give prices in dollars."""
    return currency_amount * exchange_usd_per_unit


# ---- at the rate of a record


@formula(
    unit="1/month",
    source=_RECORD,
    cell="gpu, gpus, replicas, currency, [options]",
    checks=("plan_is_dated", "currency_is_fresh"),
    title="Cost a month in another currency",
)
def local_monthly_cost(monthly_cost, currency_usd_per_currency_unit):
    """Units of a currency a month of all replicas, at the currency's dated rate."""
    return monthly_cost / US_DOLLAR / currency_usd_per_currency_unit


@formula(
    unit="1",
    source=_RECORD,
    cell="gpu, gpus, replicas, plan_years, currency, [options]",
    checks=("plan_is_dated", "currency_is_fresh"),
    title="Net present cost in another currency",
)
def local_net_present_cost(net_present_cost, currency_usd_per_currency_unit):
    """Units of a currency of today that the fleet costs over the years, at the currency's dated rate."""
    return net_present_cost / US_DOLLAR / currency_usd_per_currency_unit
