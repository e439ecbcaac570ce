"""A trace of requests as demand: what is counted, what a proposal takes from it, and what a hostile file gets."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tokensheet
from tokensheet import demand, trace
from tokensheet.cli.commands import tokensheet as command
from tokensheet.demand import Demand, proposal_lines
from tokensheet.errors import ArgumentError
from tokensheet.trace import parse


def counted(*rows: str, heading: str = "time,prompt,output") -> Demand:
    return parse(iter([f"{heading}\n", *(f"{row}\n" for row in rows)]))


def told(*arguments: str) -> str:
    done = CliRunner().invoke(command, ["demand", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_rates_and_lengths_by_hand() -> None:
    """Five requests in 100 s, three of them within 60 s; lengths of 100 to 300 and 10 to 30."""
    found = counted("0,100,10", "50,200,20", "60,300,30", "100,200,20", "20,200,20")
    assert (found.requests, found.seconds, found.mean_rate) == (5, 100, 4 / 100)
    assert found.peak_rate == pytest.approx(3 / 60)
    assert (found.prompt.mean, found.prompt.high) == (200, 300)
    assert found.prompt.cv == pytest.approx((2 / 5) ** 0.5 / 2)
    assert (found.output.mean, found.output.high) == (20, 30)
    assert found.cached_share is None
    assert found.hours == ()


@pytest.mark.parametrize(
    "heading",
    [
        "TIMESTAMP,ContextTokens,GeneratedTokens",
        "arrived_at;input length;output-tokens",
        "Time\tPrompt Tokens\toutput",
    ],
)
def test_traces_name_their_columns_in_their_own_way(heading: str) -> None:
    separator = next(mark for mark in ",;\t" if mark in heading)
    rows = [
        separator.join(row)
        for row in (("2026-03-01 09:00:00", "10", "5"), ("2026-03-01T09:00:04.5", "20", "7"))
    ]
    found = counted(*rows, heading=heading)
    assert (found.seconds, found.prompt.mean, found.output.mean) == (4.5, 15, 6)


@pytest.mark.parametrize(
    ("heading", "says"),
    [
        ("time,prompt,output,time", "columns time and time are both time"),
        ("time,prompt_tokens,Input Tokens,output", "columns prompt_tokens and Input Tokens are both prompt"),
        ("arrival,start_time,prompt,output", "columns arrival and start_time are both time"),
        ("time,prompt,output,cached,cache_read", "columns cached and cache_read are both cached"),
    ],
)
def test_two_columns_for_one_thing_are_refused(heading: str, says: str) -> None:
    """Which of the two counts cannot be known."""
    with pytest.raises(ArgumentError, match=f"trace: {says}; leave one out, or call it otherwise"):
        counted(",".join("1" for _ in heading.split(",")), heading=heading)


def test_time_zones_count() -> None:
    found = counted("2026-03-01T10:00:00+01:00,10,5", "2026-03-01T09:00:10Z,10,5")
    assert found.seconds == 10


def test_cached_tokens_and_requests_without_output() -> None:
    """A failed request is left out and told; a quarter of the prompt tokens was cached."""
    found = counted("0,100,10,50", "5,100,0,0", "10,100,10,", heading="time,prompt,output,cached")
    assert (found.requests, found.empty, found.cached_share) == (2, 1, 0.25)
    assert "# 1 rows without tokens are left out" in proposal_lines(found)


def days() -> Iterator[str]:
    """Three days: each hour 10 requests, from 9 to 17 o'clock 40; twice as many on the second day."""
    for day in range(3):
        for hour in range(24):
            count = (40 if 9 <= hour < 17 else 10) * (2 if day == 1 else 1)
            for i in range(count):
                yield f"{day * 86400 + hour * 3600 + i * 3600 / count},500,100"
    yield f"{3 * 86400},500,100"


def test_days_give_hours_and_the_same_peak_in_a_proposal() -> None:
    """The lines of a trace, put into a proposal, lead to the busiest minute's rate."""
    found = counted(*days())
    assert found.hours == tuple(160 if 9 <= hour < 17 else 40 for hour in range(24))
    assert found.busiest_day == pytest.approx(2 / (4 / 3))
    said = tomllib.loads("\n".join(proposal_lines(found)))
    given = {**said["workload"], **said["assumptions"]}
    rate = {
        k: v
        for k, v in given.items()
        if k not in ("prompt", "output", "prompt_cv", "output_cv", "arrival_cv")
    }
    assert tokensheet.evaluate("request_rate", **rate) == pytest.approx(found.peak_rate, rel=1e-3)


