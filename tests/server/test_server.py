"""The running server: who is answered, what a request may cost, and that the answers are the engine's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cells import cell
from tests.server.serving import TOKEN, Server, free_port, serving
from tests.server.test_metadata import PLUGIN
from tokensheet.functions import Functions
from tokensheet.server.cells import answer, given

pytestmark = pytest.mark.slow

KV_BYTES = 10737418240.0
CALL = ["KV_BYTES", ["llama-2-70b", 4096, 8]]
DIVISION = {"type": "Error", "basicValue": "#DIV/0!", "errorType": "Div0"}
ELSEWHERE = "https://elsewhere.example"
CORS = "access-control-allow-origin"


# ---- who is answered


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Bearer ", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN],
)
def test_without_the_token_nothing_is_answered(server: Server, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    found = server.send("POST", "/answers", json.dumps({"calls": [CALL]}).encode(), headers)
    assert found.status == 401 and found.headers["www-authenticate"] == "Bearer"
    assert found.json == {"problem": "the token is missing or not known; enter it in the Tokensheet pane"}


def test_the_token_is_asked_for_before_the_request_is_read(server: Server) -> None:
    found = server.raw(
        b"POST /answers HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\nConnection: close\r\n\r\n"
    )
    assert found.startswith(b"HTTP/1.1 401 ")


def test_the_log_holds_no_token_and_no_arguments(server: Server) -> None:
    server.post([CALL], token="not-the-token-of-anybody")
    server.post([["KV_BYTES", ["secret-model", 1]]])
    server.post(b"secret-model")
    said = server.log.read_text(encoding="utf-8")
    assert "refused: 401" in said
    assert not [word for word in (TOKEN, "not-the-token", "secret-model") if word in said]


def test_the_files_are_public_and_hold_no_token(server: Server) -> None:
    """Excel loads them without any header of ours."""
    for name in (
        "taskpane.html",
        "functions.js",
        "functions.json",
        "taskpane.js",
        "about.html",
        "icon-32.png",
    ):
        found = server.get(f"/{name}")
        assert found.status == 200 and TOKEN.encode() not in found.body, name
        assert found.headers["x-content-type-options"] == "nosniff"
        assert CORS not in found.headers and "server" not in found.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/answers", 405),
        ("GET", "/../pyproject.toml", 404),
        ("GET", "/pages/client.js", 404),
        ("GET", "/client.js", 404),
        ("POST", "/taskpane.html", 405),
        ("PUT", "/answers", 405),
        ("OPTIONS", "/answers", 405),
    ],
)
def test_nothing_else_is_there(server: Server, method: str, path: str, status: int) -> None:
    assert server.send(method, path).status == status


# ---- other sites


def preflight(server: Server, origin: str) -> Any:
    return server.send(
        "OPTIONS",
        "/answers",
        headers={
            "Origin": origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type",
        },
    )


@pytest.mark.parametrize("origin", [ELSEWHERE, "null", "http://localhost:1", "http://127.0.0.1.evil.example"])
def test_pages_of_other_sites_are_not_answered(server: Server, origin: str) -> None:
    """Not even with the token, and no browser lets them read anything."""
    found = server.post([CALL], Origin=origin)
    assert found.status == 403 and server.origin in found.problem and CORS not in found.headers
    assert CORS not in preflight(server, origin).headers
    assert CORS not in server.get("/functions.json", Origin=origin).headers


def test_the_servers_own_pages_are_answered(server: Server) -> None:
    found = server.post([CALL], Origin=server.origin)
    assert found.status == 200 and CORS not in found.headers


def test_a_site_that_is_named_is_answered_and_no_other(tmp_path: Path) -> None:
    with serving(tmp_path / "log", "--allow-origin", ELSEWHERE, "--processes", "1") as server:
        allowed = preflight(server, ELSEWHERE)
        assert allowed.status == 200 and allowed.headers[CORS] == ELSEWHERE
        assert allowed.headers["access-control-allow-methods"] == "POST"
        assert "access-control-allow-credentials" not in allowed.headers
        found = server.post([CALL], Origin=ELSEWHERE)
        assert found.status == 200 and found.headers[CORS] == ELSEWHERE
        for other in ("https://other.example", "https://elsewhere.example.evil.example"):
            assert CORS not in preflight(server, other).headers
            assert server.post([CALL], Origin=other).status == 403
        assert server.post([CALL], token=None, Origin=ELSEWHERE).status == 401


EXCEL_WEB = ("https://excel.officeapps.live.com", "https://euc-excel.officeapps.live.com")


def test_excel_on_the_web_reads_descriptions_only_when_it_may(server: Server, tmp_path: Path) -> None:
    """Its own page fetches them; answers go to the pane's page, which is the server's."""
    for page in EXCEL_WEB:
        assert CORS not in server.get("/functions.json", Origin=page).headers
    assert f"{EXCEL_WEB[0]} may not read" in server.log.read_text(encoding="utf-8")
    with serving(tmp_path / "log", "--excel-web", "--processes", "1") as opened:
        for page in EXCEL_WEB:
            found = opened.get("/functions.json", Origin=page)
            assert found.headers[CORS] == page and found.headers["vary"] == "Origin"
            assert CORS not in opened.get("/functions.js", Origin=page).headers
            assert CORS not in preflight(opened, page).headers
            assert opened.post([CALL], Origin=page).status == 403
        for other in (
            ELSEWHERE,
            "https://officeapps.live.com.evil.example",
            f"{EXCEL_WEB[0]}.evil.example",
            "https://evil-officeapps.live.com",
            "http://excel.officeapps.live.com",
            "null",
        ):
            assert CORS not in opened.get("/functions.json", Origin=other).headers


# ---- what a request may cost


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with narrow bounds."""
    log = tmp_path_factory.mktemp("small") / "log"
    bounds = ("--bytes", "20000", "--cells", "500", "--seconds", "5", "--processes", "1")
    with serving(log, *bounds) as running:
        yield running


