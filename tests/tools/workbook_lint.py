"""Rules that an exported workbook keeps, checked on the file itself and not by opening it in a program.

Spreadsheet programs forgive much that others refuse: a name that is a cell address, a list that is too
long, a formula in another language. So this reads the XML through openpyxl and judges on its own.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import openpyxl
from openpyxl.formula.tokenizer import Token, Tokenizer, TokenizerError
from openpyxl.formula.translate import Translator
from openpyxl.utils import column_index_from_string, get_column_letter
from openpyxl.utils.cell import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from tests.tools.cells_in_file import cells
from tokensheet.workbook.finish import CellError

INPUT_SHEETS = ("Inputs", "Options")
CALCULATED = (
    "Summary",
    "Calculation",
    "Checks",
    "Charts data",
    "Sensitivity",
    "Series",
    "Series data",
    "Variants",
    "Bill of materials",
    "Functions",
)
FIRST_CANDIDATE = {
    "Summary": 3, "Calculation": 6, "Checks": 3, "Inputs": 3, "Options": 4, "Charts data": 3, "Sensitivity": 3, "Variants": 6,
    "Series": 3, "Series data": 6,
    "Bill of materials": 7, "Functions": 3,
}  # fmt: skip
UNIT_COLUMN = {
    "Summary": 2, "Calculation": 3, "Inputs": 4, "Options": 3, "Charts data": 2, "Sensitivity": 2, "Variants": 3,
    "Series": 2, "Series data": 3,
    "Bill of materials": 3, "Functions": 4,
}  # fmt: skip
HEAD = 4
"""Row of the column titles."""

NUMBERS = {0, 1, 2, 8, 12, 60, 1000, 1024, 3600, 1e6, 1e9}
"""Numbers that may stand in a formula: those that nobody would want to change."""
VOLATILE = {"OFFSET", "INDIRECT", "NOW", "TODAY", "RAND", "RANDBETWEEN", "CELL", "INFO"}
FUNCTIONS = {
    "ABS", "AND", "EXP", "IF", "IFERROR", "INDEX", "INT", "ISERROR", "ISNUMBER", "LN", "MATCH", "MAX", "MIN",
    "N", "NA", "NOT", "OR", "ROUND", "SQRT", "SUBSTITUTE", "SUM", "SUMPRODUCT",
}  # fmt: skip
"""Functions that Excel 2010, LibreOffice and Google Sheets all know, and no others."""
TAKE_RANGES = {"INDEX", "MATCH", "MAX", "MIN", "SUM", "SUMPRODUCT"}
LAMBDAS = "Functions"
"""The one sheet whose formulas may call functions of Excel 365: names of the workbook that are LAMBDAs."""
IN_LAMBDAS = FUNCTIONS | {"COLUMNS", "COUNT", "ROWS", "TRANSPOSE"} | {
    f"_XLFN.{name}" for name in ("ISOMITTED", "LAMBDA", "LET", "MAP", "SEQUENCE", "XMATCH")
}  # fmt: skip
LONGEST_LAMBDA, LONGEST_COMMENT, MOST_ARGUMENTS = 8192, 255, 253
"""Characters, and arguments of one function, that Excel takes."""
LONGEST = 120
CELL = re.compile(r"\$?[A-Z]{1,3}\$?[1-9][0-9]{0,6}(?::\$?[A-Z]{1,3}\$?[1-9][0-9]{0,6})?\Z")
ERRORS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!")


@dataclass(frozen=True)
class Finding:
    """A rule that is broken, where, and how."""

    rule: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.place}: {self.what}"


class Formula:
    """A formula taken apart.

    Args:
        sheet: title
        row: number
        column: number; 0 where it stands in no cell of its own
        text: with its `=`
        before: the formula written before it, which it may repeat one column further
        name: what it is called where it stands in no cell of its own
    """

    def __init__(
        self, sheet: str, row: int, column: int, text: str, before: Formula | None = None, name: str = ""
    ) -> None:
        self.sheet, self.row, self.column, self.text, self.name = sheet, row, column, text, name
        beside = before is not None and (before.sheet, before.row, before.column + 1) == (sheet, row, column)
        self.repeated = before if before and beside and one_further(before.text) == text else None

    @property
    def address(self) -> str:
        return self.name or f"{get_column_letter(self.column)}{self.row}"

    @property
    def place(self) -> str:
        return f"{self.sheet}!{self.address}"

    @cached_property
    def tokens(self) -> list[Token]:
        found: list[Token] = Tokenizer(self.text).items
        return found

    @cached_property
    def areas(self) -> list[tuple[str, tuple[int, int, int, int]]]:
        """Sheet, and first column, first row, last column and last row of each reference to cells."""
        found = []
        if self.repeated is not None:
            for (sheet, (left, top, right, bottom)), (first, last) in zip(
                self.repeated.areas, self.moves, strict=True
            ):
                found.append((sheet, (left + first, top, right + last, bottom)))
            return found
        for sheet, area in self.references():
            if CELL.match(area):
                left, top, right, bottom = range_boundaries(area)
                found.append((sheet or self.sheet, (left, top, right, bottom)))
        return found

    @cached_property
    def moves(self) -> list[tuple[int, int]]:
        """Columns by which both ends of each reference move in the cell to the right: none behind a `$`."""
        if self.repeated is not None:
            return self.repeated.moves
        ends = [(a.partition(":")[0], a.rpartition(":")[2]) for _, a in self.references() if CELL.match(a)]
        return [(int(first[0] != "$"), int(last[0] != "$")) for first, last in ends]

    def operands(self, kind: str) -> Iterator[Token]:
        return (t for t in self.tokens if t.type == Token.OPERAND and t.subtype == kind)

    @property
    def functions(self) -> set[str]:
        return {
            t.value.rstrip("(").upper()
            for t in self.tokens
            if t.type == Token.FUNC and t.subtype == Token.OPEN
        }

    def references(self) -> Iterator[tuple[str | None, str]]:
        """Sheet (None: its own) and address or area of every reference."""
        for token in self.operands(Token.RANGE):
            sheet, sign, area = token.value.rpartition("!")
            yield (sheet.strip("'").replace("''", "'") if sign else None, area)


class Workbook:
    """The file as rules see it: formulas, stored values, parts of the package."""

    def __init__(self, data: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            self.parts = {name: package.read(name) for name in package.namelist()}
        self.book = openpyxl.load_workbook(io.BytesIO(data))
        self.values = cells(data).values
        self.titles = set(self.book.sheetnames)

    @property
    def sheets(self) -> list[Worksheet]:
        return list(self.book.worksheets)

    @cached_property
    def formulas(self) -> list[Formula]:
        """All of them, row by row; one that only repeats its left neighbour knows that."""
        found: list[Formula] = []
        for sheet in self.sheets:
            for cell in written(sheet):
                if cell.data_type == "f":
                    left = found[-1] if found else None
                    found.append(Formula(sheet.title, cell.row, cell.column, str(cell.value), left))
        return found

    @cached_property
    def readable(self) -> list[Formula]:
        """Formulas that can be taken apart; the rest is a finding of `brackets`."""
        return [f for f in self.formulas if not unreadable(f)]

    @cached_property
    def different(self) -> list[Formula]:
        """Readable ones without those that repeat their left neighbour: what is true of that is true of them."""
        return [f for f in self.readable if f.repeated is None]

    @cached_property
    def lambdas(self) -> dict[str, Formula]:
        """Names of the workbook that are LAMBDAs, in capitals, as formulas."""
        return {
            name.upper(): Formula("names", 0, 0, f"={each.attr_text}", name=name)
            for name, each in self.book.defined_names.items()
            if str(each.attr_text).startswith("_xlfn.LAMBDA(")
        }

    def known(self, formula: Formula) -> set[str]:
        """The LAMBDAs that a formula may call."""
        return set(self.lambdas) if formula.sheet == LAMBDAS else set()

    def label(self, sheet: str, row: int) -> str:
        return str(self.book[sheet].cell(row, 1).value or "")


REFERENCE = re.compile(r"(?<![A-Za-z0-9_.$])([A-Z]{1,3})(?=\$?[1-9][0-9]*(?![A-Za-z0-9_.(!]))")


@cache
def next_letter(letters: str) -> str:
    return get_column_letter(column_index_from_string(letters) + 1)


def one_further(text: str) -> str:
    """A formula as it is copied into the cell to the right; what stands in quotes stays."""
    pieces = re.split("""("[^"]*"|'[^']*')""", text)
    pieces[::2] = [REFERENCE.sub(lambda m: next_letter(m[1]), piece) for piece in pieces[::2]]
    return "".join(pieces)


