"""Files that nobody vouches for: read no further than a bound, and no deeper, wider or larger inside than another."""

from __future__ import annotations

import csv
import errno
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

DEEPEST = 40
MOST_VALUES = 500_000
MOST_KEY_PARTS = 16
MOST_COLUMNS = 1000
LARGEST_NUMBER = 10**300
LONGEST_NAME, LONGEST_TEXT = 60, 32_000
"""Letters of a name or heading, and of a paragraph; a cell holds little more."""

_PART = r"""(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_LONG_KEY = re.compile(rf"(?<![\w\\-]){_PART}(?:[ \t]*\.[ \t]*{_PART}){{{MOST_KEY_PARTS}}}")
"""A dotted key that TOML's reader would take hours for: its time grows with the square of the parts.

The search itself grows with the text only: no part begins behind a backslash, which stands inside of quotes alone, so
that what is looked at from one quote ends at the latest at the next one from which a part may begin.
"""


def content(path: Path, largest: int) -> bytes:
    """All bytes of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is larger.
    """
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except ValueError as error:  # a null character in the name
        raise OSError(errno.EINVAL, str(error)) from error
    if len(data) > largest:
        raise ValueError(f"larger than {largest:,} bytes")
    return data


def text(path: Path, largest: int) -> str:
    """The text of a file in UTF-8, with or without a mark.

    Raises:
        OSError: it cannot be read.
        ValueError: it is larger, or no such text.
    """
    try:
        return content(path, largest).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8 text; save it as UTF-8") from error


def toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Raises:
        ValueError: it is none, or beyond a bound; one line.
    """
    if found := _LONG_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise ValueError(f"line {line}: a key has more than {MOST_KEY_PARTS} parts with dots between them")
    try:
        data = tomllib.loads(text)
    except RecursionError as error:
        raise ValueError(f"it is nested deeper than {DEEPEST} levels") from error
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:  # Python reads whole numbers up to 4,300 digits
        raise ValueError("a whole number in it has thousands of digits") from error
    check(data)
    return data


def check(value: Any) -> None:
    """Nothing, for lists and mappings within the bounds.

    Raises:
        ValueError: they are nested too deep, hold too many values, or a number is too large.
    """
    level, values, depth = [value], 0, 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise ValueError(f"it is nested deeper than {DEEPEST} levels")
        below: list[Any] = []
        for item in level:
            inside = item.values() if isinstance(item, Mapping) else item
            values += len(item)
            for child in inside:
                if isinstance(child, (Mapping, list, tuple)):
                    below.append(child)
                elif isinstance(child, int) and abs(child) > LARGEST_NUMBER:
                    raise ValueError("a whole number in it is above 1e300")
        if values > MOST_VALUES:
            raise ValueError(f"it holds more than {MOST_VALUES:,} values")
        level = below


def csv_rows(lines: Iterable[str], separator: str = ",") -> Iterator[list[str]]:
    """The cells of each row.

    Raises:
        ValueError: a row cannot be read, or has too many cells.
    """
    reader = csv.reader(lines, delimiter=separator)
    try:
        for row in reader:
            if len(row) > MOST_COLUMNS:
                raise ValueError(
                    f"row {reader.line_num} has {len(row):,} cells; at most {MOST_COLUMNS:,} are read"
                )
            yield row
    except csv.Error as error:
        raise ValueError(f"row {reader.line_num}: {error}; a quote may be open before it") from error
