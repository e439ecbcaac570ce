"""`tokensheet catalog table`: a CSV file to fill in, for `--catalog`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokensheet.cli.help import examples
from tokensheet.cli.writing import force_option, write_text

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions


@click.command(
    "table",
    short_help="Write a CSV file to fill in, for --catalog.",
    epilog=examples("tokensheet catalog table accelerators h100-sxm-80gb -o my-gpus.csv"),
)
@click.argument("kind")
@click.argument("ids", nargs=-1)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="The file to write.",
)
@force_option
@click.pass_obj
def write_table(options: CommandOptions, kind: str, ids: tuple[str, ...], output: Path, force: bool) -> None:
    """Write a CSV file with the columns of a KIND and copies of the records IDS, to change and give to --catalog."""
    from tokensheet.errors import RecordError
    from tokensheet.own_functions import kind_named
    from tokensheet.schema import KINDS
    from tokensheet.tables import rows

    registry = options.planner().registry
    word = kind_named(kind)
    if word not in KINDS:
        raise RecordError(f"a table holds records; kinds are {', '.join(f'{k}s' for k in KINDS)}")
    found = [registry.record(word, text) for text in ids]
    # Names of their own, so that the table can be given as it is: two records of one name are a clash.
    own = [{"id": f"my-{record.id}", "name": "", "aliases": ()} for record in found]
    records = [record.model_copy(update=names) for record, names in zip(found, own, strict=True)]
    try:
        text = rows(word, records)
    except ValueError as error:
        raise RecordError(f"{output.name}: {error}") from error
    write_text(output, text, force=force)
    click.echo(f"written: {output}; give it to tokensheet --catalog {output}")
