"""docs/plugins.md is followed to the letter, from an empty folder to the last command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.pages import Block, blocks
from tests.tools.release import HIDDEN, fresh

PAGE = Path(__file__).parents[2] / "docs" / "plugins.md"

Shell = Callable[[str, Path], tuple[int, str]]


def follow(folder: Path, shell: Shell) -> int:
    """Does what the page says; the number of commands whose output was compared."""
    compared = 0
    for block in blocks(PAGE):
        if block.note:
            write(folder, block)
        elif block.language == "console":
            for command, output in commands(block.text):
                code, said = shell(command, folder)
                assert "Traceback" not in said, f"{command}\n{said}"
                assert (code == 0) is not ("failed" in output or "--strict" in command), (
                    f"line {block.line}: {command}\n{said}"
                )
                assert pattern(output).fullmatch(said.strip()), f"line {block.line}: {command}\n{said}"
                compared += 1
        else:
            pytest.fail(f"line {block.line}: a block that nobody runs")
    return compared


def write(folder: Path, block: Block) -> None:
    """`file: path` is a new file, `append: path` an addition, `replace: path: line` stands in for a line."""
    action, path, *line = block.note.split(": ", 2)
    file = folder / path
    old = file.read_text(encoding="utf-8") if action != "file" else ""
    match action:
        case "file":
            file.write_text(block.text, encoding="utf-8")
        case "append":
            file.write_text(f"{old}\n\n{block.text}", encoding="utf-8")
        case "replace":
            assert old.count(line[0]) == 1
            file.write_text(old.replace(f"{line[0]}\n", block.text), encoding="utf-8")
        case _:
            pytest.fail(f"line {block.line}: {block.note}")


def commands(text: str) -> list[tuple[str, str]]:
    """Commands after `$ ` with the output that follows each."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2].strip()) for part in parts]


def pattern(output: str) -> re.Pattern[str]:
    """The expected output, in which … stands for anything; nothing stands for anything."""
    return re.compile(".*".join(map(re.escape, output.split("…"))) if output else ".*", re.DOTALL)


@pytest.mark.slow
def test_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    """As a new author: the wheel, pip, and nothing else."""
    programs = fresh(sys.executable, tmp_path / "venv", wheel)
    clean = {k: v for k, v in os.environ.items() if k not in (*HIDDEN, "TOKENSHEET_CONFIG")}
    clean |= {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    here = tmp_path / "here"
    here.mkdir()
    assert follow(here, lambda command, cwd: run(command, cwd, clean)) > 15


def run(command: str, cwd: Path, variables: dict[str, str]) -> tuple[int, str]:
    """Exit code and all output of a line typed in a shell."""
    done = subprocess.run(
        command,
        shell=True,
        cwd=cwd,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def test_a_wrong_output_fails() -> None:
    """The comparison is no yes-man."""
    assert pattern("a …\nb").fullmatch("a 1\nb")
    assert not pattern("a …\nb").fullmatch("a 1\nc")
    assert commands("$ one\nx\ny\n$ two\n") == [("one", "x\ny"), ("two", "")]
