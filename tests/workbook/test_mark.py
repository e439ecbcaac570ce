"""The mark of an export: it holds for what an export wrote, and for nothing that anybody changed."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
import pytest
from openxml_audit import OpenXmlValidator

from tests.tools.office import Office
from tests.workbook.test_finish import VALUES, sample
from tokensheet.cli.exporting import as_exported
from tokensheet.workbook import mark
from tokensheet.workbook.finish import EPOCH, finish
from tokensheet.workbook.mark import CORE, is_marked_text, is_marked_workbook, text_with_mark, with_mark

Parts = dict[str, bytes]
SHEET = "xl/worksheets/sheet1.xml"
MARKED = finish(sample(), VALUES)


def parts_of(data: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def zipped(parts: Parts, date: tuple[int, int, int, int, int, int] = EPOCH) -> bytes:
    """A package with one date on all its entries; that of Excel is 1980 too."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(zipfile.ZipInfo(name, date), data)
    return made.getvalue()


def replaced(name: str, old: bytes, new: bytes) -> Callable[[Parts], Parts]:
    def change(parts: Parts) -> Parts:
        assert parts[name].count(old) == 1
        return {**parts, name: parts[name].replace(old, new)}

    return change


def moved(parts: Parts) -> Parts:
    """A byte goes from the end of one part to the beginning of the next."""
    first, second = sorted(parts)[-2:]
    return {**parts, first: parts[first][:-1], second: parts[first][-1:] + parts[second]}


def renamed(parts: Parts) -> Parts:
    return {f"xl/other{i}" if name == SHEET else name: data for i, (name, data) in enumerate(parts.items())}


def without_mark(parts: Parts) -> Parts:
    return {**parts, CORE: re.sub(b"<dc:identifier.*</dc:identifier>", b"", parts[CORE])}


def marked_twice(parts: Parts) -> Parts:
    (own,) = re.findall(b"<dc:identifier.*</dc:identifier>", parts[CORE])
    return {**parts, CORE: parts[CORE].replace(own, own + own)}


def mark_of_another(parts: Parts) -> Parts:
    other = parts_of(finish(sample(), {**VALUES, ("In & out", "B2"): 4}))
    return {**parts, CORE: other[CORE]}


def as_excel_saves(parts: Parts) -> Parts:
    """Excel keeps a document's identifier, and writes the sheets anew."""
    return replaced(SHEET, b"<v>3</v>", b"<v>30</v>")(parts)


