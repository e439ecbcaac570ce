"""Writes the sheets of a planning workbook from its contents: summary, inputs, options, calculation, catalogue, about."""

from __future__ import annotations

import math

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.graph import Inner
from tokensheet.proposal import LARGEST
from tokensheet.schema.profile import Profile
from tokensheet.texts import Phrase, Text, capital, say, source_text, unit_text
from tokensheet.workbook import styles
from tokensheet.workbook.catalogue_tables import id_named, profile_value
from tokensheet.workbook.cells import Book, breadth, cell_at, head_row, page, pages_across, widths
from tokensheet.workbook.checks import WORDS_WIDTH, in_words, words_height
from tokensheet.workbook.columns import calculated, candidate_names
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.labels import label_of
from tokensheet.workbook.layout import (
    ABOUT,
    CALCULATION,
    CALCULATION_FIRST,
    CHECKS,
    FIRST_ROW,
    INPUTS,
    OPTIONS,
    OPTIONS_FIRST,
    SPARE_ROWS,
    SUMMARY,
    CatalogTable,
    InputCell,
)
from tokensheet.workbook.people import for_people
from tokensheet.workbook.rules import name_rule, rule

CALCULATION_HEADS = tuple(map(say, ("Label", "Symbol", "Unit", "Formula in words", "Source")))
COUNTS = ("sequence", "gpu", "replica", "node", "token", "user", "flag")
"""Units that Summary shows without decimals."""
LOGO = {ABOUT: 2, SUMMARY: 3}
"""Rows of a company's logo."""
LABEL_WIDTH = 40
"""Of results on Summary."""
COLUMNS_OF_A_PAGE = 12
"""Of catalogue sheets, in print."""


def inputs(book: Book, contents: Contents) -> None:
    """What counts for all candidates; yellow cells may be changed."""
    sheet = book.sheet(INPUTS, "B8860B")
    book.title(
        sheet,
        say("Inputs"),
        say(
            "Yellow cells may be changed; an empty assumption takes the profile's value. Single candidates: Options."
        ),
    )
    book.header(sheet, FIRST_ROW - 1, (say("What"), say("Name"), say("Value"), say("Unit"), say("Reason")))
    for cell in contents.cells.inputs:
        row = contents.cells.input_row[cell.name]
        book.text(sheet, row, 1, capital(cell.label), align=styles.WRAP)
        book.text(sheet, row, 2, cell.name, styles.NOTE)
        _place(book, sheet, contents, cell, row, 3)
        book.text(sheet, row, 4, unit_text(cell.unit), styles.NOTE, styles.BESIDE)
        book.text(sheet, row, 5, cell.note, styles.NOTE, styles.WRAP)
        book.fit(sheet, row, (cell.label, 58), (cell.note, 46))
    first = min(contents.constant_row.values(), default=FIRST_ROW + len(contents.cells.inputs) + 2)
    book.section(sheet, first - 1, say("Constants"), 5)
    for named in contents.cells.constants:
        row = contents.constant_row[named.name, named.value]
        book.text(sheet, row, 1, capital(named.label))
        book.text(sheet, row, 2, named.name, styles.NOTE)
        book.number(sheet, row, 3, named.value, named.unit)
        book.text(sheet, row, 4, unit_text(named.unit), styles.NOTE, styles.BESIDE)
    widths(sheet, (58, 26, 22, 22, 46))
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"C{FIRST_ROW}", landscape=False)


def options(book: Book, contents: Contents) -> None:
    """The candidates side by side."""
    sheet = book.sheet(OPTIONS, "B8860B")
    book.title(
        sheet,
        say("Options"),
        say(
            'Yellow cells may be changed. An empty cell takes Inputs or the default; batch may say "{word}".',
            word=LARGEST,
        ),
    )
    book.header(sheet, FIRST_ROW - 1, (say("What"), say("Name"), say("Unit")))
    for i, name in enumerate(contents.names):
        cell = book.input(sheet, FIRST_ROW - 1, OPTIONS_FIRST + i, name)
        cell.font, cell.alignment = styles.BOLD, styles.HEAD
    names = name_rule(book.texts)
    names.add(
        f"{get_column_letter(OPTIONS_FIRST)}{FIRST_ROW - 1}:{get_column_letter(OPTIONS_FIRST + len(contents.names) - 1)}{FIRST_ROW - 1}"
    )
    sheet.add_data_validation(names)
    for cell_ in contents.cells.options:
        row = contents.cells.option_row[cell_.name]
        book.text(sheet, row, 1, capital(cell_.label), align=styles.WRAP)
        book.fit(sheet, row, (cell_.label, 50))
        book.text(sheet, row, 2, cell_.name, styles.NOTE)
        book.text(sheet, row, 3, unit_text(cell_.unit), styles.NOTE)
        _place(book, sheet, contents, cell_, row, OPTIONS_FIRST)
    widths(sheet, (50, 22, 14, *([20] * len(contents.names))))
    head_row(sheet, FIRST_ROW - 1, contents.names, 20)
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"D{FIRST_ROW}", wide=pages_across(sheet, contents.names, "A:C"))


