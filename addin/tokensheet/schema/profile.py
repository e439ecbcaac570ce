"""A named set of assumptions: efficiencies, overheads and modes, and what they were fitted to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from tokensheet.schema.guards import GuardedRecord


class Profile(GuardedRecord):
    """Values of assumptions (or of any other node), by name; what is not named keeps its default."""

    kind: ClassVar[str] = "profile"

    values: dict[str, float]
    fitted_to: str
    """The measurements the values were fitted to, or that they were not fitted."""

    @classmethod
    def impossible(cls, given: Mapping[str, Any], numbers: Mapping[str, float]) -> list[str]:
        """Values that are no finite numbers."""
        values = given.get("values")
        if not isinstance(values, Mapping):
            return []
        return [
            f"values.{name} is {value!r}; give a plain finite number"
            for name, value in values.items()
            if isinstance(value, (bool, str))
            or not isinstance(value, (int, float))
            or not math.isfinite(value)
        ]