def written(sheet: Worksheet) -> Iterator[Any]:
    """The cells that are there, row by row; asking a sheet for its rows makes those that lack."""
    cells: dict[tuple[int, int], Any] = sheet._cells  # type: ignore[attr-defined]
    return (cells[place] for place in sorted(cells))


def unreadable(formula: Formula) -> str:
    if formula.repeated is not None:
        return unreadable(formula.repeated)
    try:
        depth = 0
        for token in formula.tokens:
            depth += {Token.OPEN: 1, Token.CLOSE: -1}.get(token.subtype, 0) * (
                token.type in {Token.FUNC, Token.PAREN, Token.ARRAY}
            )
        return "" if depth == 0 else "brackets do not balance"
    except TokenizerError as error:
        return str(error)


Rule = Callable[[Workbook], Iterator[Finding]]
RULES: dict[str, Rule] = {}


def rule(
    function: Callable[[Workbook], Iterator[tuple[str, str]]],
) -> Callable[[Workbook], Iterator[Finding]]:
    name = function.__name__

    def found(book: Workbook) -> Iterator[Finding]:
        return (Finding(name, place, what) for place, what in function(book))

    RULES[name] = found
    return found


def lint(data: bytes) -> list[Finding]:
    """Everything in a workbook that breaks a rule."""
    book = Workbook(data)
    return [finding for check in RULES.values() for finding in check(book)]


