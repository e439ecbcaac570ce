"""The catalogue read again in a process that stays, and what that has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from tokensheet import plugins, schema
from tokensheet.functions import Functions
from tokensheet.planning import shared

SHOWN = 5
"""Names that a line tells before it counts the rest."""


def renewed() -> Functions:
    """The functions of plugins, tables and settings as they are now.

    Code that Python has imported once stays as it was until the program is started anew.
    """
    plugins.rescan()
    shared.cache_clear()
    return Functions(shared())


def changes(before: Functions, after: Functions) -> list[str]:
    """What differs between two readings of the catalogue, one line a kind, the version first."""
    lines = [after.own.version()]
    if before.own.version() == after.own.version():
        lines.append("no record has changed")
    for kind in schema.KINDS:
        lines += _differences(f"{kind}s", _records(before, kind), _records(after, kind))
    lines += _differences("functions", dict.fromkeys(before.table, ""), dict.fromkeys(after.table, ""))
    if after.table.keys() - before.table.keys():
        lines.append("new functions can be typed after 'tokensheet addin install' and a new start")
    return lines + [" ".join(str(problem).split()) for problem in after.planner.registry.problems]


def _records(functions: Functions, kind: str) -> dict[str, str]:
    return {
        entry.record.id: json.dumps(entry.record.model_dump(mode="json"), sort_keys=True)
        for entry in functions.planner.registry.catalog(kind)
    }


def _differences(kind: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    found = {
        "new": [name for name in after if name not in before],
        "gone": [name for name in before if name not in after],
        "changed": [name for name in after if name in before and before[name] != after[name]],
    }
    for word, names in found.items():
        if names:
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            yield f"{kind} {word}: {', '.join(sorted(names)[:SHOWN])}{more}"
