"""Planning functions as LAMBDA names for Excel 365 without Python, as one workbook has them.

They look records up by id in the catalogue sheets and read nothing else of the workbook but the names and
ranges on the Functions sheet; nothing else of the workbook reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from tokensheet.declare import Assumption, Input, Range
from tokensheet.definition import Field, called
from tokensheet.errors import ExportError
from tokensheet.formula import Formula
from tokensheet.graph import bounds
from tokensheet.schema import KINDS
from tokensheet.texts import Phrase
from tokensheet.workbook.catalogue_tables import named_by_records
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.lambda_functions import Function, Offered, names_read
from tokensheet.workbook.lambda_shared import shared
from tokensheet.workbook.lambda_steps import lambdas_of
from tokensheet.workbook.lambda_text import Lambda
from tokensheet.workbook.layout import FIRST_ROW, FUNCTIONS

ID = "id"
"""Unit of a name that chooses a record."""
COLUMNS = {"names": "B", "units": "D", "above": "G", "least": "H", "most": "I", "whole": "J"}
"""Where the Functions sheet says what all functions share."""


@dataclass(frozen=True)
class Known:
    """A name that arguments or options may have.

    Args:
        name: of a role, an input, an assumption, or a formula or fact whose number may be stated
        text: what it is
        unit: of the number; `id` for a role
        kind: of record, for a role
        bounds: which numbers make sense
    """

    name: str
    text: Phrase
    unit: str
    kind: str
    bounds: Range


class WorkbookFunctions:
    """The functions of one workbook: their names, and where on the Functions sheet everything stands.

    Args:
        contents: of the workbook
        functions: what is asked for; those that read a kind of record without a sheet are left out

    Raises:
        ExportError: none is left.
    """

    def __init__(self, contents: Contents, functions: Iterable[Function]) -> None:
        self.contents, self.registry = contents, contents.registry
        asked, roles = {f.formula.name: f for f in functions}, self.registry.roles
        reads = {name: names_read(f, contents) for name, f in asked.items()}
        self.functions = {
            name: f
            for name, f in asked.items()
            if all(roles[n].kind in contents.tables for n in reads[name] if n in roles)
        }
        if not self.functions:
            sheets = ", ".join(table.sheet for table in contents.tables.values())
            raise ExportError(f"--lambda: no function reads only {sheets}; leave it out for this proposal")
        read = frozenset[str]().union(*(reads[name] for name in self.functions))
        arguments = list(dict.fromkeys(a for f in self.functions.values() for a in f.plain))
        pinnable, chosen = self._pinnable(read, arguments), self._roles(read)
        self.offered = Offered(contents, self.functions, reads, pinnable, chosen)
        self.arguments = [self._known(name) for name in arguments]
        self.options = [self._known(name) for name in self._options(read) if name not in arguments]

    # ---- which names there are

    def _pinnable(self, read: frozenset[str], arguments: Iterable[str]) -> frozenset[str]:
        stated = named_by_records(self.registry, self.contents.tables) | {*self.registry.per_plan, *arguments}
        return frozenset(n for n in stated & read if isinstance(self.registry.nodes.get(n), Formula | Field))

    def _roles(self, read: frozenset[str]) -> frozenset[str]:
        roles = [r for r in self.registry.roles.values() if r.kind in self.contents.tables]
        supplying = {r.name for r in roles if r.supplies and read & set(KINDS[r.kind].quantities())}
        return frozenset({r.name for r in roles if r.name in read} | supplying)

    def _options(self, read: frozenset[str]) -> Iterator[str]:
        """In the order in which a reader expects them; a number that reshapes a record is none."""
        yield from (role for role in self.registry.roles if role in self.offered.roles)
        for kind in (Input, Assumption):
            yield from (n for n, d in self.registry.nodes.items() if n in read and isinstance(d, kind))
        yield from sorted(self.offered.pinnable - self.registry.shaping)

    def _known(self, name: str) -> Known:
        role = self.registry.roles.get(name)
        if role is not None:
            return Known(name, Phrase(role.text), ID, role.kind, Range())
        definition = self.registry.nodes[name]
        return Known(name, Phrase(called(definition)), definition.unit, "", bounds(definition))

    # ---- where they stand

    @property
    def first_argument(self) -> int:
        """Row of the first argument on the Functions sheet: below the functions, a section and titles."""
        return FIRST_ROW + len(self.functions) + 3

    @property
    def first_option(self) -> int:
        """Row of the first option: below the arguments and a section."""
        return self.first_argument + len(self.arguments) + 1

    @property
    def last(self) -> int:
        """Row of the last option."""
        return self.first_option + len(self.options) - 1

    def row(self, argument: str) -> int:
        """Row of an argument."""
        return self.first_argument + [known.name for known in self.arguments].index(argument)

    def area(self, column: str) -> str:
        """The column of all names."""
        return f"{FUNCTIONS}!${column}${self.first_argument}:${column}${self.last}"

    # ---- the names

    @cached_property
    def lambdas(self) -> list[Lambda]:
        """Every name that the workbook gets: functions, their further parts, and what they share."""
        areas = {what: self.area(column) for what, column in COLUMNS.items()}
        tables = {role: self.contents.tables[self.registry.roles[role].kind] for role in self.offered.roles}
        found = [each for f in self.functions.values() for each in lambdas_of(self.offered, f)]
        return [*found, *shared(areas, {role: table.area("id") for role, table in tables.items()})]
