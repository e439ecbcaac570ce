"""What a rented replica costs on demand, reserved, and on the spot market with its interruptions."""

from __future__ import annotations

from collections.abc import Sequence

from tokensheet.plugin import Declaration, Formula, formulas_of, hookimpl
from tokensheet_market_pricing import declarations, pricing


@hookimpl
def tokensheet_formulas() -> Sequence[Formula | Declaration]:
    """All formulas of market prices and what they read."""
    return [*declarations.DECLARATIONS, *formulas_of(pricing)]
