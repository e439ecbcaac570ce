"""Files that commands write: never over another's without `--force`, whole or not at all."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.cli.test_help import COMMANDS
from tests.tools.platforms import on_unix
from tokensheet import cli
from tokensheet.cli.commands import tokensheet
from tokensheet.cli.writing import (
    ANOTHER_FILE,
    ANOTHER_FOLDER,
    need_folder,
    write_all,
    write_folder,
    write_text,
)
from tokensheet.errors import ExportError, TokensheetError

CONFIG = Path(__file__).parents[1] / "config_import" / "configs" / "01_llama31_8b.json"
PLAN = """
title = "A plan"
results = ["kv_bytes"]

[workload]
model = "llama-2-70b"
context = 4096

[[candidates]]
name = "H100"
gpu = "h100-sxm-80gb"
gpus = 8
"""
RUNS = """\
id,source,engine,engine_version,model,accelerator,gpus,tp,batch,input_tokens,output_tokens,metric,value_s
a,mine,vllm,0.10.0,llama-3.1-70b,h100-sxm-80gb,4,4,16,1000,500,tpot_s,0.0200
"""
HELD, CHANGED = "holds something else", "is not as an export left it"
FOLDER = "another folder"

WRITERS: dict[tuple[str, ...], tuple[tuple[str, ...], str, str, str]] = {
    ("catalog", "table"): (("links", "-o", "own.csv"), "own.csv", HELD, ANOTHER_FILE),
    ("catalog", "import"): ((str(CONFIG), "-o", "mine.py"), "mine.py", HELD, ANOTHER_FILE),
    ("calibrate",): (("runs.csv", "-o", "mine.toml"), "mine.toml", HELD, ANOTHER_FILE),
    ("texts",): (("de", "-o", "de.toml"), "de.toml", HELD, ANOTHER_FILE),
    ("read",): (("sent/plan.xlsx", "-o", "back.toml"), "back.toml", HELD, ANOTHER_FILE),
    ("reference",): (("--html", "all.html"), "all.html", HELD, "another file with --html"),
    ("export",): (("plan.toml", "-o", "out"), "out/plan.xlsx", CHANGED, ANOTHER_FOLDER),
    ("addin", "build"): (("addins",), "addins/tokensheet.oxt", HELD, FOLDER),
    ("addin", "fleet"): (("fleet",), "fleet/tokensheet.toml", HELD, FOLDER),
    ("server", "manifest"): (("new", "--url", "https://a.example"), "new/manifest.xml", HELD, FOLDER),
}
"""Command → its arguments, a file that it writes, what is said of another one there, and where else it could go."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the commands read, in the folder that they run in."""
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN, encoding="utf-8")
    Path("runs.csv").write_text(RUNS, encoding="utf-8")
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(tokensheet, words)


def told(done: Result) -> str:
    """The one line of a refusal, without the program's name before it."""
    assert done.exit_code == 1
    text = str(done.exception) if isinstance(done.exception, TokensheetError) else done.stderr
    return text.removeprefix("tokensheet: ").removesuffix("\n")


@pytest.mark.slow
@pytest.mark.parametrize("command", WRITERS, ids="-".join)
def test_a_command_writes_over_another_file_by_force_only(folder: Path, command: tuple[str, ...]) -> None:
    """The same content is no other; what is refused stays as it was, with all that would stand beside it."""
    arguments, name, found, elsewhere = WRITERS[command]
    if command == ("read",):
        assert run("export", "plan.toml", "-o", "sent").exit_code == 0
    words, file = (*command, *arguments), folder / name
    assert run(*words).exit_code == 0
    written = file.read_bytes()
    assert run(*words).exit_code == 0
    file.write_bytes(b"another's work\n")
    before = everything(folder)
    assert told(run(*words)) == f"{name} exists and {found}; add --force to replace it, or choose {elsewhere}"
    assert everything(folder) == before
    assert run(*words, "--force").exit_code == 0
    assert file.read_bytes() == written


