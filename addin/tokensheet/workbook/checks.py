"""The Checks sheet: each check as 1 or 0, warnings apart, and what they come to in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from openpyxl.formatting.rule import Rule
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from tokensheet.declare import Verdict
from tokensheet.failure import Failure
from tokensheet.graph import Inner
from tokensheet.printing.excel import number_text
from tokensheet.texts import Phrase, Text, capital, say
from tokensheet.workbook import row_keys, styles
from tokensheet.workbook.cells import NARROWER, Book, breadth, head_row, page, pages_across, widths
from tokensheet.workbook.columns import calculated, candidate_names
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.dump import shown
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.labels import label_of
from tokensheet.workbook.layout import CHECKS, FIRST_ROW, Cell
from tokensheet.workbook.wording import FAILS, HOLD, NO_ANSWER, NONE, slot_of, with_slot, word

LABEL_WIDTH, WORDS_WIDTH = 60, 22
"""Widths of the labels, and of a candidate's column here and on Summary, whose texts are wrapped."""
FACTS = say("Facts that the catalogue states; a result needs only some of them")

Check = tuple[Text, str, str]
"""Label, key of a row of the calculation, and what makes it hold: flag, number, chosen or chosen if any."""


def check_rows(contents: Contents) -> list[Check]:
    """Every check of the workbook except warnings: records, inputs, the formulas' own checks, results."""
    found: list[Check] = []
    for reference, name in {"profile": "profile", **contents.roles}.items():
        role = contents.registry.roles[name]
        optional = role.supplies or role.follows
        kind = "chosen if any" if optional else "chosen"
        what = capital(Phrase(role.text))
        found.append((say("{what} is in the catalogue, once", what=what), reference, kind))
    names = dict.fromkeys(leaf.name for leaf in contents.graph.leaves if not leaf.role)
    for name in [*names, *(n for n in contents.registry.limits if n in contents.row_of and n not in names)]:
        found.append((say("{name} is given and in range", name=name), name, "number"))
    for node in contents.graph.inner:
        if (
            node.formula.message
            and not node.formula.warning
            and node.key.partition(".")[0] not in contents.registry.limits
        ):
            found.append((label_of(node.formula), node.key, "flag"))
    for result in contents.proposal.results:
        label = label_of(contents.registry.nodes[result])
        found.append((say("{label} has an answer", label=label), result, "number"))
    return found


def _test(contents: Contents, index: int, key: str, kind: str) -> str:
    """A check's formula: 1 or 0, whatever its cell holds."""
    if kind == "number":
        return f"IF(ISNUMBER({calculated(contents, index, key)}),1,0)"
    if kind == "flag":
        return f"IFERROR(IF({calculated(contents, index, key)}=1,1,0),0)"
    if kind == "warning":  # what has no answer warns of nothing
        return f"IFERROR(IF({calculated(contents, index, key)}=0,0,1),1)"
    place, id = (
        calculated(contents, index, row_keys.place_of(key)),
        calculated(contents, index, row_keys.id_of(key)),
    )
    chosen = f"IF(ISNUMBER({place}),1,0)"
    return chosen if kind == "chosen" else f'MAX({chosen},IFERROR(IF({id}="",1,0),0))'


def _holds(contents: Contents, index: int, key: str, kind: str) -> float:
    """The same from what the rows show."""
    if kind.startswith("chosen"):
        good = not isinstance(contents.shown(index, row_keys.place_of(key)), str)
        return float(good or (kind == "chosen if any" and contents.shown(index, row_keys.id_of(key)) == ""))
    cell = contents.shown(index, key)
    if kind == "warning":
        return float(isinstance(cell, str) or cell != 0)
    return float(not isinstance(cell, str) and (kind == "number" or cell == 1))


def check_values(contents: Contents, index: int) -> list[float]:
    """Each check of a candidate as 1 or 0."""
    return [_holds(contents, index, key, kind) for _, key, kind in check_rows(contents)]


