"""The reference as Markdown: formulas in words and as blocks of `math`, which GitHub typesets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tokensheet.functions import Functions
from tokensheet.printing.latex import equations
from tokensheet.printing.plain import plain
from tokensheet.reference.content import content
from tokensheet.reference.parts import Code, Entry, List, Maths, Part, Said, Section, Table

HEAD = """# Reference

Made from the registry by `tokensheet reference`; a test compares it. `tokensheet reference --html FILE` writes the same
as one page that can be searched without a network. Values are SI: bytes, seconds, operations, tokens a second, US
dollars. `options` takes further names and values: two columns, or text such as `"tp=4; profile=ideal"`; any input,
assumption or result listed below may be named there. In formulas `[…]` is 1 where what stands in it holds, else 0.
"""

CODE = re.compile(r"(`[^`]*`)")


def markdown(functions: Functions) -> str:
    """The page, with links to its sections at the top."""
    sections = content(functions).sections
    links = [f"- [{s.title}](#{_anchor(s.title)})" for s in sections]
    lines = [HEAD, *links, ""]
    for section in sections:
        lines += [f"## {section.title}\n", f"{said(section.text)}\n", *_section(section)]
    return "\n".join(lines)


def _anchor(title: str) -> str:
    """The address that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _section(section: Section | List) -> Iterator[str]:
    if isinstance(section, List):
        yield from _table(section.head, ((f"`{r.name}`", *r.cells) for r in section.rows))
        return
    for entry in section.entries:
        yield from _entry(entry)


def _entry(entry: Entry) -> Iterator[str]:
    yield f"### {entry.name}\n"
    yield f"{said(entry.text)}\n"
    for part in entry.parts:
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    match part:
        case Code(text=text):
            yield f"`{text}`\n"
        case Said(label=label, text=text):
            yield f"{label}: {said(text)}\n"
        case Maths(lines=lines):
            yield from ("```text", *(f"{name} = {plain(tree)}" for name, tree in lines), "```\n")
            yield from ("```math", equations(lines), "```\n")
        case Table(head=head, rows=rows):
            yield from _table(head, rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(said(cell).replace('|', BAR) for cell in row)} |"
    yield ""


BAR = "\\|"


def said(text: str) -> str:
    """A text in one line, of which nothing but what stands in backticks is taken for markup."""
    parts = CODE.split(" ".join(text.split()))
    return "".join(p if p.startswith("`") else re.sub(r"([<$*\[])", r"\\\1", p) for p in parts)
