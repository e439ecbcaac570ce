"""Speculative decoding: a small model drafts tokens, the large one verifies them in a single step."""

from __future__ import annotations

from collections.abc import Sequence

from tokensheet.plugin import Declaration, Formula, formulas_of, hookimpl
from tokensheet_speculative import declarations, speculation


@hookimpl
def tokensheet_formulas() -> Sequence[Formula | Declaration]:
    """All formulas of speculative decoding and what they read."""
    return [*declarations.DECLARATIONS, *formulas_of(speculation)]
