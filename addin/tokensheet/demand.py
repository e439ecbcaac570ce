"""Demand of requests over time: rates, peaks, the load of each hour, lengths; and its lines for a proposal."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tokensheet.errors import ArgumentError

LONGEST_SPAN = 10 * 366 * 86400.0
HIGH = 0.95
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
DAY_SLACK = HOUR / 2
"""A day's first request comes a little after midnight and its last a little before: so much may lack in a whole day."""
ENOUGH = 30
"""Times between requests of an hour whose variation is told."""
MOST_RANDOM = 1.2
"""Variation of the time between requests up to which they are taken as independent; 1 is a Poisson process."""


@dataclass(frozen=True)
class Lengths:
    """Tokens of all requests: mean, 95th percentile, standard deviation over mean."""

    mean: float
    high: float
    cv: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Lengths:
        """What is told of some lengths."""
        mean = math.fsum(values) / len(values)
        square = math.fsum((v - mean) ** 2 for v in values) / len(values)
        return cls(mean, quantile(sorted(values), HIGH), math.sqrt(square) / mean if mean else 0.0)


@dataclass(frozen=True)
class Demand:
    """What a trace says of the demand; rates are requests a second.

    Attributes:
        requests: how many were counted
        empty: how many had no output and are left out: they failed, or were cancelled
        seconds: from the first to the last
        mean_rate: over the whole time
        peak_rate: in the busiest minute
        per_day: requests of a mean whole day; 0 when the trace is shorter than a day
        hours: requests of each hour of the day in whole days; none when the trace is shorter than a day
        busiest_day: requests of the busiest over those of a mean whole day
        prompt: lengths, cached tokens included
        output: lengths
        cached_share: share of all prompt tokens that were cached; None when the trace does not say
        interval_cv: standard deviation over mean of the time between requests, hour by hour: a day's rhythm is not counted
    """

    requests: int
    empty: int
    seconds: float
    mean_rate: float
    peak_rate: float
    per_day: float
    hours: tuple[int, ...]
    busiest_day: float
    prompt: Lengths
    output: Lengths
    cached_share: float | None
    interval_cv: float


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least a share of the ordered values does not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def counted(
    name: str,
    times: array[float],
    prompts: array[float],
    outputs: array[float],
    cached: array[float] | None,
    empty: int,
) -> Demand:
    """The demand of requests, by when they came and their tokens.

    Args:
        name: of the file, for mistakes
        times: in seconds, in any order
        prompts: tokens of each request
        outputs: tokens of each request
        cached: prompt tokens of each that were cached; None where nothing says so
        empty: how many more had no output

    Raises:
        ArgumentError: there are fewer than two times, or they span years.
    """
    ordered = sorted(times)
    seconds = ordered[-1] - ordered[0] if ordered else 0.0
    if len(ordered) < 2 or seconds <= 0:
        left_out = f", {empty:,} rows without tokens left out" if empty else ""
        raise ArgumentError(
            f"{name}: {len(ordered)} requests over {seconds:g} s{left_out}; a rate needs two at different times"
        )
    if seconds > LONGEST_SPAN:
        raise ArgumentError(
            f"{name}: spans {seconds / DAY:,.0f} days; times are in seconds, or dates; mend the column"
        )
    rate = (len(ordered) - 1) / seconds
    days = whole_days(seconds)
    hours = Counter(int(t // HOUR) % 24 for t in ordered if t < ordered[0] + days * DAY)
    return Demand(
        requests=len(ordered),
        empty=empty,
        seconds=seconds,
        mean_rate=rate,
        peak_rate=max(rate, _busiest(ordered, MINUTE) / MINUTE) if seconds >= MINUTE else rate,
        per_day=hours.total() / days if days else 0.0,
        hours=tuple(hours[hour] for hour in range(24)) if hours else (),
        busiest_day=_busiest_day(ordered, seconds),
        prompt=Lengths.of(prompts),
        output=Lengths.of(outputs),
        cached_share=math.fsum(cached) / math.fsum(prompts) if cached is not None else None,
        interval_cv=_interval_cv(ordered),
    )


def _interval_cv(ordered: Sequence[float]) -> float:
    """Variation of the time between requests within hours that have enough of them, else over the whole trace."""
    hours: dict[float, list[float]] = {}
    for before, after in pairwise(ordered):
        hours.setdefault(before // HOUR, []).append(after - before)
    enough = [gaps for gaps in hours.values() if len(gaps) >= ENOUGH and max(gaps) > 0]
    counted = enough or [[gap for gaps in hours.values() for gap in gaps]]
    squares = math.fsum(len(gaps) * Lengths.of(gaps).cv ** 2 for gaps in counted)
    return math.sqrt(squares / sum(len(gaps) for gaps in counted))


def whole_days(seconds: float) -> int:
    """Days that a trace of a length covers."""
    return int((seconds + DAY_SLACK) // DAY)


def _busiest(ordered: Sequence[float], width: float) -> int:
    """Most requests in any stretch of a width."""
    most = start = 0
    for end, time in enumerate(ordered):
        while ordered[start] <= time - width:
            start += 1
        most = max(most, end - start + 1)
    return most


def _busiest_day(ordered: Sequence[float], seconds: float) -> float:
    """The busiest of the whole days since the first request over their mean; 1 when there are fewer than two."""
    whole = whole_days(seconds)
    if whole < 2:
        return 1.0
    days = Counter(int((t - ordered[0]) // DAY) for t in ordered)
    counts = [days[day] for day in range(whole)]
    return max(counts) * whole / sum(counts)


def busiest_hour(demand: Demand) -> float:
    """Requests a second in the busiest hour of the busiest day; the mean of a trace shorter than a day."""
    if not demand.hours:
        return demand.mean_rate
    return demand.per_day / DAY * max(demand.hours) * 24 / sum(demand.hours) * demand.busiest_day


def by_chance(demand: Demand) -> bool:
    """Whether requests that come independently bring as many into the busiest minute.

    Bernstein's bound on a Poisson count, one in ten over all minutes of the trace.
    """
    if demand.interval_cv > MOST_RANDOM:
        return False
    usual = busiest_hour(demand) * MINUTE
    rare = math.log(10 * max(1.0, demand.seconds / MINUTE))
    return demand.peak_rate * MINUTE <= usual + math.sqrt(2 * usual * rare) + rare / 3


def proposal_lines(demand: Demand) -> list[str]:
    """Lines for the tables of a proposal: comments say what was counted, names are inputs and assumptions.

    `request_rate` is the busiest minute's. With a whole day the lines give instead the requests of a mean day and
    factors that lead to the same peak.
    """
    prompt, output = demand.prompt, demand.output
    span = f"{demand.seconds / DAY:.3g} days" if demand.seconds >= DAY else f"{demand.seconds:.4g} s"
    lines = [
        f"# {demand.requests:,} requests in {span}: {demand.mean_rate:.4g} a second on average, "
        f"{demand.peak_rate:.4g} in the busiest minute",
        f"# prompt: 95 % have at most {prompt.high:g} tokens; output: at most {output.high:g}",
    ]
    if demand.empty:
        lines.append(f"# {demand.empty:,} rows without tokens are left out")
    if demand.cached_share is not None:
        lines.append(f"# {demand.cached_share:.1%} of the prompt tokens were cached")
    busy = busiest_hour(demand)
    if demand.peak_rate > busy and by_chance(demand):
        once = "burst_factor = 1" if demand.hours else f"request_rate = {busy:.4g}"
        lines.append(
            f"# chance alone may bring as many into one minute, and waits count chance: {once} counts it once"
        )
    lines += [
        "[workload]",
        f"prompt = {max(1, round(prompt.mean))}",
        f"output = {max(1, round(output.mean))}",
    ]
    if demand.hours:
        lines.append(f"requests_per_day = {demand.per_day:.6g}")
        lines.append("# hours are those of the trace's clock, of UTC where dates have a time zone")
        lines += [f"load_at_{hour:02} = {count}" for hour, count in enumerate(demand.hours)]
        lines += [
            "",
            "[assumptions]",
            f"busiest_day_factor = {demand.busiest_day:.4g}",
            f"burst_factor = {max(1.0, demand.peak_rate / busy):.4g}",
        ]
    else:
        lines += [f"request_rate = {demand.peak_rate:.6g}", "", "[assumptions]"]
    lines += [
        f"prompt_cv = {prompt.cv:.4g}",
        f"output_cv = {output.cv:.4g}",
        f"arrival_cv = {demand.interval_cv:.4g}",
    ]
    return lines
