"""Measurements against formulas: read a table, choose profiles, evaluate, report; and fit profiles to it."""

from __future__ import annotations

from tokensheet.validation.evaluating import Evaluated, evaluate
from tokensheet.validation.measurements import Measurement, read

__all__ = ["Evaluated", "Measurement", "evaluate", "read"]
