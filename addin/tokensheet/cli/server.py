"""`tokensheet server`: the functions for Excel on a Mac and on the web."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokensheet.cli.help import Group, examples
from tokensheet.cli.writing import force_option, write_folder
from tokensheet.server.limits import Limits, ServerError, origin
from tokensheet.server.server_settings import THROUGH, ServerSettings

if TYPE_CHECKING:
    from tokensheet.cli.commands import CommandOptions

TOKEN = "TOKENSHEET_SERVER_TOKEN"
file = click.Path(dir_okay=False, path_type=Path)
LICENCE = (
    "xlwings Server (--through xlwings) is under PolyForm Noncommercial 1.0.0 or a paid licence; the rest "
    "of this command is not."
)


@click.group(cls=Group, short_help="Functions for Excel on a Mac and on the web.", epilog=LICENCE)
def server() -> None:
    """The functions for Excel on a Mac and on the web, answered by a web server that you run."""


@server.command(
    short_help="Serve until stopped.",
    epilog=examples(
        "tokensheet server run --host 0.0.0.0 --url https://planning.example:8443 "
        "--token-file tokens --certificate chain.pem --key key.pem",
        note=LICENCE,
    ),
)
@click.option("--host", default=ServerSettings.host, show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=ServerSettings.port,
    show_default=True,
    type=click.IntRange(1, 65535),
    help="Port to listen on.",
)
@click.option("--url", help="Address that Excel loads from, such as https://planning.example:8443.")
@click.option("--token-file", type=file, help=f"Tokens, one a line; without it the environment's {TOKEN}.")
@click.option("--certificate", type=file, help="PEM file with the certificate and its chain.")
@click.option("--key", type=file, help="PEM file with the certificate's key.")
@click.option("--behind-proxy", is_flag=True, help="A proxy in front encrypts.")
@click.option("--excel-web", is_flag=True, help="Excel on the web may read what functions there are.")
@click.option(
    "--allow-origin", "others", multiple=True, help="Another site whose pages may ask; by default none."
)
@click.option(
    "--seconds",
    default=Limits.seconds,
    show_default=True,
    type=click.FloatRange(0.1, 600),
    help="Longest time of a request, in seconds.",
)
@click.option(
    "--bytes",
    "size",
    default=Limits.bytes,
    show_default=True,
    type=click.IntRange(1000),
    help="Largest request, in bytes.",
)
@click.option(
    "--cells",
    default=Limits.cells,
    show_default=True,
    type=click.IntRange(1),
    help="Largest answer, in cells.",
)
@click.option(
    "--processes",
    default=ServerSettings.processes,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Processes that calculate.",
)
@click.option(
    "--through",
    type=click.Choice(THROUGH),
    default=THROUGH[0],
    show_default=True,
    help="Whose code calls the functions.",
)
@click.pass_obj
def run(options: CommandOptions, /, **given: Any) -> None:
    """Serve until stopped. Calls need a token; without --certificate only this machine is served."""
    from tokensheet.functions import Functions
    from tokensheet.server.running import serve
    from tokensheet.server.worker import Load

    settings = ServerSettings(
        load=Load(
            through=given["through"],
            cells=given["cells"],
            plugins=tuple(str(path.resolve()) for path in options.plugins),
            disable=options.disable,
            catalogs=tuple(str(path.resolve()) for path in options.catalogs),
        ),
        tokens=_tokens(given["token_file"]),
        origin=origin(given["url"], "--url") if given["url"] else "",
        host=given["host"],
        port=given["port"],
        certificate=given["certificate"],
        key=given["key"],
        proxied=given["behind_proxy"],
        others=tuple(origin(other, "--allow-origin") for other in given["others"]),
        excel_web=given["excel_web"],
        processes=given["processes"],
        limits=Limits(bytes=given["size"], cells=given["cells"], seconds=given["seconds"]),
    ).checked()
    serve(settings, Functions(options.planner()))


def _tokens(path: Path | None) -> tuple[bytes, ...]:
    """The tokens of the file or of the environment."""
    import os

    from tokensheet.server.limits import checked, tokens

    if path is not None:
        return tokens(path)
    text = os.environ.get(TOKEN, "").strip()
    return checked([text] if text else [], f"environment variable {TOKEN}")


@server.command(short_help="Print a new token.", epilog=examples("tokensheet server token > tokens"))
def token() -> None:
    """Print a new token."""
    click.echo(secrets.token_urlsafe(32))


@server.command(
    short_help="Write the files that tell Excel of the server.",
    epilog=examples("tokensheet server manifest addin --url https://planning.example:8443"),
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--url", required=True, help="Address that Excel loads from, such as https://planning.example:8443."
)
@click.option("--namespace", default="", help="Stands before each function with a dot; by default nothing.")
@force_option
def manifest(folder: Path, url: str, namespace: str, force: bool) -> None:
    """Write the files that tell Excel of the server: manifest.xml, and manifest.json with its package."""
    from tokensheet.server.manifest import checked, files

    address = origin(url, "--url")
    if not address.startswith("https://"):
        raise ServerError(f"--url: {address}: Excel loads add-ins over https alone")
    write_folder(folder, files(address, checked(namespace)), force=force)
