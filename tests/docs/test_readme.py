"""The README: what its blocks show is so, every link leads somewhere, its code works. Its other commands: test_commands.py."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.conftest import SKIP_OFFICE
from tests.tools.guide_picture import values_of
from tests.tools.pages import called, lines
from tests.tools.workbook_pictures import PICTURES, PICTURES_FOLDER, shown
from tokensheet.cli.commands import tokensheet

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def console() -> list[tuple[str, str]]:
    """Commands after `$ ` and the line below each."""
    found = []
    for block in re.findall(r"^```\n(.*?)^```$", TEXT, re.M | re.S):
        lines = block.splitlines()
        found += [(line[2:], lines[i + 1]) for i, line in enumerate(lines) if line.startswith("$ ")]
    return found


def code(word: str) -> str:
    """The Python block that holds a word."""
    return next(b for b in re.findall(r"^```python\n(.*?)^```$", TEXT, re.M | re.S) if word in b)


@pytest.mark.parametrize(("command", "printed"), console())
def test_each_command_prints_what_stands_below_it(
    command: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "acme.py").write_text(code("acme-one"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(command)
    result = CliRunner().invoke(tokensheet, arguments)
    assert program == "tokensheet"
    assert result.stdout.splitlines() == [printed]


def test_all_commands_are_found() -> None:
    assert len(console()) == TEXT.count("\n$ ") >= 6


def test_the_python_example_says_what_it_is_for() -> None:
    """An array for an array, and a reason where there is no number."""
    space: dict[str, Any] = {}
    first, *lines = ast.parse(code("ts.evaluate")).body
    exec(ast.unparse(first), space)
    times, reason = (eval(ast.unparse(line), space) for line in lines)
    assert len(times) == 3 and 0 < times[0] < times[1] < times[2]
    assert "llama-2-70b does not fit on 1 × rtx-4090" in reason


TERMINAL: dict[str, str] = {
    "make demo": "demo",
    "make test": "test",
    "py -3 -m venv .venv": "",
    ".venv\\Scripts\\pip install -e .[dev]": "[project.optional-dependencies]",
    "set TOKENSHEET_SKIP_OFFICE=1": SKIP_OFFICE,
    '.venv\\Scripts\\python -m pytest -m "not slow"': "slow:",
}
"""Lines of the README's blocks that call another program → what they name of the project.

They set up what this test runs in, and `py` is of Windows alone: nobody runs them here.
"""
SETUP = [ROOT / name for name in ("Makefile", "pyproject.toml", "tests/conftest.py")]


def test_every_line_for_a_terminal_is_a_call_or_is_known() -> None:
    others = [line.split(" #")[0] for line in lines(ROOT / "README.md") if not called(line)]
    assert others == list(TERMINAL)
    named = "\n".join(file.read_text(encoding="utf-8") for file in SETUP)
    assert [name for name in TERMINAL.values() if name not in named] == []
    extras = tomllib.loads(SETUP[1].read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(re.findall(r"\[(\w+)\]", " ".join(TERMINAL))) <= extras.keys()


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", TEXT))
def test_each_link_leads_to_a_file(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.parametrize("target", re.findall(r"(?:^|`|=1 )make ([a-z-]+)", TEXT, re.M))
def test_each_make_target_is_in_the_makefile(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)


def test_the_pictures_are_shown_and_there() -> None:
    named = set(re.findall(r"\(docs/pictures/(\w+)\.png\)", TEXT))
    assert named == set(PICTURES) == {path.stem for path in PICTURES_FOLDER.glob("*.png")}


@pytest.mark.slow
@pytest.mark.parametrize("picture", PICTURES)
def test_the_pictures_show_the_workbooks_of_today(picture: str) -> None:
    """To the digits that a reader takes in; `make pictures` makes them anew."""
    then = values_of((PICTURES_FOLDER / f"{picture}.png").read_bytes())
    now = shown(PICTURES[picture])
    assert then.keys() == now.keys()
    for place, value in now.items():
        assert then[place] == (pytest.approx(value, rel=1e-2) if isinstance(value, float) else value), place
