"""The LibreOffice side of the functions: passes each call to the person's Python and its answer back.

This file goes into the extension as it is and runs in LibreOffice's own Python, which has none of the
packages. It imports nothing but the standard library and UNO, and works with Python 3.8 and later.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import subprocess
import tempfile
import threading
import time
from typing import IO, Any, Callable  # noqa: UP035 - collections.abc has no Callable[...] in Python 3.8

import unohelper  # type: ignore[import-not-found, unused-ignore]
from com.sun.star.lang import IllegalArgumentException
from org.tokensheet import XFunctions  # type: ignore[import-not-found, unused-ignore]

NAME = "org.tokensheet.Functions"
HERE = os.path.dirname(os.path.abspath(__file__))
INTERPRETER = "TOKENSHEET_PYTHON"
SERVER = ("-P", "-m", "tokensheet.calc.server")
SECONDS_BETWEEN_STARTS = 5
STARTS = 2
LONG_AGO = float("-inf")

# Calc keeps an error value as a number that is none, with the error's own number in its last bytes.
ERRORS = {
    "#NULL!": 521,
    "#DIV/0!": 532,
    "#VALUE!": 519,
    "#REF!": 524,
    "#NAME?": 525,
    "#NUM!": 503,
    "#N/A": 32767,
}
CODES = {number: code for code, number in ERRORS.items()}
NOT_A_NUMBER = 0x7FF80000


class NoAnswerError(Exception):
    """The person's Python does not answer."""


def error_value(code: str) -> float:
    """The number that Calc shows as `#N/A` or another error value."""
    found: float = struct.unpack("<d", struct.pack("<II", ERRORS.get(code, 519), NOT_A_NUMBER))[0]
    return found


def code_of(number: float) -> str:
    """The error value that a number stands for."""
    return CODES.get(struct.unpack("<II", struct.pack("<d", number))[0] & 0xFFFF, "#VALUE!")


def to_python(value: Any) -> Any:
    """What Calc gives: number, text, None for an argument left out, rows of a range."""
    if isinstance(value, tuple):
        return [to_python(part) for part in value]
    if isinstance(value, float) and value != value:
        return {"error": code_of(value)}
    return value


def to_calc(value: Any) -> Any:
    """What a cell takes: number, text, truth, error value."""
    return error_value(value["error"]) if isinstance(value, dict) else value


class Python:
    """The person's Python, started when the first cell asks, and again when it has ended."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[str] | None = None
        self.said: IO[bytes] | None = None
        self.answered = False
        self.failure, self.failed_at = "", LONG_AGO

    def ask(self, name: str, values: list[Any]) -> list[list[Any]]:
        """The answer of a function, as rows."""
        line = json.dumps([name, values]) + "\n"
        with self.lock:
            for _ in range(STARTS):
                process = self._running()
                assert process.stdin and process.stdout
                answer = ""
                with contextlib.suppress(OSError):
                    process.stdin.write(line)
                    process.stdin.flush()
                    answer = process.stdout.readline()
                if answer.endswith("\n"):
                    self.answered = True
                    rows: list[list[Any]] = json.loads(answer)
                    return rows
                self._end(process)
        raise NoAnswerError(self.failure)

    def _running(self) -> subprocess.Popen[str]:
        if self.process is not None:
            return self.process
        if time.monotonic() - self.failed_at < SECONDS_BETWEEN_STARTS:
            raise NoAnswerError(self.failure)
        interpreter = recorded_interpreter()
        self.answered = False
        self.said = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the process has ended
        try:
            self.process = subprocess.Popen(
                [interpreter, *SERVER],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.said,
                encoding="utf-8",
                env=environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as problem:
            self.said.close()
            self.failed_at = time.monotonic()
            self.failure = (
                f"{interpreter}: {problem.strerror or problem}; run 'tokensheet addin install libreoffice' again, "
                f"or name another Python in {INTERPRETER}"
            )
            raise NoAnswerError(self.failure) from problem
        return self.process

    def _end(self, process: subprocess.Popen[str]) -> None:
        """Lets go of a process and keeps the last line that it said.

        One that never answered would not do so the next time either, so that the next start waits.
        """
        self.process = None
        for stream in (process.stdin, process.stdout):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert self.said
        self.said.seek(0)
        lines = self.said.read().decode("utf-8", "replace").strip().splitlines() or ["no word"]
        self.said.close()
        self.failure = f"{recorded_interpreter()} ended: {lines[-1]}; run 'tokensheet doctor'"
        self.failed_at = LONG_AGO if self.answered else time.monotonic()


def recorded() -> dict[str, Any]:
    """What the extension says of itself."""
    with open(os.path.join(HERE, "environment.json"), encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


def recorded_interpreter() -> str:
    """The Python that built the extension, or the one that the environment names instead."""
    return os.environ.get(INTERPRETER) or str(recorded()["interpreter"])


def environment() -> dict[str, str]:
    """The environment without what LibreOffice sets for its own Python."""
    own = ("PYTHONPATH", "PYTHONHOME", "URE_BOOTSTRAP")
    return {**{k: v for k, v in os.environ.items() if k not in own}, "PYTHONIOENCODING": "utf-8"}


PYTHON = Python()


def answer(name: str, values: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """What a cell gets. Why Python does not answer is told by `WHY`, as every other reason is."""
    try:
        rows = PYTHON.ask(name, [to_python(value) for value in values])
    except NoAnswerError as reason:
        if name == "WHY":
            return ((str(reason),),)
        raise IllegalArgumentException(str(reason), None, 0) from reason
    return tuple(tuple(to_calc(value) for value in row) for row in rows)


def method(name: str, many: bool) -> Callable[..., Any]:
    """The method that Calc calls; the last argument of some is a list of any number of arguments."""
    if many:
        return lambda self, *values: answer(name, values[:-1] + tuple(values[-1] or ()))
    return lambda self, *values: answer(name, values)


class Functions(unohelper.Base, XFunctions):  # type: ignore[misc, unused-ignore]
    """All functions; their methods are made from the list in the extension."""

    def __init__(self, context: Any) -> None:
        self.context = context


for listed in recorded()["functions"]:
    setattr(Functions, listed["name"], method(listed["name"], listed["many"]))

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Functions, NAME, ("com.sun.star.sheet.AddIn", NAME))
