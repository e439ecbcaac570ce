"""The functions as Excel runs them: their script in node and in Chromium, against the running server.

Each test runs twice: answered by the engine, and through xlwings Server. That part of xlwings is under PolyForm
Noncommercial; running these tests, which `make test-extras` does, is a use of it.
"""

from __future__ import annotations

import http.client
import json
import shutil
import ssl
import subprocess
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cells import cell
from tests.server.serving import KEY, TOKEN, Server, free_port, serving
from tokensheet.cli.writing import write_folder
from tokensheet.functions import Functions
from tokensheet.server import manifest
from tokensheet.server.cells import answer, given
from tokensheet.server.metadata import metadata, repeating_from

pytestmark = pytest.mark.extras

HERE = Path(__file__).parent / "office"
PACKAGES = ("playwright-core@1.65.1", "office-addin-manifest@3.0.0", "office-addin-manifest-converter@0.4.1")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
NEEDS = "apt-get install nodejs npm chromium, or leave TOKENSHEET_EXTRAS unset"
URL = "https://planning.example:8443"

Cell = dict[str, Any]


def program(*names: str) -> str:
    """Path of the first program that is there; without one the test fails, it does not skip."""
    for name in names:
        if found := shutil.which(name):
            return found
    pytest.fail(f"no {' or '.join(names)} on the path: {NEEDS}", pytrace=False)


