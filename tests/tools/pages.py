"""Code blocks of documentation pages, so that tests can run what the pages say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r"(?:<!-- (?P<note>[^>]*) -->\n+)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)


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
