"""Each function has an example call, and what the reference says of it is what the cell answers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import tokensheet
from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.planning import Planner
from tokensheet.reference.examples import Example, examples
from tokensheet.sheet_words import run

NOBODY_OFFERS = {"currency"}
"""Roles of which no plugin that ships has a record: who needs one brings it."""


@cache
def functions() -> Functions:
    return Functions(tokensheet.planner())


@cache
def found() -> dict[str, Example]:
    return examples(functions())


@pytest.mark.slow
def test_every_function_has_one() -> None:
    for name in functions().table.keys() - found().keys():
        arguments = {a.name for a in functions().table[name].arguments}
        assert arguments & NOBODY_OFFERS, f"{name}: give one of its arguments an example where it is declared"
    registry = functions().planner.registry
    assert all(registry.roles[name].example is None for name in NOBODY_OFFERS)


def test_no_example_is_an_error() -> None:
    wrong = {x.call: x.answer.reason for x in found().values() if isinstance(x.answer, Failure)}
    assert wrong == {}


def test_required_arguments_are_given_and_nothing_else_but_options() -> None:
    for name, example in found().items():
        arguments = functions().table[name].arguments
        required = [value for a, value in zip(arguments, example.values, strict=False) if a.required]
        assert None not in required and len(required) >= sum(a.required for a in arguments)


@pytest.mark.slow
def test_the_cell_answers_the_same() -> None:
    """Each call as text, parsed and answered by itself: other calls beside it change nothing."""
    apart = [x.call for x in found().values() if run(x.call, functions()) != x.answer]
    assert apart == []


@pytest.mark.parametrize(
    "name", ["COST_PER_HOUR", "DECODE_LATENCY", "ADAPTER_BYTES", "EXPLAIN", "WHY", "TS_OPTIONS"]
)
def test_some_cells_answer_the_same(name: str) -> None:
    assert run(found()[name].call, functions()) == found()[name].answer


def test_why_tells_of_a_mistake_and_explain_ends_with_the_answer() -> None:
    assert "nearest are" in found()["WHY"].answer
    explained = found()["EXPLAIN"]
    assert explained.answer[-1][0] == explained.values[0]
    assert explained.answer[-1][2] == found()[str(explained.values[0]).upper()].answer


PLUGIN = '''
from tokensheet.plugin import Assumption, Input, formula, hookimpl

@formula(unit="1", source="a test", cell="loaves, [slices], [options]")
def crumbs(loaves, slices, dryness):
    """Crumbs of bread."""
    return loaves * slices * dryness

@formula(unit="1", source="a test", cell="crumbs, birds", example_with={"birds": 3})
def shares(crumbs, birds):
    """Crumbs of each bird."""
    return crumbs / birds

@formula(unit="1", source="a test", cell="cats, [options]", example_with={"dryness": 0.5})
def mice(cats, dryness):
    """Mice of each cat."""
    return cats * dryness

@hookimpl
def tokensheet_formulas():
    return [crumbs, shares, mice, Input("loaves", "1", "loaves of bread", LOAF),
            Input("slices", "1", "slices of a loaf", 20, example=12), Input("birds", "1", "birds"),
            Input("cats", "1", "cats", example=2), Assumption("dryness", "1", "how dry", "felt", 2)]
'''


@pytest.mark.parametrize(
    ("loaf", "calls"),
    [
        ("example=4", {"CRUMBS": "=CRUMBS(4,12)", "MICE": '=MICE(2,"dryness=0.5")'}),
        ("3", {"CRUMBS": "=CRUMBS(3,12)", "MICE": '=MICE(2,"dryness=0.5")'}),
        ("None", {"MICE": '=MICE(2,"dryness=0.5")'}),
    ],
    ids=["declared", "the default", "none"],
)
def test_values_are_those_that_plugins_declare(tmp_path: Path, loaf: str, calls: dict[str, str]) -> None:
    """A formula that is an argument has its own example; without one, none of a function with it."""
    (tmp_path / "bread.py").write_text(PLUGIN.replace("LOAF", loaf))
    planner = Planner.of(files=[tmp_path / "bread.py"])
    assert planner.registry.problems == []
    made = examples(Functions(planner), ["CRUMBS", "SHARES", "MICE"])
    assert {name: x.call for name, x in made.items()} == calls
    assert made["MICE"].answer == 1


def test_an_example_out_of_range_is_a_mistake_of_the_plugin(tmp_path: Path) -> None:
    text = PLUGIN.replace('"loaves of bread", LOAF', '"loaves of bread", range=Range(minimum=1), example=0')
    (tmp_path / "bread.py").write_text(text.replace("import Assumption", "import Range, Assumption"))
    problems = Planner.of(files=[tmp_path / "bread.py"]).registry.problems
    assert any(line.endswith("loaves: example is 0; it must be at least 1") for line in problems)
