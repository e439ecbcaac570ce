"""`tokensheet diff` and `tokensheet read`: what moved is told, and a customer's inputs come back as a proposal."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

import tokensheet
from tests.tools.office import Office
from tokensheet.cli.commands import tokensheet as commands
from tokensheet.cli.compare import Snapshot
from tokensheet.cli.read_back import other_results
from tokensheet.errors import ProposalError
from tokensheet.proposal import parse, read
from tokensheet.workbook.build import build
from tokensheet.workbook.finish import CellError

pytestmark = pytest.mark.slow

PLANNER = tokensheet.planner()
TEXT = """
title = "Round trip"
customer = "A \\"customer\\" of ours"
valid_until = 2027-01-31
template = "one-page"
results = ["decode_latency", "tokens_per_dollar"]

[workload]
model = "llama-2-70b"
context = 4096
gpus = 8

[assumptions]
electricity_price = 0.2

[reasons]
electricity_price = "their tariff"

[[candidates]]
name = "cheap"
gpu = "rtx-4090"
batch = 4

[[candidates]]
name = "fast"
gpu = "h100-sxm-80gb"
batch = "max"
"""


@cache
def exported(text: str) -> bytes:
    """The workbook of a proposal, built once."""
    return build(PLANNER, parse(text, PLANNER)).xlsx


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plan.toml").write_text(TEXT)
    (tmp_path / "plan.xlsx").write_bytes(exported(TEXT))
    return tmp_path


def run(*arguments: object) -> Any:
    return CliRunner().invoke(commands, [str(a) for a in arguments])


def changed(folder: Path, **cells: object) -> Path:
    """The workbook after a customer typed into cells; values that formulas stored are lost, as in some programs."""
    book: Any = openpyxl.load_workbook(folder / "plan.xlsx")
    for place, value in cells.items():
        sheet, name, column = place.split("__")
        row = next(c.row for c in book[sheet]["B"] if c.value == name)
        book[sheet][f"{column}{row}"].value = value
    target = folder / "back.xlsx"
    book.save(target)
    return target


def test_an_unchanged_workbook_gives_the_same_plan(folder: Path) -> None:
    """The proposal that is read back exports the same bytes of numbers, and nothing is said to have changed."""
    done = run("read", folder / "plan.xlsx", "-o", folder / "again.toml")
    assert done.exit_code == 0, done.output
    assert "no input was changed" in done.output
    first, again = (parse(t, PLANNER) for t in (TEXT, (folder / "again.toml").read_text()))
    assert [first.given(c) for c in first.candidates] == [again.given(c) for c in again.candidates]
    for name in ("title", "customer", "valid_until", "results", "reasons"):
        assert getattr(first, name) == getattr(again, name)
    assert build(PLANNER, first).summary == build(PLANNER, again).summary


def test_changed_inputs_come_back_and_are_told(folder: Path) -> None:
    """A shared input, an option, an emptied cell and a drop-down."""
    target = changed(
        folder,
        Inputs__context__C=8192,
        Inputs__electricity_price__C=None,
        Options__batch__D=2,
        Options__gpu__E="h200-sxm-141gb",
    )
    done = run("read", target, "--proposal", folder / "plan.toml", "-o", folder / "back.toml")
    assert done.exit_code == 0, done.output
    back = parse((folder / "back.toml").read_text(), PLANNER)
    cheap, fast = (back.given(c) for c in back.candidates)
    assert (cheap["context"], cheap["batch"], fast["gpu"]) == (8192, 2, "h200-sxm-141gb")
    assert "electricity_price" not in cheap
    for line in (
        "changed: all candidates: context 4096 -> 8192",
        "changed: cheap: batch 4 -> 2",
        "changed: fast: gpu h100-sxm-80gb -> h200-sxm-141gb",
        "changed: all candidates: electricity_price 0.2 -> not given",
    ):
        assert line in done.output


def test_a_bad_value_in_a_cell_is_told_and_nothing_is_written(folder: Path) -> None:
    target = changed(folder, Inputs__context__C=-5)
    done = run("read", target, "-o", folder / "back.toml")
    assert done.exit_code != 0
    assert "context is -5" in str(done.exception or done.output)
    assert not (folder / "back.toml").exists()


def test_the_workbook_is_left_alone(folder: Path) -> None:
    before = (folder / "plan.xlsx").read_bytes()
    run("read", folder / "plan.xlsx")
    run("diff", folder / "plan.xlsx", folder / "plan.toml")
    assert (folder / "plan.xlsx").read_bytes() == before


def test_a_row_of_the_readers_own_is_told(folder: Path) -> None:
    book: Any = openpyxl.load_workbook(folder / "plan.xlsx")
    sheet = book["Hardware"]
    row = next(c.row for c in sheet["A"] if c.row > 6 and c.value is None)
    sheet[f"A{row}"].value = "our-gpu"
    book.save(folder / "own.xlsx")
    done = run("read", folder / "own.xlsx")
    assert "accelerator our-gpu is a row of the reader's own" in done.output


def test_two_rows_of_one_id_are_told(folder: Path) -> None:
    book: Any = openpyxl.load_workbook(folder / "plan.xlsx")
    sheet = book["Hardware"]
    row = next(c.row for c in sheet["A"] if c.row > 6 and c.value is None)
    sheet[f"A{row}"].value = "RTX-4090"
    book.save(folder / "twice.xlsx")
    done = run("read", folder / "twice.xlsx")
    assert (
        "accelerator RTX-4090 stands in two rows of its sheet; give the reader's own row another id"
        in done.output
    )


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({"decode_latency": 0.02, "max_batch": 7.0}, None),
        ({"decode_latency": 0.02 * (1 + 1e-12), "max_batch": CellError("#N/A")}, "max_batch is #N/A in the workbook, and 7 by"),
        ({"decode_latency": 0.01, "max_batch": 8.0}, "decode_latency is 0.01 in the workbook, and 0.02 by its inputs (and 1 more"),
        ({}, None),
    ],
)  # fmt: skip
def test_results_that_the_inputs_do_not_give_are_told(
    told: dict[str, float | str], found: str | None
) -> None:
    """Facts, formulas and profiles are not read back: what was changed in them shows in the results."""
    engine = Snapshot({}, {"a": {"decode_latency": 0.02, "max_batch": 7.0}}, {})
    lines = other_results(Snapshot({}, {"a": told} if told else {}, {}), engine)
    assert len(lines) == (found is not None)
    assert found is None or (found in lines[0] and "is not read" in lines[0])


def test_a_shipped_fact_that_was_changed_is_told(folder: Path, office: Office) -> None:
    """A customer lifts the protection, types another bandwidth and saves: no input says so, the results do."""
    book: Any = openpyxl.load_workbook(folder / "plan.xlsx")
    sheet = book["Hardware"]
    column = next(c.column for c in sheet[5] if c.value == "memory_bandwidth")
    sheet.cell(next(c.row for c in sheet["A"] if c.value == "rtx-4090"), column).value = 1e12
    book.save(folder / "typed.xlsx")
    office.recalculated(folder / "typed.xlsx", folder / "saved.xlsx")
    done = run("read", folder / "saved.xlsx", "--proposal", folder / "plan.toml")
    assert "warning: cheap: decode_latency is" in done.output and "no input was changed" in done.output
    office.recalculated(folder / "plan.xlsx", folder / "saved.xlsx")
    assert "warning" not in run("read", folder / "saved.xlsx", "--proposal", folder / "plan.toml").output


@pytest.mark.parametrize("name", ["nothing.xlsx", "text.xlsx", "other.xlsx"])
def test_what_is_no_planning_workbook_is_one_line(folder: Path, name: str) -> None:
    (folder / "text.xlsx").write_text("hello")
    openpyxl.Workbook().save(folder / "other.xlsx")
    done = run("read", folder / name)
    assert done.exit_code != 0
    assert name in str(done.exception)
    assert "\n" not in str(done.exception)


def test_a_plan_and_its_workbook_do_not_differ(folder: Path) -> None:
    done = run("diff", folder / "plan.toml", folder / "plan.xlsx")
    assert done.output == "no difference\n"


def test_what_moved_is_told_with_how_much(folder: Path) -> None:
    """Inputs and results of two proposals, of two workbooks, and of one of each."""
    other = TEXT.replace("context = 4096", "context = 2048").replace('name = "fast"', 'name = "faster"')
    (folder / "two.toml").write_text(other)
    (folder / "two.xlsx").write_bytes(build(PLANNER, parse(other, PLANNER)).xlsx)
    told = {
        run("diff", folder / f"plan.{a}", folder / f"two.{b}").output
        for a in ("toml", "xlsx")
        for b in ("toml", "xlsx")
    }
    assert len(told) == 1
    text = told.pop()
    before, after = (
        build(PLANNER, parse(t, PLANNER)).summary[0]["results"]["decode_latency"] for t in (TEXT, other)
    )
    assert "candidate fast: left out" in text and "candidate faster: added" in text
    assert "cheap: context 4096 -> 2048 (-50.000%)" in text
    assert f"cheap: decode_latency {before:.10g} -> {after:.10g} second ({after / before - 1:+.3%})" in text


def test_differences_for_programs(folder: Path) -> None:
    (folder / "two.toml").write_text(TEXT.replace("batch = 4", "batch = 8"))
    moves = json.loads(run("diff", folder / "plan.toml", folder / "two.toml", "--json").output)
    batch = next(m for m in moves if m["name"] == "batch")
    assert (batch["candidate"], batch["before"], batch["after"], batch["change"]) == ("cheap", 4, 8, 1)


FLEET = """
title = "Fleet"
template = "fleet-plan"

