"""The reference as Markdown: formulas in words and as blocks of `math`, which GitHub typesets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tokensheet.functions import Functions
from tokensheet.printing.latex import equations
from tokensheet.printing.plain import plain
from tokensheet.reference.content import content
from tokensheet.reference.parts import Code, Entry, List, Maths, Part, Said, Section, Table

HEAD = """# Reference

Made from the registry by `tokensheet reference`; a test compares it. `tokensheet reference --html FILE` writes it as one
page that can be searched without a network. Values are SI: bytes, seconds, operations, tokens a second, US dollars. The
last argument of a function, `options`, takes further names and values: two columns, or text such as
`"tp=4; profile=ideal"`; any input, assumption or result listed here may be named. In formulas `[…]` is 1 where what
stands in it holds, else 0.
"""
MORE = """# Reference of results and records

The rest of [the reference](reference.md).
"""
FIRST, SECOND = "reference.md", "reference-records.md"
"""The documents: GitHub shows no page of more than 512 KB."""
ON_FIRST = frozenset(["functions", "roles", "inputs", "assumptions", "checks", "verdicts", "searches"])
"""Sections of the first document."""

CODE = re.compile(r"(`[^`]*`)")


def markdown(functions: Functions) -> str:
    """All of it, with links to its sections at the top."""
    sections = content(functions).sections
    return _page(HEAD, sections, dict.fromkeys((s.key for s in sections), ""))


def documents(functions: Functions) -> dict[str, str]:
    """The same as files of the project's documents, by name."""
    sections = content(functions).sections
    files = {s.key: FIRST if s.key in ON_FIRST else SECOND for s in sections}
    heads = {FIRST: HEAD, SECOND: MORE}
    found = {}
    for file, head in heads.items():
        places = {key: "" if place == file else place for key, place in files.items()}
        found[file] = _page(head, sections, places)
    return found


def _page(head: str, sections: Sequence[Section | List], places: Mapping[str, str]) -> str:
    """The sections that stand on this page, and links to all.

    Args:
        head: text at the top
        sections: all of them
        places: key of a section → file that it stands in; empty for this page
    """
    lines = [head, *(f"- [{s.title}]({places[s.key]}#{_anchor(s.title)})" for s in sections), ""]
    for section in sections:
        if not places[section.key]:
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
