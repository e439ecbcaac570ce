"""Long contexts beside ordinary requests, held against the simulation: the errors are read from docs/serving.md."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.inference.test_serving import LLAMA, MIXTRAL, ask, simulated
from tests.tools.serving_simulator import share

PAGE = (Path(__file__).parents[2] / "docs" / "serving.md").read_text("utf-8")
ROWS = {"TTFT": "ttft", "TPOT": "tpot", "request time": "loaded_request_time"}
VARIED = {"prompt_cv": 0.6, "output_cv": 0.8}
MIX = {
    "one in five": {"long_share": 0.2, "long_prompt": 30_000},
    "one in ten": {"long_share": 0.1, "long_prompt": 30_000},
    "rare": {"long_share": 0.03, "long_prompt": 30_000},
}


def stated() -> dict[tuple[str, float, bool], float]:
    """Result, percentile (0 is the mean), whether lengths vary → the error that the page states."""
    lines = PAGE.split("| with long contexts |")[1].split("\n\n")[0].splitlines()
    found = {}
    for line in lines[2:]:
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        for cell, (percentile, vary) in zip(
            cells, [(0.0, False), (0.95, False), (0.0, True), (0.95, True)], strict=True
        ):
            found[ROWS[name], percentile, vary] = float(re.fullmatch(r"(\d+) %", cell)[1]) / 100  # type: ignore[index]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("mix", MIX)
@pytest.mark.parametrize("plan", [LLAMA, {**MIXTRAL, "chunked_prefill": 0}], ids=["llama 70b", "experts"])
@pytest.mark.parametrize("load", [0.6, 0.8])
def test_errors_are_within_those_that_the_page_states(plan: dict[str, Any], mix: str, load: float) -> None:
    errors = stated()
    for vary in (False, True):
        done, asked = simulated({**plan, **MIX[mix], **(VARIED if vary else {})}, load)
        seen = {
            "ttft": [r.ttft for r in done],
            "tpot": [r.tpot for r in done],
            "loaded_request_time": [r.time for r in done],
        }
        for name, times in seen.items():
            for percentile in (0.0, 0.95):
                found = share(times, percentile) if percentile else fmean(times)
                error = ask(name, asked, percentile=percentile) / found - 1
                assert abs(error) <= errors[name, percentile, vary], (name, percentile, vary, error)


def test_each_result_has_its_errors() -> None:
    assert {name for name, _, _ in stated()} == set(ROWS.values())
