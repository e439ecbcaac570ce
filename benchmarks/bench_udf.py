"""Functions in Excel's cells, through xlwings' own dispatch over stand-ins for Windows.

Each time stands beside a function that does nothing, called the same way in the same run: the ratio says
what the functions add.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.tools.fakewin import OMITTED, Book, Range, Windows, windows  # noqa: E402

Question = tuple[Any, ...]

CALLS = 10_000
RUNS = 3
"""The best of them counts: what the machine does besides only ever adds."""

MODULE = "tokensheet.udf.functions"
START = """
import time
begun = time.process_time()
from tests.tools.fakewin import windows
with windows() as excel:
    imported = time.process_time()
    assert excel.call("KV_BYTES", "llama-2-70b", 4096.0, 8.0) == 10737418240
    print(imported - begun, time.process_time() - imported)
"""


def each(excel: Windows, module: str, name: str, questions: list[Question]) -> float:
    """Microseconds of processor time a call, which other programs disturb less than the clock."""
    caller = Range([[None]], Book())
    book = None if module == MODULE else caller.Worksheet.Parent  # the shipped wrappers pass none
    excel.server.CallUDF(module, name, questions[0], book, caller)
    begun = time.process_time()
    for question in questions:
        excel.server.CallUDF(module, name, question, book, caller)
    return (time.process_time() - begun) / len(questions) * 1e6


def nothing(excel: Windows) -> str:
    """A module with a function that does nothing, its arguments converted by xlwings' own rules."""

    def NOTHING(a, b=None, c=None, d=None, e=None, f=None):  # type: ignore[no-untyped-def]
        return d if isinstance(d, list) and len(d) > 1 else b  # a column, where there is one

    for name in "abcdef":
        excel.xlwings.arg(name, ndim=2, err_to_str=True)(NOTHING)
    empty = ModuleType("empty")
    empty.__file__ = __file__
    empty.NOTHING = excel.xlwings.func(NOTHING)  # type: ignore[attr-defined]
    sys.modules["empty"] = empty
    return "empty"


def contexts(run: int) -> Iterator[float]:
    """Other numbers for each run, so that no answer is remembered."""
    return map(float, range(run * CALLS + 1, (run + 1) * CALLS + 1))


def kv_bytes(run: int) -> list[Question]:
    return [("llama-2-70b", n, 8.0, OMITTED) for n in contexts(run)]


def decode_latency(run: int) -> list[Question]:
    return [("llama-2-70b", "h100-sxm-80gb", 8.0, n, 8.0, "tp=8") for n in contexts(run)]


def main() -> None:
    with windows() as excel:
        empty = nothing(excel)
        cells = [(Range([["llama-2-70b"]]), Range([[4096.0]]), 8.0, OMITTED)] * CALLS
        column = Range([[float(n)] for n in range(1, CALLS + 1)])
        by_column = [("llama-2-70b", "h100-sxm-80gb", 8.0, column, 8.0, "tp=8")]
        cases: list[tuple[str, str, Callable[[int], list[Question]]]] = [
            ("KV_BYTES of values, first time", "KV_BYTES", kv_bytes),
            ("KV_BYTES of values, again", "KV_BYTES", lambda run: kv_bytes(0)),
            ("KV_BYTES of cells, again", "KV_BYTES", lambda run: cells),
            ("DECODE_LATENCY, first time", "DECODE_LATENCY", decode_latency),
            (f"KV_BYTES, {CALLS:,} rows", "KV_BYTES", lambda run: [("llama-2-70b", column, 8.0, OMITTED)]),
            (f"DECODE_LATENCY, {CALLS:,} rows", "DECODE_LATENCY", lambda run: by_column),
        ]
        print(f"{'one call, µs':32}{'here':>10}{'nothing':>10}{'ratio':>8}")
        for label, name, questions in cases:
            here = min(each(excel, MODULE, name, questions(run)) for run in range(RUNS))
            alone = min(each(excel, empty, "NOTHING", questions(run)) for run in range(RUNS))
            print(f"{label:32}{here:>10,.1f}{alone:>10,.1f}{here / alone:>8.2f}")
    started = subprocess.run(
        [sys.executable, "-c", START], cwd=ROOT, check=True, capture_output=True, text=True
    )
    importing, answering = map(float, started.stdout.split())
    print(
        f"new process, s of processor time: xlwings {importing:.2f}, then the functions and the first answer "
        f"{answering:.2f}"
    )


if __name__ == "__main__":
    main()