def _place(book: Book, sheet: Worksheet, contents: Contents, cell: InputCell, row: int, column: int) -> None:
    for i, value in enumerate(cell.values):
        book.input(sheet, row, column + i, value, cell.unit)
    first, last = (f"{get_column_letter(column + i)}{row}" for i in (0, len(cell.values) - 1))
    found = rule(cell, first, book.texts, contents.tables[cell.kind].area("id") if cell.kind else None)
    found.add(f"{first}:{last}")
    sheet.add_data_validation(found)


def calculation(book: Book, contents: Contents) -> None:
    """One formula a row, one candidate a column."""
    sheet = book.sheet(CALCULATION, "66727F")
    book.title(
        sheet,
        say("Calculation"),
        say(
            "One formula a row, one candidate a column, from the top down. "
            "SI units: bytes, seconds, operations, dollars."
        ),
    )
    book.header(sheet, FIRST_ROW - 1, CALCULATION_HEADS)
    candidate_names(book, sheet, contents, CALCULATION_FIRST)
    width = CALCULATION_FIRST + len(contents.names) - 1
    for offset, row in enumerate(contents.rows):
        number = FIRST_ROW + offset
        if row.heading:
            book.section(sheet, number, row.label, width)
            continue
        book.text(sheet, number, 1, row.label, align=styles.WRAP)
        book.text(sheet, number, 2, row.symbol, styles.NOTE)
        book.text(sheet, number, 3, unit_text(row.unit), styles.NOTE)
        book.text(sheet, number, 4, row.words, styles.NOTE, styles.WRAP)
        book.text(sheet, number, 5, row.source, styles.NOTE, styles.WRAP)
        book.fit(sheet, number, (row.label, 52), (row.words, 66), (row.source, 36))
        assert row.formula is not None
        font = styles.BOLD if row.symbol in contents.proposal.results else styles.BODY
        for i, value in enumerate(row.values):
            book.formula(sheet, number, CALCULATION_FIRST + i, row.formula(i), value, row.unit, font)
    widths(sheet, (52, 34, 16, 60, 32, *([18] * len(contents.names))))
    head_row(sheet, FIRST_ROW - 1, contents.names, 18)
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"F{FIRST_ROW}", wide=pages_across(sheet, contents.names, "A:B"))


def summary(book: Book, contents: Contents) -> None:
    """The answer: each result of each candidate in units for people, and whether the checks hold."""
    sheet = book.sheet(SUMMARY, "1E6B34")
    proposal, count = contents.proposal, len(contents.names)
    valid = say("valid until {date}", date=str(proposal.valid_until)) if proposal.valid_until else ""
    book.title(
        sheet,
        proposal.title,
        " · ".join(book.texts(x) for x in (proposal.customer, str(proposal.date or ""), valid) if x),
    )
    if book.logo_row:
        sheet.row_dimensions[LOGO[SUMMARY]].height = book.logo_row
    book.header(sheet, FIRST_ROW - 1, (say("Result"), say("Unit")))
    candidate_names(book, sheet, contents, 3)
    for row, result in enumerate(proposal.results, FIRST_ROW):
        node = contents.graph.nodes[result]
        assert isinstance(node, Inner)
        unit = for_people(node.formula.unit)
        book.text(sheet, row, 1, label_of(node.formula), styles.BOLD, styles.WRAP)
        book.text(sheet, row, 2, unit_text(unit.name), styles.NOTE)
        told = [unit.cell(contents.value(i, result)) for i in range(count)]
        form = styles.WHOLE if unit.name in COUNTS else styles.across(told)
        for i, shown in enumerate(told):
            cell = book.formula(
                sheet, row, 3 + i, calculated(contents, i, result) + unit.text, shown, unit.name, form=form
            )
            cell.border = styles.UNDER
        sheet.row_dimensions[row].height = 18
        book.fit(sheet, row, (label_of(node.formula), LABEL_WIDTH))
    row = FIRST_ROW + len(proposal.results) + 1
    for said in in_words(contents):
        book.text(sheet, row, 1, said.label, styles.BOLD)
        book.text(sheet, row, 2, say("text"), styles.NOTE)
        for i in range(count):
            address = f"{CHECKS}!{get_column_letter(3 + i)}{said.row}"
            shown = book.texts(said.text(contents, i))
            book.formula(sheet, row, 3 + i, address, shown).alignment = styles.RIGHT_WRAP
        sheet.row_dimensions[row].height = words_height(book, contents)
        row += 1
    note = say("A cell with #N/A has no answer: the rows below the results, and all of Checks, say why.")
    book.text(sheet, row + 1, 1, note, styles.NOTE)
    widths(sheet, (LABEL_WIDTH, 14, *([WORDS_WIDTH] * count)))
    head_row(sheet, FIRST_ROW - 1, contents.names, WORDS_WIDTH)
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"C{FIRST_ROW}", high=1)


