"""The whole proof of a plugin for its author: names, units, documentation, records, and formulas in all readings."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from tokensheet import schema
from tokensheet.catalog import Entry
from tokensheet.declare import Assumption, At, Input
from tokensheet.definition import Field
from tokensheet.errors import TextsError, TokensheetError, UnknownNameError, listed
from tokensheet.expanding import expand
from tokensheet.failure import Failure
from tokensheet.formula import Formula
from tokensheet.functions import Functions
from tokensheet.hookspecs import PROJECT
from tokensheet.languages import optional_texts, own_texts, read_table, texts_of
from tokensheet.named_records import unknown_names
from tokensheet.planning import Planner
from tokensheet.plugins import load
from tokensheet.recipe_files import all_texts
from tokensheet.reference.examples import examples
from tokensheet.schema.model import Model
from tokensheet.testing.agreement import Report
from tokensheet.testing.alone import Alone
from tokensheet.testing.check import SHOWN, check_formula, judged
from tokensheet.testing.deviations import deviation
from tokensheet.testing.sampling import samples
from tokensheet.testing.spreadsheets import installed, recalculated
from tokensheet.testing.words import in_words

FAR = 0.01
"""Share by which a published count of parameters may be away from the computed one without a word."""


@dataclass(frozen=True)
class Checked:
    """What a plugin offers and how it was proved.

    Args:
        plugin: its name
        formulas: names of its formulas and checks
        records: kind and id of its records
        compared: how many values were compared
        judges: the spreadsheet programs that agreed
    """

    plugin: str
    formulas: tuple[str, ...]
    records: tuple[tuple[str, str], ...]
    compared: int
    judges: tuple[str, ...]


def planner_with(module: ModuleType | Any) -> tuple[Planner, str]:
    """A planner of all installed plugins and this one, and the plugin's name; settings are left out.

    Args:
        module: the plugin, installed or not
    """
    name = getattr(module, "__name__", type(module).__name__)
    loaded = load()
    for info in loaded.infos:
        if info.module is module or (info.state == "failed" and info.name in _points(name)):
            return Planner(loaded), info.name
    short = name.rpartition(".")[2]
    return Planner(load(modules=[(short, module)])), short


def _text_problems(planner: Planner, name: str) -> list[str]:
    """A line for each table of texts that cannot be used, or that has words for what nobody says."""
    registry = planner.registry
    known = own_texts() | texts_of(registry).keys() | optional_texts(registry) | all_texts(planner)
    found = []
    for path, owner in registry.texts():
        if owner.plugin == name:
            try:
                read_table(path, known)
            except TextsError as error:
                found.append(str(error))
    return found


def _points(module: str) -> set[str]:
    """Names of the entry points that name a module."""
    found = [p for p in entry_points(group=PROJECT) if p.module == module]
    return {n for p in found for n in (p.name, f"{p.dist.name if p.dist else ''}:{p.name}")}


def check_plugin(
    module: ModuleType | Any, *, golden: Path | None = None, judges: tuple[str, ...] | None = None
) -> Checked:
    """Proves a plugin: what it offers loads, is documented, and gives one answer wherever it is calculated.

    Args:
        module: the plugin's module, or an object with its hooks
        golden: file that holds the formulas in words, so that a change is seen; written when it is not there
        judges: spreadsheet programs that recalculate the formulas, `IronCalc` and `LibreOffice`; by default
            the first that is installed, and none where there is none

    Raises:
        AssertionError: something does not hold; lists all of it.
    """
    planner, name = planner_with(module)
    problems = [*_load_problems(planner, name)]
    records = tuple(_records(planner, name))
    problems += [*_load_problems(planner, name)][len(problems) :]
    formulas = tuple(n for n, owner in planner.registry.owners.items() if owner.plugin == name)
    formulas = tuple(n for n in formulas if isinstance(planner.registry.nodes.get(n), Formula))
    files = [*planner.registry.templates(), *planner.registry.texts()]
    owners = [*planner.registry.owners.values(), *(owner for _, owner in files)]
    if not records and not problems and not any(owner.plugin == name for owner in owners):
        problems.append("it offers nothing; is @hookimpl missing above a hook?")
    problems += _text_problems(planner, name)
    for entry in records:
        problems += _record_problems(planner, entry)
    for formula in formulas:
        problems += _formula_problems(planner, formula)
    report = Report()
    for formula in formulas:
        if not _is_whole(planner, formula):
            continue  # what it reads is broken, and told
        try:
            report.add(check_formula(planner, formula))
        except (AssertionError, TokensheetError) as error:
            problems.append(str(error))
    chosen = tuple(installed()[:1] if judges is None else judges) if formulas else ()
    for judge in chosen if not problems else ():
        by_judge = _judged(planner, formulas, judge)
        report.add(by_judge)
        problems += by_judge.problems[:SHOWN]
        if len(by_judge.problems) > SHOWN:
            problems.append(f"{judge}: {len(by_judge.problems) - SHOWN} more cells that do not agree")
    if not problems:
        problems += _example_problems(planner, formulas)
    if golden is not None:
        problems += _golden_problems(golden, in_words(planner, formulas))
    if problems:
        raise AssertionError(listed(f"plugin {name}", list(dict.fromkeys(problems))))
    ids = tuple((entry.record.kind, entry.record.id) for entry in records)
    return Checked(name, formulas, ids, report.compared, chosen)


def _load_problems(planner: Planner, name: str) -> Iterator[str]:
    for info in planner.registry.plugins.infos:
        if info.name == name and info.state == "disabled":
            yield f"it is disabled: {info.reason or 'see TOKENSHEET_DISABLE'}"
    for problem in planner.registry.problems:
        head, _, rest = problem.partition(": ")
        if head == f"plugin {name}" or head.startswith(f"plugin {name} ("):
            yield rest


def _records(planner: Planner, name: str) -> Iterator[Entry]:
    for kind in schema.KINDS:
        for entry in planner.registry.catalog(kind):
            if entry.owner.plugin == name:
                yield entry


def _record_problems(planner: Planner, entry: Entry) -> Iterator[str]:
    """Whether each name finds this record and no other, and its numbers say where they stand."""
    record, catalog = entry.record, planner.registry.catalog(entry.record.kind)
    where = f"{record.kind} {record.id}"
    for word in dict.fromkeys((record.id, *record.aliases)):
        try:
            found = catalog.find(word)
        except UnknownNameError as error:
            yield f"{where}: {error}"
        else:
            if found is not entry:
                yield f"{where}: {word!r} finds {found.record.id} of {found.owner}; choose another alias or id"
    if not record.source.strip():
        yield f"{where}: has no source; say where its numbers stand"
    yield from unknown_names(planner.registry, record)
    if isinstance(record, Model) and record.published_parameters and not record.published_gap:
        published, counted = record.published_parameters, record.published_covers
        if abs(counted / published - 1) > FAR:
            yield (
                f"{where}: published_parameters is {published}, and its architecture gives {counted:.0f}; look for the mistake, "
                "name what else is counted in published_includes, or say why in published_gap"
            )


def _formula_problems(planner: Planner, name: str) -> Iterator[str]:
    """Whether a function in cells can be answered from its arguments."""
    registry = planner.registry
    formula = registry.nodes[name]
    assert isinstance(formula, Formula)
    if formula.cell is None:
        return
    given = set(formula.cell)
    unknown = [
        a for a in formula.cell if a != "options" and a not in registry.nodes and a not in registry.roles
    ]
    if unknown:
        yield f"{name}: cell names {', '.join(unknown)}, which nothing is called; name inputs, roles or formulas"
        return
    roles = {r for r in given if r in registry.roles}
    try:
        graph = expand(registry, [name], given - roles - {"options"}, roles)
    except TokensheetError as error:
        yield f"{name}: {error}"
        return
    lacking: dict[str, None] = {}
    read = graph.surely(graph.outputs[0])
    optional = False
    for leaf in graph.leaves:
        definition = leaf.definition
        if leaf.name in given:
            continue
        optional = optional or isinstance(definition, Assumption)
        if leaf.key not in read:
            continue
        if isinstance(definition, Field):
            role = registry.roles[leaf.role.split(">")[0]]
            if role.name not in given and role.default is None:
                lacking[role.name] = None
        elif isinstance(definition, Input) and definition.default is None:
            lacking[leaf.name] = None
    if optional and "options" not in given:
        yield f"{name}: cell lacks [options]; end it with [options], so that its assumptions can be given"
    if lacking:
        yield f"{name}: cell lacks {', '.join(lacking)}, which the formula reads and which have no default"


def _example_problems(planner: Planner, names: tuple[str, ...]) -> Iterator[str]:
    """Whether the example calls that the reference shows have an answer."""
    wanted = [n.upper() for n in names if n.upper() in planner.registry.functions]
    for name, example in examples(Functions(planner), wanted).items():
        if isinstance(example.answer, Failure):
            yield f"{name.lower()}: its example {example.call} is an error: {example.answer.reason}"


def _is_whole(planner: Planner, name: str) -> bool:
    """Whether everything that a formula reads is there."""
    registry = planner.registry
    formula = registry.nodes[name]
    assert isinstance(formula, Formula)
    targets = registry.parameters(name, formula).values()
    return all((t.node if isinstance(t, At) else t) in registry.nodes for t in targets)


def _judged(planner: Planner, names: tuple[str, ...], judge: str) -> Report:
    from tokensheet.workbook.proof import proof_workbook

    formulas = {n: f for n in names if isinstance(f := planner.registry.nodes[n], Formula)}
    rows = {
        n: [s for s in samples(planner.registry, n) if not _deviates(n, f, s)] for n, f in formulas.items()
    }
    proof = proof_workbook(formulas, rows)
    return judged(proof, recalculated(proof.data, judge), judge)


def _deviates(name: str, formula: Formula, inputs: Mapping[str, float]) -> bool:
    """Whether a spreadsheet is known to give another answer here: 0^0 and the like."""
    values = {**inputs, **Alone(name, formula).tree(inputs)}
    trees = [*(s.tree for s in formula.body.steps), formula.body.result]
    return any(deviation(tree, values) is not None for tree in trees)


def _golden_problems(golden: Path, text: str) -> Iterator[str]:
    if not golden.exists():
        golden.write_text(text, encoding="utf-8", newline="\n")
        yield f"{golden.name} was not there and is written now; look at it, and run the test again"
        return
    wanted = golden.read_text(encoding="utf-8")
    if wanted != text:
        change = difflib.unified_diff(
            wanted.splitlines(), text.splitlines(), golden.name, "now", lineterm="", n=1
        )
        yield "\n".join(
            [f"formulas say something else than {golden.name}; if it is meant, delete it", *change]
        )


__all__ = ["Checked", "check_plugin", "planner_with"]
