"""The work behind the buttons: files beside the person's workbook, a catalogue read again, the page of functions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

from tokensheet.buttons import excel, plans, renewal
from tokensheet.cli.commands import tokensheet as program
from tokensheet.errors import ArgumentError, ExportError, ProposalError
from tokensheet.functions import Functions
from tokensheet.planning import Planner
from tokensheet.proposal import read
from tokensheet.udf import functions as cells
from tokensheet.udf.border import MARK
from tokensheet.workbook.build import Export

BLOCK = (
    ("model", "llama-2-70b"),
    ("gpu", "h100-sxm-80gb"),
    ("gpus", 8.0),
    ("context", 4096.0),
    ("batch", 16.0),
)


@pytest.mark.slow
def test_a_block_becomes_a_workbook_beside_the_sheet(functions: Functions, tmp_path: Path) -> None:
    """With the proposal, which gives the same workbook from the terminal, can be changed and compared."""
    made = plans.export_block(str(tmp_path / "My sheet.xlsx"), BLOCK, BLOCK, functions)
    assert made == tmp_path / "My sheet-plan.xlsx"
    assert openpyxl.load_workbook(made, read_only=True).sheetnames[:2] == ["About", "Summary"]
    proposal = read(made.with_suffix(".toml"), functions.planner)
    assert proposal.title == "Plan of My sheet" and proposal.workload["context"] == 4096
    again = tmp_path / "again"
    done = CliRunner().invoke(program, ["export", str(made.with_suffix(".toml")), "-o", str(again)])
    assert done.exit_code == 0, done.output
    assert (again / made.name).read_bytes() == made.read_bytes()


@pytest.fixture
def no_workbook(monkeypatch: pytest.MonkeyPatch) -> None:
    """A workbook of three bytes, where only the files matter."""
    monkeypatch.setattr("tokensheet.workbook.build.build", lambda *_: Export(b"new", "", []))


@pytest.mark.usefixtures("no_workbook")
def test_no_file_is_ever_replaced(functions: Functions, tmp_path: Path) -> None:
    (tmp_path / "a-plan.xlsx").write_text("somebody's")
    (tmp_path / "a-plan-2.toml").write_text("somebody's")
    made = [plans.export_block(str(tmp_path / "a.xlsm"), BLOCK, BLOCK, functions) for _ in range(2)]
    assert [path.name for path in made] == ["a-plan-3.xlsx", "a-plan-4.xlsx"]
    assert (tmp_path / "a-plan.xlsx").read_text() == "somebody's"


@pytest.mark.usefixtures("no_workbook")
def test_a_name_that_is_taken_meanwhile_is_left_alone(
    functions: Functions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another Excel on the same folder writes between the look and the writing: the next number is taken."""
    first = tmp_path / "a-plan.xlsx"
    opened = Path.open

    def race(path: Path, mode: str = "r", *more: Any, **options: Any) -> Any:
        if path == first and mode == "xb":
            first.write_bytes(b"another's")
        return opened(path, mode, *more, **options)

    monkeypatch.setattr(Path, "open", race)
    made = plans.export_block(str(tmp_path / "a.xlsx"), BLOCK, BLOCK, functions)
    assert made.name == "a-plan-2.xlsx"
    found = {path.name: path.read_bytes()[:9] for path in tmp_path.iterdir()}
    assert found == {
        "a-plan.xlsx": b"another's",
        "a-plan-2.xlsx": b"new",
        "a-plan-2.toml": b'title = "',
    }


@pytest.mark.usefixtures("no_workbook")
def test_a_folder_full_of_plans_is_told(
    functions: Functions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "MOST_PLANS", 2)
    made = [plans.export_block(str(tmp_path / "a.xlsx"), BLOCK, BLOCK, functions) for _ in range(2)]
    assert len(set(made)) == 2
    with pytest.raises(ExportError, match="holds 2 plans of a; move some elsewhere"):
        plans.export_block(str(tmp_path / "a.xlsx"), BLOCK, BLOCK, functions)


@pytest.mark.parametrize(
    "book", ["", "Book1", "https://example.sharepoint.com/x/plan.xlsx", "/gone/plan.xlsx"]
)
def test_a_workbook_without_a_folder_is_told(functions: Functions, book: str) -> None:
    with pytest.raises(ArgumentError, match=r"is not in a folder of this computer; save it there"):
        plans.export_block(book, BLOCK, BLOCK, functions)


