"""The last step of an export: every formula cell gets its value, every run gives the same bytes.

openpyxl saves a formula without its result, so a previewer or Excel's Protected View would show an
empty cell. This module edits the saved package: it knows zip entries and XML text, not openpyxl.
"""

from __future__ import annotations

import io
import math
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from tokensheet.workbook.mark import CORE, with_mark

ERROR_TEXTS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!")
"""The error values that a cell of every spreadsheet program can hold."""

EPOCH = (1980, 1, 1, 0, 0, 0)
XML = (".xml", ".rels")
CALC_CHAIN = "xl/calcChain.xml"
LONGEST_TEXT = 32_767

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

_CELLS_START, _CELLS_END = "<sheetData>", "</sheetData>"
_CHARACTER = re.compile("&#([0-9]{3,});")  # below 100 a reference stands for what cannot stand itself
_EMPTY = re.compile(r"<([a-z]+)((?: [^<>]*)?)></\1>")
_FORMULA_START = re.compile(r"<f[ />]")
_FORMULA_CELL = re.compile(r"<c ([^>]*)>(<f(?: [^>]*)?(?:/>|>[^<]*</f>))(?:<v ?/>|<v>[^<]*</v>)?</c>")
_REFERENCE = re.compile(r'(?:^| )r="([A-Z]+[0-9]+)"')
_TYPE = re.compile(r' ?\bt="[^"]*"')
_EMPTY_CELL = re.compile(r'<c ([^<>]*?) t="n"(?: ?/>|></c>)')
_SEVERAL_CELLS = re.compile(r'<f (?=[^>]*\bt="(?:array|dataTable)")[^>]*\bref="[^":]*:')
_CHAIN_ELEMENT = re.compile(r'<(Override|Relationship) [^>]*calcChain\.xml"[^>]*>(?:</\1>)?')
_RELATIONSHIP = re.compile(r"<Relationship [^>]*?/?>")
_ABSOLUTE_TARGET = re.compile(r'Target="(/[^"]*)"')
_CREATED_OR_MODIFIED = re.compile(r"(<dcterms:(?:created|modified)\b[^>]*>)[^<]*")
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_NOT_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")


class CellError(str):
    """An error value of a cell, such as `#N/A`; plain text that looks alike stays text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"CellError({str(self)!r})"


CellValue: TypeAlias = float | str | bool
"""What a formula cell can store; a `CellError` is an error value, any other string is text."""

Address: TypeAlias = tuple[str, str]
"""Sheet title and cell, as in `("Summary", "B2")`."""


class StoredValueError(RuntimeError):
    """Formulas and values do not match: a mistake in the program, not of its user."""


Change: TypeAlias = Callable[[dict[str, bytes], Mapping[str, str]], None]
"""Changes the parts of a package in place; is told them and the part of each sheet by its title."""


def finish(
    data: bytes,
    values: Mapping[Address, CellValue],
    *,
    stamp: str = "2026-01-01T00:00:00Z",
    change: Change | None = None,
) -> bytes:
    """The workbook `data`, as saved by openpyxl, with a value in every formula cell.

    Equal input gives equal bytes, with lxml installed or not: entries are in one form and sorted, they
    carry fixed dates, and the document's created and modified times are `stamp`. Its identifier is a sum over
    all of it (see `mark`). Relationship targets become relative, as Excel writes them, because some readers
    accept no others.

    Args:
        data: the .xlsx file
        values: one value for each formula cell, and no others
        stamp: UTC time written into the document's properties
        change: what else is done to the parts, such as a company's looks

    Raises:
        StoredValueError: a formula has no value, a value has no formula, a number is not finite,
            or a text or error cannot be stored; names the cells.
    """
    if not _STAMP.fullmatch(stamp):
        raise StoredValueError(f"stamp is {stamp!r}; give a UTC time such as 2026-01-01T00:00:00Z")
    left = dict(values)
    missing: list[Address] = []
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        entries = {name: package.read(name) for name in package.namelist() if name != CALC_CHAIN}
    entries = {name: _one_form(part) if name.endswith(XML) else part for name, part in entries.items()}
    for title, part in _sheets(entries):
        text = entries[part].decode()
        entries[part] = _with_values(title, text, left, missing).encode()
    if missing:
        raise StoredValueError(f"no value for {_cells(missing)}")
    if left:
        raise StoredValueError(f"values for cells without a formula: {_cells(left)}")
    for name in entries:
        if name.endswith(".rels"):
            entries[name] = _relative_targets(name, entries[name].decode()).encode()
    for name in ("[Content_Types].xml", "xl/_rels/workbook.xml.rels"):
        entries[name] = _CHAIN_ELEMENT.sub("", entries[name].decode()).encode()
    entries[CORE] = _CREATED_OR_MODIFIED.sub(rf"\g<1>{stamp}", entries[CORE].decode()).encode()
    if change is not None:
        change(entries, dict(_sheets(entries)))
    entries[CORE] = with_mark(entries)
    return _packed(entries)


def stored(value: CellValue) -> tuple[str, str]:
    """The `t` attribute (empty for a number) and the text of `<v>` that store `value`.

    Raises:
        ValueError: no cell can hold the value.
    """
    if isinstance(value, CellError):
        if value not in ERROR_TEXTS:
            raise ValueError(f"error value {str(value)!r}; the errors are {', '.join(ERROR_TEXTS)}")
        return "e", str(value)
    if isinstance(value, str):
        if _NOT_XML.search(value):
            raise ValueError(f"text {value[:40]!r} with a control character")
        if len(value) > LONGEST_TEXT:
            raise ValueError(f"text of {len(value)} characters; a cell holds {LONGEST_TEXT}")
        return "str", escape(value)
    if isinstance(value, bool):
        return "b", "1" if value else "0"
    if isinstance(value, int | float):
        return "", _number(float(value))
    raise ValueError(f"a {type(value).__name__}; give a number, text, bool or CellError")


def _number(value: float) -> str:
    """The shortest digits that give `value` back, at most 17; whole numbers without a point."""
    if not math.isfinite(value):
        raise ValueError(f"number {value}; a cell holds finite numbers only")
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def _sheets(entries: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Title and part name of every worksheet."""
    targets = {
        relation.get("Id"): relation.get("Target", "")
        for relation in ElementTree.fromstring(entries["xl/_rels/workbook.xml.rels"])
    }
    for sheet in ElementTree.fromstring(entries["xl/workbook.xml"]).iter(f"{_MAIN}sheet"):
        part = posixpath.join("/xl", targets[sheet.get(_RELATION_ID)]).lstrip("/")
        if part.startswith("xl/worksheets/"):
            yield sheet.get("name", ""), part


