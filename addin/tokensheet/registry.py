"""All that plugins offer, by name: formulas, declarations, records; who owns what, and what is broken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from tokensheet import choices, schema, search_kits, wellformed
from tokensheet.catalog import Catalog, clash
from tokensheet.checking import name_problem
from tokensheet.declare import Alias, Assumption, At, Input, Owner, Role, Verdict, declaration_problem
from tokensheet.errors import FormulaError, PluginError, UnknownNameError, hint
from tokensheet.former import Former, FormerNames
from tokensheet.formula import Formula
from tokensheet.goals import SearchPart
from tokensheet.offers import offered
from tokensheet.plugins import Plugins
from tokensheet.schema.base import Quantity, Record
from tokensheet.schema.profile import Profile
from tokensheet.units import Unit, parse

PROFILE = Role("profile", "profile", "set of assumptions", default="default")


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter that is a record's number: role `stage_interconnect`, field `bandwidth`."""

    name: str
    role: str
    field: str
    quantity: Quantity

    @property
    def unit(self) -> str:
        """Unit of the number."""
        return self.quantity.unit

    @property
    def text(self) -> str:
        """What the number says."""
        return self.quantity.text


OWN_DISTRIBUTION = "tokensheet"
"""The distribution whose formulas are proved by its own tests."""

Definition = Formula | Input | Assumption | Field


