"""Waiting in closed form: the chance to wait, how long, and percentiles from mean and variation."""

from __future__ import annotations

import math

from tokensheet.plugin import LARGEST_EXPONENT, Constant, at, check, formula
from tokensheet_inference.sources import BELOW_CAPACITY, EXPONENTIAL, LOGNORMAL

_ERLANG = "Erlang 1917; Janssen, van Leeuwaarden and Zwart 2008, Gaussian expansions for Erlang C"
_MILLS = "Abramowitz and Stegun 1964, 26.2.17"
_ALLEN = "Allen 1990: the Allen-Cunneen approximation; exact for one server with Poisson arrivals"
_SHIFTED = "a constant and an exponential part with the mean and variation of the service"
_WILSON = "Wilson and Hilferty 1931: percentiles of a gamma distribution"

LEAST_SHARE = Constant("LEAST_SHARE", 1e-9, "1", "smallest share that is told apart from none")
LEAST_LOAD = Constant("LEAST_LOAD", 1e-300, "1", "smallest load of a server that is told apart from none")
LEAST_TIME = Constant("LEAST_TIME", 1e-12, "second", "shortest time that is told apart from none")
MEDIAN = Constant("MEDIAN", 0.5, "1", "share below the median")
TWO_THIRDS = Constant("TWO_THIRDS", 2 / 3, "1", "second term of the expansion of Erlang C")
CUBE = Constant("CUBE", 3.0, "1", "Wilson and Hilferty: the cube root of a gamma variable is nearly normal")
SQRT_OF_2_PI = Constant("SQRT_OF_2_PI", 2.5066282746310002, "1", "square root of 2 pi")

# Abramowitz and Stegun 26.2.23: the normal quantile is t - (c + c t + c t²)/(1 + d t + d t² + d t³)
ABOVE_NONE = Constant("ABOVE_NONE", 2.515517, "1", "26.2.23: numerator, constant")
ABOVE_ONCE = Constant("ABOVE_ONCE", 0.802853, "1", "26.2.23: numerator, linear")
ABOVE_SQUARED = Constant("ABOVE_SQUARED", 0.010328, "1", "26.2.23: numerator, square")
BELOW_ONCE = Constant("BELOW_ONCE", 1.432788, "1", "26.2.23: denominator, linear")
BELOW_SQUARED = Constant("BELOW_SQUARED", 0.189269, "1", "26.2.23: denominator, square")
BELOW_CUBED = Constant("BELOW_CUBED", 0.001308, "1", "26.2.23: denominator, cube")

# Abramowitz and Stegun 26.2.17: the normal tail over the density is a polynomial in 1/(1 + p x)
TAIL_SCALE = Constant("TAIL_SCALE", 0.2316419, "1", "26.2.17: p")
TAIL_FIRST = Constant("TAIL_FIRST", 0.319381530, "1", "26.2.17: first coefficient")
TAIL_SECOND = Constant("TAIL_SECOND", -0.356563782, "1", "26.2.17: second coefficient")
TAIL_THIRD = Constant("TAIL_THIRD", 1.781477937, "1", "26.2.17: third coefficient")
TAIL_FOURTH = Constant("TAIL_FOURTH", -1.821255978, "1", "26.2.17: fourth coefficient")
TAIL_FIFTH = Constant("TAIL_FIFTH", 1.330274429, "1", "26.2.17: fifth coefficient")


@formula(
    unit="1",
    source="Abramowitz and Stegun 1964, 26.2.23: within 0.00045",
    title="Standard deviations at a percentile",
)
def normal_quantile(percentile):
    """Standard deviations above the mean below which a share of a normal distribution lies."""
    tail = max(LEAST_SHARE, min(percentile, 1 - percentile))
    root = math.sqrt(-2 * math.log(tail))
    above = ABOVE_NONE + root * (ABOVE_ONCE + root * ABOVE_SQUARED)
    below = 1 + root * (BELOW_ONCE + root * (BELOW_SQUARED + root * BELOW_CUBED))
    return (root - above / below) * (1 if percentile >= MEDIAN else -1)