def catalog(book: Book, contents: Contents, table: CatalogTable) -> None:
    """Records as rows; empty rows below are the reader's."""
    sheet = book.sheet(table.sheet, "8A6D3B")
    book.title(
        sheet,
        say(table.sheet),
        say(
            "Facts with sources. Add your own records in the {count} rows below the last one; "
            "the drop-downs show them. "
            "Copy numbers of a maker or a family from a record of the same.",
            count=SPARE_ROWS,
        ),
    )
    titles: list[Text] = ["id", *table.texts, *(c[0] for c in table.columns), say("source"), say("state")]
    for i, (_, unit, text) in enumerate(table.columns):
        book.text(sheet, table.first - 3, 2 + len(table.texts) + i, text, styles.NOTE, styles.WRAP)
        book.text(
            sheet, table.first - 2, 2 + len(table.texts) + i, unit_text(unit), styles.NOTE, styles.RIGHT
        )
    book.header(sheet, table.first - 1, titles)
    sheet.row_dimensions[table.first - 3].height = 52
    sheet.row_dimensions[table.first - 1].height = 30
    for offset, (id, entry) in enumerate(table.entries.items()):
        row, record = table.first + offset, entry.record
        book.text(sheet, row, 1, id, styles.BOLD)
        for i, name in enumerate(table.texts):
            book.text(sheet, row, 2 + i, id_named(contents.registry, name, getattr(record, name)))
        for i, (name, unit, _) in enumerate(table.columns):
            value = (
                profile_value(contents.registry, name, entry)
                if isinstance(record, Profile)
                else record.number(name)
            )
            if value is not None:
                book.number(sheet, row, 2 + len(table.texts) + i, value, unit)
        doubtful = ", ".join(
            f"{n} {book.texts(Phrase(s))}" for n, s in record.states.items() if s != "confirmed"
        )
        source: Text = source_text(record.fitted_to) if isinstance(record, Profile) else record.source
        book.text(sheet, row, len(titles) - 1, source, styles.NOTE)
        book.text(sheet, row, len(titles), doubtful, styles.NOTE)
    for row in range(table.first + len(table.entries), table.last + 1):
        for column in range(1, len(titles) + 1):
            spare = cell_at(sheet, row, column)
            book.dress(spare, styles.BODY, styles.RIGHT, fill=styles.SPARE_FILL, unlocked=True)
    named = [max(16, 1.2 * breadth(str(title))) for title in titles[1:-2]]
    widths(sheet, (28, *named, 40, 30))
    sheet.print_title_cols = "A:A"
    sheet.print_area = f"A1:{get_column_letter(len(titles))}{table.first + len(table.entries) - 1}"
    page(
        book,
        sheet,
        f"1:{table.first - 1}",
        f"B{table.first}",
        wide=math.ceil(len(titles) / COLUMNS_OF_A_PAGE),
    )


def about(book: Book, lines: list[tuple[Text, Text]]) -> None:
    """What this is, for whom, how to use it, and what it was made with."""
    sheet = book.sheet("About", "1B4F72")
    if book.logo_row:
        lines = [lines[0], ("", ""), *lines[1:]]
    for row, (label, text) in enumerate(lines, 1):
        if row == 1:
            book.text(sheet, row, 1, text, styles.TITLE)
            sheet.row_dimensions[row].height = 24
        elif not label:
            sheet.row_dimensions[row].height = book.logo_row
        elif not text:
            book.section(sheet, row, label, 2)
        else:
            book.text(sheet, row, 1, label, styles.BOLD, styles.WRAP)
            book.text(sheet, row, 2, text, styles.BODY, styles.WRAP)
            book.fit(sheet, row, (text, 96))
    widths(sheet, (28, 96))
    page(book, sheet, "1:1", "A2", landscape=False)
