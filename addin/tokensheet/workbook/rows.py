"""Rows of the Calculation sheet: choices, stated numbers, facts and formulas, each with its values.

What a candidate, the inputs, a profile or a record may state gets a row for each of them: the first
that is not empty counts. An empty cell is no number; a text is one that is an error, never skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokensheet.chosen import speakers
from tokensheet.declare import Assumption, Input, Range
from tokensheet.definition import Field
from tokensheet.graph import Inner, Leaf, bounds
from tokensheet.irregular import Missing
from tokensheet.printing.excel import number_text
from tokensheet.proposal import LARGEST
from tokensheet.texts import Phrase, capital, say
from tokensheet.workbook import row_keys
from tokensheet.workbook.calculation import NO_FACT, Column, cell_value
from tokensheet.workbook.catalogue_tables import id_named, profile_value
from tokensheet.workbook.constants import default_name
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.formula_rows import FormulaRows, range_test
from tokensheet.workbook.labels import label_of, spaced
from tokensheet.workbook.layout import INPUTS, Cell, only_match
from tokensheet.workbook.shared_graph import role_of

Speaker = tuple[str, Column, Sequence[Cell]]
"""Who may state a number: in words, in which cell, with which values."""


def write_rows(contents: Contents) -> None:
    """Fills the calculation of a workbook, or of its variants, and holds it against the engine's values."""
    _Writer(contents).write()
    contents.check_rows()


