"""`tokensheet texts`: everything that a workbook can say, as the table of a language to be filled in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokensheet.cli.help import examples
from tokensheet.cli.writing import force_option, write_text

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions
    from tokensheet.planning import Planner


@click.command(
    short_help="Print the texts of workbooks in a language.",
    epilog=examples("tokensheet texts de -o de.toml", "tokensheet texts zh --missing"),
)
@click.argument("language")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="File to write instead of the terminal."
)
@click.option("--missing", is_flag=True, help="Only texts that have no words yet.")
@force_option
@click.pass_obj
def texts(options: CommandOptions, language: str, output: Path | None, missing: bool, force: bool) -> None:
    """Print the texts of workbooks with their words in a LANGUAGE, such as zh; those without words as comments."""
    text = table(options.planner(), language, only_missing=missing)
    if output is None:
        click.echo(text, nl=False)
        return
    write_text(output, text, force=force)


def table(planner: Planner, code: str, *, only_missing: bool = False) -> str:
    """A table of texts as a plugin offers it, and as a recipe has it.

    Raises:
        TextsError: the code is none, or a table that a plugin offers has mistakes.
    """
    from tokensheet.languages import checked_code, known_texts, language, languages, optional_texts
    from tokensheet.recipe_files import all_texts

    registry = planner.registry
    words = language(registry, code).words if code in languages(registry) else {}
    optional = optional_texts(registry)
    rows = [f'language = "{checked_code(code)}"', "", "[texts]"]
    rows += _rows((known_texts(registry) | all_texts(planner)) - optional, words, only_missing)
    if not only_missing:
        rows += [
            "",
            "# sources and descriptions of functions, which may stay as they are",
            *_rows(optional, words, only_missing),
        ]
    return "\n".join(rows) + "\n"


def _rows(texts: Iterable[str], words: Mapping[str, str], only_missing: bool) -> list[str]:
    """A line for each text, those without words as comments."""
    found = []
    for english in sorted(texts):
        key = json.dumps(english, ensure_ascii=False)
        if english not in words:
            found.append(f'# {key} = ""')
        elif not only_missing:
            found.append(f"{key} = {json.dumps(words[english], ensure_ascii=False)}")
    return found
