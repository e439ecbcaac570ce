"""Commands for the add-in of Excel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tokensheet.cli.commands import Settings


@click.group()
def addin() -> None:
    """The add-in for Excel on Windows."""


@addin.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.pass_obj
def build(settings: Settings, folder: Path) -> None:
    """Write tokensheet.xlam and its own VBA modules into a folder; Excel is not needed."""
    from tokensheet.functions import Functions
    from tokensheet.udf import addin as files

    for path in files.build(Functions(settings.planner()), folder):
        click.echo(path)
