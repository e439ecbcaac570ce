"""docs/hooks.md says what hookspecs.py says, and each of its examples is a plugin that works."""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path

import pytest

from tests.tools.pages import blocks
from tokensheet import hookspecs, schema
from tokensheet.planning import Planner
from tokensheet.plugins import HOOKS
from tokensheet.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "hooks.md"
SECTIONS = re.findall(
    r"^## `([^`]+)`\n\n(.+?)\n\n```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S
)
TABLE = next(b for b in blocks(PAGE) if b.language == "toml")
BY_HOOK = {signature.partition("(")[0]: (signature, sentence, code) for signature, sentence, code in SECTIONS}


def test_every_hook_has_a_section_and_no_section_is_of_another() -> None:
    assert sorted(BY_HOOK) == sorted(HOOKS)
    assert len(re.findall("^## ", PAGE.read_text("utf-8"), re.M)) == len(HOOKS)


@pytest.mark.parametrize("hook", HOOKS)
def test_signature_and_sentence_are_those_of_the_code(hook: str) -> None:
    """Exactly, so that the page cannot drift."""
    function = getattr(hookspecs, hook)
    signature, sentence, _ = BY_HOOK[hook]
    assert signature == f"{hook}{inspect.signature(function)}".replace("'", "")
    assert sentence == (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.slow
def test_the_example_is_a_plugin_that_works(hook: str, tmp_path: Path) -> None:
    """Saved as a file and loaded like anybody's: no problem, and what it offers is found."""
    code = BY_HOOK[hook][2]
    file = tmp_path / "mine.py"
    file.write_text(code, encoding="utf-8")
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "fleet.toml").write_text("")
    (tmp_path / "translations").mkdir()
    (tmp_path / "translations" / "de.toml").write_text(TABLE.text, encoding="utf-8")
    planner = Planner(settings=Settings(plugins=(file,)))
    offered = [name for name, owner in planner.registry.owners.items() if owner.plugin == "mine"]
    for kind in schema.KINDS:
        offered += [e.record.id for e in planner.registry.catalog(kind) if e.owner.plugin == "mine"]
    for paths in (planner.registry.templates(), planner.registry.texts()):
        offered += [path.name for path, owner in paths if owner.plugin == "mine"]
    assert planner.registry.problems == []
    assert offered


def test_every_code_block_belongs_to_a_hook() -> None:
    """So that none goes untested."""
    assert [b.text for b in blocks(PAGE)] == [*(code for _, _, code in BY_HOOK.values()), TABLE.text]


def test_the_table_of_texts_is_one() -> None:
    """The German labels on the page are those of the formula and the assumption of its own example."""
    said = BY_HOOK["tokensheet_formulas"][2]
    table = tomllib.loads(TABLE.text)
    assert table["language"] == "de"
    assert all(text in said or text.replace(" ", "_").lower() in said for text in table["texts"])
