"""What formulas read besides each other: inputs of the scenario, assumptions, and chosen records."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tokensheet.goals import SearchPart

SIGNS: dict[str, tuple[str, Callable[[Any, float], Any]]] = {
    ">": ("above", operator.gt),
    ">=": ("at least", operator.ge),
    "<=": ("at most", operator.le),
}
"""Sign of a limit, as Python and Excel write it → how it is said, and whether a number or an array keeps to it."""


@dataclass(frozen=True, slots=True)
class Range:
    """Which numbers make sense; anything else is an error of that one element."""

    minimum: float | None = None
    above: float | None = None
    maximum: float | None = None
    whole: bool = False

    @property
    def ends(self) -> tuple[tuple[str, float], ...]:
        """The ends that are stated, each after its sign: `((">=", 1), ("<=", 8))`."""
        signed = ((">", self.above), (">=", self.minimum), ("<=", self.maximum))
        return tuple((sign, bound) for sign, bound in signed if bound is not None)

    def problem(self, value: float) -> str | None:
        """What is wrong with a value, as `must be above 0`, or None."""
        for sign, bound in self.ends:
            words, keeps = SIGNS[sign]
            if not keeps(value, bound):
                return f"must be {words} {bound:g}"
        if self.whole and value != value // 1:
            return "must be a whole number"
        return None


@dataclass(frozen=True, slots=True)
class Input:
    """A number that the person who asks gives: batch, context, prompt.

    Without a default it must be given; nothing is invented.
    """

    name: str
    unit: str
    text: str
    default: float | None = None
    range: Range = Range()
    per_plan: bool = False
    """Whether it belongs to one candidate of a proposal (devices, parallel degrees) and not to all."""
    list_axis: bool = False
    """Whether a workbook shows results over a list of its numbers, and over a grid with the input that has a limit."""
    limit: str = ""
    """Node that says the largest number that a plan takes, such as `max_batch` for the batch: a proposal may ask
    for that number in words."""
    example: float | None = None
    """A usual number: example calls in the reference give it to every function that takes this argument."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """A number that a profile states and a call may override: efficiencies, overheads, prices.

    Where nobody states it the default counts; without one, what needs it is an error.
    """

    name: str
    unit: str
    text: str
    source: str
    default: float | None = None
    range: Range = Range()
    example: float | None = None
    """A usual number, as of an `Input`."""


@dataclass(frozen=True, slots=True)
class Role:
    """A catalogue record that a call chooses by id; its numbers appear as parameters `prefix + field`.

    Args:
        name: key in a call and in options: model, gpu, interconnect
        kind: kind of record
        text: what it is, for people
        prefix: put before the field's name, so that a second record of a kind can be told apart
        default: id taken when none is given
        follows: role whose record names this one in the given attribute (a device's own link)
        supplies: its numbers are no parameters of their own but values for the nodes of their names
            (a machine's price in place of the estimate)
        per_plan: it belongs to one candidate of a proposal and not to all
        example: id of a usual record, which example calls in the reference give
    """

    name: str
    kind: str
    text: str
    prefix: str = ""
    default: str | None = None
    follows: tuple[str, str] | None = None
    supplies: bool = False
    per_plan: bool = False
    example: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check comes to in words on a workbook's Summary, such as whether a plan fits.

    Args:
        check: name of the flag
        missing: node that says how much is missing where it does not hold
        text: what it is about
        holds: in words
        fails: in words, with a slot for how much is missing: `does not fit, {gb} GB missing`
        unit: how much one of what the slot tells is in the node's unit, `1e9` for GB
    """

    check: str
    missing: str
    text: str
    holds: str
    fails: str
    unit: float = 1

    @property
    def problem(self) -> str | None:
        """What is wrong with the declaration, or None."""
        if len(re.findall(r"\{\w+\}", self.fails)) != 1:
            return f"verdict on {self.check}: fails is {self.fails!r}; it has one slot, such as {{gb}}"
        return (
            None if self.unit > 0 else f"verdict on {self.check}: unit is {self.unit:g}; it must be above 0"
        )


@dataclass(frozen=True, slots=True)
class Alias:
    """A former name of a node, a role or a record: it works with a warning for two minor versions.

    Args:
        old: the former name or id
        new: what it is called now
        since: version of the plugin's distribution in which it was renamed, such as `0.4`
        kind: kind of record (`accelerator`, `model` …); none for nodes, options and roles
    """

    old: str
    new: str
    since: str
    kind: str = ""

    @property
    def until(self) -> str:
        """The version in which the old name stops working."""
        major, minor = _minor(self.since)
        return f"{major}.{minor + 2}"

    @property
    def text(self) -> str:
        """What to tell who still uses the old name."""
        what = f"{self.kind} " if self.kind else ""
        return f"{what}{self.old} is now {self.new} (since {self.since}); write {self.new}"

    @property
    def version_problem(self) -> str | None:
        """What is wrong with `since`, or None."""
        return None if _VERSION.match(self.since) else f"since is {self.since!r}; write a version such as 0.4"

    def expired(self, version: str) -> bool:
        """Whether the old name has stopped working in a version; a file has none and keeps it."""
        return bool(_VERSION.match(version)) and _minor(version) >= _minor(self.until)


_VERSION = re.compile(r"(\d+)\.(\d+)")


def _minor(version: str) -> tuple[int, int]:
    found = _VERSION.match(version)
    return (int(found[1]), int(found[2])) if found else (0, 0)


class At:
    """The same node under other inputs, declared as a parameter's default."""

    __slots__ = ("node", "under")

    def __init__(self, node: str, under: Mapping[str, str | float]) -> None:
        self.node, self.under = node, dict(under)


def at(node: str, /, **under: str | float) -> Any:
    """`at("decode_latency", context="final_context")`: that node with some inputs replaced.

    A replacement is the name of another node or role, or a number. The expansion gets rows of its
    own, named after the parameter: `last.decode_latency`.
    """
    return At(node, under)


def declaration_problem(item: Input | Assumption) -> str | None:
    """What is wrong with a declaration, or None; a dataclass takes anything."""
    texts = {"unit": item.unit, "text": item.text}
    if isinstance(item, Assumption):
        texts["source"] = item.source
    for name, value in texts.items():
        if not isinstance(value, str) or not value.strip():
            return f"{item.name}: {name} is {value!r}; say it in words"
    if not isinstance(item.range, Range):
        return f"{item.name}: range is {item.range!r}; write Range(minimum=0)"
    for name, number in {"default": item.default, "example": item.example}.items():
        problem = None if number is None else _number_problem(number, item.range)
        if problem:
            return f"{item.name}: {name} is {problem}"
    return None


def _number_problem(value: Any, range: Range) -> str | None:
    """A stated number and what is wrong with it, or None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return f"{value!r}; give a number"
    if not math.isfinite(value):
        return f"{value}; give a finite number"
    problem = range.problem(value)
    return f"{value:g}; it {problem}" if problem else None


Declaration = Input | Assumption | Role | Verdict | Alias | SearchPart


@dataclass(frozen=True, slots=True)
class Owner:
    """Who offers something: plugin name, distribution and version."""

    plugin: str
    distribution: str = ""
    version: str = ""
    replaced: str = field(default="", compare=False)

    def __str__(self) -> str:
        if not self.distribution:
            return self.plugin
        return f"{self.plugin} ({f'{self.distribution} {self.version}'.rstrip()})"
