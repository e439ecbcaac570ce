"""Rows of the Calculation sheet: choices, stated numbers, facts and formulas, each with its values.

What a candidate, the inputs, a profile or a record may state gets a row for each of them: the first
that is not empty counts. An empty cell is no number; a text is one that is an error, never skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokensheet.declare import Assumption, Input, Range
from tokensheet.definition import Field
from tokensheet.graph import Inner, Leaf, bounds
from tokensheet.irregular import Missing
from tokensheet.printing.excel import number_text
from tokensheet.proposal import LARGEST
from tokensheet.schema import KINDS
from tokensheet.texts import Phrase, capital, say
from tokensheet.workbook.constants import default_name
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.formula_rows import NO_FACT, Column, FormulaRows, cell_value, range_test
from tokensheet.workbook.labels import label_of, spaced
from tokensheet.workbook.layout import INPUTS, Cell, only_match
from tokensheet.workbook.plan import Plan

Source = tuple[str, Column, Sequence[Cell]]
"""Who may state a number: in words, in which cell, with which values."""


def write_rows(plan: Plan) -> None:
    """Fills `rows` and `row_of` of a plan."""
    _Writer(plan).write()


class _Writer(FormulaRows):
    def write(self) -> None:
        self.heading(say("Choices: ids and their places in the catalogue"))
        for reference, role in {"profile": "profile", **self.plan.roles}.items():
            self.choice(reference, role)
        self.heading(say("Inputs and assumptions in use"))
        for leaf in self.graph.leaves:
            if isinstance(leaf.definition, Input | Assumption):
                self.given(leaf.name, leaf.definition)
        for name in sorted(self.plan.pinnable):
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
        table = self.plan.tables[declared.kind]
        ids = [self.id_value(i, reference, role) for i in range(len(self.plan.names))]
        words = say("the option, else the input, else the default")
        key = self.add(
            f"id of {reference}",
            capital(Phrase(declared.text)),
            "id",
            words,
            "",
            lambda i: self.id(i, reference, role),
            ids,
            reference,
        )
        self.add(
            f"place of {reference}",
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
        plan, chosen = self.plan, self.plan.chosen[i]
        entry = chosen.profile if role == "profile" else plan.record(reference, chosen)
        if not isinstance(entry, Missing):
            return plan.tables[self.registry.roles[role].kind].id_of(entry)
        owner, _, attribute = reference.rpartition(">")
        if not owner:
            return ""
        if attribute == "id":
            return self.value(i, f"id of {owner}")
        followed = plan.record(owner, chosen)
        return (
            NO_FACT
            if isinstance(followed, Missing)
            else plan.id_named(attribute, getattr(followed.record, attribute))
        )

    def id(self, i: int, reference: str, role: str) -> str:
        plan = self.plan
        cells = [plan.option(i, role)] if role in plan.option_row else []
        if role in plan.input_row:
            cells.append(f"{INPUTS}!$C${plan.input_row[role]}")
        owner, _, attribute = reference.rpartition(">")
        default = self.registry.roles[role].default
        if owner:
            table = plan.tables[self.registry.roles[plan.role_of(owner)].kind]
            named = (
                f'INDEX({table.area(attribute)},{self.at(i, f"place of {owner}")})&""'
                if attribute != "id"
                else ""
            )
            cells.append(named or self.at(i, f"id of {owner}"))
        elif default is not None:
            cells.append(f'"{default}"')
        text = cells[-1]
        for cell in reversed(cells[:-1]):
            text = f'IF({cell}<>"",{cell},{text})'
        return f'{text}&""'

    # ---- numbers that somebody states

    def sources(self, name: str) -> list[Source]:
        """Who may state a number, strongest first; an empty text is no number."""
        plan, found = self.plan, list[Source]()
        if name in plan.option_row:
            cell = next(c for c in plan.options if c.name == name)
            found.append(("option", lambda i: plan.option(i, name), [_stated(v) for v in cell.values]))
        if name in plan.input_row:
            address = f"{INPUTS}!$C${plan.input_row[name]}"
            start = next(c for c in plan.inputs if c.name == name).values[0]
            found.append(("input", lambda i: address, [_stated(start)] * len(plan.names)))
        return found + self.record_sources(name)

    def record_sources(self, name: str) -> list[Source]:
        """The profile, then records that supply numbers, strongest first."""
        plan, found = self.plan, list[Source]()
        profile = plan.tables["profile"]
        if any(c[0] == name for c in profile.columns):
            values = [plan.profile_value(name, c.profile) for c in plan.chosen]
            found.append(
                (
                    "profile",
                    lambda i: f"INDEX({profile.area(name)},{self.at(i, 'place of profile')})",
                    [_stated(v) for v in values],
                )
            )
        for role in plan.roles.values():
            declared = self.registry.roles[role]
            if declared.supplies and name in KINDS[declared.kind].quantities():
                found.append(self.supplied_by(name, role))
        return found

    def supplied_by(self, name: str, role: str) -> Source:
        """A row with a chosen record's number for a node; a role that is not chosen states none."""
        definition, table = self.registry.nodes[name], self.plan.tables[self.registry.roles[role].kind]
        stated = [_stated(c.suppliers.get(name, (None, None))[1]) for c in self.plan.chosen]
        words = role.replace("_", " ")

        def formula(i: int) -> str:
            found = f"INDEX({table.area(name)},{self.at(i, f'place of {role}')})"
            return f'IF({self.at(i, f"id of {role}")}="","",IF({found}="","",{found}))'

        label = say("{label}: {role} chosen", label=label_of(definition), role=spaced(role))
        said = say("{name} of the {role}, if one is chosen", name=name, role=spaced(role))
        key = self.add(f"{name} of {role}", label, definition.unit, said, table.sheet, formula, stated)
        return (words, lambda i: self.at(i, key), stated)

    def chain(self, name: str, sources: Sequence[Source]) -> tuple[str, list[Cell]]:
        """Rows that pick the first number stated; gives the last row's key and values."""
        definition = self.registry.nodes[name]
        default = definition.default if isinstance(definition, Input) else None  # others stand in profiles
        otherwise = '""' if default is None else self.number(default, default_name(name))
        key, below = "", [_stated(default)] * len(self.plan.names)
        for words, cell, own in reversed(sources):
            last = not key
            rest = "" if not last else "none" if default is None else number_text(default)
            values = [b if o == "" else o for o, b in zip(own, below, strict=True)]

            def formula(i: int, cell: Column = cell, key: str = key) -> str:
                return f'IF({cell(i)}="",{self.at(i, key) if key else otherwise},{cell(i)})'

            key = self.add(
                f"{words} {name}",
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
        key, values = self.chain(name, self.sources(name))
        self.in_range(name, key, definition, values)

    def pin(self, name: str) -> None:
        """A result or a fact that may be stated: empty, or the number that stands in for it."""
        sources = self.sources(name)
        if sources:
            definition = self.registry.nodes[name]
            key, values = self.chain(name, sources)
            self.add(
                f"pin of {name}",
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
        plan = self.plan
        table = plan.tables[self.registry.roles[field.role].kind]
        place = f"place of {leaf.role}"

        def formula(i: int) -> str:
            found = f"INDEX({table.area(field.field)},{self.at(i, place)})"
            return f"IF({range_test(found, bounds(field))},{found},NA())"

        known = [plan.fact(leaf, c) for c in plan.chosen]
        values: list[Cell] = [NO_FACT if isinstance(v, Missing) else float(v) for v in known]
        label = capital(Phrase(field.text))
        words = say("{field} of the {role}", field=field.field, role=spaced(plan.roles[leaf.role]))
        stated = f"pin of {leaf.name}" in plan.row_of
        own = f"{leaf.key} unless stated" if stated else leaf.key
        self.add(own, label, field.unit, words, table.sheet, formula, values)
        if stated:
            final = [cell_value(w.values[leaf.key]) for w in plan.walks]
            self.pinned(leaf.key, leaf.name, label, field.unit, table.sheet, final)

    def limited(self, node: Inner) -> None:
        """An input with a limit: a number stated, or the largest where the option says so."""
        name, definition = node.name, self.registry.nodes[node.name]
        assert isinstance(definition, Input | Assumption)
        called = spaced(name)
        stated, values = self.chain(name, self.sources(name))
        largest = [cell_value(w.calculated(node.key)) for w in self.plan.walks]
        limit = self.add(
            f"largest {name}",
            say("Largest {name}, if there is one", name=called),
            definition.unit,
            str(node.wires["value"]),
            "",
            lambda i: self.checked(i, node),
            largest,
        )
        picked: list[Cell] = [b if v == LARGEST else v for v, b in zip(values, largest, strict=True)]
        key = self.add(
            f"{name} in use",
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
