"""Where code may lie, what may import what, and what must not be loaded for a single cell."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "addin" / "tokensheet"

# Each line may import from itself and from the lines above it.
LAYERS = (
    (
        "version",
        "errors",
        "untrusted",
        "whole_files",
        "units",
        "constants",
        "excel_words",
        "texts",
        "vocabulary",
        "tree",
    ),
    ("source", "reading", "printing", "checking"),
    ("swift", "formula", "schema", "goals", "declare", "ranges"),
    ("former", "preferred", "settings", "installation"),
    (
        "catalog",
        "brought",
        "search_kits",
        "wellformed",
        "definition",
        "settling",
        "registry",
        "hookspecs",
        "plugin",
        "plugins",
        "tables",
    ),
    (
        "graph",
        "expanding",
        "irregular",
        "compiling",
        "failure",
        "tree_walk",
        "interpret",
        "arguments",
        "chosen",
        "binding",
        "masked",
        "broadcast",
        "arrays",
        "one_by_one",
        "reshaping",
        "needs",
        "explaining",
        "planning",
        "named_records",
    ),
    (
        "reference",
        "search",
        "validation",
        "toml_lines",
        "proposal",
        "proposal_names",
        "proposal_text",
        "formula_text",
        "sheet_plan",
        "recipe",
        "recipe_files",
        "languages",
        "celltext",
        "config_import",
        "facts",
        "cell_function",
        "own_functions",
        "functions",
        "cell_arithmetic",
        "sheet_words",
        "demand",
        "trace",
    ),
    ("workbook", "udf", "calc", "server", "buttons"),
    ("desktop",),
    ("cli", "testing", "new_plugin", "__main__", "__init__"),
)
LEVEL = {module: level for level, layer in enumerate(LAYERS) for module in layer}

# Heavy packages and the parts of the engine that may import them.
KEPT_TO = {
    "openpyxl": ("workbook",),
    "xlwings": ("udf", "server"),
    "starlette": ("server",),
    "uvicorn": ("server",),
}


LONGEST_MODULE = 300
RECORDS, TABLE = "records, one after the other", "a table"
LONG = {
    "addin/tokensheet/excel_words.py": "a table: every word of spreadsheets that a name must not be",
    "addin/tokensheet/schema/model.py": "one record: its fields, and what formulas see of them",
    "plugins/tokensheet_inference/declarations.py": TABLE,
    "plugins/tokensheet_inference/fitted.py": TABLE,
    "plugins/tokensheet_hardware/amd.py": RECORDS,
    "plugins/tokensheet_hardware/apple.py": RECORDS,
    "plugins/tokensheet_hardware/links.py": RECORDS,
    "plugins/tokensheet_hardware/nvidia.py": RECORDS,
    "plugins/tokensheet_hardware/nvidia_rtx.py": RECORDS,
    "plugins/tokensheet_hardware/prices_buy.py": RECORDS,
    "plugins/tokensheet_hardware/prices_rent.py": RECORDS,
    "plugins/tokensheet_models/chinese_platforms.py": RECORDS,
    "plugins/tokensheet_models/deepseek.py": RECORDS,
    "plugins/tokensheet_models/google.py": RECORDS,
    "plugins/tokensheet_models/llama.py": RECORDS,
    "plugins/tokensheet_models/nvidia.py": RECORDS,
    "plugins/tokensheet_models/open_science.py": RECORDS,
    "plugins/tokensheet_models/qwen.py": RECORDS,
    "plugins/tokensheet_models/qwen3.py": RECORDS,
}
"""Modules that may be longer than others, and why."""


def sources() -> list[Path]:
    return sorted(ENGINE.rglob("*.py"))


def imports(path: Path, text: str | None = None) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything a module imports, at any depth of its code."""
    package = path.relative_to(ENGINE.parent).parts[:-1]
    source = path.read_text(encoding="utf-8") if text is None else text
    for node in ast.walk(ast.parse(source, str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package[: len(package) - node.level + 1] if node.level else ()
            base = [*parents, *filter(None, [node.module])]
            yield from ((node.lineno, ".".join([*base, alias.name])) for alias in node.names)


def part_of(path: Path) -> str:
    """The module or folder directly inside the engine that a file belongs to."""
    return path.relative_to(ENGINE).with_suffix("").parts[0]


def imported_part(name: str) -> str | None:
    """The part of the engine that an imported name comes from; None for other packages."""
    top, _, rest = name.partition(".")
    if top != "tokensheet":
        return None
    part = rest.partition(".")[0]
    return part if part and ((ENGINE / part).is_dir() or (ENGINE / f"{part}.py").is_file()) else "__init__"


def test_source_roots_hold_only_packages() -> None:
    """A stray module in a source root would be importable by everybody."""
    assert visible("addin") == ["tokensheet"]
    for name in visible("plugins"):
        folder = ROOT / "plugins" / name
        assert folder.is_dir(), f"plugins/{name} is not a folder"
        if "-" in name:
            assert (folder / "pyproject.toml").is_file(), f"plugins/{name} has no pyproject.toml"
            assert not list(folder.glob("*.py")), f"plugins/{name} has code outside src/"
        else:
            assert name.startswith("tokensheet_"), f"plugins/{name} is not named tokensheet_…"
            assert (folder / "__init__.py").is_file(), f"plugins/{name} is no package"
            assert (folder / "py.typed").is_file(), f"plugins/{name} has no py.typed"


def visible(root: str) -> list[str]:
    return sorted(path.name for path in (ROOT / root).iterdir() if path.name[0] not in "._")


def test_every_module_of_the_engine_has_a_layer() -> None:
    unplaced = {part_of(path) for path in sources()} - LEVEL.keys()
    assert not unplaced, f"add {', '.join(sorted(unplaced))} to LAYERS in {Path(__file__).name}"


def test_modules_are_short() -> None:
    """A module does one thing; one that grew past 300 lines does two, unless it is a table. The reasons are still true."""
    lines = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for root in ("addin", "plugins")
        for path in (ROOT / root).rglob("*.py")
    }
    long = {name for name, count in lines.items() if count > LONGEST_MODULE}
    assert long - LONG.keys() == set(), "split it where the seam is, or say in LONG why it is long"
    assert LONG.keys() - long == set(), "no longer long: take it out of LONG"


def test_every_module_begins_with_what_lives_there() -> None:
    """A whole sentence, and not that of another module."""
    first: dict[str, Path] = {}
    for root in ("addin", "plugins"):
        for path in sorted((ROOT / root).rglob("*.py")):
            said = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]
            assert said.endswith((".", ":")), f"{path}: its first line says {said!r}"
            assert path.name == "conftest.py" or said not in first, f"{path} and {first[said]}: {said}"
            first[said] = path


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(ENGINE).as_posix())
def test_imports_point_downwards(path: Path) -> None:
    here = part_of(path)
    wrong = [
        f"line {line} imports {name}"
        for line, name in imports(path)
        if (there := imported_part(name)) and LEVEL.get(there, 0) > LEVEL.get(here, len(LAYERS))
    ]
    assert not wrong, f"{here} lies lower than what it imports: {'; '.join(wrong)}"


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(ENGINE).as_posix())
def test_heavy_packages_stay_in_their_place(path: Path) -> None:
    wrong = [
        f"line {line} imports {name}"
        for line, name in imports(path)
        if part_of(path) not in KEPT_TO.get(name.partition(".")[0], (part_of(path),))
    ]
    assert not wrong, "; ".join(wrong)


