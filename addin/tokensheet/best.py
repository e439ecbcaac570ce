"""`=BEST_CONFIG(…)` and `tokensheet optimize`: a question about the best plan from names and values, answered as rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokensheet.arguments import number
from tokensheet.errors import ArgumentError, listed
from tokensheet.interpret import Failure
from tokensheet.planning import Planner
from tokensheet.search import Choice, Found, Limits, Space, known_gpus, rents, search

TITLES = (
    "rank",
    "gpu",
    "gpus",
    "tp",
    "pp",
    "dp",
    "batch",
    "weights",
    "kv",
    "interconnect",
    "latency_s",
    "tokens_per_second",
    "replicas",
    "usd_per_hour",
    "tokens_per_usd",
)
LIMITS = ("max_latency", "min_tokens_per_second", "max_cost_per_hour")
LISTS = ("devices", "counts", "batches", "formats", "cache_formats", "links", "stages", "groups")
COST_BASES = ("owned", "rent")


def best(planner: Planner, given: Mapping[str, Any]) -> Found:
    """The search that names and values describe.

    Args:
        planner: answers the candidates
        given: model, context, `goal` (cost or latency), limits (`max_latency` in seconds a token,
            `min_tokens_per_second`, `max_cost_per_hour`), what may be chosen (`devices`, `counts`,
            `batches`, `formats`, `cache_formats`, `links`, `stages`, `groups`: texts with commas),
            `cost_basis` (owned or rent), `count`, and any assumption

    Raises:
        TokensheetError: lists what cannot be read, or says why there is no candidate.
    """
    values = dict(given)
    problems: list[str] = []
    limits = {name: _number(name, values.pop(name, None), problems) for name in LIMITS}
    lists = {name: _list(values.pop(name, None)) for name in LISTS}
    goal, basis = str(values.pop("goal", None) or "cost"), str(values.pop("cost_basis", None) or "owned")
    count = _number("count", values.pop("count", None), problems) or 10
    if basis not in COST_BASES:
        problems.append(f"cost_basis is {basis!r}; write {' or '.join(COST_BASES)}")
    for name in ("gpu", "gpus", "tp", "pp", "dp", "batch", "weights", "kv", "interconnect"):
        if name in values:
            problems.append(f"{name} is what is searched for; narrow it with {_list_of(name)}")
    for name in ("counts", "batches", "stages", "groups"):
        for item in lists[name]:
            if not item.replace(".", "", 1).isdigit():
                problems.append(f"{name} holds {item!r}; give numbers with commas between")
    if problems:
        raise ArgumentError(listed("best plan", problems))
    rented = rents(planner) if basis == "rent" else None
    space = Space(known_gpus(planner, lists["devices"], rented))
    chosen = Space(
        gpus=space.gpus,
        counts=tuple(int(float(c)) for c in lists["counts"]) or space.counts,
        batches=tuple(float(b) for b in lists["batches"]) or space.batches,
        weights=tuple(lists["formats"]) or space.weights,
        kv=tuple(lists["cache_formats"]) or space.kv,
        interconnects=tuple(lists["links"]) or space.interconnects,
        pipelines=tuple(int(float(s)) for s in lists["stages"]) or space.pipelines,
        groups=tuple(int(float(g)) for g in lists["groups"]) or space.groups,
    )
    return search(planner, values, chosen, Limits(**limits), goal, int(count), rented)


def _list_of(name: str) -> str:
    words = {"gpu": "devices", "gpus": "counts", "tp": "counts and stages", "pp": "stages", "dp": "groups"}
    words |= {"batch": "batches", "weights": "formats", "kv": "cache_formats", "interconnect": "links"}
    return words[name]


def _number(name: str, value: Any, problems: list[str]) -> float | None:
    found = number(name, value)
    if isinstance(found, Failure):
        problems.append(found.reason)
        return None
    return found


def _list(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, (int, float)):
        return [f"{value:g}"]
    if isinstance(value, str):
        return [w.strip() for w in value.split(",") if w.strip()]
    flat = [v for row in value for v in (row if isinstance(row, (list, tuple)) else [row])]
    return [f"{v:g}" if isinstance(v, (int, float)) else str(v) for v in flat if v not in (None, "")]


def row(rank: int, choice: Choice) -> list[Any]:
    """A plan as cells, in the order of `TITLES`."""
    per_dollar = choice.replicas * choice.tokens_per_second * 3600 / choice.cost_per_hour
    return [
        float(rank),
        choice.gpu,
        float(choice.gpus),
        float(choice.tp),
        float(choice.pp),
        float(choice.dp),
        choice.batch,
        choice.weights,
        choice.kv,
        choice.interconnect or "",
        choice.latency,
        choice.tokens_per_second,
        choice.replicas,
        choice.cost_per_hour,
        per_dollar,
    ]


def rows(found: Found) -> list[list[Any]]:
    """Titles, the best plans, then why others are out."""
    blank = [""] * len(TITLES)
    table: list[list[Any]] = [list(TITLES)]
    table += [row(i, c) for i, c in enumerate(found.best, 1)]
    for rejected in found.rejected:
        table.append([f"{rejected.count} out", rejected.reason, *blank[2:]])
    return table
