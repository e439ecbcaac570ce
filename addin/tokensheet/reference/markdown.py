"""The reference page: every function with signature, unit, formula in words, arguments and source."""

from __future__ import annotations

from tokensheet.cell_function import CellFunction
from tokensheet.functions import Functions
from tokensheet.printing.plain import plain
from tokensheet.schema.profile import Profile

HEAD = """# Reference

Made from the registry by `tokensheet reference`; a test compares it. Values are SI: bytes, seconds, operations, tokens a
second, US dollars. `options` takes further names and values: two columns, or text such as `"tp=4; profile=ideal"`; any
assumption or node listed below may be named there.
"""


def reference(functions: Functions) -> str:
    """The page as Markdown."""
    parts = [HEAD, "## Functions\n"]
    parts += [_function(functions, f) for f in sorted(functions.table.values(), key=lambda f: f.name)]
    parts += ["## Assumptions\n", _assumptions(functions), "## Profiles\n", _profiles(functions)]
    return "\n".join(parts)


def _function(functions: Functions, function: CellFunction) -> str:
    lines = [f"### {function.name}\n", f"`{function.signature}`\n", f"{function.text}\n"]
    formula = functions.planner.registry.functions.get(function.name)
    if formula is not None:
        lines.append("```text")
        lines += [f"{step.name} = {plain(step.tree)}" for step in formula.body.steps]
        lines += [f"{formula.name} = {plain(formula.body.result)}", "```\n"]
    if function.arguments:
        lines += ["| argument | what |", "| --- | --- |"]
        for a in function.arguments:
            name = a.name if a.required else f"[{a.name}]"
            lines.append(f"| `{name}` | {_cell(a.text)} |")
        lines.append("")
    if function.source:
        lines.append(f"Source: {function.source}.\n")
    return "\n".join(lines)


def _assumptions(functions: Functions) -> str:
    from tokensheet.declare import Assumption

    registry = functions.planner.registry
    profile = registry.catalog("profile").find("default").record
    assert isinstance(profile, Profile)
    lines = ["| name | unit | meaning | default |", "| --- | --- | --- | --- |"]
    for name, definition in sorted(registry.nodes.items()):
        if isinstance(definition, Assumption) and "." not in name:
            value = profile.values.get(name, definition.default)
            shown = "–" if value is None else f"{value:g}"
            lines.append(f"| `{name}` | {definition.unit} | {_cell(definition.text)} | {shown} |")
    return "\n".join([*lines, ""])


def _profiles(functions: Functions) -> str:
    lines = ["| profile | fitted to | source |", "| --- | --- | --- |"]
    for entry in functions.planner.registry.catalog("profile"):
        assert isinstance(entry.record, Profile)
        lines.append(
            f"| `{entry.record.id}` | {_cell(entry.record.fitted_to)} | {_cell(entry.record.source)} |"
        )
    return "\n".join([*lines, ""])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
