"""What formulas read besides each other: inputs of the scenario, assumptions, and chosen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Range:
    """Which numbers make sense; anything else is an error of that one element."""

    minimum: float | None = None
    above: float | None = None
    maximum: float | None = None
    whole: bool = False

    def problem(self, value: float) -> str | None:
        """What is wrong with a value, as `must be above 0`, or None."""
        if self.above is not None and not value > self.above:
            return f"must be above {self.above:g}"
        if self.minimum is not None and not value >= self.minimum:
            return f"must be at least {self.minimum:g}"
        if self.maximum is not None and not value <= self.maximum:
            return f"must be at most {self.maximum:g}"
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


@dataclass(frozen=True, slots=True)
class Assumption:
    """A number that a profile states and a call may override: efficiencies, overheads, prices.

    Precedence: the call, then the profile, then this default. Without any, what needs it is an error.
    """

    name: str
    unit: str
    text: str
    source: str
    default: float | None = None
    range: Range = Range()


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
    """

    name: str
    kind: str
    text: str
    prefix: str = ""
    default: str | None = None
    follows: tuple[str, str] | None = None
    supplies: bool = False


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


Declaration = Input | Assumption | Role


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
        return f"{self.plugin} ({self.distribution} {self.version})"
