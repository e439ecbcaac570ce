"""Where a plugin must be installed: the command that reaches the interpreter that is running."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tokensheet.installation import Installation, shared_files


def receipt(names: str) -> str:
    return f"[tool]\nrequirements = [{names}]\n"


PLACES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "pip": (lambda p: None, "pip", "/opt/py -m pip install acme-gpus"),
    "pip in a venv": (
        lambda p: (p / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12.1\n"),
        "pip",
        "/opt/py -m pip install acme-gpus",
    ),
    "uv venv": (
        lambda p: (p / "pyvenv.cfg").write_text("home = /usr/bin\nuv = 0.9.1\n"),
        "uv",
        "uv pip install --python /opt/py acme-gpus",
    ),
    "uv tool": (
        lambda p: (p / "uv-receipt.toml").write_text(receipt('{ name = "tokensheet" }')),
        "uv tool",
        "uv tool install tokensheet --with acme-gpus",
    ),
    "uv tool with another plugin": (
        lambda p: (p / "uv-receipt.toml").write_text(
            receipt('{ name = "tokensheet" }, { name = "beta-gpus" }')
        ),
        "uv tool",
        "uv tool install tokensheet --with beta-gpus --with acme-gpus",
    ),
    "uv tool, receipt not readable": (
        lambda p: (p / "uv-receipt.toml").write_text("[["),
        "uv tool",
        "uv tool install tokensheet --with acme-gpus",
    ),
    "pipx": (
        lambda p: (p / "pipx_metadata.json").write_text("{}"),
        "pipx",
        "pipx inject tokensheet acme-gpus",
    ),
    "conda": (lambda p: (p / "conda-meta").mkdir(), "conda", "/opt/py -m pip install acme-gpus"),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_command_for_each_kind_of_environment(place: str, tmp_path: Path) -> None:
    """A plugin that is installed elsewhere is not found; what made the environment decides."""
    make, tool, command = PLACES[place]
    make(tmp_path)
    found = Installation("/opt/py", tmp_path)
    assert (found.tool, found.command("acme-gpus")) == (tool, command)


FOLDERS = {
    "pip": "/opt/py -m pip install -e ./acme-gpus",
    "uv venv": "uv pip install --python /opt/py -e ./acme-gpus",
    "uv tool": "uv tool install tokensheet --with-editable ./acme-gpus",
    "pipx": "pipx inject --editable tokensheet ./acme-gpus",
}


@pytest.mark.parametrize("place", FOLDERS)
def test_the_command_for_a_folder(place: str, tmp_path: Path) -> None:
    """So that changes count at once."""
    PLACES[place][0](tmp_path)
    assert Installation("/opt/py", tmp_path).command_for_folder(Path("acme-gpus")) == FOLDERS[place]


def test_paths_with_blanks_are_quoted(tmp_path: Path) -> None:
    found = Installation("/opt/my py", tmp_path)
    assert found.command("x") == "'/opt/my py' -m pip install x"
    assert found.command_for_folder(Path("/my folder")) == "'/opt/my py' -m pip install -e '/my folder'"


OF_WINDOWS = {
    "plain": (r"C:\py-3.12\python.exe", r"C:\py-3.12\python.exe"),
    "blank": (r"C:\my py\python.exe", r'C:\"my py"\python.exe'),
    "blanks": (r"C:\Program Files (x86)\a b\python.exe", r'C:\"Program Files (x86)"\"a b"\python.exe'),
    "quote": (r"C:\Users\O'Brien\python.exe", r"""C:\Users\"O'Brien"\python.exe"""),
    "ampersand": (r"C:\R&D\python.exe", r'C:\"R&D"\python.exe'),
    "share": (r"\\host\my share\python.exe", r'\\host\"my share"\python.exe'),
}


@pytest.mark.parametrize("case", OF_WINDOWS)
def test_paths_of_windows_are_quoted_as_its_terminals_take_them(case: str, tmp_path: Path) -> None:
    """No command begins with a quote: PowerShell would print it as a text."""
    interpreter, command = OF_WINDOWS[case]
    found = Installation(interpreter, tmp_path)
    assert found.command("tokensheet[excel]") == f"{command} -m pip install tokensheet[excel]"
    folder = found.command_for_folder(Path("my folder/acme-gpus"))
    assert folder == f'{command} -m pip install -e ./"my folder"/acme-gpus'


def test_the_running_interpreter() -> None:
    """What `tokensheet plugins` shows without being told."""
    import sys

    assert Installation().interpreter == sys.executable
    assert sys.executable in Installation().command("x") or Installation().tool in {"uv tool", "pipx"}


def test_installed_distributions_share_no_file() -> None:
    """Those of this environment; one that is not there is passed over."""
    assert shared_files(["pluggy", "pydantic", "not-there", "pluggy"]) == []
