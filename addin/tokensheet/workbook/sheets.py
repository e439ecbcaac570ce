"""Writes the sheets of a planning workbook from its plan: inputs, options, calculation, catalogue, checks."""

from __future__ import annotations

import math

from openpyxl.formatting.rule import Rule
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.graph import Inner
from tokensheet.interpret import Failure
from tokensheet.proposal import LARGEST
from tokensheet.schema.profile import Profile
from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book, cell_at, name_rule, page, rule
from tokensheet.workbook.dump import shown
from tokensheet.workbook.layout import (
    CALCULATION,
    CALCULATION_FIRST,
    CHECKS,
    INPUTS,
    OPTIONS,
    OPTIONS_FIRST,
    SPARE_ROWS,
    SUMMARY,
    CatalogTable,
    Cell,
    InputCell,
)
from tokensheet.workbook.plan import BATCH, FIRST_ROW, Plan
from tokensheet.workbook.rows import capital, cell_value, label_of

PEOPLE: dict[str, tuple[str, str, float]] = {
    "second": ("ms", "*1000", 1000.0),
    "byte": ("GiB", "/1024/1024/1024", 1 / 2**30),
}
"""Unit → how Summary shows it: unit, text behind the cell, factor."""


COUNTS = ("sequence", "gpu", "replica", "token", "flag")
"""Units that Summary shows without decimals."""
COLUMNS_OF_A_PAGE = 12
"""Of catalogue sheets, in print."""


def inputs(book: Book, plan: Plan) -> None:
    """What counts for all candidates; yellow cells may be changed."""
    sheet = book.sheet(INPUTS, "B8860B")
    book.title(
        sheet,
        "Inputs",
        "Yellow cells may be changed; an empty assumption takes the profile's value. Single candidates: Options.",
    )
    book.header(sheet, FIRST_ROW - 1, ("What", "Name", "Value", "Unit", "Reason"))
    for cell in plan.inputs:
        row = plan.input_row[cell.name]
        book.text(sheet, row, 1, capital(cell.label), align=styles.WRAP)
        book.text(sheet, row, 2, cell.name, styles.NOTE)
        _place(book, sheet, plan, cell, row, 3)
        book.text(sheet, row, 4, cell.unit, styles.NOTE, styles.BESIDE)
        book.text(sheet, row, 5, cell.note, styles.NOTE, styles.WRAP)
        book.fit(sheet, row, (cell.label, 58), (cell.note, 46))
    first = min(plan.constant_row.values(), default=FIRST_ROW + len(plan.inputs) + 2)
    book.section(sheet, first - 1, "Constants", 5)
    for named in plan.constants:
        row = plan.constant_row[named.name]
        book.text(sheet, row, 1, capital(named.text))
        book.text(sheet, row, 2, named.name, styles.NOTE)
        book.number(sheet, row, 3, named.value, named.unit)
        book.text(sheet, row, 4, named.unit, styles.NOTE, styles.BESIDE)
    widths(sheet, (58, 26, 22, 22, 46))
    page(sheet, f"1:{FIRST_ROW - 1}", f"C{FIRST_ROW}", landscape=False)


def options(book: Book, plan: Plan) -> None:
    """The candidates side by side."""
    sheet = book.sheet(OPTIONS, "B8860B")
    book.title(
        sheet,
        "Options",
        f'Yellow cells may be changed. An empty cell takes Inputs or the default; batch may say "{LARGEST}".',
    )
    book.header(sheet, FIRST_ROW - 1, ("What", "Name", "Unit"))
    for i, name in enumerate(plan.names):
        cell = book.input(sheet, FIRST_ROW - 1, OPTIONS_FIRST + i, name)
        cell.font, cell.alignment = styles.BOLD, styles.HEAD
    names = name_rule()
    names.add(
        f"{get_column_letter(OPTIONS_FIRST)}{FIRST_ROW - 1}:{get_column_letter(OPTIONS_FIRST + len(plan.names) - 1)}{FIRST_ROW - 1}"
    )
    sheet.add_data_validation(names)
    for cell_ in plan.options:
        row = plan.option_row[cell_.name]
        book.text(sheet, row, 1, capital(cell_.label), align=styles.WRAP)
        book.fit(sheet, row, (cell_.label, 50))
        book.text(sheet, row, 2, cell_.name, styles.NOTE)
        book.text(sheet, row, 3, cell_.unit, styles.NOTE)
        _place(book, sheet, plan, cell_, row, OPTIONS_FIRST)
    widths(sheet, (50, 22, 14, *([20] * len(plan.names))))
    sheet.row_dimensions[FIRST_ROW - 1].height = 32
    page(sheet, f"1:{FIRST_ROW - 1}", f"D{FIRST_ROW}")