Found = Iterator[tuple[str, str]]

# ---- formulas


@rule
def brackets(book: Workbook) -> Found:
    """A formula can be read: brackets and quotes balance."""
    for formula in book.formulas:
        if problem := unreadable(formula):
            yield formula.place, problem


@rule
def numbers(book: Workbook) -> Found:
    """Nothing that somebody may want to change is written into a formula."""
    for formula in book.different:
        for token in formula.operands(Token.NUMBER):
            if float(token.value) not in NUMBERS:
                yield formula.place, f"number {token.value} in {formula.text}"


@rule
def functions(book: Workbook) -> Found:
    """Only functions that every program since Excel 2010 knows, in English, separated by commas."""
    for formula in book.different:
        for name in sorted(formula.functions - FUNCTIONS - book.known(formula)):
            why = "is volatile" if name in VOLATILE else "is not one of the functions in use"
            yield formula.place, f"{name} {why}"
        array = 0
        for token in formula.tokens:
            array += (
                {Token.OPEN: 1, Token.CLOSE: -1}.get(token.subtype, 0)
                if token.type in {Token.ARRAY, "ARRAYROW"}
                else 0
            )
            if token.type == Token.SEP and token.subtype == Token.ROW and not array:
                yield formula.place, "use a comma between arguments, not a semicolon"


@rule
def nesting(book: Workbook) -> Found:
    """An IF holds no other IF."""
    for formula in book.different:
        open_functions: list[str] = []
        depth = deepest = 0
        for token in formula.tokens:
            if token.type == Token.FUNC and token.subtype == Token.OPEN:
                open_functions.append(token.value.upper())
                depth += token.value.upper() == "IF("
                deepest = max(deepest, depth)
            elif token.type == Token.FUNC:
                depth -= open_functions.pop() == "IF("
        if deepest > 1:
            yield formula.place, f"IF in IF, {deepest} deep: {formula.text}"


@rule
def length(book: Workbook) -> Found:
    """A formula is one short line."""
    for formula in book.formulas:
        if len(formula.text) > LONGEST or "\n" in formula.text:
            yield formula.place, f"{len(formula.text)} characters: {formula.text}"


@rule
def same_across(book: Workbook) -> Found:
    """A row has one formula, which moves with the column; an empty column begins another table."""
    first: dict[tuple[str, int], Formula] = {}
    last: dict[tuple[str, int], int] = {}
    for formula in book.readable:
        line = formula.sheet, formula.row
        if last.get(line, formula.column) < formula.column - 1:
            del first[line]
        last[line] = formula.column
        start = first.setdefault(line, formula)
        if formula.repeated is None and formula is not start:
            moved = Translator(start.text, start.address).translate_formula(formula.address)
            if moved != formula.text:
                yield formula.place, f"{formula.text} beside {start.text}"
        if formula.column < FIRST_CANDIDATE.get(formula.sheet, 1):
            yield formula.place, "a formula among labels"


