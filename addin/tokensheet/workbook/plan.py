"""Proposal → what a workbook shows: the graph, cells for the reader, catalogue tables, the engine's values.

One graph serves all candidates, so that each row has one formula. `rows.py` writes the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tokensheet.arguments import NodeRef, number
from tokensheet.catalog import Entry
from tokensheet.chosen import Chosen, choose, followed, stated
from tokensheet.declare import Assumption, Input, Owner, Verdict
from tokensheet.definition import Field, called
from tokensheet.errors import ExportError, MissingFactError, TokensheetError
from tokensheet.expanding import expand
from tokensheet.failure import Failure, Value
from tokensheet.graph import Graph, Leaf
from tokensheet.interpret import Interpreter
from tokensheet.irregular import Missing
from tokensheet.needs import needs
from tokensheet.planning import Planner
from tokensheet.proposal import LARGEST, Proposal
from tokensheet.reshaping import reshaped
from tokensheet.schema import KINDS
from tokensheet.texts import Phrase
from tokensheet.workbook.cells import clean
from tokensheet.workbook.constants import constants_of
from tokensheet.workbook.input_cells import input_cells
from tokensheet.workbook.layout import CatalogTable, Row, option_cell

FIRST_ROW = 5
"""First row of Calculation below its titles; Inputs and Options use the same."""


class Plan:
    """All that one workbook shows.

    Args:
        planner: catalogue and formulas
        proposal: candidates, inputs and results
        extras: further formulas to calculate, which need no input of their own
        profiled: names besides, for which Profiles has a column where a profile may state them

    Attributes:
        graph: the nodes behind the asked results
        roles: reference as the graph has it (`gpu>link`) → the role's own name
        tables: catalogue sheets by kind
        pinnable: formulas and facts whose number a candidate, the inputs, a profile or a system may state
        inputs: cells that count for all candidates
        options: cells of single candidates
        constants: named constants that formulas use
        walks: the engine's values, one walk a candidate
        rows: the calculation, `row_of` their row numbers by key
    """

    def __init__(
        self, planner: Planner, proposal: Proposal, extras: Iterable[str] = (), profiled: Iterable[str] = ()
    ) -> None:
        self.planner, self.registry, self.proposal = planner, planner.registry, proposal
        self.extras, self.profiled = tuple(extras), frozenset(profiled)
        self.names = [clean(c.name) for c in proposal.candidates]
        self.common = self._with_ids(proposal.common)
        self.single = [self._with_ids(c.given) for c in proposal.candidates]
        self._reshape()
        self.given = [{**self.common, **each} for each in self.single]
        self.graph: Graph = expand(self.registry, self._outputs(), linked=self.registry.limits)
        self.roles = self._roles()
        self.tables = {kind: self._table(kind) for kind in self._kinds()}
        self.pinnable = self._pinnable()
        self.inputs, self.options = input_cells(self)
        self.constants = constants_of(self.registry, self.graph)
        self.rows: list[Row] = []
        self.row_of: dict[str, int] = {}
        self.input_row = {c.name: FIRST_ROW + i for i, c in enumerate(self.inputs)}
        self.option_row = {c.name: FIRST_ROW + i for i, c in enumerate(self.options)}
        first_constant = FIRST_ROW + len(self.inputs) + 2
        self.constant_row = {c.name: first_constant + i for i, c in enumerate(self.constants)}
        self.chosen = [self._choose(i) for i in range(len(self.names))]
        self.walks = [self._interpreter(i) for i in range(len(self.names))]

    def _reshape(self) -> None:
        """Moves numbers from which others of a record follow into the ids that candidates choose."""
        shaping = self.registry.shaping
        whole = [reshaped(self.registry, {**self.common, **each}) for each in self.single]
        if shaping.isdisjoint(self.common) and all(map(shaping.isdisjoint, self.single)):
            return
        self.common = {k: v for k, v in self.common.items() if k not in shaping or all(k in w for w in whole)}
        self.single = [{k: v for k, v in w.items() if self.common.get(k) != v} for w in whole]

    def _with_ids(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What is given, records by the ids that stand in the catalogue sheets."""
        return {
            k: self.id_in(self.registry.roles[k].kind, v) if k in self.registry.roles else v
            for k, v in given.items()
        }

    def id_in(self, kind: str, text: str) -> str:
        """The id by which the catalogue keeps a record that is named by id or alias."""
        return self.registry.catalog(kind).key(text)

    def id_named(self, attribute: str, text: str | None) -> str:
        """The id of the record that another names, or the name as it stands where there is none."""
        try:
            return self.id_in(self.registry.kind_named(attribute), text) if text else ""
        except TokensheetError:
            return str(text)

    # ---- what takes part

    def _outputs(self) -> list[str]:
        formulas = self.registry.formulas()
        checks = [c for r in self.proposal.results for c in self.registry.checks(r, formulas[r])]
        asked = list(dict.fromkeys([*self.proposal.results, *checks, *self.extras]))
        verdicts = [n for v in self.registry.verdicts for n in (v.check, v.missing) if n in formulas]
        return list(dict.fromkeys([*asked, *self._answerable(asked, [*self.limits(), *verdicts])]))

    def limits(self) -> list[str]:
        """Nodes that say the largest number of an input."""
        return list(self.registry.limits.values())

    def _answerable(self, asked: Sequence[str], more: Iterable[str]) -> list[str]:
        """Those of further results that need no record and no input beside those of the results and the proposal."""
        known = needs(self.registry, asked) | set.intersection(*(set(g) for g in self.given))
        return [name for name in more if needs(self.registry, [name]) <= known]

    @property
    def verdicts(self) -> list[Verdict]:
        """What is said in words about each candidate."""
        return [v for v in self.registry.verdicts if v.check in self.graph.nodes]

    def _roles(self) -> dict[str, str]:
        """Role reference as the graph has it → the role's own name; owners before what follows them."""
        found: dict[str, str] = {}
        for leaf in self.graph.leaves:
            reference = leaf.role
            while reference:
                found.setdefault(reference, self.role_of(reference))
                reference = reference.rpartition(">")[0]
        for role in self.registry.roles.values():
            if role.supplies and any(role.name in g for g in self.given):
                found[role.name] = role.name
        return dict(sorted(found.items(), key=lambda item: item[0].count(">")))

    def option(self, index: int, name: str) -> str:
        """Address of what a candidate says for a name on Options."""
        return option_cell(index, self.option_row[name])

    def role_of(self, reference: str) -> str:
        """The role that a reference stands for: `gpu>link` is the interconnect."""
        owner, _, attribute = reference.rpartition(">")
        if not owner:
            return reference
        roles = self.registry.roles
        kind = roles[self.role_of(owner)].kind
        return next(
            r.name
            for r in roles.values()
            if r.follows and r.follows[1] == attribute and roles[r.follows[0]].kind == kind
        )

    def _kinds(self) -> list[str]:
        used = {self.registry.roles[role].kind for role in self.roles.values()} | {"profile"}
        return [k for k in KINDS if k in used]

    def _table(self, kind: str) -> CatalogTable:
        catalog = self.registry.catalog(kind)
        roles = [role.name for role in self.registry.roles.values() if role.kind == kind]
        own = {g[role]: catalog.find(g[role]) for g in self.given for role in roles if g.get(role)}
        entries = dict(sorted({**catalog.entries, **own}.items()))
        named = {r.follows[1] for r in self.registry.roles.values() if r.follows and r.follows[1] != "id"}
        if kind == "profile":
            nodes = self.registry.nodes
            columns = [
                (n, nodes[n].unit, Phrase(called(nodes[n]))) for n in self._profile_names(entries.values())
            ]
        else:
            columns = [
                (name, mark.unit, Phrase(mark.text)) for name, mark in KINDS[kind].quantities().items()
            ]
        return CatalogTable(kind, entries, columns, sorted(named & set(KINDS[kind].model_fields)))

    def _profile_names(self, entries: Iterable[Entry]) -> list[str]:
        in_graph = {n.name for n in self.graph.nodes.values()} | self.profiled
        stated = {name for e in entries for name in getattr(e.record, "values", ())}
        assumed = {n for n in in_graph if isinstance(self.registry.nodes.get(n), Assumption)}
        return sorted((stated & in_graph) | assumed)

    def _pinnable(self, also: Iterable[str] = ()) -> set[str]:
        names = {n.name for n in self.graph.inner}
        names |= {leaf.name for leaf in self.graph.leaves if isinstance(leaf.definition, Field)}
        stated = {name for g in self.given for name in g} | set(also)
        stated |= self.registry.per_plan
        stated |= {c[0] for c in self.tables["profile"].columns}
        for role in self.roles.values():
            if self.registry.roles[role].supplies:
                stated |= set(KINDS[self.registry.roles[role].kind].quantities())
        return (names & stated) - self.registry.limits.keys()

    # ---- the engine's values

    def _choose(self, index: int) -> Chosen:
        """Records that a candidate names or that are taken by default."""
        roles = {k: v for k, v in self.given[index].items() if k in self.registry.roles}
        return choose(self.registry, roles)

    def _following(self, chosen: Chosen) -> Chosen:
        """The same by the graph's references: a chosen link stands where the device's own would."""
        chosen_for = {r: chosen.entries[role] for r, role in self.roles.items() if role in chosen.entries}
        return replace(chosen, entries={**chosen.entries, **chosen_for})

    def _interpreter(self, index: int) -> Interpreter:
        """The lazy walk of a candidate: what is given, then the profile, then records, then defaults."""
        chosen, given = self.chosen[index], self.given[index]
        stated = dict(chosen.stated)
        for name, raw in given.items():
            told = None if name in self.registry.roles or raw == LARGEST else number(name, raw)
            if isinstance(told, float):
                stated[name] = told
        pinned = {name: float(stated[name]) for name in self.pinnable if name in stated}
        values: dict[str, float | Missing | Failure] = {}
        for leaf in self.graph.leaves:
            known = float(stated[leaf.name]) if leaf.name in stated else self._leaf_value(leaf, chosen)
            values[leaf.key] = (
                Failure(known.reason, MissingFactError) if isinstance(known, Missing) else known
            )
        for name in self.registry.limits:
            definition = self.registry.nodes[name]
            size = stated.get(name, definition.default if isinstance(definition, Input) else None)
            if given.get(name) != LARGEST and size is not None:
                pinned[name] = float(size)
        return Interpreter(self.graph, values, chosen.ids, pinned, often=True)

    def _leaf_value(self, leaf: Leaf, chosen: Chosen) -> float | Missing:
        if isinstance(leaf.definition, Field):
            return self.fact(leaf, chosen)
        return self.planner.questions.leaf_value(leaf, chosen)

    def fact(self, leaf: Leaf, chosen: Chosen) -> float | Missing:
        """A number of a chosen record as the catalogue has it."""
        assert isinstance(leaf.definition, Field)
        entry = self.record(leaf.role, chosen)
        return entry if isinstance(entry, Missing) else stated(entry, leaf.definition)

    def record(self, reference: str, chosen: Chosen) -> Entry | Missing:
        """The record of a role reference; a name that is not in the catalogue is missing."""
        try:
            return followed(self.registry, reference, self._following(chosen))
        except TokensheetError as error:
            return Missing(str(error))

    def value(self, index: int, key: str) -> Value:
        """The engine's value of a node for a candidate."""
        return self.walks[index].value(key)

    def profile_value(self, name: str, entry: Entry) -> float | None:
        """What a profile states for a name, its default included."""
        value = getattr(entry.record, "values", {}).get(name)
        if value is not None:
            return float(value)
        definition = self.registry.nodes[name]
        return definition.default if isinstance(definition, Assumption) else None

    # ---- the plan against the engine's own answers

    def verify(self) -> None:
        """Each result of each candidate equals what the functions answer.

        Raises:
            ExportError: the workbook and the functions part: a mistake in the program.
        """
        limits = self.registry.limits.items()
        for i, given in enumerate(self.given):
            largest = {name: NodeRef(limit) for name, limit in limits if given.get(name) == LARGEST}
            engine = self.planner.several(self.proposal.results, {**given, **largest})
            for result, answer in engine.items():
                mine = self.value(i, result)
                if not same(mine, answer):
                    raise ExportError(
                        f"{self.names[i]}: {result} is {mine} in the workbook and {answer} by the function; "
                        "please report this"
                    )

    def provenance(self) -> list[tuple[str, Owner]]:
        """Formula → owner, of all formulas used."""
        return [(n.name, self.registry.owners.get(n.name, Owner("tokensheet"))) for n in self.graph.inner]


def same(mine: Value, engine: Value) -> bool:
    """Whether two ways gave the same number, or both none."""
    if isinstance(mine, Failure) or isinstance(engine, Failure):
        return isinstance(mine, Failure) and isinstance(engine, Failure)
    return abs(mine - engine) <= 1e-12 * abs(engine)
