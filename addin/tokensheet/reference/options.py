"""What the reference says of what calls may give: records, inputs, assumptions and every other result; and of checks."""

from __future__ import annotations

from collections.abc import Iterator

from tokensheet.declare import SIGNS, Assumption, Input, Range
from tokensheet.definition import Definition
from tokensheet.errors import TokensheetError
from tokensheet.formula import Formula
from tokensheet.interpret import shown
from tokensheet.printing.plain import plain
from tokensheet.reference.functions import formula_lines, paragraphs
from tokensheet.reference.parts import List, Row
from tokensheet.registry import Registry
from tokensheet.schema.profile import Profile


def option_lists(registry: Registry) -> Iterator[List]:
    """All that may stand in `options`, and what is checked."""
    yield _roles(registry)
    yield _inputs(registry)
    yield _assumptions(registry)
    yield _checks(registry)
    yield _verdicts(registry)


def _named(registry: Registry) -> Iterator[tuple[str, Definition]]:
    """Nodes by name, those aside that are a plugin's own."""
    yield from ((n, d) for n, d in sorted(registry.nodes.items()) if "." not in n)


def _roles(registry: Registry) -> List:
    rows = []
    for name, role in sorted(registry.roles.items()):
        without = "must be given where it is needed"
        if role.default:
            without = f"`{role.default}`"
        elif role.follows:
            other, attribute = role.follows
            without = f"that of `{other}`" if attribute == "id" else f"the `{attribute}` of `{other}`"
        elif role.supplies:
            without = "the formulas' estimate"
        rows.append(Row(name, (role.kind, role.text, without), name))
    text = "A call gives the id of a record, and its numbers are what formulas read."
    return List("roles", "Records of a call", text, ("name", "kind", "what", "without it"), tuple(rows))


def _inputs(registry: Registry) -> List:
    rows = [
        Row(name, (d.unit, d.text, _number(d.default), allowed(d.range)), name)
        for name, d in _named(registry)
        if isinstance(d, Input)
    ]
    text = "Numbers that the person who asks gives, as arguments or in `options`. Without a default they must be given."
    return List("inputs", "Inputs", text, ("name", "unit", "what", "default", "may be"), tuple(rows))


def _assumptions(registry: Registry) -> List:
    usual = registry.roles[Profile.kind].default or ""
    profile = registry.catalog(Profile.kind).entries.get(usual)
    values = profile.record.values if profile and isinstance(profile.record, Profile) else {}
    rows = []
    for name, d in _named(registry):
        if isinstance(d, Assumption):
            value = _number(values.get(name, d.default))
            rows.append(Row(name, (d.unit, d.text, value, allowed(d.range), d.source), name))
    text = f"Numbers that a profile states and `options` override; those shown are of the profile `{usual}`."
    head = ("name", "unit", "what", "default", "may be", "source")
    return List("assumptions", "Assumptions", text, head, tuple(rows))


def results_list(registry: Registry) -> List:
    """Formulas that are neither functions nor checks."""
    rows = []
    for name, d in _named(registry):
        if isinstance(d, Formula) and d.cell is None and not d.message:
            rows.append(Row(name, (d.unit, paragraphs(d.text), _words(d), d.source), name))
    text = (
        "Formulas that are no functions themselves. They, and the results of functions, may be pinned in `options`, "
        "and `=EXPLAIN` shows them."
    )
    head = ("name", "unit", "what", "formula", "source")
    return List("results", "Other results", text, head, tuple(rows))


def _words(formula: Formula) -> str:
    """The formula in words; what is wrong with it where it cannot be read."""
    try:
        return "; ".join(f"`{name} = {plain(tree)}`" for name, tree in formula_lines(formula))
    except TokensheetError as error:
        return paragraphs(str(error))


def _checks(registry: Registry) -> List:
    rows = []
    for name, d in _named(registry):
        if isinstance(d, Formula) and d.message:
            effect = "a warning" if d.warning else "no result"
            rows.append(Row(name, (paragraphs(d.text), effect, d.message, _words(d), d.source), name))
    text = "What must hold before there is a result; some only warn."
    head = ("name", "what", "else", "is told", "formula", "source")
    return List("checks", "Checks", text, head, tuple(rows))


def _verdicts(registry: Registry) -> List:
    rows = [
        Row(v.check, (v.text, v.holds, v.fails, f"`{v.missing}`"), f"verdict-{v.check}")
        for v in registry.verdicts
    ]
    text = "Checks that a workbook's Summary tells in words."
    head = ("check", "about", "where it holds", "where not", "what is missing")
    return List("verdicts", "Verdicts", text, head, tuple(rows))


def _number(value: float | None) -> str:
    return "–" if value is None else shown(value)


def allowed(range: Range) -> str:
    """Which numbers make sense, in words."""
    said = ["whole"] if range.whole else []
    if range.minimum is not None and range.maximum is not None:
        said.append(f"{range.minimum:g} to {range.maximum:g}")
    else:
        said += [f"{SIGNS[sign][0]} {bound:g}" for sign, bound in range.ends]
    return ", ".join(said) or "any"