def everything(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def folder_there(file: Path) -> None:
    file.mkdir()


def pipe_there(file: Path) -> None:
    os.mkfifo(file)


def open_in_libreoffice(file: Path) -> None:
    file.with_name(f".~lock.{file.name}#").touch()


def open_in_excel(file: Path) -> None:
    file.with_name(f"~${file.name}").touch()


def file_as_folder(file: Path) -> None:
    file.parent.rmdir()
    file.parent.touch()


REFUSALS: list[Any] = [
    (folder_there, "{} is a folder; choose another file with -o"),
    pytest.param(pipe_there, "{} is no file; choose another file with -o", marks=on_unix),
    (open_in_libreoffice, "{} is open in another program; close it or choose another file with -o"),
    (open_in_excel, "{} is open in another program; close it or choose another file with -o"),
    (file_as_folder, "{folder}: File exists; choose another file with -o"),
]


@pytest.mark.parametrize(("plant", "says"), REFUSALS)
def test_where_no_file_can_be_written(tmp_path: Path, plant: Callable[[Path], None], says: str) -> None:
    """`--force` is about what a file holds, and nothing else."""
    file = tmp_path / "new" / "own.csv"
    file.parent.mkdir()
    plant(file)
    with pytest.raises(ExportError) as caught:
        write_text(file, "mine", force=True)
    assert str(caught.value) == says.format(file, folder=file.parent)


@pytest.mark.parametrize("folder", [".", "/", "", ".."])
def test_a_folder_that_has_no_name_is_told_too(folder: str) -> None:
    with pytest.raises(ExportError, match=r"is a folder; choose another file with -o"):
        write_text(Path(folder), "a", force=True)


def test_a_name_that_is_too_long_is_told_as_it_was_given(tmp_path: Path) -> None:
    name = "a" * 300
    with pytest.raises(ExportError, match=f"/{name}: .*; choose another file with -o"):
        write_text(tmp_path / name, "a", force=True)


def test_files_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    other = tmp_path / "b.txt"
    other.write_bytes(b"another's")
    with pytest.raises(ExportError, match=r"b\.txt exists and holds something else"):
        write_folder(tmp_path, {"a.txt": b"a", "b.txt": b"b"}, force=False)
    assert everything(tmp_path) == {"b.txt": b"another's"}


def test_a_file_that_is_ours_is_written_over(tmp_path: Path) -> None:
    file = tmp_path / "plan.txt"
    file.write_bytes(b"ours, of another day")
    write_all({file: b"today"}, force=False, ours=lambda target: target.read_bytes().startswith(b"ours"))
    assert file.read_bytes() == b"today"
    with pytest.raises(ExportError, match="is not as an export left it"):
        write_all({file: b"tomorrow"}, force=False, ours=lambda target: False)


def test_a_text_keeps_its_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "new" / "own.csv"
    write_text(file, "ß\r\n1\n", force=False)
    assert file.read_bytes() == b"\xc3\x9f\r\n1\n"


@on_unix
@pytest.mark.parametrize("lock", [".~lock.far.csv#", "~$far.csv", ".~lock.own.csv#"])
def test_a_file_that_is_open_under_the_name_that_a_link_leads_to(tmp_path: Path, lock: str) -> None:
    (tmp_path / "far.csv").touch()
    link = tmp_path / "own.csv"
    link.symlink_to("far.csv")
    write_text(link, "first", force=True)
    (tmp_path / lock).touch()
    with pytest.raises(ExportError, match=r"own\.csv is open in another program"):
        write_text(link, "mine", force=True)
    assert (link.is_symlink(), (tmp_path / "far.csv").read_bytes()) == (True, b"first")


FOLDERS: dict[tuple[str, ...], tuple[str, str]] = {
    ("export", "plan.toml", "-o"): ("plan-2.xlsx", "."),
    ("export", "plan.toml", "-o", ""): ("out/plan.TXT", "out"),
    ("export", "plan.toml", "--output"): ("plan.toml", "."),
    ("addin", "build"): ("tokensheet.oxt", "."),
    ("addin", "fleet"): ("settings/tokensheet.toml", "settings"),
    ("server", "manifest", "--url", "https://a.example"): ("manifest.xml", "."),
}
"""Command → what is given as its folder and is none, and the folder that it says."""


@pytest.mark.parametrize("command", FOLDERS, ids="-".join)
def test_a_file_where_a_folder_is_asked_for_is_refused(folder: Path, command: tuple[str, ...]) -> None:
    """Else a folder of that name would be made, or a file be in the way."""
    given, said = FOLDERS[command]
    words, before = (*filter(None, command), given), everything(folder)
    assert told(run(*words)) == (
        f"{Path(given)} is to be a folder, and looks like a file; give the folder, such as {said}"
    )
    assert everything(folder) == before


def test_a_folder_may_be_called_like_a_file(tmp_path: Path) -> None:
    (tmp_path / "plans.xlsx").mkdir()
    for name in ("plans.xlsx", "new", "plans.v2", ".hidden", "no.such/new"):
        need_folder(tmp_path / name, (".xlsx", ""))


def test_every_command_that_writes_files_is_held_to_the_rule() -> None:
    """By its options; and none writes past the rule by a method of paths."""
    names = {path: {o for p in command.params for o in p.opts} for path, command in COMMANDS.items()}
    assert {path for path, options in names.items() if options & {"--output", "--force", "--html"}} == set(
        WRITERS
    )
    assert len({p.help for c in COMMANDS.values() for p in c.params if p.name == "force"}) == 1  # type: ignore[attr-defined]
    folder = Path(cli.__file__).parent
    calls = [
        f"{path.name}:{node.lineno}"
        for path in sorted(folder.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("write_text", "write_bytes")
    ]
    assert calls == []
