"""All checks in one go: `tokensheet doctor`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tokensheet.desktop.checks import addin, libreoffice, python, settings, trust
from tokensheet.desktop.excel import Excel
from tokensheet.desktop.findings import ERROR, LEVELS, Finding
from tokensheet.desktop.machine import Machine, Seen


@dataclass(frozen=True)
class Report:
    """What was looked at and what was found."""

    facts: dict[str, Any]
    findings: list[Finding]

    @property
    def failed(self) -> bool:
        """Whether something will not work."""
        return any(finding.level == ERROR for finding in self.findings)


def examined(machine: Machine, here: Seen) -> Report:
    """Looks at everything and changes nothing.

    Args:
        machine: where
        here: what this interpreter sees of itself (`inside.seen`)
    """
    facts: dict[str, Any] = {
        "version": here["version"],
        "interpreter": here["interpreter"],
        "python": f"{here['python']}, {here['bits']} bit",
        "plugins": ", ".join(f"{p['name']} ({p['state']})" for p in here["plugins"]),
        "functions": len(here["functions"]),
    }
    excel = Excel(machine)
    if machine.windows:
        facts |= {"Excel starts": excel.interpreter, "add-in": excel.addin_path, "settings": excel.conf_path}
    found = list(_all(machine, excel, here))
    return Report(facts, sorted(dict.fromkeys(found), key=lambda f: LEVELS.index(f.level)))


def _all(machine: Machine, excel: Excel, here: Seen) -> Iterator[Finding]:
    yield from python.environment(here, "this Python", machine.place(here["interpreter"]))
    yield from python.of_search_path(machine)
    if machine.windows:
        yield from addin.checks(excel)
        yield from settings.checks(excel)
        if excel.conf:
            yield from python.of_excel(excel, here)
        yield from trust.checks(excel)
        yield from python.servers(machine)
    yield from libreoffice.checks(machine, here)