@rule
def references(book: Workbook) -> Found:
    """Sheets exist, references are cells, and a range stands only where a function takes one."""
    for formula in book.different:
        for sheet, area in formula.references():
            if sheet is not None and (sheet not in book.titles or "[" in sheet):
                yield formula.place, f"no sheet {sheet!r}"
            if not CELL.match(area) and area not in book.book.defined_names:
                yield formula.place, f"{area} is no cell and no name"
        inside: list[str] = []
        for token in formula.tokens:
            if token.type == Token.FUNC:
                inside.append(
                    token.value.rstrip("(").upper()
                ) if token.subtype == Token.OPEN else inside.pop()
            several = token.type == Token.OPERAND and token.subtype == Token.RANGE and ":" in token.value
            if several and (not inside or inside[-1] not in TAKE_RANGES | book.known(formula)):
                yield formula.place, f"range {token.value} where one cell is needed"


@rule
def circles(book: Workbook) -> Found:
    """No cell is calculated from itself."""
    cells = {(f.sheet, f.column, f.row): f for f in book.readable}
    state: dict[tuple[str, int, int], int] = {}
    for start in cells:
        todo = [(start, False)]
        while todo:
            key, leaving = todo.pop()
            if leaving:
                state[key] = 2
            elif key not in state:
                state[key] = 1
                todo.append((key, True))
                todo += [(k, False) for k in _read(cells[key]) if k in cells and state.get(k) != 2]
            elif state[key] == 1:
                yield cells[key].place, "is calculated from itself"
                state[key] = 2


def _read(formula: Formula) -> Iterator[tuple[str, int, int]]:
    for sheet, (left, top, right, bottom) in formula.areas:
        for column in range(left, right + 1):
            for row in range(top, bottom + 1):
                yield sheet, column, row


# ---- cells


@rule
def texts(book: Workbook) -> Found:
    """Text that looks like a formula is text, and stays it when somebody edits the cell."""
    for sheet in book.sheets:
        for cell in written(sheet):
            if cell.data_type == "s" and str(cell.value)[:1] in "=+-@\t" and not cell.quotePrefix:
                what = f"text {str(cell.value)[:30]!r} without quote prefix"
                yield f"{sheet.title}!{cell.coordinate}", what


@rule
def locks(book: Workbook) -> Found:
    """Sheets are protected; what may be changed is open, looks like it and has a rule; formulas are locked."""
    for sheet in book.sheets:
        if not sheet.protection.sheet:
            yield sheet.title, "is not protected"
        ruled = {
            cell for each in sheet.data_validations.dataValidation for cell in _cells_of(str(each.sqref))
        }
        table = sheet.title not in (*INPUT_SHEETS, *CALCULATED, "About")
        looks: dict[int, tuple[bool, bool]] = {}
        for cell in written(sheet):
            place = f"{sheet.title}!{cell.coordinate}"
            if cell.style_id not in looks:
                fill = cell.fill
                looks_open = fill.fgColor.rgb in {"FFFFF8DC", "FFFCFCF5"} and fill.fill_type == "solid"
                looks[cell.style_id] = looks_open, bool(cell.protection.locked)
            looks_open, locked = looks[cell.style_id]
            if cell.data_type == "f" and not locked:
                yield place, "formula is not locked"
            if looks_open == locked:
                yield place, "is open but does not look like it, or the other way round"
            if not locked and not table and cell.coordinate not in ruled:
                yield place, "input without a rule"


def _cells_of(areas: str) -> Iterator[str]:
    for area in areas.split():
        left, top, right, bottom = range_boundaries(area)
        assert left and top and right and bottom
        yield from (
            f"{get_column_letter(c)}{r}" for c in range(left, right + 1) for r in range(top, bottom + 1)
        )


@rule
def separation(book: Workbook) -> Found:
    """Inputs and tables hold no formulas; Summary only shows what other sheets calculate."""
    for formula in book.readable:
        if formula.sheet not in CALCULATED:
            yield formula.place, "a formula on a sheet of inputs or facts"
        if formula.sheet == "Summary":
            own = [
                area
                for sheet, area in formula.references()
                if sheet not in {"Options", "Calculation", "Checks"}
            ]
            if own or not list(formula.references()):
                yield formula.place, f"calculates by itself: {formula.text}"


