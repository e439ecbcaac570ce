"""The commands. Each imports what it needs when it runs, so that one cell's answer starts fast."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokensheet import __version__
from tokensheet.cli.addin import addin
from tokensheet.cli.calibrate import calibrate
from tokensheet.cli.compare import diff, read_back
from tokensheet.cli.demand import demand
from tokensheet.cli.doctor import doctor
from tokensheet.cli.new_plugin import new_plugin
from tokensheet.cli.optimize import optimize
from tokensheet.cli.tables import write_table
from tokensheet.cli.validate import validate

if TYPE_CHECKING:
    from tokensheet.celltext import FunctionCall
    from tokensheet.functions import Functions
    from tokensheet.planning import Planner


@dataclass(frozen=True)
class Settings:
    """Options that come before the command."""

    plugins: tuple[Path, ...]
    disable: tuple[str, ...]
    strict: bool
    catalogs: tuple[Path, ...] = ()

    def unreported(self) -> Planner:
        """The planner of these settings."""
        from tokensheet.planning import Planner

        return Planner.of(disable=self.disable, files=self.plugins, catalogs=self.catalogs)

    def planner(self) -> Planner:
        """The planner of these settings; what failed is told on standard error."""
        planner = self.unreported()
        self.report(planner)
        told = len(planner.registry.problems)

        def later() -> None:
            """Records are built when first asked for: what fails then is told at the end."""
            for problem in planner.registry.problems[told:]:
                click.echo(problem, err=True)

        click.get_current_context().call_on_close(later)
        return planner

    def report(self, planner: Planner) -> None:
        """Tells each problem of a plugin once; under --strict that is the end."""
        if self.strict:
            from tokensheet.schema import KINDS

            planner.registry.check_all()
            for kind in KINDS:
                planner.registry.catalog(kind)
        problems = planner.registry.problems
        for problem in problems:
            click.echo(problem, err=True)
        if problems and self.strict:
            sys.exit(1)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tokensheet")
@click.option(
    "--plugin",
    "plugins",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A Python file that is a plugin.",
)
@click.option(
    "--catalog",
    "catalogs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A table of accelerators, links, models or prices: .csv or .toml.",
)
@click.option(
    "--disable", multiple=True, metavar="NAME", help="Leave out a plugin, by its name or distribution."
)
@click.option("--strict", is_flag=True, help="Stop when a plugin has a problem.")
@click.pass_context
def tokensheet(
    context: click.Context,
    plugins: tuple[Path, ...],
    catalogs: tuple[Path, ...],
    disable: tuple[str, ...],
    strict: bool,
) -> None:
    """LLM inference planning: cell formulas in the terminal, planning workbooks from proposals."""
    context.obj = Settings(plugins, disable, strict, catalogs)


@tokensheet.command("eval")
@click.argument("text")
@click.pass_obj
def evaluate(settings: Settings, text: str) -> None:
    """Answer a cell's text, such as '=KV_BYTES("llama-2-70b",4096,8)'; - reads one a line from standard input."""
    from tokensheet.functions import Functions

    functions = Functions(settings.planner())
    if text != "-":
        shown, failed = answer(text, functions)
        click.echo(shown)
        if not failed:
            warn(text, functions)
        sys.exit(1 if failed else 0)
    for line in sys.stdin:
        if not line.strip():
            click.echo("")  # so that answers stay beside their questions
        else:
            shown, failed = answer(line.rstrip("\n"), functions)
            click.echo(shown)
            if not failed:
                warn(line, functions)


def warn(text: str, functions: Functions) -> None:
    """Tells the warnings of a cell that is one function call: its answer stands, but look at it."""
    from tokensheet.celltext import FunctionCall, parse
    from tokensheet.errors import TokensheetError

    try:
        part = parse(text)
        if isinstance(part, FunctionCall):
            for warning in functions.own.warnings(part.name, call_values(part, functions)):
                click.echo(f"warning: {warning}", err=True)
    except TokensheetError:
        return  # the answer said so


def answer(text: str, functions: Functions) -> tuple[str, bool]:
    """One line for one cell's text, and whether it failed."""
    from tokensheet.errors import TokensheetError
    from tokensheet.interpret import Failure
    from tokensheet.sheet_words import run

    try:
        found = run(text, functions)
    except TokensheetError as error:
        found = Failure(str(error), type(error))
    if isinstance(found, Failure):
        return f"{found.code}\t{one_line(found.reason)}", True
    if isinstance(found, list):
        rows = ";".join(",".join(_element(v) for v in row) for row in found)
        reasons = [one_line(v.reason) for row in found for v in row if isinstance(v, Failure)]
        return f"{{{rows}}}" + (f"\t{reasons[0]}" if reasons else ""), False
    return shown(found), False


def one_line(text: str) -> str:
    """Text without line ends."""
    return " ".join(text.split())


def shown(value: Any) -> str:
    """A value with all its digits."""
    from tokensheet.cell_arithmetic import as_text

    return as_text(value)


def _element(value: Any) -> str:
    code = getattr(value, "code", None)
    if code is not None:
        return str(code)
    return '"' + value.replace('"', '""') + '"' if isinstance(value, str) else shown(value)


