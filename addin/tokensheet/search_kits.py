"""The searches that plugins offer, each with all its parts; and what is wrong with a part."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tokensheet.declare import Owner
from tokensheet.errors import hint
from tokensheet.goals import Basis, Search, SearchPart

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")

Part = TypeVar("Part", bound=SearchPart)


@dataclass(frozen=True)
class SearchKit:
    """A search with all parts that plugins offer for it, in the order in which they come."""

    search: Search
    parts: tuple[SearchPart, ...]

    def of(self, kind: type[Part]) -> dict[str, Part]:
        """Parts of a kind by name."""
        return {p.name: p for p in self.parts if isinstance(p, kind)}

    @property
    def bases(self) -> dict[str, dict[str, Basis]]:
        """Options and their words."""
        found: dict[str, dict[str, Basis]] = {}
        for basis in self.of(Basis).values():
            found.setdefault(basis.option, {})[basis.name] = basis
        return found


def kits(
    offered: Iterable[tuple[SearchPart, Owner]],
    names: Collection[str],
    blame: Callable[[Owner, str], None],
) -> dict[str, SearchKit]:
    """Searches by name, each with its parts.

    Args:
        offered: all declarations with their owners
        names: of all nodes and roles
        blame: told the owner of a declaration that is left out, and why
    """
    sound: list[SearchPart] = []
    for part, owner in sorted(offered, key=_rank):
        line = problem(part, sound, names)
        if line is None:
            sound.append(part)
        else:
            blame(owner, line)
    found: dict[str, SearchKit] = {}
    for search in (p for p in sound if isinstance(p, Search)):
        parts = [p for name in filter(None, (search.like, search.name)) for p in sound if name in p.searches]
        found[search.name] = SearchKit(search, tuple(parts))
    return found


def _rank(offer: tuple[SearchPart, Owner]) -> int:
    """Searches before their parts, and those that are like another after it."""
    part = offer[0]
    return (1 if part.like else 0) if isinstance(part, Search) else 2


def problem(part: SearchPart, sound: Sequence[SearchPart], names: Collection[str]) -> str | None:
    """What is wrong with a declaration beside those that are sound, or None."""
    kind = type(part).__name__.lower()
    searches = [p.name for p in sound if isinstance(p, Search)]
    if not isinstance(part.name, str) or not _NAME.match(part.name):
        return f"{kind} {part.name!r}: a name has lower-case letters, digits and _"
    where = f"{kind} {part.name}"
    if not isinstance(part.text, str) or not part.text.strip():
        return f"{where}: text is {part.text!r}; say it in words"
    if not isinstance(part, Search) and not part.searches:
        return f"{where}: name the searches that it is for"
    wanted = (part.like,) if isinstance(part, Search) and part.like else part.searches
    for search in wanted:
        if search not in searches:
            return f"{where}: no search is called {search}{hint(search, searches)}"
    same = [p for p in sound if type(p) is type(part) and p.name == part.name]
    twice = [s for s in part.searches if any(s in p.searches for p in same)]
    if twice or (same and isinstance(part, Search)):
        return f"{where}{f' of search {twice[0]}' if twice else ''} is declared twice; rename one"
    for name in (*part.nodes, *part.fills):
        if name not in names:
            return f"{where}: nothing is called {name}{hint(name, names)}"
    return None
