"""Waiting in closed form: the chance to wait, how long, and percentiles from mean and variation."""

from __future__ import annotations

import math

from tokensheet.constants import Constant
from tokensheet.plugin import at, check, formula

_ERLANG = "Erlang 1917; Janssen, van Leeuwaarden and Zwart 2008, Gaussian expansions for Erlang C"
_MILLS = "Abramowitz and Stegun 1964, 26.2.17"
_ALLEN = "Allen 1990: the Allen-Cunneen approximation; exact for one server with Poisson arrivals"
_WILSON = "Wilson and Hilferty 1931: percentiles of a gamma distribution"

MILLS = Constant("MILLS", 0.2316419, "1", "scale of the normal distribution's tail in 26.2.17")
SQRT_OF_2_PI = Constant("SQRT_OF_2_PI", 2.5066282746310002, "1", "square root of 2 pi")
LARGEST_EXPONENT = Constant("LARGEST_EXPONENT", 600.0, "1", "beyond this exp() leaves the range of numbers")


@formula(
    unit="1",
    source="Abramowitz and Stegun 1964, 26.2.23: within 0.00045",
    title="Standard deviations at a percentile",
)
def normal_quantile(percentile):
    """Standard deviations above the mean below which a share of a normal distribution lies."""
    tail = max(1e-9, min(percentile, 1 - percentile))
    root = math.sqrt(-2 * math.log(tail))
    above = 2.515517 + root * (0.802853 + root * 0.010328)
    below = 1 + root * (1.432788 + root * (0.189269 + root * 0.001308))
    return (root - above / below) * (1 if percentile >= 0.5 else -1)


@formula(unit="1", source=_WILSON, title="Value at a percentile over the mean")
def quantile_factor(factor_cv, percentile, normal_quantile):
    """How many times its mean a quantity reaches at a percentile, gamma-distributed; 1 for the mean itself."""
    cubed = 1 - factor_cv**2 / 9 + normal_quantile * factor_cv / 3
    return max(0, cubed) ** 3 if percentile > 0 else 1


@formula(unit="1", source="Erlang 1917: load of a queue", title="Servers busy on average")
def queue_load(arrival_rate, service_time):
    """Servers that arrivals keep busy on average, when all are served."""
    return arrival_rate * service_time


@check(
    message="unstable: {queue_load} of {servers} servers would be busy, so the queue grows without end; use more servers, "
    "a shorter service or fewer arrivals",
    source="a queue has a mean only below 100 % load",
    title="Queue is stable",
)
def queue_is_stable(queue_load, servers):
    """1 when less work comes than the servers do."""
    return queue_load < servers


@formula(unit="1", source=_MILLS, title="Tail of the normal distribution")
def tail_ratio(queue_load, servers):
    """Tail beyond the load's distance from the servers, over the density there; the distance as in 2008."""
    share = max(1e-300, queue_load / servers)
    half_square = servers * (share - 1 - math.log(share))
    nearness = 1 / (1 + MILLS * math.sqrt(2 * max(0, half_square)))
    last = nearness * (-1.821255978 + nearness * 1.330274429)
    rest = nearness * (0.319381530 + nearness * (-0.356563782 + nearness * (1.781477937 + last)))
    return SQRT_OF_2_PI * math.exp(min(LARGEST_EXPONENT, max(0, half_square))) - rest


@formula(
    unit="share",
    source=_ERLANG,
    cell="servers, queue_load",
    checks=("queue_is_stable",),
    title="Chance to wait (Erlang C)",
)
def erlang_c(queue_load, servers, tail_ratio):
    """Share of arrivals that find all servers busy; exact for one server, within 4 % for two, 0.1 % for 128."""
    share = queue_load / servers
    spare = (1 - share) * math.sqrt(servers)
    waiting = 1 / (share + spare * (tail_ratio + 2 / (3 * math.sqrt(servers))))
    return share if servers == 1 else waiting


@formula(unit="second", source=_ALLEN, checks=("queue_is_stable",), title="Wait of those who wait")
def wait_when_waiting(servers, queue_load, service_time, arrival_cv, service_cv):
    """Mean seconds in the queue of an arrival that finds all servers busy."""
    variation = (arrival_cv**2 + service_cv**2) / 2
    return variation * service_time / (servers - queue_load)


@formula(
    unit="second",
    source=_ALLEN,
    cell="servers, arrival_rate, service_time, [options]",
    title="Wait in the queue",
)
def queue_wait(erlang_c, wait_when_waiting):
    """Mean seconds in the queue over all arrivals; arrivals and service may vary more or less than randomly."""
    return erlang_c * wait_when_waiting


@formula(
    unit="1", source="variance of a wait that is exponential when there is one", title="Variation of the time"
)
def queue_time_cv(erlang_c, wait_when_waiting, queue_wait, service_time, service_cv):
    """Standard deviation over mean of the time from arrival to end of service."""
    waiting = 2 * erlang_c * wait_when_waiting**2 - queue_wait**2
    return math.sqrt(max(0, waiting) + (service_time * service_cv) ** 2) / (queue_wait + service_time)


@formula(
    unit="second",
    source=_ALLEN + "; " + _WILSON,
    cell="servers, arrival_rate, service_time, [percentile], [options]",
    title="Time in the system",
)
def queue_time(queue_wait, service_time, factor=at("quantile_factor", factor_cv="queue_time_cv")):
    """Seconds from arrival to the end of service: the mean, or at a percentile."""
    return (queue_wait + service_time) * factor
