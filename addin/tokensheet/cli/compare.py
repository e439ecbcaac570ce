"""`tokensheet diff` and `tokensheet read`: what moved between two plans, and what a customer changed in a workbook."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokensheet.errors import ExportError
from tokensheet.texts import ENGLISH

if TYPE_CHECKING:
    from tokensheet.planning import Planner
    from tokensheet.proposal import Proposal
    from tokensheet.workbook.reading import Workbook

Scalar = float | str
SAME = 1e-12
"""Numbers that differ by less, relatively, are the same."""


@dataclass(frozen=True)
class Snapshot:
    """A plan as it is compared: for each candidate what is given, without defaults, and what comes out."""

    given: dict[str, dict[str, Scalar]]
    results: dict[str, dict[str, Scalar]]
    units: dict[str, str]


@dataclass(frozen=True)
class Move:
    """One thing that differs; `candidate` is empty where it differs alike for all."""

    kind: str
    candidate: str
    name: str
    before: Scalar | None
    after: Scalar | None
    unit: str = ""

    @property
    def change(self) -> float | None:
        """Relative change of a number."""
        if isinstance(self.before, float) and isinstance(self.after, float) and self.before:
            return self.after / self.before - 1
        return None

    def line(self) -> str:
        """For people."""
        if self.kind == "candidate":
            return f"candidate {self.candidate}: {'added' if self.before is None else 'left out'}"
        where = self.candidate or "all candidates"
        moved = "" if self.change is None else f" ({self.change:+.3%})"
        unit = f" {self.unit}" if self.unit and self.unit != "1" else ""
        return f"{where}: {self.name} {_shown(self.before)} -> {_shown(self.after)}{unit}{moved}"


def _shown(value: Scalar | None) -> str:
    if value is None or value == "":
        return "not given"
    return f"{value:.10g}" if isinstance(value, float) else value


@click.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
@click.pass_obj
def diff(settings: Any, before: Path, after: Path, as_json: bool) -> None:
    """Say which inputs and results moved, and by how much, between two proposals (.toml) or workbooks (.xlsx)."""
    planner = settings.planner()
    moves = differences(snapshot(before, planner), snapshot(after, planner))
    if as_json:
        click.echo(json.dumps([{**vars(m), "change": m.change} for m in moves], indent=1, ensure_ascii=False))
        return
    for line in lines(moves):
        click.echo(line)


def lines(moves: Sequence[Move]) -> list[str]:
    """The differences for people: inputs first, then results."""
    inputs = [m.line() for m in moves if m.kind != "result"]
    results = [m.line() for m in moves if m.kind == "result"]
    if not moves:
        return ["no difference"]
    found = ["inputs:", *(f"  {x}" for x in inputs)] if inputs else ["inputs: no difference"]
    return [*found, *(["results:", *(f"  {x}" for x in results)] if results else ["results: no difference"])]


def snapshot(path: Path, planner: Planner) -> Snapshot:
    """A proposal with the engine's results, or a workbook with those that it holds.

    Raises:
        TokensheetError: the file cannot be read.
    """
    if path.suffix.lower() == ".toml":
        from tokensheet.proposal import read

        return of_proposal(read(path, planner), planner)
    from tokensheet.workbook.reading import read_workbook

    return of_workbook(read_workbook(path), planner)


def of_proposal(proposal: Proposal, planner: Planner) -> Snapshot:
    """What a proposal gives and what the engine answers."""
    from tokensheet.recipe import with_results
    from tokensheet.workbook.formula_rows import cell_value
    from tokensheet.workbook.plan import Plan

    plan = Plan(planner, with_results(proposal, planner))
    given = {n: stated(g, planner) for n, g in zip(plan.names, plan.given, strict=True)}
    results: dict[str, dict[str, Scalar]] = {
        name: {r: cell_value(plan.value(i, r)) for r in plan.proposal.results}
        for i, name in enumerate(plan.names)
    }
    return Snapshot(given, results, {r: planner.registry.nodes[r].unit for r in plan.proposal.results})


def of_workbook(book: Workbook, planner: Planner) -> Snapshot:
    """What a workbook's cells say."""
    given = {
        n: stated({**book.inputs, **own}, planner) for n, own in zip(book.names, book.options, strict=True)
    }
    nodes = planner.registry.nodes
    units = {name: nodes[name].unit if name in nodes else unit for name, unit in book.units.items()}
    return Snapshot(given, dict(zip(book.names, book.results, strict=True)), units)


def stated(given: Mapping[str, Any], planner: Planner) -> dict[str, Scalar]:
    """What is given, without what would be taken anyway."""
    from tokensheet.declare import Input

    found: dict[str, Scalar] = {}
    for name, raw in given.items():
        value: Scalar = float(raw) if isinstance(raw, bool | int | float) else str(raw)
        role, node = planner.registry.roles.get(name), planner.registry.nodes.get(name)
        default = role.default if role else node.default if isinstance(node, Input) else None
        if value != "" and value != default:
            found[name] = value
    return found


