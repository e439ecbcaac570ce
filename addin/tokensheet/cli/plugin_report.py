"""`tokensheet plugins`: what is there, what each plugin offers, what failed and why, and how to add one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tokensheet import schema, settings
from tokensheet.cli.listing import table
from tokensheet.formula import Formula
from tokensheet.installation import Installation, shared_files
from tokensheet.planning import Planner
from tokensheet.plugins import PluginInfo

TITLES = ("name", "distribution", "version", "state", "offers")


def report(planner: Planner, installation: Installation | None = None) -> str:
    """The whole page for the terminal; problems are told by the caller."""
    place = installation or Installation()
    counted = offers(planner)
    infos = planner.registry.plugins.infos
    lines = [table(TITLES, [[*_row(i), _said(i, counted.get(i.name, {}))] for i in infos])]
    lines += replaced(planner)
    file = settings.path()
    lines += [
        f"interpreter: {place.interpreter} ({place.tool})",
        f"add a plugin: {place.command('NAME')}",
        f"settings: {file}{'' if file.exists() else ' (not there)'}",
    ]
    return "\n".join(lines)


def offers(planner: Planner) -> dict[str, Counter[str]]:
    """Plugin → how many formulas and records of each kind it offers; reads all catalogues."""
    registry = planner.registry
    found: dict[str, Counter[str]] = {}
    for name, owner in registry.owners.items():
        if isinstance(registry.nodes.get(name), Formula):
            found.setdefault(owner.plugin, Counter())["formula"] += 1
    for kind in schema.KINDS:
        for entry in registry.catalog(kind):
            found.setdefault(entry.owner.plugin, Counter())[kind] += 1
    return found


def replaced(planner: Planner) -> list[str]:
    """A line for each formula that stands in for another plugin's."""
    owners = planner.registry.owners
    return [
        f"replaced formula: {name} by {owner}, in place of {owner.replaced}"
        for name, owner in sorted(owners.items())
        if owner.replaced
    ]


def warnings(planner: Planner) -> list[str]:
    """What may go wrong later though nothing has failed."""
    return shared_files(i.distribution for i in planner.registry.plugins.infos if i.distribution)


def _row(info: PluginInfo) -> tuple[str, str, str, str]:
    return info.name, info.distribution, info.version, info.state


def _said(info: PluginInfo, counted: Mapping[str, int]) -> str:
    parts = [f"{n} {kind}{'s' if n != 1 else ''}" for kind, n in sorted(counted.items())]
    reason = info.reason.split("\n")[0]
    return "; ".join(filter(None, [", ".join(parts), reason]))
