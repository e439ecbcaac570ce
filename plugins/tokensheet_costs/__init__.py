"""Capital, power, rent, and what a token costs, as formulas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokensheet.plugin import Declaration, Formula, formulas_of, hookimpl
from tokensheet_costs import (
    autoscaling,
    cost_bands,
    costs,
    currency,
    declarations,
    energy,
    finance,
    finance_declarations,
    fleet,
    fleet_split,
    objectives,
    pool,
    quote,
    rent,
    shortfalls,
    token_costs,
    years,
)

MODULES = (
    declarations,
    costs,
    cost_bands,
    shortfalls,
    quote,
    finance_declarations,
    finance,
    rent,
    currency,
    token_costs,
    energy,
    fleet,
    fleet_split,
    autoscaling,
    years,
    pool,
    objectives,
)


@hookimpl
def tokensheet_formulas() -> Sequence[Formula | Declaration]:
    """All cost formulas and what they read."""
    found: list[Formula | Declaration] = []
    for module in MODULES:
        found += getattr(module, "DECLARATIONS", ())
        found += formulas_of(module)
    return found


@hookimpl
def tokensheet_templates() -> Sequence[Path]:
    """The workbook recipes that come with the program."""
    from tokensheet_costs.recipes import recipes

    return recipes()


@hookimpl
def tokensheet_texts() -> Sequence[Path]:
    """Chinese labels of the cost formulas and the recipes."""
    return [Path(__file__).parent / "translations" / "zh.toml"]