def head(length: bytes) -> bytes:
    return (
        b"POST /answers HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
        + TOKEN.encode()
        + b"\r\n"
        + length
        + b"\r\n\r\n"
    )


def test_a_long_request_is_refused_by_what_it_says(small: Server) -> None:
    found = small.raw(head(b"Content-Length: 20001"))
    assert found.startswith(b"HTTP/1.1 413 ") and b"more than 20000 bytes" in found


def test_a_long_request_that_says_nothing_is_refused_too(small: Server) -> None:
    chunk = b"1000\r\n" + b" " * 4096 + b"\r\n"
    found = small.raw(head(b"Transfer-Encoding: chunked") + chunk * 6 + b"0\r\n\r\n")
    assert found.startswith(b"HTTP/1.1 413 ")


def test_a_request_that_does_not_arrive_is_given_up(small: Server) -> None:
    start = time.monotonic()
    found = small.raw(head(b"Content-Length: 100") + b'{"calls"')
    assert found.startswith(b"HTTP/1.1 408 ") and b"did not arrive within 5 s" in found
    assert time.monotonic() - start < 20


def test_too_many_calls(small: Server) -> None:
    found = small.post([["TS_VERSION", []]] * 501)
    assert found.status == 413 and "501 calls; 500 are answered" in found.problem
    assert small.post([["TS_VERSION", []]] * 500).status == 200


def test_an_answer_that_would_be_too_large_is_not_calculated(small: Server) -> None:
    """A column and a row give a table: few bytes in, many cells out."""
    ((found,),) = small.ask("KV_BYTES", "llama-2-70b", [[n] for n in range(1, 101)], [list(range(1, 101))])
    assert found["error"] == "#VALUE!" and "10000 cells; this server gives 500" in found["reason"]


