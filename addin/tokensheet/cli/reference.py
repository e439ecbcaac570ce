"""`tokensheet reference`: everything that functions, options and records are, as Markdown or as a page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokensheet.cli.help import examples

if TYPE_CHECKING:
    from tokensheet.cli.commands import Settings


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
@click.option("--force", is_flag=True, help="Write over a file that holds something else.")
@click.pass_obj
def reference(settings: Settings, target: Path | None, force: bool) -> None:
    """Print the reference of functions, options, searches, results, profiles, records and hooks as Markdown."""
    from tokensheet.functions import Functions

    functions = Functions(settings.planner())
    if target is None:
        from tokensheet.reference.markdown import markdown

        click.echo(markdown(functions), nl=False)
        if sys.stdout.isatty():
            click.echo("as a page to search: tokensheet reference --html reference.html", err=True)
        return
    from tokensheet.cli.exporting import write_text
    from tokensheet.reference.html import page

    write_text(target, page(functions), force=force)
    click.echo(f"written: {target}")
