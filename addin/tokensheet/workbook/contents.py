"""Proposal → what a workbook shows: the calculation of its candidates, cells for the reader, catalogue tables.

Everything here is known before a cell is written; `rows.py` fills the calculation, the sheets read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tokensheet.arguments import number
from tokensheet.catalog import Entry
from tokensheet.chosen import Chosen, choose, fact, followed, number_of
from tokensheet.declare import Input, Owner, Verdict
from tokensheet.definition import Field
from tokensheet.errors import ExportError, MissingFactError
from tokensheet.graph import Graph, Leaf
from tokensheet.interpret import Interpreter
from tokensheet.irregular import Missing
from tokensheet.planning import Planner
from tokensheet.proposal import LARGEST, Proposal
from tokensheet.registry import Registry
from tokensheet.workbook.calculation import Calculation, same
from tokensheet.workbook.catalogue_tables import catalogue_tables
from tokensheet.workbook.constants import constants_of
from tokensheet.workbook.input_cells import input_cells
from tokensheet.workbook.layout import CatalogTable, Cells, option_cell
from tokensheet.workbook.said import Said, as_call, said_in
from tokensheet.workbook.shared_graph import pinnable_names, roles_of, shared_graph


class Contents(Calculation):
    """All that one workbook shows, its candidates as columns of the calculation.

    Args:
        planner: catalogue and formulas
        proposal: candidates, inputs and results
        said: by the candidates
        graph: the nodes behind the asked results
        roles: reference as the graph has it (`gpu>link`) → the role's own name
        tables: catalogue sheets by kind
        pinnable: formulas and facts whose number somebody may state
        cells: of the reader and of constants

    Attributes:
        chosen: the records of each candidate
    """

    def __init__(
        self,
        planner: Planner,
        proposal: Proposal,
        said: Said,
        graph: Graph,
        roles: Mapping[str, str],
        tables: Mapping[str, CatalogTable],
        pinnable: set[str],
        cells: Cells,
    ) -> None:
        registry = planner.registry
        self.planner, self.proposal, self.said, self.cells = planner, proposal, said, cells
        self.roles, self.tables, self.pinnable = roles, tables, pinnable
        self.chosen = [chosen_by(registry, roles, each) for each in said.given]
        walks = [
            walk_of(registry, graph, pinnable, chosen, each)
            for chosen, each in zip(self.chosen, said.given, strict=True)
        ]
        super().__init__(registry, graph, said.names, walks, cells.constant_row)

    @property
    def verdicts(self) -> list[Verdict]:
        """What is said in words about each candidate."""
        return [v for v in self.registry.verdicts if v.check in self.graph.nodes]

    def option(self, index: int, name: str) -> str:
        """Address of what a candidate says for a name on Options."""
        return option_cell(index, self.cells.option_row[name])

    def record(self, index: int, reference: str) -> Entry | Missing:
        """The record of a role reference for a candidate."""
        return followed(self.registry, reference, self.chosen[index])

    def fact(self, index: int, leaf: Leaf) -> float | Missing:
        """A number of a chosen record as the catalogue has it."""
        assert isinstance(leaf.definition, Field)
        entry = self.record(index, leaf.role)
        return entry if isinstance(entry, Missing) else fact(entry, leaf.definition)

    def verify(self) -> None:
        """Each result of each candidate equals what the functions answer.

        Raises:
            ExportError: the workbook and the functions part: a mistake in the program.
        """
        for i, given in enumerate(self.said.given):
            engine = self.planner.several(self.proposal.results, as_call(self.registry, given))
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


def contents_of(
    planner: Planner, proposal: Proposal, extras: Iterable[str] = (), profiled: Iterable[str] = ()
) -> Contents:
    """The contents of the workbook of a proposal.

    Args:
        planner: catalogue and formulas
        proposal: candidates, inputs and results
        extras: further formulas to calculate, which need no input of their own
        profiled: names besides, for which Profiles has a column where a profile may state them
    """
    registry, said = planner.registry, said_in(planner.registry, proposal)
    graph = shared_graph(registry, proposal.results, said, extras)
    roles = roles_of(registry, graph, said)
    tables = catalogue_tables(registry, graph, roles, said, profiled)
    pinnable = pinnable_names(registry, graph, tables, said)
    inputs, options = input_cells(registry, graph, roles, pinnable, said, proposal.reasons)
    cells = Cells(inputs, options, constants_of(registry, graph))
    return Contents(planner, proposal, said, graph, roles, tables, pinnable, cells)


def chosen_by(registry: Registry, roles: Mapping[str, str], given: Mapping[str, Any]) -> Chosen:
    """The records that a candidate names or that are taken by default, also by the graph's references.

    A chosen link stands where the device's own would.
    """
    chosen = choose(registry, {k: v for k, v in given.items() if k in registry.roles})
    by_reference = {r: chosen.entries[role] for r, role in roles.items() if role in chosen.entries}
    return replace(chosen, entries={**chosen.entries, **by_reference})


def walk_of(
    registry: Registry, graph: Graph, pinnable: set[str], chosen: Chosen, given: Mapping[str, Any]
) -> Interpreter:
    """The engine's values for a candidate: what is given, else what its records state, else defaults."""
    told = {
        name: value
        for name, raw in given.items()
        if name not in registry.roles and raw != LARGEST and isinstance(value := number(name, raw), float)
    }
    stated = {name: value for name, (_, value) in chosen.stated.items()} | told
    values: dict[str, float | Missing] = {}
    for leaf in graph.leaves:
        known = told[leaf.name] if leaf.name in told else number_of(registry, leaf, chosen)
        # A cell shows any missing number as #N/A, where a call that leaves one out is an error of its arguments.
        values[leaf.key] = Missing(known.reason, MissingFactError) if isinstance(known, Missing) else known
    pinned = {name: stated[name] for name in pinnable if name in stated}
    for name in registry.limits:
        definition = registry.nodes[name]
        size = stated.get(name, definition.default if isinstance(definition, Input) else None)
        if given.get(name) != LARGEST and size is not None:
            pinned[name] = float(size)
    return Interpreter(graph, values, chosen.ids, pinned, often=True)
