"""The plan of a sheet as a planning workbook beside it, with the proposal that it was made from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tokensheet.errors import ArgumentError, ExportError, TokensheetError
from tokensheet.functions import Functions
from tokensheet.planning import Planner
from tokensheet.proposal import parse
from tokensheet.sheet_plan import of_block, of_call
from tokensheet.udf.border import plain
from tokensheet.whole_files import new_files

MOST_PLANS = 1000
"""Workbooks of one sheet; their names are numbered."""
LINE = re.compile(r"line \d+: ")
WHERE = "this sheet"


def export_block(book: str, values: Any, formulas: Any, functions: Functions) -> Path:
    """Writes the planning workbook of a block of cells beside the book that holds them.

    Args:
        book: path of the person's workbook
        values: of the block, by rows
        formulas: what stands in its cells
        functions: of the catalogue

    Returns:
        The new file; no file is ever replaced.

    Raises:
        TokensheetError: the block is no plan, or there is no folder to write into.
    """
    folder, stem = beside(book)
    text = of_block(_rows(values), _rows(formulas), functions, f"Plan of {stem}")
    return written(text, folder, stem, functions.planner)


def export_call(book: str, call: Sequence[Any], functions: Functions) -> Path:
    """The same of one function's call: its name, then the values of its arguments.

    Raises:
        TokensheetError: an argument is no single value, or there is no folder to write into.
    """
    folder, stem = beside(book)
    text = of_call(str(call[0]), [plain(value) for value in call[1:]], functions, f"Plan of {stem}")
    return written(text, folder, stem, functions.planner)


def beside(book: str) -> tuple[Path, str]:
    """Folder and name of the person's workbook.

    Raises:
        ArgumentError: it is not in a folder of this machine.
    """
    path = Path(book)
    if "://" in book or not path.is_absolute() or not path.parent.is_dir():
        raise ArgumentError(
            f"{book or 'the workbook'} is not in a folder of this computer; save it there: the plan is written beside it"
        )
    return path.parent, path.stem


def written(text: str, folder: Path, stem: str, planner: Planner) -> Path:
    """Writes a proposal and its workbook under the first name that is free for both.

    Nothing is replaced, not even what another program writes at the same time.

    Raises:
        TokensheetError: the proposal has mistakes, or the folder cannot be written.
    """
    from tokensheet.workbook.build import build

    try:
        proposal = parse(text, planner, WHERE)
    except TokensheetError as error:
        raise type(error)(LINE.sub("", str(error))) from error  # the lines of a file that nobody has seen
    made = build(planner, proposal)
    for target in _names(folder, stem):
        try:
            new_files({target.with_suffix(".toml"): text.encode(), target: made.xlsx})
        except FileExistsError:
            continue
        except OSError as error:
            told = f"{target}: {error.strerror or error}; save the workbook in a folder of your own"
            raise ExportError(told) from error
        return target
    raise ExportError(f"{folder} holds {MOST_PLANS} plans of {stem}; move some elsewhere")


def _names(folder: Path, stem: str) -> Iterator[Path]:
    """What a plan's workbook may be called, first the name without a number."""
    for number in range(1, MOST_PLANS + 1):
        yield folder / f"{stem}-plan{'' if number == 1 else f'-{number}'}.xlsx"


def _rows(value: Any) -> tuple[tuple[Any, ...], ...]:
    """Rows of a block as Excel and Calc give them: a single cell alone, a block as rows."""
    found = plain(value)
    return found if isinstance(found, tuple) else ((found,),)
