"""Code blocks and commands of documentation pages, so that tests can run what the pages say."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r"(?:<!-- (?P<note>[^>]*) -->\n+)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
_CALL = re.compile(
    r"""(?P<before>(?:^|.*\|\ ))(?:\$\ )?(?:[A-Z_]+=\S+\ )?  # what is typed into it, the prompt, the environment
    (?:"[^"]*[\\/]tokensheet"|(?:[^\s"']*[\\/])?tokensheet)\   # the program, by its bare name or its place
    (?P<rest>[a-z-].*)$""",
    re.VERBOSE,
)
SHELLS = ("", "sh", "console")
"""Languages of blocks that hold lines for a terminal."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the note `<!-- … -->` above it."""

    language: str
    text: str
    note: str
    line: int


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(m["language"], m["text"], (m["note"] or "").strip(), text.count("\n", 0, m.start()) + 1)
        for m in _BLOCK.finditer(text)
    ]


@dataclass(frozen=True)
class Call:
    """A call of the program as a page shows it: `typed` stands before its `|`, `rest` behind its name."""

    typed: str
    rest: str

    def __str__(self) -> str:
        return f"{self.typed}tokensheet {self.rest}"

    def words(self, rest: str = "") -> list[str]:
        """Its arguments, or those of the same with places filled in; whatever shell it is written for."""
        text = re.sub(r" [<>] \S+$", "", rest or self.rest)
        if '""' in text:  # the Command Prompt writes a quote twice
            return shlex.split(
                re.sub(r'"((?:[^"]|"")+)"', lambda m: shlex.quote(m[1].replace('""', '"')), text)
            )
        return shlex.split(text if {"'", '"'} & {*text} else text.replace("\\", "/"))


def calls(page: Path) -> list[Call]:
    """Every call of the program, in backquotes or on a line of a block for a terminal; each once."""
    text = page.read_text(encoding="utf-8")
    return list(dict.fromkeys(filter(None, map(called, (*spans(text), *lines(page))))))


def spans(text: str) -> list[str]:
    """What stands in backquotes, each in one line."""
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", _BLOCK.sub("", text))]


def lines(page: Path) -> list[str]:
    """What is typed by the blocks for a terminal: lines after `$ ` where there are some, else all."""
    found = []
    for block in blocks(page):
        shown = block.text.replace("^\n", " ").replace("\\\n", " ").splitlines()
        typed = [line for line in shown if line.startswith("$ ")] or shown
        found += [" ".join(line.split()) for line in typed if block.language in SHELLS and line]
    return found


def called(line: str) -> Call | None:
    """The call that a line is; None if it is none."""
    found = _CALL.match(line)
    return Call(found["before"], found["rest"]) if found else None
