"""`tokensheet catalog`: list and show records, read a model's config, write a table to fill in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokensheet.cli.help import Group, examples
from tokensheet.cli.tables import write_table
from tokensheet.cli.writing import force_option

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions


@click.group(cls=Group, short_help="Find models, devices, prices; read a config.json.")
def catalog() -> None:
    """Records of the catalogue."""


@catalog.command(
    "list",
    short_help="List records of a kind, or the kinds.",
    epilog=examples(
        "tokensheet catalog list models llama 70b",
        "tokensheet catalog list models moe mla",
        "tokensheet catalog list prices stale",
    ),
)
@click.argument("kind", required=False)
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the records as JSON.")
@click.pass_obj
def catalog_list(options: CommandOptions, kind: str | None, words: tuple[str, ...], as_json: bool) -> None:
    """List records of a kind: accelerators, links, systems, models, formats, profiles, prices, or functions.

    WORDS choose those that fit all of them. Without a KIND: which there are, and how many of each.
    """
    from tokensheet.cli.records import as_data, record_table, records_found
    from tokensheet.functions import Functions
    from tokensheet.own_functions import FUNCTION, kind_named
    from tokensheet.schema import KINDS

    functions = Functions(options.planner())
    planner = functions.planner
    if kind is None:
        counted = {f"{each}s": sum(1 for _ in planner.registry.catalog(each)) for each in KINDS}
        counted[f"{FUNCTION}s"] = len(functions.table)
        lines = [f"{name}  {count}" for name, count in counted.items()]
        click.echo(json.dumps(counted, indent=1) if as_json else "\n".join(lines))
        return
    word = kind_named(kind)
    if word == FUNCTION:
        names = [name for name in sorted(functions.table) if all(w.upper() in name for w in words)]
        click.echo(json.dumps(names, indent=1) if as_json else "\n".join(names))
        return
    entries = records_found(planner, word, words)
    if as_json:
        click.echo(json.dumps([as_data(entry, planner) for entry in entries], indent=1, ensure_ascii=False))
    else:
        click.echo(record_table(planner, word, entries))


@catalog.command(
    "show",
    short_help="Show every number of a record with its source.",
    epilog=examples("tokensheet catalog show h100-sxm-80gb"),
)
@click.argument("id")
@click.option("--json", "as_json", is_flag=True, help="Print the records of this id as JSON.")
@click.pass_obj
def catalog_show(options: CommandOptions, id: str, as_json: bool) -> None:
    """Show every number of a record with its unit, source and state."""
    from tokensheet.cli.records import as_data, show_record
    from tokensheet.facts import entries

    planner = options.planner()
    found = entries(planner, id)
    if as_json:
        click.echo(json.dumps([as_data(entry, planner) for entry in found], indent=1, ensure_ascii=False))
        return
    for entry in found:
        click.echo(show_record(entry, planner))


@catalog.command(
    "import",
    short_help="Read a model from a Hugging Face config.json.",
    epilog=examples(
        "tokensheet catalog import config.json -o my_model.py",
        """tokensheet --plugin my_model.py eval '=KV_BYTES("my-model",4096)'""",
        note="The second line asks for it, by the id that the first has told.",
    ),
)
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print what was read as one JSON object.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write a plugin file with the record.")
@click.option(
    "--id", "record_id", default="", help="Id of the record; else the name of the repository or file."
)
@force_option
def catalog_import(config: Path, as_json: bool, output: Path | None, record_id: str, force: bool) -> None:
    """Read a Hugging Face config.json (or its folder) as a model, and say what was assumed."""
    from tokensheet.cli.importing import import_file

    click.echo(import_file(config, as_json=as_json, output=output, id=record_id, force=force))


catalog.add_command(write_table)
