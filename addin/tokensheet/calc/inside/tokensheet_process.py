"""The person's Python as the extension sees it: started, asked line by line, started again when it has ended.

This file goes into the extension as it is and runs in LibreOffice's own Python, which has none of the
packages. It imports nothing but the standard library, and works with Python 3.8 and later. Functions and menu
share it, so that one process answers both.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
import threading
import time
from typing import IO, Any

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INTERPRETER = "TOKENSHEET_PYTHON"
SERVER = ("-P", "-m", "tokensheet.calc.server")
SECONDS_BETWEEN_STARTS = 5
STARTS = 2
LONG_AGO = float("-inf")


class NoAnswerError(Exception):
    """The person's Python does not answer."""


class Python:
    """The person's Python, started when the first cell asks, and again when it has ended."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[str] | None = None
        self.said: IO[bytes] | None = None
        self.answered = False
        self.failure, self.failed_at = "", LONG_AGO

    def ask(self, name: str, values: list[Any]) -> Any:
        """The answer to a question: rows of cells for a function, a text or a problem for the menu."""
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
                    return json.loads(answer)
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
