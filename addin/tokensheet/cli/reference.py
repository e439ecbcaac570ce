"""`tokensheet reference`: everything that functions, options and records are, as Markdown or as a page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokensheet.cli.help import examples
from tokensheet.cli.writing import force_option, write_text

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions


@click.command(
    short_help="Everything there is, on one page to search.",
    epilog=examples("tokensheet reference --html reference.html"),
)
@click.option(
    "--html",
    "target",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a page for a browser that is searched without a network.",
)
@force_option
@click.pass_obj
def reference(options: CommandOptions, target: Path | None, force: bool) -> None:
    """Print the reference of functions, options, searches, results, profiles, records and hooks as Markdown."""
    from tokensheet.functions import Functions

    functions = Functions(options.planner())
    if target is None:
        from tokensheet.reference.markdown import markdown

        click.echo(markdown(functions), nl=False)
        if sys.stdout.isatty():
            click.echo("as a page to search: tokensheet reference --html reference.html", err=True)
        return
    from tokensheet.reference.html import page

    write_text(target, page(functions), force=force, elsewhere="another file with --html")
    click.echo(f"written: {target}")
