"""The files for many machines: placed on a planted one, nothing stands in the way there."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.desktop.conftest import PYTHON, XLWINGS, Planted
from tests.tools.pages import blocks
from tokensheet import settings
from tokensheet.cli.addin import addin as command
from tokensheet.cli.commands import CommandOptions
from tokensheet.desktop import fleet
from tokensheet.desktop.excel import ADDIN, CONF, EXCEL
from tokensheet.errors import ArgumentError
from tokensheet.functions import Functions

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "administrators.md"
PLACE = r"D:\Apps\Tokensheet-0.1"


@pytest.fixture(scope="module")
def files(functions: Functions) -> dict[str, bytes]:
    return fleet.fleet_files(functions, PLACE)


def registry(text: str) -> dict[str, dict[str, object]]:
    """Keys and values of a file for regedit."""
    found: dict[str, dict[str, object]] = {}
    for line in text.splitlines()[1:]:
        if line.startswith("["):
            key = found.setdefault(line.strip("[]").removeprefix("HKEY_CURRENT_USER\\"), {})
        elif line:
            name, _, value = line.partition("=")
            key[name.strip('"')] = json.loads(value) if value[0] == '"' else int(value[6:], 16)
    return found


def test_a_machine_with_these_files_is_healthy(planted: Planted, files: dict[str, bytes]) -> None:
    """The person has neither an add-in nor settings, and trusts nothing but signed macros."""
    planted.remove(ADDIN)
    planted.remove(CONF)
    for name in (fleet.ADDIN, fleet.CONF):
        planted.put(rf"{PLACE}\{name}", files[name])
    python = rf"{PLACE}\Scripts\pythonw.exe"
    for path in (python, rf"{PLACE}\xlwings64-{XLWINGS}.dll"):
        planted.put(path)
    planted.answers[python] = planted.answers[PYTHON]
    planted.registry(EXCEL + r"\Options", OPEN=rf'/R "{PLACE}\addin\tokensheet.xlam"')
    for key, values in registry(files[fleet.LOCATION].decode("utf-16")).items():
        planted.registry(key, **values)
    report = planted.report()
    assert report.findings == []
    assert (report.facts["Excel starts"], report.facts["settings"]) == (
        python,
        rf"{PLACE}\addin\tokensheet.conf",
    )


def test_the_trusted_location_is_the_add_ins_folder(files: dict[str, bytes]) -> None:
    ((key, values),) = registry(files[fleet.LOCATION].decode("utf-16")).items()
    assert key.endswith(r"\Policies\Microsoft\Office\16.0\Excel\Security\Trusted Locations\Location90")
    assert values == {"Path": rf"{PLACE}\addin" + "\\", "AllowSubfolders": 0}


def test_the_settings_can_be_read(files: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "tokensheet.toml").write_bytes(files[fleet.SETTINGS])
    assert settings.read(tmp_path / "tokensheet.toml") == settings.Settings(allow=())


def test_calc_is_answered_by_the_same_python(files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(files["tokensheet.oxt"])) as package:
        stated = json.loads(package.read("environment.json"))
    assert stated["interpreter"] == rf"{PLACE}\Scripts\python.exe"


def test_the_same_bytes_each_time(functions: Functions, files: dict[str, bytes]) -> None:
    assert fleet.fleet_files(functions, PLACE + "\\") == files
    assert all(
        b"\n" not in content.replace(b"\r\n", b"") for n, content in files.items() if n.endswith(".cmd")
    )


@pytest.mark.parametrize(
    "place", ["", "/opt/tokensheet", "Tokensheet", r"C:\a%b", 'C:\\a"&calc&"', r"C:\a&b"]
)
def test_a_place_that_is_none_is_refused(functions: Functions, place: str) -> None:
    with pytest.raises(ArgumentError, match="is no folder such as"):
        fleet.fleet_files(functions, place)


def test_the_command_writes_them(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["fleet", str(tmp_path / "out")], obj=CommandOptions((), (), False))
    assert done.exit_code == 0, done.output
    written = {Path(line).relative_to(tmp_path / "out").as_posix() for line in done.output.splitlines()}
    assert written == {
        "addin/tokensheet.conf",
        "addin/tokensheet.xlam",
        "bundle.cmd",
        "install.cmd",
        "tokensheet.oxt",
        "tokensheet.toml",
        "trusted-location.reg",
    }
    assert (
        (tmp_path / "out" / "install.cmd")
        .read_text()
        .startswith('py -3.12 -m venv "C:\\Program Files\\Tokensheet"')
    )


def test_the_page_shows_what_is_written() -> None:
    """Line ends and the wrapping of long lines apart."""
    shown = {re.sub(r"\^\n\s+", "", block.text) for block in blocks(PAGE)}
    text = fleet.trusted_location(fleet.FLEET_PLACE).partition("\n\n")[2]
    for wanted in (
        fleet.bundle(),
        fleet.install(fleet.FLEET_PLACE),
        fleet.addin_conf(fleet.FLEET_PLACE),
        text,
    ):
        assert wanted in shown, wanted
