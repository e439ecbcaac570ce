"""`tokensheet optimize`: options are those that plugins declare; what is printed says what, why and why not."""

from __future__ import annotations

import io
import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import tokensheet as ts
from tests.tools.pages import blocks
from tokensheet.cli import optimize as command
from tokensheet.cli.commands import tokensheet
from tokensheet.cli.optimize import _options
from tokensheet.errors import TokensheetError
from tokensheet.goals import Axis, Goal, Target

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "optimize.md"
STEP = ("--model", "llama-3.1-8b", "--context", "4096", "--devices", "h100-sxm-80gb,l40s", "--counts", "1,2")
FLEET = (
    "--model", "llama-3.1-8b", "--prompt", "1024", "--output", "128", "--request-rate", "30",
    "--devices", "h100-sxm-80gb,l40s", "--counts", "1,2", "--stages", "1",
)  # fmt: skip


def invoke(*words: str) -> Result:
    return CliRunner().invoke(tokensheet, ["optimize", *words])


def test_every_declared_name_is_an_option() -> None:
    planner = ts.planner()
    options = {option.name: option for option in _options(planner)}
    for kit in planner.registry.searches.values():
        search = kit.search
        names = {*search.asks, *(n for group in search.demands for n in group), *search.takes}
        names |= {*kit.of(Axis), *kit.of(Target), *kit.bases, "goal"}
        assert names <= options.keys()
        goal = options["goal"].type
        assert isinstance(goal, click.Choice) and set(kit.of(Goal)) <= set(goal.choices)
    text = invoke("--help").output
    for option in options.values():
        assert option.opts[0] in text
        assert option.help and option.help[0].isupper() and option.help.endswith("."), option.name


def test_the_plans_of_a_step() -> None:
    result = invoke(*STEP, "--count", "2", "--max-latency", "0.02")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "plan of a decode step at a stated batch and context: cheapest tokens"
    assert lines[1].startswith("60 candidates: ") and lines[1].endswith(" hold all targets")
    assert {"batch", "usd/M", "binds", "used"} <= set(lines[3].split())
    assert lines[4].split()[0] == "1" and lines[5].split()[0] == "2"
    assert lines[6].startswith("all with ") and lines[6].endswith("dp 1, weights bf16, kv bf16")
    assert "nothing is both faster and cheaper than these:" in lines
    assert any(line.startswith("  ") and " above 0.02 s; for example: gpu " in line for line in lines)
    assert "not tried unless named:" not in lines


