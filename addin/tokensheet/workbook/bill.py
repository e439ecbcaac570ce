"""Bills of materials of the systems in a catalogue, line by line; each candidate shows the lines of its own."""

from __future__ import annotations

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.failure import Failure
from tokensheet.schema.system import System
from tokensheet.texts import say, source_text, unit_text
from tokensheet.workbook import row_keys, styles
from tokensheet.workbook.calculation import cell_value
from tokensheet.workbook.cells import Book, head_row, page, widths
from tokensheet.workbook.columns import calculated, candidate_names
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.layout import BILL, CALCULATION, CALCULATION_FIRST, FIRST_ROW, Cell

KIND = System.kind
PRICE = "system_price"
REST = say("price of the machine that no line lists")
HEADS = tuple(map(say, ("System", "Item", "Unit", "Count", "Dollars for one", "Source")))
FIRST = len(HEADS) + 1


def system_role(contents: Contents) -> str:
    """The role by which candidates choose a system; empty where they choose none."""
    return next((r for r, name in contents.roles.items() if contents.registry.roles[name].kind == KIND), "")


def bill_of_materials(book: Book, contents: Contents) -> None:
    """Every line of every bill; dollars stand in the columns of the candidates that chose the system."""
    role = system_role(contents)
    sheet = book.sheet(BILL, "1E6B34")
    book.title(
        sheet,
        say(BILL),
        say(
            "Lines of the systems' bills. A candidate has dollars in the lines of the system that it chose; "
            "what its machine costs beyond them stands last."
        ),
    )
    book.header(sheet, FIRST_ROW - 1, HEADS)
    candidate_names(book, sheet, contents, FIRST)
    id_row = contents.row_of[row_keys.id_of(role)]
    chosen = contents.row(row_keys.id_of(role)).values
    lines = [
        (id, line)
        for id, entry in contents.tables[KIND].entries.items()
        if isinstance(entry.record, System)
        for line in entry.record.bill
    ]
    first, last = FIRST_ROW + 1, FIRST_ROW + len(lines)
    book.text(sheet, FIRST_ROW, 1, say("All lines"), styles.BOLD)
    book.text(sheet, FIRST_ROW, 3, unit_text("usd"), styles.NOTE)
    for row, (id, line) in enumerate(lines, first):
        book.text(sheet, row, 1, id)
        book.text(sheet, row, 2, source_text(line.item))
        book.text(sheet, row, 3, unit_text("usd"), styles.NOTE)
        book.number(sheet, row, 4, line.count)
        book.number(sheet, row, 5, line.unit_price, "usd")
        book.text(sheet, row, 6, source_text(line.source), styles.NOTE)
        for i, own in enumerate(chosen):
            letter = get_column_letter(CALCULATION_FIRST + i)
            text = f"IF({CALCULATION}!{letter}${id_row}=$A{row},$D{row}*$E{row},0)"
            value = line.count * line.unit_price if str(own).lower() == id.lower() else 0.0
            book.formula(sheet, row, FIRST + i, text, value, "usd", form=styles.PEOPLE)
    if PRICE in contents.row_of:
        _rest(book, sheet, contents, first, last)
        last += 1
    for i in range(len(contents.names)):
        letter = get_column_letter(FIRST + i)
        values: list[Cell] = [book.values[BILL, f"{letter}{row}"] for row in range(first, last + 1)]
        failed = next((v for v in values if isinstance(v, CellError)), None)
        total = sum(v for v in values if isinstance(v, float))
        book.formula(
            sheet,
            FIRST_ROW,
            FIRST + i,
            f"SUM({letter}{first}:{letter}{last})",
            failed or total,
            "usd",
            styles.BOLD,
            styles.PEOPLE,
        )
    widths(sheet, (26, 48, 8, 10, 16, 50, *([20] * len(contents.names))))
    head_row(sheet, FIRST_ROW - 1, contents.names, 20)
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"C{FIRST_ROW}")


def _rest(book: Book, sheet: Worksheet, contents: Contents, first: int, last: int) -> None:
    """The row below the lines: a price without a bill, or an estimate from devices and hosts, is no bill of 0."""
    row = last + 1
    book.text(sheet, row, 2, REST)
    book.text(sheet, row, 3, unit_text("usd"), styles.NOTE)
    book.text(sheet, row, 6, CALCULATION, styles.NOTE)
    for i in range(len(contents.names)):
        letter = get_column_letter(FIRST + i)
        price, listed = (
            contents.value(i, PRICE),
            [book.values[BILL, f"{letter}{r}"] for r in range(first, row)],
        )
        lines = sum(v for v in listed if isinstance(v, float))
        value = cell_value(price) if isinstance(price, Failure) else price - lines
        text = f"{calculated(contents, i, PRICE)}-SUM({letter}{first}:{letter}{last})"
        book.formula(sheet, row, FIRST + i, text, value, "usd", form=styles.PEOPLE)
