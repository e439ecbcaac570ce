"""Example calls of all functions, from the values that plugins declare, with what they really answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokensheet.cell_arithmetic import as_text
from tokensheet.constants import UNLIMITED
from tokensheet.errors import TokensheetError
from tokensheet.failure import Failure
from tokensheet.formula import Formula
from tokensheet.functions import Functions
from tokensheet.goals import Axis
from tokensheet.registry import Registry


@dataclass(frozen=True, slots=True)
class Example:
    """A call and its answer: a number, a text, a `Failure`, or rows of these."""

    function: str
    values: tuple[Any, ...]
    answer: Any

    @property
    def call(self) -> str:
        """As it is typed in a cell."""
        return f"={self.function}({','.join(map(_typed, self.values))})"


def _typed(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return as_text(value)


def examples(functions: Functions, names: Iterable[str] | None = None) -> dict[str, Example]:
    """Function → example; none where an argument has no example value and no default.

    Functions that are asked with the same values are answered by one walk over one graph.

    Args:
        functions: of the catalogue
        names: of the functions; all by default
    """
    registry = functions.planner.registry
    wanted = registry.functions if names is None else {n: registry.functions[n] for n in names}
    calls: dict[str, tuple[Any, ...]] = {}
    groups: dict[tuple[tuple[str, Any], ...], list[str]] = defaultdict(list)
    for name, formula in wanted.items():
        given = given_to(registry, formula)
        if given is not None:
            calls[name] = _in_order(formula, given)
            groups[tuple(given.items())].append(formula.name)
    answers: dict[str, Any] = {}
    for pairs, together in groups.items():
        try:
            answers |= functions.planner.several(together, dict(pairs))
        except TokensheetError as error:
            answers |= dict.fromkeys(together, Failure(str(error), type(error)))
    found = {name: Example(name, values, answers[name.lower()]) for name, values in calls.items()}
    if names is None:
        for name, values in _own_calls(functions, calls):
            found[name] = Example(name, values, functions.call(name, values))
    return found


def given_to(registry: Registry, formula: Formula) -> dict[str, Any] | None:
    """Argument or option → value of a formula's example call; None where there is none."""
    given: dict[str, Any] = {}
    for argument in formula.cell or ():
        if argument == "options":
            continue
        value = formula.example_with.get(argument, example_of(registry, argument))
        if value is None and argument not in formula.optional:
            value = _default(registry, argument)
            if value is None:
                return None
        if value is not None:
            given[argument] = value
    return given | {n: v for n, v in formula.example_with.items() if n not in given}


def example_of(registry: Registry, argument: str) -> str | float | None:
    """The value that a plugin declares for examples."""
    declared = registry.roles.get(argument) or registry.nodes.get(argument)
    value: str | float | None = getattr(declared, "example", None)
    return value


def _default(registry: Registry, argument: str) -> str | float | None:
    declared = registry.roles.get(argument) or registry.nodes.get(argument)
    value: str | float | None = getattr(declared, "default", None)
    return value if isinstance(value, str) or (value is not None and value < UNLIMITED) else None


def _in_order(formula: Formula, given: Mapping[str, Any]) -> tuple[Any, ...]:
    """Values in the order of the arguments, options at the end as one text."""
    names = [n for n in formula.cell or () if n != "options"]
    values: list[Any] = [given.get(n) for n in names]
    options = "; ".join(f"{n}={as_text(v)}" for n, v in given.items() if n not in names)
    if options:
        return (*values, options)
    while values and values[-1] is None:
        values.pop()
    return tuple(values)


def _own_calls(
    functions: Functions, calls: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Calls of the functions that belong to no formula, about the first function that planners ask."""
    registry = functions.planner.registry
    yield "TS_VERSION", ()
    yield "TS_LIST", ("profiles",)
    yield "TS_OPTIONS", ("profile", registry.roles["profile"].default or "")
    for name, formula in registry.functions.items():
        if formula.headline and name in calls:
            values = tuple(calls[name])
            yield "EXPLAIN", (formula.name, *values)
            yield "WHY", (formula.name, *(v[:-1] if isinstance(v, str) else v for v in values))
            yield from (("TS_SPEC", fact) for fact in _facts(registry, formula)[:1])
            break
    for kit in registry.searches.values():
        asked = tuple(example_of(registry, name) for name in kit.search.asks)
        arguments = functions.table["BEST_CONFIG"].arguments
        if kit.search.asks == tuple(a.name for a in arguments[:-1]) and None not in asked:
            yield "BEST_CONFIG", (*asked, _narrowed(registry, kit.of(Axis).values()))
            break


def _facts(registry: Registry, formula: Formula) -> list[tuple[str, str]]:
    """Numbers that the records of a formula's example call state, with the record's id."""
    roles = [registry.roles[a] for a in formula.cell or () if a in registry.roles]
    entries = [registry.catalog(r.kind).entries.get(r.example or "") for r in roles]
    found = [e.record for e in entries if e is not None]
    return [(x.id, n) for x in found for n in x.quantities() if x.number(n) is not None]


def _narrowed(registry: Registry, axes: Iterable[Axis]) -> str:
    """Options of a search that leave one record of each role of which all would be tried."""
    few = [(a.name, registry.roles[a.of].example) for a in axes if a.every and a.of in registry.roles]
    return "; ".join(f"{name}={value}" for name, value in few if value)
