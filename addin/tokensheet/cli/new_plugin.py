"""`tokensheet new-plugin`: the package of a new plugin, and what to type next."""

from __future__ import annotations

from pathlib import Path

import click

from tokensheet.cli.help import examples


@click.command(
    "new-plugin",
    short_help="Write the package of a plugin of your own.",
    epilog=examples("tokensheet new-plugin acme-gpus"),
)
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def new_plugin(name: str, folder: Path | None) -> None:
    """Write the package of a plugin called NAME, such as acme-gpus, into FOLDER (./NAME by default)."""
    import tokensheet.new_plugin as package
    from tokensheet.installation import Installation

    target = folder or Path(name)
    for path in package.write(name, target):
        click.echo(f"written: {path.as_posix()}")
    click.echo(f"next: {Installation().command_for_folder(target)}")