def _with_values(title: str, text: str, left: dict[Address, CellValue], missing: list[Address]) -> str:
    """A sheet's XML with values; takes them out of `left`, and lists formulas without one."""

    def with_value(cell: re.Match[str]) -> str:
        attributes, formula = cell.groups()
        reference = _REFERENCE.search(attributes)
        if reference is None:
            raise StoredValueError(f"sheet {title!r} has a formula cell without an address")
        address = (title, reference[1])
        if address not in left:
            missing.append(address)
            return cell[0]
        try:
            kind, content = stored(left.pop(address))
        except ValueError as problem:
            raise StoredValueError(f"{_cells([address])} would hold {problem}") from problem
        if _SEVERAL_CELLS.match(formula):
            raise StoredValueError(f"{_cells([address])} is a formula over several cells; write one a cell")
        kept = _TYPE.sub("", attributes).strip()
        typed = f' t="{kind}"' if kind else ""
        return f"<c {kept}{typed}>{formula}<v>{content}</v></c>"

    result, count = _FORMULA_CELL.subn(with_value, text)
    if count != len(_FORMULA_START.findall(text)):
        raise StoredValueError(f"sheet {title!r} has formula cells in a form that cannot be read")
    return _EMPTY_CELL.sub(r"<c \1/>", result)  # a number without digits is 0 to some readers


def _one_form(part: bytes) -> bytes:
    """The same XML in the same bytes, whichever of its two libraries openpyxl has written it with.

    Cells are many and plain, so that a few replacements do for them; all else takes its canonical form.
    """
    text = part.decode()
    start, end = text.find(_CELLS_START), text.find(_CELLS_END)
    if start < 0 or end < 0:
        return ElementTree.canonicalize(text).encode()
    end += len(_CELLS_END)
    around = ElementTree.canonicalize(f"{text[:start]}{_CELLS_START}{_CELLS_END}{text[end:]}")
    cells = _CHARACTER.sub(lambda number: chr(int(number[1])), text[start:end].replace(" />", "/>"))
    cells = _EMPTY.sub(r"<\1\2/>", cells)
    return around.replace(_CELLS_START + _CELLS_END, cells, 1).encode()


def _relative_targets(name: str, text: str) -> str:
    """A relationship part whose internal targets are relative to the folder of its source."""
    folder = "/" + posixpath.dirname(posixpath.dirname(name))

    def relative(relationship: re.Match[str]) -> str:
        if 'TargetMode="External"' in relationship[0]:
            return relationship[0]
        return _ABSOLUTE_TARGET.sub(
            lambda target: f'Target="{posixpath.relpath(target[1], folder)}"', relationship[0]
        )

    return _RELATIONSHIP.sub(relative, text)


def _packed(entries: Mapping[str, bytes]) -> bytes:
    """A zip archive without the clock: content types first, as Excel does, then by name."""
    first = {"[Content_Types].xml": 0, "_rels/.rels": 1}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as package:
        for name in sorted(entries, key=lambda name: (first.get(name, 2), name)):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 0
            package.writestr(entry, entries[name], zipfile.ZIP_DEFLATED, 6)
    return packed.getvalue()


def _cells(addresses: Iterable[Address]) -> str:
    """The first five addresses as people write them, and how many more there are."""
    written = [f"{sheet}!{cell}" for sheet, cell in addresses]
    more = f" and {len(written) - 5} more" if len(written) > 5 else ""
    return ", ".join(written[:5]) + more