@pytest.mark.usefixtures("no_workbook")
def test_a_folder_that_takes_no_file_is_told(
    functions: Functions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def refuse(path: Path, mode: str = "r", *more: Any, **options: Any) -> Any:
        if path.suffix == ".xlsx" and mode == "xb":
            raise PermissionError(13, "Permission denied")
        return opened(path, mode, *more, **options)

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(
        ExportError, match=r"a-plan\.xlsx: Permission denied; save the workbook in a folder of"
    ):
        plans.export_block(str(tmp_path / "a.xlsx"), BLOCK, BLOCK, functions)
    assert list(tmp_path.iterdir()) == []


def test_mistakes_are_told_without_the_lines_of_an_unseen_file(functions: Functions, tmp_path: Path) -> None:
    wrong = (*BLOCK[:-1], ("batch", "many"), ("prompt", -1.0))
    with pytest.raises(ProposalError) as told:
        plans.export_block(str(tmp_path / "a.xlsx"), wrong, wrong, functions)
    assert 'this sheet: 2 problems\n  - batch is "many"' in str(told.value) and "line" not in str(told.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("no_workbook")
def test_a_call_becomes_a_workbook(functions: Functions, tmp_path: Path) -> None:
    call = ("DECODE_LATENCY", "llama-2-70b", "h100-sxm-80gb", 8.0, 4096.0, None, (("tp", 4.0), ("pp", 2.0)))
    made = plans.export_call(str(tmp_path / "a.xlsx"), call, functions)
    assert read(made.with_suffix(".toml"), functions.planner).assumptions == {"tp": 4, "pp": 2}


# ---- as Excel calls them


def test_a_failure_is_a_marked_text(tmp_path: Path) -> None:
    assert excel.EXPORT_BLOCK("Book1", BLOCK, BLOCK).startswith(f"{MARK}Book1 is not in a folder")
    many = tuple((f"unknown{i}", 1.0) for i in range(100))
    told = excel.EXPORT_BLOCK(str(tmp_path / "a.xlsx"), many, many)
    assert len(told) == len(MARK) + excel.LONGEST and told.endswith("…")


def test_the_call_in_a_formula() -> None:
    assert excel.CALL_IN("=KV_BYTES(B1,4096)*2") == [["KV_BYTES", "B1", "4096"]]
    assert excel.CALL_IN("=SUM(B1)") == ""
    assert excel.CALL_IN("=KV_BYTES(").startswith(f"{MARK}the formula ends too early")


TABLE = "id,region,kind,provider,accelerator,usd_per_hour,as_of,source\n"


@pytest.mark.slow
def test_the_catalogue_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cell answers from the new table; nobody started a program anew."""
    settings, plugin = tmp_path / "tokensheet.toml", tmp_path / "mine.py"
    settings.write_text('plugins = ["mine.py"]')
    plugin.write_text(PLUGIN.format(memory="96e9", formula=""))
    monkeypatch.setenv("TOKENSHEET_CONFIG", str(settings))
    before = cells.ANSWERS.functions
    try:
        first = excel.REFRESH()
        assert "accelerators new: mine-96" in first and "has changed" not in first
        assert cells.TS_SPEC("mine-96", "memory_bytes") == 96e9  # type: ignore[attr-defined]
        assert cells.GPUS_NEEDED("llama-2-70b", "mine-96", 1000) == 2  # type: ignore[attr-defined]
        assert excel.REFRESH().splitlines()[1:] == ["no record has changed"]
        plugin.write_text(PLUGIN.format(memory="192e9", formula=FORMULA))
        again = excel.REFRESH()
        assert "accelerators changed: mine-96" in again and "functions new: MINE_BYTES" in again
        assert "after 'tokensheet addin install' and a new start" in again
        assert cells.GPUS_NEEDED("llama-2-70b", "mine-96", 1000) == 1  # type: ignore[attr-defined]
        settings.write_text("plugins = [")
        assert excel.REFRESH().startswith(f"{MARK}{settings}: ")
        assert cells.TS_SPEC("mine-96", "memory_bytes") == 192e9  # type: ignore[attr-defined]
        settings.write_text("")
        assert "accelerators gone: mine-96" in excel.REFRESH()
        assert cells.TS_SPEC("mine-96", "memory_bytes").startswith("#TS!")  # type: ignore[attr-defined]
    finally:
        monkeypatch.undo()
        cells.ANSWERS.renew(before)
        renewal.shared.cache_clear()


PLUGIN = """
from tokensheet.plugin import Accelerator, formula, hookimpl

@hookimpl
def tokensheet_accelerators():
    return [Accelerator(id="mine-96", vendor="Acme", memory_bytes={memory}, memory_bandwidth=4e12,
                        peak_flops_bf16=1e15, link="pcie5-x16", source="invented")]
{formula}
"""
FORMULA = '''
@formula(unit="byte", source="a test", cell="model, context, [batch]")
def mine_bytes(kv_bytes):
    """Bytes of mine."""
    return kv_bytes

@hookimpl
def tokensheet_formulas():
    return [mine_bytes]
'''


def test_a_problem_of_a_plugin_is_among_the_changes(
    functions: Functions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import nothing_like_it")
    lines = renewal.changes(functions, Functions(Planner.of(files=[broken])))
    assert lines[1] == "no record has changed" and "No module named 'nothing_like_it'" in lines[-1]


@pytest.mark.slow
def test_the_page_lies_in_the_persons_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "cache")
    assert excel.REFERENCE() == str(tmp_path / "cache" / "reference.html")
    assert "KV_BYTES" in (tmp_path / "cache" / "reference.html").read_text(encoding="utf-8")
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "file")
    assert excel.REFERENCE().startswith(f"{MARK}{tmp_path / 'file'}")


def test_a_cell_does_not_wait_for_what_only_buttons_need() -> None:
    code = (
        "import sys; import tokensheet.udf.functions; import tokensheet.buttons.excel; "
        "sys.exit('openpyxl' in sys.modules or 'tokensheet.workbook' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
