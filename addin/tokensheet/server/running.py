"""Puts the web server together and runs it until somebody stops it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from importlib.resources import files
from pathlib import Path

from tokensheet.functions import Functions
from tokensheet.server import icons
from tokensheet.server.limits import Limits, ServerError
from tokensheet.server.manifest import ABOUT, METADATA, PANE, SCRIPT
from tokensheet.server.metadata import metadata, script
from tokensheet.server.server_settings import ServerSettings

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


def pages(functions: Functions, limits: Limits) -> dict[str, tuple[bytes, str]]:
    """Every file that Excel loads, with its kind, by name."""
    folder = files("tokensheet.server").joinpath("pages")
    found = {name: folder.joinpath(name).read_bytes() for name in FILES}
    client = folder.joinpath(CLIENT).read_text(encoding="utf-8")
    found[SCRIPT] = script(functions, client, limits.for_client).encode()
    found[METADATA] = json.dumps(metadata(functions)).encode()
    found |= {f"icon-{size}.png": icons.icon(size) for size in icons.SIZES}
    return {name: (content, KINDS[Path(name).suffix]) for name, content in found.items()}


def serve(settings: ServerSettings, functions: Functions) -> None:
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
