"""Commands for the add-ins of Excel and LibreOffice."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokensheet.cli.help import Group, examples
from tokensheet.cli.writing import force_option, write_folder
from tokensheet.desktop import FLEET_PLACE

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions

EXCEL, LIBREOFFICE = "excel", "libreoffice"
office = click.argument(
    "office",
    type=click.Choice([EXCEL, LIBREOFFICE]),
    default=EXCEL if sys.platform == "win32" else LIBREOFFICE,
)


@click.group(cls=Group, short_help="Functions in Excel on Windows and in LibreOffice.")
def addin() -> None:
    """The add-ins for Excel on Windows and for LibreOffice."""


@addin.command(
    short_help="Write the files of the add-ins into a folder.",
    epilog=examples("tokensheet addin build FOLDER"),
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@force_option
@click.pass_obj
def build(options: CommandOptions, folder: Path, force: bool) -> None:
    """Write the add-ins into a folder: tokensheet.oxt, tokensheet.xlam and its own VBA modules.

    Neither Excel nor LibreOffice is needed; what is for Excel needs the packages of tokensheet[excel].
    """
    import tempfile

    from tokensheet.calc import extension
    from tokensheet.functions import Functions
    from tokensheet.udf import addin as files

    functions = Functions(options.planner())
    with tempfile.TemporaryDirectory() as made:
        built = [extension.build(functions, Path(made))]
        try:
            built += files.build(functions, Path(made))
        except files.AddinError as error:
            if not isinstance(error.__cause__, ImportError):
                raise
            click.echo(f"Excel's part left out: {error}", err=True)
        write_folder(folder, {path.name: path.read_bytes() for path in built}, force=force)


@addin.command(
    short_help="Write what an administrator needs for many machines.",
    epilog=examples(f'tokensheet addin fleet FOLDER --at "{FLEET_PLACE}"'),
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--at", "place", default=FLEET_PLACE, show_default=True, help="Folder on the machines.")
@force_option
@click.pass_obj
def fleet(options: CommandOptions, folder: Path, place: str, force: bool) -> None:
    """Write what an administrator places on many machines: add-ins, settings, scripts, a trusted location."""
    from tokensheet.desktop.fleet import fleet_files
    from tokensheet.functions import Functions

    write_folder(folder, fleet_files(Functions(options.planner()), place), force=force)


@addin.command(
    short_help="Put the add-in into Excel or LibreOffice.",
    epilog=examples("tokensheet addin install libreoffice"),
)
@office
@click.pass_obj
def install(options: CommandOptions, office: str) -> None:
    """Build the add-in of OFFICE for what is installed here, and put it where OFFICE opens it by itself."""
    import tempfile

    from tokensheet.calc import extension
    from tokensheet.desktop import install as excel
    from tokensheet.desktop import libreoffice
    from tokensheet.desktop.machine import this_machine
    from tokensheet.functions import Functions

    machine = this_machine()
    if office == EXCEL:
        excel.need_windows(machine)
        for path in excel.excel_install(machine, Functions(options.planner())):
            click.echo(path)
        click.echo("start Excel anew and type =TS_VERSION()")
        return
    libreoffice.program(machine)
    with tempfile.TemporaryDirectory() as folder:
        libreoffice.install(machine, extension.build(Functions(options.planner()), Path(folder)))
    click.echo("start LibreOffice anew and type =TS_VERSION()")


@addin.command(short_help="Tell where the add-ins are installed.", epilog=examples("tokensheet addin status"))
def status() -> None:
    """Tell where the add-ins are installed, and which Python answers them."""
    from tokensheet.desktop.excel import Excel
    from tokensheet.desktop.libreoffice import installed
    from tokensheet.desktop.machine import this_machine

    machine = this_machine()
    if machine.windows:
        excel = Excel(machine)
        there = "installed" if excel.addin.is_file() else "not installed"
        click.echo(f"excel: {there}, {excel.addin}, answered by {excel.interpreter}")
    found = installed(machine)
    for place, stated in found.items():
        click.echo(f"libreoffice: {stated['version']}, {place}, answered by {stated['interpreter']}")
    if not found:
        click.echo("libreoffice: not installed")


@addin.command(
    short_help="Take the add-in out again.", epilog=examples("tokensheet addin remove libreoffice")
)
@office
def remove(office: str) -> None:
    """Take the add-in of OFFICE out again."""
    from tokensheet.desktop import libreoffice
    from tokensheet.desktop.install import excel_remove
    from tokensheet.desktop.machine import this_machine

    machine = this_machine()
    if office == EXCEL:
        for path in excel_remove(machine):
            click.echo(path)
    else:
        libreoffice.remove(machine)
    click.echo("removed")
