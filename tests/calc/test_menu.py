"""The menu of the extension in a real LibreOffice: chosen as a person does, except for the pointer."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.tools.office import Office, _environment, require
from tokensheet.calc import extension
from tokensheet.functions import Functions
from tokensheet.proposal import read

pytestmark = pytest.mark.slow

EXPORT, REFRESH, REFERENCE = (f"service:org.tokensheet.Menu?{word}" for word in extension.MENU_ENTRIES)
PLAN: dict[str, float | str] = {
    "A2": "model", "B2": "llama-2-70b", "A3": "gpu", "B3": "h100-sxm-80gb", "A4": "gpus", "B4": 8,
    "A5": "context", "B5": 4096, "A6": "template", "B6": "one-page", "D20": "elsewhere",
}  # fmt: skip
FORMULAS = {"A7": '="tokens a second"', "B7": "=TOKENS_PER_SECOND(B2,B3,B4,B5)", "D21": "=1/0"}


def menu(extensions: Path, profile: Path, book: Path, *steps: tuple[str, str]) -> Any:
    soffice, python = require()
    done = subprocess.run(
        [python, str(Path(__file__).with_name("menu_worker.py")), soffice, str(profile), str(extensions)],
        input=json.dumps({"book": str(book), "steps": steps}),
        capture_output=True,
        encoding="utf-8",
        env=_environment(python) | {"XDG_CACHE_HOME": str(profile / "cache"), "HOME": os.environ["HOME"]},
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_selected_plan_becomes_a_workbook(
    office: Office, calc: Office, extensions: Path, functions: Functions, tmp_path: Path
) -> None:
    """A block, one cell in it, and a selection that is no plan, which is told and opens nothing.

    Without a screen LibreOffice answers its message boxes itself.
    """
    book = tmp_path / "sheet.ods"
    calc.typed(FORMULAS, PLAN, store=book)
    told = menu(
        extensions, tmp_path / "profile", book,
        ("A2:B7", EXPORT), ("B4", EXPORT), ("D20:D21", EXPORT), ("F30:G31", EXPORT), ("A1", REFRESH),
    )  # fmt: skip
    assert told["entries"] == [EXPORT, REFRESH, REFERENCE]
    assert told["seen"] == [
        ["sheet-plan.xlsx", "sheet.ods"],
        ["sheet-plan-2.xlsx", "sheet.ods"],
        ["sheet.ods"],
        ["sheet.ods"],
        ["sheet.ods"],
    ]
    first, second = (read(tmp_path / f"sheet-plan{n}.toml", functions.planner) for n in ("", "-2"))
    assert first == second
    assert first.workload == {"model": "llama-2-70b", "gpu": "h100-sxm-80gb", "gpus": 8, "context": 4096}
    assert first.results == ("tokens_per_second",)
