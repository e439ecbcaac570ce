"""The add-in put in place, looked at and taken out, on a machine made for it; what the person has there stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.desktop.conftest import PYTHON, XLWINGS, Planted
from tokensheet.cli.addin import addin as command
from tokensheet.cli.commands import CommandOptions
from tokensheet.desktop import conf, libreoffice
from tokensheet.desktop.excel import ADDIN, CONF, EXCEL
from tokensheet.desktop.install import InstallError, excel_install, excel_remove
from tokensheet.functions import Functions


def test_a_new_machine_is_healthy_after_installing(
    planted: Planted, functions: Functions, built: bytes
) -> None:
    planted.remove(ADDIN)
    planted.remove(CONF)
    written = excel_install(planted.machine, functions)
    assert [path.name for path in written] == ["tokensheet.xlam", "tokensheet.conf"]
    assert written[0].read_bytes() == built
    assert planted.findings() == {}


def test_the_python_without_a_window_is_taken(planted: Planted, functions: Functions) -> None:
    planted.put(r"C:\py\venv\Scripts\pythonw.exe")
    excel_install(planted.machine, functions)
    settings = conf.parsed(planted.machine.file(CONF).read_text())
    assert settings[conf.INTERPRETER] == r"C:\py\venv\Scripts\pythonw.exe"


@pytest.mark.parametrize(
    ("interpreter", "name"),
    [
        (r"C:\conda\python.exe", "base"),
        (r"C:\conda\envs\plan\python.exe", "plan"),
        (r"D:\envs\plan\python.exe", r"D:\envs\plan"),
    ],
)
def test_a_python_of_conda_is_started_through_its_environment(
    planted: Planted, functions: Functions, interpreter: str, name: str
) -> None:
    """Started by its path, it would not find its own libraries."""
    planted.interpreter = planted.here["interpreter"] = interpreter
    folder = interpreter.removesuffix(r"\python.exe")
    for path in (interpreter, rf"{folder}\conda-meta\history", r"C:\conda\condabin\conda.bat"):
        planted.put(path)
    planted.put(rf"{folder}\xlwings64-{XLWINGS}.dll")
    planted.answers[interpreter] = planted.answers[PYTHON]
    planted.environment["CONDA_EXE"] = r"C:\conda\Scripts\conda.exe"
    excel_install(planted.machine, functions)
    settings = conf.parsed(planted.machine.file(CONF).read_text())
    wanted = {conf.INTERPRETER: "pythonw", conf.CONDA_PATH: r"C:\conda", conf.CONDA_ENV: name}
    assert wanted.items() <= settings.items()
    assert planted.findings() == {}
    excel_remove(planted.machine)
    assert not planted.machine.file(CONF).exists()


def test_other_lines_of_the_settings_stay(planted: Planted, functions: Functions) -> None:
    planted.settings(INTERPRETER_WIN="old", SHAREPOINT_WIN=r"C:\s")
    excel_install(planted.machine, functions)
    settings = conf.parsed(planted.machine.file(CONF).read_text())
    assert settings[conf.INTERPRETER] == PYTHON and settings["SHAREPOINT_WIN"] == r"C:\s"
    excel_remove(planted.machine)
    assert conf.parsed(planted.machine.file(CONF).read_text()) == {"SHAREPOINT_WIN": r"C:\s"}


def test_an_administrators_files_are_never_touched(planted: Planted, functions: Functions) -> None:
    """They come first when both are there, and a person without rights could not write them anyway."""
    place = r"C:\Program Files\Tokensheet\addin"
    planted.registry(EXCEL + r"\Options", OPEN=rf'/R "{place}\tokensheet.xlam"')
    planted.put(rf"{place}\tokensheet.xlam", "theirs")
    settings = planted.put(rf"{place}\tokensheet.conf", '"INTERPRETER_WIN","theirs"\n')
    for change in (excel_remove, lambda machine: excel_install(machine, functions), excel_remove):
        change(planted.machine)
        assert settings.read_text() == '"INTERPRETER_WIN","theirs"\n'
    assert not planted.machine.file(CONF).exists()


def test_removed_leaves_nothing(planted: Planted, functions: Functions) -> None:
    excel_install(planted.machine, functions)
    excel_remove(planted.machine)
    assert not planted.machine.file(ADDIN).exists() and not planted.machine.file(CONF).exists()
    assert excel_remove(planted.machine) == []


def test_a_file_in_use_is_told_and_stays(
    planted: Planted, functions: Functions, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted.put(ADDIN, b"old")

    def refuse(*paths: object) -> None:
        raise PermissionError(13, "in use")

    monkeypatch.setattr("tokensheet.whole_files.os.replace", refuse)
    with pytest.raises(InstallError, match="in use; close Excel"):
        excel_install(planted.machine, functions)
    addin = planted.machine.file(ADDIN)
    assert addin.read_bytes() == b"old" and list(addin.parent.iterdir()) == [addin]


def test_a_path_that_vba_cannot_read_is_refused(
    planted: Planted, functions: Functions, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    machine = replace(planted.machine, interpreter="C:\\漢\\python.exe")
    with pytest.raises(InstallError, match="plain letters"):
        excel_install(machine, functions)


def run(*words: str) -> tuple[int, str, object]:
    done = CliRunner().invoke(command, list(words), obj=CommandOptions((), (), False))
    return done.exit_code, done.output, done.exception


@pytest.mark.parametrize("word", ["install", "remove"])
def test_elsewhere_excel_is_refused_in_one_line(
    planted: Planted, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    planted.system = "linux"
    monkeypatch.setattr("tokensheet.desktop.machine.this_machine", lambda: planted.machine)
    code, _, problem = run(word, "excel")
    assert code == 1 and "on Windows only; use 'tokensheet export'" in str(problem)


def test_the_commands_on_windows(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokensheet.desktop.machine.this_machine", lambda: planted.machine)
    planted.remove(ADDIN)
    assert "excel: not installed" in run("status")[1]
    code, output, _ = run("install", "excel")
    assert code == 0 and output.endswith("type =TS_VERSION()\n")
    assert f"excel: installed, {planted.machine.file(ADDIN)}, answered by {PYTHON}" in run("status")[1]
    assert run("remove", "excel")[1].endswith("removed\n")
    assert "libreoffice: 0." in run("status")[1]


def test_libreoffice_that_is_not_there_is_told(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokensheet.desktop.machine.this_machine", lambda: planted.machine)
    monkeypatch.setattr("shutil.which", lambda name: None)
    code, _, problem = run("install", "libreoffice")
    assert code == 1 and "unopkg of LibreOffice is not there" in str(problem)


@pytest.mark.parametrize(
    ("system", "place"),
    [("linux", ".config/libreoffice/4/user"), ("darwin", "Library/Application Support/LibreOffice/4/user")],
)
def test_where_libreoffice_keeps_its_profile(
    tmp_path: Path, planted: Planted, system: str, place: str
) -> None:
    planted.system, planted.environment = system, {"HOME": str(tmp_path / "ann")}
    planted.root = Path("/")
    assert libreoffice.profile(planted.machine) == tmp_path / "ann" / place


def test_what_the_installer_says_is_told(
    planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "unopkg"
    program.write_text(
        '#!/bin/sh\necho "$@" >> "$0.log"\n[ $1 = add ] || { echo \'no such\nextension\' >&2; exit 1; }\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda name: str(program))
    libreoffice.install(planted.machine, Path("/x/tokensheet.oxt"))
    assert Path(f"{program}.log").read_text() == "add --force /x/tokensheet.oxt\n"
    with pytest.raises(libreoffice.OfficeError, match="unopkg remove: no such extension; close LibreOffice"):
        libreoffice.remove(planted.machine)
