"""The commands. Each imports what it needs when it runs, so that one cell's answer starts fast."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokensheet import __version__
from tokensheet.cli.addin import addin
from tokensheet.cli.answers import evaluate, explain
from tokensheet.cli.calibrate import calibrate
from tokensheet.cli.catalogue import catalog
from tokensheet.cli.compare import diff
from tokensheet.cli.demand import demand
from tokensheet.cli.doctor import doctor
from tokensheet.cli.export import export
from tokensheet.cli.help import Sections, examples
from tokensheet.cli.new_plugin import new_plugin
from tokensheet.cli.optimize import optimize
from tokensheet.cli.read_back import read_back
from tokensheet.cli.reference import reference
from tokensheet.cli.server import server
from tokensheet.cli.texts import texts
from tokensheet.cli.validate import validate
from tokensheet.errors import hint

if TYPE_CHECKING:
    from tokensheet.planning import Planner


@dataclass(frozen=True)
class CommandOptions:
    """Options that come before the command."""

    plugins: tuple[Path, ...]
    disable: tuple[str, ...]
    strict: bool
    catalogs: tuple[Path, ...] = ()

    def unreported(self) -> Planner:
        """The planner of these options."""
        from tokensheet.planning import Planner

        return Planner.of(disable=self.disable, files=self.plugins, catalogs=self.catalogs)

    def planner(self) -> Planner:
        """The planner of these options; what failed is told on standard error."""
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
        unknown: list[str] = []
        if self.strict:
            from tokensheet.named_records import all_unknown_names

            planner.registry.check_all()
            unknown = all_unknown_names(planner.registry)
        problems = [*planner.registry.problems, *unknown]
        for problem in problems:
            click.echo(problem, err=True)
        if problems and self.strict:
            sys.exit(1)


@click.group(
    cls=Sections,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="tokensheet COMMAND --help shows examples. The options above stand before the command.",
)
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
    context.obj = CommandOptions(plugins, disable, strict, catalogs)


@tokensheet.command(
    short_help="List plugins: what each offers, and what failed.",
    epilog=examples("tokensheet plugins", "tokensheet --plugin mine.py --strict plugins"),
)
@click.pass_obj
def plugins(options: CommandOptions) -> None:
    """List plugins: name, distribution, version, state, what each offers, and the interpreter."""
    from tokensheet.cli.plugin_report import report, warnings

    planner = options.unreported()
    click.echo(report(planner))
    for warning in warnings(planner):
        click.echo(f"warning: {warning}", err=True)
    options.report(planner)


@tokensheet.command(
    short_help="List functions with their arguments.",
    epilog=examples("tokensheet functions kv bytes", "tokensheet functions dollar month"),
)
@click.argument("words", nargs=-1)
@click.pass_obj
def functions(options: CommandOptions, words: tuple[str, ...]) -> None:
    """List the functions with their arguments; WORDS choose those whose name or text has all of them."""
    from tokensheet.functions import Functions

    table = Functions(options.planner()).table
    texts = [f"{function.signature}\n    {function.text}" for function in table.values()]
    found = [text for text in texts if all(word.lower() in text.lower() for word in words)]
    click.echo("\n".join(found) or f"none{hint('_'.join(words).lower(), map(str.lower, table))}")


for command in (
    evaluate,
    explain,
    catalog,
    export,
    new_plugin,
    addin,
    doctor,
    server,
    optimize,
    reference,
    diff,
    read_back,
    validate,
    texts,
    calibrate,
    demand,
):
    tokensheet.add_command(command)
