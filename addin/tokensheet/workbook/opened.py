"""Values of the sheets of somebody else's .xlsx file, as Excel, LibreOffice and others save it; nothing is calculated.

A number in a date's format is given as the text of its date: whoever typed 1/2 and got a day meant no number.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator
from pathlib import Path

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format

from tokensheet.workbook.package import Attributes, Package, local

Value = float | bool | str | None
Values = tuple[Value, ...]

LAST_ROW, LAST_COLUMN = 20_000, 64
"""Beyond them no sheet of a planning workbook holds anything."""
MOST_CELLS = 400_000
MOST_STRINGS = 200_000
LONGEST_FORMAT = 255
FIRST_DAY = dt.datetime(1899, 12, 30)
_PLACE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
_ESCAPED = re.compile(r"_x(?![Dd][89A-Fa-f])([0-9A-Fa-f]{4})_")


class Opened:
    """Sheets by their titles; each is read when its rows are asked for.

    Raises:
        ExportError: the file cannot be read, or is beyond a bound.
    """

    def __init__(self, path: Path) -> None:
        self.package = Package(path)
        self.read: dict[str, dict[int, dict[int, Value]]] = {}
        try:
            book = self._book()
            related = self.package.related(book)
            sheets = {title: related[id][1] for title, id in self._sheets(book) if id in related}
            self.parts = {title: part for title, part in sheets.items() if part in self.package.names}
            kinds = dict(related.values())
            self.strings = self._strings(kinds.get("sharedStrings", ""))
            self.dates = self._dates(kinds.get("styles", ""))
        except BaseException:
            self.package.zip.close()
            raise

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *raised: object) -> None:
        self.package.zip.close()

    def rows(self, title: str, first: int, last: int = LAST_ROW) -> Iterator[Values]:
        """The rows that hold something, each `LAST_COLUMN` long.

        Raises:
            ExportError: the sheet is damaged or beyond a bound.
        """
        if title not in self.read:
            self.read[title] = _Sheet(self).read(self.parts.get(title, ""))
        found = self.read[title]
        for number in sorted(found):
            if first <= number <= last:
                row = found[number]
                yield tuple(row.get(column) for column in range(1, LAST_COLUMN + 1))

    def row(self, title: str, number: int) -> Values:
        """One row, empty or not."""
        return next(self.rows(title, number, number), (None,) * LAST_COLUMN)

    def _book(self) -> str:
        found = [part for kind, part in self.package.related("").values() if kind == "officeDocument"]
        if not found or found[0] not in self.package.names:
            raise self.package.error("is no workbook")
        return found[0]

    def _sheets(self, book: str) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []

        def sheet(tag: str, a: Attributes) -> None:
            if tag == "sheet":
                ids = [value for name, value in a.items() if local(name) == "id"]
                found.append((a.get("name", ""), ids[0] if ids else ""))

        self.package.walk(book, sheet)
        return found

    def _strings(self, part: str) -> list[str]:
        found: list[str] = []
        text = _Text()

        def start(tag: str, a: Attributes) -> None:
            text.start(tag)
            if tag == "si":
                text.begin()
                if len(found) >= MOST_STRINGS:
                    raise self.package.error(f"holds more than {MOST_STRINGS:,} texts")

        def end(tag: str) -> None:
            text.end(tag)
            if tag == "si":
                found.append(text.all())

        if part in self.package.names:
            self.package.walk(part, start, end, text.add)
        return found

    def _dates(self, part: str) -> frozenset[int]:
        """Numbers of the cell styles that show a date or a time."""
        formats = dict(BUILTIN_FORMATS)
        styles: list[int] = []
        inside = False

        def start(tag: str, a: Attributes) -> None:
            nonlocal inside
            if tag == "numFmt" and a.get("numFmtId", "").isdecimal():
                formats[int(a["numFmtId"][:9])] = a.get("formatCode", "")[:LONGEST_FORMAT]
            inside = inside or tag == "cellXfs"
            if inside and tag == "xf":
                styles.append(int(a.get("numFmtId", "0")[:9]))

        def end(tag: str) -> None:
            nonlocal inside
            inside = inside and tag != "cellXfs"

        if part in self.package.names:
            self.package.walk(part, start, end)
        return frozenset(i for i, number in enumerate(styles) if is_date_format(formats.get(number, "")))


class _Text:
    """The letters of a text in several runs; how it is read aloud is no part of it."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.open = self.aloud = False

    def begin(self) -> None:
        self.parts.clear()

    def start(self, tag: str) -> None:
        self.aloud = self.aloud or tag == "rPh"
        self.open = tag == "t" and not self.aloud

    def end(self, tag: str) -> None:
        self.open = False
        self.aloud = self.aloud and tag != "rPh"

    def add(self, text: str) -> None:
        if self.open:
            self.parts.append(text)

    def all(self) -> str:
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), "".join(self.parts))


class _Sheet:
    """Reads one sheet: row → column → value."""

    def __init__(self, book: Opened) -> None:
        self.book = book
        self.found: dict[int, dict[int, Value]] = {}
        self.cells = self.row = self.column = 0
        self.kind, self.style = "n", 0
        self.text = _Text()

    def read(self, part: str) -> dict[int, dict[int, Value]]:
        self.book.package.walk(part, self.start, self.end, self.text.add)
        return self.found

    def start(self, tag: str, a: Attributes) -> None:
        self.text.start(tag)
        if tag == "row":
            self.row, self.column = int(a.get("r", self.row + 1)), 0
        elif tag == "c":
            self.cell(a)
        elif tag == "v":
            self.text.open = True

    def cell(self, a: Attributes) -> None:
        self.cells += 1
        if self.cells > MOST_CELLS:
            raise self.book.package.error(f"a sheet has more than {MOST_CELLS:,} cells")
        place = _PLACE.fullmatch(a.get("r", ""))
        if place:
            self.column, self.row = _number(place[1]), int(place[2])
        else:
            self.column += 1
        self.kind, self.style = a.get("t", "n"), int(a.get("s", "0")[:9])
        self.text.begin()

    def end(self, tag: str) -> None:
        self.text.end(tag)
        if tag == "c" and self.text.parts and self.column <= LAST_COLUMN:
            if self.row > LAST_ROW:
                raise self.book.package.error(
                    f"a cell in row {self.row:,} holds something; at most {LAST_ROW:,} are read"
                )
            self.found.setdefault(self.row, {})[self.column] = self.value(self.text.all())

    def value(self, text: str) -> Value:
        if self.kind == "n":
            number = float(text)
            if not math.isfinite(number):
                return text
            return _day(number) if self.style in self.book.dates else number
        if self.kind == "s":
            place = int(text)
            if not 0 <= place < len(self.book.strings):
                raise ValueError(f"no text {place}")
            return self.book.strings[place]
        return text.strip() == "1" if self.kind == "b" else text


def _number(letters: str) -> int:
    """The column of letters: A is 1."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _day(number: float) -> str:
    try:
        return str(FIRST_DAY + dt.timedelta(days=number))
    except OverflowError:
        return f"day {number:g}"
