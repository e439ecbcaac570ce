"""The add-in file, read back by another program than the one that wrote it."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyopenvba.interpreter._values import VBAErrorValue

from tests.tools.fakewin import Windows
from tests.udf.interpreted import Sheet
from tokensheet.cli.addin import addin as command
from tokensheet.cli.commands import CommandOptions
from tokensheet.functions import Functions
from tokensheet.udf import addin, vba

HIDDEN = re.compile(r"^Attribute \w+\..*\r\n", re.MULTILINE)
"""Descriptions of functions, which the interpreter does not read."""

OWN = {addin.CONNECTION, addin.DICTIONARY, *addin.OWN}


@pytest.fixture(scope="module")
def folder(functions: Functions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("addin") / "new"
    addin.build(functions, folder)
    return folder


def read_back(path: Path) -> dict[str, str]:
    """Modules of a file as oletools sees them."""
    from oletools.olevba import VBA_Parser

    parser = VBA_Parser(str(path))
    try:
        return {Path(name).stem: code for _, _, name, code in parser.extract_macros()}
    finally:
        parser.close()


def lines(text: str) -> list[str]:
    """Lines of code, without the header that a module has in a file and not in a project."""
    found = [line.rstrip() for line in text.splitlines()]
    while found and (
        not found[0] or found[0].startswith(("Attribute VB_", "VERSION", "BEGIN", "  Multi", "END"))
    ):
        del found[0]
    while found and not found[-1]:
        del found[-1]
    return found


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.slow
def test_every_module_is_in_the_file_as_written(folder: Path, functions: Functions) -> None:
    found = read_back(folder / "tokensheet.xlam")
    assert found.keys() == OWN | {"ThisWorkbook", "Sheet1"}
    for name, text in addin.modules(functions).items():
        assert lines(found[name]) == lines(text), name
    assert not lines(found["ThisWorkbook"]) and not lines(found["Sheet1"])


def test_the_project_is_sound(folder: Path) -> None:
    import olefile

    with zipfile.ZipFile(folder / "tokensheet.xlam") as package:
        assert not [name for name in package.namelist() if "external" in name.lower()]
        assert b"addin.macroEnabled" in package.read("[Content_Types].xml")
        project = package.read("xl/vbaProject.bin")
    with olefile.OleFileIO(io.BytesIO(project)) as streams:
        assert streams.parsing_issues == []
        assert streams.exists("VBA/dir") and streams.exists("PROJECT")


def test_the_same_functions_give_the_same_bytes(folder: Path, functions: Functions, tmp_path: Path) -> None:
    first = addin.build(functions, tmp_path)
    assert [path.name for path in first] == [
        "tokensheet.xlam",
        "tokensheet_errors.bas",
        "tokensheet_udfs.bas",
        "tokensheet_buttons.bas",
    ]
    for path in first:
        assert path.read_bytes() == (folder / path.name).read_bytes()
    addin.build(functions, tmp_path)
    for path in first:
        assert path.read_bytes() == (folder / path.name).read_bytes()


def test_the_modules_work_as_they_lie_in_the_file(folder: Path, excel: Windows) -> None:
    from pyopenvba import ExcelFile

    with ExcelFile(folder / "tokensheet.xlam") as book:
        assert book.get_module(vba.HELPERS).replace("\r\n", "\n") == vba.helpers()
        wrappers = book.get_module(vba.WRAPPERS)
    sheet = Sheet(HIDDEN.sub("", wrappers), excel)
    sheet.put("A1", 'KV_BYTES("llama-2-70b", 4096, 8)')
    sheet.put("A2", 'KV_BYTES("llama-9", 4096, 8)')
    assert sheet.value("A1") == 10737418240
    assert sheet.formula("A3", "=SUM(A1:A2)") == VBAErrorValue(2015)


def test_the_file_says_which_xlwings_it_fits(functions: Functions, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import version

    connection = addin.modules(functions)[addin.CONNECTION]
    assert f"xlwings64-{version('xlwings')}.dll" in connection
    assert 'PROJECT_NAME As String = "tokensheet"' in connection and "myaddin" not in connection
    monkeypatch.setattr(addin, "version", lambda name: "0.1")
    with pytest.raises(addin.AddinError, match=r"xlwings 0\.1 is of another form"):
        addin.modules(functions)


def test_descriptions_are_inside(functions: Functions) -> None:
    text = addin.modules(functions)[vba.WRAPPERS]
    assert text.count("VB_Description") == len(functions.table)
    assert f'Attribute KV_BYTES.VB_Description = "{functions.table["KV_BYTES"].text}"' in text


def test_a_description_of_any_characters_can_be_stored() -> None:
    text = addin.described("Function F(a)\nEnd Function\n", {"F": 'a "b" → 漢 ' + "é" * 300})
    described = text.splitlines()[1]
    assert described.startswith('Attribute F.VB_Description = "a ""b"" ? ? é') and described.endswith('…"')
    text.encode("cp1252")


@pytest.mark.parametrize("package", ["pyopenvba", "xlwings"])
def test_a_missing_package_is_one_line(
    functions: Functions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for name in [n for n in sys.modules if n.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(addin.AddinError, match=r'pip install "tokensheet\[excel\]"'):
        addin.build(functions, tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_command_names_the_files(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["build", str(tmp_path / "out")], obj=CommandOptions((), (), False))
    assert done.exit_code == 0, done.output
    assert [Path(line).name for line in done.output.splitlines()] == [
        "tokensheet.oxt",
        "tokensheet.xlam",
        "tokensheet_errors.bas",
        "tokensheet_udfs.bas",
        "tokensheet_buttons.bas",
    ]
