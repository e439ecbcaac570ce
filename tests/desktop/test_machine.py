"""Doors to the machine: paths and variables of Windows on any system, and interpreters asked for real."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.desktop.conftest import Planted
from tokensheet.desktop import conf, machine
from tokensheet.desktop.inside import seen
from tokensheet.desktop.machine import Machine, NoRegistry, ask


def test_variables_of_windows_have_no_case(planted: Planted) -> None:
    machine = planted.machine
    assert machine.expanded(r"%userprofile%\x;%NOTSET%") == r"C:\Users\ann\x;%NOTSET%"
    assert Machine("linux", {"a": "1"}).variable("A") == ""


def test_a_path_lies_below_the_folder_that_stands_for_the_drive(tmp_path: Path) -> None:
    machine = Machine("win32", {"X": r"C:\a\b"}, root=tmp_path)
    assert machine.file(r"%X%\c.txt:Zone.Identifier") == tmp_path / "a" / "b" / "c.txt:Zone.Identifier"
    assert Machine("linux", {}).file("/a/b") == Path("/a/b")


def test_this_interpreter_answers_what_it_sees_itself() -> None:
    """Asked from outside it says the same."""
    assert ask(sys.executable) == seen()


@pytest.mark.parametrize(
    ("interpreter", "reason"),
    [
        ("/gone/python", "No such file"),
        ("/bin/false", "it ended with code 1"),
        ("/bin/true", "Expecting value"),
    ],
)
def test_an_interpreter_that_does_not_answer(interpreter: str, reason: str) -> None:
    assert reason in str(ask(interpreter)["failed"])


def test_processes_of_windows_are_read_from_its_own_list(monkeypatch: pytest.MonkeyPatch) -> None:
    said = " 12 C:\\py\\python.exe -B -c xlwings.serve('x')\n\nnonsense\n7 \n"
    asked = []

    def run(command: list[str], **_: object) -> SimpleNamespace:
        asked.append(command)
        return SimpleNamespace(stdout=said)

    assert machine.running() == {}
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(machine.subprocess, "run", run)
    assert machine.running() == {12: "C:\\py\\python.exe -B -c xlwings.serve('x')", 7: ""}
    assert asked[0][0] == "powershell" and "Win32_Process" in asked[0][-1]

    def missing(*_: object, **__: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(machine.subprocess, "run", missing)
    assert machine.running() == {}


def test_settings_are_read_back_as_written() -> None:
    values = {"INTERPRETER_WIN": r"C:\Program Files\py, 3\python.exe", "UDF MODULES": "a;b"}
    assert conf.parsed(conf.written(values)) == values
    assert conf.parsed('"a" , "b"\n\n"lonely"\n"A","c"\n') == {"A": "b"}


def test_a_system_without_a_registry_has_no_values() -> None:
    assert NoRegistry().values("HKCU", "Software") == {}
