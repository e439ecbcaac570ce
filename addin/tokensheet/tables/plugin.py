"""A table as a plugin: its records come through the same hooks as those of a package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pydantic import ValidationError

from tokensheet import untrusted
from tokensheet.catalog import pydantic_lines
from tokensheet.errors import MOST_TOLD, RecordError, first, hint, listed
from tokensheet.hookspecs import hookimpl
from tokensheet.schema import HOOKS, KINDS
from tokensheet.schema.base import Record
from tokensheet.tables.csv_file import Row, rows

SUFFIXES = (".csv", ".toml")
LARGEST = 20_000_000


def plugin(path: Path) -> Any:
    """An object that offers the records of a file through hooks.

    Raises:
        RecordError: the file cannot be read or holds mistakes; lists all of them with their rows.
    """
    found: dict[str, list[Record]] = {}
    problems: list[str] = []
    places: dict[tuple[str, str], str] = {}
    empty = True
    for row in _told(path):
        empty = False
        if len(problems) > MOST_TOLD:
            break
        record = None if row.kind not in KINDS else _record(row, problems)
        if row.kind not in KINDS:
            problems += [f"{row.where}: {problem}" for problem in row.problems]
        if record is not None:
            key = (row.kind, record.id)
            if key in places:
                problems.append(f"{row.where}: {row.kind} {record.id} stands in {places[key]} too")
            places.setdefault(key, row.where.split(" (")[0])
            found.setdefault(row.kind, []).append(record)
    if empty:
        problems.append("it holds no records")
    if problems:
        raise RecordError(listed(path.name, problems))
    return SimpleNamespace(**{HOOKS[kind]: _hook(records) for kind, records in found.items()})


def _hook(records: list[Record]) -> Any:
    return hookimpl(lambda: list(records))


def _told(path: Path) -> Iterator[Row]:
    """The rows of a file; what is wrong with it as a whole names it."""
    try:
        yield from _rows(path)
    except RecordError as error:
        raise RecordError(listed(path.name, str(error).split("\n"))) from error


def _rows(path: Path) -> Iterable[Row]:
    if path.suffix.lower() not in SUFFIXES:
        raise RecordError(f"{path.suffix or 'no suffix'}: a table is a .csv or a .toml file")
    try:
        data = untrusted.content(path, LARGEST)
    except OSError as error:
        raise RecordError(f"{error.strerror or error}; give the path of a .csv or .toml file") from error
    except ValueError as error:
        raise RecordError(f"{error}; split it into several tables") from error
    return rows(data, path.stem) if path.suffix.lower() == ".csv" else _toml(data)


def _toml(data: bytes) -> Iterator[Row]:
    try:
        tables = untrusted.toml(data.decode("utf-8-sig"))
    except ValueError as error:
        raise RecordError(str(error)) from error
    kinds = {f"{kind}s": kind for kind in KINDS}
    for name, entries in tables.items():
        if name not in kinds:
            yield Row(name, "", {}, (f"unknown table{hint(name, kinds)}; write [[accelerators]]",))
            continue
        if not isinstance(entries, list):
            yield Row(name, "", {}, (f"write [[{name}]] with two brackets, once for each record",))
            continue
        for i, fields in enumerate(entries, 1):
            where = f"{kinds[name]} {i}"
            if isinstance(fields, dict):
                title = f"{where} ({fields['id']})" if "id" in fields else where
                yield Row(title, kinds[name], fields)
            else:
                yield Row(where, "", {}, (f"write [[{name}]] and the fields below it",))


def _record(row: Row, problems: list[str]) -> Record | None:
    """The checked record; None, and what is wrong with it, where it has mistakes.

    Cells that could not be read have been told; what the record says of their fields is left out.
    """
    told = {p.split()[0] for p in row.problems}
    try:
        record = KINDS[row.kind].model_validate(row.fields)
    except ValidationError as error:
        lines = [line for text in first(pydantic_lines(error)) for line in _parts(text, row)]
        lines = [line for line in lines if line.split(":")[0].strip().split(" ")[0] not in told]
        problems += [f"{row.where}: {line}" for line in (*row.problems, *lines)]
        return None
    problems += [f"{row.where}: {problem}" for problem in row.problems]
    return None if row.problems else record


def _parts(text: str, row: Row) -> list[str]:
    """The problems that a record lists in one message."""
    text = text.removeprefix(f"{row.kind} {row.fields.get('id', '(no id)')}: ")
    head, *more = text.split("\n")
    return [line.strip().removeprefix("- ") for line in more] if more else [head]
