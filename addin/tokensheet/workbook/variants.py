"""Variants of one candidate: the same calculation again, a column for each change of an input.

A variant's option cells are the candidate's own, except those that the variant changes. All else is
calculated by the rows that candidates have, so no cell of Sensitivity is a simplification.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tokensheet.proposal import Candidate
from tokensheet.texts import Text, Texts
from tokensheet.workbook import row_keys
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.input_cells import cell_of
from tokensheet.workbook.layout import (
    Cells,
    InputCell,
)
from tokensheet.workbook.said import Said
from tokensheet.workbook.shared_graph import pinnable_names, roles_of, shared_graph


@dataclass(frozen=True)
class Variant:
    """One column.

    Args:
        name: for people
        varied: name whose number in use is multiplied, if any
        direction: -1 or 1 times the step of the one-way table
        least: of the changed number
        most: of the changed number
        column: place in the one-way table, from 1; 0 outside it
        places: axis of the lists → place in its list, from 1; the candidate's own where there is none
        changes: the numbers that this comes to, as exported
    """

    name: Text
    changes: Mapping[str, float]
    varied: str = ""
    direction: float = 0
    least: float | None = None
    most: float | None = None
    column: int = 0
    places: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Addresses:
    """Where Sensitivity keeps what variants read: addresses of cells and of lists, without the sheet.

    `lists` has the list of each axis, by the input's name.
    """

    candidate: str
    step: str
    lists: Mapping[str, str]
    varied: str
    choices: str
    least: str
    most: str


class Variants(Contents):
    """The contents of the Variants sheet: a candidate under changes, with the cells and sheets of the workbook.

    Args:
        main: the contents of the workbook
        base: index of the candidate as exported
        results: what is calculated; each is part of the main graph
        variants: the columns
        addresses: where Sensitivity keeps its inputs
        choices: names that a reader may choose to vary
    """

    def __init__(
        self,
        main: Contents,
        base: int,
        results: Sequence[str],
        variants: Sequence[Variant],
        addresses: Addresses,
        choices: Sequence[str],
    ) -> None:
        registry, names = main.registry, [Texts()(v.name) for v in variants]
        said = Said(names, main.said.common, [{**main.said.single[base], **v.changes} for v in variants])
        asked = main.proposal.model_copy(
            update={
                "results": tuple(results),
                "candidates": tuple(Candidate.model_construct(name=name) for name in names),
            }
        )
        graph = shared_graph(registry, results, said)
        # Of all candidates: a reader may show another one here, with its system and what it states.
        roles = roles_of(registry, graph, main.said)
        pinnable = pinnable_names(registry, graph, main.tables, main.said, choices)
        used = {
            *roles.values(),
            "profile",
            *registry.limits,
            *pinnable,
            *(leaf.name for leaf in graph.leaves),
        }
        changed = {name for v in variants for name in v.changes} | set(choices)
        options = options_of(main, base, said, used, changed)
        cells = Cells(main.cells.inputs, options, main.cells.constants)
        super().__init__(main.planner, asked, said, graph, roles, main.tables, pinnable, cells)
        self.main, self.base, self.variants = main, base, variants
        self.addresses, self.choices = addresses, choices

    def option(self, index: int, name: str) -> str:
        """Address of what a variant says for a name, in its own column."""
        return self.at(index, row_keys.of_variant(name))


def options_of(main: Contents, base: int, said: Said, used: set[str], changed: set[str]) -> list[InputCell]:
    """Options of the candidate that the results read, and those that variants change."""
    found = {c.name: c for c in main.cells.options if c.name in used | changed}
    for name in sorted(changed - found.keys()):
        found[name] = cell_of(main.registry, name, [], main.proposal.reasons.get(name, ""))
    return [
        replace(cell, values=[each.get(name, own_value(main, base, name)) for each in said.single])
        for name, cell in found.items()
    ]


def own_value(main: Contents, base: int, name: str) -> float | str | None:
    """What the candidate's own cell on Options says."""
    return next((c.values[base] for c in main.cells.options if c.name == name), None)
