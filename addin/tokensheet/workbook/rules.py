"""Rules of input cells: drop-downs of ids, limits of numbers, and what a program says where a reader breaks them."""

from __future__ import annotations

from typing import Literal

from openpyxl.worksheet.datavalidation import DataValidation

from tokensheet.declare import SIGNS
from tokensheet.printing.excel import number_text
from tokensheet.texts import Phrase, Text, Texts, say
from tokensheet.untrusted import LONGEST_NAME
from tokensheet.workbook.labels import LIMITS
from tokensheet.workbook.layout import InputCell

Kind = Literal["list", "custom", "whole", "decimal", "textLength"]
Operator = Literal["between", "greaterThan", "greaterThanOrEqual", "lessThanOrEqual"]
OPERATORS: dict[str, Operator] = {">": "greaterThan", ">=": "greaterThanOrEqual", "<=": "lessThanOrEqual"}
LARGEST_NUMBER = 1e300
LONGEST_TITLE, LONGEST_ERROR = 32, 255
"""Letters that Excel takes."""
OUT_OF_RANGE = say("Out of range")
NOT_IN_CATALOGUE = (
    say("Not in the catalogue"),
    say("Choose an id from the list, or add a row to the catalogue sheet."),
)


def rule(
    cell: InputCell,
    address: str,
    texts: Texts,
    list_area: str | None = None,
    called: Text = "",
    missing: tuple[Text, Text] = NOT_IN_CATALOGUE,
) -> DataValidation:
    """The rule of input cells: a drop-down of ids, limits of a number, or any number.

    Args:
        cell: what the cells are
        address: of the first of them, as the rule's own formula says it
        texts: the reader's language
        list_area: where the ids stand
        called: what the message calls the cells, if not by their name
        missing: title and message for what is not in the list
    """

    def made(
        kind: Kind,
        operator: Operator | None,
        first: str,
        second: str | None = None,
        title: Text = OUT_OF_RANGE,
    ) -> DataValidation:
        return _rule(kind, operator, first, second, texts(title), texts(error))

    if list_area is not None:
        title, error = missing
        return made("list", None, list_area, title=title)
    error = _error(cell, called or cell.name)
    if cell.word:
        test = f'OR({address}="{cell.word}",AND(ISNUMBER({address}){_tests(cell, address)}))'
        return made("custom", None, test)
    kind: Kind = "whole" if cell.whole else "decimal"
    ends = dict(cell.ends)
    if len(ends) < 2:
        sign, bound = next(iter(ends.items()), (">=", -LARGEST_NUMBER))
        return made(kind, OPERATORS[sign], number_text(bound))
    if ">" in ends:
        return made("custom", None, f"AND(ISNUMBER({address}){_tests(cell, address)})")
    return made(kind, "between", number_text(ends[">="]), number_text(ends["<="]))


def name_rule(texts: Texts) -> DataValidation:
    """The rule of a candidate's name."""
    error = say("Give a name of at most {count} characters.", count=LONGEST_NAME)
    return _rule("textLength", "between", "1", str(LONGEST_NAME), texts(say("Too long")), texts(error))


def _error(cell: InputCell, name: Text) -> Phrase:
    """What numbers the cells take, in a sentence."""
    said = [say(LIMITS[SIGNS[sign][0]], bound=bound) for sign, bound in cell.ends]
    if not said:
        return say("{name}: give a whole number." if cell.whole else "{name}: give a number.", name=name)
    words = said[0] if len(said) == 1 else say("{first} and {second}", first=said[0], second=said[1])
    if cell.word:
        return say(
            "{name}: give a number {limits}, or the word {word}.", name=name, limits=words, word=cell.word
        )
    kind = "{name}: give a whole number {limits}." if cell.whole else "{name}: give a number {limits}."
    return say(kind, name=name, limits=words)


def _tests(cell: InputCell, address: str) -> str:
    tests = [f"{address}{sign}{number_text(bound)}" for sign, bound in cell.ends]
    if cell.whole:
        tests.append(f"{address}=INT({address})")
    return "".join(f",{test}" for test in tests)


def _rule(
    kind: Kind, operator: Operator | None, first: str, second: str | None, title: str, error: str
) -> DataValidation:
    found = DataValidation(type=kind, operator=operator, formula1=first, formula2=second, allow_blank=True)
    found.showErrorMessage = True
    found.errorTitle, found.error = title[:LONGEST_TITLE], error[:LONGEST_ERROR]
    return found
