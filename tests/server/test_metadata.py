"""What Excel is told of the functions is what the registry says of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokensheet.cell_function import Argument, CellFunction
from tokensheet.functions import Functions
from tokensheet.planning import Planner
from tokensheet.server.limits import Limits
from tokensheet.server.metadata import MetadataError, metadata, repeating_from, script
from tokensheet.server.running import pages

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


def test_every_function_with_its_arguments(functions: Functions) -> None:
    found = {f["id"]: f for f in metadata(functions)["functions"]}
    assert found.keys() == functions.table.keys()
    for name, function in functions.table.items():
        told = found[name]
        assert told["name"] == name and told["description"] == function.text
        assert [(p["name"], p["description"]) for p in told["parameters"]] == [
            (a.name, a.text) for a in function.arguments
        ]
        for parameter, argument in zip(told["parameters"], function.arguments, strict=True):
            assert parameter["type"] == "any" and parameter["dimensionality"] == "matrix"
            assert parameter.get("repeating", False) == argument.many
            assert parameter.get("optional", False) == (not argument.required and not argument.many)


def test_errors_and_typed_values_come_through(functions: Functions) -> None:
    """Otherwise Excel gives #VALUE! for an error cell without asking, and dates cannot be told."""
    found = metadata(functions)
    assert found["allowErrorForDataTypeAny"] is True and found["allowCustomDataForDataTypeAny"] is True


def test_reasons_need_addresses_and_nothing_is_volatile(functions: Functions) -> None:
    found = {f["id"]: f for f in metadata(functions)["functions"]}
    assert found["KV_BYTES"]["options"] == {"requiresAddress": True}
    assert found["WHY"]["options"] == {"requiresAddress": True, "requiresParameterAddresses": True}
    assert {f["result"]["dimensionality"] for f in found.values()} == {"matrix"}


def test_a_repeating_argument_is_the_last(functions: Functions) -> None:
    """The client takes what comes from there on as separate arguments."""
    assert repeating_from(functions.table["KV_BYTES"]) is None
    assert repeating_from(functions.table["TS_VERSION"]) is None
    assert repeating_from(functions.table["EXPLAIN"]) == 1
    assert repeating_from(functions.table["TS_OPTIONS"]) == 1
    for function in functions.table.values():
        assert not any(a.many for a in function.arguments[:-1])


def test_the_script_knows_functions_and_limits(functions: Functions) -> None:
    text = script(functions, "client();", Limits(bytes=5000, calls=7, seconds=3).for_client)
    first, rest = text.split("\n", 1)
    told = json.loads(first.removeprefix("const TOKENSHEET = ").removesuffix(";"))
    assert rest == "client();"
    assert told["functions"].keys() == functions.table.keys()
    assert told["functions"]["EXPLAIN"] == 1 and told["functions"]["KV_BYTES"] is None
    assert (told["calls"], told["seconds"]) == (7, 3) and told["bytes"] < 5000


class Named:
    """Functions with one of a name."""

    def __init__(self, name: str) -> None:
        self.table = {name: CellFunction(name, "A text.", (Argument("a", "an argument"),), lambda a: a)}


@pytest.mark.parametrize("name", ["A", "AB", "1AB", "KV BYTES", "kv_bytes", "X" * 65])
def test_a_name_that_excel_does_not_take_is_refused(name: str) -> None:
    with pytest.raises(MetadataError, match="rename it"):
        metadata(Named(name))  # type: ignore[arg-type]


def test_a_plugins_formula_is_a_function_without_further_work(tmp_path: Path) -> None:
    file = tmp_path / "twice.py"
    file.write_text(PLUGIN, encoding="utf-8")
    found = pages(Functions(Planner.of(files=[file])), Limits())
    assert b'"KV_BYTES_TWICE":null' in found["functions.js"][0]
    (told,) = [f for f in json.loads(found["functions.json"][0])["functions"] if f["id"] == "KV_BYTES_TWICE"]
    assert [p["name"] for p in told["parameters"]] == ["model", "context", "batch"]


def test_every_page_has_a_kind_and_what_it_names_is_there(functions: Functions) -> None:
    found = pages(functions, Limits())
    pane = found["taskpane.html"][0].decode()
    for name in ("taskpane.css", "taskpane.js", "functions.js"):
        assert f'"{name}"' in pane and name in found
    assert all("/" in kind and content for content, kind in found.values())
    assert {f"icon-{size}.png" for size in (16, 32, 64, 80)} <= found.keys()
