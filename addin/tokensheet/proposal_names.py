"""Names in a proposal: each once, and under the name that it has now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokensheet.errors import TokensheetError
from tokensheet.former import TWICE_BY_NAMES, FormerNames
from tokensheet.toml_lines import Lines

TWICE = "twice"
"""Kind of a mistake that the model finds too, where a proposal comes from no text."""
SECTIONS = "workload", "assumptions"
"""Tables of what all candidates share; a name stands in one of them."""


def twice(workload: Any, assumptions: Any) -> list[str]:
    """Names that stand in both tables of a proposal."""
    if not isinstance(workload, dict) or not isinstance(assumptions, dict):
        return []
    return [name for name in workload if name in assumptions]


def told_twice(name: str) -> str:
    """What is said of such a name."""
    return f"{name} is given twice, in {' and '.join(f'[{section}]' for section in SECTIONS)}; leave one out"


def under_current_names(
    data: Mapping[str, Any], former: FormerNames, lines: Lines
) -> tuple[dict[str, Any], list[str]]:
    """The same proposal under the names that nodes, options and roles have now, and what is wrong with a former one."""
    problems: list[str] = []

    def current(where: tuple[str | int, ...], name: str) -> str | None:
        try:
            return former.current(name)
        except TokensheetError as error:
            problems.append(f"{lines.of(where)}{error}")
            return None

    def table(where: tuple[str | int, ...], given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        found: dict[str, Any] = {}
        for key, value in given.items():
            name = current((*where, key), key)
            if name in found:
                problems.append(f"{lines.of((*where, key))}{TWICE_BY_NAMES.format(name)}")
            elif name is not None:
                found[name] = value
        return found

    found = {k: table((k,), v) if k in (*SECTIONS, "reasons") else v for k, v in data.items()}
    if isinstance(data.get("candidates"), list):
        found["candidates"] = [table(("candidates", i), each) for i, each in enumerate(data["candidates"])]
    if isinstance(data.get("results"), list):
        names = [current(("results",), v) if isinstance(v, str) else v for v in data["results"]]
        found["results"] = [name for name in names if name is not None]
    return found, problems
