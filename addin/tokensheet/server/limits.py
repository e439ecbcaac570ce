"""What one request may ask and what it may cost; a refusal says which bound it met."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tokensheet.errors import TokensheetError

SHORTEST_TOKEN = 32
MOST_SECONDS_TO_READ = 10.0
LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))


class ServerError(TokensheetError):
    """The server cannot be started as asked."""


@dataclass(frozen=True)
class Limits:
    """Bounds of one request.

    Args:
        bytes: of its body
        calls: in it
        cells: of one answer
        seconds: for all its answers, waiting included
        requests: at the same time
    """

    bytes: int = 4_000_000
    calls: int = 500
    cells: int = 200_000
    seconds: float = 20.0
    requests: int = 100

    @property
    def seconds_to_read(self) -> float:
        """For the body to arrive."""
        return min(self.seconds, MOST_SECONDS_TO_READ)

    @property
    def for_client(self) -> dict[str, int]:
        """What the code in Excel keeps to; some room is left for what surrounds the calls."""
        return {"bytes": self.bytes - 100, "calls": self.calls, "seconds": int(self.seconds)}


def tokens(file: Path) -> tuple[bytes, ...]:
    """The tokens of a file, one a line; lines that begin with # are remarks.

    Raises:
        ServerError: the file cannot be read, holds none, or one that is too short.
    """
    try:
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as fault:
        raise ServerError(f"token file {file}: {fault}") from fault
    return checked([line for line in lines if line and not line.startswith("#")], f"token file {file}")


def checked(found: list[str], where: str) -> tuple[bytes, ...]:
    """Tokens as bytes.

    Raises:
        ServerError: there is none, or one is too short or holds other characters than a header may.
    """
    if not found:
        raise ServerError(f"{where}: no token; `tokensheet server token` makes one")
    for place, token in enumerate(found, 1):
        if len(token) < SHORTEST_TOKEN or not token.isascii() or any(c <= " " for c in token):
            raise ServerError(
                f"{where}: token {place} has {len(token)} characters; give {SHORTEST_TOKEN} or more letters and "
                "digits, `tokensheet server token` makes one"
            )
    return tuple(token.encode() for token in found)


def origin(text: str, name: str) -> str:
    """`https://host:port` of an address that has nothing more.

    Raises:
        ServerError: it is another kind of address, or a * that would let everybody in.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as fault:
        raise ServerError(f"{name}: {text!r:.80}: {fault}") from fault
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ServerError(f"{name}: {text!r:.80} is no address such as https://planning.example:8443")
    if parts.username or parts.password or parts.fragment or "*" in parts.hostname:
        raise ServerError(f"{name}: {text!r:.80}; give scheme, host and port alone")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise ServerError(f"{name}: {text} is not encrypted; write https://")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}")