def checks(book: Book, contents: Contents) -> None:
    """Each check as 1 or 0, the smallest at the top; warnings below."""
    sheet = book.sheet(CHECKS, "9C1C1C")
    book.title(
        sheet,
        say("Checks"),
        say("1 holds, 0 does not. The first row is the smallest of its column; warnings do not count in it."),
    )
    book.header(sheet, FIRST_ROW - 1, (say("Check"), say("Name")))
    candidate_names(book, sheet, contents, 3)
    rows = check_rows(contents)
    first, count = FIRST_ROW + 1, len(contents.names)
    last = first + len(rows) - 1
    book.text(sheet, FIRST_ROW, 1, say("All checks of the candidate"), styles.BOLD)
    flags = [check_values(contents, i) for i in range(count)]
    for i in range(count):
        letter = get_column_letter(3 + i)
        total = f"MIN({letter}{first}:{letter}{last})"
        book.formula(sheet, FIRST_ROW, 3 + i, total, min(flags[i]), font=styles.BOLD)
    for offset, (label, key, kind) in enumerate(rows):
        row = first + offset
        book.text(sheet, row, 1, label)
        book.text(sheet, row, 2, key, styles.NOTE)
        for i in range(count):
            book.formula(sheet, row, 3 + i, _test(contents, i, key, kind), flags[i][offset])
    row = last + 2
    book.section(sheet, row, say("Warnings"), 2 + count)
    for node in warning_nodes(contents):
        row += 1
        book.text(sheet, row, 1, label_of(node.formula))
        book.text(sheet, row, 2, node.key, styles.NOTE)
        for i in range(count):
            holds = _holds(contents, i, node.key, "warning")
            book.formula(sheet, row, 3 + i, _test(contents, i, node.key, "warning"), holds)
    area = f"C{FIRST_ROW}:{get_column_letter(2 + count)}{row}"
    wrong = f"AND(ISNUMBER(C{FIRST_ROW}),C{FIRST_ROW}=0)"  # an empty cell is no check that fails
    sheet.conditional_formatting.add(area, Rule(type="expression", formula=[wrong], dxf=styles.BAD))
    _words(book, sheet, contents)
    _facts(book, sheet, contents)
    widths(sheet, (LABEL_WIDTH, 30, *([WORDS_WIDTH] * count)))
    head_row(sheet, FIRST_ROW - 1, contents.names, WORDS_WIDTH)
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"C{FIRST_ROW}", wide=pages_across(sheet, contents.names, "A:B"))


@dataclass(frozen=True)
class InWords:
    """A row of Checks in words: where it stands, its label, and what it says of a candidate."""

    row: int
    label: Text
    text: Callable[[Contents, int], Phrase]
    verdict: Verdict | None = None


def in_words(contents: Contents) -> list[InWords]:
    """Rows of Checks that say in words what its numbers come to; above that of a verdict stands what is missing."""
    warnings = len(warning_nodes(contents))
    row, found = FIRST_ROW + len(check_rows(contents)) + warnings + 6, list[InWords]()
    for verdict in contents.verdicts:

        def text(contents: Contents, index: int, verdict: Verdict = verdict) -> Phrase:
            return _verdict_text(contents, index, verdict)

        found.append(InWords(row, capital(Phrase(verdict.text)), text, verdict))
        row += 2
    last = row - 1 if found else row
    found.append(InWords(last, say("Checks"), _check_text))
    if warnings:
        found.append(InWords(last + 1, say("Warnings"), _warning_text))
    return found


def _words(book: Book, sheet: Worksheet, contents: Contents) -> None:
    """What is missing as a number, then the rows that Summary shows."""
    rows, count = in_words(contents), len(contents.names)
    first, last = FIRST_ROW + 1, FIRST_ROW + len(check_rows(contents))
    top = rows[0].row - (2 if rows[0].verdict else 1)
    book.section(sheet, top, say("In words"), 2 + count)
    for each in rows:
        if each.verdict:
            _missing(book, sheet, contents, each.row - 1, each.verdict)
        book.text(sheet, each.row, 1, each.label)
        for i in range(count):
            letter = get_column_letter(3 + i)
            if each.verdict:
                fails = with_slot(contents, Phrase(each.verdict.fails), f"{letter}{each.row - 1}")
                holds = word(contents, Phrase(each.verdict.holds))
                flag = calculated(contents, i, each.verdict.check)
                text = f"IFERROR(IF({flag}=1,{holds},{fails}),{word(contents, NO_ANSWER)})"
            elif each.text is _warning_text:
                top, end = last + 3, last + 2 + len(warning_nodes(contents))
                found = f"INDEX($A${top}:$A${end},MATCH(0,{letter}${top}:{letter}${end},0))"
                text = f"IFERROR({with_slot(contents, FAILS, found)},{word(contents, NONE)})"
            else:
                found = f"INDEX($A${first}:$A${last},MATCH(0,{letter}${first}:{letter}${last},0))"
                text = (
                    f"IF({letter}${FIRST_ROW}=1,{word(contents, HOLD)},{with_slot(contents, FAILS, found)})"
                )
            said = book.texts(each.text(contents, i))
            book.formula(sheet, each.row, 3 + i, text, said).alignment = styles.RIGHT_WRAP
        sheet.row_dimensions[each.row].height = words_height(book, contents)


