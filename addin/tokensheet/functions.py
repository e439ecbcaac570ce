"""The functions of cells, for every front door: those of formulas, and those about them.

Answers are plain values (float, text, bool), a `Failure`, or rows of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tokensheet.arguments import error_cell
from tokensheet.cell_function import Argument, CellFunction
from tokensheet.declare import Assumption, Input
from tokensheet.definition import meaning
from tokensheet.errors import ArgumentError, CellTextError, TokensheetError, UnknownNameError, hint
from tokensheet.failure import Failure
from tokensheet.former import Former
from tokensheet.formula import Formula
from tokensheet.own_functions import OwnFunctions
from tokensheet.planning import Planner

LONGEST_TEXT = 255
OPTIONS_TEXT = 'further names and values: two columns, or text such as "tp=4; profile=ideal"'


class Functions:
    """All functions of one planner."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.table: dict[str, CellFunction] = {}
        for name, formula in planner.registry.functions.items():
            self.table[name] = self._of_formula(name, formula)
        self.own = OwnFunctions(self)
        for function in self.own.table():
            self.table[function.name] = function
        for old, former in planner.registry.former.items():
            if former.alias.new.upper() in self.table:
                self.table[old.upper()] = self._former(old.upper(), former)

    def call(self, name: str, values: Sequence[Any]) -> Any:
        """The answer of a function; a wrong question is a Failure like any other."""
        function = self.table.get(name)
        if function is None:
            if name.lower() in self.planner.registry.broken:
                return Failure(self.planner.registry.broken[name.lower()], UnknownNameError)
            near = hint(name.lower(), (n.lower() for n in self.table))
            return Failure(f"no function named {name}{near}", CellTextError)
        try:
            return function.answer(*values)
        except TokensheetError as error:
            return Failure(f"{name}: {error}", type(error))
        except TypeError:
            if len(values) > len(function.arguments) and not any(a.many for a in function.arguments):
                return Failure(
                    f"{name}: {len(values)} arguments given; it is {function.signature}", ArgumentError
                )
            if len(values) < sum(a.required for a in function.arguments):
                return Failure(
                    f"{name}: {len(values)} arguments given; it is {function.signature}", ArgumentError
                )
            raise

    def _former(self, name: str, former: Former) -> CellFunction:
        """A function under its former name."""
        function = self.table[former.alias.new.upper()]

        def answer(*values: Any) -> Any:
            return self.table[former.new_name().upper()].answer(*values)

        return replace(function, name=name, text=f"Former name: {former.alias.text}.", answer=answer)

    # ---- functions of formulas

    def _of_formula(self, name: str, formula: Formula) -> CellFunction:
        described = []
        for argument in formula.cell or ():
            described.append(Argument(argument, self.describe(argument), argument not in formula.optional))
        names = formula.cell or ()
        node, planner = formula.name, self.planner
        has_options = "options" in names
        numbers = tuple(n for n in names if n != "options")

        def answer(*values: Any) -> Any:
            if len(values) > len(names):
                raise ArgumentError(f"{len(values)} arguments given; it is {self.table[name].signature}")
            given = {n: v for n, v in zip(numbers, values, strict=False) if v is not None and v != ""}
            if has_options and len(values) == len(names) and values[-1] is not None:
                given = planner.merged(given, values[-1])
            for required in numbers:
                if required not in formula.optional:
                    given[required] = self._present(required, given.get(required))
            return self.shaped(planner.answer(node, given), name)

        text = f"{formula.summary} Unit: {formula.unit}."
        if len(text) > LONGEST_TEXT:
            text = formula.summary
        return CellFunction(name, text, tuple(described), answer, formula.unit, formula.source)

    def _present(self, argument: str, value: Any) -> Any:
        """A required argument; an empty cell of it is an error and never the estimate behind its name.

        Raises:
            ArgumentError: it is empty.
        """
        role = self.planner.registry.roles.get(argument)
        definition = self.planner.registry.nodes.get(argument)
        what = role.text if role else meaning(definition) if definition else ""
        lacking = f"{argument} is not given ({what})"
        if value is None:
            raise ArgumentError(lacking)
        if isinstance(value, (list, tuple)):
            return [
                [Failure(lacking) if v is None or v == "" else v for v in row]
                if isinstance(row, (list, tuple))
                else Failure(lacking)
                if row is None or row == ""
                else row
                for row in value
            ]
        return value

    def describe(self, argument: str) -> str:
        """What an argument is, in words."""
        if argument == "options":
            return OPTIONS_TEXT
        role = self.planner.registry.roles.get(argument)
        if role is not None:
            return f"{role.text}: id of the {role.kind} catalogue"
        definition = self.planner.registry.nodes.get(argument)
        if definition is None:
            return argument
        default = definition.default if isinstance(definition, Input | Assumption) else None
        return meaning(definition) + ("" if default is None else f"; {default:g} by default")

    def shaped(self, found: Any, name: str) -> Any:
        """An answer as plain values and rows, failures named after the function."""
        if isinstance(found, Failure):
            return Failure(f"{name}: {found.reason}", found.kind)
        if not hasattr(found, "values"):
            return found
        values = found.values
        if 0 in values.shape:
            return Failure(f"{name}: a range without cells is given", ArgumentError)
        flat: list[Any] = values.reshape(-1).tolist()
        for i, failure in found.failures().items():
            flat[i] = Failure(f"{name}: {failure.reason}", failure.kind)
        if values.ndim == 1:
            return [flat]
        width = values.shape[-1]
        return [flat[i : i + width] for i in range(0, len(flat), width)]


def failure(code: str, reason: str) -> Failure:
    """An error value of cells with its reason."""
    return Failure(reason, error_cell(code).kind)
