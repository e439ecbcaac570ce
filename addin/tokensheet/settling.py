"""Whose each name is: what plugins bring is settled into one owner a name; a name that cannot be is broken, with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tokensheet import preferred, schema, search_kits
from tokensheet.brought import brought
from tokensheet.checking import name_problem
from tokensheet.declare import Alias, Assumption, Input, Owner, Role, Verdict, declaration_problem
from tokensheet.definition import Definition, Field
from tokensheet.errors import hint
from tokensheet.former import Former, FormerNames
from tokensheet.formula import Formula
from tokensheet.goals import SearchPart
from tokensheet.plugins import Plugins
from tokensheet.units import parse

PROFILE = Role("profile", "profile", "set of assumptions", default="default")


class Settled:
    """Formulas, declarations and roles of all loaded plugins by name, before their texts are read.

    Args:
        plugins: that are loaded
        prefer: formula or id of a record → plugin whose it is, where several bring it
        profile: id of the assumption set when a question names none

    Attributes:
        nodes: name → definition
        owners: name → who brings it, broken or not
        broken: name → why nothing is called so
        roles: name → role; its record's numbers are nodes
        problems: a line for each mistake of a plugin
    """

    def __init__(self, plugins: Plugins, prefer: Mapping[str, str] | None, profile: str | None) -> None:
        self.plugins = plugins
        self.prefer = dict(prefer or {})
        self.problems: list[str] = [info.line for info in plugins.failed]
        self.nodes: dict[str, Definition] = {}
        self.owners: dict[str, Owner] = {}
        self.broken: dict[str, str] = {}
        self.roles: dict[str, Role] = {}
        self.verdicts: list[Verdict] = []
        self.former = FormerNames()
        self.former_ids: list[Former] = []
        self._add_role(replace(PROFILE, default=profile), Owner("tokensheet"))
        known = {info.name for info in plugins.infos}
        for key, name in self.prefer.items():
            if name not in known:
                self.problems.append(
                    f"settings: {key} is to be that of {name}: no such plugin{hint(name, known)}"
                )
        self._collect()

    def brought(self, hook: str, wanted: tuple[type, ...]) -> Iterator[tuple[Any, Owner]]:
        """Items of the wanted types that plugins bring through a hook, each with its owner."""
        return brought(self.plugins, hook, wanted, self.blame)

    def blame(self, plugin: str, line: str) -> None:
        """Tells a problem and marks the plugin that has it."""
        self.problems.append(line)
        self.plugins.fail(plugin, line.split(": ", 1)[1])

    def _collect(self) -> None:
        wanted = (Formula, Input, Assumption, Role, Verdict, Alias, SearchPart)
        items = list(self.brought("tokensheet_formulas", wanted))
        parts = [item for item in items if isinstance(item[0], SearchPart)]
        verdicts = [item for item in items if isinstance(item[0], Verdict)]
        named = [item for item in items if not isinstance(item[0], SearchPart | Verdict)]
        taken, refused = preferred.preferred(named, self.prefer)
        for item, owner in taken:
            if isinstance(item, Role):
                self._add_role(item, owner)
            elif not isinstance(item, Alias) and not preferred.replaces(item):
                self._add(self.qualified(item.name, owner), item, owner)
        for item, owner in taken:
            if preferred.replaces(item):
                self._replace(item, owner)
        for name in self.roles.keys() & self.owners.keys():
            owner = self.owners[name]
            self.break_name(
                name, owner, f"plugin {owner}: {name} is a role, which calls give an id; rename it"
            )
        for name, line in refused.items():
            self.nodes.pop(name, None)
            self.broken[name] = line
            self.problems.append(line)
        for item, owner in taken:
            if isinstance(item, Alias):
                self._add_alias(item, owner)
        if self.former:
            self._rename_arguments()
        names = {*self.nodes, *self.broken, *self.roles}
        for verdict, owner in verdicts:
            self._add_verdict(verdict, owner, names)
        self.searches = search_kits.kits(
            parts, names, lambda owner, line: self.blame(owner.plugin, f"plugin {owner}: {line}")
        )

    def _add_verdict(self, verdict: Verdict, owner: Owner, names: set[str]) -> None:
        unknown = [name for name in (verdict.check, verdict.missing) if name not in names]
        problem = verdict.problem
        if unknown:
            problem = f"verdict on {verdict.check}: nothing is called {unknown[0]}{hint(unknown[0], names)}"
        elif verdict.check in {known.check for known in self.verdicts}:
            problem = f"verdict on {verdict.check} is declared twice; remove one"
        if problem is None:
            self.verdicts.append(verdict)
        else:
            self.blame(owner.plugin, f"plugin {owner}: {problem}")

    def _add_alias(self, alias: Alias, owner: Owner) -> None:
        former = Former(alias, owner)
        if alias.kind in schema.KINDS and alias.version_problem is None:
            self.former_ids.append(former)
            return
        names = {*self.nodes, *self.broken, *self.roles}
        problem = alias.version_problem or name_problem(alias.old)
        if alias.kind:
            problem = f"no kind named {alias.kind}{hint(alias.kind, schema.KINDS)}"
        elif problem is None and alias.new not in names:
            problem = f"nothing is called {alias.new}{hint(alias.new, names)}"
        elif problem is None and (alias.old in names or alias.old in self.former):
            problem = f"{alias.old} is there"
        if problem is None:
            self.former[alias.old] = former
        else:
            self.blame(owner.plugin, f"plugin {owner}: former name {alias.old} of {alias.new}: {problem}")

    def _rename_arguments(self) -> None:
        """Arguments of functions in cells, under the names that hold now."""
        for name, formula in self.formulas().items():
            if formula.cell is not None and not self.former.keys().isdisjoint(formula.cell):
                self.nodes[name] = replace(
                    formula,
                    cell=tuple(map(self.former.current, formula.cell)),
                    optional=frozenset(map(self.former.current, formula.optional)),
                )

    @staticmethod
    def qualified(name: str, owner: Owner) -> str:
        """A private name is its plugin's own."""
        return f"{owner.plugin}.{name}" if name.startswith("_") else name

    def _add(self, key: str, item: Definition, owner: Owner) -> None:
        problem = name_problem(item.name, function=isinstance(item, Formula) and item.cell is not None)
        if problem is None and isinstance(item, Input | Assumption):
            problem = declaration_problem(item)
        if problem:
            self.break_name(key, owner, f"plugin {owner}: {problem}")
            return
        if key in self.owners:
            what = "formula" if isinstance(item, Formula) else "name"
            self.break_name(
                key,
                owner,
                f"{what} {key} is offered by {self.owners[key]} and by {owner}; remove or rename one, or say replaces={key!r}",
            )
            return
        self.nodes[key], self.owners[key] = item, owner

    def _replace(self, item: Formula, owner: Owner) -> None:
        target = str(item.replaces)
        before = self.owners.get(target)
        if before is None:
            self.break_name(
                item.name,
                owner,
                f"plugin {owner}: formula {item.name} replaces {target}, which is not there{hint(target, self.owners)}",
            )
            return
        if before.replaced:
            self.break_name(
                target, owner, f"formula {target} is replaced by {before} and by {owner}; remove one"
            )
            return
        old = self.nodes.get(target)
        self.broken.pop(target, None)  # a clash is settled by the explicit choice
        cell, optional, checks = item.cell, item.optional, item.checks
        if isinstance(old, Formula):
            if cell is None:
                cell, optional = old.cell, old.optional
            usual = old.example if item.example is None else item.example
            item = replace(item, example=usual, example_with={**old.example_with, **item.example_with})
            kept = (self.qualified(checked, before) for checked in old.checks)
            checks = tuple(dict.fromkeys((*kept, *item.checks)))
        if old is not None and not _same_unit(item.unit, old.unit):
            self.break_name(
                target,
                owner,
                f"plugin {owner}: {item.name} is {item.unit}, but {target}, which it replaces, is {old.unit}",
            )
            return
        self.nodes[target] = replace(item, name=target, cell=cell, optional=optional, checks=checks)
        self.owners[target] = replace(owner, replaced=str(before))

    def break_name(self, key: str, owner: Owner, line: str) -> None:
        """Takes a name out of use: what needs it is an error that says why."""
        self.broken[key] = line
        self.nodes.pop(key, None)
        self.owners.setdefault(key, owner)
        self.blame(owner.plugin, line if line.startswith("plugin ") else f"plugin {owner}: {line}")

    def _add_role(self, role: Role, owner: Owner) -> None:
        if role.name in self.roles:
            self.blame(owner.plugin, f"plugin {owner}: role {role.name} is declared twice; rename one")
            return
        if role.kind not in schema.KINDS:
            self.blame(
                owner.plugin,
                f"plugin {owner}: role {role.name} is of unknown kind {role.kind}{hint(role.kind, schema.KINDS)}",
            )
            return
        self.roles[role.name] = role
        for field, mark in schema.KINDS[role.kind].quantities().items():
            if not mark.in_formulas or role.supplies:
                continue
            name = role.prefix + field
            self._add(name, Field(name, role.name, field, mark), owner)

    def formulas(self) -> dict[str, Formula]:
        """All sound formulas and checks by name."""
        return {n: d for n, d in self.nodes.items() if isinstance(d, Formula)}


def _same_unit(one: str, other: str) -> bool:
    try:
        return parse(one) == parse(other)
    except ValueError:
        return True  # told of the unit itself
