"""The reference as one page for a browser: it needs no network, and finds entries by name, words and unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from tokensheet.functions import Functions
from tokensheet.printing.mathml import equation
from tokensheet.printing.plain import plain
from tokensheet.reference.content import content
from tokensheet.reference.parts import Code, Content, Entry, List, Maths, Part, Row, Said, Section, Table

HERE = Path(__file__).parent
CODE = re.compile(r"`([^`]*)`")
TEXT = (
    "Values are SI: bytes, seconds, operations, tokens a second, US dollars. In formulas […] is 1 where what stands in "
    "it holds, else 0."
)


def page(functions: Functions) -> str:
    """The page as HTML."""
    return _Page(content(functions)).text()


class _Page:
    """Writes a reference; names in it are links to where they stand.

    Args:
        content: what it says
    """

    def __init__(self, content: Content) -> None:
        self.content, self.addresses = content, content.addresses()

    def text(self) -> str:
        """All of it."""
        style, script = ((HERE / f"page.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
        links = "\n".join(f'<a href="#{escape(s.key)}">{escape(s.title)}</a>' for s in self.content.sections)
        parts = [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Tokensheet: reference</title>\n<style>\n{style}</style></head><body>",
            f"<header><h1>Reference</h1>\n<p>{escape(self.content.version)}. {escape(TEXT)}</p>",
            '<p><input id="search" type="search" placeholder="name, words or unit" aria-label="search" autofocus>',
            '<span id="found" role="status"></span></p></header>',
            f"<nav>\n{links}\n</nav>",
            *(line for section in self.content.sections for line in self.section(section)),
            f"<script>\n{script}</script></body></html>\n",
        ]
        return "\n".join(parts)

    def section(self, section: Section | List) -> Iterator[str]:
        """Its heading and everything below."""
        yield f'<div class="section" id="{escape(section.key)}"><h2>{escape(section.title)}</h2>'
        yield f"<p>{self.said(section.text)}</p>"
        if isinstance(section, List):
            yield from self.table(section.head, (self.row(row) for row in section.rows))
        else:
            for entry in section.entries:
                yield from self.entry(entry)
        yield "</div>"

    def entry(self, entry: Entry) -> Iterator[str]:
        """One thing; `find` marks what a search looks at."""
        yield f'<section id="{escape(entry.key)}" class="entry"><h3 class="find">{escape(entry.name)}</h3>'
        yield f'<p class="find">{self.said(entry.text)}</p>'
        for part in entry.parts:
            yield from self.part(part)
        yield "</section>"

    def row(self, row: Row) -> str:
        """One line of a list, all of which a search looks at."""
        cells = "".join(f"<td>{self.said(cell)}</td>" for cell in row.cells)
        return f'<tr id="{escape(row.key)}" class="entry find"><th><code>{escape(row.name)}</code></th>{cells}</tr>'

    def part(self, part: Part) -> Iterator[str]:
        """A part of an entry."""
        match part:
            case Code(text=text):
                yield f'<p><code class="call">{escape(text)}</code></p>'
            case Said(label=label, text=text):
                find = ' class="find"' if label in {"Unit", "Source"} else ""
                yield f"<p{find}><b>{escape(label)}:</b> {self.said(text)}</p>"
            case Maths(lines=lines):
                words = "\n".join(f"{name} = {plain(tree)}" for name, tree in lines)
                yield f"<pre>{escape(words)}</pre>"
                typeset = "\n".join(equation(name, tree, self.link) for name, tree in lines)
                yield f'<div class="maths">{typeset}</div>'
            case Table(head=head, rows=rows):
                yield from self.table(head, ("".join(["<tr>", *self.cells(row), "</tr>"]) for row in rows))

    def cells(self, row: Sequence[str]) -> Iterator[str]:
        """Cells of a row."""
        yield from (f"<td>{self.said(cell)}</td>" for cell in row)

    def table(self, head: Sequence[str], rows: Iterable[str]) -> Iterator[str]:
        """A table of rows that are markup."""
        titles = "".join(f"<th>{escape(title)}</th>" for title in head)
        yield f'<div class="wide"><table><thead><tr>{titles}</tr></thead><tbody>'
        yield from rows
        yield "</tbody></table></div>"

    def said(self, text: str) -> str:
        """A text as markup; a name in backticks is a link to where it stands."""
        parts = CODE.split(text)
        return "".join(
            f"<code>{self.link(part)}</code>" if i % 2 else escape(part) for i, part in enumerate(parts)
        )

    def link(self, name: str) -> str:
        """A name as markup."""
        key = self.addresses.get(name.strip("[]"))
        return escape(name) if key is None else f'<a href="#{escape(key)}">{escape(name)}</a>'