@rule
def units(book: Workbook) -> Found:
    """Every row of numbers says its unit; a drop-down of ids needs none."""
    for title, column in UNIT_COLUMN.items():
        if title not in book.titles:
            continue
        sheet = book.book[title]
        listed = {
            c
            for each in sheet.data_validations.dataValidation
            if each.type == "list"
            for c in _cells_of(str(each.sqref))
        }
        rows = {
            cell.row: None
            for cell in written(sheet)
            if cell.row > HEAD and cell.column >= FIRST_CANDIDATE[title] and cell.column != column
            if cell.data_type in "nf" and cell.value is not None and cell.coordinate not in listed
        }
        for row in rows:
            if not sheet.cell(row, column).value:
                yield f"{title}!{get_column_letter(column)}{row}", f"no unit of {book.label(title, row)!r}"


# ---- the book


@rule
def checks(book: Workbook) -> Found:
    """One flag a candidate says whether all its checks hold; where it does, Summary and Checks have no error.

    On Calculation a fact that is not known may stand as #N/A, as long as no result reads it.
    """
    if "Checks" not in book.titles:
        yield "Checks", "no such sheet"
        return
    flags, formulas = book.values["Checks"], book.book["Checks"]
    for index in range(formulas.max_column - 2):
        flag = f"{get_column_letter(3 + index)}{HEAD + 1}"
        if not str(formulas[flag].value).startswith("=MIN("):
            yield f"Checks!{flag}", "no overall flag"
        elif flags.get(flag) == 1:
            for title in ("Summary", "Checks"):
                column = get_column_letter(FIRST_CANDIDATE[title] + index)
                for row in range(HEAD + 1, book.book[title].max_row + 1):
                    value = book.values[title].get(f"{column}{row}")
                    if isinstance(value, CellError):
                        yield f"{title}!{column}{row}", f"{value} although all checks hold"


@rule
def package(book: Workbook) -> Found:
    """No macros, external links, calculation chains, hidden sheets or merged cells."""
    for part in book.parts:
        if re.search(r"vbaProject|externalLink|calcChain|customXml|\.bin$", part):
            yield part, "does not belong into the file"
        if part.endswith(".rels") and b'TargetMode="External"' in book.parts[part]:
            yield part, "an external link"
    for sheet in book.sheets:
        if sheet.sheet_state != "visible":
            yield sheet.title, "is hidden"
        if sheet.merged_cells.ranges:
            yield sheet.title, "has merged cells"


@rule
def about(book: Workbook) -> Found:
    """About says program and version, the catalogue's hash, and what the assumptions were fitted to."""
    if "About" not in book.titles:
        yield "About", "no such sheet"
        return
    said = {
        str(row[0].value or ""): str(row[1].value or "") for row in book.book["About"].iter_rows(max_col=2)
    }
    if not re.match(r"tokensheet \d", said.get("Program", "")):
        yield "About", "no version of the program"
    if not re.fullmatch(r"[0-9a-f]{64}", said.get("Catalogue hash", "")):
        yield "About", "no hash of the catalogue"
    if not any(label.startswith("Profile ") for label in said):
        yield "About", "no profile of assumptions"


@rule
def titles(book: Workbook) -> Found:
    """Sheet titles keep the rules of all programs."""
    seen: set[str] = set()
    for title in book.book.sheetnames:
        if not 0 < len(title) <= 31 or re.search(r"[][:*?/\\]", title) or title.strip("'") != title:
            yield title, "is no title for a sheet"
        if title.lower() in seen or title.lower() == "history":
            yield title, "is taken"
        seen.add(title.lower())


def name_problem(name: str) -> str:
    """Why a name of a cell or a table is not one in every program."""
    cell = re.fullmatch(r"([A-Za-z]{1,3})0*([1-9][0-9]{0,6})", name)
    if cell:
        column = 0
        for letter in cell[1].upper():
            column = column * 26 + ord(letter) - 64
        if column <= 16_384 and int(cell[2]) <= 1_048_576:
            return "is a cell"
    if re.fullmatch(r"[Rr]\d*([Cc]\d*)?(_.*)?|[Cc]\d*(_.*)?", name):
        return "is a reference by row and column"
    if name.upper() in {"TRUE", "FALSE"}:
        return "is a constant"
    if not re.fullmatch(r"[^\W\d][\w.]*|\\[\w.]*|_[\w.]*", name) or len(name) > 255:
        return "is no name"
    return ""