[workload]
model = "llama-3.1-8b"
context = 2048
prompt = 1500
output = 300
users = 400
think_time = 60
answer_time = 15
target_ttft = 2
target_tpot = 0.06
load_at_12 = 80
plan_years = 5

[[candidates]]
name = "rented"
gpu = "h100-sxm-80gb"
gpus = 1
rent_per_gpu_hour = 2.5
"""


UNREAD = TEXT.replace("[assumptions]", "[assumptions]\ndiscount = 0.1").replace(
    "batch = 4", "batch = 4\nmargin = 0.2"
)


@pytest.mark.parametrize(
    ("text", "unread"), [(UNREAD, ["discount", "margin"]), (FLEET, [])], ids=["plan", "fleet"]
)
def test_what_the_workbook_has_no_row_for_stays_and_is_no_change(
    tmp_path: Path, text: str, unread: list[str]
) -> None:
    """Prices that no result reads, and the numbers with which the recipe's series begin."""
    (tmp_path / "plan.toml").write_text(text)
    (tmp_path / "plan.xlsx").write_bytes(build(PLANNER, parse(text, PLANNER)).xlsx)
    done = run("read", tmp_path / "plan.xlsx", "-o", tmp_path / "back.toml")
    assert done.exit_code == 0, done.output
    assert "changed:" not in done.output and "no input was changed" in done.output
    back, first = read(tmp_path / "back.toml", PLANNER), parse(text, PLANNER)
    assert [back.given(c) for c in back.candidates] == [first.given(c) for c in first.candidates]
    done = run("diff", tmp_path / "plan.toml", tmp_path / "plan.xlsx")
    assert done.stdout == "no difference\n"
    note = f"note: not compared, since no result of the workbook reads it: {', '.join(unread)}\n"
    assert done.stderr == (note if unread else "")


