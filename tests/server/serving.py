"""The real server on this machine for the time of a test, and what a client says to it."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOKEN = "a-token-of-the-tests-0123456789-0123456789"
SECONDS_TO_START = 60
KEY = "XLWINGS_LICENSE_KEY"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def problem(self) -> str:
        return str(self.json["problem"])


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    log: Path

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        seconds: float = 60,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            return Answer(
                response.status, {k.lower(): v for k, v in response.headers.items()}, response.read()
            )
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, headers=headers)

    def post(self, calls: Any, token: str | None = TOKEN, **headers: str) -> Answer:
        """Sends calls, or bytes as they are."""
        body = calls if isinstance(calls, bytes) else json.dumps({"calls": calls}).encode()
        allowed = {"Authorization": f"Bearer {token}"} if token is not None else {}
        return self.send("POST", "/answers", body, {**allowed, **headers})

    def ask(self, name: str, *values: Any) -> Any:
        """The rows of one answer."""
        answer = self.post([[name, values]])
        assert answer.status == 200, answer.body
        (rows,) = answer.json["answers"]
        return rows

    def raw(self, text: bytes, seconds: float = 30) -> bytes:
        """Sends bytes that no client would, and reads until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            connection.sendall(text)
            found = b""
            while chunk := connection.recv(65536):
                found += chunk
            return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(
    log: Path, *options: str, before: Sequence[str] = (), port: int | None = None, **environment: str
) -> Iterator[Server]:
    """Runs `tokensheet server run` with options.

    Args:
        log: file for what it says
        options: of the command
        before: options before the command, such as `--plugin`
        port: to listen on; a free one by default
        environment: variables; a licence key of the machine is not passed on
    """
    server = Server(port or free_port(), log)
    own = {k: v for k, v in os.environ.items() if k != KEY}
    command = [sys.executable, "-W", "error", "-m", "tokensheet", *before, "server", "run"]
    with log.open("w", encoding="utf-8") as said:
        process = subprocess.Popen(
            [*command, "--port", str(server.port), *options],
            env={**own, "TOKENSHEET_SERVER_TOKEN": TOKEN, **environment},
            stdout=said,
            stderr=said,
        )
        try:
            _wait(process, server)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], server: Server) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < until:
        assert process.poll() is None, server.log.read_text(encoding="utf-8")
        try:
            with socket.create_connection(("127.0.0.1", server.port), timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"the server did not start: {server.log.read_text(encoding='utf-8')}")