@rule
def names(book: Workbook) -> Found:
    """Names of cells and tables are names in every program, unique without case, and lead somewhere."""
    taken: set[tuple[str, str]] = set()

    def problems(name: str, scope: str = "") -> Found:
        if problem := name_problem(name):
            yield name, problem
        if (scope, name.lower()) in taken:
            yield name, "is taken"
        taken.add((scope, name.lower()))

    scoped = [(n, d, "") for n, d in book.book.defined_names.items()]
    scoped += [(n, d, s.title) for s in book.sheets for n, d in s.defined_names.items()]
    for name, definition, scope in scoped:
        yield from problems(name, scope)
        if name.upper() in book.lambdas:
            continue
        target = str(definition.attr_text or "")
        sheet_name = target.rpartition("!")[0].strip("'")
        if target.startswith("=") or sheet_name not in book.titles:
            yield name, f"leads to {target!r}, which is no cell of a sheet"
    for sheet in book.sheets:
        for table in sheet.tables.values():
            yield from problems(table.displayName)
            yield from ((table.displayName, what) for what in _header_problems(sheet, table))


def _header_problems(sheet: Worksheet, table: Any) -> Iterator[str]:
    left, top, right, _ = range_boundaries(table.ref)
    assert left and top and right
    heads = [sheet.cell(top, c).value for c in range(left, right + 1)]
    texts = [h.lower() for h in heads if isinstance(h, str) and h]
    if len(texts) < len(heads) or len(set(texts)) < len(texts):
        yield f"column titles {heads} are not different texts"


@rule
def lambdas(book: Workbook) -> Found:
    """A LAMBDA is within what Excel takes, calls what it knows, and reads its own names and sheets that exist."""
    for name, formula in book.lambdas.items():
        if len(formula.text) - 1 > LONGEST_LAMBDA:
            yield name, f"{len(formula.text) - 1} characters"
        if len(book.book.defined_names[formula.address].comment or "") > LONGEST_COMMENT:
            yield name, "a comment that is too long"
        if problem := unreadable(formula):
            yield name, problem
            continue
        for called in sorted(formula.functions - IN_LAMBDAS - book.lambdas.keys()):
            yield name, f"{called} is not one of the functions in use"
        arguments, most = [0], 0
        for token in formula.tokens:
            if token.subtype == Token.OPEN:
                arguments.append(1)
            elif token.subtype == Token.CLOSE:
                most = max(most, arguments.pop())
            arguments[-1] += token.type == Token.SEP and token.subtype == Token.ARG
        if most > MOST_ARGUMENTS:
            yield name, f"{most} arguments"
        said = set(re.findall(r"_xl[op][pm]\.(\w+),", formula.text))
        for title, area in formula.references():
            if title is not None and title not in book.titles:
                yield name, f"no sheet {title!r}"
            elif title is None and area.rpartition(".")[2] not in said:
                yield name, f"{area} is no cell and no name"


@rule
def lists(book: Workbook) -> Found:
    """A drop-down takes its items from cells; a rule's own formula can be read."""
    for sheet in book.sheets:
        for each in sheet.data_validations.dataValidation:
            place = f"{sheet.title}!{each.sqref}"
            for text in filter(None, (each.formula1, each.formula2)):
                formula = Formula(sheet.title, 0, 0, f"={text}", name=str(each.sqref))
                if each.type == "list" and text.startswith('"'):
                    yield place, f"a list of {len(text)} characters in the rule itself"
                elif text.startswith("="):
                    yield place, "a rule's formula has no ="
                elif problem := unreadable(formula):
                    yield place, problem
                else:
                    for title, _ in formula.references():
                        if title is not None and title not in book.titles:
                            yield place, f"no sheet {title!r}"
            if each.type == "list" and ":" not in str(each.formula1):
                yield place, "a list that is no range"


@rule
def stored(book: Workbook) -> Found:
    """Every formula has a value for programs that do not calculate, and errors are only those of all programs."""
    for formula in book.formulas:
        value = book.values[formula.sheet].get(formula.address)
        if isinstance(value, CellError) and value not in ERRORS:
            yield formula.place, f"error {value}"
    empty = sum(
        part.count(b"<v></v>") + part.count(b"<v/>") + part.count(b"<v />") for part in book.parts.values()
    )
    texts = sum(len(re.findall(rb't="str"[^>]*><f>[^<]*</f><v></v>', part)) for part in book.parts.values())
    if empty > texts:
        yield "package", f"{empty - texts} formulas without a value"
