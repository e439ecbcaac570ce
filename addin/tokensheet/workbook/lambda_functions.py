"""Which planning functions become LAMBDA names of a workbook, and what each of them reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tokensheet.declare import Input
from tokensheet.definition import Field
from tokensheet.expanding import expand
from tokensheet.formula import Formula
from tokensheet.graph import Graph
from tokensheet.proposal import Proposal
from tokensheet.registry import Registry
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.shared_graph import role_of

PREFIX = "TSX."
"""Of every name, so that none is a function of the add-in."""
PART = f"{PREFIX}PART."
"""Of names that only other names call; a function has no dot in its own name."""
OPTIONS = "options"
LARGEST_GRAPH = 350
"""Nodes of a function that still becomes a LAMBDA: Excel keeps all its steps at once, and its room for them is small."""


@dataclass(frozen=True)
class Function:
    """A function of the add-in that becomes a LAMBDA."""

    formula: Formula
    graph: Graph

    @property
    def name(self) -> str:
        """Its defined name."""
        return f"{PREFIX}{self.formula.name.upper()}"

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of its arguments; options, where it takes them, come last."""
        return self.formula.cell or ()

    @property
    def has_options(self) -> bool:
        """Whether the last argument is options."""
        return OPTIONS in self.arguments

    @property
    def plain(self) -> tuple[str, ...]:
        """Arguments without the options."""
        return tuple(a for a in self.arguments if a != OPTIONS)

    @property
    def signature(self) -> str:
        """`TSX.KV_BYTES(model, context, [batch], [options])`."""
        shown = (f"[{a}]" if self.is_optional(a) else a for a in self.arguments)
        return f"{self.name}({', '.join(shown)})"

    def is_optional(self, argument: str) -> bool:
        """Whether a call may leave an argument out."""
        return argument in self.formula.optional


@dataclass(frozen=True)
class Offered:
    """What all functions of one workbook share.

    Args:
        contents: of the workbook: its catalogue sheets
        functions: by the formula's name
        reads: function → names of nodes and roles that it reads, its own arguments included
        pinnable: formulas and facts whose number an option, an argument, a profile or a system may state
        roles: that options may choose
    """

    contents: Contents
    functions: Mapping[str, Function]
    reads: Mapping[str, frozenset[str]]
    pinnable: frozenset[str]
    roles: frozenset[str]

    def same(self, own: Function, name: str) -> Function | None:
        """The function that another may call for a node: what both read is told to both; None where there is none."""
        other = self.functions.get(name)
        if other is None or other.has_options != own.has_options:
            return None
        told = set(own.plain) & (self.reads[name] | set(other.plain))
        left_out = any(own.is_optional(a) and not other.is_optional(a) for a in other.plain)
        return other if told == set(other.plain) and not left_out else None


def asked(registry: Registry, proposal: Proposal) -> dict[str, Function]:
    """The functions that become LAMBDAs, as far as they are not too long: headlines, then the proposal's results."""
    formulas = registry.formulas()
    found = sorted(
        (_function(registry, f) for f in formulas.values() if f.headline and f.cell),
        key=lambda function: len(function.graph.nodes),
    )
    results = (formulas[name] for name in proposal.results if not formulas[name].headline)
    found += [_function(registry, f) for f in results if f.cell]
    return {f.formula.name: f for f in found if len(f.graph.nodes) <= LARGEST_GRAPH}


def _function(registry: Registry, formula: Formula) -> Function:
    pinned = [a for a in formula.cell or () if isinstance(registry.nodes.get(a), Formula | Field)]
    return Function(formula, expand(registry, [formula.name], pinned))


def profiled(functions: Iterable[Function]) -> set[str]:
    """Names for which the Profiles sheet needs a column: those that the functions read and profiles may state."""
    return {n.name for f in functions for n in f.graph.nodes.values() if not _is_input(n)}


def _is_input(node: object) -> bool:
    return isinstance(getattr(node, "definition", None), Input)


def names_read(function: Function, contents: Contents) -> frozenset[str]:
    """Names of the nodes of a function, of the roles whose records it reads, and of its arguments."""
    found = {node.name for node in function.graph.nodes.values()}
    for leaf in function.graph.leaves:
        reference = leaf.role
        while reference:
            found.add(role_of(contents.registry, reference))
            reference = reference.rpartition(">")[0]
    return frozenset(found | {"profile", *function.plain})