@tokensheet.command()
@click.argument("text")
@click.pass_obj
def explain(settings: Settings, text: str) -> None:
    """Print the calculation behind one function call, node by node."""
    from tokensheet.celltext import FunctionCall, parse
    from tokensheet.errors import CellTextError
    from tokensheet.functions import Functions
    from tokensheet.interpret import Failure

    functions = Functions(settings.planner())
    part = parse(text)
    if not isinstance(part, FunctionCall):
        raise CellTextError(
            'explain takes one function call, such as =DECODE_LATENCY("llama-2-70b","h100-sxm-80gb",8,4096)'
        )
    values = call_values(part, functions)
    for value in values:
        if isinstance(value, Failure):
            raise value.error(part.name)
    rows = functions.own.explain(part.name, *values)
    for name, words, value, unit, source, owner in rows[1:]:
        if name == "warning":
            click.echo(f"warning: {words}")
            continue
        number = f"{value.code} ({value.reason})" if isinstance(value, Failure) else shown(value)
        tail = "  ".join(x for x in (unit, f"[{source}]" if source else "", owner) if x)
        click.echo(f"{name} = {words} = {number}  {tail}".rstrip())
    shown_answer, failed = answer(text, functions)
    click.echo(shown_answer)
    sys.exit(1 if failed else 0)


def call_values(part: FunctionCall, functions: Functions) -> list[Any]:
    """The arguments of a call as values."""
    from tokensheet.celltext import ArrayLiteral, Literal
    from tokensheet.sheet_words import run_part

    values: list[Any] = []
    for argument in part.arguments:
        match argument:
            case Literal(value=value):
                values.append(value)
            case ArrayLiteral(rows=rows):
                values.append([list(r) for r in rows])
            case _:
                values.append(run_part(argument, functions))
    return values


@tokensheet.command()
@click.pass_obj
def plugins(settings: Settings) -> None:
    """List plugins: name, distribution, version, state, what each offers, and the interpreter."""
    from tokensheet.cli.plugin_report import report, warnings

    planner = settings.unreported()
    click.echo(report(planner))
    for warning in warnings(planner):
        click.echo(f"warning: {warning}", err=True)
    settings.report(planner)


@tokensheet.group()
def catalog() -> None:
    """Records of the catalogue."""


@catalog.command("list")
@click.argument("kind")
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the records as JSON.")
@click.pass_obj
def catalog_list(settings: Settings, kind: str, words: tuple[str, ...], as_json: bool) -> None:
    """List records of a kind: accelerators, links, systems, models, formats, profiles, prices, or functions.

    WORDS choose those that fit all of them, such as `catalog list models moe mla` or `catalog list prices stale`.
    """
    from tokensheet.cli.records import as_data, chosen, record_table
    from tokensheet.functions import Functions
    from tokensheet.own_functions import FUNCTION, kind_named

    functions = Functions(settings.planner())
    planner, word = functions.planner, kind_named(kind)
    if word == FUNCTION:
        names = [name for name in sorted(functions.table) if all(w.upper() in name for w in words)]
        click.echo(json.dumps(names, indent=1) if as_json else "\n".join(names))
        return
    entries = chosen(planner, word, words)
    if as_json:
        click.echo(json.dumps([as_data(entry, planner) for entry in entries], indent=1, ensure_ascii=False))
    else:
        click.echo(record_table(planner, word, entries))


@catalog.command("show")
@click.argument("id")
@click.option("--json", "as_json", is_flag=True, help="Print the records of this id as JSON.")
@click.pass_obj
def catalog_show(settings: Settings, id: str, as_json: bool) -> None:
    """Show every number of a record with its unit, source and state."""
    from tokensheet.cli.records import as_data, show_record
    from tokensheet.facts import entries

    planner = settings.planner()
    found = entries(planner, id)
    if as_json:
        click.echo(json.dumps([as_data(entry, planner) for entry in found], indent=1, ensure_ascii=False))
        return
    for entry in found:
        click.echo(show_record(entry, planner))


@catalog.command("import")
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print what was read as one JSON object.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write a plugin file with the record.")
@click.option(
    "--id", "record_id", default="", help="Id of the record; else the name of the repository or file."
)
@click.option("--force", is_flag=True, help="Write over a file that holds something else.")
@click.pass_obj
def catalog_import(
    settings: Settings, config: Path, as_json: bool, output: Path | None, record_id: str, force: bool
) -> None:
    """Read a Hugging Face config.json (or its folder) as a model, and say what was assumed."""
    from tokensheet.cli.importing import import_file

    click.echo(import_file(config, as_json=as_json, output=output, id=record_id, force=force))


@tokensheet.command()
@click.pass_obj
def functions(settings: Settings) -> None:
    """List the functions with their arguments."""
    from tokensheet.functions import Functions

    for function in Functions(settings.planner()).table.values():
        click.echo(f"{function.signature}\n    {function.text}")


@tokensheet.command()
@click.pass_obj
def reference(settings: Settings) -> None:
    """Print the reference of all functions, assumptions and profiles as Markdown."""
    from tokensheet.functions import Functions
    from tokensheet.reference import reference

    click.echo(reference(Functions(settings.planner())), nl=False)


@tokensheet.command()
@click.argument("proposals", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Folder of the workbooks; next to the proposal by default.",
)
@click.option("--force", is_flag=True, help="Write over a workbook that was changed since it was exported.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.pass_obj
def export(
    settings: Settings, proposals: tuple[Path, ...], output: Path | None, force: bool, as_json: bool
) -> None:
    """Write planning workbooks (.xlsx and a .txt of every cell) from proposals (.toml)."""
    from tokensheet.cli.exporting import export_all

    export_all(settings.planner(), proposals, output, force=force, as_json=as_json)


catalog.add_command(write_table)
tokensheet.add_command(new_plugin)
tokensheet.add_command(addin)
tokensheet.add_command(doctor)
tokensheet.add_command(optimize)
tokensheet.add_command(diff)
tokensheet.add_command(read_back)
tokensheet.add_command(validate)
tokensheet.add_command(calibrate)
tokensheet.add_command(demand)
