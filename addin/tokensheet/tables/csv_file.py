"""A CSV file as rows of a record's fields: encodings and separators as Excel saves them, all problems told at once."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tokensheet import untrusted
from tokensheet.errors import RecordError, hint
from tokensheet.schema import KINDS
from tokensheet.tables.cells import CellError, Column, column
from tokensheet.tables.scales import scale

KIND = "kind"
SEPARATORS = ";,\t"
LONGEST_HEADING = 100
LONGEST_CELL = 32_767
"""As in a spreadsheet."""
_HEADING = re.compile(r"\s*([^\[\]]*?)\s*(?:\[\s*([^\[\]]*?)\s*\])?\s*")


@dataclass(frozen=True, slots=True)
class Row:
    """One record as a table has it.

    Args:
        where: the row, for messages
        kind: of the record
        fields: name → value, nested where the record is
        problems: of its cells
    """

    where: str
    kind: str
    fields: dict[str, Any]
    problems: tuple[str, ...] = ()


def rows(data: bytes, stem: str) -> Iterator[Row]:
    """The records of a file, one a row, with the row's number as a spreadsheet shows it.

    Args:
        data: the file
        stem: its name without suffix: its last word may say the kind of all records

    Raises:
        RecordError: the file is no table: its encoding, or its headings.
    """
    text = decoded(data)
    separator, text, first = _separator(text)
    try:
        lines = list(untrusted.csv_rows(io.StringIO(text, newline=""), separator))
    except ValueError as error:
        raise RecordError(str(error)) from error
    start = next((i for i, cells in enumerate(lines) if not _is_blank(cells)), None)
    if start is None:
        raise RecordError("the table is empty; its first row names the columns, such as id, name, source")
    headings = [cell.strip() for cell in lines[start]]
    of_all = _kind_of(stem)
    problems: list[str] = []
    columns: dict[str, list[Column | None]] = {}
    if KIND not in headings:
        if of_all is None:
            raise RecordError(
                f"what it holds is not said; add a column kind ({', '.join(KINDS)}), or end the file's name with "
                "one of them, such as gpus-accelerators.csv"
            )
        columns[of_all] = _columns(headings, of_all, problems)
    for heading in sorted({h for h in headings if h and headings.count(h) > 1}):
        problems.append(f"column {heading} stands twice")
    if problems:
        raise RecordError("\n".join(problems))
    for number, cells in enumerate(lines[start + 1 :], start + 1 + first):
        if _is_blank(cells) or cells[0].lstrip().startswith("#"):
            continue
        yield _row(f"row {number}", cells, headings, of_all, columns, comma=separator == ";")


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8 with or without a mark, or UTF-16 as Excel's "Unicode Text".

    Raises:
        RecordError: it is neither.
    """
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(
            f"row {line} is not UTF-8; save the table as `CSV UTF-8 (Comma delimited)`"
        ) from error


def _separator(text: str) -> tuple[str, str, int]:
    """The separator, the text without Excel's line `sep=;`, and the number of the first row that is left."""
    stated = re.match(r"sep=(.)\r?\n", text)
    if stated:
        return stated[1], text[stated.end() :], 2
    line = next((line for line in text.splitlines() if line.strip()), "")
    outside = re.sub(r'"[^"]*"', "", line)
    return max(SEPARATORS, key=lambda s: (outside.count(s), s == ",")), text, 1


def _is_blank(cells: Sequence[str]) -> bool:
    return not any(cell.strip() for cell in cells)


def _kind_of(stem: str) -> str | None:
    word = re.split(r"[^a-z]+", stem.lower())[-1]
    word = {"gpus": "accelerators", "gpu": "accelerator"}.get(word, word)
    return next((kind for kind in KINDS if word in {kind, f"{kind}s"}), None)


def _columns(headings: Sequence[str], kind: str, problems: list[str]) -> list[Column | None]:
    record = KINDS[kind]
    found: list[Column | None] = []
    for heading in headings:
        if heading in {"", KIND} or heading.startswith("#"):
            found.append(None)
            continue
        if len(heading) > LONGEST_HEADING:
            problems.append(
                f"column {heading[:LONGEST_HEADING]} … has {len(heading):,} letters; it is no field"
            )
            found.append(None)
            continue
        match = _HEADING.fullmatch(heading)
        name = match[1].strip().lower().replace(" ", "_") if match else ""
        path = tuple(name.split("."))
        if match is None or path[0] not in record.model_fields:
            problems.append(f"column {heading} is no field of a {kind}{hint(path[0], record.model_fields)}")
            found.append(None)
            continue
        try:
            found.append(column(record, path, scale(match[2]) if match[2] else None))
        except ValueError as error:
            problems.append(f"column {heading} {error}")
            found.append(None)
    return found


def _row(
    where: str,
    cells: Sequence[str],
    headings: Sequence[str],
    of_all: str | None,
    columns: dict[str, list[Column | None]],
    comma: bool,
) -> Row:
    problems: list[str] = []
    kind = of_all or ""
    if KIND in headings:
        place = headings.index(KIND)
        said = cells[place].strip().lower() if place < len(cells) else ""
        kind = said.rstrip("s")
        if kind not in KINDS:
            return Row(where, "", {}, (f"kind is {said!r}; write one of {', '.join(KINDS)}",))
    if kind not in columns:
        told: list[str] = []
        columns[kind] = _columns(headings, kind, told)
        used = {i for i, cell in enumerate(cells) if cell.strip()}
        # A table of several kinds has columns that only some of them know.
        problems += [
            t for t in told if any(t.startswith(f"column {headings[i]} ") for i in used if i < len(headings))
        ]
    known = columns[kind]
    fields: dict[str, Any] = {}
    filled: dict[tuple[str, ...], str] = {}
    for i, cell in enumerate(cells):
        text = cell.strip()
        if not text or (i < len(headings) and (headings[i] == KIND or headings[i].startswith("#"))):
            continue
        found = known[i] if i < len(known) else None
        if found is None:
            heading = headings[i] if i < len(headings) else ""
            if not heading:
                problems.append(f"{text!r:.40} stands in a column without a heading")
            elif not any(p.startswith(f"column {heading} ") for p in problems):
                problems.append(f"column {heading} is no field of a {kind}; leave the cell empty")
            continue
        if (other := filled.setdefault(found.path, headings[i])) != headings[i]:
            problems.append(f"{found.name} is given twice, by {other} and {headings[i]}; leave one empty")
            continue
        try:
            if len(text) > LONGEST_CELL:
                raise CellError(f"has {len(text):,} letters; a cell holds {LONGEST_CELL:,}")
            _put(fields, found, found.value(text, comma))
        except CellError as error:
            problems.append(f"{found.name} {error}")
    title = f"{where} ({fields['id']})" if "id" in fields else where
    return Row(title, kind, fields, tuple(problems))


def _put(fields: dict[str, Any], where: Column, value: Any) -> None:
    inner = fields
    for part in where.path[:-1]:
        inner = inner.setdefault(part, {})
    inner[where.path[-1]] = value
