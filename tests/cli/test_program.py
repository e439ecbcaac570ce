"""The program as people start it: streams in any code page, what it says beside its answers, hints for shells."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tokensheet.cli.commands import tokensheet as commands
from tokensheet.cli.exporting import answer
from tokensheet.udf import addin

LATENCY = '=DECODE_LATENCY("llama-2-70b","h100-sxm-80gb",8,4096,1)'


def test_output_into_a_file_of_a_code_page_of_windows(tmp_path: Path) -> None:
    """Windows gives files and pipes a code page that lacks signs of formulas."""
    command = [sys.executable, "-c", "from tokensheet.cli import main; main()"]
    variables = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(
        [*command, "explain", LATENCY], env=variables, capture_output=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert any(ord(letter) > 255 for letter in done.stdout)
    assert CliRunner().invoke(commands, ["explain", LATENCY]).stdout == done.stdout


def test_quotes_that_the_command_prompt_passed_on() -> None:
    done = CliRunner().invoke(commands, ["eval", "'=KV_BYTES(llama-2-70b,4096,8)'"])
    assert done.exit_code == 1
    assert 'in the Command Prompt write "=KV_BYTES(""llama-2-70b"",4096,8)"' in done.stdout


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def tokensheet_accelerators():\n    return []\n", True),
        ("", True),
        (
            "from tokensheet.plugin import hookimpl\n@hookimpl\ndef tokensheet_accelerators():\n    return []\n",
            False,
        ),
    ],
)
def test_a_file_that_is_a_plugin_by_name_only(tmp_path: Path, text: str, told: bool) -> None:
    (tmp_path / "mine.py").write_text(text)
    done = CliRunner().invoke(commands, ["--plugin", str(tmp_path / "mine.py"), "eval", "=1+1"])
    assert done.stdout == "2\n"
    assert ("is @hookimpl missing above a hook?" in done.stderr) is told


@pytest.mark.parametrize("package", ["xlwings", "pyopenvba"])
def test_the_add_ins_without_the_packages_for_excel(
    tmp_path: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    done = CliRunner().invoke(commands, ["addin", "build", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{tmp_path / 'tokensheet.oxt'}\n"
    assert "Excel's part left out: " in done.stderr and 'pip install "tokensheet[excel]"' in done.stderr


def test_an_xlwings_of_another_form_is_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addin, "CHANGES", (("no such text", ""),))
    done = CliRunner().invoke(commands, ["addin", "build", str(tmp_path)])
    assert isinstance(done.exception, addin.AddinError)
    assert "is of another form; install" in str(done.exception)
    assert not list(tmp_path.glob("*.xlam"))


PLAN = """
title = "A plan"
results = ["decode_latency", "memory_per_device", "max_batch"]

[workload]
model = "llama-2-70b"
context = 4096
users = 300
batch = "max"

[assumptions]
discount = 0.1

[[candidates]]
name = "H100"
gpu = "h100-sxm-80gb"
gpus = 8
"""


@pytest.mark.slow
def test_an_export_names_what_no_result_reads(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    done = CliRunner().invoke(commands, ["export", str(tmp_path / "plan.toml")])
    assert "warning: given but read by no result: users, discount\n" in done.stdout
    done = CliRunner().invoke(commands, ["export", str(tmp_path / "plan.toml"), "--json"])
    (summary,) = json.loads(done.stdout).values()
    assert summary[0]["unread"] == ["users", "discount"]


@pytest.mark.slow
def test_two_proposals_never_write_one_workbook(tmp_path: Path) -> None:
    """Of the same file name in two folders: the second is refused, the first stays."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "plan.toml").write_text(PLAN.replace("A plan", f"Plan {name}"))
    files = [str(tmp_path / name / "plan.toml") for name in ("a", "b")]
    done = CliRunner().invoke(commands, ["export", *files, "-o", str(tmp_path / "out")])
    assert done.exit_code == 1
    assert f"{files[1]}: its workbook would replace that of {files[0]}" in done.stderr
    assert "Plan a" in (tmp_path / "out" / "plan.txt").read_text()


@pytest.mark.slow
def test_an_export_says_units_and_both_files(tmp_path: Path) -> None:
    """In ms and GiB as on Summary; the summary for programs is in SI units."""
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    told = CliRunner().invoke(commands, ["export", str(path)]).stdout
    (summary,) = json.loads(CliRunner().invoke(commands, ["export", str(path), "--json"]).stdout).values()
    results = summary[0]["results"]
    lines = [" ".join(line.split()) for line in told.splitlines()]
    assert lines[:4] == ["A plan", "", "1 H100", ""]
    for line in (
        f"decode_latency ms {results['decode_latency'] * 1000:.6g}",
        f"memory_per_device GiB {results['memory_per_device'] / 2**30:.6g}",
        f"max_batch sequence {results['max_batch']:.6g}",
    ):
        assert line in lines
    assert f"written: {path.with_suffix('.xlsx')}, and every cell as text in plan.txt\n" in told


def test_functions_are_chosen_by_words() -> None:
    found = CliRunner().invoke(commands, ["functions", "kv", "bytes"]).stdout
    assert "KV_BYTES(" in found and "RIDGE_BATCH(" not in found
    assert len(found) < len(CliRunner().invoke(commands, ["functions"]).stdout)
    assert (
        CliRunner()
        .invoke(commands, ["functions", "kv", "byts"])
        .stdout.startswith("none; nearest are kv_bytes")
    )


SUMMARY = [
    {
        "name": f"plan {i}",
        "results": {"decode_latency": None if i == 2 else 0.0125 * i, "tokens_per_dollar": 1234567.8 * i},
        "reasons": {"decode_latency": "does not fit"} if i == 2 else {},
        "warnings": ["the day is flat"] if i < 3 else [],
        "unread": ["users"],
        "replaced": [],
    }
    for i in range(1, 9)
]
ANSWER = """\
Eight

  1  plan 1
  2  plan 2
  3  plan 3
  4  plan 4
  5  plan 5
  6  plan 6
  7  plan 7
  8  plan 8

                                      1          2          3          4
decode_latency  ms                 12.5          -       37.5         50
tokens_per_dollar  token/usd  1,234,568  2,469,136  3,703,703  4,938,271

                                      5          6          7          8
decode_latency  ms                 62.5         75       87.5        100
tokens_per_dollar  token/usd  6,172,839  7,407,407  8,641,975  9,876,542

1, 2: warning: the day is flat
2: no answer: does not fit
warning: given but read by no result: users"""


def test_candidates_stand_side_by_side() -> None:
    """In even blocks that fit a line; what several candidates are told is told once."""
    units = {"decode_latency": "second", "tokens_per_dollar": "token/usd"}
    assert answer("Eight", SUMMARY, units) == ANSWER


def test_a_workbook_is_no_proposal(tmp_path: Path) -> None:
    done = CliRunner().invoke(commands, ["export", "plan.xlsx"])
    assert done.exit_code == 1
    assert (
        done.stderr
        == "tokensheet: plan.xlsx is a workbook; give its proposal, or make one by 'tokensheet read'\n"
    )