def node(script: str, task: Mapping[str, Any], folder: Path | None = None) -> Any:
    """What a script says to a task."""
    done = subprocess.run(
        [program("node"), str(HERE / script)],
        input=json.dumps(task),
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of npm."""
    folder = tmp_path_factory.mktemp("npm")
    done = subprocess.run(
        [program("npm"), "install", "--silent", "--prefix", str(folder), *PACKAGES],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module", params=["tokensheet", "xlwings"])
def office(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that answers by itself, and one that asks xlwings Server."""
    log = tmp_path_factory.mktemp(str(request.param)) / "log"
    with serving(log, "--through", request.param, **{KEY: "noncommercial"}) as running:
        yield running


def told(found: Any, values: Sequence[Any] = ()) -> Any:
    """Rows of an answer as a cell shows them: Excel tells a reason with two of its error values."""
    shown = []
    for row in answer(found):
        cells: list[Any] = []
        for value in row:
            if isinstance(value, dict):
                code = "#VALUE!" if value["error"] == "#NAME?" else value["error"]
                cells.append({"code": code, "told": value["reason"] if code in ("#N/A", "#VALUE!") else ""})
            else:
                cells.append(value)
        shown.append(cells)
    return shown


def kv_bytes(*values: Any, address: str = "Sheet1!A1") -> Cell:
    matrices = [v if isinstance(v, list) or v is None else [[v]] for v in values]
    return {"name": "KV_BYTES", "values": matrices, "address": address}


def why(value: Any, address: str) -> Cell:
    return {"name": "WHY", "values": [[[value]], None], "from": [address]}


NOT_AVAILABLE, DIVISION = {"code": "#N/A"}, {"code": "#DIV/0!"}

# A cell as Excel asks for it, and what the terminal says to the same.
CELLS: list[tuple[Cell, str]] = [
    (kv_bytes("llama-2-70b", 4096, 8, None), '=KV_BYTES("llama-2-70b",4096,8)'),
    (kv_bytes("llama-2-70b", 4096, None, None), '=KV_BYTES("llama-2-70b",4096)'),
    (kv_bytes("llama-2-70b", 4096, "", ""), '=KV_BYTES("llama-2-70b",4096)'),
    (kv_bytes("llama-2-70b", "", 8, None), '=KV_BYTES("llama-2-70b","")'),
    (kv_bytes("llama-9", 4096, None, None), '=KV_BYTES("llama-9",4096)'),
    (kv_bytes("llama-2-70b", "4096", None, None), '=KV_BYTES("llama-2-70b","4096")'),
    (kv_bytes("llama-2-70b", [[512, 4096]], 8, None), '=KV_BYTES("llama-2-70b",{512,4096},8)'),
    (kv_bytes("llama-2-70b", [[512], [4096]], [[1, 8]], None), '=KV_BYTES("llama-2-70b",{512;4096},{1,8})'),
    (kv_bytes("llama-2-70b", [[512], ["4k"], [4096]], 8, None), '=KV_BYTES("llama-2-70b",{512;"4k";4096},8)'),
    (
        kv_bytes("llama-2-70b", 4096, 8, [["kv", "fp8"], ["", ""]]),
        '=KV_BYTES("llama-2-70b",4096,8,"kv=fp8")',
    ),
    (
        {
            "name": "TOKENS_PER_SECOND",
            "values": [[["llama-2-70b"]], [["rtx-4090"]], [[1]], [[4096]], None, None],
        },
        '=TOKENS_PER_SECOND("llama-2-70b","rtx-4090",1,4096)',
    ),
    ({"name": "TS_VERSION"}, "=TS_VERSION()"),
    ({"name": "TS_LIST", "values": [[["models"]]]}, '=TS_LIST("models")'),
    ({"name": "TS_OPTIONS", "values": [[["tp"]], [[[4]], [["pp"]], [[2]]]]}, '=TS_OPTIONS("tp",4,"pp",2)'),
    (
        {"name": "EXPLAIN", "values": [[["kv_bytes"]], [[["llama-2-70b"]], [[4096]], [[8]]]]},
        '=EXPLAIN("kv_bytes","llama-2-70b",4096,8)',
    ),
    (
        {"name": "WHY", "values": [[["kv_bytes"]], [[["llama-9"]], [[4096]]]], "from": ["Sheet1!B1"]},
        '=WHY("kv_bytes","llama-9",4096)',
    ),
]

# What WHY says about cells: those that failed in the step before, and others.
REASONS: list[list[tuple[Cell, Any]]] = [
    [
        (kv_bytes("llama-9", 1, None, None, address="[Book1.xlsx]Sheet1!B2"), "#VALUE!"),
        (kv_bytes("llama-2-70b", [[512], [NOT_AVAILABLE]], None, None, address="'My ''Sheet'!$D$1"), None),
        (kv_bytes("llama-2-70b", [[DIVISION]], None, None, address="Sheet1!C3"), "#DIV/0!"),
    ],
    [
        (why({"code": "#VALUE!"}, "Sheet1!B2"), "no model named 'llama-9'"),
        (why({"code": "#VALUE!"}, "[Book1.xlsx]Sheet1!$B$2:$B$9"), "no model named 'llama-9'"),
        (why(NOT_AVAILABLE, "'My ''Sheet'!D2"), "context: an argument is #N/A"),
        (why(DIVISION, "Sheet1!C3"), "context: an argument is #DIV/0!"),
        (why(NOT_AVAILABLE, "Sheet1!B2"), "no reason is kept for this cell; calculate it again"),
        (why(NOT_AVAILABLE, "Sheet2!B2"), "no reason is kept for this cell; calculate it again"),
        (why(42, "Sheet1!B2"), ""),
        (why("", "Sheet1!B2"), ""),
    ],
    [(kv_bytes("llama-2-70b", 1, None, None, address="Sheet1!B2"), 327680)],
    [(why({"code": "#VALUE!"}, "Sheet1!B2"), "no reason is kept for this cell; calculate it again")],
]


def check_reasons(found: list[list[Any]]) -> None:
    for step, cells in zip(REASONS, found, strict=True):
        for (asked, expected), rows in zip(step, cells, strict=True):
            shown = rows[0][0]
            if asked["name"] == "WHY":
                assert expected in shown if expected else shown == "", asked
            elif isinstance(expected, str):
                assert shown["code"] == expected
            elif expected is not None:
                assert shown == expected


def test_cells_in_node_give_what_the_terminal_gives(office: Server) -> None:
    steps = [[asked for asked, _ in CELLS], *([asked for asked, _ in step] for step in REASONS)]
    said = node("cells.mjs", {"origin": office.origin, "token": TOKEN, "steps": steps})
    for (asked, text), found in zip(CELLS, said["found"][0], strict=True):
        assert found == json.loads(json.dumps(told(cell(text)))), asked
    check_reasons(said["found"][1:])
    assert {request["address"] for request in said["requests"]} == {f"{office.origin}/answers"}


def test_every_function_in_node_answers_as_the_engine_does(office: Server, functions: Functions) -> None:
    table = functions.table
    step = []
    for name, function in table.items():
        fixed = repeating_from(function)
        values = [None] * len(function.arguments) if fixed is None else [*[None] * fixed, []]
        step.append({"name": name, "values": values})
    said = node("cells.mjs", {"origin": office.origin, "token": TOKEN, "steps": [step]})
    assert sorted(said["functions"]) == sorted(table)
    for (name, function), found in zip(table.items(), said["found"][0], strict=True):
        values = [given(None) for a in function.arguments if not a.many]
        assert found == json.loads(json.dumps(told(functions.call(name, values)))), name


def test_ten_thousand_cells_are_few_requests(office: Server) -> None:
    step = [kv_bytes("llama-2-70b", n, 8, None, address=f"Sheet1!A{n}") for n in range(1, 10_001)]
    said = node("cells.mjs", {"origin": office.origin, "token": TOKEN, "steps": [step]})
    assert [rows[0][0] for rows in said["found"][0]] == [n * 2621440 for n in range(1, 10_001)]
    assert [request["calls"] for request in said["requests"]] == [500] * 20


def test_without_a_server_or_a_token_every_cell_is_an_error(office: Server) -> None:
    cells = [kv_bytes("llama-2-70b", 4096, 8, None), {"name": "TS_VERSION"}]
    for token, reason in (("", "no token; open"), ("x" * 40, "the token is missing or not known")):
        said = node("cells.mjs", {"origin": office.origin, "token": token, "steps": [cells]})
        for rows in said["found"][0]:
            assert rows[0][0]["code"] == "#VALUE!" and rows[0][0]["told"].startswith(reason)


def test_a_server_that_ends_leaves_no_cell_without_an_answer(tmp_path: Path) -> None:
    """The functions are loaded; then nobody is there."""
    with serving(tmp_path / "log", "--processes", "1") as server:
        kept = server.get("/functions.js").body
    (tmp_path / "functions.js").write_bytes(kept)
    task = {"origin": server.origin, "token": TOKEN, "steps": [[{"name": "TS_VERSION"}]]}
    said = node("cells.mjs", {**task, "script": str(tmp_path / "functions.js")})
    (rows,) = said["found"][0]
    assert rows[0][0]["code"] == "#VALUE!"
    assert rows[0][0]["told"].startswith(f"no answer from {server.origin}: ")
    assert len(said["requests"]) == 3


def test_the_pane_and_cells_in_chromium(office: Server, npm: Path, tmp_path: Path) -> None:
    steps = [[asked for asked, _ in CELLS], *([asked for asked, _ in step] for step in REASONS)]
    task = {
        "origin": office.origin,
        "token": TOKEN,
        "wrong": "x" * 40,
        "steps": steps,
        "chromium": program(*CHROMIUM),
        "picture": str(tmp_path / "pane.png"),
        "elsewhere": free_port(),
    }
    said = node("pane.mjs", task, npm)
    version = cell("=TS_VERSION()")
    assert said["first"] == "Enter the token that your administrator gave you."
    assert all(rows[0][0]["told"].startswith("no token") for rows in said["without"][0])
    assert said["wrong"] == "the token is missing or not known; enter it in the Tokensheet pane"
    assert said["right"] == said["reloaded"] == f"{version} answers"
    assert said["field"] == "" and said["calculated"] == "Full"
    for (asked, text), found in zip(CELLS, said["cells"][0], strict=True):
        assert found == json.loads(json.dumps(told(cell(text)))), asked
    check_reasons(said["cells"][1:])
    assert said["hosts"] == [f"127.0.0.1:{office.port}", "appsforoffice.microsoft.com"]
    assert said["problems"] == []
    assert said["foreign"] == dict.fromkeys(("answers", "simple", "functions"), "TypeError")
    assert (tmp_path / "pane.png").stat().st_size > 2000


def test_a_named_site_may_ask_in_chromium(npm: Path, tmp_path: Path) -> None:
    """Shows that the refusals above are the server's and not the test's."""
    elsewhere = free_port()
    with serving(tmp_path / "log", "--allow-origin", f"http://127.0.0.1:{elsewhere}") as server:
        task = {
            "origin": server.origin,
            "token": TOKEN,
            "wrong": "x" * 40,
            "steps": [[CELLS[0][0]]],
            "chromium": program(*CHROMIUM),
            "elsewhere": elsewhere,
        }
        found = node("pane.mjs", task, npm)["foreign"]
    assert found["answers"] == '{"answers":[[[10737418240.0]]]}'
    assert "the token is missing" in found["simple"]


def test_with_a_certificate_everything_is_encrypted(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run(
        [program("openssl"), *made, *names, "-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )
    options = ("--certificate", str(certificate), "--key", str(key), "--processes", "1")
    with serving(tmp_path / "log", *options) as server:
        known = ssl.create_default_context(cafile=str(certificate))
        request = urllib.request.Request(
            f"https://127.0.0.1:{server.port}/answers",
            b'{"calls":[["KV_BYTES",["llama-2-70b",4096,8]]]}',
            {"Authorization": f"Bearer {TOKEN}", "Origin": f"https://127.0.0.1:{server.port}"},
        )
        with urllib.request.urlopen(request, context=known) as response:
            assert json.load(response) == {"answers": [[[10737418240.0]]]}
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            server.get("/taskpane.html")


# ---- Microsoft's own judgement of the manifests, offline


def judged(npm: Path, *command: str) -> subprocess.CompletedProcess[str]:
    binary, *rest = command
    return subprocess.run(
        [str(npm / "node_modules" / ".bin" / binary), *rest],
        capture_output=True,
        encoding="utf-8",
        cwd=npm,
        timeout=120,
        check=False,
    )


def validated(npm: Path, folder: Path, told: Any) -> subprocess.CompletedProcess[str]:
    file = folder / "manifest.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    return judged(npm, "office-addin-manifest", "validate", str(file))


@pytest.mark.parametrize("namespace", ["", "TS"])
def test_microsoft_takes_the_manifest(npm: Path, tmp_path: Path, namespace: str) -> None:
    write_folder(tmp_path, manifest.files(URL, namespace), force=False)
    done = judged(npm, "office-addin-manifest", "validate", str(tmp_path / "manifest.json"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_microsoft_takes_the_older_manifest_made_into_a_new_one(npm: Path, tmp_path: Path) -> None:
    """The one in XML is judged online only; its conversion works offline."""
    write_folder(tmp_path, manifest.files(URL, "TS"), force=False)
    new = tmp_path / "new"
    done = judged(
        npm, "office-addin-manifest-converter", "convert", str(tmp_path / "manifest.xml"), "-o", str(new)
    )
    assert done.returncode == 0, done.stdout + done.stderr
    done = judged(npm, "office-addin-manifest", "validate", str(new / "manifest.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    converted = json.loads((new / "manifest.json").read_text(encoding="utf-8"))
    assert converted["id"] == manifest.identity(URL)


def test_microsoft_takes_the_descriptions_of_all_functions(
    npm: Path, tmp_path: Path, functions: Functions
) -> None:
    """The manifest may hold them itself, in the same form but for two names: so its schema judges them."""
    told = manifest.unified(URL)
    (runtime,) = told["extensions"][0]["runtimes"]
    runtime["customFunctions"] = {"functions": inside(metadata(functions))}
    done = validated(npm, tmp_path, told)
    assert done.returncode == 0, done.stdout + done.stderr


def inside(found: Any) -> list[Any]:
    """Descriptions as a manifest holds them."""
    listed = []
    for function in json.loads(json.dumps(found["functions"])):
        options = function.pop("options")
        function["requiresAddress"] = options["requiresAddress"]
        function["requiresParameterAddress"] = options.get("requiresParameterAddresses", False)
        function["result"].pop("type")
        listed.append(function)
    return listed


@pytest.mark.parametrize("fault", ["lifetime", "developer", "address", "function"])
def test_microsofts_judgement_can_be_no(npm: Path, tmp_path: Path, functions: Functions, fault: str) -> None:
    told = manifest.unified(URL)
    (runtime,) = told["extensions"][0]["runtimes"]
    if fault == "lifetime":
        runtime["lifetime"] = "forever"
    elif fault == "developer":
        del told["developer"]
    elif fault == "address":
        runtime["customFunctions"]["metadataUrl"] = "functions.json"
    else:
        listed = inside(metadata(functions))
        listed[0]["id"] = "KV BYTES"
        runtime["customFunctions"] = {"functions": listed}
    assert validated(npm, tmp_path, told).returncode == 1
