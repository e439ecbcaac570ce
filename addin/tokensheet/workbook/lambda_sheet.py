"""The Functions sheet: each LAMBDA name with arguments, meaning, a call and its value, and the names that they take.

The calls read the cells below them, so that the reader can try the functions there.
"""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.proposal import LARGEST
from tokensheet.texts import Phrase, Text, capital, say, unit_text
from tokensheet.workbook import styles
from tokensheet.workbook.calculation import NO_FACT
from tokensheet.workbook.cells import Book, page, widths
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.lambda_functions import OPTIONS, Function
from tokensheet.workbook.lambdas import ID, Known, WorkbookFunctions
from tokensheet.workbook.layout import FIRST_ROW, FUNCTIONS, Cell, InputCell
from tokensheet.workbook.rules import rule

LONGEST_COMMENT = 255
"""Characters that Excel takes beside a name."""
EXAMPLES = {"token": 1024.0, "sequence": 1.0, "gpu": 8.0, "usd/hour": 10.0}
"""Unit → a round number for an argument that the proposal says nothing about, so that a call can be shown."""
HEADS = (
    say("Function"),
    say("Arguments"),
    say("Value"),
    say("Unit"),
    say("Example call"),
    say("Meaning"),
)
NAME_HEADS = (
    say("What"),
    say("Name"),
    say("Value"),
    say("Unit"),
    say("Given as"),
    "",
    say("Above"),
    say("At least"),
    say("At most"),
    say("Whole"),
)
LIMIT_COLUMN = {">": 7, ">=": 8, "<=": 9}
WHOLE_COLUMN = 10
WIDTHS = (34.0, 30.0, 16.0, 13.0, 32.0, 46.0, 9.0, 9.0, 9.0, 9.0)


def functions_sheet(book: Book, lambdas: WorkbookFunctions) -> None:
    """The sheet, and the names that it lists."""
    for each in lambdas.lambdas:
        comment = book.texts(each.comment)[:LONGEST_COMMENT]
        book.workbook.defined_names[each.name] = DefinedName(
            each.name, attr_text=each.stored, comment=comment
        )
    sheet = book.sheet(FUNCTIONS, "5B4B8A")
    book.title(
        sheet,
        say("Functions"),
        say(
            "For Excel 365, without Python: the functions of the add-in as names of this workbook, for any cell of it. "
            "Other programs show errors here, and only here."
        ),
    )
    book.header(sheet, FIRST_ROW - 1, HEADS)
    given = example(lambdas)
    engine = Functions(lambdas.contents.planner)
    for row, function in enumerate(lambdas.functions.values(), FIRST_ROW):
        _function(book, sheet, lambdas, function, row, _value(engine, function, lambdas, given))
    first = lambdas.first_argument
    book.section(sheet, first - 2, say("Arguments of the example calls; change the yellow cells"), len(HEADS))
    book.header(sheet, first - 1, NAME_HEADS)
    for row, known in enumerate(lambdas.arguments, first):
        _name(book, sheet, lambdas.contents, known, row, given[known.name])
    first = lambdas.first_option
    title = say("Options of the example calls: names and values, for the last argument of a function")
    book.section(sheet, first - 1, title, len(HEADS))
    for row, known in enumerate(lambdas.options, first):
        _name(book, sheet, lambdas.contents, known, row, given[known.name])
    widths(sheet, WIDTHS)
    sheet.print_area = f"A1:F{lambdas.last}"  # ranges of numbers are for the functions; rules say them too
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"B{FIRST_ROW}")


def example(lambdas: WorkbookFunctions) -> dict[str, float | str | None]:
    """What the example calls give for every name: what the first candidate says, for arguments also what it has."""
    contents, given = lambdas.contents, lambdas.contents.said.given[0]
    found: dict[str, float | str | None] = {k.name: given.get(k.name) for k in lambdas.options}
    for known in lambdas.arguments:
        said = given.get(known.name)
        if said is None and known.kind:
            said = contents.walks[0].ids.get(known.name)
        elif said is None or said == LARGEST:
            has = contents.value(0, known.name) if known.name in contents.graph.nodes else None
            said = has if isinstance(has, float) else EXAMPLES.get(known.unit)
        found[known.name] = said
    return {name: None if said == LARGEST else said for name, said in found.items()}


def call_text(lambdas: WorkbookFunctions, function: Function) -> str:
    """The example call, as its cell has it."""
    options = f"$B${lambdas.first_option}:$C${lambdas.last}"
    cells = [options if a == OPTIONS else f"$C${lambdas.row(a)}" for a in function.arguments]
    return f"{function.name}({','.join(cells)})"


def _value(
    engine: Functions, function: Function, lambdas: WorkbookFunctions, given: Mapping[str, float | str | None]
) -> Cell:
    """What the add-in's function answers to the example call."""
    options = {k.name: given[k.name] for k in lambdas.options if given[k.name] is not None}
    values = [options if a == OPTIONS else given[a] for a in function.arguments]
    found = engine.call(function.formula.name.upper(), values)
    return NO_FACT if isinstance(found, Failure) else CellError(found) if isinstance(found, str) else found


def _function(
    book: Book, sheet: Worksheet, lambdas: WorkbookFunctions, function: Function, row: int, value: Cell
) -> None:
    formula, call = function.formula, call_text(lambdas, function)
    text = say("{label}: {text}", label=Phrase(formula.label), text=Phrase(formula.summary, optional=True))
    arguments, shown = function.signature.partition("(")[2].rstrip(")"), f"={call.replace('$', '')}"
    book.text(sheet, row, 1, function.name, styles.BOLD, styles.WRAP)
    book.text(sheet, row, 2, arguments, styles.NOTE, styles.WRAP)
    book.formula(sheet, row, 3, call, value, formula.unit)
    book.text(sheet, row, 4, unit_text(formula.unit), styles.NOTE, styles.BESIDE)
    book.text(sheet, row, 5, shown, styles.NOTE, styles.WRAP)
    book.text(sheet, row, 6, text, styles.NOTE, styles.WRAP)
    book.fit(sheet, row, (arguments, WIDTHS[1]), (shown, WIDTHS[4]), (text, WIDTHS[5]))


def _name(
    book: Book, sheet: Worksheet, contents: Contents, known: Known, row: int, value: float | str | None
) -> None:
    """A name that functions take: what it is, its value in the calls, and which numbers make sense."""
    label, bounds = capital(known.text), known.bounds
    book.text(sheet, row, 1, label, align=styles.WRAP)
    book.text(sheet, row, 2, known.name, styles.NOTE)
    book.input(sheet, row, 3, value, "" if known.kind else known.unit)
    book.text(sheet, row, 4, ID if known.kind else unit_text(known.unit), styles.NOTE, styles.BESIDE)
    how: Text = say("number")
    if known.kind:
        how = say("id of the sheet {sheet}", sheet=contents.tables[known.kind].sheet)
    book.text(sheet, row, 5, how, styles.NOTE, styles.WRAP)
    for sign, bound in bounds.ends:
        book.number(sheet, row, LIMIT_COLUMN[sign], bound)
    if bounds.whole:
        book.number(sheet, row, WHOLE_COLUMN, 1)
    book.fit(sheet, row, (label, WIDTHS[0]))
    cell = InputCell(known.name, label, known.unit, [value], known.kind, bounds.ends, bounds.whole)
    area = contents.tables[known.kind].area("id") if known.kind else None
    found = rule(cell, f"C{row}", book.texts, area)
    found.add(f"C{row}")
    sheet.add_data_validation(found)
