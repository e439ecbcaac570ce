"""A plugin is one definition and appears behind every front door: nobody lists its function or its GPU a second time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tools.sources import install, run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PLUGINS = ("tokensheet-example-gpu", "tokensheet-speculative")
GPU = "example-gpu-96gb"
FUNCTION = "SPECULATIVE_TOKENS_PER_SECOND"
NODE = FUNCTION.lower()
GIVEN = {
    "model": "llama-2-70b",
    "draft_model": "llama-2-7b",
    "gpu": GPU,
    "gpus": 8,
    "context": 4096,
    "acceptance_rate": 0.6,
}
CALL = f"={FUNCTION}({','.join(json.dumps(value) for value in GIVEN.values())})"
TERMINAL = "from tokensheet.cli import main; main()"

PROPOSAL = {
    "title": "A plugin's formula",
    "template": "one-page",
    "results": [NODE],
    "workload": dict(GIVEN),
    "candidates": [{"name": "one"}],
}

# Runs in a process that sees the plugins as installed; prints what each door shows and answers.
DOORS = """
import io, json, sys
import openpyxl
import tokensheet
from tokensheet.calc import extension, server
from tokensheet.functions import Functions
from tokensheet.proposal import Proposal
from tokensheet.reference.html import page
from tokensheet.reference.markdown import markdown
from tokensheet.udf import addin, vba
from tokensheet.udf import functions as cells
from tokensheet.workbook.build import build

name, node, given, proposal = json.loads(sys.argv[1])
planner = tokensheet.planner()
functions = Functions(planner)
values = list(given.values())
made = build(planner, Proposal.model_validate(proposal))
book = openpyxl.load_workbook(io.BytesIO(made.xlsx), data_only=True)
print(json.dumps({
    "problems": [str(problem) for problem in planner.registry.problems],
    "answers": {
        "python": tokensheet.evaluate(node, **given),
        "explained": tokensheet.explain(node, **given)[0][-1].value,
        "excel": getattr(cells, name)(*values),
        "calc": server.respond(functions, name, values)[0][0],
        "workbook": made.summary[0]["results"][node],
        "cells": [c.value for row in book["Calculation"].iter_rows() for c in row if isinstance(c.value, float)],
    },
    "shown": {
        "wrappers": vba.wrappers(functions),
        "add-in": addin.modules(functions)[vba.WRAPPERS],
        "wizard": extension.names(functions),
        "listed": extension.environment(functions, "python"),
        "page": page(functions),
        "reference": markdown(functions),
        "hardware": [str(c.value) for row in book["Hardware"].iter_rows() for c in row],
        "list": functions.call("TS_LIST", ["accelerators"]),
    },
}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doors") / "site"
    for name in PLUGINS:
        install(ROOT / "plugins" / name, folder)
    return folder


@pytest.fixture(scope="module")
def doors(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    question = json.dumps([FUNCTION, NODE, GIVEN, PROPOSAL])
    done = run("-c", DOORS, question, site=site, cwd=tmp_path_factory.mktemp("cwd"))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def number(site: Path, tmp_path_factory: pytest.TempPathFactory) -> float:
    """What the terminal says."""
    done = run("-c", TERMINAL, "--strict", "eval", CALL, site=site, cwd=tmp_path_factory.mktemp("cwd"))
    assert done.returncode == 0, done.stdout + done.stderr
    return float(done.stdout)


@pytest.mark.parametrize("door", ["python", "explained", "excel", "calc", "workbook"])
def test_the_same_number_behind_every_door(doors: Any, number: float, door: str) -> None:
    assert doors["problems"] == []
    assert number > 0 and doors["answers"][door] == pytest.approx(number, rel=1e-12)


def test_the_number_stands_in_a_cell_of_the_workbook(doors: Any, number: float) -> None:
    assert any(value == pytest.approx(number, rel=1e-9) for value in doors["answers"]["cells"])


SHOWN: list[tuple[str, Callable[[Any], bool]]] = [
    ("wrappers", lambda text: f"Function {FUNCTION}(model, draft_model, gpu, gpus, context, acceptance_rate, " in text),
    ("add-in", lambda text: f'Attribute {FUNCTION}.VB_Description = "Tokens a second that one replica' in text),
    ("wizard", lambda text: f'<node oor:name="{FUNCTION}" oor:op="replace">' in text),
    ("listed", lambda text: f'"name": "{FUNCTION}"' in text),
    ("page", lambda text: f'<section id="{FUNCTION}"' in text and "tokensheet-speculative" in text),
    ("reference", lambda text: f"### {FUNCTION}\n" in text and f"Example: `={FUNCTION}(" in text),
    ("hardware", lambda cells: GPU in cells),
    ("list", lambda rows: [GPU] in rows),
]  # fmt: skip


@pytest.mark.parametrize(("door", "has"), SHOWN, ids=[name for name, _ in SHOWN])
def test_every_door_shows_it(doors: Any, door: str, has: Callable[[Any], bool]) -> None:
    assert has(doors["shown"][door])


def test_every_door_was_opened(doors: Any) -> None:
    assert doors["shown"].keys() == {name for name, _ in SHOWN}