def differences(one: Snapshot, other: Snapshot) -> list[Move]:
    """Everything that differs: candidates, inputs, results."""
    moves = [Move("candidate", n, "", n, None) for n in one.given if n not in other.given]
    moves += [Move("candidate", n, "", None, n) for n in other.given if n not in one.given]
    both = [n for n in one.given if n in other.given]
    units = {**one.units, **other.units}
    for kind, left, right in (("input", one.given, other.given), ("result", one.results, other.results)):
        names = dict.fromkeys(name for c in both for name in (*left.get(c, ()), *right.get(c, ())))
        for name in names:
            if kind == "result" and not all(name in left[c] and name in right[c] for c in both):
                continue
            pairs = {c: (left[c].get(name), right[c].get(name)) for c in both}
            moved = {c: pair for c, pair in pairs.items() if not same(*pair)}
            unit = units.get(name, "")
            if len(moved) == len(both) > 1 and len(set(moved.values())) == 1:
                moves.append(Move(kind, "", name, *next(iter(moved.values())), unit))
            else:
                moves += [Move(kind, c, name, *pair, unit) for c, pair in moved.items()]
    return moves


def same(a: Scalar | None, b: Scalar | None) -> bool:
    """Whether two values are one: numbers to 12 digits, texts without case."""
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= SAME * max(abs(a), abs(b))
    return str(a).lower() == str(b).lower() if a is not None and b is not None else a is b


# ---- round trip


@click.command("read")
@click.argument("workbook", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the proposal to a file.")
@click.option(
    "--proposal",
    "original",
    type=click.Path(path_type=Path),
    help="Proposal that the workbook was made from; the .toml beside it by default.",
)
@click.option("--force", is_flag=True, help="Write over a file that exists.")
@click.pass_obj
def read_back(settings: Any, workbook: Path, output: Path | None, original: Path | None, force: bool) -> None:
    """Take the inputs of a workbook that somebody changed back into a proposal, and say what differs."""
    from tokensheet.cli.exporting import write_text
    from tokensheet.proposal import parse, read
    from tokensheet.workbook.reading import read_workbook

    planner = settings.planner()
    book = read_workbook(workbook)
    beside = workbook.with_suffix(".toml")
    source = original or (beside if beside.exists() else None)
    before = read(source, planner) if source else None
    text = as_toml(book, planner, before)
    parse(text, planner, workbook.name)  # mistakes are told before anything is written
    for line in own_records(book, planner):
        click.echo(f"warning: {line}", err=True)
    if output:
        write_text(output, text, force=force)
    else:
        click.echo(text, nl=False)
    if before is not None:
        after = Snapshot(of_workbook(book, planner).given, {}, {})
        moves = differences(Snapshot(of_proposal(before, planner).given, {}, {}), after)
        for move in moves:
            click.echo(f"changed: {move.line()}", err=True)
        if not moves:
            click.echo("no input was changed", err=True)


def own_records(book: Workbook, planner: Planner) -> list[str]:
    """Rows of catalogue sheets that no plugin offers: the reader's own."""
    found = []
    for kind, ids in book.records.items():
        entries = planner.registry.catalog(kind).entries
        found += [
            f"{kind} {id} is a row of the reader's own; put it into a table and read it with --catalog"
            for id in ids
            if id not in entries
        ]
    return found


def _day(label: str, text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text[:10])
    except ValueError as error:
        raise ExportError(f"About: {label} is {text!r:.40}; write a day as 2027-01-31") from error


def as_toml(book: Workbook, planner: Planner, before: Proposal | None) -> str:
    """The text of a proposal that says what the cells of a workbook say."""
    from tokensheet.proposal_text import proposal_text, shared

    facts: dict[str, Any] = {"title": book.title}
    about = {"customer": "For", "prepared_by": "Prepared by", "date": "Date", "about": "About"}
    about |= {"valid_until": "Valid until", "template": "Template"}
    for key, label in about.items():
        text = book.about.get(label, "")
        if text:
            facts[key] = _day(label, text) if key in {"date", "valid_until"} else text
    if book.language != ENGLISH:
        facts["language"] = book.language
    if before is not None:
        facts |= {k: v for k in about if (v := getattr(before, k))}
    facts["results"] = list(book.units)
    own = [
        {k: v for k, v in options.items() if k in book.inputs or k in stated(options, planner)}
        for options in book.options
    ]
    given = dict(zip(book.names, own, strict=True))
    same_for_all = shared(given) if len(own) > 1 else {}
    candidates = {n: {k: v for k, v in o.items() if k not in same_for_all} for n, o in given.items()}
    common = stated(book.inputs, planner) | same_for_all
    return proposal_text(planner.registry, facts, common, candidates, before.reasons if before else None)
