"""Capital, power, rent, and what a token costs, as formulas."""

from __future__ import annotations

from collections.abc import Sequence

from tokensheet.declare import Declaration
from tokensheet.plugin import Formula, hookimpl
from tokensheet_costs import costs, declarations


@hookimpl
def tokensheet_formulas() -> Sequence[Formula | Declaration]:
    """All cost formulas and what they read."""
    return [*declarations.DECLARATIONS, *(v for v in vars(costs).values() if isinstance(v, Formula))]
