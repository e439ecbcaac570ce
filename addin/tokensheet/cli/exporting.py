"""`tokensheet export`: proposals in, workbooks out, written whole or not at all."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from tokensheet.cli.writing import ANOTHER_FOLDER, need_folder, write_all
from tokensheet.errors import ExportError, TokensheetError
from tokensheet.planning import Planner
from tokensheet.proposal import read

ENDINGS = ".xlsx", ".txt", ".toml"
"""Of a workbook, its text and its proposal."""
LINE = 100
"""Characters of a line of results in the terminal."""


def export_all(
    planner: Planner,
    paths: Sequence[Path],
    folder: Path | None,
    *,
    force: bool,
    as_json: bool,
    lambdas: bool = False,
    language: str = "",
    brand_file: Path | None = None,
) -> None:
    """Exports each proposal; a bad one does not stop the others, but the exit code tells.

    Args:
        planner: catalogue and formulas
        paths: of proposals
        folder: of the workbooks; beside each proposal if none, and never the name of a file
        force: replaces what somebody else wrote
        as_json: prints the summary for programs
        lambdas: adds functions for cells of Excel 365
        language: code that goes over the proposals'
        brand_file: a workbook with a company's looks
    """
    from tokensheet.workbook.brand import brand
    from tokensheet.workbook.build import build

    if folder is not None:
        need_folder(folder, ENDINGS)
    units = {name: str(formula.unit) for name, formula in planner.registry.formulas().items()}
    theme = brand(brand_file) if brand_file else None
    summaries: dict[str, Any] = {}
    written: dict[Path, Path] = {}
    failed = False
    for path in _progress(paths, as_json):
        try:
            if path.suffix.lower() == ".xlsx":
                raise ExportError(
                    f"{path} is a workbook; give its proposal, or make one by 'tokensheet read'"
                )
            target = (folder or path.parent) / f"{path.stem}.xlsx"
            first = written.setdefault(target, path)
            if first != path:
                raise ExportError(
                    f"{path}: its workbook would replace that of {first}, {target}; rename one, or export it apart"
                )
            proposal = read(path, planner)
            if language:
                proposal = proposal.model_copy(update={"language": language})
            made = build(planner, proposal, lambdas=lambdas, theme=theme)
            files = {target: made.xlsx, target.with_suffix(".txt"): made.text.encode()}
            write_all(files, force=force, elsewhere=ANOTHER_FOLDER, ours=as_exported)
        except TokensheetError as error:
            failed = True
            click.echo(f"tokensheet: {error}", err=True)
            continue
        summaries[str(target)] = made.summary
        if made.untranslated:
            click.echo(f"tokensheet: note: {untranslated(made.language, made.untranslated)}", err=True)
        if not as_json:
            click.echo(answer(proposal.title, made.summary, units))
            click.echo(f"written: {target}, and every cell as text in {target.with_suffix('.txt').name}")
    if as_json:
        click.echo(json.dumps(summaries, indent=1))
    if failed:
        sys.exit(1)


def untranslated(language: str, texts: Sequence[str]) -> str:
    """A line about texts that a language has no words for."""
    first = ", ".join(repr(text) for text in texts[:3])
    return f"{len(texts)} texts have no words in {language} and stand in English: {first}{', …' if len(texts) > 3 else ''}"


def _progress(paths: Sequence[Path], quiet: bool) -> Any:
    if len(paths) < 2 or quiet or not sys.stderr.isatty():
        return paths
    from rich.progress import track

    return track(paths, description="exporting")


def as_exported(target: Path) -> bool:
    """Whether a file is as an export left it: its mark is the sum of its content."""
    from tokensheet.workbook.mark import is_marked_text, is_marked_workbook

    if target.suffix == ".txt":
        return is_marked_text(target.read_bytes())
    return is_marked_workbook(target)


def answer(title: str, summary: Sequence[dict[str, Any]], units: Mapping[str, str]) -> str:
    """The results for the terminal, a column for each candidate, in the units of Summary; reasons below."""
    parts = [title, ""]
    parts += [f"{i:>3}  {s['name']}" for i, s in enumerate(summary, 1)]
    parts += _columns(summary, units)
    told: dict[str, list[int]] = {}
    for i, s in enumerate(summary, 1):
        for reason in dict.fromkeys(s["reasons"].values()):
            told.setdefault(f"no answer: {reason}", []).append(i)
        for warning in s["warnings"]:
            told.setdefault(f"warning: {warning}", []).append(i)
    parts += ["", *(f"{', '.join(map(str, where))}: {text}" for text, where in told.items())] if told else []
    unread = dict.fromkeys(name for s in summary for name in s["unread"])
    parts += [f"warning: given but read by no result: {', '.join(unread)}"] if unread else []
    parts += [
        f"replaced formula: {line}" for line in dict.fromkeys(x for s in summary for x in s["replaced"])
    ]
    return "\n".join(parts)


def _columns(summary: Sequence[dict[str, Any]], units: Mapping[str, str]) -> list[str]:
    """Tables of results by candidates, as many candidates beside each other as a line holds."""
    names = list(summary[0]["results"])
    shown = {name: in_unit(units[name]) for name in names}
    heads = [f"{name}  {shown[name][0]}".rstrip() for name in names]
    cells = [[_number(s["results"][name], shown[name][1]) for name in names] for s in summary]
    first = max(map(len, heads), default=0)
    width = max((len(cell) for column in cells for cell in column), default=1) + 2
    blocks = math.ceil(len(cells) / max(1, (LINE - first) // width))
    count = math.ceil(len(cells) / blocks)
    lines: list[str] = []
    for start in range(0, len(cells), count):
        block = cells[start : start + count]
        lines += ["", " " * first + "".join(f"{start + i:>{width}}" for i in range(1, len(block) + 1))]
        lines += [
            head.ljust(first) + "".join(f"{column[row]:>{width}}" for column in block)
            for row, head in enumerate(heads)
        ]
    return lines


def _number(value: float | None, factor: float) -> str:
    """Six digits, or all of a larger number before its point."""
    if value is None:
        return "-"
    number = value * factor
    return f"{number:,.0f}" if 1e6 <= abs(number) < 1e15 else f"{number:.6g}"


def in_unit(unit: str) -> tuple[str, float]:
    """How Summary shows a unit, ms and GiB, and by what a number is multiplied; programs get SI units."""
    from tokensheet.workbook.people import for_people

    shown = for_people(unit)
    return "" if shown.name in {"1", "flag"} else shown.name, shown.factor