CHANGES: dict[str, Callable[[Parts], Parts]] = {
    "a value, saved with the dates of Excel": as_excel_saves,
    "the title": replaced(CORE, b"<dc:creator", b"<dc:title>x</dc:title><dc:creator"),
    "its author": replaced(CORE, b">openpyxl<", b">somebody<"),
    "the words of the mark": replaced(CORE, b"tokensheet sha256", b"Tokensheet sha256"),
    "a blank in the properties": replaced(CORE, b"</cp:core", b" </cp:core"),
    "a part more": lambda parts: {**parts, "xl/calcChain.xml": b"<calcChain/>"},
    "a part less": lambda parts: {k: v for k, v in parts.items() if k != "xl/theme/theme1.xml"},
    "a part renamed": renamed,
    "a byte in another part": moved,
    "no mark": without_mark,
    "two marks": marked_twice,
    "the mark of another": mark_of_another,
    "no properties": lambda parts: {k: v for k, v in parts.items() if k != CORE},
    "nothing": lambda parts: {},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_workbook_that_somebody_changed_is_told(change: Callable[[Parts], Parts], tmp_path: Path) -> None:
    file = tmp_path / "plan.xlsx"
    file.write_bytes(zipped(change(parts_of(MARKED))))
    assert not is_marked_workbook(file) and not as_exported(file)


def test_what_an_export_wrote_is_told_however_it_is_packed(tmp_path: Path) -> None:
    """Order, dates and compression are no content: other versions of zlib and mail programs may pack anew."""
    file = tmp_path / "plan.xlsx"
    parts = parts_of(MARKED)
    for data in (MARKED, zipped(parts), zipped(dict(reversed(parts.items())), (2026, 1, 1, 0, 0, 0))):
        file.write_bytes(data)
        assert is_marked_workbook(file) and as_exported(file)


def test_a_part_that_stands_twice_is_told(tmp_path: Path) -> None:
    """Programs take the first or the last of two."""
    file = tmp_path / "plan.xlsx"
    file.write_bytes(MARKED)
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(file, "a") as package:
        package.writestr(SHEET, parts_of(MARKED)[SHEET])
    assert not is_marked_workbook(file)


@pytest.mark.parametrize("data", [b"", b"no workbook", MARKED[:-100], MARKED[:100]])
def test_what_is_no_workbook_is_not_ours(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "plan.xlsx"
    file.write_bytes(data)
    assert not is_marked_workbook(file)


def test_a_workbook_larger_than_any_export_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "plan.xlsx"
    file.write_bytes(MARKED)
    size = sum(map(len, parts_of(MARKED).values()))
    monkeypatch.setattr(mark, "LARGEST", size)
    assert is_marked_workbook(file)
    monkeypatch.setattr(mark, "LARGEST", size // 2)
    assert not is_marked_workbook(file)


def test_saved_by_openpyxl_it_is_changed(tmp_path: Path) -> None:
    """Even where nobody changed a cell: it keeps the identifier and drops the values."""
    file = tmp_path / "plan.xlsx"
    file.write_bytes(MARKED)
    book = openpyxl.load_workbook(file)
    assert str(book.properties.identifier).startswith("tokensheet sha256 ")
    book.save(file)
    assert not is_marked_workbook(file)


@pytest.mark.slow
def test_saved_by_libreoffice_it_is_changed(tmp_path: Path, office: Office) -> None:
    file, saved = tmp_path / "plan.xlsx", tmp_path / "saved.xlsx"
    file.write_bytes(MARKED)
    office.recalculated(file, saved)
    assert not is_marked_workbook(saved)


def test_the_mark_is_the_documents_identifier() -> None:
    """Once, as the standard names it, last of the properties, which stay well-formed."""
    core = parts_of(MARKED)[CORE]
    (found,) = ElementTree.fromstring(core).findall("{http://purl.org/dc/elements/1.1/}identifier")
    assert re.fullmatch("tokensheet sha256 [0-9a-f]{64}", str(found.text))
    assert list(ElementTree.fromstring(core))[-1].tag == found.tag


@pytest.mark.slow
def test_a_validator_has_nothing_against_it(tmp_path: Path) -> None:
    file = tmp_path / "plan.xlsx"
    file.write_bytes(MARKED)
    assert [e for e in OpenXmlValidator().validate(file).errors if CORE in e.part_uri] == []


@pytest.mark.parametrize("core", [b"", b"<a/>", b"<dc:identifier>x</dc:identifier></cp:coreProperties>"])
def test_properties_that_cannot_take_a_mark_are_a_fault_of_the_program(core: bytes) -> None:
    with pytest.raises(ValueError, match="cannot take a mark"):
        with_mark({CORE: core})


def test_a_title_that_looks_like_a_mark_is_a_text() -> None:
    book = openpyxl.load_workbook(io.BytesIO(sample()))
    book.properties.title = "<dc:identifier>tokensheet sha256 " + "0" * 64
    saved = io.BytesIO()
    book.save(saved)
    core = parts_of(finish(saved.getvalue(), VALUES))[CORE]
    assert core.count(b"<dc:identifier") == 1 and core.count(b"&lt;dc:identifier") == 1


TEXT = "## About\nA1\tüber\n## Summary\nB2\t=1+1\t2\nname A\t1\n"
LINE = f"## tokensheet sha256 {hashlib.sha256(TEXT.encode()).hexdigest()} of all lines above\n"
TEXTS: dict[str, tuple[bytes, bool]] = {
    "as exported": ((TEXT + LINE).encode(), True),
    "with the line ends of Windows": ((TEXT + LINE).replace("\n", "\r\n").encode(), True),
    "a line appended": (f"{TEXT}{LINE}my note\n".encode(), False),
    "an empty line appended": (f"{TEXT}{LINE}\n".encode(), False),
    "a number changed": ((TEXT.replace("2\n", "3\n") + LINE).encode(), False),
    "without its last line": (TEXT.encode(), False),
    "marked twice": (f"{TEXT}{LINE}{LINE}".encode(), False),
    "a line before it": (f"mine\n{TEXT}{LINE}".encode(), False),
    "without the last line's end": ((TEXT + LINE).encode()[:-1], False),
    "in another encoding": ((TEXT + LINE).encode("utf-16"), False),
    "empty": (b"", False),
    "somebody's notes": (b"## About\nmy notes\n", False),
}


@pytest.mark.parametrize("case", TEXTS)
def test_a_text_that_somebody_changed_is_told(case: str, tmp_path: Path) -> None:
    data, ours = TEXTS[case]
    file = tmp_path / "plan.txt"
    file.write_bytes(data)
    assert is_marked_text(data) is as_exported(file) is ours


def test_the_mark_of_a_text_is_its_last_line() -> None:
    """Longer than a sheet's title may be, so that no other line of an export is one."""
    assert text_with_mark(TEXT) == TEXT + LINE
    assert len(LINE.removeprefix("## ")) > 31