def test_a_day_and_a_half_is_counted_as_one_day() -> None:
    """From 8 to 18 o'clock on the next day: 10 requests an hour, 100 from 9 to 18. A day has 15 × 10 + 9 × 100, not 1.3 times that."""
    rows = [
        f"{hour * 3600 + i * 3600 / count},500,100"
        for hour in range(8, 42)
        for count in [100 if 9 <= hour % 24 < 18 else 10]
        for i in range(count)
    ]
    found = counted(*rows)
    assert found.per_day == 15 * 10 + 9 * 100
    assert found.hours == tuple(100 if 9 <= hour < 18 else 10 for hour in range(24))
    assert found.mean_rate * 86400 > 1.3 * found.per_day
    assert "requests_per_day = 1050" in proposal_lines(found)


@pytest.mark.parametrize(
    ("last", "days"), [(0, 0), (24, 1), (23.6, 1), (23.4, 0), (47.6, 2), (7 * 24 - 0.1, 7)]
)
def test_a_day_ends_a_little_before_midnight(last: float, days: int) -> None:
    """The first and last requests of a day leave some minutes; the day is a whole one all the same."""
    assert demand.whole_days(last * 3600) == days


def poisson(rate: float, hours: float, seed: int = 5) -> Iterator[str]:
    """Requests that come independently."""
    rng, now = random.Random(seed), 0.0
    while (now := now + rng.expovariate(rate)) < hours * 3600:
        yield f"{now},500,100"


def test_a_days_rhythm_is_no_variation_between_arrivals() -> None:
    """Independent requests, ten times as many by day than by night, vary by 1; clumps of fifty vary more."""
    night = [f"{float(row.split(',')[0]) + 12 * 3600},5,5" for row in poisson(0.02, 12)]
    found = counted(*poisson(0.2, 12), *night)
    assert found.interval_cv == pytest.approx(1, abs=0.05)
    clumps = counted(*(f"{60 * (i // 50) + i % 50 * 0.01},500,100" for i in range(5000)))
    assert clumps.interval_cv > 5


def test_what_chance_brings_into_a_minute_is_told() -> None:
    """The busiest minute of three requests a minute has a dozen by chance; clumps and real peaks are no chance."""
    says = "# chance alone may bring as many into one minute"
    steady = counted(*poisson(0.05, 24))
    assert steady.peak_rate > 3 * steady.mean_rate
    assert any(line.startswith(says) and "burst_factor = 1" in line for line in proposal_lines(steady))
    short = counted(*poisson(0.05, 3))
    assert any(line.startswith(says) and "request_rate = 0.0" in line for line in proposal_lines(short))
    peak = [f"{3600 + i * 0.5},5,5" for i in range(120)]
    clumps = [f"{60 * (i // 50) + i % 50 * 0.01},500,100" for i in range(5000)]
    for found in (counted(*poisson(0.05, 24), *peak), counted(*clumps)):
        assert not any(line.startswith(says) for line in proposal_lines(found))


def test_lines_are_a_proposals_own_words(tmp_path: Path) -> None:
    """What is printed stands in a proposal as it is."""
    path = tmp_path / "trace.csv"
    path.write_text("time,prompt,output\n0,100,10\n7,300,31\n")
    text = f"""title = "From a trace"
{told(str(path))}
[[candidates]]
name = "one"
model = "llama-3.1-8b"
gpu = "h100-sxm-80gb"
gpus = 1
context = 100
"""
    from tokensheet.proposal import parse as proposal

    found = proposal(text, tokensheet.planner())
    assert found.workload == {"prompt": 200, "output": 20, "request_rate": pytest.approx(1 / 7, rel=1e-5)}
    assert set(found.assumptions) == {"prompt_cv", "output_cv", "arrival_cv"}


