"""When two readings of a formula agree: to 1e-12, or, on the edge of a comparison, on either side of it.

Spreadsheets compare numbers with about 15 digits, take a difference of two nearly equal numbers for 0 and
round before INT. There a spreadsheet's answer is right when the formula gives it for inputs that
differ by no more than 1e-12 of their size.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tokensheet.failure import Failure, Value
from tokensheet.testing.alone import Alone, Inputs
from tokensheet.workbook.finish import CellError

TOLERANCE = 1e-12
NUDGE = 1e-12
TRIES = 24


@dataclass
class Report:
    """What a comparison found.

    Attributes:
        compared: how many values
        errors: how many of them were errors on both sides
        edges: one line for each value that agrees only on the edge of a comparison
        problems: one line for each value that does not agree
    """

    compared: int = 0
    errors: int = 0
    edges: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, other: Report) -> None:
        """Takes in another report."""
        self.compared += other.compared
        self.errors += other.errors
        self.edges += other.edges
        self.problems += other.problems


def same(wanted: Value, found: Value | str | None, tolerance: float = TOLERANCE) -> bool:
    """Whether both are errors, or both are numbers and close."""
    if isinstance(wanted, Failure) or isinstance(found, Failure | CellError):
        return isinstance(wanted, Failure) and isinstance(found, Failure | CellError)
    if found is None or isinstance(found, str):
        return False
    return math.isclose(wanted, found, rel_tol=tolerance, abs_tol=0.0)


def nudged(alone: Alone, inputs: Inputs) -> Iterator[Mapping[str, Value]]:
    """The tree's values for inputs that differ a little: each alone, then all at once."""
    rng = random.Random(str(sorted(inputs.items())))
    for name, value in inputs.items():
        for sign in (1, -1):
            yield alone.tree({**inputs, name: value * (1 + sign * NUDGE)})
    for _ in range(TRIES):
        yield alone.tree({n: v * (1 + rng.choice((-NUDGE, 0, NUDGE))) for n, v in inputs.items()})


def on_edge(alone: Alone, inputs: Inputs, step: str, found: Value | str | None) -> bool:
    """Whether the formula gives `found` for inputs that differ by no more than `NUDGE`."""
    if found is None or (isinstance(found, str) and not isinstance(found, CellError)):
        return False
    values = [row[step] for row in nudged(alone, inputs)]
    if any(same(value, found, 4 * NUDGE) for value in values):
        return True
    numbers = [v for v in values if not isinstance(v, Failure)]
    return isinstance(found, float) and bool(numbers) and min(numbers) <= found <= max(numbers)


def compare(
    report: Report,
    alone: Alone,
    inputs: Inputs,
    wanted: Mapping[str, Value],
    step: str,
    found: Value | str | None,
    by: str,
) -> None:
    """Counts one value, and writes a line when it does not agree with the tree."""
    report.compared += 1
    if same(wanted[step], found):
        report.errors += isinstance(wanted[step], Failure)
        return
    shown = ", ".join(f"{n}={v!r}" for n, v in inputs.items())
    where = f"{alone.name}.{step}" if step else alone.name
    line = f"{where}: tree {_shown(wanted[step])}, {by} {_shown(found)} at {shown}"
    (report.edges if on_edge(alone, inputs, step, found) else report.problems).append(line)


def _shown(value: Value | str | None) -> str:
    return f"error ({value.reason})" if isinstance(value, Failure) else repr(value)
