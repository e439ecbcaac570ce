"""`tokensheet optimize`: the best plan or fleet. Its options are those of the searches that plugins declare."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from tokensheet.cli.help import examples

if TYPE_CHECKING:
    from datetime import date

    from tokensheet.planning import Planner
    from tokensheet.search.found import Found, Plan

METAVARS = {"1": "NUMBER", "flag": "0|1", "": "TEXT"}
PLANNER = "tokensheet.planner"
MOST_NAMED = 6
"""Ids that are told of a group; the rest is counted."""


class SearchCommand(click.Command):
    """A command with an option for each name that a search takes."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options of all searches, then those of the command."""
        if PLANNER not in ctx.meta:
            from tokensheet.planning import shared

            ctx.meta[PLANNER] = ctx.obj.planner() if ctx.obj is not None else shared()
        return [*_options(ctx.meta[PLANNER]), *super().get_params(ctx)]


@click.command(
    cls=SearchCommand,
    short_help="Search the best plan, or the cheapest fleet.",
    epilog=examples(
        "tokensheet optimize --model llama-3.1-70b --context 4096 --max-latency 0.05",
        "tokensheet optimize --model llama-3.1-70b --prompt 2048 --output 256 --request-rate 20 --target-ttft 1",
    ),
)
@click.option(
    "--set",
    "assumptions",
    multiple=True,
    metavar="NAME=VALUE",
    help="An assumption, such as spare_replicas=0.",
)
@click.option(
    "--count", type=click.IntRange(1), default=10, show_default=True, help="How many plans to show."
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.pass_context
def optimize(context: click.Context, /, assumptions: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Search devices, counts, splits, formats and links for the best plan.

    With --model and --context: the plan of a decode step; with --min-tokens-per-second also as many replicas as the rate
    takes. With --model, --prompt, --output and a demand: the fleet that holds latency targets at its peak.
    """
    from tokensheet.arguments import options
    from tokensheet.errors import ArgumentError, PlanError
    from tokensheet.search.best import best, reason

    planner = context.meta[PLANNER]
    count = {"count": float(given.pop("count"))}
    stated = context.get_parameter_source("count") is not ParameterSource.DEFAULT
    asked: dict[str, Any] = dict(count) if stated else {}
    for name, values in given.items():
        if len(values) > 1:
            raise ArgumentError(f"{_option_of(name)} is given twice; leave one out")
        for value in values:
            one = options(f"{name}={value}")
            if one.keys() != {name}:
                raise ArgumentError(f"{_option_of(name)} is {value!r:.60}; write one value, others by --set")
            asked |= one
    own = options("; ".join(assumptions))
    for name in asked.keys() & own.keys():
        raise ArgumentError(f"{name} is given by {_option_of(name)} and by --set; leave one out")
    asked = count | asked | own
    with _progress() as told:
        found = best(planner, asked, told, _option_of)
    click.echo(json.dumps(data(planner, found), indent=1) if as_json else report(planner, found))
    if not found.best:
        raise PlanError(reason(planner, found))


def _option_of(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _options(planner: Planner) -> list[click.Option]:
    """An option for each name that searches take, in the order of their declaration."""
    from tokensheet.goals import Axis, Goal, Target

    kits = planner.registry.searches.values()
    helps: dict[str, tuple[str | click.Choice[str], str]] = {}
    for kit in kits:
        inputs = (*kit.search.asks, *(n for group in kit.search.demands for n in group), *kit.search.takes)
        for name in inputs:
            if name in planner.registry.roles:
                helps[name] = ("ID", planner.registry.roles[name].text)
            elif name in planner.registry.nodes:
                helps[name] = (_metavar(planner, name), _text(planner, name))
    goals: dict[str, str] = {}
    for kit in kits:
        for goal in kit.of(Goal).values():
            goals.setdefault(goal.name, goal.text)
    if goals:
        words = "; ".join(f"{name}: {text}" for name, text in goals.items())
        helps["goal"] = click.Choice(list(goals)), words
    for kit in kits:
        for target in kit.of(Target).values():
            helps.setdefault(target.name, (_metavar(planner, target.node), target.text))
        for axis in kit.of(Axis).values():
            metavar = "IDS" if axis.of in planner.registry.roles else "NUMBERS"
            tried = ", ".join(
                f"{v:g}" if isinstance(v, float | int) else v for v in axis.values if v is not None
            )
            helps.setdefault(axis.name, (metavar, f"{axis.text}{f'; {tried} by default' if tried else ''}"))
        for option, bases in kit.bases.items():
            words = "; ".join(f"{b.name}: {b.text}" for b in bases.values())
            helps.setdefault(option, (click.Choice(list(bases)), words))
    return [_option(name, kind, text) for name, (kind, text) in helps.items()]


def _option(name: str, kind: str | click.Choice[str], text: str) -> click.Option:
    """An option that may be given once; several are taken, since of these click would use the last without a word."""
    choice = {"type": kind} if isinstance(kind, click.Choice) else {"metavar": kind}
    help = f"{text[:1].upper()}{text[1:].rstrip('.')}."
    return click.Option([_option_of(name), name], help=help, multiple=True, **choice)


def _metavar(planner: Planner, node: str) -> str:
    unit = planner.registry.definition(node).unit
    return METAVARS.get(unit, unit.upper())


def _text(planner: Planner, node: str) -> str:
    from tokensheet.definition import meaning

    return meaning(planner.registry.definition(node))


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal, which goes away; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("candidates", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# ---- what is printed


def report(planner: Planner, found: Found) -> str:
    """The plans as a table, the front, their prices, why others are out, and what was not tried."""
    from tokensheet.search.prices import prices

    asked = found.asked
    held = f"{found.holding:,} hold all targets" if asked.limits else f"{found.holding:,} have a result"
    spared = f", {found.spared:,} cannot be better" if found.spared else ""
    parts = [
        f"{asked.kit.search.text}: {asked.goal.text}",
        f"{found.candidates:,} candidates: {held}{spared}",
    ]
    if found.best:
        parts += ["", *_table(found, found.best)]
    if found.front:
        from tokensheet.goals import Front

        texts = [f.text for f in asked.kit.of(Front).values()]
        parts += ["", f"{texts[0]} than these:", *_table(found, found.front)]
    known = prices(planner, found)
    if known:
        parts += ["", "prices:", *(f"  {p.record}: {p.line}" for p in known)]
    if found.rejected:
        parts += [
            "",
            "out:",
            *(f"  {r.count:,} {r.reason}; for example: {r.example}" for r in found.rejected),
        ]
    if asked.left_out:
        parts += ["", "not tried unless named:"]
        parts += [f"  {len(x.ids)} {x.axis}: {x.reason}: {_some(x.ids)}" for x in asked.left_out]
    return "\n".join(parts)


def _table(found: Found, plans: tuple[Plan, ...]) -> list[str]:
    """Columns that differ as a table, and one line of those that are the same for all."""
    from tokensheet.cli.listing import table
    from tokensheet.goals import Shown
    from tokensheet.search.best import row
    from tokensheet.search.found import results_of

    shown = found.asked.kit.of(Shown)
    heads = [shown[n].head or n if n in shown else n for n in results_of(found)]
    names = ["", *found.asked.space.names, *heads, "binds", "used"]
    cells = [[_cell(v) for v in row(i, found, plan)] for i, plan in enumerate(plans, 1)]
    for line in cells:
        line[-1] = f"{float(line[-1]):.0%}" if line[-1] else ""
    given = range(1, 1 + len(found.asked.space.names))
    same = [i for i in given if len(cells) > 1 and len({line[i] for line in cells}) == 1]
    empty = [i for i in range(len(names)) if not any(line[i] for line in cells)]
    kept = [i for i in range(len(names)) if i not in {*same, *empty}]
    lines = table([names[i] for i in kept], [[line[i] for i in kept] for line in cells]).split("\n")
    shared = ", ".join(f"{names[i]} {cells[0][i]}" for i in same if i not in empty)
    return [*lines, f"all with {shared}"] if shared else lines


def _cell(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:.4g}"


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _some(ids: tuple[str, ...]) -> str:
    more = len(ids) - MOST_NAMED
    return ", ".join(ids[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def data(planner: Planner, found: Found) -> dict[str, Any]:
    """Everything for programs: numbers in SI units, null where there is none."""
    from dataclasses import asdict

    from tokensheet.search.best import reason
    from tokensheet.search.prices import prices

    def plan(rank: int, each: Plan) -> dict[str, Any]:
        return {"rank": rank, **each.given, **each.values, "binds": each.binds or None, "used": each.used}

    asked = found.asked
    return {
        "search": asked.kit.search.name,
        "goal": asked.goal.name,
        "targets": dict(asked.limits),
        "candidates": found.candidates,
        "holding": found.holding,
        "spared": found.spared,
        "best": [plan(i, p) for i, p in enumerate(found.best, 1)],
        "front": [plan(i, p) for i, p in enumerate(found.front, 1)],
        "prices": [
            {**asdict(p), "first": _day(p.first), "last": _day(p.last), "warning": p.warning or None}
            for p in prices(planner, found)
        ],
        "rejected": [asdict(r) for r in found.rejected],
        "not_tried": [asdict(x) for x in asked.left_out],
        "nearest": asdict(found.nearest) if found.nearest else None,
        "reason": None if found.best else reason(planner, found),
    }
