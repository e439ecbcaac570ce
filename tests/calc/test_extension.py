"""The extension as a file: what is in it, and what LibreOffice's own package manager makes of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tools.office import Office
from tokensheet.calc import extension
from tokensheet.functions import Functions
from tokensheet.workbook.finish import CellError

OOR = "{http://openoffice.org/2001/registry}"


@pytest.fixture
def built(functions: Functions, tmp_path: Path) -> Path:
    return extension.build(functions, tmp_path / "new")


def test_every_file_is_declared(built: Path) -> None:
    with zipfile.ZipFile(built) as package:
        inside = set(package.namelist())
        manifest = ElementTree.fromstring(package.read(extension.MANIFEST))
    paths = {path for entry in manifest for name, path in entry.items() if name.endswith("full-path")}
    assert inside == paths | {
        extension.MANIFEST,
        extension.DESCRIPTION,
        extension.ENVIRONMENT,
        extension.PROCESS,
    }


def test_names_and_descriptions_are_those_of_the_registry(built: Path, functions: Functions) -> None:
    with zipfile.ZipFile(built) as package:
        tree = ElementTree.fromstring(package.read(extension.NAMES))
    shown = {node.get(f"{OOR}name"): node for node in tree.iterfind("node/node/node/node")}
    assert shown.keys() == functions.table.keys()
    for name, node in shown.items():
        texts = {prop.get(f"{OOR}name"): prop.findtext("value") for prop in node.iterfind("prop")}
        function = functions.table[str(name)]
        assert texts["DisplayName"] == texts["CompatibilityName"] == name
        assert texts["Description"] == " ".join(function.text.split())
        arguments = [a.findtext("prop/value") for a in node.iterfind("node/node")]
        assert arguments == [a.name for a in function.arguments]


def test_the_python_that_answers_is_the_one_that_built_it(built: Path) -> None:
    with zipfile.ZipFile(built) as package:
        stated = json.loads(package.read(extension.ENVIRONMENT))
    assert stated["interpreter"] == sys.executable


def test_the_same_functions_give_the_same_bytes(built: Path, functions: Functions, tmp_path: Path) -> None:
    assert extension.build(functions, tmp_path).read_bytes() == built.read_bytes()


def test_a_text_of_any_characters_can_be_shown(functions: Functions) -> None:
    """A plugin's description is data, not markup."""
    text = "a <b> & \"c\" ]]> 漢 'd'\n e"
    changed = Functions(functions.planner)
    changed.table["KV_BYTES"] = replace(changed.table["KV_BYTES"], text=text)
    tree = ElementTree.fromstring(extension.names(changed))
    assert " ".join(text.split()) in {value.text for value in tree.iter("value")}


def test_a_name_that_libreoffice_does_not_take_is_refused(functions: Functions) -> None:
    changed = Functions(functions.planner)
    changed.table["A__B"] = replace(changed.table["KV_BYTES"], name="A__B")
    with pytest.raises(extension.ExtensionError, match="function A__B: LibreOffice takes single _"):
        extension.contents(changed, "python")


@pytest.mark.parametrize(
    ("name", "more"),
    [
        (extension.COMPONENT, {"unohelper", "com.sun.star.lang", "org.tokensheet", "tokensheet_process"}),
        (extension.MENU, {"uno", "unohelper", "com.sun.star.task", "tokensheet_process"}),
        (extension.PROCESS, set()),
    ],
)
def test_what_runs_in_libreoffice_needs_no_package(name: str, more: set[str]) -> None:
    """LibreOffice's Python has the standard library, UNO and nothing else; on Windows it is often older."""
    import ast

    text = (
        Path(extension.__file__).parent.joinpath("inside", extension.INSIDE[name]).read_text(encoding="utf-8")
    )
    tree = ast.parse(text, feature_version=(3, 8))
    imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    imported |= {str(n.module) for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported - sys.stdlib_module_names == more


def test_the_menu_has_what_the_component_does(built: Path) -> None:
    """An entry that is spelt otherwise there is found only when somebody chooses it."""
    import ast

    with zipfile.ZipFile(built) as package:
        tree = ElementTree.fromstring(package.read(extension.ENTRIES))
        code = ast.parse(package.read(extension.MENU))
    values = {p.get(f"{OOR}name"): p.findtext("value") for p in tree.iterfind("node/node/node/prop")}
    assert values == {"Title": "Tokensheet", "Context": extension.CALC}
    urls = [p.findtext("value") for p in tree.iter("prop") if p.get(f"{OOR}name") == "URL"]
    assert urls == [f"service:org.tokensheet.Menu?{word}" for word in extension.MENU_ENTRIES]
    (menu,) = (n for n in code.body if isinstance(n, ast.ClassDef))
    assert set(extension.MENU_ENTRIES) <= {n.name for n in menu.body if isinstance(n, ast.FunctionDef)}
    assert 'NAME = "org.tokensheet.Menu"' in ast.unparse(code).replace("'", '"')


@pytest.mark.slow
def test_a_python_that_is_gone_is_told(office: Office, extensions: Path) -> None:
    """Cells are errors, and `WHY` says which Python and what to do."""
    running = Office(extensions=extensions, environment={"TOKENSHEET_PYTHON": "/gone/python"})
    try:
        found = running.typed(
            {
                "A1": '=KV_BYTES("llama-2-70b",4096)',
                "A2": '=WHY("kv_bytes","llama-2-70b",4096)',
                "A3": "=SUM(A1,1)",
            }
        )
    finally:
        running.close()
    assert found["A1"] == found["A3"] == CellError("Err:502")
    assert found["A2"] == (
        "/gone/python: No such file or directory; run 'tokensheet addin install libreoffice' again, "
        "or name another Python in TOKENSHEET_PYTHON"
    )


@pytest.mark.slow
def test_a_python_without_the_package_is_told(office: Office, extensions: Path) -> None:
    """The last line that it says is the reason."""
    bare = "/usr/bin/python3"
    running = Office(extensions=extensions, environment={"TOKENSHEET_PYTHON": bare})
    try:
        found = running.typed({"A1": '=WHY("kv_bytes","llama-2-70b",4096)'})
    finally:
        running.close()
    assert str(found["A1"]).startswith(f"{bare} ended: ") and "'tokensheet doctor'" in str(found["A1"])
    assert "No module named" in str(found["A1"]) or "ModuleNotFoundError" in str(found["A1"])


@pytest.fixture
def folder_of_nobody() -> Iterator[Path]:
    """A folder that a person without rights owns."""
    folder = Path(tempfile.mkdtemp(prefix="tokensheet-nobody-"))
    folder.chmod(0o755)
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.slow
def test_the_package_manager_takes_it(office: Office, built: Path, folder_of_nobody: Path) -> None:
    """Installed, listed as registered, removed; as a person without rights."""
    package = Path(shutil.copy(built, folder_of_nobody))
    package.chmod(0o644)
    other: dict[str, Any] = (
        {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
    )
    profile = f"-env:UserInstallation={(folder_of_nobody / 'profile').as_uri()}"

    def unopkg(*words: str) -> str:
        done = subprocess.run(
            ["unopkg", *words, profile],
            capture_output=True,
            text=True,
            **other,
            env=os.environ | {"HOME": str(folder_of_nobody)},
            cwd=folder_of_nobody,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    unopkg("add", "--force", str(package))
    listed = unopkg("list", extension.IDENTIFIER)
    assert f"Identifier: {extension.IDENTIFIER}" in listed and "is registered: yes" in listed
    assert "is registered: no" not in listed
    unopkg("remove", extension.IDENTIFIER)
    assert extension.IDENTIFIER not in unopkg("list")
