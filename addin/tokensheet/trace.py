"""Reads a trace of requests (CSV), one a row: when it came, and its tokens. The file is not trusted."""

from __future__ import annotations

import csv
import datetime as dt
import math
import re
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from tokensheet.demand import Demand, counted
from tokensheet.errors import ArgumentError, listed

LARGEST_FILE = 1_000_000_000
MOST_ROWS = 10_000_000
LONGEST_LINE = 10_000
MOST_TOKENS = 100_000_000
PROBLEMS_TOLD = 5
LAST_TIME = 1e11
"""Seconds that no date reaches (in the year 5138), and milliseconds since 1970 do."""
COLUMNS: dict[str, tuple[str, ...]] = {
    "time": ("time", "timestamp", "arrival", "arrivaltime", "arrivaltimestamp", "arrivedat", "starttime"),
    "prompt": ("prompt", "prompttokens", "contexttokens", "inputtokens", "inputlength", "numprefilltokens"),
    "output": ("output", "outputtokens", "generatedtokens", "completiontokens", "outputlength", "numdecodetokens"),
    "cached": ("cached", "cachedtokens", "cachedprompttokens", "cacheread"),
}  # fmt: skip
"""What columns are called, in lower case without spaces, dashes and underscores; `cached` may be missing."""


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
    return counted(name, times, prompts, outputs, cached if "cached" in places else None, empty)


def _places(headings: Sequence[str], name: str) -> dict[str, int]:
    plain = [re.sub(r"[\s_\-]", "", heading).lower() for heading in headings]
    places = {
        what: place for what, words in COLUMNS.items() for place, word in enumerate(plain) if word in words
    }
    for what, words in COLUMNS.items():
        alike = [heading.strip()[:40] for heading, word in zip(headings, plain, strict=True) if word in words]
        if len(alike) > 1:
            raise ArgumentError(
                f"{name}: columns {' and '.join(alike)} are both {what}; leave one out, or call it otherwise"
            )
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
        if abs(value) >= LAST_TIME:
            raise ValueError(f"time is {text[:40]}, no date in seconds; divide milliseconds by 1,000")
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
