"""A named set of assumptions: efficiencies, overheads and modes, and what they were fitted to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from tokensheet.schema.base import State
from tokensheet.schema.guards import GuardedRecord


class Profile(GuardedRecord):
    """Values of assumptions (or of any other node), by name; what is not named keeps its default."""

    kind: ClassVar[str] = "profile"

    values: dict[str, float]
    fitted_to: str
    """The measurements the values were fitted to, or that they were not fitted."""

    engines: tuple[str, ...] = ()
    """Serving engines whose measurements it was fitted to."""
    stands_for: tuple[str, ...] = ()
    """Other engines that it is the nearest profile of; `*` for all."""
    vendors: tuple[str, ...] = ()
    """Vendors of the devices, where another profile serves the others."""
    metrics: tuple[str, ...] = ()
    """What was measured, where another profile serves the rest: `tpot_s`, `ttft_s`, `e2e_s`."""
    since: str = ""
    """First month of its releases, such as `2024-05`."""
    until: str = ""
    """Last month; none: the present."""
    since_version: str = ""
    below_version: str = ""
    formats: dict[str, str] = {}  # noqa: RUF012 - pydantic copies it
    """What tables of measurements call a weight format of this engine → the format's id."""
    served_kv: str = ""
    """Format of the cache beside weights of 8 bits or fewer, whatever a table says."""
    calibrated_from: str = ""
    """Profile that a person's own measurements moved; it goes before those that stand in for the same engine."""
    measured: tuple[str, ...] = ()
    """Sources of measurements that it was fitted on, without what stands in brackets behind them."""
    fitted: tuple[str, ...] = ()
    """Values that measurements moved; the others are set, or taken over from another profile."""

    def number(self, name: str) -> float | None:
        """What the profile states for a name, or None."""
        value = self.values.get(name)
        return None if value is None else float(value)

    def state_of(self, name: str) -> State:
        """A value is what the profile is for: confirmed, unless its states say otherwise."""
        return self.states.get(name, "confirmed") if name in self.values else super().state_of(name)

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
