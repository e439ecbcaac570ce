"""Writes the package of a new plugin: it installs and passes its own test as it is."""

from __future__ import annotations

import importlib.util
import keyword
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from string import Template

from tokensheet.errors import ArgumentError
from tokensheet.version import __version__
from tokensheet.whole_files import new_files

TEMPLATE = Path(__file__).with_name("template")
FILES = {
    "pyproject.toml": "pyproject.toml.tmpl",
    "README.md": "README.md.tmpl",
    "src/$module/__init__.py": "module.py.tmpl",
    "src/$module/py.typed": "",
    "tests/conftest.py": "conftest.py.tmpl",
    "tests/test_$module.py": "test.py.tmpl",
}
"""Path in the new package → template; nothing is an empty file."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")


def name_problem(name: str) -> str | None:
    """Why a distribution cannot be called so, or None."""
    module = name.replace("-", "_")
    if not _NAME.match(name):
        return f"name {name!r} must be lower case letters, digits and single hyphens, such as acme-gpus"
    if len(name) > 50:
        return f"name {name!r} is longer than 50 characters"
    if keyword.iskeyword(module) or keyword.issoftkeyword(module):
        return f"name {name} is a word of Python; choose one such as {name}-gpus"
    if name == "tokensheet":
        return "name tokensheet is this program's own; choose one such as acme-gpus"
    try:
        version = distribution(name).version
    except PackageNotFoundError:
        pass
    else:
        return f"{name} {version} is installed already; choose a name of your own, so that neither breaks the other"
    if importlib.util.find_spec(module) is not None:
        return (
            f"a module {module} is there already; choose a name of your own, so that neither breaks the other"
        )
    return None


def write(name: str, folder: Path) -> list[Path]:
    """Writes the package into a new folder, all of its files or none; the files that were written.

    Args:
        name: of the distribution, such as `acme-gpus`; the module is called `acme_gpus`
        folder: to write in; made anew

    Raises:
        ArgumentError: the name cannot be used, or the folder has something in it.
    """
    problem = name_problem(name)
    if problem:
        raise ArgumentError(problem)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ArgumentError(f"{folder} is there already and not empty; choose another folder")
    major, minor = __version__.split(".")[:2]
    words = {
        "name": name,
        "module": name.replace("-", "_"),
        "title": name.replace("-", " ").title(),
        "id": name.partition("-")[0],
        "needs": f"{major}.{minor}",
    }
    files = {}
    for path, template in FILES.items():
        text = (TEMPLATE / template).read_text(encoding="utf-8") if template else ""
        files[folder / Template(path).substitute(words)] = Template(text).substitute(words).encode()
    try:
        new_files(files)
    except OSError as error:
        raise ArgumentError(f"{folder}: {error.strerror or error}; choose another folder") from error
    return list(files)