OTHER = '"other"'


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("title", "about: title Round trip -> other"),
        ("customer", 'about: customer A "customer" of ours -> other'),
        ("prepared_by", "about: prepared_by not given -> other"),
        ("date", "about: date not given -> 2027-01-01"),
        ("valid_until", "about: valid_until 2027-01-31 -> 2027-01-01"),
        ("template", "about: template one-page -> capacity-plan"),
        ("language", "about: language en -> zh"),
    ],
)
def test_what_is_said_beside_the_plans_is_compared(folder: Path, key: str, line: str) -> None:
    value = {
        "date": "2027-01-01",
        "valid_until": "2027-01-01",
        "template": '"capacity-plan"',
        "language": '"zh"',
    }
    lines = [row for row in TEXT.splitlines() if not row.startswith(f"{key} =")]
    other = "\n".join([f"{key} = {value.get(key, OTHER)}", *lines])
    (folder / "two.toml").write_text(other)
    (folder / "two.xlsx").write_bytes(build(PLANNER, parse(other, PLANNER)).xlsx)
    for after in ("two.toml", "two.xlsx"):
        for before in ("plan.toml", "plan.xlsx"):
            done = run("diff", folder / before, folder / after)
            assert done.stdout.splitlines()[:2] == ["inputs:", f"  {line}"], (before, after)
            assert "results: no difference" in done.stdout


