"""What the server refuses to start with."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tokensheet.cli.commands import CommandOptions
from tokensheet.cli.server import server as command
from tokensheet.errors import TokensheetError
from tokensheet.server.limits import ServerError, checked, origin, tokens
from tokensheet.server.server_settings import ServerSettings
from tokensheet.server.worker import Load

TOKEN = "0123456789abcdef0123456789abcdef"
LOAD = Load("tokensheet", 100)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://planning.example:8443", "https://planning.example:8443"),
        ("https://planning.example/", "https://planning.example"),
        ("https://planning.example:443", "https://planning.example"),
        ("HTTPS://Planning.Example", "https://planning.example"),
        ("http://localhost:8443", "http://localhost:8443"),
        ("http://[::1]:8443", "http://[::1]:8443"),
        ("http://127.0.0.1", "http://127.0.0.1"),
    ],
)
def test_origins(text: str, found: str) -> None:
    assert origin(text, "--url") == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        "null",
        "planning.example",
        "https://*",
        "https://*.example",
        "https://a.example/x",
        "https://a.example?x",
        "https://a.example#x",
        "https://user:word@a.example",
        "https://a.example:port",
        "ftp://a.example",
        "file:///etc",
        "http://planning.example",
    ],
)
def test_what_is_no_origin(text: str) -> None:
    with pytest.raises(ServerError, match=r"^--url: "):
        origin(text, "--url")


def test_tokens_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"# planning team\n{TOKEN}\n\n  {TOKEN[::-1]}  \n", encoding="utf-8")
    assert tokens(file) == (TOKEN.encode(), TOKEN[::-1].encode())


@pytest.mark.parametrize("text", ["", "# none\n", "short\n", f"{TOKEN} {TOKEN}\n", f"{TOKEN}é\n"])
def test_a_file_without_a_good_token(tmp_path: Path, text: str) -> None:
    file = tmp_path / "tokens"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ServerError, match="tokensheet server token") as refused:
        tokens(file)
    assert TOKEN not in str(refused.value) and "short" not in str(refused.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="token file"):
        tokens(tmp_path / "none")


def test_a_made_token_is_a_good_one() -> None:
    first, second = (CliRunner().invoke(command, ["token"]).output.strip() for _ in range(2))
    assert checked([first], "made") == (first.encode(),) and first != second
    assert re.fullmatch(r"[\w-]{43}", first)


REFUSED = [
    (["--host", "0.0.0.0"], "in the clear"),
    (["--host", "192.0.2.1", "--url", "https://planning.example"], "in the clear"),
    (["--host", "0.0.0.0", "--behind-proxy"], "give --url"),
    (["--certificate", "FILE"], "go together"),
    (["--certificate", "none.pem", "--key", "FILE"], "not there"),
    (["--url", "http://planning.example"], "not encrypted"),
    (["--allow-origin", "*"], "--allow-origin"),
    (["--token-file", "none"], "token file"),
]


@pytest.mark.parametrize(("options", "reason"), REFUSED, ids=lambda value: " ".join(value)[:40])
def test_what_would_be_unsafe_does_not_start(tmp_path: Path, options: list[str], reason: str) -> None:
    file = tmp_path / "file.pem"
    file.touch()
    given = [str(file) if option == "FILE" else option for option in options]
    environment = {"TOKENSHEET_SERVER_TOKEN": TOKEN}
    done = CliRunner().invoke(command, ["run", *given], obj=CommandOptions((), (), False), env=environment)
    assert isinstance(done.exception, TokensheetError) and reason in str(done.exception), done.output


def test_no_token_no_server() -> None:
    environment = {"TOKENSHEET_SERVER_TOKEN": None}
    done = CliRunner().invoke(command, ["run"], obj=CommandOptions((), (), False), env=environment)
    assert isinstance(done.exception, ServerError) and "TOKENSHEET_SERVER_TOKEN" in str(done.exception)


@pytest.mark.parametrize("package", ["uvicorn", "starlette.applications"])
def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "tokensheet.server.app", raising=False)
    environment = {"TOKENSHEET_SERVER_TOKEN": TOKEN}
    done = CliRunner().invoke(command, ["run"], obj=CommandOptions((), (), False), env=environment)
    assert isinstance(done.exception, ServerError)
    assert str(done.exception) == f'{package} is not installed; pip install "tokensheet[server]"'


def test_the_origin_is_that_of_host_and_port_where_nothing_else_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file.pem"
    file.touch()
    assert ServerSettings(LOAD, ()).checked().origin == "http://127.0.0.1:8443"
    assert ServerSettings(LOAD, (), host="::1", port=1).checked().origin == "http://[::1]:1"
    assert ServerSettings(LOAD, (), certificate=file, key=file).checked().origin == "https://127.0.0.1:8443"
    proxied = ServerSettings(LOAD, (), origin="https://a.example", host="0.0.0.0", proxied=True)
    assert proxied.checked() == proxied
