"""Numbers of a proposal are held to what a call may give, when it is read and not when it is exported."""

from __future__ import annotations

import pytest

import tokensheet
from tokensheet import proposal
from tokensheet.errors import ProposalError

TEXT = """
title = "One plan"
results = ["decode_latency"]

[workload]
model = "llama-2-70b"
context = 4096

[assumptions]
{name} = {value}

[[candidates]]
name = "eight"
gpu = "h100-sxm-80gb"
gpus = 8
"""

CASES: dict[str, tuple[str, str, str]] = {
    "an input": ("batch", "0", "batch is 0; it must be above 0"),
    "a whole input": ("dp", "1.5", "dp is 1.5; it must be a whole number"),
    "an assumption": ("bandwidth_efficiency", "1.2", "bandwidth_efficiency is 1.2; it must be at most 1"),
    "a fact": ("memory_bandwidth", "-1.0", "memory_bandwidth is -1; it must be at least 0"),
    "a result": ("weight_bytes", "-2.0", "weight_bytes is -2; it must be at least 0"),
    "text": ("step_overhead", '"1 ms"', 'step_overhead is "1 ms"; give a number'),
}


@pytest.mark.parametrize("case", CASES)
def test_a_number_makes_sense_as_in_a_call(case: str) -> None:
    """Both say the same: there is one rule."""
    name, value, told = CASES[case]
    with pytest.raises(ProposalError) as caught:
        proposal.parse(TEXT.format(name=name, value=value), tokensheet.planner())
    assert str(caught.value).endswith(f"line 10: {told}")
    given = {"model": "llama-2-70b", "gpu": "h100-sxm-80gb", "gpus": 8, "context": 4096}
    asked = value.strip('"') if value.startswith('"') else float(value)
    assert tokensheet.why("decode_latency", **{**given, name: asked}) == told


TWICE = """
title = "One plan"
results = ["decode_latency", "no_such"]

[workload]
model = "llama-2-70b"
context = 4096
batch = 16

[assumptions]
"batch" = 64
context = -1

[[candidates]]
name = "eight"
gpu = "h100-sxm-80gb"
gpus = 8
batch = 32
"""


def test_a_name_that_all_candidates_are_given_twice_is_refused() -> None:
    """Which of the two is meant cannot be known; it is told at once with the other mistakes. A candidate's own is no second."""
    with pytest.raises(ProposalError) as caught:
        proposal.parse(TWICE, tokensheet.planner())
    *told, last = str(caught.value).split("\n")
    assert told == [
        "proposal: 4 problems",
        "  - line 12: context is -1; it must be at least 0",
        "  - line 12: context is given twice, in [workload] and [assumptions]; leave one out",
        "  - line 11: batch is given twice, in [workload] and [assumptions]; leave one out",
    ]
    assert last.startswith("  - line 3: results: nothing is called no_such")


def test_so_it_is_where_a_proposal_comes_from_no_text() -> None:
    given = {
        "title": "x",
        "candidates": [{"name": "a"}],
        "workload": {"batch": 1},
        "assumptions": {"batch": 2},
    }
    with pytest.raises(
        ValueError, match=r"batch is given twice, in \[workload\] and \[assumptions\]; leave one out"
    ):
        proposal.Proposal.model_validate(given)
