"""The graph of one question: nodes in the order of calculation, leaves bound to records, inputs, assumptions.

`expand` resolves parameter names from the asked outputs downwards. A node declared with `at(...)` is
expanded again under its replacements; what the replacements do not touch is shared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tokensheet.declare import Assumption, At, Input, Range
from tokensheet.errors import PlanError
from tokensheet.formula import Formula
from tokensheet.registry import Definition, Field, Registry
from tokensheet.tree import strict_names


def bounds(definition: Definition) -> Range:
    """Which numbers may be given for a node: as declared; a fact or result that is stated is not negative."""
    return definition.range if isinstance(definition, Input | Assumption) else Range(minimum=0)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number that is given: by the call, a profile, an assumption's default, or a record.

    `role` names the record's role; `gpu>link` is the record that the gpu's `link` names.
    """

    key: str
    name: str
    definition: Definition
    role: str = ""


@dataclass(frozen=True, slots=True)
class Inner:
    """A formula under one set of replacements: parameter → key of a node, or a literal number."""

    key: str
    name: str
    formula: Formula
    wires: Mapping[str, str | float]
    checks: tuple[str, ...]
    scope: str


@dataclass(frozen=True)
class Graph:
    """Nodes in the order of calculation, and the keys of the asked outputs."""

    nodes: Mapping[str, Leaf | Inner]
    outputs: tuple[str, ...]
    messages: Mapping[str, Mapping[str, str | float]]
    """For each check: the names in its message → keys."""

    @property
    def leaves(self) -> list[Leaf]:
        """The given numbers, in order of first use."""
        return [n for n in self.nodes.values() if isinstance(n, Leaf)]

    @property
    def inner(self) -> list[Inner]:
        """The formulas, each after what it reads."""
        return [n for n in self.nodes.values() if isinstance(n, Inner)]

    def needed(self, output: str | None = None) -> set[str]:
        """Keys that an output's value (or all outputs') is calculated from; what only warnings read is left out."""
        seen: set[str] = set()
        todo = list(self.outputs) if output is None else [output]
        while todo:
            current = todo.pop()
            if current in seen:
                continue
            seen.add(current)
            node = self.nodes[current]
            if isinstance(node, Inner):
                todo += [w for w in node.wires.values() if isinstance(w, str)]
                todo += [c for c in node.checks if not self.is_warning(c)]
        return seen

    def is_warning(self, key: str) -> bool:
        """Whether a key is a check that only warns."""
        node = self.nodes[key]
        return isinstance(node, Inner) and node.formula.warning

    def surely(self, key: str) -> set[str]:
        """Keys that are read whatever branches the conditionals take."""
        seen: set[str] = set()
        todo = [key]
        while todo:
            current = todo.pop()
            if current in seen:
                continue
            seen.add(current)
            node = self.nodes[current]
            if isinstance(node, Inner):
                read = strict_names(node.formula.body.result)
                for step in reversed(node.formula.body.steps):
                    if step.name in read:
                        read |= strict_names(step.tree)
                todo += [w for p in read if isinstance(w := node.wires.get(p), str)]
                todo += [c for c in node.checks if not self.is_warning(c)]
        return seen


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
        bounds = definition.range if isinstance(definition, Input | Assumption) else Range()
        found = []
        for word, (function, bound) in {
            "above": (_above, bounds.above),
            "at least": (_at_least, bounds.minimum),
            "at most": (_at_most, bounds.maximum),
        }.items():
            if bound is not None:
                check = Formula(
                    function,
                    f"{name}_{word.replace(' ', '_')}",
                    "flag",
                    f"range of {name}",
                    title=f"{name} taken from {target} is {word} {bound:g}",
                    message=f"{name} is taken from {target}, which is {{value}}; it must be {word} {bound:g}",
                )
                place = f"{key}.{check.name}"
                self.nodes[place] = Inner(place, check.name, check, {"value": target, "bound": bound}, (), "")
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
