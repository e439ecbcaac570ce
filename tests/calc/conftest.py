"""LibreOffice with the extension in it, for the tests of this folder."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import tokensheet
from tests.tools.office import Office
from tokensheet.calc import extension
from tokensheet.functions import Functions


@pytest.fixture(scope="session")
def functions() -> Functions:
    return Functions(tokensheet.planner())


@pytest.fixture(scope="session")
def extensions(functions: Functions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the extension unpacked, as LibreOffice keeps those that belong to it."""
    folder = tmp_path_factory.mktemp("calc")
    with zipfile.ZipFile(extension.build(functions, folder / "built")) as package:
        package.extractall(folder / "extensions" / "tokensheet")
    return folder / "extensions"


@pytest.fixture(scope="session")
def calc(office: Office, extensions: Path) -> Iterator[Office]:
    """An office of its own: the one of the other tests has no extension."""
    running = Office(extensions=extensions)
    yield running
    running.close()
