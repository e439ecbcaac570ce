"""Sources that formulas of several modules share."""

from __future__ import annotations

EVEN = "both sides of the choice cost the same"
SPARE = "N+1; replicas that are down or being updated do not serve"