def _place(book: Book, sheet: Worksheet, plan: Plan, cell: InputCell, row: int, column: int) -> None:
    for i, value in enumerate(cell.values):
        book.input(sheet, row, column + i, value, cell.unit)
    first, last = (f"{get_column_letter(column + i)}{row}" for i in (0, len(cell.values) - 1))
    found = rule(cell, first, plan.tables[cell.kind].area("id") if cell.kind else None)
    found.add(f"{first}:{last}")
    sheet.add_data_validation(found)


def calculation(book: Book, plan: Plan) -> None:
    """One formula a row, one candidate a column."""
    sheet = book.sheet(CALCULATION, "66727F")
    book.title(
        sheet,
        "Calculation",
        "One formula a row, one candidate a column, from the top down. SI units: bytes, seconds, operations, dollars.",
    )
    book.header(sheet, FIRST_ROW - 1, ("Label", "Symbol", "Unit", "Formula in words", "Source"))
    candidate_names(book, sheet, plan, CALCULATION_FIRST)
    width = CALCULATION_FIRST + len(plan.names) - 1
    for offset, row in enumerate(plan.rows):
        number = FIRST_ROW + offset
        if row.heading:
            book.section(sheet, number, row.label, width)
            continue
        book.text(sheet, number, 1, row.label, align=styles.WRAP)
        book.text(sheet, number, 2, row.symbol, styles.NOTE)
        book.text(sheet, number, 3, row.unit, styles.NOTE)
        book.text(sheet, number, 4, row.words, styles.NOTE, styles.WRAP)
        book.text(sheet, number, 5, row.source, styles.NOTE, styles.WRAP)
        book.fit(sheet, number, (row.label, 52), (row.words, 66), (row.source, 36))
        assert row.formula is not None
        font = styles.BOLD if row.symbol in plan.proposal.results else styles.BODY
        for i, value in enumerate(row.values):
            book.formula(sheet, number, CALCULATION_FIRST + i, row.formula(i), value, row.unit, font)
    widths(sheet, (52, 34, 16, 60, 32, *([18] * len(plan.names))))
    sheet.row_dimensions[FIRST_ROW - 1].height = 32
    page(sheet, f"1:{FIRST_ROW - 1}", f"F{FIRST_ROW}")


def candidate_names(book: Book, sheet: Worksheet, plan: Plan, first: int) -> None:
    """The candidates' names, as Options says them, above their columns."""
    for i, name in enumerate(plan.names):
        source = f"{OPTIONS}!{get_column_letter(OPTIONS_FIRST + i)}${FIRST_ROW - 1}"
        cell = book.formula(sheet, FIRST_ROW - 1, first + i, f'{source}&""', name, font=styles.BOLD)
        cell.alignment, cell.fill, cell.border = styles.HEAD, styles.HEADER_FILL, styles.UNDER


def _calculated(plan: Plan, index: int, key: str) -> str:
    return f"{CALCULATION}!{get_column_letter(CALCULATION_FIRST + index)}{plan.row_of[key]}"


