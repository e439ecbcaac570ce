"""What the reference is made of: sections of entries, and lists with one row for each thing.

Texts may hold names and calls in backticks, and nothing else that is no plain text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokensheet.tree import Node


@dataclass(frozen=True, slots=True)
class Code:
    """A signature or a call, on a line of its own."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence about the entry, with what it is about."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Maths:
    """A formula: each step and the result by name, to be written in words and typeset."""

    lines: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below a heading; each cell is a text."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Part = Code | Said | Maths | Table


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing with all that there is to say of it.

    Args:
        name: what people call it, once in its section
        text: what it is, in words
        key: its address on a page, once in the reference
        parts: further, in the order in which people read
    """

    name: str
    text: str
    key: str
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that a line is enough for.

    Args:
        name: what people call it
        cells: what stands beside the name, below the headings of its list
        key: its address on a page
        also: other names under which it is read
    """

    name: str
    cells: tuple[str, ...]
    key: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Things of one sort, one after the other."""

    key: str
    title: str
    text: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class List:
    """Things of one sort, a row each; the first heading is that of the names."""

    key: str
    title: str
    text: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """The whole reference.

    Args:
        version: of the program and its catalogue
        sections: in the order in which they are read
    """

    version: str
    sections: tuple[Section | List, ...]

    def addresses(self) -> dict[str, str]:
        """Name → key of everything that has an address; a function also under the name of its formula."""
        found: dict[str, str] = {}
        for name, key in self._named():
            found.setdefault(name, key)
        return found

    def _named(self) -> Iterator[tuple[str, str]]:
        for section in self.sections:
            for item in section.rows if isinstance(section, List) else section.entries:
                yield item.name, item.key
                if item.name.isupper():
                    yield item.name.lower(), item.key
                if isinstance(item, Row):
                    yield from ((name, item.key) for name in item.also)
