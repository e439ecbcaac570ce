"""One graph for all candidates, so that each row has one formula: its nodes, its roles, and what may be stated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tokensheet.definition import Field
from tokensheet.expanding import expand
from tokensheet.graph import Graph
from tokensheet.needs import needs
from tokensheet.registry import Registry
from tokensheet.workbook.catalogue_tables import named_by_records
from tokensheet.workbook.layout import CatalogTable
from tokensheet.workbook.said import Said


def shared_graph(registry: Registry, results: Sequence[str], said: Said, extras: Iterable[str] = ()) -> Graph:
    """The nodes behind the results, their checks and further formulas.

    Limits of inputs and what is said in words take part where they need no record and no input beside those
    of the results and the proposal.
    """
    formulas = registry.formulas()
    checks = [check for result in results for check in registry.checks(result, formulas[result])]
    asked = list(dict.fromkeys([*results, *checks, *extras]))
    verdicts = [n for v in registry.verdicts for n in (v.check, v.missing) if n in formulas]
    known = needs(registry, asked) | said.by_all
    more = [n for n in (*registry.limits.values(), *verdicts) if needs(registry, [n]) <= known]
    return expand(registry, list(dict.fromkeys([*asked, *more])), linked=registry.limits)


def roles_of(registry: Registry, graph: Graph, said: Said) -> dict[str, str]:
    """Role reference as the graph has it (`gpu>link`) → the role's own name; owners before what follows them."""
    found: dict[str, str] = {}
    for leaf in graph.leaves:
        reference = leaf.role
        while reference:
            found.setdefault(reference, role_of(registry, reference))
            reference = reference.rpartition(">")[0]
    for role in registry.roles.values():
        if role.supplies and any(role.name in each for each in said.given):
            found[role.name] = role.name
    return dict(sorted(found.items(), key=lambda item: item[0].count(">")))


def role_of(registry: Registry, reference: str) -> str:
    """The role that a reference stands for: `gpu>link` is the interconnect."""
    owner, _, attribute = reference.rpartition(">")
    if not owner:
        return reference
    kind = registry.roles[role_of(registry, owner)].kind
    return next(
        r.name
        for r in registry.roles.values()
        if r.follows and r.follows[1] == attribute and registry.roles[r.follows[0]].kind == kind
    )


def pinnable_names(
    registry: Registry,
    graph: Graph,
    tables: Mapping[str, CatalogTable],
    said: Said,
    also: Iterable[str] = (),
) -> set[str]:
    """Formulas and facts of the graph whose number a candidate, the inputs, a profile or a system may state."""
    names = {node.name for node in graph.inner}
    names |= {leaf.name for leaf in graph.leaves if isinstance(leaf.definition, Field)}
    stated = {name for each in said.given for name in each} | set(also)
    stated |= registry.per_plan | named_by_records(registry, tables)
    return (names & stated) - registry.limits.keys()