def test_a_workbook_that_was_never_calculated_says_so(folder: Path) -> None:
    done = run("diff", folder / "plan.toml", changed(folder, Options__batch__D=2))
    assert "cheap: batch 4 -> 2" in done.stdout
    assert "decode_latency" not in done.stdout
    assert "back.xlsx: results are not calculated" in done.stderr
    assert done.stdout.endswith("results: not compared\n")


def test_mistakes_of_cells_are_told_by_sheet(folder: Path) -> None:
    target = changed(folder, Inputs__context__C=-5, Options__batch__D=-4)
    told = str(run("read", target).exception)
    assert "Inputs: context is -5" in told
    assert "Options, cheap: batch is -4" in told
    assert "line " not in told


def test_a_picked_row_of_the_readers_own_says_what_to_do(folder: Path) -> None:
    book: Any = openpyxl.load_workbook(folder / "plan.xlsx")
    sheet = book["Hardware"]
    row = next(c.row for c in sheet["A"] if c.row > 6 and c.value is None)
    sheet[f"A{row}"].value = "our-gpu"
    options = book["Options"]
    options[f"D{next(c.row for c in options['B'] if c.value == 'gpu')}"].value = "our-gpu"
    book.save(folder / "own.xlsx")
    done = run("read", folder / "own.xlsx")
    assert "tokensheet catalog table accelerators -o own.csv" in done.stderr
    assert "Options, cheap: gpu: no accelerator" in str(done.exception)
    assert "our-gpu: see the warning above" in str(done.exception)


RECIPE = 'title = "Ours"\nresults = ["max_batch", "kv_bytes"]\n'


def with_recipe(folder: Path, template: str) -> Path:
    """A proposal that names a recipe of its own."""
    text = TEXT.replace('results = ["decode_latency", "tokens_per_dollar"]\n', "")
    text = text.replace('"one-page"', f'"{template}"')
    path = folder / "own" / "plan.toml"
    path.parent.mkdir()
    (path.parent / "below").mkdir()
    for place in (folder / "outside.toml", path.parent / "ours.toml", path.parent / "below" / "ours.toml"):
        place.write_text(RECIPE)
    (path.parent / "wrong.toml").write_text(RECIPE + 'colour = "red"\n')
    path.write_text(text)
    return path


@pytest.mark.parametrize("template", ["ours.toml", "below/ours.toml"])
def test_a_recipe_of_ones_own_lies_beside_the_proposal(folder: Path, template: str) -> None:
    path = with_recipe(folder, template)
    done = run("export", path)
    assert done.exit_code == 0, done.output
    assert "max_batch" in done.output and "kv_bytes" in done.output and "tokens_per_dollar" not in done.output
    done = run("read", path.with_suffix(".xlsx"), "-o", path.parent / "back.toml")
    assert done.exit_code == 0 and "no input was changed" in done.output
    assert run("diff", path, path.parent / "back.toml").stdout == "no difference\n"


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("../outside.toml", "template: ../outside.toml is not in the proposal's folder"),
        ("/etc/ours.toml", "template: /etc/ours.toml is not in the proposal's folder"),
        ("there-is-none.toml", "template: no file there-is-none.toml is beside the proposal"),
        ("wrong.toml", "line 3: colour: unknown key"),
        ("ours", "no recipe is called ours; known are capacity-plan"),
        ("ours", "one-page; a file of one's own ends in .toml"),
    ],
)
def test_a_recipe_that_cannot_be_used_is_told(folder: Path, template: str, told: str) -> None:
    path = with_recipe(folder, template)
    done = run("export", path)
    assert done.exit_code == 1
    assert told in done.stderr
    with pytest.raises(ProposalError, match="is a file, but this proposal is none"):
        parse(path.read_text().replace(template, "ours.toml"), PLANNER)
