"""`tokensheet diff`: what moved between two plans, proposals or workbooks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokensheet.cli.help import examples
from tokensheet.errors import TokensheetError
from tokensheet.texts import ENGLISH

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions
    from tokensheet.planning import Planner
    from tokensheet.proposal import Proposal
    from tokensheet.workbook.reading import Workbook

Scalar = float | str
SAME = 1e-12
"""Numbers that differ by less, relatively, are the same."""
DAYS = ("date", "valid_until")
PROSE = "about"
"""Key of what a proposal says in free words, which is not compared."""


@dataclass(frozen=True)
class Snapshot:
    """A plan as it is compared.

    Attributes:
        given: for each candidate what is given, without defaults
        results: for each candidate what comes out; none where a workbook was never calculated
        units: of the results
        facts: title, customer and so on, as texts
        shown: names that a workbook has rows for; none for a proposal, which may state all
        notes: what could not be compared, and what to do
    """

    given: dict[str, dict[str, Scalar]]
    results: dict[str, dict[str, Scalar]]
    units: dict[str, str]
    facts: dict[str, str] = field(default_factory=dict)
    shown: frozenset[str] | None = None
    notes: tuple[str, ...] = ()

    def shows(self, name: str) -> bool:
        """Whether it could say anything of a name."""
        return self.shown is None or name in self.shown


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
        where = self.candidate or ("about" if self.kind == "about" else "all candidates")
        moved = "" if self.change is None else f" ({self.change:+.3%})"
        unit = f" {self.unit}" if self.unit and self.unit != "1" else ""
        return f"{where}: {self.name} {shown(self.before)} -> {shown(self.after)}{unit}{moved}"


def shown(value: Scalar | None) -> str:
    """A value for people."""
    if value is None or value == "":
        return "not given"
    return f"{value:.10g}" if isinstance(value, float) else value


@click.command(
    short_help="Say what moved between two proposals or workbooks.",
    epilog=examples("tokensheet diff plan.toml plan-2.toml", "tokensheet diff plan.xlsx customer.xlsx"),
)
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
@click.pass_obj
def diff(options: CommandOptions, before: Path, after: Path, as_json: bool) -> None:
    """Say which inputs and results moved, and by how much, between two proposals (.toml) or workbooks (.xlsx)."""
    planner = options.planner()
    one, other = snapshot(before, planner), snapshot(after, planner)
    moves = differences(one, other)
    for note in (*one.notes, *other.notes, *left_out(one, other)):
        click.echo(f"note: {note}", err=True)
    if as_json:
        click.echo(json.dumps([{**vars(m), "change": m.change} for m in moves], indent=1, ensure_ascii=False))
        return
    for line in lines(moves, bool(one.results and other.results)):
        click.echo(line)


def lines(moves: Sequence[Move], compared: bool = True) -> list[str]:
    """The differences for people: inputs first, then results, if they were compared."""
    inputs = [m.line() for m in moves if m.kind != "result"]
    results = [m.line() for m in moves if m.kind == "result"]
    if not moves and compared:
        return ["no difference"]
    found = ["inputs:", *(f"  {x}" for x in inputs)] if inputs else ["inputs: no difference"]
    if not results:
        return [*found, f"results: {'no difference' if compared else 'not compared'}"]
    return [*found, "results:", *(f"  {x}" for x in results)]


def snapshot(path: Path, planner: Planner) -> Snapshot:
    """A proposal with the engine's results, or a workbook with those that it holds.

    Raises:
        TokensheetError: the file cannot be read.
    """
    if path.suffix.lower() == ".toml":
        from tokensheet.proposal import read

        return of_proposal(read(path, planner), planner)
    from tokensheet.workbook.reading import read_workbook

    found = of_workbook(read_workbook(path), planner)
    if found.results:
        return found
    note = f"{path.name}: results are not calculated, so none is compared; open and save it in Excel or LibreOffice"
    return replace(found, notes=(note,))


def of_proposal(proposal: Proposal, planner: Planner) -> Snapshot:
    """What a proposal gives and what the engine answers."""
    from tokensheet.recipe_files import with_results
    from tokensheet.workbook.calculation import cell_value
    from tokensheet.workbook.contents import contents_of

    found = contents_of(planner, with_results(proposal, planner))
    given = {n: stated(g, planner) for n, g in zip(found.names, found.said.given, strict=True)}
    results: dict[str, dict[str, Scalar]] = {
        name: {r: cell_value(found.value(i, r)) for r in found.proposal.results}
        for i, name in enumerate(found.names)
    }
    units = {r: planner.registry.nodes[r].unit for r in found.proposal.results}
    return Snapshot(given, results, units, facts_of(proposal, planner))


def facts_of(proposal: Proposal, planner: Planner) -> dict[str, str]:
    """What a proposal says beside its plans, as the cells of its workbook do."""
    from tokensheet.recipe_files import find
    from tokensheet.workbook.wording import LABELS

    language = proposal.language or find(planner, proposal.template, proposal.folder).language or ENGLISH
    stated = {"title": proposal.title, **{k: str(getattr(proposal, k) or "") for k in LABELS if k != PROSE}}
    return {k: " ".join(v.split()) for k, v in {**stated, "language": language}.items()}


def of_workbook(book: Workbook, planner: Planner) -> Snapshot:
    """What a workbook's cells say."""
    from tokensheet.workbook.wording import LABELS

    shared = inputs_of(book, planner)
    given = {n: stated({**shared, **own}, planner) for n, own in zip(book.names, book.options, strict=True)}
    nodes = planner.registry.nodes
    units = {name: nodes[name].unit if name in nodes else unit for name, unit in book.units.items()}
    labelled = {k: book.about.get(label.english, "") for k, label in LABELS.items() if k != PROSE}
    facts = {"title": book.title, **labelled, "language": book.language}
    facts = {k: " ".join(v.split()) for k, v in facts.items()}
    for key in DAYS:
        facts[key] = facts[key][:10]
    calculated = any(value != "" for own in book.results for value in own.values())
    results = dict(zip(book.names, book.results, strict=True)) if calculated else {}
    return Snapshot(given, results, units, facts, book.shown)


