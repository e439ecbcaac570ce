"""Ranges without NumPy: the same answers and failures as with it, whatever the shapes."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from itertools import chain
from typing import Any

import pytest

from tests.cells import functions
from tokensheet import one_by_one, planning
from tokensheet.failure import Failure

MODEL = "llama-2-70b"
CALLS: list[tuple[str, list[Any]]] = [
    ("KV_BYTES", [MODEL, [[512.0], [1024.0], [4096.0]], 8.0]),
    ("KV_BYTES", [MODEL, [[512.0, 1024.0, 4096.0]], 8.0]),
    ("KV_BYTES", [MODEL, [[512.0], [4096.0]], [[1.0, 2.0, 3.0]]]),
    ("KV_BYTES", [[[MODEL], ["llama-9"], ["llama-2-7b"]], 4096.0]),
    ("KV_BYTES", [MODEL, [[512.0], ["4k"], [None], [-1.0], [Failure("broken")], [4096.0]], 8.0]),
    ("KV_BYTES", [MODEL, [[512.0], [1024.0], [4096.0]], [[1.0], [2.0]]]),
    ("KV_BYTES", [MODEL, [[512.0, 1024.0], [4096.0]], 1.0]),
    ("KV_BYTES", [MODEL, [512.0, 4096.0], 8.0]),
    (
        "DECODE_LATENCY",
        [MODEL, [["h100-sxm-80gb"], ["rtx-4090"]], 8.0, [[0.0, 4096.0]], 16.0, "profile=ideal"],
    ),
    ("TOKENS_PER_SECOND", ["llama-9", "h100-sxm-80gb", 8.0, [[1.0], [2.0]]]),
]


def said(rows: Any) -> list[list[Any]]:
    """Rows with the error value and reason of each failure."""
    return [[(v.code, v.reason) if isinstance(v, Failure) else v for v in row] for row in rows]


@pytest.mark.parametrize(("name", "values"), CALLS, ids=range(len(CALLS)))
def test_the_same_answers_as_with_numpy(
    name: str, values: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays = said(functions().call(name, values))
    monkeypatch.setattr(planning, "_ranges", lambda: one_by_one.evaluate_array)
    alone = said(functions().call(name, values))
    assert [len(row) for row in alone] == [len(row) for row in arrays]
    for mine, other in zip(chain(*alone), chain(*arrays), strict=True):
        assert mine == (pytest.approx(other, rel=1e-14) if isinstance(other, float) else other)


def test_reasons_of_a_range(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "_ranges", lambda: one_by_one.evaluate_array)
    (good,), (bad,) = functions().call("WHY", ["kv_bytes", MODEL, [[512.0], ["4k"]]])
    assert good == "" and "4k" in bad


def test_a_grid_is_nested_lists() -> None:
    grid = one_by_one.Grid(tuple(map(float, range(6))), (2, 3))
    assert grid.ndim == 2 and grid.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert grid.reshape(-1).tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(ValueError, match="only -1"):
        grid.reshape(3)


def test_a_failed_element_is_nan() -> None:
    found = one_by_one.Elements((1.0, Failure("why")), (2,))
    assert math.isnan(found.values.flat[1]) and found.failure(1).reason == "why"
    assert found.failures() == {1: Failure("why")}


PROGRAM = """
import sys
sys.modules["numpy"] = None
import tokensheet
from tokensheet.functions import Functions
functions = Functions(tokensheet.planner())
assert tokensheet.planner().registry.problems == []
assert tokensheet.evaluate("kv_bytes", model="llama-2-70b", context=4096, batch=[1, 8]).tolist() == [1342177280.0, 10737418240.0]
print(functions.call("KV_BYTES", ["llama-2-70b", [[512.0], ["4k"]], 8.0])[0][0])
print(functions.call("BEST_CONFIG", ["llama-2-70b", 4096.0]).reason)
"""


@pytest.mark.slow
def test_an_interpreter_that_has_no_numpy() -> None:
    """Everything but the search answers; that says what it needs."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "1342177280.0",
        "BEST_CONFIG: a search needs numpy, which is not installed",
    ]
