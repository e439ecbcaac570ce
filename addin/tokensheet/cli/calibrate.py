"""`tokensheet calibrate`: a profile moved to a person's own measurements, as a table for `--catalog`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokensheet.cli.help import examples
from tokensheet.cli.writing import force_option, write_text

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions


@click.command(
    short_help="Move a profile to your own measured times.",
    epilog=examples("tokensheet calibrate runs.csv --id ours -o ours.toml"),
)
@click.argument("table", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write the profile here (.toml); on the terminal by default.",
)
@click.option(
    "--profile",
    default="auto",
    show_default=True,
    metavar="ID",
    help="Profile to start from; auto takes it by engine, device, version and date.",
)
@click.option(
    "--id",
    "name",
    default="",
    metavar="ID",
    help="Id of the new profile; else made from the name of the table.",
)
@force_option
@click.pass_obj
def calibrate(
    options: CommandOptions, table: Path, output: Path | None, profile: str, name: str, force: bool
) -> None:
    """Move a profile to the measured times in TABLE, a CSV file as `tokensheet validate` reads it.

    One or two rows give one factor on all times (time_scale); more rows move efficiencies and overheads too. Give
    the file to `tokensheet --catalog`, or name it in the settings, and choose the profile by its id.
    """
    from tokensheet.errors import RecordError
    from tokensheet.validation import read
    from tokensheet.validation.calibration import as_toml
    from tokensheet.validation.calibration import calibrate as calibrated

    if output is not None and output.suffix.lower() != ".toml":
        raise RecordError(f"{output}: a profile is a .toml file; choose such a name")
    found = calibrated(options.planner(), read(table), profile)
    text = as_toml(found, table.name, name)
    for each in found:
        click.echo(
            f"{each.base.id}: {each.rows} rows moved {', '.join(each.moved)}; "
            f"median error {100 * each.before:.1f} % before, {100 * each.after:.1f} % after",
            err=True,
        )
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text, force=force)
        click.echo(f"written: {output}; give it to tokensheet --catalog {output}")
