"""One word for one thing: constants, ranges, labels and imports of the built-in plugins, and words that had two meanings."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokensheet import chosen, plugin, ranges
from tokensheet.declare import Assumption, Input, Range
from tokensheet.definition import Field, called
from tokensheet.formula import Formula
from tokensheet.planning import Planner
from tokensheet.plugins import load
from tokensheet.tree import Named, walk

ROOT = Path(__file__).parents[2]
SOURCES = sorted(p for p in (ROOT / "plugins").rglob("*.py") if "tests" not in p.parts)
USUAL = {name: value for name, value in vars(ranges).items() if isinstance(value, Range)}
TEXTS = [*SOURCES, *(ROOT / "docs").glob("*.md"), *(ROOT / "docs/guide").glob("*.md"), ROOT / "README.md"]
GENERATED = {"reference.md", "reference-records.md", "catalogue.md"}

# A word, where it may stand, and what to write in its place.
WRONG = (
    (r"attention groups?\b(?!:)", ("glossary.md",), "data-parallel group"),
    (r"utilis\w+", (), "utilization"),
    (r"decode latency \(TPOT\)", (), "decode latency; TPOT is that of a request under load"),
    (r"\bMFU\b", ("glossary.md", "batching.py"), "efficiency, unless it is `compute_utilization`"),
)


@pytest.fixture(scope="module")
def planner() -> Planner:
    return Planner(load())


def formulas(planner: Planner) -> Iterator[tuple[str, Formula]]:
    for name in planner.registry.formulas():
        found = planner.registry.definition(name)
        assert isinstance(found, Formula)
        yield name, found


def test_a_name_of_a_constant_is_one_number(planner: Planner) -> None:
    """A reader of a workbook could not tell two of them apart."""
    by_name, by_text = defaultdict(set), defaultdict(set)
    for _, formula in formulas(planner):
        for tree in (*(step.tree for step in formula.body.steps), formula.body.result):
            for part in walk(tree):
                if isinstance(part, Named):
                    by_name[part.name].add((part.value, part.unit, part.text))
                    by_text[part.text].add(part.name)
    assert len(by_name) > 50
    assert {n: v for n, v in by_name.items() if len(v) > 1} == {}
    assert {t: v for t, v in by_text.items() if len(v) > 1} == {}


def test_no_two_nodes_are_called_the_same(planner: Planner) -> None:
    by_label = defaultdict(list)
    for name, node in planner.registry.nodes.items():
        if not isinstance(node, Field):  # a record's number has the words of its kind
            by_label[called(node).lower()].append(name)
    assert {label: names for label, names in by_label.items() if len(names) > 1} == {}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT / "plugins").as_posix())
def test_a_usual_range_has_its_name(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Range":
            if any(isinstance(part, ast.Name) for k in node.keywords for part in ast.walk(k.value)):
                continue  # an end that has a name of its own
            given = Range(
                *map(ast.literal_eval, node.args),
                **{str(k.arg): ast.literal_eval(k.value) for k in node.keywords},
            )
            names = [name for name, usual in USUAL.items() if usual == given]
            assert not names, f"line {node.lineno}: write {names[0]}"


def test_every_usual_range_is_used_and_exported(planner: Planner) -> None:
    declared = [d.range for d in planner.registry.nodes.values() if isinstance(d, (Input, Assumption))]
    assert {name for name, usual in USUAL.items() if usual not in declared} == set()
    assert USUAL.keys() <= set(plugin.__all__)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT / "plugins").as_posix())
def test_a_plugin_needs_one_import(path: Path) -> None:
    """What ours need, any author may need: it is in `tokensheet.plugin`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    wrong = [
        f"line {node.lineno}: from {node.module}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").partition(".")[0] == "tokensheet"
        and node.module != "tokensheet.plugin"
    ]
    assert not wrong


@pytest.mark.parametrize("word", WRONG, ids=[word for word, _, _ in WRONG])
def test_a_word_has_one_meaning(word: tuple[str, tuple[str, ...], str]) -> None:
    pattern, allowed, instead = word
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in TEXTS
        if path.name not in {*allowed, *GENERATED}
        for match in re.finditer(pattern, path.read_text(encoding="utf-8"), re.IGNORECASE)
    ]
    assert not found, f"write {instead}"


def test_who_states_a_number_is_said_in_the_same_words() -> None:
    """The module that ranks them and the page on proposals."""
    words = (
        "The first of these that states a number counts: the call or the candidate, the proposal's common inputs, "
        "the profile, a record that supplies numbers (a `system`), the record's own fact, the default."
    )
    page = (ROOT / "docs/guide/proposals.md").read_text(encoding="utf-8")
    page = page.replace(" (`[workload]`, `[assumptions]`)", "")
    for text in (chosen.__doc__ or "", page):
        assert words in " ".join(text.split())
