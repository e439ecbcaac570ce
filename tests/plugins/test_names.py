"""Names that Excel, LibreOffice or VBA cannot take are refused when a plugin loads, with the reason and a way out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import tokensheet
from tests.tools.plugins import planner, plugin
from tokensheet.excel_words import CALC_FUNCTIONS, EXCEL_FUNCTIONS, OWN_FUNCTIONS, VBA_WORDS
from tokensheet.functions import Functions
from tokensheet.plugin import Assumption, Input, Range, Role, formula


@formula(unit="1", source="a test", cell="[options]")
def function():
    """One."""
    return 1


FUNCTIONS = {
    "sum": "SUM is a built-in spreadsheet function; choose a name such as sum_estimate",
    "xlookup": "XLOOKUP is a built-in spreadsheet function; choose a name such as xlookup_estimate",
    "easterSunday".lower(): "EASTERSUNDAY is a built-in spreadsheet function; choose a name such as easter",
    "weeks": "WEEKS is a built-in spreadsheet function; choose a name such as weeks_estimate",
    "explain": "EXPLAIN is a function of this program itself; choose a name such as explain_estimate",
    "ts_list": "TS_LIST is a function of this program itself; choose a name such as ts_list_estimate",
    "kv1": "name kv1 looks like cell KV1; choose a name such as kv1_value",
    "tp8": "name tp8 looks like cell TP8; choose a name such as tp8_value",
    "r1c1": "name r1c1 looks like an R1C1 reference; choose a name such as r1c1_value",
    "step": "name step is a word of VBA; choose a name such as step_count",
    "abs": "name abs is a word of VBA; choose a name such as abs_count",
    "options": "name options is what calls give further names and values with; choose another",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_cannot_be_called_so(name: str) -> None:
    """The reason stands in the plugin's line and in the answer of whoever calls it."""
    made = planner(a=plugin(replace(function, name=name)))
    (line,) = made.registry.problems
    assert line.startswith(f"plugin a: {FUNCTIONS[name]}")
    assert name not in made.registry.formulas()


@pytest.mark.parametrize("name", ["sum", "weeks", "why", "count"])
def test_a_formula_that_is_no_function_may_be_called_so(name: str) -> None:
    """A row of a workbook has no clash with a function."""
    made = planner(a=plugin(replace(function, name=name, cell=None, optional=frozenset())))
    assert made.registry.problems == []


@pytest.mark.parametrize("name", ["tp8", "fp8", "r1c1", "next", "Fee"])
def test_steps_and_declarations_too(name: str) -> None:
    made = planner(a=plugin(Assumption(name, "1", "a number", "a test", 1)))
    assert len(made.registry.problems) == 1


def test_a_step_that_is_a_cell() -> None:
    @formula(unit="1", source="a test")
    def sound():
        """One."""
        fp8 = 1
        return fp8

    (line,) = planner(a=plugin(sound)).registry.problems
    assert line.startswith("plugin a: sound: name fp8 looks like cell FP8")


@pytest.mark.parametrize("order", [("base", "a", "b"), ("base", "b", "a")])
def test_a_node_cannot_be_called_like_a_role(order: tuple[str, ...]) -> None:
    """A call gives a role an id and a node a number: one name cannot be both."""
    plugins: dict[str, Any] = {
        "a": plugin(Role("chosen", "profile", "a profile")),
        "b": plugin(Assumption("chosen", "1", "a number", "a test", 1)),
    }
    made = planner(*order, **plugins)
    assert made.registry.problems == ["plugin b: chosen is a role, which calls give an id; rename it"]


def test_the_programs_own_functions_are_those_that_are_refused() -> None:
    """A new one must be added to the list, or a plugin could hide it."""
    functions = Functions(tokensheet.planner())
    own = functions.table.keys() - functions.planner.registry.functions.keys()
    assert {name for name in own if not name.startswith("TS_")} == set(OWN_FUNCTIONS)


def test_the_lists_do_not_overlap_and_hold_plain_words() -> None:
    assert not EXCEL_FUNCTIONS & CALC_FUNCTIONS
    assert all(word == word.upper() for word in EXCEL_FUNCTIONS | CALC_FUNCTIONS | OWN_FUNCTIONS)
    assert all(word == word.lower() for word in VBA_WORDS)


def test_no_built_in_name_is_refused() -> None:
    registry = tokensheet.planner().registry
    assert [p for p in registry.problems if " name " in p or "function" in p] == []


DECLARATIONS: dict[str, tuple[Any, str]] = {
    "no source": (Assumption("fee", "1", "a fee", ""), "fee: source is ''; say it in words"),
    "the default in place of the source": (
        Assumption("fee", "1", "a fee", 900),
        "fee: source is 900; say it in words",
    ),
    "no text": (Input("fee", "1", " "), "fee: text is ' '; say it in words"),
    "a text for a number": (Input("fee", "1", "a fee", "3"), "fee: default is '3'; give a number"),
    "not finite": (Input("fee", "1", "a fee", float("inf")), "fee: default is inf; give a finite number"),
    "out of its range": (
        Input("fee", "1", "a fee", -1, Range(minimum=0)),
        "fee: default is -1; it must be at least 0",
    ),
    "no range": (Input("fee", "1", "a fee", 1, (0, 1)), "fee: range is (0, 1); write Range(minimum=0)"),
    "no unit": (Input("fee", None, "a fee"), "fee: unit is None; say it in words"),
}


@pytest.mark.parametrize("case", DECLARATIONS)
def test_a_declaration_that_makes_no_sense(case: str) -> None:
    """Arguments in the wrong order, a default outside its own range."""
    item, reason = DECLARATIONS[case]
    assert planner(a=plugin(item)).registry.problems == [f"plugin a: {reason}"]
