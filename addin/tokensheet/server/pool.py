"""Processes that calculate, and how long they may: one that takes too long is ended and started anew."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokensheet.errors import TokensheetError
from tokensheet.server.cells import failed
from tokensheet.server.worker import PROBLEM, Load

SECONDS_TO_START = 60.0
LONGEST_ANSWER = 64 * 1024 * 1024
"""Bytes of one answer, and of all answers of one request."""


class BusyError(Exception):
    """No process was free in time."""


class EndedError(Exception):
    """A process ended, or said something else than an answer."""


class StartError(TokensheetError):
    """A process cannot answer; the message is its own."""


@dataclass(frozen=True)
class Call:
    """One question: a function's name and its arguments as JSON."""

    name: str
    values: Sequence[Any]

    @property
    def line(self) -> bytes:
        """The same as a process reads it."""
        return json.dumps([self.name, self.values]).encode() + b"\n"


class Worker:
    """One process; started when it is first asked, and again after it was ended."""

    def __init__(self, load: Load, command: Sequence[str]) -> None:
        self.load, self.command = load, command
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Starts the process and waits until it has loaded.

        Raises:
            StartError: it does not answer.
        """
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(
            *self.command, stdin=pipe, stdout=pipe, limit=LONGEST_ANSWER, start_new_session=True
        )
        try:
            async with asyncio.timeout(SECONDS_TO_START):
                said, _ = await self._said(self.load.line.encode())
        except (TimeoutError, EndedError) as fault:
            await self.end()
            raise StartError("a process that answers cannot be started; the log tells more") from fault
        if PROBLEM in said:
            await self.end()
            raise StartError(str(said[PROBLEM]))

    async def ask(self, call: Call) -> tuple[list[list[Any]], int]:
        """The rows of an answer, and how many bytes they are.

        Raises:
            EndedError: the process ended meanwhile, or its answer is too long or none.
            StartError: it was ended before and cannot be started again.
        """
        if self.process is None:
            await self.start()
        return await self._said(call.line)

    async def _said(self, line: bytes) -> tuple[Any, int]:
        process = self.process
        assert process and process.stdin and process.stdout
        with contextlib.suppress(ConnectionError):  # it has ended; what it said before is read all the same
            process.stdin.write(line)
            await process.stdin.drain()
        try:
            said = await process.stdout.readline()
            return json.loads(said), len(said)
        except ValueError as fault:  # longer than the limit, or no JSON
            raise EndedError from fault

    async def end(self) -> None:
        """Ends the process, whatever it does."""
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        with contextlib.suppress(ConnectionError):
            await process.communicate()  # until its pipes are closed too


class Pool:
    """A number of processes; each answers one request at a time."""

    def __init__(self, load: Load, count: int, seconds: float, command: Sequence[str] = ()) -> None:
        own = (sys.executable, "-P", "-m", "tokensheet.server.worker")
        self.seconds = seconds
        self.workers = [Worker(load, command or own) for _ in range(count)]
        self.idle: asyncio.Queue[Worker] = asyncio.Queue()

    async def start(self) -> None:
        """Starts all processes.

        Raises:
            StartError: one cannot answer.
        """
        started = await asyncio.gather(*(worker.start() for worker in self.workers), return_exceptions=True)
        for problem in started:  # all have come to an end: none is left behind in the middle of its start
            if problem is not None:
                await self.close()
                raise problem
        for worker in self.workers:
            self.idle.put_nowait(worker)

    async def close(self) -> None:
        """Ends all processes."""
        for worker in self.workers:
            await worker.end()

    async def answers(self, calls: Sequence[Call]) -> list[list[list[Any]]]:
        """The answers of a request, in order. Those that are not ready in time are errors.

        Raises:
            BusyError: no process was free in time.
        """
        until = asyncio.get_running_loop().time() + self.seconds
        try:
            async with asyncio.timeout_at(until):
                worker = await self.idle.get()
        except TimeoutError as late:
            raise BusyError from late
        whole = False
        found: list[list[list[Any]]] = []
        try:
            await self._fill(found, worker, calls, until)
            whole = True
        finally:
            if not whole:  # the one who asked has gone: the process is in the middle of an answer
                await asyncio.shield(worker.end())
            self.idle.put_nowait(worker)
        return found

    async def _fill(
        self, found: list[list[list[Any]]], worker: Worker, calls: Sequence[Call], until: float
    ) -> None:
        room = LONGEST_ANSWER
        for place, call in enumerate(calls):
            try:
                async with asyncio.timeout_at(until):
                    rows, size = await worker.ask(call)
            except TimeoutError:
                await worker.end()
                late = f"the server stops a request after {self.seconds:g} s; give fewer cells"
                found += [failed(f"{c.name}: {late}") for c in calls[place:]]
                return
            except EndedError:
                await worker.end()
                found.append(failed(f"{call.name}: the calculation ended; the server's log tells more"))
                continue
            except StartError as problem:
                found += [failed(f"{c.name}: {problem}") for c in calls[place:]]
                return
            room -= size
            found.append(
                rows if room >= 0 else failed(f"{call.name}: too many cells in one request; give fewer")
            )
