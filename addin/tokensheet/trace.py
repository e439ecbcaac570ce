"""A trace of requests (CSV) as demand: rates, peaks, the load of each hour, and lengths. The file is not trusted."""

from __future__ import annotations

import csv
import datetime as dt
import math
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TextIO

from tokensheet.errors import ArgumentError, listed

LARGEST_FILE = 1_000_000_000
MOST_ROWS = 10_000_000
LONGEST_LINE = 10_000
MOST_TOKENS = 100_000_000
LONGEST_SPAN = 10 * 366 * 86400.0
PROBLEMS_TOLD = 5
HIGH = 0.95
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0

COLUMNS: dict[str, tuple[str, ...]] = {
    "time": ("time", "timestamp", "arrival", "arrivaltime", "arrivaltimestamp", "arrivedat", "starttime"),
    "prompt": ("prompt", "prompttokens", "contexttokens", "inputtokens", "inputlength", "numprefilltokens"),
    "output": ("output", "outputtokens", "generatedtokens", "completiontokens", "outputlength", "numdecodetokens"),
    "cached": ("cached", "cachedtokens", "cachedprompttokens", "cacheread"),
}  # fmt: skip
"""What columns are called, in lower case without spaces, dashes and underscores; `cached` may be missing."""


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
        hours: requests of each hour of the day in whole days; none when the trace is shorter than a day
        busiest_day: requests of the busiest over those of a mean whole day
        prompt: lengths, cached tokens included
        output: lengths
        cached_share: share of all prompt tokens that were cached; None when the trace does not say
        interval_cv: standard deviation over mean of the time between requests
    """

    requests: int
    empty: int
    seconds: float
    mean_rate: float
    peak_rate: float
    hours: tuple[int, ...]
    busiest_day: float
    prompt: Lengths
    output: Lengths
    cached_share: float | None
    interval_cv: float


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least a share of the ordered values does not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def read(path: Path) -> Demand:
    """The demand of a file with a heading and one request a row.

    Raises:
        ArgumentError: it cannot be read, is too large, or rows are wrong; the first five are told.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise ArgumentError(
                f"{path.name}: {size:,} bytes; at most {LARGEST_FILE:,} are read, give a part"
            )
        with path.open(encoding="utf-8-sig", newline="") as file:
            return parse(_lines(file, path.name), path.name)
    except OSError as error:
        raise ArgumentError(f"{path}: {error.strerror or error}; give the path of a .csv file") from error
    except UnicodeDecodeError as error:
        raise ArgumentError(f"{path.name}: is not UTF-8 text; save it as CSV UTF-8") from error


def _lines(file: TextIO, name: str) -> Iterator[str]:
    """The lines of a file, none of them so long that it fills the memory."""
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise ArgumentError(
                f"{name}: a line is longer than {LONGEST_LINE:,} characters; this is no trace"
            )
        yield line


def parse(lines: Iterator[str], name: str = "trace") -> Demand:
    """The demand of a trace's lines.

    Raises:
        ArgumentError: rows are wrong; the first five are told.
    """
    first = next(lines, "")
    separator = max(",;\t", key=first.count)
    places = _places(next(csv.reader([first], delimiter=separator), []), name)
    times, prompts, outputs, cached = array("d"), array("d"), array("d"), array("d")
    problems: list[str] = []
    empty = 0
    try:
        for number, row in enumerate(csv.reader(lines, delimiter=separator), 2):
            if not any(cell.strip() for cell in row):
                continue
            if number > MOST_ROWS + 1:
                raise ArgumentError(f"{name}: more than {MOST_ROWS:,} rows; give a part")
            try:
                cells = {what: row[place].strip() for what, place in places.items() if place < len(row)}
                time = _time(cells.get("time", ""))
                prompt, output = (_tokens(cells.get(what, ""), what) for what in ("prompt", "output"))
                found = _tokens(cells["cached"] or "0", "cached") if cells.get("cached") is not None else 0.0
                if found > prompt:
                    raise ValueError(f"cached is {found:g}, above the prompt's {prompt:g} tokens")
            except ValueError as error:
                problems.append(f"row {number}: {error}")
                if len(problems) == PROBLEMS_TOLD:
                    break
                continue
            if output == 0 or prompt == 0:
                empty += 1
                continue
            times.append(time)
            prompts.append(prompt)
            outputs.append(output)
            cached.append(found)
    except csv.Error as error:
        problems.append(str(error))
    if problems:
        raise ArgumentError(listed(name, problems))
    return _demand(name, times, prompts, outputs, cached if "cached" in places else None, empty)


