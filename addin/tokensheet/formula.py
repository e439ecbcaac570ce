"""The `@formula` and `@check` decorators: a plain function with its unit, source and place in cells."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

from tokensheet.reading import Body, read
from tokensheet.swift import Swift, swift


@dataclass(frozen=True)
class Formula:
    """A planning formula. Calling it runs the function itself.

    `unit`, `source`, `cell` and `checks` are as given to `@formula`; `message` is set for checks only.
    """

    function: Callable[..., Any]
    name: str
    unit: str
    source: str
    cell: tuple[str, ...] | None = None
    optional: frozenset[str] = frozenset()
    checks: tuple[str, ...] = ()
    replaces: str | None = None
    title: str = ""
    message: str = ""
    warning: bool = False
    per_plan: bool = False
    headline: bool = False
    example: float | None = None
    example_with: Mapping[str, str | float] = field(default_factory=dict, hash=False)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function's own answer, for plain floats."""
        return self.function(*args, **kwargs)

    @cached_property
    def body(self) -> Body:
        """Parameters, steps and result as trees, read from the source once."""
        return read(self.function)

    @cached_property
    def swift(self) -> Swift:
        """The body compiled, for whoever calculates it many times."""
        return swift(self.body)

    @property
    def text(self) -> str:
        """The whole docstring, dedented."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """What the result is: the docstring's first paragraph in one line, at most 255 characters."""
        first = self.text.split("\n\n")[0].replace("\n", " ").strip()
        return first if len(first) <= 255 else first[:254] + "…"

    @property
    def label(self) -> str:
        """What people call it in a workbook."""
        return self.title or self.name.replace("_", " ").strip().capitalize()

    @property
    def module(self) -> str:
        """The module that defines it."""
        return self.function.__module__


def formulas_of(*modules: ModuleType) -> list[Formula]:
    """The formulas that modules define, in the order in which they stand there; those they import are others'."""
    return [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Formula) and value.module == module.__name__
    ]


_ARGUMENT = re.compile(r"\[?\s*([a-z_][a-z0-9_]*)\s*\]?\Z")


def _signature(cell: str, name: str) -> tuple[tuple[str, ...], frozenset[str]]:
    arguments: list[str] = []
    optional: set[str] = set()
    for part in cell.split(","):
        found = _ARGUMENT.match(part.strip())
        if not found or (("[" in part) != ("]" in part)):
            raise ValueError(
                f'{name}: cell="{cell}" cannot be read; write it as "model, context, [batch], [options]"'
            )
        if "[" in part:
            optional.add(found[1])
        elif optional:
            raise ValueError(f'{name}: cell="{cell}" has {found[1]} required after an optional argument')
        arguments.append(found[1])
    return tuple(arguments), frozenset(optional)


def formula(
    *,
    unit: str,
    source: str,
    cell: str | None = None,
    checks: tuple[str, ...] = (),
    replaces: str | None = None,
    title: str = "",
    per_plan: bool = False,
    headline: bool = False,
    example: float | None = None,
    example_with: Mapping[str, str | float] | None = None,
) -> Callable[[Callable[..., Any]], Formula]:
    """Makes a planning formula of a plain function of numbers.

    Args:
        unit: of the result, such as `byte/second`; counts and shares are `1`, yes or no is `flag`
        source: where the formula stands
        cell: arguments as a function in cells, `"model, gpu, [batch], [options]"`; none: no function
        checks: names of checks that must hold before there is a result
        replaces: name of the formula of another plugin that this one stands in for
        title: label in workbooks; the name in words by default
        per_plan: a proposal's candidates may each state a number for it, such as a parallel degree
        headline: what planners ask first: a workbook offers it as a function of its own for Excel 365
        example: a usual number, for example calls of functions that take the result as an argument
        example_with: arguments and options of its own example call, beside those that its arguments declare
            for examples or in place of them
    """

    def make(function: Callable[..., Any]) -> Formula:
        arguments, optional = _signature(cell, function.__name__) if cell else (None, frozenset[str]())
        name = function.__name__
        return Formula(
            function,
            name,
            unit,
            source,
            arguments,
            optional,
            checks,
            replaces,
            title,
            per_plan=per_plan,
            headline=headline,
            example=example,
            example_with=example_with or {},
        )

    return make


def check(
    *, message: str, source: str, warning: bool = False, title: str = ""
) -> Callable[[Callable[..., Any]], Formula]:
    """Makes a check of a function that gives 1 when the plan is sound and 0 when not.

    Args:
        message: what to tell when it is 0; `{name}` is a node's value, `{name:GiB}` in a unit for people
        source: why the check is made
        warning: whether the result stands all the same
        title: label in workbooks
    """

    def make(function: Callable[..., Any]) -> Formula:
        return Formula(
            function, function.__name__, "flag", source, title=title, message=message, warning=warning
        )

    return make