def words_height(book: Book, contents: Contents) -> float:
    """Height of a row in words: whatever check it comes to name, its text is not cut."""
    names = [label for label, _, _ in check_rows(contents)] + [
        label_of(n.formula) for n in warning_nodes(contents)
    ]
    longest = max(breadth(book.texts(say(FAILS.english, check=name))) for name in names)
    return 13.5 * max(2, math.ceil(longest * NARROWER / WORDS_WIDTH))


def _facts(book: Book, sheet: Worksheet, contents: Contents) -> None:
    """Which facts the catalogue states for a candidate's records: where a result has no answer, one may be missing."""
    facts = {leaf.key: leaf for leaf in contents.graph.leaves if leaf.role}
    top = in_words(contents)[-1].row + 2
    book.section(sheet, top, FACTS, 2 + len(contents.names))
    for row, key in enumerate(facts, top + 1):
        label = contents.row(key).label
        book.text(sheet, row, 1, label, align=styles.WRAP)
        book.fit(sheet, row, (label, LABEL_WIDTH))
        book.text(sheet, row, 2, key, styles.NOTE)
        for i in range(len(contents.names)):
            known = _holds(contents, i, key, "number")
            book.formula(sheet, row, 3 + i, _test(contents, i, key, "number"), known)


def _missing(book: Book, sheet: Worksheet, contents: Contents, row: int, verdict: Verdict) -> None:
    """How much is missing, in the unit that the words tell."""
    book.text(sheet, row, 1, label_of(contents.registry.nodes[verdict.missing]))
    book.text(sheet, row, 2, slot_of(verdict.fails).strip("{}").upper(), styles.NOTE)
    for i in range(len(contents.names)):
        missing = contents.value(i, verdict.missing)
        value: Cell = CellError(missing.code) if isinstance(missing, Failure) else _tenths(missing, verdict)
        text = f"ROUND({calculated(contents, i, verdict.missing)}/{number_text(verdict.unit)},1)"
        book.formula(sheet, row, 3 + i, text, value)


def _tenths(size: float, verdict: Verdict) -> float:
    """What is missing with one decimal, as ROUND does."""
    return math.floor(size / verdict.unit * 10 + 0.5) / 10


def _check_text(contents: Contents, index: int) -> Phrase:
    """The first check that does not hold, in words."""
    flags = check_values(contents, index)
    return HOLD if min(flags) == 1 else say(FAILS.english, check=check_rows(contents)[flags.index(0)][0])


def _warning_text(contents: Contents, index: int) -> Phrase:
    """The first warning that applies, in words."""
    applying = (n for n in warning_nodes(contents) if _holds(contents, index, n.key, "warning") == 0)
    node = next(applying, None)
    return NONE if node is None else say(FAILS.english, check=label_of(node.formula))


def warning_nodes(contents: Contents) -> list[Inner]:
    """Checks that only warn."""
    return [node for node in contents.graph.inner if node.formula.warning]


def _verdict_text(contents: Contents, index: int, verdict: Verdict) -> Phrase:
    flag, missing = contents.value(index, verdict.check), contents.value(index, verdict.missing)
    if isinstance(flag, Failure) or isinstance(missing, Failure):
        return NO_ANSWER
    if flag == 1:
        return Phrase(verdict.holds)
    slot = slot_of(verdict.fails).strip("{}")
    return say(verdict.fails, **{slot: shown(_tenths(missing, verdict))})
