"""What Excel is told of the functions: wrappers, names, texts of the wizard."""

from __future__ import annotations

import inspect
import sys
from types import ModuleType

import pytest

from tests.conftest import Golden
from tests.tools.fakewin import Book, Windows
from tokensheet.cell_function import Argument, CellFunction
from tokensheet.excel_words import VBA_WORDS
from tokensheet.functions import Functions
from tokensheet.planning import Planner
from tokensheet.udf import module, vba

PLUGIN = '''
from tokensheet.plugin import formula, hookimpl

@formula(unit="byte", source="a test", cell="model, context, [batch]")
def kv_bytes_twice(kv_bytes):
    """Twice the bytes of a KV cache."""
    return 2 * kv_bytes

@hookimpl
def tokensheet_formulas():
    return [kv_bytes_twice]
'''


def body(text: str) -> str:
    """Wrappers without the lines above the first one."""
    return text[text.index("Function ") :]


def test_wrappers_are_frozen(functions: Functions, golden: Golden) -> None:
    """A changed line here changes what stands in every user's add-in."""
    golden("udf.bas", vba.wrappers(functions))


def test_signatures_are_frozen(functions: Functions, golden: Golden) -> None:
    """Saved cells rely on them: a new input of a function goes into its options."""
    golden("signatures.txt", "".join(f"{f.signature}\n" for _, f in sorted(functions.table.items())))


def test_the_wrappers_are_those_of_an_import_by_xlwings(functions: Functions, excel: Windows) -> None:
    book = Book("tokensheet.xlam")
    imported = excel.imported(book)
    assert vba.error_values(body(imported), functions.table) == body(vba.wrappers(functions))
    assert "ActiveWorkbook" in imported


def test_wrappers_are_written_without_pywin32(functions: Functions) -> None:
    """A build machine is not a Windows machine, and is left as it was."""
    before = set(sys.modules)
    first = vba.wrappers(functions)
    assert first == vba.wrappers(functions)
    assert not {n for n in set(sys.modules) - before if n.startswith(("py", "win32", "xlwings.udfs"))}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("= XLPy.CallUDF(", "= Py.CallUDF("),
        ("= Err.Description", '= "" & Err.Description'),
        ("WHY(the_function, ParamArray", "WHY(the_function, ByRef"),
        (", ActiveWorkbook, Application.Caller", ", ThisWorkbook, Application.Caller"),
        ("Function FITS(", "Function FIT("),
    ],
)
def test_another_generator_is_a_loud_error(functions: Functions, excel: Windows, old: str, new: str) -> None:
    text = body(excel.imported(Book("tokensheet.xlam")))
    vba.error_values(text, functions.table)
    assert old in text
    with pytest.raises(vba.WrapperError, match="this xlwings writes other wrappers"):
        vba.error_values(text.replace(old, new, 1), functions.table)


def test_the_wizard_shows_every_function_and_argument(functions: Functions, excel: Windows) -> None:
    book = Book()
    excel.imported(book)
    shown = book.Application.options
    assert sorted(shown) == sorted(functions.table)
    for name, function in functions.table.items():
        options = shown[name]
        assert options["Category"] == "Tokensheet"
        texts = [options["Description"], *(options["ArgumentDescriptions"] or ())]
        assert texts == [function.text, *(a.text for a in function.arguments)]
        assert all(0 < len(text) <= 255 for text in texts), name


def test_arguments_have_the_names_of_the_registry(functions: Functions) -> None:
    made = module.made(functions, None)
    assert str(inspect.signature(made["KV_BYTES"])) == "(model, context, batch=None, options=None)"
    assert str(inspect.signature(made["TS_SPEC"])) == "(id, field, what=None)"
    assert str(inspect.signature(made["EXPLAIN"])) == "(the_function, *arguments)"
    for name, python in made.items():
        names = list(inspect.signature(python).parameters)
        assert not {n.lower() for n in names} & (VBA_WORDS | {name.lower()}), name


def test_no_workbook_is_searched_for_python_code(functions: Functions) -> None:
    """xlwings runs code that it finds in a sheet called `….py`, or says that it wants a licence for that."""
    text = vba.wrappers(functions)
    assert "ActiveWorkbook" not in text and "ThisWorkbook" not in text
    assert text.count(", Nothing, Application.Caller))") == len(functions.table)


def test_nothing_is_volatile(functions: Functions) -> None:
    assert "Volatile" not in vba.wrappers(functions)


def test_long_texts_are_cut_for_the_wizard(functions: Functions) -> None:
    long = CellFunction("LONG", "word " * 100, (Argument("name", "x" * 300),), lambda *_: 1.0)
    python = module.python_function(long, lambda *_: 1.0)
    assert python.__doc__ is not None
    assert len(python.__doc__) == 255 and python.__doc__.endswith("…")
    assert module.argument_names(long) == ["the_name"]


def test_a_plugins_formula_is_a_function_without_further_work(
    excel: Windows, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("plugin") / "twice.py"
    file.write_text(PLUGIN, encoding="utf-8")
    functions = Functions(Planner.of(files=[file]))
    planned = ModuleType("planned")
    planned.__file__ = str(file)
    planned.__dict__.update(module.made(functions, module.excel()))
    sys.modules["planned"] = planned
    try:
        text = excel.imported(Book(), "planned")
        assert "Function KV_BYTES_TWICE(model, context, Optional batch)" in text
        assert excel.call("KV_BYTES_TWICE", "llama-2-70b", 4096.0, 8.0, module="planned") == 2 * 10737418240
    finally:
        del sys.modules["planned"]
