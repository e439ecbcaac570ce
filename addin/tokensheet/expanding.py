"""Makes the graph of a question: resolves parameter names from the asked outputs downwards.

A node declared with `at(...)` is expanded again under its replacements; what the replacements do not touch is shared.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tokensheet.declare import SIGNS, Assumption, At, Input
from tokensheet.definition import Definition, Field
from tokensheet.errors import PlanError
from tokensheet.formula import Formula
from tokensheet.graph import Graph, Inner, Leaf, bounds
from tokensheet.registry import Registry


@dataclass(frozen=True)
class _Scope:
    prefix: str = ""
    parent: _Scope | None = None
    under: Mapping[str, str | float] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)

    def key(self, name: str) -> str:
        return f"{self.prefix}.{name}" if self.prefix else name


def expand(
    registry: Registry,
    outputs: Iterable[str],
    pinned: Iterable[str] = (),
    given_roles: Iterable[str] = (),
    linked: Mapping[str, str] | None = None,
) -> Graph:
    """The graph from which the outputs are calculated.

    Args:
        registry: all definitions
        outputs: names of nodes, or keys such as `last.decode_latency`
        pinned: names or keys whose value is given; all expansions of a name take it
        given_roles: roles chosen by the call, which no longer follow another record
        linked: input name → node name whose result it takes (`batch` → `max_batch`)

    Raises:
        TokensheetError: an output is not known or broken, or a link goes in a circle.
    """
    return _Expansion(registry, frozenset(pinned), frozenset(given_roles), linked or {}).graph(tuple(outputs))


class _Expansion:
    def __init__(
        self, registry: Registry, pinned: frozenset[str], given: frozenset[str], linked: Mapping[str, str]
    ) -> None:
        self.registry, self.pinned, self.given, self.linked = registry, pinned, given, linked
        self.nodes: dict[str, Leaf | Inner] = {}
        self.open: list[str] = []
        self.closures: dict[str, frozenset[str]] = {}
        self.scopes: dict[str, _Scope] = {}
        self.messages: dict[str, dict[str, str | float]] = {}
        self.base = _Scope()

    def graph(self, outputs: tuple[str, ...]) -> Graph:
        keys = []
        for output in outputs:
            key = self.resolve(output, self.base)
            assert isinstance(key, str)
            keys.append(key)
        return Graph(self.nodes, tuple(keys), self.messages)

    def closure(self, name: str) -> frozenset[str]:
        """Every name and role that a node's value may depend on, itself included."""
        if name not in self.closures:
            found = {name}
            definition = self.registry.definition(name)
            if name in self.pinned:
                pass
            elif isinstance(definition, Field):
                found |= self.role_closure(definition.role)
            elif isinstance(definition, Formula):
                for target in self.registry.parameters(name, definition).values():
                    if isinstance(target, At):
                        found |= self.closure(target.node) - set(target.under)
                        for value in target.under.values():
                            if isinstance(value, str):
                                found |= {value} if value in self.registry.roles else self.closure(value)
                    else:
                        found |= self.closure(target)
                for checked in self.registry.checks(name, definition):
                    found |= self.closure(checked)
            self.closures[name] = frozenset(found)
        return self.closures[name]

    def role_closure(self, role: str) -> set[str]:
        found = {role}
        follows = self.registry.roles[role].follows
        if follows and role not in self.given:
            found |= self.role_closure(follows[0])
        return found

    def resolve(self, name: str, scope: _Scope) -> str | float:
        """The key of a name as seen from a scope, defining the node when it is new."""
        while scope.parent is not None:
            if name in scope.under:
                return scope.under[name]
            if self.closure(name) & (set(scope.under) | set(scope.roles)):
                break
            scope = scope.parent
        key = scope.key(name)
        if key not in self.nodes:
            self.define(key, name, scope)
        return key

    def define(self, key: str, name: str, scope: _Scope) -> None:
        if key in self.open:
            circle = " → ".join([*self.open[self.open.index(key) :], key])
            raise PlanError(f"{key} is calculated from itself: {circle}; give one of them as a number")
        definition = self.registry.definition(name)
        if key in self.pinned or name in self.pinned or isinstance(definition, Input | Assumption):
            if scope.parent is None and name in self.linked and name not in self.pinned:
                self.open.append(key)
                target = self.resolve(self.linked[name], scope)
                self.open.pop()
                ranges = self.bounded(key, name, definition, target)
                alias = Formula(_same, name, definition.unit, "taken from another result")
                self.nodes[key] = Inner(key, name, alias, {"value": target}, ranges, "")
                return
            self.nodes[key] = Leaf(key, name, definition)
            return
        if isinstance(definition, Field):
            self.nodes[key] = Leaf(key, name, definition, self.role_of(definition.role, scope))
            return
        assert isinstance(definition, Formula)
        self.open.append(key)
        wires: dict[str, str | float] = {}
        for parameter, source in self.registry.parameters(name, definition).items():
            if isinstance(source, At):
                wires[parameter] = self.resolve(source.node, self.inside(name, parameter, source, scope))
            else:
                wires[parameter] = self.resolve(source, scope)
        checks = []
        for checked in self.registry.checks(name, definition):
            found = self.resolve(checked, scope)
            if isinstance(found, str):
                checks.append(found)
        if definition.message:
            words = re.findall(r"\{([a-z_0-9.]+)(?::[^}]*)?\}", definition.message)
            self.messages[key] = {w: self.word(w, wires, scope) for w in words}
        self.open.pop()
        self.nodes[key] = Inner(key, name, definition, wires, tuple(checks), scope.prefix)

    def bounded(self, key: str, name: str, definition: Definition, target: str | float) -> tuple[str, ...]:
        """Checks that a result which an input takes is in the input's range, as a given number must be."""
        allowed = bounds(definition)
        tests: list[tuple[str, str, Callable[..., float], dict[str, float]]] = [
            (SIGNS[sign][0], f"{SIGNS[sign][0]} {bound:g}", _WITHIN[sign], {"bound": bound})
            for sign, bound in allowed.ends
        ]
        if allowed.whole:
            tests.append(("whole", "a whole number", _is_whole, {}))
        found = []
        for word, words, function, wires in tests:
            check = Formula(
                function,
                f"{name}_{word.replace(' ', '_')}",
                "flag",
                f"range of {name}",
                title=f"{name} taken from {target} is {words}",
                message=f"{name} is taken from {target}, which is {{value}}; it must be {words}",
            )
            place = f"{key}.{check.name}"
            self.nodes[place] = Inner(place, check.name, check, {"value": target, **wires}, (), "")
            self.messages[place] = {"value": target}
            found.append(place)
        return tuple(found)

    def word(self, word: str, wires: Mapping[str, str | float], scope: _Scope) -> str | float:
        """What a name in a check's message means: a parameter, a role's record, or another node."""
        if word in wires:
            return wires[word]
        return self.role_of(word, scope) if word in self.registry.roles else self.resolve(word, scope)

    def inside(self, name: str, parameter: str, target: At, scope: _Scope) -> _Scope:
        prefix = scope.key(parameter)
        under: dict[str, str | float] = {}
        roles: dict[str, str] = {}
        for key, value in target.under.items():
            if key in self.registry.roles and isinstance(value, str):
                roles[key] = self.role_of(value, scope)
            elif isinstance(value, str):
                under[key] = self.resolve(value, scope)
            else:
                under[key] = float(value)
        inner = _Scope(prefix, scope, under, roles)
        known = self.scopes.get(prefix)
        if known is not None and (known.under, known.roles) != (under, roles):
            prefix = scope.key(f"{name}.{parameter}")
            inner = _Scope(prefix, scope, under, roles)
        self.scopes[prefix] = inner
        return inner

    def role_of(self, role: str, scope: _Scope) -> str:
        """Which record a role means in a scope: a role's name, or `owner>attribute` when it follows one."""
        current: _Scope | None = scope
        while current is not None:
            if role in current.roles:
                return current.roles[role]
            current = current.parent
        follows = self.registry.roles[role].follows
        if follows and role not in self.given:
            owner = self.role_of(follows[0], scope)
            return f"{owner}>{follows[1]}"
        return role


def _same(value: float) -> float:
    """The value of another node."""
    return value


def _above(value: float, bound: float) -> float:
    """1 when a value is above a bound."""
    return value > bound


def _at_least(value: float, bound: float) -> float:
    """1 when a value is not below a bound."""
    return value >= bound


def _at_most(value: float, bound: float) -> float:
    """1 when a value is not above a bound."""
    return value <= bound


def _is_whole(value: float) -> float:
    """1 when a value is a whole number."""
    return value == math.floor(value)


_WITHIN: dict[str, Callable[..., float]] = {">": _above, ">=": _at_least, "<=": _at_most}