def test_a_calculation_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(SLOW, encoding="utf-8")
    log = tmp_path / "log"
    with serving(log, "--seconds", "4", "--processes", "1", before=("--plugin", str(file))) as server:
        start = time.monotonic()
        found = server.post([CALL, ["TS_LIST", ["accelerators"]], CALL])
        assert 3.5 < time.monotonic() - start < 30
        first, *late = found.json["answers"]
        assert first == [[KV_BYTES]]
        assert all("stops a request after 4 s" in rows[0][0]["reason"] for rows in late)
        assert server.ask(*CALL[:1], *CALL[1]) == first


SLOW = """
import time
from tokensheet.plugin import hookimpl

@hookimpl
def tokensheet_accelerators():
    time.sleep(600)
    return []
"""


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"not json",
        b'{"calls": 1}',
        b'{"calls": [1]}',
        b'{"calls": ["ab"]}',
        b'{"calls": [["TS_VERSION"]]}',
        b'{"calls": [["TS_VERSION", {}]]}',
        b'{"calls": [[1, []]]}',
        b'{"calls": [["KV_BYTES", ["llama-2-70b", NaN]]]}',
        b'{"calls": [["KV_BYTES", ["llama-2-70b", Infinity]]]}',
        b'{"calls": [["KV_BYTES", [\xff]]]}',
        b'{"calls": ' + b"[" * 5000,
        b'{"calls": [["KV_BYTES", [' + b"9" * 5000 + b"]]]}",
    ],
    ids=lambda text: text[:40].decode("latin-1"),
)
def test_what_is_no_request_is_refused_in_one_line(server: Server, text: bytes) -> None:
    found = server.post(text)
    assert found.status == 400 and "the request is not" in found.problem


# ---- the answers


CELLS: list[tuple[str, str, list[Any]]] = [
    ("=KV_BYTES(…)", '=KV_BYTES("llama-2-70b",4096,8)', CALL),
    ("one cell of a range", '=KV_BYTES("llama-2-70b",4096,8)', ["KV_BYTES", [[["llama-2-70b"]], [[4096]], [[8]]]]),
    ("left out", '=KV_BYTES("llama-2-70b",4096)', ["KV_BYTES", ["llama-2-70b", 4096, None, None]]),
    ("empty cells", '=KV_BYTES("llama-2-70b",4096)', ["KV_BYTES", ["llama-2-70b", 4096, [[""]], [[""]]]]),
    ("row", '=KV_BYTES("llama-2-70b",{512,4096},8)', ["KV_BYTES", ["llama-2-70b", [[512, 4096]], 8]]),
    ("column", '=KV_BYTES("llama-2-70b",{512;4096},8)', ["KV_BYTES", ["llama-2-70b", [[512], [4096]], 8]]),
    (
        "table",
        '=KV_BYTES("llama-2-70b",{512;4096},{1,8})',
        ["KV_BYTES", ["llama-2-70b", [[512], [4096]], [[1, 8]]]],
    ),
    (
        "options in two columns",
        '=DECODE_LATENCY("llama-2-70b","h100-sxm-80gb",8,4096,16,"tp=4; pp=2")',
        ["DECODE_LATENCY", ["llama-2-70b", "h100-sxm-80gb", 8, 4096, 16, [["tp", 4], ["pp", 2], ["", ""]]]],
    ),
    ("too large a plan", '=TOKENS_PER_SECOND("llama-2-70b","rtx-4090",1,4096)',
     ["TOKENS_PER_SECOND", ["llama-2-70b", "rtx-4090", 1, 4096]]),
    ("unknown name", '=KV_BYTES("llama-9",4096)', ["KV_BYTES", ["llama-9", 4096]]),
    ("text for a number", '=KV_BYTES("llama-2-70b","4096")', ["KV_BYTES", ["llama-2-70b", "4096"]]),
    ("error cell", '=KV_BYTES("llama-2-70b",1/0)', ["KV_BYTES", ["llama-2-70b", [[DIVISION]]]]),
    ("negative", '=KV_BYTES("llama-2-70b",-1)', ["KV_BYTES", ["llama-2-70b", -1]]),
    ("mixed", '=KV_BYTES("llama-2-70b",{512;"4k";4096},8)',
     ["KV_BYTES", ["llama-2-70b", [[512], ["4k"], [4096]], 8]]),
    ("no such function", '=KV_BITES("llama-2-70b",1)', ["KV_BITES", ["llama-2-70b", 1]]),
    ("why", '=WHY("kv_bytes","llama-9",4096)', ["WHY", ["kv_bytes", "llama-9", 4096]]),
    ("why not", '=WHY("kv_bytes","llama-2-70b",4096)', ["WHY", ["kv_bytes", "llama-2-70b", 4096]]),
    ("explain", '=EXPLAIN("kv_bytes","llama-2-70b",4096,8)', ["EXPLAIN", ["kv_bytes", "llama-2-70b", 4096, 8]]),
    ("list", '=TS_LIST("models")', ["TS_LIST", ["models"]]),
    ("spec", '=TS_SPEC("llama-2-70b","layers")', ["TS_SPEC", ["llama-2-70b", "layers", None]]),
    ("options", '=TS_OPTIONS("tp",4,"pp",2)', ["TS_OPTIONS", ["tp", 4, "pp", 2]]),
    ("version", "=TS_VERSION()", ["TS_VERSION", []]),
]  # fmt: skip
"""What is asked; the same in the terminal; the call as Excel sends it."""


