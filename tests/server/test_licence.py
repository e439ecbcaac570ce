"""xlwings Server is used where a person chose it and has a licence for it, and nowhere else."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tokensheet
from tests.server.serving import KEY
from tests.test_layout import imports, sources
from tokensheet.cli.server import server as command
from tokensheet.functions import Functions
from tokensheet.server.cells import answer
from tokensheet.server.server_settings import OWN, XLWINGS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ENGINE = Path(tokensheet.__file__).parent
LICENSED = re.compile(r"xlwings\.(server|pro|reports)\b")


def run(code: str, **environment: str) -> Any:
    """What a fresh Python prints as JSON."""
    own = {k: v for k, v in os.environ.items() if k != KEY}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**own, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_one_module_names_the_licensed_part() -> None:
    found = {
        path.relative_to(ENGINE).as_posix()
        for path in sources()
        if any(LICENSED.match(name) for _, name in imports(path))
    }
    assert found == {"server/licensed.py"}


def test_by_default_xlwings_is_not_even_loaded() -> None:
    code = """
import json, sys
from tokensheet.server.worker import Load, loaded
rows = loaded(Load("tokensheet", 100))("KV_BYTES", ["llama-2-70b", 4096, 8])
print(json.dumps([rows, [name for name in sys.modules if name.partition(".")[0] == "xlwings"]]))
"""
    assert run(code, XLWINGS_LICENSE_KEY="noncommercial") == [[[10737418240.0]], []]


SETS = re.compile(
    rf"""{KEY}["']?\]?\s*[=:,]\s*["']?noncommercial|environ\[.{KEY}|(putenv|setdefault)\(.{KEY}"""
)
"""What would give a process the key."""


@pytest.mark.parametrize(
    "line",
    [
        f"{KEY}=noncommercial",
        f'{KEY} = "noncommercial"',
        f'{{"{KEY}": "noncommercial"}}',
        f'os.environ["{KEY}"] = key',
        f'os.environ.setdefault("{KEY}", key)',
        f'dict(os.environ, {KEY}="noncommercial")',
        f'os.putenv("{KEY}", "noncommercial")',
    ],
)
def test_a_line_that_sets_a_key_is_found(line: str) -> None:
    assert SETS.search(line)


def test_nothing_sets_a_key_for_a_person() -> None:
    kinds = (".py", ".js", ".html", ".bas", ".json", ".xml")
    files = [path for path in (ROOT / "addin").rglob("*") if path.suffix in kinds]
    assert len(files) > 200
    assert [path for path in files if SETS.search(path.read_text(encoding="utf-8"))] == []


def test_the_choice_is_named_and_is_not_the_default() -> None:
    (through,) = (option for option in command.commands["run"].params if option.name == "through")
    assert through.default == OWN and through.type.to_info_dict()["choices"] == (OWN, XLWINGS)
    said = CliRunner().invoke(command, ["run", "--help"]).output
    assert "PolyForm Noncommercial 1.0.0 or a paid licence" in " ".join(said.split())


REFUSED = """
import json
from tokensheet.errors import TokensheetError
from tokensheet.server.worker import Load, loaded
{before}
try:
    loaded(Load("xlwings", 100))
except TokensheetError as refused:
    print(json.dumps(str(refused)))
"""


@pytest.mark.parametrize(
    ("key", "before", "told"),
    [
        ("", "", "xlwings Server is under PolyForm"),
        ("not-a-key", "", "Invalid xlwings license key.; xlwings Server is under PolyForm"),
        ("any", "import sys; sys.modules['xlwings'] = None", 'pip install "tokensheet[server]"'),
    ],
    ids=["no key", "wrong key", "no xlwings"],
)
def test_without_a_licence_it_says_so_in_one_line(key: str, before: str, told: str) -> None:
    found = run(REFUSED.format(before=before), **{KEY: key})
    assert told in found and "\n" not in found


SEEN = """
import json, types
import xlwings.server
from tokensheet.functions import Functions
from tokensheet.planning import shared
from tokensheet.server import functions as module
from tokensheet.server.metadata import metadata
offered = types.SimpleNamespace(**{name: getattr(module, name) for name in module.__all__})
theirs = xlwings.server.custom_functions_meta(offered)
print(json.dumps({"theirs": theirs, "ours": metadata(Functions(shared())), "names": module.__all__}))
"""


@pytest.mark.extras
def test_xlwings_server_sees_the_same_functions(functions: Functions) -> None:
    """Those of the module that an xlwings Server of one's own imports."""
    seen = run(SEEN, XLWINGS_LICENSE_KEY="noncommercial")
    assert seen["names"] == list(functions.table)
    theirs, ours = ({f["id"]: f for f in seen[who]["functions"]} for who in ("theirs", "ours"))
    assert theirs.keys() == ours.keys()
    for name, function in ours.items():
        for part in ("name", "description", "parameters", "result"):
            assert theirs[name][part] == function[part], (name, part)
    for part in ("allowErrorForDataTypeAny", "allowCustomDataForDataTypeAny"):
        assert seen["theirs"][part] is seen["ours"][part] is True


CALLED = """
import asyncio, json, types
import xlwings, xlwings.server
from tokensheet.server import functions as module
def call(name, *args):
    data = {"func_name": name, "args": args, "version": xlwings.__version__, "client": "Office.js",
            "runtime": "1.4", "date_format": "m/d/yyyy", "culture_info_name": "en-US",
            "caller_address": "[Book1.xlsx]Sheet1!B2"}
    return asyncio.run(xlwings.server.custom_functions_call(data, module))
error = {"type": "Error", "basicValue": "#DIV/0!", "errorType": "Div0"}
print(json.dumps([
    call("KV_BYTES", [["llama-2-70b"]], [[512], ["4k"], [error], [4096]], [[8]], None),
    call("KV_BYTES", [["llama-2-70b"]], [[512, 4096]], [[8]], None),
    call("TOKENS_PER_SECOND", [["llama-2-70b"]], [["rtx-4090"]], [[1]], [[4096]], None, None),
    call("TS_OPTIONS", [["tp"]], [[[4]], [["pp"]], [[2]]]),
    call("TS_VERSION"),
]))
"""


@pytest.mark.extras
def test_an_xlwings_server_of_ones_own_gets_offices_error_values(functions: Functions) -> None:
    column, row, large, options, version = run(CALLED, XLWINGS_LICENSE_KEY="noncommercial")
    assert [cell if isinstance(cell, float) else cell["errorType"] for (cell,) in column] == [
        1342177280.0,
        "Value",
        "Div0",
        10737418240.0,
    ]
    assert row == [[1342177280.0, 10737418240.0]]
    assert large == [
        [{"type": "Error", "basicType": "Error", "errorType": "NotAvailable", "basicValue": "#N/A"}]
    ]
    assert options == [["tp=4.0; pp=2.0"]]
    assert version == answer(functions.call("TS_VERSION", []))
