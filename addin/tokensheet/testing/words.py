"""What formulas say, as text: signature, unit, source, each step and the result in words. For golden files."""

from __future__ import annotations

from collections.abc import Iterable

from tokensheet.formula import Formula
from tokensheet.planning import Planner
from tokensheet.printing.plain import plain


def in_words(planner: Planner, names: Iterable[str]) -> str:
    """A paragraph for each formula, in the order of names."""
    formulas = ((name, planner.registry.definition(name)) for name in sorted(names))
    return "\n".join(_paragraph(name, f) for name, f in formulas if isinstance(f, Formula))


def _paragraph(name: str, formula: Formula) -> str:
    lines = [
        f"{name}: {formula.label} [{formula.unit}]",
        f"  {formula.summary}",
        f"  source: {formula.source}",
    ]
    if formula.cell is not None:
        arguments = (f"[{a}]" if a in formula.optional else a for a in formula.cell)
        lines.append(f"  cell: ={name.upper()}({', '.join(arguments)})")
    if formula.checks:
        lines.append(f"  checks: {', '.join(formula.checks)}")
    if formula.message:
        lines.append(f"  {'warns' if formula.warning else 'refuses'}: {formula.message}")
    lines += [f"  {step.name} = {plain(step.tree, str)}" for step in formula.body.steps]
    lines.append(f"  = {plain(formula.body.result, str)}")
    return "\n".join(lines) + "\n"
