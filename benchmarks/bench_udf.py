"""Functions in Excel's cells, through xlwings' own dispatch over stand-ins for Windows.

Each time stands beside a function that does nothing, called the same way in the same run: the ratio says
what the functions add.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.tools.fakewin import OMITTED, Book, Range, Windows, windows  # noqa: E402

CALLS = 10_000
MODULE = "tokensheet.udf.functions"
START = """
import time
begun = time.perf_counter()
from tests.tools.fakewin import windows
with windows() as excel:
    imported = time.perf_counter()
    assert excel.call("KV_BYTES", "llama-2-70b", 4096.0, 8.0) == 10737418240
    print(imported - begun, time.perf_counter() - imported)
"""


def each(excel: Windows, module: str, name: str, questions: list[tuple[Any, ...]]) -> float:
    """Microseconds a call."""
    book = Book()
    caller = Range([[None]], book)
    excel.server.CallUDF(module, name, questions[0], book, caller)
    begun = time.perf_counter()
    for question in questions:
        excel.server.CallUDF(module, name, question, book, caller)
    return (time.perf_counter() - begun) / len(questions) * 1e6


def best(measure: Callable[[], float]) -> float:
    """The best of three runs: what the machine does besides only ever adds."""
    return min(measure() for _ in range(3))


def nothing(excel: Windows) -> str:
    """A module with a function of four arguments that does nothing, read and written as xlwings does."""
    empty = ModuleType("empty")
    empty.__file__ = __file__

    def NOTHING(model: Any, context: Any, batch: Any = None, options: Any = None) -> Any:
        return context

    del NOTHING.__annotations__["model"], NOTHING.__annotations__["context"]
    NOTHING.__annotations__.clear()
    for name in ("model", "context", "batch", "options"):
        excel.xlwings.arg(name, ndim=2, err_to_str=True)(NOTHING)
    empty.NOTHING = excel.xlwings.func(NOTHING)  # type: ignore[attr-defined]
    sys.modules["empty"] = empty
    return "empty"


def main() -> None:
    with windows() as excel:
        empty = nothing(excel)
        scalars = [("llama-2-70b", float(n), 8.0, OMITTED) for n in range(CALLS)]
        one = Range([[4096.0]])
        cells = [(Range([["llama-2-70b"]]), one, 8.0, OMITTED)] * CALLS
        latency = [("llama-2-70b", "h100-sxm-80gb", 8.0, float(n), 8.0, "tp=8") for n in range(CALLS)]
        base = best(lambda: each(excel, empty, "NOTHING", scalars))
        base_cells = best(lambda: each(excel, empty, "NOTHING", cells))
        rows: list[tuple[str, float, float, str]] = [
            ("one call, values, first time", each(excel, MODULE, "KV_BYTES", scalars), base, "µs"),
            ("one call, values, again", best(lambda: each(excel, MODULE, "KV_BYTES", scalars)), base, "µs"),
            (
                "one call, cells, again",
                best(lambda: each(excel, MODULE, "KV_BYTES", cells)),
                base_cells,
                "µs",
            ),
            ("one DECODE_LATENCY, first time", each(excel, MODULE, "DECODE_LATENCY", latency), base, "µs"),
        ]
        column = Range([[float(n)] for n in range(CALLS)])
        empty_array = best(lambda: each(excel, empty, "NOTHING", [("", column, 8.0, OMITTED)])) / 1e3
        for name, question in {
            "KV_BYTES": ("llama-2-70b", column, 8.0, OMITTED),
            "DECODE_LATENCY": ("llama-2-70b", "h100-sxm-80gb", 8.0, column, 8.0, "tp=8"),
        }.items():
            took = best(lambda n=name, q=question: each(excel, MODULE, n, [q])) / 1e3  # type: ignore[misc]
            rows.append((f"{CALLS:,} rows of {name}", took, empty_array, "ms"))
    print(f"{'':34}{'here':>10}{'nothing':>12}{'ratio':>8}")
    for label, took, empty_took, unit in rows:
        print(f"{label:34}{took:>7.1f} {unit}{empty_took:>9.1f} {unit}{took / empty_took:>8.2f}")
    started = subprocess.run(
        [sys.executable, "-c", START], cwd=ROOT, check=True, capture_output=True, text=True
    )
    importing, answering = map(float, started.stdout.split())
    print(
        f"new process: xlwings {importing:.2f} s, then the functions and the first answer {answering:.2f} s"
    )


if __name__ == "__main__":
    main()
