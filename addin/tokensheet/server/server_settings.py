"""How the server is run, and what it is unless somebody says otherwise. Light: the terminal's help reads it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokensheet.server.limits import LOOPBACK, Limits, ServerError

if TYPE_CHECKING:
    from tokensheet.server.worker import Load

OWN, XLWINGS = "tokensheet", "xlwings"
THROUGH = (OWN, XLWINGS)
"""Whose code may call the functions: the engine's own, or xlwings Server's for those who want it between."""


@dataclass(frozen=True)
class ServerSettings:
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

    def checked(self) -> ServerSettings:
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
