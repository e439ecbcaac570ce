"""A plugin's own search: its parts are found, mistakes are one line each, and a wrong bound costs time, not truth."""

from __future__ import annotations

from typing import Any

import pytest

import tokensheet as ts
from tests.tools.plugins import planner, plugin
from tokensheet.errors import ArgumentError
from tokensheet.formula import Formula
from tokensheet.goals import SearchPart
from tokensheet.planning import Planner
from tokensheet.plugin import Axis, Basis, Front, Goal, Input, Range, Search, Shown, Target, check, formula
from tokensheet.search.best import best

SIZE = Input("size", "1", "a size", range=Range(above=0))
SHARE = Input("part", "1", "a part of the size", 1, Range(above=0))
WEIGHT = Input("weight", "1", "what must be carried")
LEAST = Input("least_strength", "1", "strength that is wanted", 0)


@formula(unit="1", source="a test", checks=("it_stands",))
def price(size, part):
    """What a thing costs."""
    return (size - 6) ** 2 + part


@formula(unit="1", source="a test")
def low_price(size, part):
    """Never above the price."""
    return max(0, (size - 6) ** 2 + part - 3)


@formula(unit="1", source="a test")
def high_price(size, part):
    """Above the price: no bound at all."""
    return (size - 6) ** 2 + part + 2 * size


@formula(unit="1", source="a test")
def strength(size, weight):
    """What a thing carries."""
    return size / weight


@check(message="{size} stands on nothing", source="a test", title="It stands")
def it_stands(size):
    """1 when it does."""
    return size < 40


FORMULAS: tuple[Any, ...] = (SIZE, SHARE, WEIGHT, LEAST, price, low_price, high_price, strength, it_stands)
THINGS = ("things",)
PARTS: tuple[SearchPart, ...] = (
    Search("things", "cheapest thing", asks=("weight",)),
    Axis("sizes", "sizes to try", THINGS, of="size", values=tuple(range(1, 50))),
    Axis("parts", "parts to try", THINGS, of="part", values=(1, 2, 3), splits="size"),
    Goal("price", "cheapest", THINGS, node="price", bound="low_price"),
    Goal("strength", "strongest", THINGS, node="strength", most=True, then=("price",)),
    Target("least_strength", "strength", THINGS, node="strength", least=True),
    Shown("strength", "strength", THINGS),
)


def made(*parts: SearchPart, formulas: tuple[Any, ...] = FORMULAS) -> Planner:
    return planner(things=plugin(*formulas, *parts))


def prices(planner: Planner, **asked: Any) -> list[float | None]:
    return [plan.values[plan_node(asked)] for plan in best(planner, {"weight": 1, "count": 4, **asked}).best]


def plan_node(asked: dict[str, Any]) -> str:
    return "strength" if asked.get("goal") == "strength" else "price"


def test_a_search_of_a_plugin_is_searched() -> None:
    own = made(*PARTS)
    assert own.registry.problems == []
    assert prices(own) == [1, 2, 2, 2], "6/1, 6/2 = 5/1 = 7/1"
    assert prices(own, goal="strength") == [49, 48, 48, 48], "though what is above 39 has no price"
    assert prices(own, least_strength=9) == [10, 12, 17, 18]
    assert prices(own, weight=2, least_strength=4) == [5, 6, 10, 12]


def test_factors_divide_what_they_split() -> None:
    found = best(made(*PARTS), {"weight": 1, "sizes": "6,7", "parts": "1,2,3,7"})
    assert sorted((p.given["size"], p.given["part"]) for p in found.best) == [
        (6, 1), (6, 2), (6, 3), (7, 1), (7, 7),
    ]  # fmt: skip


