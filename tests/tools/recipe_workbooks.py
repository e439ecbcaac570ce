"""Workbooks of the built-in recipes in any language, each made once a process."""

from __future__ import annotations

from functools import cache
from typing import Any

import tokensheet
from tokensheet.proposal import Proposal
from tokensheet.texts import Texts
from tokensheet.workbook.build import Export, build

BUILT_IN = ("capacity-plan", "cluster-build", "cost-comparison", "fleet-plan", "one-page")
QUICK = "one-page"
"""The recipe of the smallest workbook."""
MARKED = "marked"
"""A language in which every text of the program stands in brackets."""

DEMAND: dict[str, Any] = {
    "prompt": 1000,
    "output": 200,
    "users": 300,
    "think_time": 40,
    "answer_time": 10,
    "target_ttft": 3,
    "target_tpot": 0.2,
    "load_at_12": 5,
    "plan_years": 5,
}
"""What the recipe for fleets asks of a proposal beside a plan."""


class Marked(Texts):
    """That language."""

    def words(self, english: str) -> str:
        return f"«{english}»" if english else ""


def proposal(**more: Any) -> Proposal:
    candidates = [
        {"name": "owned", "gpu": "rtx-4090", "system": "li-8x4090-pcie", "batch": 4},
        {"name": "rented", "gpu": "h100-sxm-80gb", "rent_per_gpu_hour": 2.5, "batch": 32},
    ]
    given = {
        "title": "Recipes",
        "workload": {"model": "llama-2-70b", "context": 4096, "gpus": 8},
        "assumptions": {"margin": 0.25, "discount": 0.1},
        "candidates": candidates,
    }
    return Proposal.model_validate({**given, **more})


def with_demand(**more: Any) -> Proposal:
    """The same candidates for a number of users."""
    common = proposal().workload
    return proposal(**{**more, "workload": {**common, **DEMAND}})


@cache
def made_of(name: str, language: str) -> Export:
    """The workbook of a recipe."""
    marked = language == MARKED
    given = with_demand if name == "fleet-plan" else proposal
    asked = given(template=name, language=None if marked else language)
    return build(tokensheet.planner(), asked, Marked() if marked else None)