def summary(book: Book, plan: Plan) -> None:
    """The answer: each result of each candidate in units for people, and whether the checks hold."""
    sheet = book.sheet(SUMMARY, "1E6B34")
    proposal, count = plan.proposal, len(plan.names)
    valid = f"valid until {proposal.valid_until}" if proposal.valid_until else ""
    book.title(
        sheet,
        proposal.title,
        " · ".join(x for x in (proposal.customer, str(proposal.date or ""), valid) if x),
    )
    book.header(sheet, FIRST_ROW - 1, ("Result", "Unit"))
    candidate_names(book, sheet, plan, 3)
    for row, result in enumerate(proposal.results, FIRST_ROW):
        node = plan.graph.nodes[result]
        assert isinstance(node, Inner)
        unit, text, factor = PEOPLE.get(node.formula.unit, (node.formula.unit, "", 1.0))
        book.text(sheet, row, 1, node.formula.label, styles.BOLD)
        book.text(sheet, row, 2, unit, styles.NOTE)
        for i in range(count):
            value = plan.value(i, result)
            shown = cell_value(value) if isinstance(value, Failure) else scaled(value, factor, text)
            form = styles.WHOLE if unit in COUNTS else styles.PEOPLE
            cell = book.formula(
                sheet, row, 3 + i, _calculated(plan, i, result) + text, shown, unit, form=form
            )
            cell.border = styles.UNDER
        sheet.row_dimensions[row].height = 18
    row = FIRST_ROW + len(proposal.results) + 1
    for label, formula, text_of in (
        ("Memory on each device", _fit_formula, _fit_text),
        ("Checks", _check_formula, _check_text),
    ):
        book.text(sheet, row, 1, label, styles.BOLD)
        book.text(sheet, row, 2, "text", styles.NOTE)
        for i in range(count):
            book.formula(sheet, row, 3 + i, formula(plan, i), text_of(plan, i)).alignment = styles.RIGHT_WRAP
        sheet.row_dimensions[row].height = 30
        row += 1
    note = "A cell with #N/A has no answer: the rows below the results say why."
    book.text(sheet, row + 1, 1, note, styles.NOTE)
    widths(sheet, (40, 14, *([22] * count)))
    sheet.row_dimensions[FIRST_ROW - 1].height = 32
    page(sheet, f"1:{FIRST_ROW - 1}", f"C{FIRST_ROW}", high=1)


def scaled(value: float, factor: float, text: str) -> float:
    """A value in the unit for people, calculated in the order of the cell's formula."""
    return value / 1024 / 1024 / 1024 if text.startswith("/") else value * factor


def _fit_formula(plan: Plan, index: int) -> str:
    fits, missing = _calculated(plan, index, "fits"), _calculated(plan, index, "memory_missing")
    text = f'"does not fit, "&ROUND({missing}/1000000000,1)&" GB missing"'
    return f'IFERROR(IF({fits}=1,"fits",{text}),"no answer")'


def _check_formula(plan: Plan, index: int) -> str:
    first, column = FIRST_ROW + 1, get_column_letter(3 + index)
    last = first + len(check_rows(plan)) - 1
    labels, flags = f"{CHECKS}!$A${first}:$A${last}", f"{CHECKS}!{column}${first}:{column}${last}"
    return f'IF({CHECKS}!{column}${FIRST_ROW}=1,"all hold",INDEX({labels},MATCH(0,{flags},0))&": no")'


def _check_text(plan: Plan, index: int) -> str:
    """The first check that does not hold, in words."""
    flags = check_values(plan, index)
    return "all hold" if min(flags) == 1 else f"{check_rows(plan)[flags.index(0)][0]}: no"


def _fit_text(plan: Plan, index: int) -> str:
    fits, missing = plan.value(index, "fits"), plan.value(index, "memory_missing")
    if isinstance(fits, Failure) or isinstance(missing, Failure):
        return "no answer"
    if fits == 1:
        return "fits"
    tenths = math.floor(missing / 1e9 * 10 + 0.5) / 10  # as ROUND does
    return f"does not fit, {shown(tenths)} GB missing"


Check = tuple[str, str, str]
"""Label, key of a row in the plan, and what makes it hold: flag, number, chosen or chosen if any."""


