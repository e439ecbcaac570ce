"""A failure as a value: why there is no number, so that what does not need the number stands."""

from __future__ import annotations

from dataclasses import dataclass

from tokensheet.errors import ArgumentError, TokensheetError


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no number."""

    reason: str
    kind: type[TokensheetError] = ArgumentError

    @property
    def code(self) -> str:
        """The error value that a cell shows."""
        return self.kind.code

    def error(self, where: str = "") -> TokensheetError:
        """The same as an exception."""
        return self.kind(f"{where}: {self.reason}" if where else self.reason)


Value = float | Failure