@pytest.mark.parametrize(("text", "call"), [c[1:] for c in CELLS], ids=[c[0] for c in CELLS])
def test_cells_give_what_the_terminal_gives(server: Server, text: str, call: list[Any]) -> None:
    found = server.ask(call[0], *call[1])
    expected = answer(cell(text))
    if "1/0" in text:
        assert found == [[{"error": "#DIV/0!", "reason": "KV_BYTES: context: an argument is #DIV/0!"}]]
        return
    assert found == json.loads(json.dumps(expected))


def test_a_date_is_refused_by_name(server: Server) -> None:
    date = {"type": "Double", "basicValue": 46085, "numberFormat": "m/d/yyyy"}
    ((found,),) = server.ask("KV_BYTES", "llama-2-70b", [[date]], 8)
    assert found["reason"] == "KV_BYTES: context: 2026-03-04 is a date; format the cell as a number"


def test_many_calls_of_one_request_keep_their_order(server: Server) -> None:
    calls = [["KV_BYTES", ["llama-2-70b", n]] for n in range(1, 400)]
    answers = server.post(calls).json["answers"]
    assert [rows[0][0] for rows in answers] == [n * 327680.0 for n in range(1, 400)]


def test_every_function_of_the_registry_answers_as_the_engine_does(
    server: Server, functions: Functions
) -> None:
    """Even without its arguments: the same answer, or the same reason."""
    calls = [[name, [None for a in f.arguments if not a.many]] for name, f in functions.table.items()]
    answers = server.post(calls).json["answers"]
    assert len(answers) == len(functions.table)
    for (name, values), found in zip(calls, answers, strict=True):
        expected = answer(functions.call(name, [given(value) for value in values]))
        assert found == json.loads(json.dumps(expected)), name


def test_functions_and_settings_of_a_plugin_are_served(tmp_path: Path) -> None:
    file = tmp_path / "twice.py"
    file.write_text(PLUGIN, encoding="utf-8")
    with serving(tmp_path / "log", "--processes", "1", before=("--plugin", str(file))) as server:
        assert server.ask("KV_BYTES_TWICE", "llama-2-70b", 4096, 8) == [[2 * KV_BYTES]]
        told = json.loads(server.get("/functions.json").body)["functions"]
        assert "KV_BYTES_TWICE" in {f["name"] for f in told}


def test_a_port_that_is_taken_is_said(server: Server) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tokensheet", "server", "run", "--port", str(server.port)],
        env={**os.environ, "TOKENSHEET_SERVER_TOKEN": TOKEN},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0 and "address already in use" in done.stderr and TOKEN not in done.stderr


def test_another_port_is_another_origin(server: Server) -> None:
    found = server.post([CALL], Origin=f"http://127.0.0.1:{free_port()}")
    assert found.status == 403
