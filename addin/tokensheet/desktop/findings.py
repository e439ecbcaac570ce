"""What a check found: how bad it is, in one line, and the one line that mends it."""

from __future__ import annotations

from dataclasses import dataclass

ERROR, WARNING, INFO = "error", "warning", "info"
LEVELS = (ERROR, WARNING, INFO)
INSTALL = "run 'tokensheet addin install excel'"


@dataclass(frozen=True)
class Finding:
    """One thing that stands in the way.

    Args:
        check: short name that stays the same between versions
        level: error, warning or info; an error means that functions will not answer
        text: what was met, with the place
        mend: what to do
    """

    check: str
    level: str
    text: str
    mend: str = ""

    @property
    def line(self) -> str:
        """Both in one line."""
        text = " ".join(self.text.split())
        return f"{self.level}: {text}" + (f"; {self.mend}" if self.mend else "")