@pytest.mark.parametrize("bound", ["low_price", "high_price", ""])
def test_a_bound_changes_no_answer(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even one that is above what it should bound: it is not trusted once it is caught."""
    monkeypatch.setattr("tokensheet.search.searching.FIRST_LOOK", 2)
    monkeypatch.setattr("tokensheet.search.searching.LONGEST_LOOK", 2)
    goal = Goal("price", "cheapest", THINGS, node="price", bound=bound)
    own = made(*(goal if p.name == "price" else p for p in PARTS))
    assert prices(own) == [1, 2, 2, 2]
    found = best(own, {"weight": 1, "count": 2})
    assert (found.spared > 0) == (bound == "low_price")


def test_another_plugin_adds_to_a_search() -> None:
    more = (
        Goal("weak", "weakest", THINGS, node="strength"),
        Front("front", "a front", THINGS, pair=("price", "strength")),
    )
    own = planner(things=plugin(*FORMULAS, *PARTS), more=plugin(*more))
    assert own.registry.problems == []
    found = best(own, {"weight": 1, "goal": "weak", "count": 1})
    assert [p.given["size"] for p in found.best] == [1]
    front = [(p.values["price"], p.values["strength"]) for p in found.front]
    assert front == [(1, 6), (2, 5), (5, 4), (10, 3), (17, 2), (26, 1)]


def test_a_search_like_another_has_its_parts_and_its_own() -> None:
    own = made(*PARTS, Search("dear", "dearest", asks=("weight", "least_strength"), like="things"),
               Goal("price", "dearest", ("dear",), node="price", most=True))  # fmt: skip
    assert [p.given["size"] for p in best(own, {"weight": 1, "least_strength": 1, "count": 1}).best] == [39]
    assert [p.given["size"] for p in best(own, {"weight": 1, "count": 1}).best] == [6]


def test_without_a_search_or_a_goal_one_line_says_so() -> None:
    with pytest.raises(ArgumentError, match="no plugin declares a search"):
        best(made(), {"weight": 1})
    with pytest.raises(ArgumentError, match="no plugin declares a goal for cheapest thing"):
        best(made(*(p for p in PARTS if not isinstance(p, Goal))), {"weight": 1})


WRONG: dict[str, tuple[SearchPart, str]] = {
    "no such search": (Axis("a", "text", ("thigns",), of="size"), "axis a: no search is called thigns; nearest is things"),
    "no search": (Goal("g", "text", node="price"), "goal g: name the searches that it is for"),
    "no text": (Goal("g", " ", THINGS, node="price"), "goal g: text is ' '; say it in words"),
    "no name": (Goal("My goal", "text", THINGS, node="price"), "goal 'My goal': a name has lower-case letters"),
    "no node": (Goal("g", "text", THINGS, node="prise"), "goal g: nothing is called prise; nearest are price"),
    "no tie": (Goal("g", "text", THINGS, node="price", then=("x",)), "goal g: nothing is called x"),
    "no bound": (Goal("g", "text", THINGS, node="price", bound="x"), "goal g: nothing is called x"),
    "no input": (Axis("a", "text", THINGS, of="sise"), "axis a: nothing is called sise; nearest is size"),
    "no whole": (Axis("a", "text", THINGS, of="size", splits="x"), "axis a: nothing is called x"),
    "no lightest": (Target("t", "text", THINGS, node="price", lightest="x"), "target t: nothing is called x"),
    "no receiver": (Target("t", "text", THINGS, node="price", gives="x"), "target t: nothing is called x"),
    "not shown": (Shown("prise", "text", THINGS), "shown prise: nothing is called prise"),
    "no front": (Front("f", "text", THINGS, pair=("price", "x")), "front f: nothing is called x"),
    "no role": (Basis("b", "text", THINGS, option="o", role="gpu"), "basis b: nothing is called gpu"),
    "no demand": (Search("s", "text", demands=(("x",),)), "search s: nothing is called x"),
    "like nothing": (Search("s", "text", like="thigns"), "search s: no search is called thigns; nearest is things"),
    "a second goal": (
        Goal("price", "text", THINGS, node="price"),
        "goal price of search things is declared twice; rename one",
    ),
    "a second search": (Search("things", "text"), "search things is declared twice; rename one"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_part_that_makes_no_sense_is_one_line(case: str) -> None:
    """And everything else works."""
    part, reason = WRONG[case]
    own = made(*PARTS, part)
    (line,) = own.registry.problems
    assert line.startswith(f"plugin things: {reason}")
    assert prices(own) == [1, 2, 2, 2]


def test_a_limit_of_an_input_is_a_node() -> None:
    wide = Input("wide", "1", "a width", 1, limit="strenght")
    (line,) = made(formulas=(*FORMULAS, wide)).registry.problems
    assert (
        line
        == "plugin things: wide: its limit is strenght: no such node; nearest are strength, least_strength, weight"
    )
    assert (
        made(formulas=(*FORMULAS, Input("wide", "1", "a width", 1, limit="strength"))).registry.problems == []
    )


def test_the_built_in_searches_are_whole() -> None:
    """Each has a goal and an axis; each bound belongs to a goal that some test compares with every candidate."""
    from tests.test_search import FLEETS, STEPS

    registry = ts.planner().registry
    asked = {case[0].get("goal", "cost") for case in (*STEPS.values(), *FLEETS.values())}
    for kit in registry.searches.values():
        assert kit.of(Axis) and kit.of(Goal) and kit.of(Shown), kit.search.name
        assert kit.of(Goal).keys() <= asked
        for name in kit.of(Target):
            assert any(name in case[0] for case in (*STEPS.values(), *FLEETS.values())), name
    formulas = {n for n, d in registry.nodes.items() if isinstance(d, Formula)}
    assert {registry.nodes["batch"].limit} <= formulas  # type: ignore[union-attr]