class Registry:
    """Names → definitions, roles and records of all loaded plugins.

    Args:
        plugins: that are loaded
        prefer: formula or id of a record → plugin whose it is, where several offer it
        profile: id of the assumption set when a question names none
    """

    def __init__(
        self, plugins: Plugins, prefer: Mapping[str, str] | None = None, profile: str | None = PROFILE.default
    ) -> None:
        self.plugins = plugins
        self.prefer = dict(prefer or {})
        self.problems: list[str] = [info.line for info in plugins.failed]
        self.nodes: dict[str, Definition] = {}
        self.owners: dict[str, Owner] = {}
        self.broken: dict[str, str] = {}
        self.roles: dict[str, Role] = {}
        self.verdicts: list[Verdict] = []
        self.former = FormerNames()
        self._former_ids: list[Former] = []
        self._catalogs: dict[str, Catalog] = {}
        self._add_role(replace(PROFILE, default=profile), Owner("tokensheet"))
        known = {info.name for info in plugins.infos}
        for key, name in self.prefer.items():
            if name not in known:
                self.problems.append(
                    f"settings: {key} is to be that of {name}: no such plugin{hint(name, known)}"
                )
        self._collect()
        self._unread: set[str] = set()
        self._check()

    # ---- what plugins offer

    def _offers(self, hook: str, wanted: tuple[type, ...]) -> Iterator[tuple[Any, Owner]]:
        return offered(self.plugins, hook, wanted, self._blame)

    def _blame(self, plugin: str, line: str) -> None:
        self.problems.append(line)
        self.plugins.fail(plugin, line.split(": ", 1)[1])

    def _collect(self) -> None:
        wanted = (Formula, Input, Assumption, Role, Verdict, Alias, SearchPart)
        offers = list(self._offers("tokensheet_formulas", wanted))
        parts = [offer for offer in offers if isinstance(offer[0], SearchPart)]
        verdicts = [offer for offer in offers if isinstance(offer[0], Verdict)]
        named = [offer for offer in offers if not isinstance(offer[0], SearchPart | Verdict)]
        taken, refused = choices.chosen(named, self.prefer)
        for item, owner in taken:
            if isinstance(item, Role):
                self._add_role(item, owner)
            elif not isinstance(item, Alias) and not choices.replaces(item):
                self._add(self.qualified(item.name, owner), item, owner)
        for item, owner in taken:
            if choices.replaces(item):
                self._replace(item, owner)
        for name in self.roles.keys() & self.owners.keys():
            owner = self.owners[name]
            self._break(name, owner, f"plugin {owner}: {name} is a role, which calls give an id; rename it")
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
            parts, names, lambda owner, line: self._blame(owner.plugin, f"plugin {owner}: {line}")
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
            self._blame(owner.plugin, f"plugin {owner}: {problem}")

    def _add_alias(self, alias: Alias, owner: Owner) -> None:
        former = Former(alias, owner)
        if alias.kind in schema.KINDS and alias.version_problem is None:
            self._former_ids.append(former)
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
            self._blame(owner.plugin, f"plugin {owner}: former name {alias.old} of {alias.new}: {problem}")

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
            self._break(key, owner, f"plugin {owner}: {problem}")
            return
        if key in self.owners:
            what = "formula" if isinstance(item, Formula) else "name"
            self._break(
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
            self._break(
                item.name,
                owner,
                f"plugin {owner}: formula {item.name} replaces {target}, which is not there{hint(target, self.owners)}",
            )
            return
        if before.replaced:
            self._break(target, owner, f"formula {target} is replaced by {before} and by {owner}; remove one")
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
            self._break(
                target,
                owner,
                f"plugin {owner}: {item.name} is {item.unit}, but {target}, which it replaces, is {old.unit}",
            )
            return
        self.nodes[target] = replace(item, name=target, cell=cell, optional=optional, checks=checks)
        self.owners[target] = replace(owner, replaced=str(before))

    def _break(self, key: str, owner: Owner, line: str) -> None:
        self.broken[key] = line
        self.nodes.pop(key, None)
        self.owners.setdefault(key, owner)
        self._blame(owner.plugin, line if line.startswith("plugin ") else f"plugin {owner}: {line}")

    def _add_role(self, role: Role, owner: Owner) -> None:
        if role.name in self.roles:
            self._blame(owner.plugin, f"plugin {owner}: role {role.name} is declared twice; rename one")
            return
        if role.kind not in schema.KINDS:
            self._blame(
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

    # ---- checks that need all names

    def unit(self, name: str) -> Unit:
        """The unit of a node."""
        return parse(self.nodes[name].unit)

    def formulas(self) -> dict[str, Formula]:
        """All sound formulas and checks by name."""
        return {n: d for n, d in self.nodes.items() if isinstance(d, Formula)}

    def parameters(self, name: str, formula: Formula) -> dict[str, str | At]:
        """Parameter → node name, or the `at(...)` that it is declared with."""
        owner = self.owners[name]
        found: dict[str, str | At] = {}
        for parameter in formula.body.parameters:
            default = formula.body.defaults.get(parameter)
            if isinstance(default, At):
                under = {
                    self.qualified(key, owner): self.qualified(value, owner)
                    if isinstance(value, str)
                    else value
                    for key, value in default.under.items()
                }
                found[parameter] = self.former.at(At(self.qualified(default.node, owner), under))
            else:
                found[parameter] = self.former.current(self.qualified(parameter, owner))
        return found

    def checks(self, name: str, formula: Formula) -> tuple[str, ...]:
        """Names of the checks that must hold before the formula has a result."""
        owner = self.owners[name]
        return tuple(self.former.current(self.qualified(checked, owner)) for checked in formula.checks)

    def _check(self) -> None:
        for name, item in list(self.nodes.items()):
            try:
                parse(item.unit)
            except ValueError as error:
                self._break(name, self.owners[name], f"plugin {self.owners[name]}: {item.name}: {error}")
            limit = item.limit if isinstance(item, Input) else ""
            if limit and limit not in self.nodes and limit not in self.broken:
                problem = f"{name}: its limit is {limit}: no such node{hint(limit, self.nodes)}"
                self._break(name, self.owners[name], f"plugin {self.owners[name]}: {problem}")
        owners = self.owners.values()
        if not any(owner.replaced for owner in owners):
            self._unread = {n for n in self.formulas() if self.owners[n].distribution == OWN_DISTRIBUTION}
        for name in self.formulas():
            if name not in self._unread:
                self._check_one(name)
        self._check_cycles()

    def _check_one(self, name: str) -> None:
        """Reads and checks one formula; a mistake makes it broken."""
        self._unread.discard(name)
        formula = self.nodes.get(name)
        if not isinstance(formula, Formula):
            return
        try:
            wellformed.check_formula(self, name, formula)
        except FormulaError as error:
            self._break(name, self.owners[name], f"plugin {self.owners[name]}: {error}")
        except ValueError as error:
            self._break(name, self.owners[name], f"plugin {self.owners[name]}: {name}: {error}")

    def check_all(self) -> list[str]:
        """Reads and checks every formula, also the program's own, and tells all problems.

        The program's own formulas are proved by its tests, so a process that answers one cell reads
        only those that it needs; a stranger's are all checked when plugins load.
        """
        for name in sorted(self._unread):
            self._check_one(name)
        self._check_cycles()
        return self.problems

    def _check_cycles(self) -> None:
        for name, circle in wellformed.circles(self, self._unread):
            self._break(
                name,
                self.owners[name],
                f"plugin {self.owners[name]}: formulas go in a circle: {circle}; break it with an input",
            )

    def definition(self, name: str) -> Definition:
        """The definition of a node.

        Raises:
            PluginError: the plugin that offers it made a mistake.
            UnknownNameError: there is none, with the nearest names.
        """
        if name in self._unread:
            self._check_one(name)
        found = self.nodes.get(name)
        if found is not None:
            return found
        if name in self.broken:
            raise PluginError(self.broken[name])
        raise UnknownNameError(
            f"nothing is called {name}{hint(name, (n for n in self.nodes if '.' not in n))}"
        )

    # ---- records

    def catalog(self, kind: str) -> Catalog:
        """All records of a kind, built when first asked for."""
        if kind not in self._catalogs:
            catalog = self._catalogs[kind] = Catalog(kind, self.prefer)
            for record, owner in self._offers(schema.HOOKS[kind], (schema.KINDS[kind],)):
                if isinstance(record, Profile) and not self.former.keys().isdisjoint(record.values):
                    record = record.model_copy(update={"values": self.former.mapping(record.values)})
                catalog.add(record, owner)
            catalog.decide()
            for former in self._former_ids:
                problem = catalog.add_former(former) if former.alias.kind == kind else None
                if problem:
                    self._blame(
                        former.owner.plugin,
                        f"plugin {former.owner}: former id {former.alias.old} of {former.alias.new}: {problem}",
                    )
            for key, owners in sorted(catalog.clashes.items()):
                self.problems.append(clash(kind, key, key, owners))
        return self._catalogs[kind]

    def record(self, kind: str, text: str) -> Record:
        """The record of an id or alias of one kind."""
        return self.catalog(kind).find(text).record

    def templates(self) -> list[tuple[Path, Owner]]:
        """Workbook recipes of all plugins."""
        return list(self._offers("tokensheet_templates", (Path,)))

    def texts(self) -> list[tuple[Path, Owner]]:
        """Tables of texts in other languages, of all plugins."""
        return list(self._offers("tokensheet_texts", (Path,)))

    @cached_property
    def places(self) -> frozenset[str]:
        """What may stand before the dot of an expanded node's key: parameters with `at`, and their formulas."""
        found = set()
        for name, formula in self.formulas().items():
            elsewhere = {p for p, target in self.parameters(name, formula).items() if isinstance(target, At)}
            found |= elsewhere | ({name} if elsewhere else set())
        return frozenset(found)

    @cached_property
    def per_plan(self) -> frozenset[str]:
        """Roles, inputs and formulas that belong to one candidate of a proposal and not to all."""
        roles = {name for name, role in self.roles.items() if role.per_plan}
        own = (Input, Formula)
        return frozenset(roles | {n for n, d in self.nodes.items() if isinstance(d, own) and d.per_plan})

    @cached_property
    def limits(self) -> dict[str, str]:
        """Inputs of which the largest number that a plan takes is known → the node that says it."""
        return {n: d.limit for n, d in self.nodes.items() if isinstance(d, Input) and d.limit in self.nodes}

    @cached_property
    def shaping(self) -> frozenset[str]:
        """Numbers of chosen records from which others of the same record follow."""
        nodes = self.nodes.items()
        return frozenset(n for n, d in nodes if isinstance(d, Field) and d.quantity.shapes)

    @cached_property
    def functions(self) -> dict[str, Formula]:
        """Functions in cells: name in capitals → formula."""
        return {n.upper(): f for n, f in sorted(self.formulas().items()) if f.cell is not None}


def _same_unit(one: str, other: str) -> bool:
    try:
        return parse(one) == parse(other)
    except ValueError:
        return True  # told of the unit itself
