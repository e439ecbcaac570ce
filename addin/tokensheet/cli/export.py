"""`tokensheet export`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokensheet.cli.help import examples
from tokensheet.cli.writing import force_option

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions


@click.command(
    short_help="Write planning workbooks from proposals.",
    epilog=examples(
        "tokensheet export plan.toml", "tokensheet export --language zh --brand acme.xlsx -o out plan.toml"
    ),
)
@click.argument("proposals", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Folder of the workbooks; next to the proposal by default.",
)
@force_option
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option(
    "--lambda", "lambdas", is_flag=True, help="Add functions for cells of Excel 365 (LAMBDA names)."
)
@click.option(
    "--language", default="", help="Language of the workbooks: en, zh, or one that a recipe brings."
)
@click.option(
    "--brand",
    "brand_file",
    type=click.Path(path_type=Path),
    help="Workbook with a company's fonts, colours and logo.",
)
@click.pass_obj
def export(
    options: CommandOptions,
    proposals: tuple[Path, ...],
    output: Path | None,
    force: bool,
    as_json: bool,
    lambdas: bool,
    language: str,
    brand_file: Path | None,
) -> None:
    """Write planning workbooks (.xlsx and a .txt of every cell) from proposals (.toml).

    A workbook and a text that nobody changed since they were exported are replaced without --force.
    """
    from tokensheet.cli.exporting import export_all

    export_all(
        options.planner(),
        proposals,
        output,
        force=force,
        as_json=as_json,
        lambdas=lambdas,
        language=language,
        brand_file=brand_file,
    )
