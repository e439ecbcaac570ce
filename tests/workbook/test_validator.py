"""An Office Open XML validator finds nothing in exported workbooks that it does not find in any other openpyxl file."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.styles import Font
from openxml_audit import OpenXmlValidator

PROPOSALS = sorted((Path(__file__).parents[2] / "workbooks").glob("*.toml"))

KNOWN = {
    (
        "/xl/styles.xml",
        "Unexpected element 'b' found",
    ): "openpyxl writes a font's parts in an order of its own; programs read any",
    ("/xl/styles.xml", "Unexpected element 'color' found"): "the same order of a font's parts",
    (
        "a sheet",
        "Excel_InlineStrCells",
    ): "openpyxl writes texts into their cells; Excel moves them to a list of texts when it saves",
}
"""Part and description or id of what is found, and why it is no fault."""


def findings(path: Path) -> set[tuple[str, str]]:
    """Kinds of what the validator finds, sheets without their number."""
    found = set()
    for error in OpenXmlValidator().validate(path).errors:
        id = str(getattr(error, "id", "") or "")
        sheet = error.part_uri.startswith("/xl/worksheets/")
        found.add(
            ("a sheet" if sheet else error.part_uri, id if id.startswith("Excel_") else error.description)
        )
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """What is found in the smallest workbook of openpyxl with a font and a text."""
    path = tmp_path_factory.mktemp("plain") / "plain.xlsx"
    book = openpyxl.Workbook()
    cell = book.worksheets[0]["A1"]
    cell.value, cell.font = "text", Font(name="Calibri", size=10, bold=True, color="FF112233")
    book.save(path)
    return findings(path)


@pytest.mark.slow
def test_the_known_findings_are_in_every_file_of_openpyxl(plain: set[tuple[str, str]]) -> None:
    """The list holds no excuse that is not needed."""
    assert plain == set(KNOWN)


@pytest.mark.slow
@pytest.mark.parametrize("proposal", PROPOSALS, ids=lambda path: path.stem)
def test_exported_workbooks_have_no_other_findings(proposal: Path, plain: set[tuple[str, str]]) -> None:
    """The files that lie beside the proposals."""
    assert findings(proposal.with_suffix(".xlsx")) - plain == set()


@pytest.mark.slow
def test_the_validator_finds_a_broken_file(tmp_path: Path, plain: set[tuple[str, str]]) -> None:
    """It is not blind: an element that no version of Excel knows is told."""
    path, broken = tmp_path / "sound.xlsx", tmp_path / "broken.xlsx"
    openpyxl.Workbook().save(path)
    with zipfile.ZipFile(path) as package, zipfile.ZipFile(broken, "w") as made:
        for name in package.namelist():
            made.writestr(name, package.read(name).replace(b"<sheetData", b"<colour/><sheetData"))
    assert findings(path) - plain == set()
    assert "Unexpected element 'colour' found" in {what for _, what in findings(broken) - plain}