def inputs_of(book: Workbook, planner: Planner, before: Proposal | None = None) -> dict[str, Scalar]:
    """The cells on Inputs, without the numbers that only a series of the recipe started.

    Args:
        book: what the cells hold
        planner: knows the recipes
        before: the proposal that it was made from; what that states stays
    """
    from tokensheet.recipe_files import find
    from tokensheet.workbook.wording import LABELS

    template = before.template if before else book.about.get(LABELS["template"].english, "")
    try:
        recipe = find(planner, template, before.folder if before else None)
    except TokensheetError:  # a recipe that is not on this machine
        return dict(book.inputs)
    first = {series.over: series.values[0] for series in recipe.series}
    given = before.common if before else {}
    return {k: v for k, v in book.inputs.items() if k in given or v != first.get(k)}


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
    """Everything that differs: what is said about it, candidates, inputs, results."""
    facts = [k for k in one.facts if k in other.facts and one.facts[k] != other.facts[k]]
    moves = [Move("about", "", k, one.facts[k], other.facts[k]) for k in facts]
    moves += [Move("candidate", n, "", n, None) for n in one.given if n not in other.given]
    moves += [Move("candidate", n, "", None, n) for n in other.given if n not in one.given]
    both = [n for n in one.given if n in other.given]
    units = {**one.units, **other.units}
    for kind, left, right in (("input", one.given, other.given), ("result", one.results, other.results)):
        names = dict.fromkeys(name for c in both for name in (*left.get(c, ()), *right.get(c, ())))
        for name in names:
            if kind == "result" and not all(
                name in left.get(c, ()) and name in right.get(c, ()) for c in both
            ):
                continue
            if kind == "input" and not (one.shows(name) and other.shows(name)):
                continue
            pairs = {c: (left[c].get(name), right[c].get(name)) for c in both}
            moved = {c: pair for c, pair in pairs.items() if not same(*pair)}
            unit = units.get(name, "")
            if len(moved) == len(both) > 1 and len(set(moved.values())) == 1:
                moves.append(Move(kind, "", name, *next(iter(moved.values())), unit))
            else:
                moves += [Move(kind, c, name, *pair, unit) for c, pair in moved.items()]
    return moves


def left_out(one: Snapshot, other: Snapshot) -> list[str]:
    """A line about given names that a workbook has no row for: they can be neither alike nor different."""
    names = dict.fromkeys(n for side in (one, other) for given in side.given.values() for n in given)
    unseen = [n for n in names if not (one.shows(n) and other.shows(n))]
    return [f"not compared, since no result of the workbook reads it: {', '.join(unseen)}"] if unseen else []


def same(a: Scalar | None, b: Scalar | None, tolerance: float = SAME) -> bool:
    """Whether two values are one: numbers to 12 digits or so, texts without case."""
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= tolerance * max(abs(a), abs(b))
    return str(a).lower() == str(b).lower() if a is not None and b is not None else a is b
