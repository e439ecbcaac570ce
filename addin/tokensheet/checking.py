"""Checks at load: names that a spreadsheet or VBA cannot take, and units that do not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tokensheet import tree
from tokensheet.excel_words import CALC_FUNCTIONS, EXCEL_FUNCTIONS, OWN_FUNCTIONS, VBA_WORDS
from tokensheet.reading import Body
from tokensheet.source import Place
from tokensheet.tree import Node
from tokensheet.units import PLAIN, Unit, parse
from tokensheet.vocabulary import WORDS

OPTIONS = "options"
"""The argument of every function that no node may be called."""

_NAME = re.compile(r"_?[a-z][a-z0-9_]*\Z")
_CELL = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})\Z")
_R1C1 = re.compile(r"(R\d*C\d*|[RC]\d*|[RC]\d+_.*)\Z")


def is_cell_address(name: str) -> bool:
    """Whether a spreadsheet reads the name as a cell: columns A to XFD and a row number."""
    found = _CELL.match(name.upper())
    if not found:
        return False
    letters, row = found.groups()
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column <= 16384 and int(row) <= 1048576


def name_problem(name: str, *, function: bool = False) -> str | None:
    """Why a name cannot stand in a workbook, or None.

    Args:
        name: of a formula, step, input or assumption, as an author writes it
        function: whether it becomes a function in cells as well
    """
    upper = name.upper()
    if not _NAME.match(name):
        return f"name {name!r} must be lower case letters, digits and _, beginning with a letter"
    if len(name) > 60:
        return f"name {name!r} is longer than 60 characters"
    if is_cell_address(name):
        return f"name {name} looks like cell {upper}; choose a name such as {name}_value"
    if _R1C1.match(upper):
        return f"name {name} looks like an R1C1 reference; choose a name such as {name}_value"
    if name in VBA_WORDS:
        return f"name {name} is a word of VBA; choose a name such as {name}_count"
    if function and upper in EXCEL_FUNCTIONS | CALC_FUNCTIONS:
        return f"{upper} is a built-in spreadsheet function; choose a name such as {name}_estimate"
    if function and (upper in OWN_FUNCTIONS or upper.startswith("TS_")):
        return f"{upper} is a function of this program itself; choose a name such as {name}_estimate"
    if name == OPTIONS:
        return "name options is what calls give further names and values with; choose another"
    return None


def check_truths(node: Node, place: Place, wanted: bool = False) -> None:
    """Refuses `a and b` of plain numbers as a value: Python gives b, a cell gives 1.

    Raises:
        FormulaError: with line and caret.
    """
    match node:
        case tree.Binary(op=op, left=a, right=b) if op in tree.LOGIC:
            for part in (a, b):
                if not wanted and not tree.is_truth(part):
                    raise place.error(
                        part.span, f"`{op}` of a number gives no flag", "compare it first: x != 0"
                    )
                check_truths(part, place, wanted)
        case tree.Choice(test=test, then=a, otherwise=b):
            check_truths(test, place, True)
            check_truths(a, place, wanted)
            check_truths(b, place, wanted)
        case tree.Unary(op="not", operand=a):
            check_truths(a, place, True)
        case _:
            for child in tree.children(node):
                check_truths(child, place)


def check_units(body: Body, units: Mapping[str, Unit], stated: Unit) -> None:
    """Walks all steps and the result; a sum of seconds and bytes, or a result in the wrong unit, is refused.

    Args:
        body: the formula as read
        units: unit of each parameter
        stated: unit that the formula says its result has

    Raises:
        FormulaError: with line, caret and both units.
    """
    known = {**units, **step_units(body, units)}
    result = _infer(body.result, known.__getitem__, body.place)
    if result is not None and result != stated:
        raise body.place.error(
            body.result.span,
            f"the result is in {result}",
            f"the formula says unit {stated}; mend one of the two",
        )


def step_units(body: Body, units: Mapping[str, Unit]) -> dict[str, Unit]:
    """Unit of each step, from the units of the parameters.

    Raises:
        FormulaError: a step mixes units; with line, caret and both units.
    """
    known = dict(units)
    for step in body.steps:
        known[step.name] = _infer(step.tree, known.__getitem__, body.place) or PLAIN
    return {step.name: known[step.name] for step in body.steps}


def _infer(node: Node, unit_of: Callable[[str], Unit], place: Place) -> Unit | None:
    """The node's unit; None for a literal 0, which suits every unit."""

    def same(parts: tuple[Node, ...], what: str) -> Unit | None:
        units = [(_infer(p, unit_of, place), p) for p in parts]
        stated = [u for u, _ in units if u is not None]
        for unit, part in units:
            if unit is not None and unit != stated[0]:
                raise place.error(
                    part.span, f"{what} mixes {stated[0]} and {unit}", "convert one, or mend a unit"
                )
        return stated[0] if stated else None

    match node:
        case tree.Number(value=v):
            return None if v == 0 else PLAIN
        case tree.Named(unit=text):
            return parse(text)
        case tree.Name(id=name):
            return unit_of(name)
        case tree.Unary(op="-", operand=a):
            return _infer(a, unit_of, place)
        case tree.Unary(operand=a):
            _infer(a, unit_of, place)
            return PLAIN
        case tree.Binary(op=op, left=a, right=b):
            if op in {"+", "-"}:
                return same((a, b), f"`{op}`")
            if op in tree.COMPARISONS:
                same((a, b), f"`{op}`")
                return PLAIN
            left, right = _infer(a, unit_of, place), _infer(b, unit_of, place)
            if op in tree.LOGIC:
                return PLAIN
            if op == "*":
                return None if left is None or right is None else left * right
            if op == "/":
                return None if left is None else left / (right or PLAIN)
            return _power(node, left or PLAIN, right or PLAIN, place)
        case tree.Choice(test=test, then=a, otherwise=b):
            _infer(test, unit_of, place)
            return same((a, b), "the conditional")
        case tree.Call(word=word, args=args):
            if word in {"max", "min"}:
                return same(args, word)
            units = [_infer(a, unit_of, place) or PLAIN for a in args]
            unit = WORDS[word].unit(units)
            if unit is None:
                raise place.error(
                    node.span, f"{word} of {units[0]}", "it takes a plain number; divide by a unit first"
                )
            return unit


def _power(node: tree.Binary, base: Unit, exponent: Unit, place: Place) -> Unit:
    if not exponent.is_plain:
        raise place.error(node.right.span, f"an exponent in {exponent}", "an exponent is a plain number")
    if base.is_plain:
        return PLAIN
    match node.right:
        case tree.Number(value=v):
            return base**v
        case tree.Unary(op="-", operand=tree.Number(value=v)):
            return base**-v
    raise place.error(
        node.right.span, f"{base} to a power that is not a literal", "write the exponent as a number"
    )
