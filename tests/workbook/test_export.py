"""Exported proposals: stored values are what spreadsheets calculate, bytes are reproducible, files are up to date."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from functools import cache
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest

import tokensheet
from tests.tools import ironcalc_engine, stored
from tests.tools.all_functions import every_function, everything
from tests.tools.office import Office
from tests.tools.planbook import formula_cells, only_formulas, planbook
from tokensheet.proposal import read
from tokensheet.workbook.build import Export, build
from tokensheet.workbook.finish import CellError

ROOT = Path(__file__).parents[2]
PROPOSALS = sorted((ROOT / "workbooks").glob("*.toml"))
TOLERANCE = 1e-12
SPREAD_OF_NOTHING = 1e-9
"""Variation of a time that hardly varies is the root of a last digit; percentiles follow it so far."""

proposals = pytest.mark.parametrize(
    "proposal",
    [PROPOSALS[0], *(pytest.param(path, marks=pytest.mark.slow) for path in PROPOSALS[1:])],
    ids=lambda path: path.stem,
)


@cache
def export(proposal: Path) -> Export:
    planner = tokensheet.planner()
    return build(planner, read(proposal, planner))


@pytest.fixture
def file(proposal: Path, tmp_path: Path) -> Path:
    """The workbook of a proposal that lies beside it, which is what an export writes now."""
    return Path(shutil.copy(proposal.with_suffix(".xlsx"), tmp_path))


def test_there_are_proposals() -> None:
    """The tests below prove something."""
    assert PROPOSALS


@proposals
@pytest.mark.slow
def test_stored_values_are_what_ironcalc_calculates(file: Path) -> None:
    """Every formula cell of every sheet, to 1e-12."""
    cells = formula_cells(file)
    kept, calculated = (only_formulas(f(file), cells) for f in (stored.values, ironcalc_engine.values))
    assert stored.differences(kept, calculated, TOLERANCE) == []


@pytest.mark.slow
@proposals
def test_stored_values_are_what_libreoffice_calculates(file: Path, office: Office) -> None:
    """Every formula cell of every sheet, to 1e-12, after a forced recalculation."""
    cells = formula_cells(file)
    kept, calculated = (only_formulas(f(file), cells) for f in (stored.values, office.values))
    rounding = SPREAD_OF_NOTHING if "fleet" in file.stem else 0.0
    assert stored.differences(kept, calculated, TOLERANCE, rounding) == []


@pytest.mark.slow
def test_stored_values_of_every_function_are_what_both_engines_calculate(
    office: Office, tmp_path: Path
) -> None:
    """Every formula cell of a workbook with all functions that there are, to 1e-12 or the last digit of 1."""
    planner = tokensheet.planner()
    book = planbook(planner, everything(planner, every_function(planner), 2), tmp_path / "all.xlsx")
    cells = formula_cells(book.path)
    kept = only_formulas(stored.values(book.path), cells)
    for values in (ironcalc_engine.values(book.path), office.values(book.path)):
        assert stored.differences(kept, only_formulas(values, cells), TOLERANCE, SPREAD_OF_NOTHING) == []


@pytest.mark.slow
@pytest.mark.parametrize("proposal", PROPOSALS[:1], ids=lambda path: path.stem)
def test_a_wrong_stored_value_is_found(file: Path, office: Office) -> None:
    """The comparison above is no comparison of a file with itself: one wrong digit is told by its cell."""
    cells = formula_cells(file)
    address = _spoil(file, "Calculation")
    kept = only_formulas(stored.values(file), cells)
    for values in (ironcalc_engine.values(file), office.values(file)):
        found = stored.differences(kept, only_formulas(values, cells), TOLERANCE)
        assert [line.partition(":")[0] for line in found] == [f"Calculation!{address}"]


def _spoil(file: Path, title: str) -> str:
    """Doubles the last number that a formula of the sheet has stored, and adds 1; gives its address."""
    with zipfile.ZipFile(file) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    number = openpyxl.load_workbook(file, read_only=True).sheetnames.index(title) + 1
    part = f"xl/worksheets/sheet{number}.xml"
    text = parts[part].decode()
    cell = re.compile(r'<c r="([A-Z]+[0-9]+)"([^>]*)>(<f>[^<]*</f>)<v>([0-9.]+)</v></c>')
    last = [m for m in cell.finditer(text) if 't="' not in m[2]][-1]
    spoilt = f'<c r="{last[1]}"{last[2]}>{last[3]}<v>{2 * float(last[4]) + 1}</v></c>'
    parts[part] = f"{text[: last.start()]}{spoilt}{text[last.end() :]}".encode()
    with zipfile.ZipFile(file, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return last[1]


@proposals
def test_committed_workbooks_are_up_to_date(proposal: Path) -> None:
    """What is committed beside a proposal is what an export writes now."""
    made = export(proposal)
    text, workbook = proposal.with_suffix(".txt"), proposal.with_suffix(".xlsx")
    if not text.exists() or text.read_text(encoding="utf-8") != made.text:
        pytest.fail(
            f"{text.name} is not what an export writes; look at it, then run make goldens", pytrace=False
        )
    if not workbook.exists() or _parts(workbook.read_bytes()) != _parts(made.xlsx):
        pytest.fail(f"{workbook.name} is not what an export writes; run make goldens", pytrace=False)


def _parts(data: bytes) -> dict[str, bytes]:
    """A package without its compression, which differs between versions of zlib."""
    with zipfile.ZipFile(BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


@pytest.mark.slow
def test_the_same_proposal_gives_the_same_bytes(tmp_path: Path) -> None:
    """In two processes, with other hash seeds, clocks, time zones, languages, and XML libraries."""
    made = []
    for seed, zone, language, lxml in (
        ("1", "UTC", "C.UTF-8", "True"),
        ("2", "Asia/Tokyo", "de_DE.UTF-8", "False"),
    ):
        started = time.time()
        folder = tmp_path / seed
        changed = {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": language, "OPENPYXL_LXML": lxml}
        environment = {**os.environ, **changed}
        program = "from tokensheet.cli import main; main()"
        command = [sys.executable, "-c", program, "export", str(PROPOSALS[0]), "-o", str(folder)]
        subprocess.run(command, check=True, capture_output=True, env=environment, cwd=ROOT)
        made.append([(folder / f"{PROPOSALS[0].stem}{end}").read_bytes() for end in (".xlsx", ".txt")])
        time.sleep(max(0, 2.1 - (time.time() - started)))  # dates in a zip have steps of two seconds
    assert made[0] == made[1]


@proposals
@pytest.mark.slow
def test_programs_that_do_not_calculate_see_numbers(proposal: Path, file: Path) -> None:
    """A previewer, a mail program, a data frame: what they read is the engine's number."""
    summary = openpyxl.load_workbook(file, data_only=True, read_only=True)["Summary"]
    rows = [list(row) for row in summary.iter_rows(min_row=5, values_only=True)]
    answers = export(proposal).summary
    for row, name in zip(rows, answers[0]["results"], strict=False):
        for i, answer in enumerate(answers):
            value = answer["results"][name]
            if value is None:
                assert row[2 + i] == "#N/A"
                assert answer["reasons"][name]
            else:
                assert row[2 + i] in (
                    pytest.approx(value),
                    pytest.approx(value * 1e3),
                    pytest.approx(value / 2**30),
                )


@pytest.mark.slow
@proposals
def test_no_formula_is_without_a_value(file: Path) -> None:
    """Every formula cell holds a number, a text or an error that all programs know."""
    kept, formulas = stored.values(file), formula_cells(file)
    assert len(formulas) > 100
    for sheet, address in formulas:
        value = kept[sheet].get(address, "")
        assert not isinstance(value, CellError) or value in {"#N/A", "#DIV/0!", "#NUM!"}, f"{sheet}!{address}"


@pytest.mark.slow
@proposals
def test_the_text_beside_a_workbook_tells_every_cell(proposal: Path, file: Path) -> None:
    """Formula and value of each formula cell stand in the text: a line a cell, on Variants a line a row."""
    told = {tuple(line.split("\t")[:2]) for line in export(proposal).text.splitlines()}
    lines = set()
    for (sheet, address), formula in formula_cells(file).items():
        row = (sheet, re.sub("[A-Z]+", "", address))
        if sheet not in {"Variants", "Series data"} or row not in lines:
            assert (address, formula) in told, sheet
        lines.add(row)
