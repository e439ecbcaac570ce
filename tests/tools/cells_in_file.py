"""Formulas and stored values of a workbook file, read once: ten times as fast as openpyxl, which the tests hold it against.

The program's own reader (`workbook/opened.py`) gives no formulas, and what is judged should not be read by its own means.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from xml.parsers import expat

from tests.tools.office import Value, Values
from tokensheet.workbook.finish import CellError

Start = Callable[[str, dict[str, str]], None] | None
Text = Callable[[str], None] | None


@dataclass(frozen=True)
class Cells:
    """What a file holds: formula by sheet and address, and value of every cell that has one."""

    formulas: dict[tuple[str, str], str]
    values: Values


def cells(source: Path | str | bytes) -> Cells:
    """All cells of a file as it is now, or of its bytes; what is returned is shared and not to be changed."""
    return _read(source if isinstance(source, bytes) else Path(source).read_bytes())


@lru_cache(maxsize=3)
def _read(data: bytes) -> Cells:
    found = Cells({}, {})
    with zipfile.ZipFile(BytesIO(data)) as package:
        names = set(package.namelist())
        shared = _texts(package.read("xl/sharedStrings.xml")) if "xl/sharedStrings.xml" in names else []
        for number, title in enumerate(_titles(package.read("xl/workbook.xml")), 1):
            sheet = _Sheet(title, shared, found)
            _parse(package.read(f"xl/worksheets/sheet{number}.xml"), sheet.start, sheet.end, sheet.text)
    return found


def _parse(data: bytes, start: Start, end: Text, text: Text) -> None:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.Parse(data, True)


def _titles(data: bytes) -> list[str]:
    found: list[str] = []

    def start(tag: str, given: dict[str, str]) -> None:
        if tag == "sheet":
            found.append(given["name"])

    _parse(data, start, None, None)
    return found


def _texts(data: bytes) -> list[str]:
    found: list[str] = []
    inside = False

    def start(tag: str, given: dict[str, str]) -> None:
        nonlocal inside
        if tag == "si":
            found.append("")
        inside = tag == "t"

    def text(words: str) -> None:
        if inside:
            found[-1] += words

    def end(tag: str) -> None:
        nonlocal inside
        inside = False

    _parse(data, start, end, text)
    return found


class _Sheet:
    def __init__(self, title: str, shared: list[str], found: Cells) -> None:
        self.title, self.shared, self.formulas = title, shared, found.formulas
        self.values = found.values.setdefault(title, {})
        self.address = self.kind = self.inside = ""
        self.parts: dict[str, str] = {}

    def start(self, tag: str, given: dict[str, str]) -> None:
        if tag == "c":
            self.address, self.kind, self.parts = given["r"], given.get("t", "n"), {}
        self.inside = tag

    def text(self, words: str) -> None:
        if self.inside in {"f", "v", "t"}:
            self.parts[self.inside] = self.parts.get(self.inside, "") + words

    def end(self, tag: str) -> None:
        self.inside = ""
        if tag != "c" or not self.parts:
            return
        if "f" in self.parts:
            self.formulas[self.title, self.address] = f"={self.parts['f']}"
        if (value := self.value()) is not None:
            self.values[self.address] = value

    def value(self) -> Value | None:
        raw = self.parts.get("v")
        if self.kind == "inlineStr":
            return self.parts.get("t")
        if raw is None:
            return None
        if self.kind == "s":
            return self.shared[int(raw)]
        if self.kind == "e":
            return CellError(raw)
        return raw if self.kind == "str" else float(raw)