@pytest.mark.slow
def test_the_fleet_that_holds_targets() -> None:
    result = invoke(
        *FLEET, "--target-ttft", "0.3", "--target-tpot", "15%", "--set", "spare_replicas=0", "--json"
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert (told["search"], told["goal"], told["candidates"]) == ("fleet", "cost", 4)
    assert told["targets"] == {"target_ttft": 0.3, "target_tpot": 0.15, "target_utilization": 0.7}
    first = told["best"][0]
    given = {k: first[k] for k in ("gpu", "gpus", "pp")}
    plan = {"model": "llama-3.1-8b", "prompt": 1024, "output": 128, "request_rate": 30, "spare_replicas": 0}
    cost = ts.evaluate("fleet_monthly_cost", **plan, **given, target_ttft=0.3, target_tpot=0.15)
    assert first["fleet_monthly_cost"] == pytest.approx(cost)
    assert first["planned_ttft"] <= 0.3 and first["binds"] in told["targets"]
    assert told["nearest"] is told["reason"] is None


@pytest.mark.slow
def test_when_nothing_holds_the_targets_the_end_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ((), ("--json",)):
        result = invoke(*FLEET, "--target-tpot", "0.0001", *words)
        assert isinstance(result.exception, TokensheetError)
        line = str(result.exception)
        assert line.startswith("no plan holds the targets; nearest is gpu h100-sxm-80gb, gpus 2, ")
        assert "TPOT with hardly any load is " in line and line.endswith("above target_tpot of 0.0001 s")
        if words:
            told = json.loads(result.output)
            assert (told["best"], told["reason"]) == ([], line)
            assert told["nearest"]["target"] == "target_tpot"
        else:
            assert result.output.splitlines()[1] == "4 candidates: 0 hold all targets"


def test_devices_that_are_not_tried_are_counted_with_the_reason() -> None:
    words = ("--model", "llama-3.1-8b", "--context", "1", "--counts", "1", "--batches", "1", "--count", "1")
    lines = invoke(*words).output.splitlines()
    left = lines[lines.index("not tried unless named:") + 1 :]
    assert [line.split(": ")[1] for line in left] == [
        x["reason"] for x in json.loads(invoke(*words, "--json").output)["not_tried"]
    ]
    assert any("its 16-bit peak is not confirmed: " in line and " more" in line for line in left)


def test_prices_are_told_with_the_records_behind_them() -> None:
    narrow = ("--devices", "h100-sxm-80gb", "--counts", "1", "--batches", "1")
    words = (*STEP[:4], *narrow, "--cost-basis", "reserved")
    lines = invoke(*words).output.splitlines()
    told = json.loads(invoke(*words, "--json").output)
    (price,) = told["prices"]
    line = lines[lines.index("prices:") + 1]
    assert line == f"  h100-sxm-80gb: {price['words']}; warning: {price['warning']}"
    assert (price["records"], price["basis"], price["unit"]) == (1, "reserved", "usd/hour")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", price["first"]) and price["warning"].startswith("a single record")
    assert told["best"][0]["rent_per_gpu_hour"] == price["value"] and "usd/gpu/h" in lines[3]


WRONG: dict[str, tuple[tuple[str, ...], int, str]] = {
    "option": (("--contxt", "1"), 2, "--contxt"),
    "goal": ((*STEP, "--goal", "speed"), 2, "'speed' is not one of 'cost', 'latency'"),
    "number": ((*STEP, "--max-latency", "soon"), 1, 'max_latency is "soon"; give a number'),
    "nothing": ((), 1, "give --model, --context (plan of a decode step"),
    "demand": (
        ("--model", "opt-13b"),
        1,
        "--output and --request-rate or --users or --requests-per-day (fleet",
    ),
    "of another search": (
        (*STEP, "--target-ttft", "1"),
        1,
        "--target-ttft goes with --model, --prompt, --output and --request-rate or --users",
    ),
    "count": ((*STEP, "--count", "0"), 2, "0 is not in the range x>=1"),
    "name": ((*STEP, "--set", "spare_replica=0"), 1, "nothing is called spare_replica; nearest"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_read(case: str) -> None:
    words, code, text = WRONG[case]
    result = invoke(*words)
    assert result.exit_code == code
    assert text in result.output + str(result.exception)


def test_a_plugin_brings_a_goal_and_a_target(tmp_path: Path) -> None:
    """That of the guide: declared in a file of a few lines, and an option at once."""
    file = tmp_path / "power.py"
    (code,) = [block.text for block in blocks(GUIDE) if block.language == "python"]
    file.write_text(code)
    runner = CliRunner()
    words = ["--plugin", str(file), "optimize", *STEP, "--goal", "power", "--max-power", "900", "--json"]
    result = runner.invoke(tokensheet, words)
    assert result.exit_code == 0, (result.output, result.exception)
    told: dict[str, Any] = json.loads(result.output)
    powers = [plan["power_per_token"] for plan in told["best"]]
    assert powers == sorted(powers) and told["goal"] == "power"
    assert all(plan["system_power"] <= 900 for plan in told["best"])


@pytest.mark.slow
def test_the_commands_of_the_guide(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [b.text for b in blocks(GUIDE) if b.language == "sh"]
    assert len(lines) == 2
    for line in lines:
        program, name, *words = shlex.split(line)
        assert (program, name) == ("tokensheet", "optimize")
        assert invoke(*words, "--devices", "h100-sxm-80gb,mi300x").exit_code == 0


@pytest.mark.slow
def test_the_cells_of_the_guide_and_its_options() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    cells = re.findall(r"^=BEST_CONFIG.*$", text, re.M)
    assert len(cells) == 2
    for cell in cells:
        narrow = cell.replace('")', '; devices=h100-sxm-80gb")')
        answer = CliRunner().invoke(tokensheet, ["eval", narrow])
        assert answer.exit_code == 0 and answer.output.startswith('{"rank","gpu",'), answer.output
    known = {option for o in _options(ts.planner()) for option in o.opts} | {
        "--set",
        "--plugin",
        "--help",
        "--max-power",
        "--json",
    }
    assert set(re.findall(r"--[a-z][a-z-]+", text)) <= known


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is printed for others has no bar in it."""
    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(command.sys, "stderr", stream)
        with command._progress() as told:
            assert (told is not None) is drawn
            if told is not None:
                told(3, 4)
        assert ("candidates" in stream.getvalue()) is drawn


TWICE = {
    ("--context", "8192"): "--context is given twice; leave one out",
    ("--set", "context=8192"): "context is given by --context and by --set; leave one out",
    ("--count", "2", "--set", "count=3"): "count is given by --count and by --set; leave one out",
    ("--set", "spare_replicas=0", "--set", "spare_replicas=1"): "options: spare_replicas is given twice",
    ("--profile", "ideal; context=1"): "--profile is 'ideal; context=1'; write one value, others by --set",
}


@pytest.mark.parametrize("words", TWICE)
def test_what_is_given_twice_is_refused(words: tuple[str, ...]) -> None:
    """The last one would be used, and nobody would know."""
    done = invoke(*STEP, *words)
    assert isinstance(done.exception, TokensheetError) and str(done.exception) == TWICE[words]


def test_how_many_plans_may_be_set_too() -> None:
    """What an option is without being given is no second value."""
    assert json.loads(invoke(*STEP, "--set", "count=3", "--json").stdout)["best"][3:] == []
