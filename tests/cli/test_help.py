"""Help: every command under a heading in words that are not cut, and with an example that can be typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from tokensheet.cli.commands import tokensheet
from tokensheet.cli.help import SECTIONS


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that does something, with the words that call it."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield (*path, name), command


def groups(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Group]]:
    """A group and every group below it, with the words that call it."""
    yield path, group
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from groups(command, (*path, name))


GROUPS = dict(groups(tokensheet))
COMMANDS = dict(leaves(tokensheet))
commands = pytest.mark.parametrize("path", COMMANDS, ids="-".join)


def examples(command: click.Command) -> list[str]:
    return [line.strip() for line in (command.epilog or "").splitlines() if line.startswith("  tokensheet ")]


def test_every_command_stands_under_a_heading() -> None:
    placed = [name for names in SECTIONS.values() for name in names]
    assert sorted(placed) == sorted(tokensheet.commands)
    assert "\nCommands:" not in CliRunner().invoke(tokensheet, ["--help"]).output


@pytest.mark.parametrize("words", GROUPS, ids="-".join)
def test_no_line_of_a_list_of_commands_is_cut(words: tuple[str, ...]) -> None:
    _, *lines = CliRunner().invoke(tokensheet, [*words, "--help"], terminal_width=80).output.splitlines()
    assert [line for line in lines if line.endswith("...") or len(line) > 80] == []


@commands
def test_a_command_has_an_example_that_it_takes(
    path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line is read by the program, which then does nothing."""
    for command in COMMANDS.values():
        monkeypatch.setattr(command, "callback", lambda *_, **__: None)
    found = [shlex.split(re.sub(r" [<>] \S+$", "", line)) for line in examples(COMMANDS[path])]
    assert any(words[1 : len(path) + 1] == list(path) for words in found)
    for words in found:
        done = CliRunner().invoke(tokensheet, words[1:])
        assert done.exit_code == 0, done.output


@commands
def test_every_option_says_what_it_is(path: tuple[str, ...]) -> None:
    options = [p for p in COMMANDS[path].params if isinstance(p, click.Option)]
    assert [p.name for p in options if not p.help or not p.help.endswith((".", ")"))] == []


@pytest.mark.parametrize("words", GROUPS, ids="-".join)
def test_a_mistyped_command_is_told_the_nearest(words: tuple[str, ...]) -> None:
    """Each name with its first letters changed about, and a word that is near none."""
    for name in GROUPS[words].commands:
        typed = f"{name[1]}{name[0]}{name[2:]}"
        assert typed not in GROUPS[words].commands  # or it would run
        done = CliRunner().invoke(tokensheet, [*words, typed])
        assert done.exit_code == 2
        (line,) = (line for line in done.stderr.splitlines() if line.startswith("Error: "))
        assert re.match(rf"Error: no command '{typed}'; nearest (is|are) ", line)
        assert name in re.split(r"is |are |, ", line)
    done = CliRunner().invoke(tokensheet, [*words, "zzz"])
    assert f"no command 'zzz'; known are {', '.join(sorted(GROUPS[words].commands)[:8])}" in done.stderr


def test_what_begins_with_a_dash_is_no_command() -> None:
    assert "No such option" in CliRunner().invoke(tokensheet, ["server", "--zzz"]).stderr
