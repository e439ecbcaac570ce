"""Capital, power, rent, and what a token costs, as formulas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokensheet.declare import Declaration
from tokensheet.plugin import Formula, hookimpl
from tokensheet_costs import (
    cost_bands,
    costs,
    declarations,
    energy,
    finance,
    finance_declarations,
    fleet,
    quote,
    shortfalls,
    token_costs,
)

MODULES = (
    declarations,
    costs,
    cost_bands,
    shortfalls,
    quote,
    finance_declarations,
    finance,
    token_costs,
    energy,
    fleet,
)


@hookimpl
def tokensheet_formulas() -> Sequence[Formula | Declaration]:
    """All cost formulas and what they read."""
    found: list[Formula | Declaration] = []
    for module in MODULES:
        found += getattr(module, "DECLARATIONS", ())
        found += [v for v in vars(module).values() if isinstance(v, Formula) and v.module == module.__name__]
    return found


@hookimpl
def tokensheet_templates() -> Sequence[Path]:
    """The workbook recipes that come with the program."""
    from tokensheet_costs.recipes import recipes

    return recipes()
