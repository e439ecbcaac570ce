"""What is asked for: requests a second of users and of days, on average, at the peak, and at an hour."""

from __future__ import annotations

import math

from tokensheet.plugin import LARGEST_EXPONENT, Constant, check, formula
from tokensheet_inference.sources import INTERACTIVE, MIX

PEAK_SLACK = Constant("PEAK_SLACK", 1e-6, "1", "share by which two ways to state a peak may part")
SECONDS_PER_DAY = Constant("SECONDS_PER_DAY", 86400.0, "second", "seconds in a day")


@check(
    message="{users} users have no rhythm: give think_time and answer_time",
    source=INTERACTIVE,
    title="Rhythm of the users is given",
)
def rhythm_is_given(users, think_time, answer_time):
    """1 when there are no users, or they take some time to think or wait."""
    without = users if think_time + answer_time == 0 else 0
    return without == 0


@formula(
    unit="request",
    source=INTERACTIVE,
    cell="users, think_time, answer_time",
    checks=("rhythm_is_given",),
    title="Requests of the users in flight",
)
def concurrent_requests(users, think_time, answer_time):
    """Users who wait for an answer or read it as it comes, on average; the others think."""
    waiting = users * answer_time / (answer_time + think_time) if users > 0 else 0
    return waiting


@formula(
    unit="request/second", source=INTERACTIVE, checks=("rhythm_is_given",), title="Requests of the users"
)
def user_request_rate(users, think_time, answer_time):
    """Requests a second of users who think, ask and wait for the answer, in turn."""
    asked = users / (answer_time + think_time) if users > 0 else 0
    return asked


@formula(unit="1", source="compound growth", title="Growth until then")
def demand_growth(growth_per_year, years_ahead):
    """Demand of the year planned for over today's."""
    return math.exp(max(-LARGEST_EXPONENT, years_ahead * math.log(1 + growth_per_year)))


@formula(unit="1", source=MIX, title="Model calls a request")
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
    unit="request/second",
    source="the peak, unless another time is looked at",
    title="Requests a second",
    example=2,
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
    message="peak_to_average is {peak_to_average}, and the hours, busiest_day_factor and burst_factor do not give it: the hours of a "
    "mean day follow these, not it; give load_at_00 … load_at_23 in place of peak_to_average",
    source="hours of a mean day have the mean of all days",
    warning=True,
    title="Hours lead to the peak",
)
def hours_make_peak(peak_to_average, busiest_hour_load, mean_hour_load, busiest_day_factor, burst_factor):
    """1 when the peak over the average is that of the hours, the busiest day and the bursts."""
    of_hours = busiest_hour_load / mean_hour_load * busiest_day_factor * burst_factor
    return abs(peak_to_average - of_hours) <= PEAK_SLACK * of_hours


@formula(
    unit="request/second",
    source="load of the hour over the busiest hour's; the peak is the busiest minutes of the busiest day",
    checks=("demand_is_given", "hours_make_peak"),
    title="Requests a second in an hour",
)
def hour_request_rate(request_rate, hour_load, busiest_hour_load, busiest_day_factor, burst_factor):
    """Requests a second in one hour of a mean day, mean over the hour, when the rate given is the peak."""
    return request_rate * hour_load / (busiest_hour_load * busiest_day_factor * burst_factor)
