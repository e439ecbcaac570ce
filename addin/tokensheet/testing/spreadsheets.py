"""A spreadsheet program as the judge of an author's formulas: IronCalc or LibreOffice, whichever is there."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from xml.etree import ElementTree

from tokensheet.errors import TokensheetError
from tokensheet.workbook.finish import CellError

Values = Mapping[str, Mapping[str, float | str]]

IRONCALC, LIBREOFFICE = "IronCalc", "LibreOffice"

_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""
"""LibreOffice believes the values that a file holds, unless it is told to calculate them again."""

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def installed() -> list[str]:
    """The programs that can judge here, the fastest first."""
    found = [IRONCALC] if importlib.util.find_spec("ironcalc") else []
    return [*found, LIBREOFFICE] if shutil.which("soffice") else found


def recalculated(data: bytes, by: str) -> Values:
    """All cells of a workbook after a program has calculated its formulas.

    Args:
        data: the .xlsx file
        by: `IronCalc` or `LibreOffice`

    Raises:
        TokensheetError: the program is not there or gives no answer.
    """
    programs: dict[str, Callable[[Path], Values]] = {IRONCALC: _ironcalc, LIBREOFFICE: _libreoffice}
    if by not in programs or by not in installed():
        raise TokensheetError(f"{by} is not installed; install ironcalc with pip, or LibreOffice")
    with tempfile.TemporaryDirectory(prefix="tokensheet-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "proof.xlsx"
        path.write_bytes(data)
        return programs[by](path)


def _ironcalc(path: Path) -> Values:
    import ironcalc

    model = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
    sheets = [sheet["name"] for sheet in model.get_worksheets_properties()]
    model.evaluate()
    found: dict[str, dict[str, float | str]] = {sheet: {} for sheet in sheets}
    for sheet, row, column in model.get_all_cells():
        raw = model.get_cell_value(sheet, row, column)
        if raw is not None:
            error = model.get_cell_type(sheet, row, column) == ironcalc.CellType.ErrorValue
            value = CellError(raw) if error else raw if isinstance(raw, str) else float(raw)
            found[sheets[sheet]][f"{_letters(column)}{row}"] = value
    return found


def _libreoffice(path: Path) -> Values:
    profile = path.parent / "profile" / "user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(_RECALCULATE, encoding="utf-8")
    out = path.parent / "out"
    command = ["soffice", f"-env:UserInstallation={profile.parent.as_uri()}", "--headless"]
    done = subprocess.run(
        [*command, "--convert-to", "xlsx", "--outdir", str(out), str(path)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if not (out / path.name).is_file():
        raise TokensheetError(f"LibreOffice gave no answer: {(done.stderr or done.stdout).strip():.200}")
    with zipfile.ZipFile(out / path.name) as package:
        links = ElementTree.fromstring(package.read("xl/_rels/workbook.xml.rels"))
        targets = {link.get("Id"): link.get("Target") for link in links}
        book = ElementTree.fromstring(package.read("xl/workbook.xml"))
        return {
            str(sheet.get("name")): _cells(package.read(f"xl/{targets[sheet.get(_ID)]}"))
            for sheet in book.iter(f"{_MAIN}sheet")
        }


def _cells(sheet: bytes) -> dict[str, float | str]:
    """Numbers and errors of a sheet's XML; texts are headings here, and left out."""
    found: dict[str, float | str] = {}
    for cell in ElementTree.fromstring(sheet).iter(f"{_MAIN}c"):
        text, kind = cell.findtext(f"{_MAIN}v"), cell.get("t", "n")
        if text is not None and kind in {"n", "b", "e"}:
            found[str(cell.get("r"))] = CellError(text) if kind == "e" else float(text)
    return found


def _letters(column: int) -> str:
    """1 is A, 27 is AA."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text
