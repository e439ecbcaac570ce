"""The two calculators that judge workbooks: they must recalculate, and agree with plain arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import openpyxl
import pytest

from tests.tools import ironcalc_engine, stored
from tests.tools.office import Office, OfficeError, Value, Values
from tokensheet.workbook.finish import CellError, finish

Engine: TypeAlias = Callable[..., Values]

NA, DIV, VALUE, NUM, NAME = map(CellError, ("#N/A", "#DIV/0!", "#VALUE!", "#NUM!", "#NAME?"))

# Cells the probes refer to: A1 = 3, A2 = -2, A3 = 10, A4 = "text", B1:B3 = names, C1:C3 = numbers.
PROBES: dict[str, Value] = {
    "=1/3": 1 / 3,
    "=-2^2": 4.0,
    "=-A1^2": 9.0,
    "=0-A1^2": -9.0,
    "=2^3^2": 64.0,
    "=2^-1": 0.5,
    "=((A1+1)*(A2-(3-A3)))/(2*(1+1))": 5.0,
    "=50%*A3": 5.0,
    "=A1-1-1": 1.0,
    "=A1/2/2": 0.75,
    "=IF(A1>2,A3,A2)": 10.0,
    "=IF(A1>2,1,1/0)": 1.0,
    "=IF(0,1,0)": 0.0,
    "=MAX(A1,A2,0)": 3.0,
    "=MIN(A1:A3)": -2.0,
    "=ABS(A2)": 2.0,
    "=INT(-1.5)": -2.0,
    "=-INT(-A1/2)": 2.0,
    "=SQRT(A3*10)": 10.0,
    "=EXP(1)": math.e,
    "=LN(A3)": math.log(10),
    "=INDEX($C$1:$C$3,MATCH(\"b\",$B$1:$B$3,0))": 20.0,
    "=INDEX($C$1:$C$3,MATCH(\"B\",$B$1:$B$3,0))": 20.0,
    "=SUMPRODUCT($C$1:$C$3,{1;2;3})": 140.0,
    "=SUM($C$1:$C$3)": 60.0,
    "=IFERROR(1/0,7)": 7.0,
    "=IFERROR(NA(),\"none\")": "none",
    "=ISNA(NA())": 1.0,
    "=(A1=3)+(A1<>3)+(A1>=3)": 2.0,
    "=A1<A2": 0.0,
    "=AND(A1>0,A2<0)*1": 1.0,
    "=A1&\" \"&A4": "3 text",
    "=\"\"": "",
    "=\"#N/A\"": "#N/A",
    "=1E+300*10": 1e301,
    "=NA()": NA,
    "=MATCH(\"z\",$B$1:$B$3,0)": NA,
    "=SUM(A1,NA())": NA,
    "=1/0": DIV,
    "=A4*1": VALUE,
    "=SQRT(-1)": NUM,
    "=LN(0)": NUM,
    "=NOSUCHFUNCTION(1)": NAME,
}  # fmt: skip


DOMAIN = ("=SQRT(-1)", "=LN(0)")
"""Where Calc says "invalid argument" and everybody else #NUM!."""


@pytest.fixture(params=[pytest.param("office", marks=pytest.mark.office), "ironcalc"])
def engine(request: pytest.FixtureRequest) -> Engine:
    if request.param == "ironcalc":
        return ironcalc_engine.values
    office: Office = request.getfixturevalue("office")
    return office.values


