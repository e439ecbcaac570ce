"""`=BEST_CONFIG(…)` and `tokensheet optimize`: a question about the best plan, answered as rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokensheet.errors import PlanError
from tokensheet.goals import Shown
from tokensheet.planning import Planner
from tokensheet.search.asking import Spell, asked
from tokensheet.search.found import SYMBOLS, Found, Plan, miss_line, results_of
from tokensheet.search.prices import prices
from tokensheet.search.searching import Progress, search


def best(
    planner: Planner, given: Mapping[str, Any], progress: Progress | None = None, spell: Spell = str
) -> Found:
    """The search that names and values describe.

    Args:
        planner: answers the candidates
        given: what the search asks for, its targets, what is tried of each axis (texts with commas), `goal`, `count`, and
            any other input, assumption or node
        progress: told how many candidates are done, and of how many
        spell: how names are written where the question is asked

    Raises:
        TokensheetError: lists what cannot be read, or says why there is no candidate.
    """
    return search(planner, asked(planner, given, spell), progress)


def titles(planner: Planner, found: Found) -> list[str]:
    """What the cells of a row are: rank, what is varied, results by node with their units, and what binds."""
    nodes, results = planner.registry.nodes, []
    for name in results_of(found):
        unit = SYMBOLS.get(nodes[name].unit, nodes[name].unit)
        results.append(f"{name} [{unit}]" if unit == "s" or "/" in unit else name)
    return ["rank", *found.asked.space.names, *results, "binds", "used"]


def row(rank: int, found: Found, plan: Plan) -> list[Any]:
    """A plan as cells, in the order of `titles`; empty where there is nothing to tell."""
    shown = found.asked.kit.of(Shown)
    results: list[Any] = []
    for name in results_of(found):
        value = plan.values[name]
        codes = shown[name].codes if name in shown else {}
        results.append("" if value is None else codes.get(value, value))
    given = [v if isinstance(v, str) else "" if v is None else float(v) for v in plan.given.values()]
    return [float(rank), *given, *results, plan.binds, plan.used if plan.binds else ""]


def rows(planner: Planner, found: Found) -> list[list[Any]]:
    """Titles, the best plans, what their prices rest on, then why others are out.

    Raises:
        PlanError: no plan holds the targets; says how far off the nearest is.
    """
    if not found.best:
        raise PlanError(reason(planner, found))
    table: list[list[Any]] = [list(titles(planner, found))]
    table += [row(i, found, plan) for i, plan in enumerate(found.best, 1)]
    blank = [""] * (len(table[0]) - 2)
    table += [[f"price of {p.record}", p.line, *blank] for p in prices(planner, found)]
    table += [[f"{r.count} out", r.reason, *blank] for r in found.rejected]
    table += [[f"{len(x.ids)} not tried", f"{x.axis}: {x.reason}", *blank] for x in found.asked.left_out]
    return table


def reason(planner: Planner, found: Found) -> str:
    """Why there is no plan, in one line."""
    if found.nearest is None and found.rejected:
        first = found.rejected[0]
        return f"none of {found.candidates:,} candidates has a result: {first.count:,} {first.reason}; {first.example}"
    return miss_line(planner, found.asked, found.nearest)
