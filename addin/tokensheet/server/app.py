"""The web server: files that Excel loads, and the one address that answers calls.

Calls need a token and come from the server's own pages; nothing is answered to pages of another site
unless that site is named. The files are public: they hold the functions' names and descriptions, no answers.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from tokensheet.server.limits import Limits
from tokensheet.server.manifest import METADATA
from tokensheet.server.pool import BusyError, Call, Pool

LOG = logging.getLogger("tokensheet.server")
JSON = "application/json"
SCHEME = b"bearer "
CORS = "Access-Control-Allow-Origin"

HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
"""No `X-Frame-Options`: Excel on the web shows the pane inside a frame of its own."""

EXCEL_WEB = re.compile(r"https://([a-z0-9-]+\.)*officeapps\.live\.com")
"""Pages of Excel on the web; they read the descriptions of the functions, and never ask for answers."""


@dataclass(frozen=True)
class Page:
    """A file that Excel loads."""

    content: bytes
    kind: str


@dataclass(frozen=True)
class Site:
    """What is served, to whom.

    Args:
        pages: by path, without a slash before
        tokens: any of them opens the answers
        origin: of the server's own pages, `https://planning.example:8443`
        others: origins of other sites whose pages may ask too
        excel_web: pages of Excel on the web may read the descriptions
        limits: bounds of a request
    """

    pages: Mapping[str, Page]
    tokens: Sequence[bytes]
    origin: str
    others: Sequence[str] = ()
    excel_web: bool = False
    limits: Limits = field(default_factory=Limits)


class RefusedError(Exception):
    """A request that is not answered: status, and why in one line."""

    def __init__(self, status: int, problem: str) -> None:
        self.status, self.problem = status, problem


def application(site: Site, pool: Pool) -> Starlette:
    """The web server as an ASGI application; somebody else starts and ends the processes of the pool."""
    digests = [hashlib.sha256(token).digest() for token in site.tokens]

    async def page(request: Request) -> Response:
        name = request.url.path.lstrip("/")
        headers = {**HEADERS, "Cache-Control": "no-cache"}
        if name == METADATA:
            headers |= described(request, site)
        return Response(site.pages[name].content, media_type=site.pages[name].kind, headers=headers)

    async def answers(request: Request) -> Response:
        try:
            admit(request, site, digests)
            calls = parsed(await body(request, site.limits), site.limits)
            try:
                found = await pool.answers(calls)
            except BusyError as busy:
                raise RefusedError(503, "the server is busy; calculate again") from busy
        except RefusedError as refused:
            LOG.warning("%s refused: %s %s", _client(request), refused.status, refused.problem)
            return _json({"problem": refused.problem}, refused.status)
        except ClientDisconnect:
            return Response(status_code=400)
        return _json({"answers": found})

    routes = [Route(f"/{path}", page, methods=["GET"]) for path in site.pages]
    opened = Middleware(
        CORSMiddleware,
        allow_origins=list(site.others),
        allow_methods=["POST"],
        allow_headers=["Authorization", "Content-Type"],
    )
    return Starlette(
        routes=[*routes, Route("/answers", answers, methods=["POST"])],
        middleware=[opened] if site.others else [],
    )


def described(request: Request, site: Site) -> dict[str, str]:
    """What lets Excel on the web read the descriptions: it fetches them from a page of Microsoft's."""
    page = request.headers.get("origin", "")
    if not EXCEL_WEB.fullmatch(page):
        return {}
    if not site.excel_web:
        LOG.warning("%s may not read the descriptions of the functions; --excel-web lets it", page)
        return {}
    return {CORS: page, "Vary": "Origin"}


def admit(request: Request, site: Site, digests: Sequence[bytes]) -> None:
    """Lets a request pass whose token is known and whose page is ours.

    Raises:
        RefusedError: 401 or 403.
    """
    given = request.headers.get("authorization", "").encode("latin-1")
    digest = hashlib.sha256(given[len(SCHEME) :].strip()).digest()
    known = [hmac.compare_digest(digest, each) for each in digests]
    if given[: len(SCHEME)].lower() != SCHEME or not any(known):
        raise RefusedError(401, "the token is missing or not known; enter it in the Tokensheet pane")
    page = request.headers.get("origin")
    if page is not None and page not in (site.origin, *site.others):
        raise RefusedError(
            403, f"a page of {page[:100]!r} may not ask; the server was started for {site.origin}"
        )


async def body(request: Request, limits: Limits) -> bytes:
    """The body of a request, at most as long as allowed, whatever its headers say.

    Raises:
        RefusedError: 408 or 413.
    """
    too_long = RefusedError(413, f"the request has more than {limits.bytes} bytes; give fewer cells")
    stated = request.headers.get("content-length", "0")
    if not stated.isdecimal() or len(stated) > 15 or int(stated) > limits.bytes:
        raise too_long
    found = bytearray()
    try:
        async with asyncio.timeout(limits.seconds_to_read):
            async for chunk in request.stream():
                found += chunk
                if len(found) > limits.bytes:
                    raise too_long
    except TimeoutError as late:
        raise RefusedError(408, f"the request did not arrive within {limits.seconds_to_read:g} s") from late
    return bytes(found)


def parsed(text: bytes, limits: Limits) -> list[Call]:
    """The calls of a request, `{"calls": [["KV_BYTES", ["llama-2-70b", 4096]]]}`.

    Raises:
        RefusedError: 400 or 413.
    """
    form = '{"calls": [[name, [argument, …]], …]}'
    try:
        found = json.loads(text, parse_constant=_no_number)
        calls = [Call(name, values) for name, values in found["calls"]]
    except (ValueError, TypeError, KeyError, RecursionError) as fault:
        raise RefusedError(400, f"the request is not {form}") from fault
    if not all(isinstance(c.name, str) and isinstance(c.values, list) for c in calls):
        raise RefusedError(400, f"the request is not {form}")
    if len(calls) > limits.calls:
        raise RefusedError(413, f"the request has {len(calls)} calls; {limits.calls} are answered at once")
    return calls


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of a cell")


def _json(found: Any, status: int = 200) -> Response:
    text = json.dumps(found, allow_nan=False, separators=(",", ":"))
    headers = {**HEADERS, "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin"}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(text, status, headers, JSON)


def _client(request: Request) -> str:
    return request.client.host if request.client else "somebody"
