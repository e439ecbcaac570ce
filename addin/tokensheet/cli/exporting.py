"""`tokensheet export`: proposals in, workbooks out, written whole or not at all."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from tokensheet.errors import ExportError, TokensheetError
from tokensheet.planning import Planner
from tokensheet.proposal import read

EPOCH = (1980, 1, 1, 0, 0, 0)
"""Date of every entry of an exported workbook; programs that save it write the day."""
FIRST_LINE = b"## About"


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
        folder: of the workbooks; beside each proposal if none
        force: replaces what somebody else wrote
        as_json: prints the summary for programs
        lambdas: adds functions for cells of Excel 365
        language: code that goes over the proposals'
        brand_file: a workbook with a company's looks
    """
    from tokensheet.workbook.brand import brand
    from tokensheet.workbook.build import build

    units = {name: str(formula.unit) for name, formula in planner.registry.formulas().items()}
    theme = brand(brand_file) if brand_file else None
    summaries: dict[str, Any] = {}
    failed = False
    for path in _progress(paths, as_json):
        try:
            proposal = read(path, planner)
            if language:
                proposal = proposal.model_copy(update={"language": language})
            made = build(planner, proposal, lambdas=lambdas, theme=theme)
            target = (folder or path.parent) / f"{path.stem}.xlsx"
            write_all({target: made.xlsx, target.with_suffix(".txt"): made.text.encode()}, force=force)
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


def write_text(target: Path, text: str, *, force: bool) -> None:
    """Writes a text file whole or not at all.

    Raises:
        ExportError: it exists with other content and `force` is not given, or it cannot be written.
    """
    if target.exists() and not force and target.read_text(encoding="utf-8", errors="replace") != text:
        raise ExportError(f"{target} exists and holds something else; add --force to replace it")
    write(target, text.encode(), force=True)


def write(target: Path, data: bytes, *, force: bool) -> None:
    """Writes one file; see `write_all`."""
    write_all({target: data}, force=force)


def write_all(files: Mapping[Path, bytes], *, force: bool) -> None:
    """Writes files under temporary names and renames them, so that no half of one is ever seen.

    Raises:
        ExportError: one is open elsewhere, was made by somebody else, or cannot be written; the others
            then stay as they were too.
    """
    for target, data in files.items():
        refuse(target, data, force=force)
    made: dict[Path, Path] = {}
    try:
        for target, data in files.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}-")
            made[target] = Path(name)
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.chmod(name, 0o644)
        for target, temporary in made.items():
            os.replace(temporary, target)
    except OSError as error:
        place = error.filename2 or error.filename or target
        raise ExportError(f"{place}: {error.strerror or error}; choose another folder with -o") from error
    finally:
        for temporary in made.values():
            temporary.unlink(missing_ok=True)


def refuse(target: Path, data: bytes, *, force: bool) -> None:
    """Nothing, when a file may be written.

    Raises:
        ExportError: it is open elsewhere, or somebody has changed it and `force` does not say so.
    """
    locks = target.with_name(f".~lock.{target.name}#"), target.with_name(f"~${target.name}")
    if any(lock.exists() for lock in locks):
        raise ExportError(f"{target} is open in another program; close it or choose another folder with -o")
    if target.is_dir():
        raise ExportError(f"{target} is a folder; remove it, or choose another folder with -o")
    if target.exists() and not force and target.read_bytes() != data and not ours(target):
        raise ExportError(
            f"{target} exists and was changed since it was exported; add --force to replace it, or -o another folder"
        )


def ours(target: Path) -> bool:
    """Whether a file is as an export left it: a workbook's entries carry fixed dates, a text its first line."""
    if target.suffix == ".txt":
        return target.read_bytes().startswith(FIRST_LINE)
    try:
        with zipfile.ZipFile(target) as package:
            return all(entry.date_time == EPOCH for entry in package.infolist())
    except (OSError, zipfile.BadZipFile):
        return False


def answer(title: str, summary: Sequence[dict[str, Any]], units: Mapping[str, str]) -> str:
    """The results as a table for the terminal in the units of Summary, reasons below."""
    names = list(summary[0]["results"])
    width = max(len(s["name"]) for s in summary)
    rows = [title, ""]
    for s in summary:
        rows.append(s["name"].ljust(width))
        for name in names:
            value = s["results"][name]
            rows.append(f"  {name:<28} {'-' if value is None else in_unit(value, units[name])}")
        reasons = list(dict.fromkeys(s["reasons"].values()))
        rows += [f"  no answer: {reason}" for reason in reasons]
        rows += [f"  warning: {warning}" for warning in s["warnings"]]
    unread = dict.fromkeys(name for s in summary for name in s["unread"])
    if unread:
        rows.append(f"warning: given but read by no result: {', '.join(unread)}")
    rows += [f"replaced formula: {line}" for line in dict.fromkeys(x for s in summary for x in s["replaced"])]
    return "\n".join(rows)


def in_unit(value: float, unit: str) -> str:
    """A number as Summary shows it, in ms and GiB; the summary for programs stays in SI units."""
    from tokensheet.workbook.sheets import PEOPLE

    shown, _, factor = PEOPLE.get(unit, (unit, "", 1.0))
    return f"{value * factor:.6g}" + ("" if shown in {"1", "flag"} else f" {shown}")
