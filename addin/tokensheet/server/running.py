"""Puts the web server together and runs it until somebody stops it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path

from tokensheet.functions import Functions
from tokensheet.server import icons
from tokensheet.server.limits import LOOPBACK, Limits, ServerError
from tokensheet.server.manifest import ABOUT, METADATA, PANE, SCRIPT
from tokensheet.server.metadata import metadata, script
from tokensheet.server.worker import Load

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
}
LOG = logging.getLogger("tokensheet.server")
CLIENT = "client.js"
FILES = (PANE, ABOUT, "taskpane.js", "taskpane.css")
SECONDS_TO_STOP = 5


@dataclass(frozen=True)
class Settings:
    """How the server is run.

    Args:
        load: what its processes answer with
        tokens: any of them opens the answers
        origin: of the server as Excel sees it; empty for that of host and port
        host: address to listen on
        port: to listen on
        certificate: PEM file; without one only this machine is served, or a proxy in front
        key: PEM file of the certificate's key
        proxied: a proxy in front ends the encryption
        others: origins of other sites whose pages may ask
        excel_web: Excel on the web may read the descriptions of the functions
        processes: that calculate
        limits: bounds of a request
    """

    load: Load
    tokens: tuple[bytes, ...]
    origin: str = ""
    host: str = "127.0.0.1"
    port: int = 8443
    certificate: Path | None = None
    key: Path | None = None
    proxied: bool = False
    others: tuple[str, ...] = ()
    excel_web: bool = False
    processes: int = 2
    limits: Limits = field(default_factory=Limits)

    def checked(self) -> Settings:
        """The same with its origin stated; what would send tokens in the clear is refused.

        Raises:
            ServerError: it would, or Excel's way to the server is not known.
        """
        for file in (self.certificate, self.key):
            if file is not None and not file.is_file():
                raise ServerError(f"{file} is not there")
        if (self.certificate is None) != (self.key is None):
            raise ServerError("--certificate and --key go together")
        if self.host not in LOOPBACK and self.certificate is None and not self.proxied:
            raise ServerError(
                f"--host {self.host}: tokens would cross the network in the clear; give --certificate and "
                "--key, or --behind-proxy when a proxy in front encrypts"
            )
        if self.origin:
            return self
        if self.host not in LOOPBACK or self.proxied:
            raise ServerError("give --url, the address that Excel loads from")
        scheme = "http" if self.certificate is None else "https"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return replace(self, origin=f"{scheme}://{host}:{self.port}")


def pages(functions: Functions, limits: Limits) -> dict[str, tuple[bytes, str]]:
    """Every file that Excel loads, with its kind, by name."""
    folder = files("tokensheet.server").joinpath("pages")
    found = {name: folder.joinpath(name).read_bytes() for name in FILES}
    client = folder.joinpath(CLIENT).read_text(encoding="utf-8")
    found[SCRIPT] = script(functions, client, limits.for_client).encode()
    found[METADATA] = json.dumps(metadata(functions)).encode()
    found |= {f"icon-{size}.png": icons.icon(size) for size in icons.SIZES}
    return {name: (content, KINDS[Path(name).suffix]) for name, content in found.items()}


def serve(settings: Settings, functions: Functions) -> None:
    """Serves until it is stopped.

    Args:
        settings: how
        functions: what; the processes load the same by `settings.load`

    Raises:
        ServerError: it cannot start as asked.
        StartError: the processes that calculate cannot start.
    """
    settings = settings.checked()
    try:
        import uvicorn

        from tokensheet.server.app import Page, Site, application
    except ModuleNotFoundError as missing:
        raise ServerError(f'{missing.name} is not installed; pip install "tokensheet[server]"') from missing
    from tokensheet.server.pool import Pool

    site = Site(
        pages={name: Page(*page) for name, page in pages(functions, settings.limits).items()},
        tokens=settings.tokens,
        origin=settings.origin,
        others=settings.others,
        excel_web=settings.excel_web,
        limits=settings.limits,
    )
    pool = Pool(settings.load, settings.processes, settings.limits.seconds)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s: %(message)s")
    config = uvicorn.Config(
        application(site, pool),
        host=settings.host,
        port=settings.port,
        http="h11",
        ws="none",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        limit_concurrency=settings.limits.requests,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=SECONDS_TO_STOP,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.key,
    )

    async def until_stopped() -> None:
        await pool.start()
        LOG.info("%s functions at %s/%s", len(functions.table), settings.origin, PANE)
        try:
            await uvicorn.Server(config).serve()
        finally:
            await pool.close()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(until_stopped())
