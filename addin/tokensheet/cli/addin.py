"""Commands for the add-ins of Excel and LibreOffice."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokensheet.cli.help import examples

if TYPE_CHECKING:
    from tokensheet.cli.commands import Settings

EXCEL, LIBREOFFICE = "excel", "libreoffice"
office = click.argument(
    "office",
    type=click.Choice([EXCEL, LIBREOFFICE]),
    default=EXCEL if sys.platform == "win32" else LIBREOFFICE,
)


@click.group(short_help="Functions in Excel on Windows and in LibreOffice.")
def addin() -> None:
    """The add-ins for Excel on Windows and for LibreOffice."""


@addin.command(
    short_help="Write the files of the add-ins into a folder.",
    epilog=examples("tokensheet addin build FOLDER"),
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.pass_obj
def build(settings: Settings, folder: Path) -> None:
    """Write the add-ins into a folder: tokensheet.oxt, tokensheet.xlam and its own VBA modules.

    Neither Excel nor LibreOffice is needed; what is for Excel needs the packages of tokensheet[excel].
    """
    from tokensheet.calc import extension
    from tokensheet.functions import Functions
    from tokensheet.udf import addin as files

    functions = Functions(settings.planner())
    click.echo(extension.build(functions, folder))
    try:
        for path in files.build(functions, folder):
            click.echo(path)
    except files.AddinError as error:
        if not isinstance(error.__cause__, ImportError):
            raise
        click.echo(f"Excel's part left out: {error}", err=True)


@addin.command(
    short_help="Write what an administrator needs for many machines.",
    epilog=examples('tokensheet addin fleet FOLDER --at "C:\\Program Files\\Tokensheet"'),
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--at", "place", default=r"C:\Program Files\Tokensheet", show_default=True, help="Folder on the machines."
)
@click.pass_obj
def fleet(settings: Settings, folder: Path, place: str) -> None:
    """Write what an administrator places on many machines: add-ins, settings, scripts, a trusted location."""
    from tokensheet.desktop.fleet import fleet_files
    from tokensheet.functions import Functions

    for name, content in fleet_files(Functions(settings.planner()), place).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        click.echo(path)


@addin.command(
    short_help="Put the add-in into Excel or LibreOffice.",
    epilog=examples("tokensheet addin install libreoffice"),
)
@office
@click.pass_obj
def install(settings: Settings, office: str) -> None:
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
        for path in excel.excel_install(machine, Functions(settings.planner())):
            click.echo(path)
        click.echo("start Excel anew and type =TS_VERSION()")
        return
    libreoffice.program(machine)
    with tempfile.TemporaryDirectory() as folder:
        libreoffice.install(machine, extension.build(Functions(settings.planner()), Path(folder)))
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
