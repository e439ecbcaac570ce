"""Prepared questions of a process that runs for weeks: few are kept, and what was forgotten is answered as before."""

from __future__ import annotations

import gc
import itertools
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from tests.tools.plugins import planner, plugin
from tokensheet import binding, catalog
from tokensheet.planning import Planner
from tokensheet.plugin import NOT_NEGATIVE, Assumption, Input, Link, Role, at, formula

SOURCE = "a test"
MOST = 7


@formula(unit="1", source=SOURCE)
def one():
    """One."""
    return 1


@formula(unit="1", source=SOURCE)
def two(one):
    """Two."""
    return 2 * one


@formula(unit="1", source=SOURCE)
def three(one, two):
    """Three."""
    return one + two


@formula(unit="1", source=SOURCE)
def total(one, two, three):
    """A sum."""
    return one + two + three


@formula(unit="byte/second", source=SOURCE)
def speed(bandwidth, factor):
    """Bandwidth of a link, times."""
    return bandwidth * factor


@formula(unit="byte/second", source=SOURCE)
def both(speed, doubled=at("speed", factor=2)):
    """Of two links, one of them twice as fast."""
    return speed + doubled


def link(number: int) -> Link:
    return Link(id=f"link-{number}", source=SOURCE, link_kind="network", scope="node", bandwidth=number * 1e9)


@pytest.fixture
def made() -> Planner:
    return planner(
        one=plugin(
            Role("network", "link", "a link"),
            Input("unread", "1", "read by nothing", range=NOT_NEGATIVE),
            Assumption("factor", "1", "a factor", SOURCE, default=3),
            *(one, two, three, total, speed, both),
            *map(link, range(1, 30)),
        )
    )


@pytest.fixture
def alive(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], int]]:
    """How many of each are in memory that were prepared since."""
    monkeypatch.setattr(binding, "MOST_PREPARED", MOST)
    monkeypatch.setattr(binding, "MOST_BOUND", 2 * MOST)
    monkeypatch.setattr(catalog, "MOST_CHANGED", MOST)
    return {
        name: watched(monkeypatch, module, name)
        for module, name in (
            (binding, "Question"),
            (binding, "expand"),
            (binding, "compile_graph"),
            (binding, "Bound"),
        )
    }


def watched(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> Callable[[], int]:
    seen: list[weakref.ref[Any]] = []
    make = getattr(module, name)

    def making(*given: Any) -> Any:
        result = make(*given)
        seen.append(weakref.ref(result))
        return result

    monkeypatch.setattr(module, name, making)

    def count() -> int:
        gc.collect()
        return sum(each() is not None for each in seen)

    return count


def asked() -> list[tuple[str, dict[str, Any], float]]:
    """Name, what is given, and the answer: each a graph of its own, or a binding of one's own."""
    pinned = [
        ("total", dict.fromkeys(names, 1.0), answer)
        for names, answer in (
            ((), 6),
            (("one",), 6),
            (("two",), 4),
            (("three",), 4),
            (("one", "two"), 4),
            (("one", "three"), 4),
            (("two", "three"), 3),
            (("one", "two", "three"), 3),
            (("total",), 1),
            (("total", "two"), 1),
        )
    ]
    orders: list[tuple[str, dict[str, Any], float]] = [
        ("speed", {n: v for n, v in given if n != skipped}, answer)
        for given in itertools.permutations((("network", "link-2"), ("factor", 4), ("unread", 1)))
        for skipped, answer in (("unread", 8e9), ("factor", 6e9))
    ]
    records = [("speed", {"network": f"link-{i}"}, i * 3e9) for i in range(1, 30)]
    changed = [("speed", {"network": f"link-1@bandwidth={i}e9"}, i * 3e9) for i in range(1, 30)]
    return [*pinned, *orders, *records, *changed]


def test_few_are_kept_and_all_answers_are_right(made: Planner, alive: dict[str, Callable[[], int]]) -> None:
    for _ in range(2):
        for name, given, answer in asked():
            assert made.evaluate(name, **given) == answer, given
    assert alive["Question"]() <= MOST
    assert alive["expand"]() <= MOST
    assert alive["compile_graph"]() <= MOST
    assert alive["Bound"]() <= 2 * MOST


def test_a_range_of_more_records_than_are_kept(made: Planner, alive: dict[str, Callable[[], int]]) -> None:
    given = [f"link-{i}" for i in range(1, 30)]
    changed = [f"link-1@bandwidth={i}e9" for i in range(1, 30)]
    found = made.evaluate("speed", network=given + changed)
    assert found.tolist() == [*(i * 3e9 for i in range(1, 30)), *(i * 3e9 for i in range(1, 30))]
    assert alive["Bound"]() <= 2 * MOST


def test_questions_that_cannot_be_asked_are_forgotten_too(
    made: Planner, alive: dict[str, Callable[[], int]]
) -> None:
    for given in itertools.permutations(("one", "two", "three", "factor"), 3):
        assert "no link named" in made.why("speed", network="link-0", **dict.fromkeys(given, 1))
    assert alive["Question"]() <= MOST


def test_who_holds_a_question_keeps_it(made: Planner, alive: dict[str, Callable[[], int]]) -> None:
    question = made.questions.question("speed", ("network", "factor"))
    first = question.bind(("link-2",))
    for name, given, _ in asked():
        made.evaluate(name, **given)
    again = question.bind(("link-3",))
    assert first.value({"factor": 5}) == 10e9 and again.value({"factor": 5}) == 15e9


def test_changed_records_are_few(made: Planner, alive: dict[str, Callable[[], int]]) -> None:
    links = made.registry.catalog("link")
    seen = []
    for i in range(1, 30):
        seen.append(weakref.ref(links.find(f"link-1@bandwidth={i}e9").record))
    gc.collect()
    assert sum(each() is not None for each in seen) <= MOST
    assert links.find("link-1@bandwidth=1e9").record.number("bandwidth") == 1e9


# ---- numbers by the keys of expanded nodes: one range, read or not, alone or among many

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("both", {"doubled.speed": -1}, "doubled.speed is -1; it must be at least 0"),
    ("speed", {"doubled.speed": -1}, "doubled.speed is -1; it must be at least 0"),
    ("speed", {"speed.speed": 1}, "nothing is called speed.speed"),
    ("speed", {"doubled.spead": 1}, "nothing is called doubled.spead"),
    ("speed", {"unread": -1}, "unread is -1; it must be at least 0"),
]


@pytest.mark.parametrize(("name", "given", "reason"), WRONG)
def test_a_number_out_of_range_alone_and_among_many(
    made: Planner, name: str, given: dict[str, Any], reason: str
) -> None:
    alone = made.why(name, network="link-1", **given)
    assert reason in alone
    assert made.why(name, network=["link-1", "link-2"], **given) == [alone, alone]


def test_a_number_by_the_key_of_an_expanded_node(made: Planner) -> None:
    given = {"network": ["link-1", "link-2"], "doubled.speed": 7}
    assert made.evaluate("both", **given).tolist() == [3e9 + 7, 6e9 + 7]