def test_the_layer_test_reads_every_form_of_import() -> None:
    """A checker that overlooks a form of import would pass everything."""
    text = """
import tokensheet.cli as c, os
from tokensheet import graph
from tokensheet.workbook.finish import finish
def inside():
    from . import base
    from .. import errors
    from ..units import Unit
"""
    assert sorted(imports(ENGINE / "schema" / "any.py", text)) == [
        (2, "os"),
        (2, "tokensheet.cli"),
        (3, "tokensheet.graph"),
        (4, "tokensheet.workbook.finish.finish"),
        (6, "tokensheet.schema.base"),
        (7, "tokensheet.errors"),
        (8, "tokensheet.units.Unit"),
    ]
    assert imported_part("tokensheet.workbook.finish.finish") == "workbook"
    assert imported_part("tokensheet.errors") == "errors"
    assert imported_part("tokensheet.evaluate_it") == "__init__"
    assert imported_part("tokensheet") == "__init__"
    assert imported_part("tokensheet_models") is None


def loaded_by(code: str) -> set[str]:
    """Packages that a fresh interpreter has loaded when `code` is through."""
    report = "import atexit, sys; atexit.register(lambda: print('LOADED', *sys.modules, file=sys.stderr)); "
    done = subprocess.run(
        [sys.executable, "-c", report + code],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in done.stderr.rpartition("LOADED ")[2].split()}


HEAVY = {"numpy", "openpyxl", "xlwings", "starlette", "uvicorn"}


def test_importing_the_engine_loads_nothing_heavy() -> None:
    assert not loaded_by("import tokensheet") & HEAVY


def test_a_scalar_cell_loads_nothing_heavy() -> None:
    """A cell must answer at once; arrays and workbooks may wait."""
    cell = '=DECODE_LATENCY("llama-2-70b","h100-sxm-80gb",8,4096,16)'
    code = f"sys.argv = ['tokensheet', 'eval', {cell!r}]; from tokensheet.cli import main; sys.exit(main())"
    assert not loaded_by(code) & HEAVY
