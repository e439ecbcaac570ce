"""Names and values as a search that plugins declare: which one is meant, its goal, targets and candidates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tokensheet.arguments import number
from tokensheet.constants import UNLIMITED
from tokensheet.errors import ArgumentError, listed
from tokensheet.failure import Failure
from tokensheet.goals import Axis, Basis, Goal, Target
from tokensheet.planning import Planner
from tokensheet.search import tried
from tokensheet.search.found import Asked, LeftOut
from tokensheet.search.space import Space
from tokensheet.search_kits import SearchKit

Spell = Callable[[str], str]
"""How a name is written where somebody asks: as it is in a cell, `--request-rate` in a terminal."""


def asked(planner: Planner, given: Mapping[str, Any], spell: Spell = str) -> Asked:
    """Names and values as a search.

    Args:
        planner: of the catalogue and the searches
        given: what somebody says
        spell: how names are written in what is told of the question

    Raises:
        TokensheetError: lists what cannot be read.
    """
    values = _given(planner, given)
    kit = meant(planner, values, spell)
    problems = _elsewhere(planner, kit, values, spell)
    goal = _goal(kit, values.pop("goal", None), problems)
    count = _number("count", values.pop("count", 10.0), problems, least=1)
    bases = [_basis(known, values.pop(option, None), problems) for option, known in kit.bases.items()]
    words = {name: tried.words(name, values.pop(name, None)) for name in kit.of(Axis)}
    axes = [a for a in kit.of(Axis).values() if a.values or a.every or words[a.name]]
    problems += [f"{a.of} is what is searched for; narrow it with {a.name}" for a in axes if a.of in values]
    targets = {t.name: t for t in kit.of(Target).values() if t.name in values}
    limits = {name: _number(name, values.pop(name), problems) for name in targets}
    stated = {a.name: tried.stated(planner, a, words[a.name], problems) for a in axes}
    if problems:
        raise ArgumentError(listed("best plan", problems))
    for basis in bases:
        values = {**basis.sets, **values}
    for name, target in targets.items():
        values |= {n: limits[name] for n in (name, target.gives) if n in planner.registry.nodes}
    _check(planner, values)
    records = {b.number: tried.records_of(planner, b) for b in bases if b.number and b.number not in values}
    lookups = {b.number: (b.role, tried.medians(b, records[b.number])) for b in bases if b.number in records}
    left_out: list[LeftOut] = []
    chosen = {a.name: stated[a.name] or tried.every(planner, a, bases, lookups, left_out) for a in axes}
    tried.check(axes, stated, lookups)
    return Asked(
        kit,
        goal,
        values,
        Space(tuple(axes), chosen),
        limits | _by_default(planner, kit, values, limits),
        lookups,
        tuple(left_out),
        int(count),
        tuple(bases),
        records,
    )


def _given(planner: Planner, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is not empty, under the names that hold now.

    Raises:
        TokensheetError: a value is an error.
    """
    for name, value in given.items():
        if isinstance(value, Failure):
            raise value.error(name)
    return {k: v for k, v in planner.registry.former.mapping(given).items() if v is not None and v != ""}


def meant(planner: Planner, values: Mapping[str, Any], spell: Spell = str) -> SearchKit:
    """The search whose questions are all answered; of several, the one that asks most.

    Raises:
        ArgumentError: none is; says what each asks.
    """
    found = [k for k in planner.registry.searches.values() if _answered(k, values)]
    if not found:
        searches = [k.search for k in planner.registry.searches.values()]
        ways = "; ".join(f"{s.spelled(spell)} ({s.text})" for s in searches)
        raise ArgumentError(f"give {ways}" if ways else "no plugin declares a search")
    kit = max(found, key=lambda k: len(k.search.asks))
    for group in kit.search.demands:
        others = [n for g in kit.search.demands if g is not group for n in g]
        both = [n for n in group if n in values] and [n for n in others if n in values]
        if both:
            mine = next(n for n in group if n in values)
            raise ArgumentError(f"{spell(mine)} and {spell(both[0])} are both given; leave one out")
    return kit


def _answered(kit: SearchKit, values: Mapping[str, Any]) -> bool:
    demands = kit.search.demands
    stated = not demands or any(n in values for group in demands for n in group)
    return stated and all(n in values for n in kit.search.asks)


def _elsewhere(planner: Planner, kit: SearchKit, values: Mapping[str, Any], spell: Spell) -> list[str]:
    """What is given that only other searches know: it would change nothing here."""
    mine = _names(kit)
    problems = []
    for name in values:
        others = [k for k in planner.registry.searches.values() if name in _names(k)]
        if others and name not in mine:
            asks = " or ".join(dict.fromkeys(k.search.spelled(spell) for k in others))
            problems.append(f"{spell(name)} goes with {asks}, not with {kit.search.spelled(spell)}")
    return problems


def _names(kit: SearchKit) -> set[str]:
    """Everything that a search is asked with, common inputs aside."""
    groups = (n for group in kit.search.demands for n in group)
    return {*kit.search.asks, *groups, *kit.of(Axis), *kit.of(Target), *kit.bases}


def _goal(kit: SearchKit, word: Any, problems: list[str]) -> Goal:
    goals = kit.of(Goal)
    if not goals:
        raise ArgumentError(f"no plugin declares a goal for {kit.search.text}")
    if word is not None and word not in goals:
        problems.append(f"goal is {word!r}; write {' or '.join(goals)}")
    return goals.get(str(word), next(iter(goals.values())))


def _basis(words: Mapping[str, Basis], word: Any, problems: list[str]) -> Basis:
    first = next(iter(words.values()))
    if word is not None and word not in words:
        problems.append(f"{first.option} is {word!r}; write {' or '.join(words)}")
    return words.get(str(word), first)


def _number(name: str, value: Any, problems: list[str], least: float | None = None) -> float:
    """A number above 0, or at least the given; else 1, and what is wrong."""
    found = number(name, value)
    if isinstance(found, Failure):
        problems.append(found.reason)
        return 1.0
    assert found is not None
    if least is not None and found < least:
        problems.append(f"{name} is {found:g}; it must be at least {least:g}")
    if least is None and not found > 0:
        problems.append(f"{name} is {found:g}; it must be above 0")
    return found


def _check(planner: Planner, given: Mapping[str, Any]) -> None:
    """Refuses what no candidate could be answered for: unknown ids and names, numbers out of range.

    Raises:
        TokensheetError: one line says what.
    """
    registry = planner.registry
    numbers: dict[str, float] = {}
    for name, value in given.items():
        if name in registry.roles:
            registry.catalog(registry.roles[name].kind).find(str(value))
            continue
        problem, found = planner.unknown(name), number(name, value)
        if problem or isinstance(found, Failure):
            raise (problem or found).error()  # type: ignore[union-attr]
        if found is not None:
            numbers[name] = found
    if failure := planner.out_of_range(numbers):
        raise failure.error()


def _by_default(
    planner: Planner, kit: SearchKit, given: Mapping[str, Any], limits: Mapping[str, float]
) -> dict[str, float]:
    """Targets that nobody gives and whose inputs have a limit by default or by the profile."""
    found: dict[str, float] = {}
    for name in kit.of(Target):
        if name not in limits and name in planner.registry.nodes:
            value = planner.one(name, given)
            if isinstance(value, float) and value < UNLIMITED:
                found[name] = value
    return found