def check_rows(plan: Plan) -> list[Check]:
    """Every check of the workbook except warnings: records, inputs, the plan's own checks, results."""
    found: list[Check] = []
    for reference, name in {"profile": "profile", **plan.roles}.items():
        role = plan.registry.roles[name]
        optional = role.supplies or role.follows
        kind = "chosen if any" if optional else "chosen"
        found.append((f"{capital(role.text)} is in the catalogue", reference, kind))
    names = dict.fromkeys(leaf.name for leaf in plan.graph.leaves if not leaf.role)
    for name in [*names, *([BATCH] if BATCH in plan.row_of else [])]:
        found.append((f"{name} is given and in range", name, "number"))
    for node in plan.graph.inner:
        if node.formula.message and not node.formula.warning and not node.key.startswith(f"{BATCH}."):
            found.append((node.formula.label, node.key, "flag"))
    for result in plan.proposal.results:
        found.append((f"{label_of(plan.registry.nodes[result])} has an answer", result, "number"))
    return found


def _test(plan: Plan, index: int, key: str, kind: str) -> str:
    """A check's formula: 1 or 0, whatever its cell holds."""
    if kind == "number":
        return f"IF(ISNUMBER({_calculated(plan, index, key)}),1,0)"
    if kind == "flag":
        return f"IFERROR(IF({_calculated(plan, index, key)}=1,1,0),0)"
    place, id = _calculated(plan, index, f"place of {key}"), _calculated(plan, index, f"id of {key}")
    chosen = f"IF(ISNUMBER({place}),1,0)"
    return chosen if kind == "chosen" else f'MAX({chosen},IFERROR(IF({id}="",1,0),0))'


def _holds(plan: Plan, index: int, key: str, kind: str) -> float:
    """The same from the values of the plan's rows."""

    def value(key: str) -> Cell:
        return plan.rows[plan.row_of[key] - FIRST_ROW].values[index]

    if kind.startswith("chosen"):
        good = not isinstance(value(f"place of {key}"), str)
        return float(good or (kind == "chosen if any" and value(f"id of {key}") == ""))
    return float(not isinstance(value(key), str) and (kind == "number" or value(key) == 1))


def check_values(plan: Plan, index: int) -> list[float]:
    """Each check of a candidate as 1 or 0."""
    return [_holds(plan, index, key, kind) for _, key, kind in check_rows(plan)]


def checks(book: Book, plan: Plan) -> None:
    """Each check as 1 or 0, the smallest at the top; warnings below."""
    sheet = book.sheet(CHECKS, "9C1C1C")
    book.title(
        sheet,
        "Checks",
        "1 holds, 0 does not. The first row is the smallest of its column; warnings do not count in it.",
    )
    book.header(sheet, FIRST_ROW - 1, ("Check", "Name"))
    candidate_names(book, sheet, plan, 3)
    rows = check_rows(plan)
    first, count = FIRST_ROW + 1, len(plan.names)
    last = first + len(rows) - 1
    book.text(sheet, FIRST_ROW, 1, "All checks of the candidate", styles.BOLD)
    flags = [check_values(plan, i) for i in range(count)]
    for i in range(count):
        letter = get_column_letter(3 + i)
        total = f"MIN({letter}{first}:{letter}{last})"
        book.formula(sheet, FIRST_ROW, 3 + i, total, min(flags[i]), font=styles.BOLD)
    for offset, (label, key, kind) in enumerate(rows):
        row = first + offset
        book.text(sheet, row, 1, label)
        book.text(sheet, row, 2, key, styles.NOTE)
        for i in range(count):
            book.formula(sheet, row, 3 + i, _test(plan, i, key, kind), flags[i][offset])
    row = last + 2
    book.section(sheet, row, "Warnings", 2 + count)
    for node in plan.graph.inner:
        if node.formula.warning:
            row += 1
            book.text(sheet, row, 1, node.formula.label)
            book.text(sheet, row, 2, node.key, styles.NOTE)
            for i in range(count):
                holds = _holds(plan, i, node.key, "flag")
                book.formula(sheet, row, 3 + i, _test(plan, i, node.key, "flag"), holds)
    area = f"C{FIRST_ROW}:{get_column_letter(2 + count)}{row}"
    sheet.conditional_formatting.add(
        area, Rule(type="cellIs", operator="equal", formula=["0"], dxf=styles.BAD)
    )
    widths(sheet, (60, 30, *([18] * count)))
    sheet.row_dimensions[FIRST_ROW - 1].height = 32
    page(sheet, f"1:{FIRST_ROW - 1}", f"C{FIRST_ROW}")


