"""The page has everything that the reference is about, leads everywhere that it points to, and shows texts as texts."""

from __future__ import annotations

import html.parser
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import tokensheet
from tokensheet import schema
from tokensheet.cli.commands import tokensheet as program
from tokensheet.declare import Assumption, Input
from tokensheet.definition import Field
from tokensheet.formula import Formula
from tokensheet.functions import Functions
from tokensheet.planning import Planner
from tokensheet.plugins import HOOKS
from tokensheet.reference import html as renderer
from tokensheet.reference.content import content
from tokensheet.reference.html import page
from tokensheet.reference.parts import List
from tokensheet.schema.profile import Profile

pytestmark = pytest.mark.slow

FUNCTIONS = Functions(tokensheet.planner())
REGISTRY = FUNCTIONS.planner.registry
NO_END = {"meta", "input", "br"}


class Read(html.parser.HTMLParser):
    """Ids, links and the text below each id; ends that match no beginning are an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: dict[str, str] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        key = found.get("id") or ""
        if key:
            self.ids.append(key)
            self.texts[key] = ""
        if tag == "a":
            self.links.append(str(found["href"]))
        assert not {"src", "onload"} & found.keys() and tag not in {"link", "iframe", "img"}
        if tag not in NO_END:
            self.open.append((tag, key))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, key in self.open:
            if key:
                self.texts[key] += data


@cache
def written() -> str:
    return page(FUNCTIONS)


@cache
def read() -> Read:
    return Read(written())


def test_the_page_stands_alone_and_every_link_leads_somewhere() -> None:
    assert len(read().ids) == len(set(read().ids))
    assert {link[1:] for link in read().links} <= set(read().ids)
    assert all(link.startswith("#") for link in read().links)
    assert "http" not in "".join(path.read_text("utf-8") for path in renderer.HERE.glob("page.*"))


@pytest.mark.parametrize("name", sorted(FUNCTIONS.table))
def test_a_function_has_all_that_belongs_to_it(name: str) -> None:
    function, shown = FUNCTIONS.table[name], read().texts[name]
    assert f"={function.signature}" in shown
    assert all(a.name in shown for a in function.arguments)
    assert "Example: " in shown
    formula = REGISTRY.functions.get(name)
    if formula is not None:
        for said in (f"Unit: {formula.unit}", f"Source: {formula.source}", *formula.text.split("\n\n")):
            assert " ".join(said.replace("`", "").split()) in shown
        start = written().index(f'<section id="{name}"')
        maths = written()[start : written().index("</section>", start)].split('<div class="maths">')[1]
        equations = ElementTree.fromstring(
            f"<div>{maths.partition('</div>')[0]}</div>".replace("&#160;", " ")
        )
        names = ["".join(e[0].itertext()) for e in equations]
        assert names == [*(s.name for s in formula.body.steps), formula.name]


def test_every_name_that_a_call_may_give_has_an_address() -> None:
    """Roles, inputs, assumptions, facts and results; those that are a plugin's own aside."""
    addresses = content(FUNCTIONS).addresses()
    names = {*REGISTRY.roles, *(n for n in REGISTRY.nodes if "." not in n)}
    assert sorted(names - addresses.keys()) == []
    assert {addresses[n] for n in names} <= set(read().ids)


def test_each_says_what_it_is() -> None:
    for name, node in REGISTRY.nodes.items():
        if isinstance(node, Input | Assumption):
            assert node.text.replace("`", "") in read().texts[name] and node.unit in read().texts[name]
        elif isinstance(node, Formula) and node.cell is None and "." not in name:
            assert node.source.replace("`", "") in read().texts[name]
            assert f"{name} = " in read().texts[name]
            assert node.message.replace("`", "") in read().texts[name]
    for name, role in REGISTRY.roles.items():
        assert role.text in read().texts[name] and role.kind in read().texts[name]


def test_every_kind_has_all_its_fields_with_units_and_meanings() -> None:
    for kind, model in schema.KINDS.items():
        for name in {*model.model_fields, *model.quantities()}:
            key = f"{kind}.{name}" if f"{kind}.{name}" in read().ids else f"record.{name}"
            shown = read().texts[key]
            mark = model.quantities().get(name)
            if mark is not None:
                assert mark.text in shown and mark.unit in shown
    for name, node in REGISTRY.nodes.items():
        if isinstance(node, Field):
            key = f"{REGISTRY.roles[node.role].kind}.{node.field}"
            assert name in read().texts[key]


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_has_its_signature(hook: str) -> None:
    assert f"{hook}() -> Sequence[" in read().texts[hook]


@pytest.mark.parametrize("id", sorted(REGISTRY.catalog("profile").entries))
def test_a_profile_says_what_it_states_and_was_fitted_to(id: str) -> None:
    record = REGISTRY.record("profile", id)
    assert isinstance(record, Profile)
    shown = read().texts[f"profile-{id}"]
    assert record.fitted_to in shown and record.source in shown
    assert all(name in shown for name in record.values)


