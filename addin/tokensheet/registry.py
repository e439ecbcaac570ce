"""All that plugins offer, looked up by name: definitions, each checked among all others, and the records behind them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from tokensheet import schema, wellformed
from tokensheet.catalog import Catalog, clash
from tokensheet.declare import At, Input, Owner
from tokensheet.definition import Definition, Field
from tokensheet.errors import FormulaError, PluginError, UnknownNameError, hint
from tokensheet.formula import Formula
from tokensheet.plugins import Plugins
from tokensheet.schema.base import Record
from tokensheet.schema.profile import Profile
from tokensheet.settling import PROFILE, Settled
from tokensheet.units import Unit, parse

OWN_DISTRIBUTION = "tokensheet"
"""The distribution whose formulas are proved by its own tests."""


class Registry(Settled):
    """Names → definitions, roles and records of all loaded plugins.

    Args:
        plugins: that are loaded
        prefer: formula or id of a record → plugin whose it is, where several offer it
        profile: id of the assumption set when a question names none
    """

    def __init__(
        self, plugins: Plugins, prefer: Mapping[str, str] | None = None, profile: str | None = PROFILE.default
    ) -> None:
        super().__init__(plugins, prefer, profile)
        self._catalogs: dict[str, Catalog] = {}
        self._unread: set[str] = set()
        self._check()

    # ---- checks that need all names

    def unit(self, name: str) -> Unit:
        """The unit of a node."""
        return parse(self.nodes[name].unit)

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
                self.break_name(name, self.owners[name], f"plugin {self.owners[name]}: {item.name}: {error}")
            limit = item.limit if isinstance(item, Input) else ""
            if limit and limit not in self.nodes and limit not in self.broken:
                problem = f"{name}: its limit is {limit}: no such node{hint(limit, self.nodes)}"
                self.break_name(name, self.owners[name], f"plugin {self.owners[name]}: {problem}")
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
            self.break_name(name, self.owners[name], f"plugin {self.owners[name]}: {error}")
        except ValueError as error:
            self.break_name(name, self.owners[name], f"plugin {self.owners[name]}: {name}: {error}")

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
            self.break_name(
                name,
                self.owners[name],
                f"plugin {self.owners[name]}: formulas go in a circle: {circle}; break it with an input",
            )

    @property
    def known(self) -> set[str]:
        """Names that a call may give: nodes and roles, without what is a plugin's own."""
        return {name for name in self.nodes if "." not in name} | set(self.roles)

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
            for record, owner in self.brought(schema.HOOKS[kind], (schema.KINDS[kind],)):
                if isinstance(record, Profile) and not self.former.keys().isdisjoint(record.values):
                    record = record.model_copy(update={"values": self.former.mapping(record.values)})
                catalog.add(record, owner)
            catalog.decide()
            for former in self.former_ids:
                problem = catalog.add_former(former) if former.alias.kind == kind else None
                if problem:
                    self.blame(
                        former.owner.plugin,
                        f"plugin {former.owner}: former id {former.alias.old} of {former.alias.new}: {problem}",
                    )
            for key, owners in sorted(catalog.clashes.items()):
                self.problems.append(clash(kind, key, key, owners))
        return self._catalogs[kind]

    def record(self, kind: str, text: str) -> Record:
        """The record of an id or alias of one kind."""
        return self.catalog(kind).find(text).record

    def kind_named(self, attribute: str) -> str:
        """Kind of the record that others name in an attribute: `link` of a device is a link."""
        return next(r.kind for r in self.roles.values() if r.follows and r.follows[1] == attribute)

    def templates(self) -> list[tuple[Path, Owner]]:
        """Workbook recipes of all plugins."""
        return list(self.brought("tokensheet_templates", (Path,)))

    def texts(self) -> list[tuple[Path, Owner]]:
        """Tables of texts in other languages, of all plugins."""
        return list(self.brought("tokensheet_texts", (Path,)))

    @cached_property
    def scopes(self) -> frozenset[str]:
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
    def of_records(self) -> dict[str, tuple[str, str]]:
        """Numbers that a call states of a chosen record → its role and field: shaping ones, and those without a node.

        A number has no node where a formula has its name: `memory_bytes` beside a device is the device's memory.
        """
        fields = ((n, self.nodes[n]) for n in sorted(self.shaping))
        found = {n: (d.role, d.field) for n, d in fields if isinstance(d, Field)}
        for role in self.roles.values():
            for field, mark in schema.KINDS[role.kind].quantities().items():
                if not (mark.in_formulas or mark.derived or role.supplies):
                    found.setdefault(role.prefix + field, (role.name, field))
        return found

    @cached_property
    def functions(self) -> dict[str, Formula]:
        """Functions in cells: name in capitals → formula."""
        return {n.upper(): f for n, f in sorted(self.formulas().items()) if f.cell is not None}
