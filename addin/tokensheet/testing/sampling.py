"""Generated numbers for a formula's parameters: magnitudes by unit, edges, and equal arguments."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator

from tokensheet.declare import Assumption, At, Input, Range
from tokensheet.definition import Definition
from tokensheet.failure import Failure, Value
from tokensheet.formula import Formula
from tokensheet.registry import Registry
from tokensheet.testing.alone import Alone
from tokensheet.units import parse

COUNT = 40
"""Samples a formula."""

MAGNITUDES: dict[str, tuple[float, float]] = {
    "byte": (1e6, 1e12),
    "flop": (1e6, 1e15),
    "second": (1e-7, 10),
    "watt": (1e2, 1e5),
    "usd": (1, 1e6),
}
"""Lowest and highest value by unit; anything a second lies in `RATES`, everything else in `OTHERS`."""
RATES = (1e9, 1e15)
OTHERS = (1e-2, 1e5)

ELEMENT_SIZES = (0.5, 0.53125, 1.0, 1.03125, 2.0, 4.0)

EDGE, NEGATIVE, EQUAL, WHOLE = 0.12, 0.05, 0.2, 0.75
"""How often: a 0 or 1, a negative result of another formula, two equal parameters, a whole number."""

TRIES = 500
"""Draws for one sample, until its result is none that half of the samples of a flag, or an eighth of
the samples of another formula, give already: neither errors nor zeros shall crowd out the rest."""


def samples(registry: Registry, name: str, count: int = COUNT, seed: int = 0) -> list[dict[str, float]]:
    """Parameter → number, `count` times; the same name and seed give the same numbers.

    Args:
        registry: where the formula and what its parameters mean stand
        name: of the formula
        count: how many samples
        seed: another seed gives other samples
    """
    formula = registry.nodes[name]
    assert isinstance(formula, Formula)
    rng = random.Random(f"{name} {seed}")
    meaning: dict[str, Definition] = {}
    for parameter, target in registry.parameters(name, formula).items():
        meaning[parameter] = registry.nodes[target.node if isinstance(target, At) else target]
    alone, found = Alone(name, formula), []
    seen: Counter[object] = Counter()
    most = count // 2 if formula.unit == "flag" else count // 8
    for _ in range(count):
        for _ in range(TRIES):
            row = _row(rng, meaning)
            result = _kind(alone.tree(row)[""])
            if seen[result] < most:
                break
        seen[result] += 1
        found.append(row)
    return found


def _kind(result: Value) -> object:
    """The number, or one mark for all errors."""
    return "error" if isinstance(result, Failure) else result


def _row(rng: random.Random, meaning: dict[str, Definition]) -> dict[str, float]:
    row = {parameter: _number(rng, definition) for parameter, definition in meaning.items()}
    if rng.random() < EQUAL:
        _make_equal(rng, row, meaning)
    return row


def _make_equal(rng: random.Random, row: dict[str, float], meaning: dict[str, Definition]) -> None:
    """Gives one parameter the value of another of its unit, where its range allows it."""
    pairs = [
        (a, b)
        for a in row
        for b in row
        if a != b
        and parse(meaning[a].unit) == parse(meaning[b].unit)
        and _range(meaning[b]).problem(row[a]) is None
    ]
    if pairs:
        a, b = rng.choice(pairs)
        row[b] = row[a]


def _range(definition: Definition) -> Range:
    if isinstance(definition, Input | Assumption):
        return definition.range
    return Range(0, None, 1, True) if definition.unit == "flag" else Range()


def _number(rng: random.Random, definition: Definition) -> float:
    bounds = _range(definition)
    for value in _candidates(rng, definition, bounds):
        if bounds.problem(value) is None:
            return value
    raise AssertionError("no candidate lies in the range")


def _candidates(rng: random.Random, definition: Definition, bounds: Range) -> Iterator[float]:
    if rng.random() < EDGE:
        yield rng.choice((0.0, 1.0))
    if isinstance(definition, Formula) and definition.unit != "flag" and rng.random() < NEGATIVE:
        yield -_typical(rng, definition.unit, bounds)
    while True:
        yield _typical(rng, definition.unit, bounds)


def _typical(rng: random.Random, unit: str, bounds: Range) -> float:
    if bounds.maximum is not None:
        low = bounds.minimum if bounds.minimum is not None else bounds.above or 0.0
        if bounds.whole:
            return float(rng.randint(math.ceil(low), math.floor(bounds.maximum)))
        return rng.uniform(low, bounds.maximum)
    if unit.endswith("/element"):
        return rng.choice(ELEMENT_SIZES)
    powers = dict(parse(unit).powers)
    if not powers:
        if bounds.whole or rng.random() < WHOLE:
            return float(2 ** rng.randint(0, 9) if rng.random() < 0.5 else rng.randint(1, 512))
        return rng.uniform(0, 1)
    low, high = RATES if powers.get("second", 0) < 0 else MAGNITUDES.get(str(parse(unit)), OTHERS)
    return math.exp(rng.uniform(math.log(low), math.log(high)))
