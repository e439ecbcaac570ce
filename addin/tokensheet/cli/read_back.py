"""`tokensheet read`: the inputs of a workbook that somebody changed, back as a proposal."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokensheet.cli.compare import (
    DAYS,
    Scalar,
    Snapshot,
    differences,
    inputs_of,
    of_proposal,
    of_workbook,
    same,
    shown,
    stated,
)
from tokensheet.cli.help import examples
from tokensheet.cli.writing import force_option, write_text
from tokensheet.errors import ExportError, ProposalError
from tokensheet.texts import ENGLISH
from tokensheet.toml_lines import Lines

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions
    from tokensheet.planning import Planner
    from tokensheet.proposal import Proposal
    from tokensheet.workbook.reading import Workbook


CLOSE = 1e-9
"""Relative difference up to which programs calculate the same number."""


@click.command(
    "read",
    short_help="Take a workbook that came back into a proposal.",
    epilog=examples("tokensheet read customer.xlsx --proposal plan.toml -o plan-2.toml"),
)
@click.argument("workbook", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the proposal to a file.")
@click.option(
    "--proposal",
    "original",
    type=click.Path(path_type=Path),
    help="Proposal that the workbook was made from; the .toml beside it by default.",
)
@force_option
@click.pass_obj
def read_back(
    options: CommandOptions, workbook: Path, output: Path | None, original: Path | None, force: bool
) -> None:
    """Take the inputs of a workbook that somebody changed back into a proposal, and say what differs."""
    from tokensheet.proposal import parse, read
    from tokensheet.workbook.reading import read_workbook

    planner = options.planner()
    book = read_workbook(workbook)
    beside = workbook.with_suffix(".toml")
    source = original or (beside if beside.exists() else None)
    before = read(source, planner) if source else None
    own = own_records(book, planner)
    for line in own.values():
        click.echo(f"warning: {line}", err=True)
    text = as_toml(book, planner, before)
    try:  # mistakes are told before anything is written
        again = parse(text, planner, workbook.name, lines=CellLines(book), folder=(source or workbook).parent)
    except ProposalError as error:
        picked = [
            id
            for id in own
            if id in {str(v) for given in (book.inputs, *book.options) for v in given.values()}
        ]
        if not picked:
            raise
        raise ProposalError(
            f"{error}\n{', '.join(picked)}: see the warning above how to give such a row"
        ) from error
    after = of_workbook(book, planner)
    for line in other_results(after, of_proposal(again, planner)):
        click.echo(f"warning: {line}", err=True)
    if output:
        write_text(output, text, force=force)
    else:
        click.echo(text, nl=False)
    if before is None:
        return
    moves = differences(
        Snapshot(of_proposal(before, planner).given, {}, {}), Snapshot(after.given, {}, {}, shown=after.shown)
    )
    for move in moves:
        click.echo(f"changed: {move.line()}", err=True)
    if not moves:
        click.echo("no input was changed", err=True)


class CellLines(Lines):
    """Where the cells of a workbook stand that a proposal was read from: mistakes are told by sheet."""

    def __init__(self, book: Workbook) -> None:
        super().__init__("")
        self.book = book

    def of(self, where: tuple[Any, ...]) -> str:
        """`Inputs: ` or `Options, cheap: `."""
        from tokensheet.workbook.layout import ABOUT, INPUTS, OPTIONS
        from tokensheet.workbook.wording import LABELS

        match where:
            case ("candidates", int(index), *_) if index < len(self.book.names):
                return f"{OPTIONS}, {self.book.names[index]}: "
            case ("workload" | "assumptions", name, *_):
                return f"{INPUTS if name in self.book.inputs else OPTIONS}: "
            case (key, *_) if key in ("title", "language", *LABELS):
                return f"{ABOUT}: "
        return ""


def other_results(book: Snapshot, engine: Snapshot) -> list[str]:
    """A line about results of a workbook that its inputs do not give: what else was changed in it is not read."""
    found = [
        f"{candidate}: {name} is {shown(told)} in the workbook, and {shown(answer)} by its inputs"
        for candidate, results in book.results.items()
        for name, told in results.items()
        if (answer := engine.results.get(candidate, {}).get(name)) is not None and not _agree(told, answer)
    ]
    if not found:
        return []
    more = f" (and {len(found) - 1} more results)" if len(found) > 1 else ""
    return [
        f"{found[0]}{more}; a fact, a formula or a profile was changed there, which is not read, or another version "
        "of the program or its catalogue wrote it"
    ]


def _agree(a: Scalar, b: Scalar) -> bool:
    both_errors = isinstance(a, str) and isinstance(b, str)  # whatever their kind
    return both_errors or same(a, b, CLOSE)


def own_records(book: Workbook, planner: Planner) -> dict[str, str]:
    """Rows of catalogue sheets that no plugin offers, the reader's own: id → what to do with it."""
    found = {}
    for kind, ids in book.records.items():
        entries = planner.registry.catalog(kind).entries
        known = [id.lower() for id in ids]
        for id in ids:
            if known.count(id.lower()) > 1:
                found[id] = (
                    f"{kind} {id} stands in two rows of its sheet; give the reader's own row another id"
                )
            elif id not in entries:
                found[id] = (
                    f"{kind} {id} is a row of the reader's own; write it into a table "
                    f"(tokensheet catalog table {kind}s -o own.csv gives the columns) and add --catalog own.csv"
                )
    return found


def _day(label: str, text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text[:10])
    except ValueError as error:
        from tokensheet.workbook.layout import ABOUT

        raise ExportError(f"{ABOUT}: {label} is {text!r:.40}; write a day as 2027-01-31") from error


def as_toml(book: Workbook, planner: Planner, before: Proposal | None) -> str:
    """The text of a proposal that says what the cells of a workbook say.

    What an earlier proposal gives and the workbook has no row for stays as it was given.
    """
    from tokensheet.proposal_text import proposal_text, shared
    from tokensheet.workbook.wording import LABELS

    facts: dict[str, Any] = {"title": book.title}
    for key, label in LABELS.items():
        text = book.about.get(label.english, "")
        if text:
            facts[key] = _day(label.english, text) if key in DAYS else text
    if book.language != ENGLISH:
        facts["language"] = book.language
    if before is not None:
        facts |= {k: v for k in LABELS if (v := getattr(before, k))}
    facts["results"] = list(book.units)
    inputs = inputs_of(book, planner, before)
    own = [
        {k: v for k, v in options.items() if k in book.inputs or k in stated(options, planner)}
        for options in book.options
    ]
    given: dict[str, dict[str, Any]] = dict(zip(book.names, own, strict=True))
    same_for_all = shared(given) if len(own) > 1 else {}
    candidates = {n: {k: v for k, v in o.items() if k not in same_for_all} for n, o in given.items()}
    common = stated(inputs, planner) | same_for_all
    if before is not None:
        common = unseen(before.common, book) | common
        for candidate in before.candidates:
            if candidate.name in candidates:
                candidates[candidate.name] = unseen(candidate.given, book) | candidates[candidate.name]
    return proposal_text(planner.registry, facts, common, candidates, before.reasons if before else None)


def unseen(given: Mapping[str, Any], book: Workbook) -> dict[str, Any]:
    """Those names that a workbook has no row for."""
    return {k: v for k, v in given.items() if k not in book.shown}