def _demand(
    name: str,
    times: array[float],
    prompts: array[float],
    outputs: array[float],
    cached: array[float] | None,
    empty: int,
) -> Demand:
    ordered = sorted(times)
    seconds = ordered[-1] - ordered[0] if ordered else 0.0
    if len(ordered) < 2 or seconds <= 0:
        raise ArgumentError(
            f"{name}: {len(ordered)} requests over {seconds:g} s; a rate needs two at different times"
        )
    if seconds > LONGEST_SPAN:
        raise ArgumentError(
            f"{name}: spans {seconds / DAY:,.0f} days; times are in seconds, or dates; mend the column"
        )
    rate = (len(ordered) - 1) / seconds
    gaps = [b - a for a, b in pairwise(ordered)]
    whole = ordered[0] + seconds // DAY * DAY
    hours = Counter(int(t // HOUR) % 24 for t in ordered if t < whole)
    return Demand(
        requests=len(ordered),
        empty=empty,
        seconds=seconds,
        mean_rate=rate,
        peak_rate=max(rate, _busiest(ordered, MINUTE) / MINUTE) if seconds >= MINUTE else rate,
        hours=tuple(hours[hour] for hour in range(24)) if hours else (),
        busiest_day=_busiest_day(ordered, seconds),
        prompt=Lengths.of(prompts),
        output=Lengths.of(outputs),
        cached_share=math.fsum(cached) / math.fsum(prompts) if cached is not None else None,
        interval_cv=Lengths.of(gaps).cv,
    )


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
    whole = int(seconds // DAY)
    if whole < 2:
        return 1.0
    days = Counter(int((t - ordered[0]) // DAY) for t in ordered)
    counts = [days[day] for day in range(whole)]
    return max(counts) * whole / sum(counts)


def _places(headings: Sequence[str], name: str) -> dict[str, int]:
    plain = [re.sub(r"[\s_\-]", "", heading).lower() for heading in headings]
    places = {
        what: min(plain.index(word) for word in words if word in plain)
        for what, words in COLUMNS.items()
        if set(words) & set(plain)
    }
    missing = [what for what in ("time", "prompt", "output") if what not in places]
    if missing:
        known = "; ".join(f"{what}: {', '.join(COLUMNS[what])}" for what in missing)
        raise ArgumentError(f"{name}: no column for {' and '.join(missing)}; name it one of {known}")
    return places


def _time(text: str) -> float:
    """Seconds of a number, or of a date and time; a time zone is taken into account."""
    try:
        value = float(text)
    except ValueError:
        pass
    else:
        if not math.isfinite(value):
            raise ValueError(f"time is {text[:40]}; give seconds, or a date and time")
        return value
    try:
        moment = dt.datetime.fromisoformat(text[:40])
    except ValueError as error:
        raise ValueError(
            f"time is {text[:40]!r}; give seconds, or a date such as 2026-03-01 09:30:00"
        ) from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp()


def _tokens(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise ValueError(f"{what} is {text[:40]!r}; give a number of tokens") from error
    if not 0 <= value <= MOST_TOKENS:
        raise ValueError(f"{what} is {text[:40]}; it must be 0 to {MOST_TOKENS:,} tokens")
    return value


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
    lines += [
        "[workload]",
        f"prompt = {max(1, round(prompt.mean))}",
        f"output = {max(1, round(output.mean))}",
    ]
    if demand.hours:
        mean = sum(demand.hours) / 24
        per_day = demand.mean_rate * DAY
        to_peak = per_day / DAY * max(demand.hours) / mean * demand.busiest_day
        lines.append(f"requests_per_day = {per_day:.6g}")
        lines += [f"load_at_{hour:02} = {count}" for hour, count in enumerate(demand.hours)]
        lines += [
            "",
            "[assumptions]",
            f"busiest_day_factor = {demand.busiest_day:.4g}",
            f"burst_factor = {max(1.0, demand.peak_rate / to_peak):.4g}",
        ]
    else:
        lines += [f"request_rate = {demand.peak_rate:.6g}", "", "[assumptions]"]
    lines += [
        f"prompt_cv = {prompt.cv:.4g}",
        f"output_cv = {output.cv:.4g}",
        f"arrival_cv = {demand.interval_cv:.4g}",
    ]
    return lines