def test_every_part_of_a_search_and_every_verdict() -> None:
    for name, kit in REGISTRY.searches.items():
        shown = read().texts[f"search-{name}"]
        assert all(part.name in shown and part.text in shown for part in (kit.search, *kit.parts))
        assert all(node in shown for part in kit.parts for node in part.nodes if node != part.name)
    for verdict in REGISTRY.verdicts:
        shown = read().texts[f"verdict-{verdict.check}"]
        assert verdict.text in shown and verdict.holds in shown and verdict.fails in shown


def test_every_section_of_the_content_is_on_the_page() -> None:
    for section in content(FUNCTIONS).sections:
        items = section.rows if isinstance(section, List) else section.entries
        assert section.key in read().ids and all(item.key in read().ids for item in items)
        assert len({item.name for item in items}) == len(items)


HOSTILE = '''
from tokensheet.plugin import Input, formula, hookimpl

@formula(unit="1", source="</script><img src=x onerror=alert(1)>", cell="loaves, [options]")
def crumbs(loaves):
    """<b> & </section> "quoted" `code <i>` of bread."""
    return loaves if loaves < 2 else 2

@hookimpl
def tokensheet_formulas():
    return [crumbs, Input("loaves", "1", "<u>loaves</u> | `a|b` of bread")]
'''


def test_texts_of_plugins_are_no_markup(tmp_path: Path) -> None:
    (tmp_path / "bread.py").write_text(HOSTILE)
    shown = Read(page(Functions(Planner.of(files=[tmp_path / "bread.py"])))).texts
    assert '<b> & </section> "quoted" code <i> of bread.' in shown["CRUMBS"]
    assert "</script><img src=x onerror=alert(1)>" in shown["CRUMBS"]
    assert "<u>loaves</u> | a|b of bread" in shown["CRUMBS"] and "<u>" in shown["loaves"]
    assert "Plugin: bread" in shown["CRUMBS"]


@pytest.mark.parametrize("left_out", [["inference"], ["costs", "classics"], ["hardware", "models"]])
def test_it_is_made_of_whatever_is_there(left_out: list[str]) -> None:
    """An example of which a record or a formula is not there says so."""
    functions = Functions(Planner.of(disable=left_out))
    shown = Read(page(functions)).texts
    assert functions.table.keys() <= shown.keys() and "TS_VERSION" in shown


def test_the_command_writes_it_and_no_other_file_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "made" / "reference.html"
    done = CliRunner().invoke(program, ["reference", "--html", str(target)])
    assert (done.exit_code, done.output) == (0, f"written: {target}\n")
    assert target.read_text("utf-8") == written()
    target.write_text("somebody's")
    done = CliRunner().invoke(program, ["reference", "--html", str(target)])
    assert "exists and holds something else; add --force" in str(done.exception)
    assert CliRunner().invoke(program, ["reference", "--force", "--html", str(target)]).exit_code == 0
    assert target.read_text("utf-8") == written()


# ---- the search

ENTRIES = [
    {"id": "A", "find": ["DECODE_LATENCY", "Time of a step", "Unit: second"], "row": False, "section": "functions"},
    {"id": "B", "find": ["KV_BYTES", "Bytes of the cache", "Unit: byte"], "row": False, "section": "functions"},
    {"id": "C", "find": ["step_overhead second time of a step"], "row": True, "section": "assumptions"},
]  # fmt: skip
SEARCHES = [
    ("", ["A", "B", "C"], ["functions", "assumptions"], ""),
    ("  ", ["A", "B", "C"], ["functions", "assumptions"], ""),
    ("latency Decode", ["A"], ["functions"], "1 of 3"),
    ("second", ["A", "C"], ["functions", "assumptions"], "2 of 3"),
    ("step OVERHEAD", ["C"], ["assumptions"], "1 of 3"),
    ("nothing like it", [], [], "0 of 3"),
]


@pytest.mark.extras
def test_the_search_leaves_what_has_all_words() -> None:
    """And a link to what is hidden clears it."""
    node = shutil.which("node")
    assert node, "no node on the path: apt-get install nodejs, or leave TOKENSHEET_EXTRAS unset"
    script = str(renderer.HERE / "page.js")
    task = {"script": script, "entries": ENTRIES, "searches": [s[0] for s in SEARCHES], "hash": "#B"}
    done = subprocess.run(
        [node, Path(__file__).with_name("search.mjs")],
        input=json.dumps(task), capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for (_, entries, sections, count), answer in zip(SEARCHES, found["answers"], strict=True):
        assert answer == {"entries": entries, "sections": sections, "found": count}
    assert found["followed"]["shown"] == ["B"] and found["followed"]["value"] == ""
    assert found["followed"]["entries"] == ["A", "B", "C"]
