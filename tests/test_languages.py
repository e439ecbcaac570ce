"""Languages: ours is whole and has no word too many, plugins and recipes bring theirs, every mistake is told with its line."""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

import tokensheet
from tests.tools.pages import blocks
from tokensheet import recipe, recipe_files
from tokensheet.cli.commands import tokensheet as commands
from tokensheet.errors import TextsError, TokensheetError
from tokensheet.languages import OWN, known_texts, language, languages, optional_texts, read_table, texts_of
from tokensheet.planning import Planner
from tokensheet.schema.base import State

ROOT = Path(__file__).parents[1]
PLANNER = tokensheet.planner()
OURS = [OWN / "zh.toml", *(path for path, _ in PLANNER.registry.texts())]
WRITERS = sorted((ROOT / "addin" / "tokensheet" / "workbook").glob("*.py"))
PLUGIN_STATES = {"used", "loaded", "failed", "disabled"}


def constants() -> set[str]:
    """Every text that the code of workbooks writes down."""
    trees = [ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for path in WRITERS]
    return {
        n.value for tree in trees for n in tree if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }


def said() -> set[str]:
    """Texts that the code gives to `say` or `Phrase` as they stand."""
    found = set()
    for path in WRITERS:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                first = node.args[0]
                if node.func.id in {"say", "Phrase"} and isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return found - {""}


def test_chinese_has_words_for_everything_that_is_declared_and_written() -> None:
    """Labels, steps, inputs, fields, roles, constants, units, recipes, and the workbook's own texts."""
    words = language(PLANNER.registry, "zh").words
    missing = {
        "a plugin's translations/zh.toml": texts_of(PLANNER.registry).keys() - words.keys(),
        "addin/tokensheet/translations/zh.toml": said() - words.keys(),
        "plugins/tokensheet_costs/translations/zh.toml": recipe_files.all_texts(PLANNER) - words.keys(),
    }
    assert {place: sorted(texts) for place, texts in missing.items() if texts} == {}


def test_chinese_has_no_word_too_many() -> None:
    """A text that was changed takes its translation with it, so that no word means what is no longer said."""
    known = texts_of(PLANNER.registry).keys() | recipe_files.all_texts(PLANNER) | constants()
    known |= optional_texts(PLANNER.registry)
    known |= {*get_args(State), *PLUGIN_STATES, "if", "then", "else", "and", "or", "not"}
    stale = {path.parent.parent.name: sorted(read_table(path).texts.keys() - known) for path in OURS}
    assert {place: texts for place, texts in stale.items() if texts} == {}


def test_labels_stay_apart_in_chinese() -> None:
    """Two formulas that are called differently are so in Chinese too: `tokensheet read` finds results by their label."""
    words = language(PLANNER.registry, "zh").words
    labels = {f.label for f in PLANNER.registry.formulas().values()}
    counts = Counter(words.get(label, label) for label in labels)
    assert [label for label, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.parent.parent.name)
def test_our_tables_have_no_mistakes(path: Path) -> None:
    table = read_table(path)
    assert table.language == "zh"
    assert all(words.strip() == words for words in table.texts.values())


def test_there_are_english_and_chinese() -> None:
    assert languages(PLANNER.registry) == ["en", "zh"]
    assert language(PLANNER.registry, "en").words == {}


BROKEN = (
    ("not utf-8", b'language = "de"\n[texts]\n"a" = "\xff"\n', "t.toml: is not UTF-8 text"),
    ("not toml", b"language = ", "t.toml: Invalid value"),
    ("no language", b'[texts]\n"a" = "b"\n', "language: Field required"),
    ("a strange language", b'language = "../x"\n[texts]\n', "line 1: language: String should match"),
    ("another key", b'language = "de"\nfonts = "x"\n[texts]\n', "line 2: fonts: Extra inputs"),
    (
        "empty words",
        b'language = "de"\n[texts]\n"a b" = ""\n',
        "line 3: texts.a b: String should have at least 1",
    ),
    (
        "a number",
        b'language = "de"\n[texts]\n"a b" = 1\n',
        "line 3: texts.a b: Input should be a valid string",
    ),
    (
        "another slot",
        b'language = "de"\n[texts]\n"{a} of {b}" = "{a} von {c}"\n',
        "line 3: texts: '{a} von {c}' has other slots than '{a} of {b}'; use {a}, {b}",
    ),
    (
        "a slot too many",
        b"language = 'de'\n[texts]\n'x' = '{a}'\n",
        "line 3: texts: '{a}' has other slots than 'x'; use none",
    ),
    ("a large file", b"#" * 1_000_001, "larger than 1,000,000 bytes"),
)


