"""On which line of a TOML file a key stands: the standard reader keeps no lines, and mistakes are told with them."""

from __future__ import annotations

import re
from typing import Any

_KEY = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w.-]+))\s*=""")


class Lines:
    """Line numbers of keys, found in the text."""

    def __init__(self, text: str) -> None:
        self.places: dict[tuple[str | int, ...], int] = {}
        where: tuple[str | int, ...] = ()
        counts: dict[str, int] = {}
        for i, line in enumerate(text.splitlines(), 1):
            if found := re.match(r"\s*\[\[\s*([\w.-]+)\s*\]\]", line):
                counts[found[1]] = counts.get(found[1], -1) + 1
                where = (found[1], counts[found[1]])
                self.places[where] = i
            elif found := re.match(r"\s*\[\s*([\w.-]+)\s*\]", line):
                where = (found[1],)
                self.places[where] = i
            elif found := _KEY.match(line):
                key = next(part for part in found.groups() if part is not None)
                self.places.setdefault((*where, key), i)

    def of(self, where: tuple[Any, ...]) -> str:
        """`line 7: `, of the key or of what holds it."""
        while where:
            if where in self.places:
                return f"line {self.places[where]}: "
            where = where[:-1]
        return ""
