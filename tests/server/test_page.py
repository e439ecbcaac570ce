"""The guide's page about the server says what is there."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

import tokensheet
from tokensheet.cli.server import server as command
from tokensheet.server.limits import MOST_SECONDS_TO_READ, SHORTEST_TOKEN, Limits
from tokensheet.server.manifest import files

TEXT = (Path(__file__).parents[2] / "docs" / "guide" / "excel-mac-web.md").read_text(encoding="utf-8")


def test_its_commands_and_options_are_there() -> None:
    lines = re.findall(r"tokensheet server ([a-z]+)([^`\n]*)", TEXT)
    assert {name for name, _ in lines} == {"run", "token", "manifest"}
    for name, rest in lines:
        known = {option for p in command.commands[name].params for option in p.opts}
        assert set(re.findall(r"--[a-z-]+", rest)) <= known, name


def test_every_option_of_a_running_server_is_told_or_explains_itself() -> None:
    named = set(re.findall(r"--[a-z-]+", TEXT))
    options = {o for p in command.commands["run"].params if isinstance(p, click.Option) for o in p.opts}
    assert options - named == {"--port", "--processes"}


@pytest.mark.parametrize(
    "stated",
    [
        f"{Limits().bytes // 1_000_000} MB and {Limits().calls} calls",
        f"{Limits().cells:,} cells an answer",
        f"{Limits().seconds:g} s a request",
        f"{MOST_SECONDS_TO_READ:g} s for a request to arrive",
        f"{Limits().requests} requests at once",
        f"of {SHORTEST_TOKEN} characters",
        "PolyForm Noncommercial 1.0.0",
    ],
)
def test_its_numbers_are_those_of_the_program(stated: str) -> None:
    assert stated in TEXT.replace("\n", " ")


def test_its_files_and_packages_are_the_ones() -> None:
    written = files("https://planning.example")
    for name in re.findall(r"`([\w.]+\.(?:xml|json|zip))`", TEXT):
        assert name in written or name == "functions.json"
    assert "office-addin-manifest" in TEXT
    module = re.search(r"from (tokensheet\.[\w.]+) import \*", TEXT)
    assert module and (Path(tokensheet.__file__).parents[1] / f"{module[1].replace('.', '/')}.py").is_file()