@formula(unit="1", source=_WILSON, title="Value at a percentile over the mean")
def quantile_factor(factor_cv, percentile, normal_quantile):
    """How many times its mean a quantity reaches at a percentile, gamma-distributed; 1 for the mean itself."""
    spread = factor_cv / CUBE
    cube_root = max(0, 1 - spread**2 + normal_quantile * spread)
    return cube_root**CUBE if percentile > 0 else 1


@formula(unit="1", source=LOGNORMAL, title="Length at a percentile over the mean")
def length_factor(factor_cv, normal_quantile):
    """How many times its mean a length reaches at a percentile, lognormally distributed."""
    variance = math.log(1 + factor_cv**2)
    return math.exp(normal_quantile * math.sqrt(variance) - variance / 2)


@formula(unit="1", source=EXPONENTIAL, title="Wait at a percentile over the mean of those who wait")
def wait_factor(wait_chance, percentile):
    """How many times the mean of those who wait a wait reaches at a percentile of all; 0 for those who do not wait."""
    return math.log(max(1, wait_chance / max(LEAST_SHARE, 1 - percentile)))


@formula(unit="1", source="Erlang 1917: load of a queue", title="Servers busy on average", example=0.7)
def queue_load(arrival_rate, service_time):
    """Servers that arrivals keep busy on average, when all are served."""
    return arrival_rate * service_time


@check(
    message="unstable: {queue_load} of {servers} servers would be busy, so the queue grows without end; use more servers, "
    "a shorter service or fewer arrivals",
    source=BELOW_CAPACITY,
    title="Queue is stable",
)
def queue_is_stable(queue_load, servers):
    """1 when less work comes than the servers do."""
    return queue_load < servers


@formula(unit="1", source=_MILLS, title="Tail of the normal distribution")
def tail_ratio(queue_load, servers):
    """Tail beyond the load's distance from the servers, over the density there; the distance as in 2008."""
    share = max(LEAST_LOAD, queue_load / servers)
    half_square = servers * (share - 1 - math.log(share))
    nearness = 1 / (1 + TAIL_SCALE * math.sqrt(2 * max(0, half_square)))
    fourth = TAIL_FOURTH + nearness * TAIL_FIFTH
    second = TAIL_SECOND + nearness * (TAIL_THIRD + nearness * fourth)
    rest = nearness * (TAIL_FIRST + nearness * second)
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
    several = 1 / (share + spare * (tail_ratio + TWO_THIRDS / math.sqrt(servers)))
    chance = share if servers == 1 else several
    return chance


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


@formula(unit="second", source=_SHIFTED, title="Least time of service")
def least_service_time(service_time, service_cv):
    """Seconds that every service takes: all of it when constant, nothing when exponential or more variable."""
    return service_time * max(0, 1 - service_cv)


@formula(
    unit="1", source="variance of a wait that is exponential when there is one", title="Variation of the time"
)
def queue_time_cv(erlang_c, wait_when_waiting, queue_wait, service_time, service_cv, least_service_time):
    """Standard deviation over mean of the time from arrival to end of service, beyond the least service."""
    waiting = 2 * erlang_c * wait_when_waiting**2 - queue_wait**2
    beyond = max(LEAST_TIME, queue_wait + service_time - least_service_time)
    return math.sqrt(max(0, waiting) + (service_time * service_cv) ** 2) / beyond


@formula(
    unit="second",
    source=_ALLEN + "; " + _WILSON,
    cell="servers, arrival_rate, service_time, [percentile], [options]",
    title="Time in the system",
)
def queue_time(
    queue_wait,
    wait_when_waiting,
    service_time,
    least_service_time,
    factor=at("quantile_factor", factor_cv="queue_time_cv"),
    waiting=at("wait_factor", wait_chance="erlang_c"),
):
    """Seconds from arrival to the end of service: the mean, or at a percentile, never below the wait's own."""
    beyond = (queue_wait + service_time - least_service_time) * factor
    return least_service_time + max(beyond, wait_when_waiting * waiting)
