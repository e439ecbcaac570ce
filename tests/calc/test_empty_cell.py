"""Why a single empty cell is 0 for the functions in Calc: no type of an argument lets it through.

A small add-in takes one argument of each type that Calc's interface for add-ins knows, and tells what arrives. If a
LibreOffice to come hands over something else for an empty cell, this fails, and the guide can promise more.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tools.office import Office
from tokensheet.calc import extension
from tokensheet.calc.extension import COMPONENT, LIBRARY
from tokensheet.calc.typelib import type_library
from tokensheet.workbook.finish import CellError

pytestmark = pytest.mark.slow

TYPES = {
    "ANY": "any",
    "ROWS": "[][]any",
    "MANY": "[]any",
    "NUMBER": "double",
    "TEXT": "string",
    "NUMBERS": "[][]double",
    "TEXTS": "[][]string",
    "CELLS": "com.sun.star.table.XCellRange",
}
PYTHON = """
import unohelper
from org.probe import XProbe

def told(value):
    if hasattr(value, "getDataArray"):
        value = "cells " + repr(value.getDataArray())
    return ((value if isinstance(value, str) else repr(value),),)

class Probe(unohelper.Base, XProbe):
    def __init__(self, context):
        pass

for name in {names!r}:
    setattr(Probe, name, lambda self, value: told(value))

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Probe, "org.probe.Probe", ("com.sun.star.sheet.AddIn", "org.probe.Probe"))
"""
NODE = """<node oor:name="{0}" oor:op="replace"><prop oor:name="DisplayName"><value xml:lang="en-US">{0}</value></prop>
<node oor:name="Parameters"><node oor:name="VALUE" oor:op="replace">
<prop oor:name="DisplayName"><value xml:lang="en-US">value</value></prop></node></node></node>
"""
NAMES = """<?xml version="1.0" encoding="UTF-8"?>
<oor:component-data xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 oor:name="CalcAddIns" oor:package="org.openoffice.Office">
<node oor:name="AddInInfo"><node oor:name="org.probe.Probe" oor:op="replace">
<node oor:name="AddInFunctions">{}</node></node></node>
</oor:component-data>
"""


@pytest.fixture(scope="module")
def probe(office: Office, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    folder = tmp_path_factory.mktemp("probe")
    names = {f"PROBE_{name}": kind for name, kind in TYPES.items()}
    content = {
        LIBRARY: type_library("org.probe.XProbe", {name: [("VALUE", kind)] for name, kind in names.items()}),
        COMPONENT: PYTHON.format(names=list(names)).encode(),
        extension.NAMES: NAMES.format("".join(map(NODE.format, names))).encode(),
    }
    (folder / "probe" / "META-INF").mkdir(parents=True)
    for name, data in content.items():
        (folder / "probe" / name).write_bytes(data)
    text = extension.manifest({name: extension.KINDS[name] for name in content})
    (folder / "probe" / extension.MANIFEST).write_text(text)
    running = Office(extensions=folder)
    yield running
    running.close()


def seen(probe: Office, given: str, **values: float | str) -> dict[str, object]:
    found = probe.typed({f"A{i}": f"=PROBE_{name}({given})" for i, name in enumerate(TYPES, 1)}, values)
    return {name: found.get(f"A{i}", "") for i, name in enumerate(TYPES, 1)}


REFUSED = CellError("Err:504")


def test_what_arrives_for_an_empty_cell(probe: Office) -> None:
    """0 or an empty text, the same as for 0 and for an empty text; only a cell range would tell."""
    assert seen(probe, "D1") == {
        "ANY": "0.0", "ROWS": "((0.0,),)", "MANY": "(0.0,)", "NUMBER": "0.0", "TEXT": "",
        "NUMBERS": "((0.0,),)", "TEXTS": "(('',),)", "CELLS": "cells (('',),)",
    }  # fmt: skip
    zero = seen(probe, "D1", D1=0.0)
    assert {name for name in TYPES if zero[name] != seen(probe, "D1")[name]} == {"TEXT", "TEXTS", "CELLS"}


def test_the_types_that_would_tell_take_no_numbers(probe: Office) -> None:
    """A cell range takes only cells, so that `=KV_BYTES("llama-2-70b",4096)` would be an error; texts lose digits."""
    found = seen(probe, "4096.5")
    assert found["CELLS"] == REFUSED and found["ANY"] == "4096.5"
    third = seen(probe, "D1", D1=1 / 3)
    assert third["TEXT"] != repr(1 / 3) and third["ANY"] == repr(1 / 3)


def test_a_range_of_one_cell_lets_an_empty_cell_through(probe: Office) -> None:
    """What the guide tells to write where it matters."""
    assert seen(probe, "D1:D1")["ANY"] == "(('',),)"
    assert seen(probe, "D1:D1", D1=0.0)["ANY"] == "((0.0,),)"
