"""The LibreOffice side of the functions: passes each call to the person's Python and its answer back.

This file goes into the extension as it is and runs in LibreOffice's own Python, which has none of the
packages. It imports nothing but the standard library and UNO, and works with Python 3.8 and later.
"""

import json
import os
import struct
import subprocess
import tempfile
import threading
import time

import unohelper
from com.sun.star.lang import IllegalArgumentException
from org.tokensheet import XFunctions

NAME = "org.tokensheet.Functions"
HERE = os.path.dirname(os.path.abspath(__file__))
INTERPRETER = "TOKENSHEET_PYTHON"
SECONDS_BETWEEN_STARTS = 5

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


class NoAnswer(Exception):
    """The person's Python does not answer."""


def error_value(code):
    """The number that Calc shows as `#N/A` or another error value."""
    return struct.unpack("<d", struct.pack("<II", ERRORS.get(code, 519), NOT_A_NUMBER))[0]


def code_of(number):
    """The error value that a number stands for."""
    return CODES.get(struct.unpack("<II", struct.pack("<d", number))[0] & 0xFFFF, "#VALUE!")


def to_python(value):
    """What Calc gives: number, text, None for an argument left out, rows of a range."""
    if isinstance(value, tuple):
        return [to_python(part) for part in value]
    if isinstance(value, float) and value != value:
        return {"error": code_of(value)}
    return value


def to_calc(value):
    """What a cell takes: number, text, truth, error value."""
    if isinstance(value, dict):
        return error_value(value["error"])
    return value


class Python:
    """The person's Python, started when the first cell asks, and again when it has ended."""

    def __init__(self):
        self.lock = threading.Lock()
        self.process = None
        self.said = None
        self.failure, self.failed_at = "", 0.0

    def ask(self, name, values):
        """The answer of a function, as rows."""
        line = json.dumps([name, values]) + "\n"
        with self.lock:
            for attempt in (1, 2):
                process = self.running()
                try:
                    process.stdin.write(line)
                    process.stdin.flush()
                    answer = process.stdout.readline()
                except OSError:
                    answer = ""
                if answer.endswith("\n"):
                    return json.loads(answer)
                self.ended()
        raise NoAnswer(self.failure)

    def running(self):
        if self.process is not None and self.process.poll() is None:
            return self.process
        if self.failure and time.monotonic() - self.failed_at < SECONDS_BETWEEN_STARTS:
            raise NoAnswer(self.failure)
        interpreter = recorded_interpreter()
        try:
            self.said = tempfile.TemporaryFile()
            self.process = subprocess.Popen(
                [interpreter, "-P", "-m", "tokensheet.calc.server"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.said,
                universal_newlines=True,
                encoding="utf-8",
                env=environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as problem:
            self.fail("%s: %s; run 'tokensheet addin install libreoffice' again, or name another Python in %s"
                      % (interpreter, problem.strerror or problem, INTERPRETER))
            raise NoAnswer(self.failure)
        return self.process

    def ended(self):
        """Keeps the last line that the process said, and lets go of it."""
        process, self.process = self.process, None
        for stream in (process.stdin, process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self.said.seek(0)
        lines = self.said.read().decode("utf-8", "replace").strip().splitlines()
        self.said.close()
        self.fail("%s ended: %s; run 'tokensheet doctor'" % (recorded_interpreter(), lines[-1] if lines else "no word"))

    def fail(self, reason):
        self.failure, self.failed_at = reason, time.monotonic()


def recorded_interpreter():
    """The Python that built the extension, or the one that the environment names instead."""
    stated = os.environ.get(INTERPRETER)
    if stated:
        return stated
    with open(os.path.join(HERE, "environment.json"), encoding="utf-8") as file:
        return json.load(file)["interpreter"]


def environment():
    """The environment without what LibreOffice sets for its own Python."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "URE_BOOTSTRAP")}
    kept["PYTHONIOENCODING"] = "utf-8"
    return kept


PYTHON = Python()


def answer(name, values):
    """What a cell gets. Why Python does not answer is told by `WHY`, as every other reason is."""
    try:
        rows = PYTHON.ask(name, [to_python(value) for value in values])
    except NoAnswer as reason:
        if name == "WHY":
            return ((str(reason),),)
        raise IllegalArgumentException(str(reason), None, 0)
    return tuple(tuple(to_calc(value) for value in row) for row in rows)


def method(name, many):
    """The method that Calc calls; the last argument of some is a list of any number of arguments."""
    if many:
        return lambda self, *values: answer(name, values[:-1] + tuple(values[-1] or ()))
    return lambda self, *values: answer(name, values)


class Functions(unohelper.Base, XFunctions):
    """All functions; their methods are made from the list in the extension."""

    def __init__(self, context):
        self.context = context


with open(os.path.join(HERE, "environment.json"), encoding="utf-8") as listed:
    for function in json.load(listed)["functions"]:
        setattr(Functions, function["name"], method(function["name"], function["many"]))

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Functions, NAME, ("com.sun.star.sheet.AddIn", NAME))