@pytest.mark.parametrize(("data", "words"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_mistakes_of_a_table_are_told(data: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_bytes(data)
    with pytest.raises(TextsError) as told:
        read_table(tmp_path / "t.toml")
    assert words in str(told.value)


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        TextsError, match=r"no\.toml: No such file or directory; give the path of a \.toml file"
    ):
        read_table(tmp_path / "no.toml")


def plugin(folder: Path, table: str) -> Planner:
    """A planner with a plugin that has a formula, and a table of texts beside it."""
    (folder / "words.toml").write_text(table, encoding="utf-8")
    file = folder / "acme.py"
    file.write_text(
        "from pathlib import Path\nfrom tokensheet.plugin import formula, hookimpl\n\n\n"
        '@formula(unit="usd/hour", source="lease", title="Lease an hour")\n'
        'def lease(gpus):\n    """Dollars an hour of leased devices."""\n    per_hour = gpus * 1\n    return per_hour\n\n\n'
        "@hookimpl\ndef tokensheet_formulas():\n    return []\n\n\n"
        '@hookimpl\ndef tokensheet_texts():\n    return [Path(__file__).with_name("words.toml")]\n',
        encoding="utf-8",
    )
    return Planner.of(files=(file,))


def test_a_plugin_brings_words_of_any_language(tmp_path: Path) -> None:
    table = 'language = "de"\nfont = "Segoe UI"\n[texts]\n"Lease an hour" = "Miete je Stunde"\n"Result" = "Ergebnis"\n'
    registry = plugin(tmp_path, table).registry
    found = language(registry, "de")
    assert (found.code, found.font, found.words["Lease an hour"]) == ("de", "Segoe UI", "Miete je Stunde")
    assert languages(registry) == ["de", "en", "zh"]
    assert "Lease an hour" in known_texts(registry)


def test_the_program_s_words_stand_against_a_plugin_s(tmp_path: Path) -> None:
    """No plugin changes what the program's own texts say in a language that the program speaks."""
    registry = plugin(tmp_path, 'language = "zh"\n[texts]\n"Result" = "答案"\n"Lease" = "租赁"\n').registry
    words = language(registry, "zh").words
    assert (words["Result"], words["Lease"]) == ("结果", "租赁")


def test_a_broken_table_of_a_plugin_is_told_with_its_plugin(tmp_path: Path) -> None:
    registry = plugin(tmp_path, 'language = "zh"\n[texts]\n"Result" = "{x}"\n').registry
    with pytest.raises(
        TextsError, match=r"plugin acme.*: words\.toml: line 3: texts: '\{x\}' has other slots"
    ):
        language(registry, "zh")


def test_an_unknown_language_lists_the_known() -> None:
    with pytest.raises(
        TokensheetError, match=r"language 'zz': no words of it; known are en, zh; give \[texts\] in a recipe"
    ):
        language(PLANNER.registry, "zz")


RECIPES = (
    (
        'title = "x"\n[texts]\n"Result" = "Ergebnis"\n',
        'line 2: texts: say which language they are in, such as language = "de"',
    ),
    (
        'title = "x"\nlanguage = "de"\n',
        "line 2: language 'de': no words of it; known are en, zh; give [texts]",
    ),
    (
        'title = "x"\nlanguage = "de"\n[texts]\n"Result" = "Ergebnis"\n"Reslut" = "Ergebnis"\n',
        "line 5: texts: no text says 'Reslut'; nearest are",
    ),
    (
        'title = "x"\nlanguage = "zh"\n[texts]\n"{check}: no" = "nein"\n',
        "line 4: texts: 'nein' has other slots than '{check}: no'; use {check}",
    ),
    ('title = "x"\nlanguage = "d e"\n', "line 2: language: String should match"),
)


@pytest.mark.parametrize(("text", "words"), RECIPES)
def test_mistakes_in_the_texts_of_a_recipe_are_told(text: str, words: str) -> None:
    with pytest.raises(TokensheetError) as told:
        recipe.parse(text, PLANNER, "r.toml")
    assert words in str(told.value)


def test_a_recipe_s_own_texts_are_known_to_it() -> None:
    text = 'title = "x"\nlanguage = "de"\n[[prose]]\nheading = "Our offer"\ntext = "b"\n[texts]\n"Our offer" = "Unser Angebot"\n'
    found = recipe.parse(text, PLANNER, "r.toml")
    assert found.spoken(PLANNER).words == {"Our offer": "Unser Angebot"}
    assert found.spoken(PLANNER, "zh").words["Result"] == "结果"
    assert found.spoken(PLANNER, "en").words == {}


def test_recipes_of_the_guide_are_recipes() -> None:
    texts = [
        b.text for b in blocks(ROOT / "docs" / "guide" / "languages-and-brand.md") if b.language == "toml"
    ]
    german, looks = (recipe.parse(text, PLANNER, "guide.toml") for text in texts)
    assert (german.language, german.texts["fits"]) == ("de", "passt")
    assert (looks.look.brand, looks.look.accent) == ("acme.xlsx", "#0a5f38")


@pytest.mark.slow
def test_the_table_to_be_filled_in(tmp_path: Path) -> None:
    """`tokensheet texts de` is a table that is read again, with a comment for each text."""
    target = tmp_path / "de.toml"
    result = CliRunner().invoke(commands, ["texts", "de", "-o", str(target)])
    assert (result.exit_code, result.output) == (0, "")
    lines = target.read_text(encoding="utf-8").splitlines()
    assert lines[0] == 'language = "de"'
    texts = {json.loads(line[2:-5]) for line in lines if line.startswith('# "')}
    assert texts == known_texts(PLANNER.registry) | recipe_files.all_texts(PLANNER)
    filled = "\n".join(
        (line[2:] if line.startswith('# "') else line).replace(' = ""', ' = "x"')
        for line in lines
        if "{" not in line
    )
    target.write_text(filled, encoding="utf-8")
    assert len(read_table(target).texts) > 1000


def test_nothing_is_missing_in_chinese() -> None:
    result = CliRunner().invoke(commands, ["texts", "zh", "--missing"])
    assert result.output == 'language = "zh"\n\n[texts]\n'
