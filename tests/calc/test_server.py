"""The process that answers Calc: one line in, one line out, whatever comes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cells import cell
from tokensheet.calc.server import Served, respond
from tokensheet.functions import Functions
from tokensheet.planning import shared
from tokensheet.workbook.build import Export

KV_BYTES = 10737418240.0
ANSWERS: list[tuple[str, list[Any], list[list[Any]]]] = [
    ("KV_BYTES", ["llama-2-70b", 4096.0, 8.0], [[KV_BYTES]]),
    ("KV_BYTES", ["llama-2-70b", 4096.0, None, None], [[KV_BYTES / 8]]),
    ("KV_BYTES", ["llama-2-70b", [[512.0], [4096.0]], 8.0], [[KV_BYTES / 8], [KV_BYTES]]),
    (
        "KV_BYTES",
        ["llama-2-70b", [[512.0, 4096.0]], 8.0, [["kv", "fp8"], ["", ""]]],
        [[KV_BYTES / 16, KV_BYTES / 2]],
    ),
    ("KV_BYTES", ["llama-2-70b", 4096.0, 8.0, 0.0], [[KV_BYTES]]),
    ("TS_OPTIONS", ["tp", 4.0, "pp", 2.0], [["tp=4.0; pp=2.0"]]),
    ("TS_OPTIONS", ["tp", 0.0], [["tp=0.0"]]),
    ("TS_SPEC", ["h100-sxm-80gb", "memory_bytes", 0.0], [[80e9]]),
]


@pytest.mark.parametrize(("name", "values", "rows"), ANSWERS)
def test_answers_are_rows(functions: Functions, name: str, values: list[Any], rows: list[list[Any]]) -> None:
    """An empty cell comes as 0, so that 0 in the place of a text is no text."""
    assert respond(functions, name, values) == rows


@pytest.mark.parametrize(
    ("values", "code", "reason"),
    [
        (["llama-9", 4096.0], "#VALUE!", "KV_BYTES: no model named 'llama-9'"),
        (["llama-2-70b"], "#VALUE!", "KV_BYTES: context is not given"),
        (["llama-2-70b", {"error": "#DIV/0!"}], "#DIV/0!", "KV_BYTES: context: an argument is #DIV/0!"),
        ([1.0, 2.0, 3.0, 4.0, 5.0], "#VALUE!", "KV_BYTES: 5 arguments given"),
    ],
)
def test_a_failure_has_its_reason_beside_it(
    functions: Functions, values: list[Any], code: str, reason: str
) -> None:
    ((found,),) = respond(functions, "KV_BYTES", values)
    assert found["error"] == code and found["reason"].startswith(reason)


def test_a_function_that_is_not_there_any_more(functions: Functions) -> None:
    """The extension was built when a plugin was installed that is gone."""
    ((found,),) = respond(functions, "GONE_BYTES", [1.0])
    assert (
        found == {"error": "#NAME?", "reason": found["reason"]}
        and "no function named GONE_BYTES" in found["reason"]
    )


def test_one_process_answers_line_by_line() -> None:
    """As the extension starts it; it ends with its input."""
    questions = [["KV_BYTES", ["llama-2-70b", 4096, 8]], ["TS_VERSION", []]]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tokensheet.calc.server"],
        input="".join(json.dumps(question) + "\n" for question in questions),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers == [[[KV_BYTES]], [[cell("=TS_VERSION()")]]]


def test_the_menu_exports_a_plan(
    functions: Functions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tokensheet.workbook.build.build", lambda *_: Export(b"new", "", []))
    plan = [["model", "llama-2-70b"], ["context", 4096.0], [None, None], ["failed", {"error": "#VALUE!"}]]
    written = [[name, value if isinstance(value, str) else ""] for name, value in plan]
    written[-1][1] = "=ORG.TOKENSHEET.FUNCTIONS.KV_BYTES(B1;B2)"
    served = Served(functions)
    made = served.answer("@export", [str(tmp_path / "a.ods"), plan, written])
    assert made == {"text": str(tmp_path / "a-plan.xlsx")}
    assert 'results = ["kv_bytes"]' in (tmp_path / "a-plan.toml").read_text(encoding="utf-8")
    refused = served.answer("@export", ["this workbook", plan, written])
    assert refused["problem"].startswith("this workbook is not in a folder of this computer")


def test_the_menu_reads_the_catalogue_again(functions: Functions) -> None:
    try:
        served = Served(functions)
        told = served.answer("@refresh", [])["text"]
        assert told.splitlines()[1] == "no record has changed" and served.functions is not functions
        assert served.answer("KV_BYTES", ["llama-2-70b", 4096.0, 8.0]) == [[KV_BYTES]]
    finally:
        shared.cache_clear()


@pytest.mark.slow
def test_the_menu_opens_the_reference(
    functions: Functions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path)
    assert Served(functions).answer("@reference", []) == {"text": str(tmp_path / "reference.html")}
