"""Where a spreadsheet program is known to answer otherwise than Python: the same list that authors' proofs use."""

from __future__ import annotations

from tokensheet.testing.deviations import POWERS, deviation

__all__ = ["POWERS", "deviation"]