@pytest.fixture(scope="module")
def probes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook with every probe in a row of its own, and a wrong 999 stored in each."""
    book = openpyxl.Workbook()
    data = book.worksheets[0]
    data.title = "Probes"
    for row, (number, name, count) in enumerate([(3, "a", 10), (-2, "b", 20), (10, "c", 30)], 1):
        data.cell(row, 1, number)
        data.cell(row, 2, name)
        data.cell(row, 3, count)
    data["A4"] = "text"
    for row, formula in enumerate(PROBES, 1):
        data.cell(row, 5, formula)
    return saved(book, tmp_path_factory.mktemp("probes") / "probes.xlsx", 999)


def saved(book: openpyxl.Workbook, path: Path, wrong: float) -> Path:
    """The workbook on disk with the same wrong value in every formula cell."""
    book.save(path)
    formulas = {
        (sheet.title, cell.coordinate): wrong
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }
    path.write_bytes(finish(path.read_bytes(), formulas))
    return path


@pytest.mark.slow
def test_engines_recalculate_every_word_of_the_vocabulary(engine: Engine, probes: Path) -> None:
    """Kinds are compared too: an error is no text, a number no text, and 999 is in the file."""
    found = engine(probes)["Probes"]
    answers = {"Probes": {formula: found.get(f"E{row}", "") for row, formula in enumerate(PROBES, 1)}}
    wanted = PROBES | dict.fromkeys(DOMAIN, NUM if engine is ironcalc_engine.values else CellError("Err:502"))
    assert stored.differences({"Probes": wanted}, answers, 1e-14) == []


def test_reading_without_recalculation_would_be_caught(probes: Path) -> None:
    """The comparison that other tests rely on fails when it is given stored values instead."""
    held = stored.values(probes)
    assert held["Probes"]["E1"] == 999
    wrong = stored.differences(held, ironcalc_engine.values(probes))
    assert len(wrong) == len(PROBES)
    assert wrong[0] == "Probes!E1: 999.0 and 0.3333333333333333"


def test_engines_show_a_wrong_stored_value(engine: Engine, probes: Path) -> None:
    assert len(stored.differences(stored.values(probes), engine(probes))) == len(PROBES)


def test_constants_come_back_in_their_kind(engine: Engine, probes: Path) -> None:
    found = engine(probes)["Probes"]
    assert [found[at] for at in ("A1", "A2", "A4", "B1", "C3")] == [3.0, -2.0, "text", "a", 30.0]
    assert isinstance(found["E1"], float)
    assert "D1" not in found


def test_inputs_are_set_before_the_recalculation(engine: Engine, probes: Path) -> None:
    at = {formula: f"E{row}" for row, formula in enumerate(PROBES, 1)}
    found = engine(probes, [("Probes", "A3", 40), ("Probes", "A4", "5"), ("Probes", "A2", None)])["Probes"]
    assert found[at["=50%*A3"]] == 20.0
    assert found[at["=ABS(A2)"]] == 0.0
    assert found[at['=A1&" "&A4']] == "3 5"
    assert found["A4"] == "5"
    assert engine(probes)["Probes"][at["=50%*A3"]] == 5.0, "the file on disk must stay as it was"


def test_text_that_looks_like_a_formula_stays_text(engine: Engine, probes: Path) -> None:
    assert engine(probes, [("Probes", "A4", "=1+1")])["Probes"]["A4"] == "=1+1"


def test_several_sheets_and_names(engine: Engine, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    first = book.worksheets[0]
    first.title = "In & out"
    first["A1"] = 2
    second = book.create_sheet("It's here")
    second["AB12"] = "='In & out'!A1*21"
    path = saved(book, tmp_path / "two.xlsx", 0)
    assert engine(path) == {"In & out": {"A1": 2.0}, "It's here": {"AB12": 42.0}}


def test_inputs_in_protected_sheets_can_be_set(engine: Engine, tmp_path: Path) -> None:
    """Protection is for people; tests vary locked cells too."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet["A1"] = 1
    sheet["A2"] = "=A1*2"
    sheet.protection.sheet = True
    path = saved(book, tmp_path / "locked.xlsx", 0)
    assert engine(path, [("Sheet", "A1", 5)])["Sheet"]["A2"] == 10.0


def test_an_input_for_a_sheet_that_is_not_there_is_an_error(office: Office, probes: Path) -> None:
    with pytest.raises(OfficeError, match="no sheet 'Plan'"):
        office.values(probes, [("Plan", "A1", 5)])
    with pytest.raises(ValueError, match="'Plan' is not in list"):
        ironcalc_engine.values(probes, [("Plan", "A1", 5)])


def test_recalculated_file_holds_the_right_values(office: Office, probes: Path, tmp_path: Path) -> None:
    again = office.recalculated(probes, tmp_path / "again.xlsx")
    held = stored.values(again)["Probes"]
    assert held["E1"] == pytest.approx(1 / 3, rel=1e-14)  # LibreOffice writes 15 digits
    assert isinstance(held[f"E{list(PROBES).index('=NA()') + 1}"], CellError)


def test_pages_become_pictures(office: Office, probes: Path, tmp_path: Path) -> None:
    pages = office.render(probes, tmp_path)
    assert pages
    assert all(page.read_bytes().startswith(b"\x89PNG") for page in pages)


def test_a_file_that_is_no_workbook_is_refused_and_the_office_lives_on(
    office: Office, probes: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(b"PK\x03\x04 not a workbook")
    with pytest.raises(OfficeError):
        office.values(broken)
    assert office.values(probes)["Probes"]["E1"] == 1 / 3


@pytest.mark.slow
@pytest.mark.office
def test_a_slow_office_is_ended_and_started_again(office: Office, probes: Path) -> None:
    """A hanging LibreOffice costs one test, not the run."""
    hasty = Office(timeout=0.01)
    with pytest.raises(OfficeError, match=r"took over 0\.01 s"):
        hasty.values(probes)
    hasty._timeout = 120
    assert hasty.values(probes)["Probes"]["E1"] == 1 / 3
    hasty.close()
