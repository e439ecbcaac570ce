"""The wheel in a browser's Python, without NumPy: the npm package pyodide in node.

Needs node, and the registries of npm and PyPI for what runs there.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cells import cell

ROOT = Path(__file__).parents[2]
PYODIDE = "314.0.7"
PLATFORM, PYTHON = "pyemscripten_2026_0_wasm32", "314"
PURE = (
    "annotated_types",
    "click",
    "et_xmlfile",
    "markdown_it_py",
    "mdurl",
    "openpyxl",
    "platformdirs",
    "pluggy",
    "pygments",
    "rich",
    "typing_extensions",
    "typing_inspection",
)

CELLS = (
    '=KV_BYTES("llama-2-70b",4096,8)',
    '=DECODE_LATENCY("llama-2-70b","h100-sxm-80gb",8,4096,16)',
    '=KV_BYTES("llama-2-70b",{512;1024;4096},{1,8})',
    '=TOKENS_PER_SECOND("llama-2-70b","h100-sxm-80gb",8,{0,4096},16,"profile=ideal")',
    '=REQUEST_LATENCY("llama-2-70b","a100-sxm-80gb",8,1000,200,4)',
)
PROGRAM = f"""
import json, sys
import tokensheet
from tokensheet.functions import Functions
from tokensheet.sheet_words import run
from tokensheet.udf.functions import KV_BYTES
functions = Functions(tokensheet.planner())
json.dumps({{
    "system": sys.platform,
    "numpy": "numpy" in sys.modules,
    "problems": tokensheet.planner().registry.problems,
    "cells": [run(text, functions) for text in {CELLS!r}],
    "udf": KV_BYTES("llama-2-70b", [[512.0], ["4k"]], 8.0),
}}, default=str)
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program says in the browser's Python."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("NOT VERIFIED IN PYODIDE: no node and npm on the path")
    folder = tmp_path_factory.mktemp("pyodide")
    wheels = folder / "wheels"
    pip = (
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--disable-pip-version-check",
        "--no-deps",
        "--dest",
        wheels,
    )
    from importlib.metadata import requires, version

    core = next(line for line in requires("pydantic") or () if line.startswith("pydantic-core"))
    run = subprocess.run
    try:
        run(
            ["npm", "install", "--silent", "--prefix", folder, f"pyodide@{PYODIDE}"],
            check=True,
            capture_output=True,
        )
        run([*pip, *PURE, f"pydantic=={version('pydantic')}"], check=True, capture_output=True)
        binary = ("--only-binary", ":all:", "--platform", PLATFORM, "--python-version", PYTHON)
        run([*pip, *binary, core.partition(";")[0]], check=True, capture_output=True)
    except subprocess.CalledProcessError as problem:
        pytest.skip(
            f"NOT VERIFIED IN PYODIDE: {problem.cmd[0]} cannot fetch it: {problem.stderr.decode()[-200:]}"
        )
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", wheels, ROOT)
    run(build, check=True, capture_output=True)
    program = folder / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    script = shutil.copy(Path(__file__).with_name("ask.mjs"), folder)
    done = run(["node", script, wheels, program], capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


pytestmark = pytest.mark.slow


def test_all_plugins_load_without_numpy(answers: dict[str, Any]) -> None:
    assert answers["system"] == "emscripten" and not answers["numpy"]
    assert answers["problems"] == []


def test_cells_and_ranges_answer_as_here(answers: dict[str, Any]) -> None:
    for text, found in zip(CELLS, answers["cells"], strict=True):
        expected = cell(text)
        if isinstance(expected, list):
            for mine, other in zip(found, expected, strict=True):
                assert mine == pytest.approx(other, rel=1e-13)
        else:
            assert found == pytest.approx(expected, rel=1e-13)


def test_the_module_for_cells_answers(answers: dict[str, Any]) -> None:
    """The one that xlwings calls, here without xlwings."""
    (number,), (failure,) = answers["udf"]
    assert number == 1342177280.0 and failure.startswith("#TS!VALUE KV_BYTES: context is")
