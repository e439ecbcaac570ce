"""Former names of nodes, roles and records: they work with a warning for two minor versions, then say the new one."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tokensheet.declare import Alias, At, Owner
from tokensheet.errors import RenamedWarning, UnknownNameError

TWICE_BY_NAMES = "{} is given twice, once under its former name; leave one out"


@dataclass(frozen=True, slots=True)
class Former:
    """A former name and whose it is."""

    alias: Alias
    owner: Owner

    def new_name(self) -> str:
        """The name that holds now, with a warning.

        Raises:
            UnknownNameError: the time in which the old name works is over.
        """
        if self.alias.expired(self.owner.version):
            raise UnknownNameError(f"{self.alias.text}; the old name worked until {self.alias.until}")
        warnings.warn(self.alias.text, RenamedWarning, stacklevel=2)
        return self.alias.new


class FormerNames(dict[str, Former]):
    """Former names of nodes and roles."""

    def current(self, name: str) -> str:
        """The name by which a node or role goes now.

        Raises:
            UnknownNameError: a former name is no longer taken.
        """
        return self[name].new_name() if name in self else name

    def mapping(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The same mapping under the names that hold now.

        Raises:
            UnknownNameError: a former name is no longer taken, or comes beside its new one.
        """
        found: dict[str, Any] = {}
        for key, value in given.items():
            name = self.current(key)
            if name in found:
                raise UnknownNameError(TWICE_BY_NAMES.format(name))
            found[name] = value
        return found

    def at(self, target: At) -> At:
        """The same re-evaluation under the names that hold now."""
        under = {k: self.current(v) if isinstance(v, str) else v for k, v in target.under.items()}
        return At(self.current(target.node), self.mapping(under))

    def told(self, names: Iterable[str]) -> list[str]:
        """A line for each former name among these."""
        return [self[name].alias.text for name in names if name in self]
