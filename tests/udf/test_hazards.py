"""What went wrong for people with functions in spreadsheets elsewhere, and where each is proved or answered here.

A row names tests, or a page of the guide with words that stand in it. A row that names what is not there fails.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.tools.fakewin import Book, Windows

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Hazard:
    """One thing that goes wrong, and what holds it off."""

    id: str
    what: str
    proofs: tuple[str, ...]


CALLS, ERRORS, WRAPPERS = (f"tests/udf/test_{name}.py" for name in ("calls", "errors", "wrappers"))
DOCTOR, INSTALL, ADDIN = (
    "tests/desktop/test_doctor.py",
    "tests/desktop/test_install.py",
    "tests/udf/test_addin.py",
)
WINDOWS, ADMINISTRATORS, MAC = (
    f"docs/guide/{n}.md" for n in ("excel-windows", "administrators", "excel-mac-web")
)

HAZARDS = (
    Hazard(
        "B02",
        "a conda environment started by its path does not find its libraries; a cell must not need NumPy",
        (
            f"{DOCTOR}::of_conda",
            f"{INSTALL}::test_a_python_of_conda_is_started_through_its_environment",
            "tests/test_layout.py::test_a_scalar_cell_loads_nothing_heavy",
        ),
    ),
    Hazard(
        "B03",
        "importing functions needs access to the VBA project, which policies lock",
        (
            f"{ADDIN}::test_every_module_is_in_the_file_as_written",
            f'{WINDOWS}: nor is "Trust access to the VBA project object model"',
        ),
    ),
    Hazard(
        "B04",
        "a downloaded add-in is blocked by the mark of the web, without a question",
        (f"{DOCTOR}::marked", f"{WINDOWS}: What `addin install` builds has no such mark", f"{ADMINISTRATORS}: Unblock-File"),
    ),
    Hazard(
        "B08",
        "Goal Seek, data tables and sliders ask hundreds of times",
        (
            f"{CALLS}::test_numbers_are_remembered_and_nothing_else",
            f"{WRAPPERS}::test_nothing_is_volatile",
            f"{WINDOWS}: instead of Goal Seek",
        ),
    ),
    Hazard(
        "B10",
        "an argument left out in the middle is not its default; an empty required cell is 0",
        (
            f"{CALLS}::test_an_omitted_argument_is_its_default",
            f"{CALLS}::test_an_empty_cell_is_the_default_or_missing",
            f"{ERRORS}::test_omitted_and_empty_arguments_reach_python",
        ),
    ),
    Hazard(
        "B12",
        "a cell, a row, a column and a block arrive in different forms",
        (f"{CALLS}::test_a_range_keeps_its_shape", "tests/calc/test_cells.py::test_a_range_keeps_its_shape"),
    ),
    Hazard(
        "B13",
        "cells in a currency format arrive as decimals of four places",
        (f"{CALLS}::test_currency_keeps_all_digits", f"{CALLS}::test_only_plain_values_leave"),
    ),
    Hazard(
        "B14",
        "a date arrives as a date, a number or a text, by the cell's format",
        (f"{CALLS}::test_a_date_is_refused_by_name", "tests/test_sheet_plan.py::test_titles_and_dates"),
    ),
    Hazard(
        "B15",
        "an error cell arrives as an empty one, and a failed look-up becomes the default",
        (
            f"{CALLS}::test_an_error_cell_is_not_an_empty_cell",
            f"{CALLS}::test_the_memory_tells_questions_apart",
            f"{ERRORS}::test_a_failed_argument_is_a_failure",
            "tests/calc/test_cells.py::test_an_error_cell_is_not_an_empty_cell",
        ),
    ),
    Hazard(
        "B16",
        "a failure is a text, which a sum skips; here it is an error value of its kind, in arrays by element",
        (
            f"{ERRORS}::test_a_failure_stops_a_sum",
            f"{ERRORS}::test_wrappers_of_xlwings_alone_give_150",
            f"{ERRORS}::test_one_failing_element_leaves_the_others",
            f"{ERRORS}::test_why_tells_the_reason_of_a_cell",
            f"{ERRORS}::test_long_reasons_arrive_whole_up_to_255_characters",
            "tests/udf/test_basic.py::test_the_codes_are_those_of_a_second_basic",
            "tests/calc/test_cells.py::test_a_failure_stops_a_sum",
        ),
    ),
    Hazard(
        "B18",
        "formulas carry the add-in's path and break on the next machine",
        (f"{DOCTOR}::addin-twice", f"{WINDOWS}: Change Source"),
    ),
    Hazard(
        "B19",
        "a result of several cells overwrites its neighbours, or shows its first value only",
        (
            "tests/udf/test_hazards.py::test_no_answer_writes_over_its_neighbours",
            f"{CALLS}::test_explain_spills_a_rectangle",
            f"{WINDOWS}: take one with `INDEX`",
        ),
    ),
    Hazard(
        "B20",
        "people find after installing that the functions are for Windows only",
        (
            f"{CALLS}::test_plain_python_without_excel",
            f"{INSTALL}::test_elsewhere_excel_is_refused_in_one_line",
            "docs/guide/README.md: Excel on Windows",
        ),
    ),
    Hazard(
        "B21",
        "after an upgrade cells keep the old code until Python is started anew",
        (
            f"{CALLS}::test_functions_about_the_catalogue",
            "tests/buttons/test_buttons.py::test_the_catalogue_is_read_again",
            f"{WINDOWS}: start Excel anew",
        ),
    ),
    Hazard(
        "B22",
        "Python is left behind when Excel ends, and holds files that an upgrade would replace",
        ("tests/desktop/test_machine.py::test_processes_of_windows_are_read_from_its_own_list", f"{WINDOWS}: Task Manager"),
    ),
    Hazard(
        "B24",
        "an add-in of one xlwings with the package of another",
        (f"{DOCTOR}::upgraded_xlwings", f"{DOCTOR}::library_gone", f"{ADDIN}::test_the_file_says_which_xlwings_it_fits"),
    ),
    Hazard(
        "B26",
        "a workbook with the functions inside is saved without them",
        (f"{WINDOWS}: your workbook stays an ordinary `.xlsx`", f"{WINDOWS}: paste as values"),
    ),
    Hazard(
        "B27",
        "a licensed part of xlwings asks for a key in the middle of the work",
        (
            f"{CALLS}::test_no_part_of_xlwings_that_needs_a_licence",
            f"{WRAPPERS}::test_no_workbook_is_searched_for_python_code",
            "tests/udf/test_hazards.py::test_a_sheet_named_like_code_asks_for_no_licence",
        ),
    ),
    Hazard(
        "B28",
        "settings in the words of another language mean nothing or the opposite",
        (f"{DOCTOR}::switch", f"{WINDOWS}: only `True` and `False`"),
    ),
    Hazard(
        "B29",
        "custom functions of the web: another origin, old metadata, clashing names",
        (
            "tests/server/test_server.py::test_pages_of_other_sites_are_not_answered",
            "tests/server/test_server.py::test_excel_on_the_web_reads_descriptions_only_when_it_may",
            "tests/server/test_manifest.py::test_functions_have_their_own_names_unless_a_namespace_is_asked_for",
        ),
    ),
    Hazard(
        "B30",
        "a cell keeps its error after the input was mended",
        (f"{CALLS}::test_numbers_are_remembered_and_nothing_else",),
    ),
)  # fmt: skip


@cache
def names_in(path: Path) -> set[str]:
    """Functions of a module of tests, and the texts in its tables."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    return functions | {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def is_there(proof: str) -> bool:
    path, _, name = proof.partition("::")
    if name:
        return (ROOT / path).is_file() and name in names_in(ROOT / path)
    path, _, words = proof.partition(": ")
    if not words:
        return (ROOT / path).is_file()
    return words in re.sub(r"\s+", " ", (ROOT / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("hazard", HAZARDS, ids=lambda hazard: hazard.id)
def test_each_is_proved_or_answered(hazard: Hazard) -> None:
    assert hazard.what and hazard.proofs
    missing = [proof for proof in hazard.proofs if not is_there(proof)]
    assert not missing, missing


def test_none_comes_twice() -> None:
    ids = [hazard.id for hazard in HAZARDS]
    assert ids == sorted(set(ids))
    assert not is_there("tests/udf/test_calls.py::test_that_nobody_wrote") and not is_there(
        f"{WINDOWS}: no such words"
    )


# ---- what has no other place


def test_no_answer_writes_over_its_neighbours(excel: Windows) -> None:
    """xlwings' old way of several cells, `expand`, is not used: Excel itself spills, or refuses."""
    from tokensheet.udf import functions

    assert excel.call("TS_VERSION")
    for name in functions.ANSWERS.functions.table:
        information = getattr(__import__("sys").modules["tokensheet.udf.functions"], name).__xlfunc__
        assert "expand" not in information["ret"]["options"], name
        assert not information["async_mode"] and not information["volatile"], name


def test_a_sheet_named_like_code_asks_for_no_licence(excel: Windows) -> None:
    """xlwings refuses to answer in such a workbook; the shipped wrappers do not show it the workbook."""
    from types import SimpleNamespace

    from tests.tools.fakewin import OMITTED, Range

    book = Book()
    sheets = [SimpleNamespace(Name="main.py", Parent=book)]
    book.Worksheets = book.Sheets = type(
        "Sheets", (list,), {"Count": 1, "__call__": lambda s, i: s[int(i) - 1]}
    )(sheets)  # type: ignore[assignment]
    caller = Range([[None]], book)
    arguments = ("llama-2-70b", 4096.0, 8.0, OMITTED)
    excel.udfs.udf_modules.pop("tokensheet.udf.functions", None)
    assert (
        excel.server.CallUDF("tokensheet.udf.functions", "KV_BYTES", arguments, None, caller) == 10737418240.0
    )
    excel.udfs.udf_modules.pop("tokensheet.udf.functions", None)
    with pytest.raises(Exception, match="LICENSE_KEY"):
        excel.server.CallUDF("tokensheet.udf.functions", "KV_BYTES", arguments, book, caller)