def test_json_holds_everything(tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    path.write_text("time,prompt,output\n0,100,10\n7,300,31\n")
    said: dict[str, Any] = json.loads(told(str(path), "--json"))
    assert (said["requests"], said["mean_rate"], said["prompt"]["mean"]) == (2, 1 / 7, 200)


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (["x,1,1"], "trace: row 2: time is 'x'; give seconds, or a date such as 2026-03-01 09:30:00"),
        (["nan,1,1"], "trace: row 2: time is nan; give seconds, or a date and time"),
        (["inf,1,1"], "trace: row 2: time is inf; give seconds, or a date and time"),
        (["0,1,many"], "trace: row 2: output is 'many'; give a number of tokens"),
        (["0,-5,1"], "trace: row 2: prompt is -5; it must be 0 to 100,000,000 tokens"),
        (["0,1e30,1"], "trace: row 2: prompt is 1e30; it must be 0 to 100,000,000 tokens"),
        (["0,nan,1"], "trace: row 2: prompt is nan; it must be 0 to 100,000,000 tokens"),
        (["0,1"], "trace: row 2: output is ''; give a number of tokens"),
        (["0,1,1"], "trace: 1 requests over 0 s; a rate needs two at different times"),
        (["5,1,1", "5,1,1"], "trace: 2 requests over 0 s; a rate needs two at different times"),
        ([], "trace: 0 requests over 0 s; a rate needs two at different times"),
        (
            ["0,1,1", "1e10,1,1"],
            "trace: spans 115,741 days; times are in seconds, or dates; mend the column",
        ),
        (
            ["1767225600000,1,1", "1767225600500,1,1"],
            "trace: 2 problems\n  - row 2: time is 1767225600000, no date in seconds; divide milliseconds by 1,000",
        ),
        (
            ["0,1,0", "1,1,0", "2,0,1"],
            "trace: 0 requests over 0 s, 3 rows without tokens left out; a rate needs two at different times",
        ),
        (
            ["=cmd|' /c calc'!A0,1,1"],
            "trace: row 2: time is \"=cmd|' /c calc'!A0\"; give seconds, or a date such as",
        ),
    ],
)
def test_wrong_rows_are_told(rows: list[str], problem: str) -> None:
    """Row, value and remedy; nothing is dropped in silence."""
    with pytest.raises(ArgumentError) as caught:
        counted(*rows)
    assert str(caught.value).startswith(problem)


def test_five_problems_are_told_and_no_more() -> None:
    with pytest.raises(ArgumentError) as caught:
        counted(*(f"x{i},1,1" for i in range(100_000)))
    assert str(caught.value).count("\n") == 5


def test_long_cells_are_cut_in_messages() -> None:
    with pytest.raises(ArgumentError) as caught:
        counted("x" * 100_000 + ",1,1")
    assert len(str(caught.value)) < 200


def test_a_cached_share_above_the_prompt_is_told() -> None:
    with pytest.raises(ArgumentError, match="row 2: cached is 20, above the prompt's 10 tokens"):
        counted("0,10,1,20", heading="time,prompt,output,cached")


def test_missing_columns_are_told_with_their_names() -> None:
    with pytest.raises(
        ArgumentError, match="no column for prompt and output; name it one of prompt: prompt, prompttokens"
    ):
        counted("0", heading="time")


def test_size_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the file is read, and while it is."""
    path = tmp_path / "trace.csv"
    path.write_text("time,prompt,output\n0,100,10\n7,300,31\n9,1,1\n")
    monkeypatch.setattr(trace, "MOST_ROWS", 2)
    with pytest.raises(ArgumentError, match=r"trace\.csv: more than 2 rows; give a part"):
        trace.read(path)
    monkeypatch.setattr(trace, "LARGEST_FILE", 10)
    with pytest.raises(ArgumentError, match=r"trace\.csv: 43 bytes; at most 10 are read, give a part"):
        trace.read(path)


def test_a_line_without_end_is_told(tmp_path: Path) -> None:
    """A file of one endless line is not read into memory."""
    path = tmp_path / "trace.csv"
    path.write_text("time,prompt,output\n" + "1" * 100_000)
    with pytest.raises(ArgumentError, match="a line is longer than 10,000 characters"):
        trace.read(path)


@pytest.mark.parametrize("data", [b"\xff\xfe\x00\x01", b"time,prompt,output\n\x80,1,1\n"])
def test_other_encodings_are_told(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    path.write_bytes(data)
    with pytest.raises(ArgumentError, match=r"trace\.csv: is not UTF-8 text; save it as CSV UTF-8"):
        trace.read(path)


def test_a_missing_file_is_one_line() -> None:
    done = CliRunner().invoke(command, ["demand", "no-such-file.csv"])
    assert done.exit_code != 0
    assert "no-such-file.csv: No such file or directory; give the path of a .csv file" in str(done.exception)
