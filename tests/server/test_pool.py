"""Processes that hang, die or talk nonsense: every call has an answer, in time."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import Any

import pytest

from tokensheet.server.cells import failed
from tokensheet.server.pool import BusyError, Call, Pool, StartError
from tokensheet.server.worker import Load

LOAD = Load("tokensheet", 1000)

# Answers with its argument; some arguments make it misbehave.
FAKE = """
import json, os, sys, time
json.loads(sys.stdin.readline())
print('{"ready": true}', flush=True)
for line in sys.stdin:
    name, (value, *_) = json.loads(line)
    if value == "hang": time.sleep(600)
    if value == "die": os._exit(3)
    if value == "half": sys.stdout.write("[[1.0"); sys.stdout.flush(); os._exit(3)
    if value == "slow": time.sleep(0.2)
    if value == "id": value = float(os.getpid())
    print(json.dumps([[value]]), flush=True)
"""


def pool(seconds: float = 20.0, count: int = 1) -> Pool:
    return Pool(LOAD, count, seconds, (sys.executable, "-c", FAKE))


async def asked(made: Pool, *values: Any) -> list[Any]:
    """The single cells that calls with these arguments give."""
    found = await made.answers([Call("F", [value]) for value in values])
    return [rows[0][0] for rows in found]


def run(made: Pool, work: Any) -> Any:
    async def all_of_it() -> Any:
        await made.start()
        try:
            return await asyncio.wait_for(work(made), 60)
        finally:
            await made.close()

    return asyncio.run(all_of_it())


def test_answers_come_in_order() -> None:
    assert run(pool(), lambda made: asked(made, 1.0, "a", 2.0)) == [1.0, "a", 2.0]


@pytest.mark.slow
def test_a_calculation_that_hangs_is_ended_and_the_next_request_is_answered() -> None:
    async def work(made: Pool) -> Any:
        (before,) = await asked(made, "id")
        start = time.monotonic()
        found = await asked(made, 1.0, "hang", 2.0)
        spent = time.monotonic() - start
        (after,) = await asked(made, "id")
        return before, found, spent, after

    before, found, spent, after = run(pool(seconds=2.0), work)
    assert found[0] == 1.0
    for cell in found[1:]:
        assert cell == {
            "error": "#VALUE!",
            "reason": "F: the server stops a request after 2 s; give fewer cells",
        }
    assert 1.9 < spent < 20
    assert before != after
    with pytest.raises(ProcessLookupError):
        os.kill(int(before), 0)


@pytest.mark.parametrize("fault", ["die", "half"])
def test_a_process_that_dies_fails_one_call(fault: str) -> None:
    found = run(pool(), lambda made: asked(made, 1.0, fault, 2.0))
    assert (found[0], found[2]) == (1.0, 2.0)
    assert found[1]["error"] == "#VALUE!" and "the calculation ended" in found[1]["reason"]


@pytest.mark.slow
def test_a_request_that_finds_no_process_is_told_so() -> None:
    async def work(made: Pool) -> Any:
        first = asyncio.create_task(asked(made, "hang"))
        await asyncio.sleep(0.1)
        with pytest.raises(BusyError):
            made.seconds = 0.3
            await asked(made, 1.0)
        return await first

    ((cell),) = run(pool(seconds=2.0), work)
    assert "stops a request" in cell["reason"]


def test_who_goes_away_leaves_a_clean_process() -> None:
    """The answer to the one must not go to the next."""

    async def work(made: Pool) -> Any:
        first = asyncio.create_task(asked(made, "slow"))
        await asyncio.sleep(0.05)
        first.cancel()
        return await asked(made, 1.0, 2.0)

    assert run(pool(), work) == [1.0, 2.0]


def test_requests_share_the_processes() -> None:
    async def work(made: Pool) -> Any:
        return await asyncio.gather(*(asked(made, "slow", n) for n in range(6)))

    assert run(pool(count=2), work) == [["slow", n] for n in range(6)]


def test_answers_beyond_the_room_of_a_request_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokensheet.server.pool.LONGEST_ANSWER", 100)
    first, second, third = run(pool(), lambda made: asked(made, "x" * 60, "y" * 60, "z" * 200))
    assert first == "x" * 60
    assert "too many cells" in second["reason"] and "the calculation ended" in third["reason"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('{"problem": "no such plugin"}', "no such plugin"),
        ("[1", "cannot be started"),
        ("", "cannot be started"),
    ],
)
def test_a_process_that_cannot_start_is_one_line(said: str, told: str) -> None:
    made = Pool(LOAD, 2, 5.0, (sys.executable, "-c", f"print({said!r})"))
    with pytest.raises(StartError, match=told) as refused:
        run(made, lambda made: asked(made, 1.0))
    assert "\n" not in str(refused.value)


def test_the_real_process_answers_whatever_is_asked() -> None:
    async def work(made: Pool) -> Any:
        return await made.answers(
            [
                Call("KV_BYTES", ["llama-2-70b", 4096, 8]),
                Call("KV_BYTES", [[[["nested"]]], 1]),
                Call("NOTHING", []),
                Call("KV_BYTES", ["llama-2-70b", [[1]] * 40, [[1] * 30]]),
            ]
        )

    good, nested, unknown, large = run(Pool(LOAD, 1, 30.0), work)
    assert good == [[10737418240.0]]
    assert "neither a cell nor rows" in nested[0][0]["reason"]
    assert unknown[0][0]["error"] == "#NAME?"
    assert large == failed("KV_BYTES: the answer has 1200 cells; this server gives 1000, give fewer")


def test_the_real_process_says_what_it_cannot_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XLWINGS_LICENSE_KEY", raising=False)
    with pytest.raises(StartError, match="PolyForm Noncommercial"):
        run(Pool(Load("xlwings", 1000), 1, 30.0), lambda made: asked(made, 1.0))
