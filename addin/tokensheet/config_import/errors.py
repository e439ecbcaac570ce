"""What stops the import of a configuration file."""

from __future__ import annotations

from collections.abc import Sequence

from tokensheet.errors import TokensheetError, listed


class ConfigError(TokensheetError):
    """A configuration file cannot be turned into a model record; lists everything that stops it."""

    def __init__(self, title: str, problems: Sequence[str], missing: Sequence[str] = ()) -> None:
        self.title = title
        self.problems = tuple(problems)
        self.missing = tuple(missing)
        """The keys that are missing, by their usual names."""
        super().__init__(listed(title, self.problems))