def catalog(book: Book, plan: Plan, table: CatalogTable) -> None:
    """Records as rows; empty rows below are the reader's."""
    sheet = book.sheet(table.sheet, "8A6D3B")
    book.title(
        sheet,
        table.sheet,
        f"Facts with sources. Add your own records in the {SPARE_ROWS} rows below the last one; the drop-downs show them.",
    )
    titles = ["id", *table.texts, *(c[0] for c in table.columns), "source", "state"]
    for i, (_, unit, text) in enumerate(table.columns):
        book.text(sheet, table.first - 3, 2 + len(table.texts) + i, text, styles.NOTE, styles.WRAP)
        book.text(sheet, table.first - 2, 2 + len(table.texts) + i, unit, styles.NOTE, styles.RIGHT)
    book.header(sheet, table.first - 1, titles)
    sheet.row_dimensions[table.first - 3].height = 52
    sheet.row_dimensions[table.first - 1].height = 30
    for offset, (id, entry) in enumerate(table.entries.items()):
        row, record = table.first + offset, entry.record
        book.text(sheet, row, 1, id, styles.BOLD)
        for i, name in enumerate(table.texts):
            book.text(sheet, row, 2 + i, plan.id_named(name, getattr(record, name)))
        for i, (name, unit, _) in enumerate(table.columns):
            value = plan.profile_value(name, entry) if isinstance(record, Profile) else record.number(name)
            if value is not None:
                book.number(sheet, row, 2 + len(table.texts) + i, value, unit)
        doubtful = ", ".join(f"{n} {s}" for n, s in record.states.items() if s != "confirmed")
        source = record.fitted_to if isinstance(record, Profile) else record.source
        book.text(sheet, row, len(titles) - 1, source, styles.NOTE)
        book.text(sheet, row, len(titles), doubtful, styles.NOTE)
    for row in range(table.first + len(table.entries), table.last + 1):
        for column in range(1, len(titles) + 1):
            spare = cell_at(sheet, row, column)
            book.dress(spare, styles.BODY, styles.RIGHT, fill=styles.SPARE_FILL, unlocked=True)
    widths(sheet, (28, *([16] * (len(titles) - 3)), 40, 30))
    sheet.print_title_cols = "A:A"
    sheet.print_area = f"A1:{get_column_letter(len(titles))}{table.first + len(table.entries) - 1}"
    page(sheet, f"1:{table.first - 1}", f"B{table.first}", wide=math.ceil(len(titles) / COLUMNS_OF_A_PAGE))


def about(book: Book, lines: list[tuple[str, str]]) -> None:
    """What this is, for whom, how to use it, and what it was made with."""
    sheet = book.sheet("About", "1B4F72")
    for row, (label, text) in enumerate(lines, 1):
        if row == 1:
            book.text(sheet, row, 1, text, styles.TITLE)
            sheet.row_dimensions[row].height = 24
        elif not text:
            book.section(sheet, row, label, 2)
        else:
            book.text(sheet, row, 1, label, styles.BOLD, styles.WRAP)
            book.text(sheet, row, 2, text, styles.BODY, styles.WRAP)
            book.fit(sheet, row, (text, 96))
    widths(sheet, (28, 96))
    page(sheet, "1:1", "A2", landscape=False)


def widths(sheet: Worksheet, widths: tuple[float, ...]) -> None:
    """Widths of the first columns, in characters."""
    for i, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(i)].width = width