class _Writer(FormulaRows):
    def __init__(self, contents: Contents) -> None:
        super().__init__(contents)
        self.contents = contents

    def write(self) -> None:
        self.heading(say("Choices: ids and their places in the catalogue"))
        for reference, role in {"profile": "profile", **self.contents.roles}.items():
            self.choice(reference, role)
        self.heading(say("Inputs and assumptions in use"))
        for leaf in self.graph.leaves:
            if isinstance(leaf.definition, Input | Assumption):
                self.given(leaf.name, leaf.definition)
        for name in sorted(self.contents.pinnable):
            self.pin(name)
        self.heading(say("Facts of the chosen records"))
        for leaf in self.graph.leaves:
            if isinstance(leaf.definition, Field):
                self.fact(leaf, leaf.definition)
        self.heading(say("Calculation"))
        for node in self.graph.inner:
            self.limited(node) if node.name in self.registry.limits else self.formula(node)

    # ---- choices of records

    def choice(self, reference: str, role: str) -> None:
        declared = self.registry.roles[role]
        table = self.contents.tables[declared.kind]
        ids = [self.id_value(i, reference, role) for i in range(len(self.contents.names))]
        words = say("the option, else the input, else the default")
        key = self.add(
            row_keys.id_of(reference),
            capital(Phrase(declared.text)),
            "id",
            words,
            "",
            lambda i: self.id(i, reference, role),
            ids,
            reference,
        )
        self.add(
            row_keys.place_of(reference),
            say("Row of {role} in {sheet}", role=spaced(role), sheet=table.sheet),
            "row",
            say("place of the id in {sheet}", sheet=table.sheet),
            "",
            lambda i: only_match(self.at(i, key), table.area("id")),
            [NO_FACT if isinstance(v, CellError) else table.position(str(v)) for v in ids],
            f"{reference} row",
        )

    def id_value(self, i: int, reference: str, role: str) -> Cell:
        """The id that a candidate's cell shows: also where the catalogue has no such record."""
        contents = self.contents
        entry = contents.chosen[i].profile if role == "profile" else contents.record(i, reference)
        if not isinstance(entry, Missing):
            return contents.tables[self.registry.roles[role].kind].id_of(entry)
        owner, _, attribute = reference.rpartition(">")
        if not owner:
            return ""
        if attribute == "id":
            return contents.shown(i, row_keys.id_of(owner))
        followed = contents.record(i, owner)
        return (
            NO_FACT
            if isinstance(followed, Missing)
            else id_named(self.registry, attribute, getattr(followed.record, attribute))
        )

    def id(self, i: int, reference: str, role: str) -> str:
        contents = self.contents
        cells = [contents.option(i, role)] if role in contents.cells.option_row else []
        if role in contents.cells.input_row:
            cells.append(f"{INPUTS}!$C${contents.cells.input_row[role]}")
        owner, _, attribute = reference.rpartition(">")
        default = self.registry.roles[role].default
        if owner:
            table = contents.tables[self.registry.roles[role_of(self.registry, owner)].kind]
            named = (
                f'INDEX({table.area(attribute)},{self.at(i, row_keys.place_of(owner))})&""'
                if attribute != "id"
                else ""
            )
            cells.append(named or self.at(i, row_keys.id_of(owner)))
        elif default is not None:
            cells.append(f'"{default}"')
        text = cells[-1]
        for cell in reversed(cells[:-1]):
            text = f'IF({cell}<>"",{cell},{text})'
        return f'{text}&""'

    # ---- numbers that somebody states

    def who_states(self, name: str) -> list[Speaker]:
        """Who may state a number, strongest first; an empty text is no number."""
        contents, found = self.contents, list[Speaker]()
        if name in contents.cells.option_row:
            cell = next(c for c in contents.cells.options if c.name == name)
            found.append(("option", lambda i: contents.option(i, name), [_stated(v) for v in cell.values]))
        if name in contents.cells.input_row:
            address = f"{INPUTS}!$C${contents.cells.input_row[name]}"
            start = next(c for c in contents.cells.inputs if c.name == name).values[0]
            found.append(("input", lambda i: address, [_stated(start)] * len(contents.names)))
        return found + self.records_that_state(name)

    def records_that_state(self, name: str) -> list[Speaker]:
        """Records that may state a number by its own name, strongest first."""
        found = list[Speaker]()
        for role in speakers(self.registry, name):
            if role == "profile":
                found += self.by_profile(name)
            elif role in self.contents.roles.values():
                found.append(self.supplied_by(name, role))
        return found

    def by_profile(self, name: str) -> list[Speaker]:
        """The profile's column, if it has one for the name."""
        profile = self.contents.tables["profile"]
        if name not in {column[0] for column in profile.columns}:
            return []
        place = row_keys.place_of("profile")
        values = [_stated(profile_value(self.registry, name, c.profile)) for c in self.contents.chosen]
        return [("profile", lambda i: f"INDEX({profile.area(name)},{self.at(i, place)})", values)]

    def supplied_by(self, name: str, role: str) -> Speaker:
        """A row with a chosen record's number for a node; a role that is not chosen states none."""
        definition, table = self.registry.nodes[name], self.contents.tables[self.registry.roles[role].kind]
        stated = [
            _stated(c.entries[role].record.number(name) if role in c.entries else None)
            for c in self.contents.chosen
        ]
        words = role.replace("_", " ")

        def formula(i: int) -> str:
            found = f"INDEX({table.area(name)},{self.at(i, row_keys.place_of(role))})"
            return f'IF({self.at(i, row_keys.id_of(role))}="","",IF({found}="","",{found}))'

        label = say("{label}: {role} chosen", label=label_of(definition), role=spaced(role))
        said = say("{name} of the {role}, if one is chosen", name=name, role=spaced(role))
        key = self.add(
            row_keys.supplied(name, role), label, definition.unit, said, table.sheet, formula, stated
        )
        return (words, lambda i: self.at(i, key), stated)

    def chain(self, name: str, speaking: Sequence[Speaker]) -> tuple[str, list[Cell]]:
        """Rows that pick the first number stated; gives the last row's key and values."""
        definition = self.registry.nodes[name]
        default = definition.default if isinstance(definition, Input) else None  # others stand in profiles
        otherwise = '""' if default is None else self.number(default, default_name(name))
        key, below = "", [_stated(default)] * len(self.contents.names)
        for words, cell, own in reversed(speaking):
            last = not key
            rest = "" if not last else "none" if default is None else number_text(default)
            values = [b if o == "" else o for o, b in zip(own, below, strict=True)]

            def formula(i: int, cell: Column = cell, key: str = key) -> str:
                return f'IF({cell(i)}="",{self.at(i, key) if key else otherwise},{cell(i)})'

            key = self.add(
                row_keys.first_by(words, name),
                say("{label}: {who}", label=label_of(definition), who=Phrase(words)),
                definition.unit,
                self.first_stated(words, rest),
                "",
                formula,
                values,
                f"{name} by {words}",
            )
            below = values
        return key, below

    def first_stated(self, who: str, otherwise: str) -> Phrase:
        """What a row of a chain takes: else `none`, a number, or, where nothing is said, the row above."""
        if not otherwise:
            return say("the {who} if stated, else the row above", who=Phrase(who))
        if otherwise == "none":
            return say("the {who} if stated, else none", who=Phrase(who))
        return say("the {who} if stated, else {number}", who=Phrase(who), number=otherwise)

    def given(self, name: str, definition: Input | Assumption) -> None:
        key, values = self.chain(name, self.who_states(name))
        self.in_range(name, key, definition, values)

    def pin(self, name: str) -> None:
        """A result or a fact that may be stated: empty, or the number that stands in for it."""
        speaking = self.who_states(name)
        if speaking:
            definition = self.registry.nodes[name]
            key, values = self.chain(name, speaking)
            self.add(
                row_keys.stated(name),
                say("{label}, stated", label=label_of(definition)),
                definition.unit,
                say("the number stated; a text and a number below 0 are errors"),
                "",
                lambda i: _stated_or_none(self.at(i, key), bounds(definition)),
                values,
                f"{name} stated",
            )

    # ---- facts and formulas

    def fact(self, leaf: Leaf, field: Field) -> None:
        contents = self.contents
        table = contents.tables[self.registry.roles[field.role].kind]
        place = row_keys.place_of(leaf.role)

        def formula(i: int) -> str:
            found = f"INDEX({table.area(field.field)},{self.at(i, place)})"
            return f"IF({range_test(found, bounds(field))},{found},NA())"

        known = [contents.fact(i, leaf) for i in range(len(contents.names))]
        values: list[Cell] = [NO_FACT if isinstance(v, Missing) else float(v) for v in known]
        label = capital(Phrase(field.text))
        words = say("{field} of the {role}", field=field.field, role=spaced(contents.roles[leaf.role]))
        stated = row_keys.stated(leaf.name) in contents.row_of
        own = row_keys.unless_stated(leaf.key) if stated else leaf.key
        self.add(own, label, field.unit, words, table.sheet, formula, values)
        if stated:
            final = [cell_value(w.values[leaf.key]) for w in contents.walks]
            self.pinned(leaf.key, leaf.name, label, field.unit, table.sheet, final)

    def limited(self, node: Inner) -> None:
        """An input with a limit: a number stated, or the largest where the option says so."""
        name, definition = node.name, self.registry.nodes[node.name]
        assert isinstance(definition, Input | Assumption)
        called = spaced(name)
        stated, values = self.chain(name, self.who_states(name))
        largest = [cell_value(w.calculated(node.key)) for w in self.contents.walks]
        limit = self.add(
            row_keys.largest(name),
            say("Largest {name}, if there is one", name=called),
            definition.unit,
            str(node.wires["value"]),
            "",
            lambda i: self.checked(i, node),
            largest,
        )
        picked: list[Cell] = [b if v == LARGEST else v for v, b in zip(values, largest, strict=True)]
        key = self.add(
            row_keys.in_use(name),
            say("{name}: number stated or the largest", name=capital(called)),
            definition.unit,
            say("the largest where the row above the last says {word}, else the number stated", word=LARGEST),
            "",
            lambda i: f'IF({self.at(i, stated)}="{LARGEST}",{self.at(i, limit)},{self.at(i, stated)})',
            picked,
        )
        self.in_range(name, key, definition, picked)


def _stated_or_none(cell: str, bounds: Range) -> str:
    """Formula of a number that may stand in for a result or fact: nothing, or what is in range."""
    return f'IF(OR({cell}="",{range_test(cell, bounds)}),{cell},NA())'


def _stated(value: Any) -> Cell:
    """A number as a cell states it; no number is an empty text, and `max` stays what it is."""
    return LARGEST if value == LARGEST else "" if value is None else float(value)
