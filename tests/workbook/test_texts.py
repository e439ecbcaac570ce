"""Workbooks in other languages: the same formulas and numbers, every text of the program translated, data untouched."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import tokensheet
from tests.tools import ironcalc_engine, stored
from tests.tools.all_functions import everything
from tests.tools.cells_in_file import cells as in_file
from tests.tools.planbook import formula_cells, only_formulas
from tests.tools.recipe_workbooks import BUILT_IN, MARKED, QUICK, made_of, proposal
from tests.workbook.test_compare import TEXT, run
from tests.workbook.test_lint import unexplained
from tokensheet.errors import ProposalError
from tokensheet.planning import Planner
from tokensheet.proposal import parse, read
from tokensheet.workbook.build import Export, build

PLANNER = tokensheet.planner()
PROPOSALS = sorted((Path(__file__).parents[2] / "workbooks").glob("*.toml"))
MARKED_TOO = {QUICK, "cluster-build"}
"""Recipes that are also written in the language of brackets, which shows texts that were never looked up."""
SMALL = [path for path in PROPOSALS if "fleet" not in path.stem]
"""Those that are no large one of a recipe whose Chinese workbook is looked at anyway."""


def cells(made: Export, *, values: bool = False) -> dict[tuple[str, str], Any]:
    """Sheet and address → formula or content, or what is stored."""
    found = in_file(made.xlsx)
    stored = {(sheet, at): value for sheet, cells in found.values.items() for at, value in cells.items()}
    return stored if values else {**stored, **found.formulas}


templates = pytest.mark.parametrize(
    "name", [name if name == QUICK else pytest.param(name, marks=pytest.mark.slow) for name in BUILT_IN]
)


@pytest.mark.slow
@templates
def test_formulas_and_numbers_are_the_same_in_every_language(name: str) -> None:
    english, foreign = made_of(name, "en"), made_of(name, MARKED if name in MARKED_TOO else "zh")
    one, other = cells(english), cells(foreign)
    assert one.keys() == other.keys()
    texts = {at for at, value in one.items() if isinstance(value, str) and not value.startswith("=")}
    assert {at: value for at, value in one.items() if at not in texts} == {
        at: value for at, value in other.items() if at not in texts
    }
    said, told = cells(english, values=True), cells(foreign, values=True)
    numbers = {at for at, value in said.items() if not isinstance(value, str)}
    assert {at: said[at] for at in numbers} == {at: told[at] for at in numbers}
    changed = {at for at in said.keys() - texts - numbers if said[at] != told[at]}
    if name in MARKED_TOO:
        assert changed == {at for at in told if "«" in str(told[at]) and at not in texts}
    assert changed


@pytest.mark.slow
def test_the_words_of_summary_are_translated() -> None:
    told = cells(made_of(QUICK, MARKED), values=True)
    assert "«fits»" in {value for (sheet, _), value in told.items() if sheet == "Summary"}


CHINESE = re.compile("[\u4e00-\u9fff]")
DATA = {
    "Options": {1: "id", 4: "names"}, "Inputs": {2: "names", 3: "ids", 5: "reasons"}, "About": {1: "sheets", 2: "proposal"},
    "Calculation": {2: "symbols", 5: "sources"}, "Variants": {2: "symbols", 5: "sources"}, "Checks": {2: "keys"},
    "Bill of materials": {1: "ids", 2: "items", 6: "sources"}, "Texts": {1: "English"},
}  # fmt: skip
"""Columns of ids, symbols, sources and of what people wrote, which have one language."""
LINTED = {"one-page", "cost-comparison"}
"""Recipes whose Chinese workbooks are held against all rules: formulas are the same in every language."""
TABLES = {"Hardware", "Links", "Systems", "Models", "Formats", "Profiles", "Prices"}


@pytest.mark.slow
@templates
def test_chinese_workbooks_have_words_for_everything(name: str, tmp_path: Path) -> None:
    """Nothing falls back to English; stored texts are what formulas give; rules are kept."""
    made = made_of(name, "zh")
    assert (made.language, made.untranslated) == ("zh", ())
    path = tmp_path / "plan.xlsx"
    path.write_bytes(made.xlsx)
    formulas = formula_cells(path)
    kept, calculated = (only_formulas(f(path), formulas) for f in (stored.values, ironcalc_engine.values))
    assert stored.differences(kept, calculated, 1e-12) == []
    if name in LINTED:
        found = [f for f in unexplained(made.xlsx) if not f.startswith("about:")]
        assert found == []  # that rule looks for English labels


@pytest.mark.slow
def test_a_workbook_of_many_functions_has_chinese_words() -> None:
    made = build(PLANNER, everything(PLANNER).model_copy(update={"language": "zh"}), lambdas=True)
    assert made.untranslated == ()


@pytest.mark.slow
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_our_proposals_have_chinese_words(path: Path) -> None:
    made = build(PLANNER, read(path, PLANNER).model_copy(update={"language": "zh"}))
    assert made.untranslated == ()


@pytest.mark.slow
def test_what_stays_english_in_a_chinese_workbook_is_data() -> None:
    """A text that is the same in both languages is an id, a symbol, a source, a name of the code or of somebody."""
    english, chinese = (cells(made_of("cluster-build", code)) for code in ("en", "zh"))
    left = {
        (sheet, value)
        for (sheet, at), value in english.items()
        if isinstance(value, str) and not value.startswith("=") and value == chinese[sheet, at]
        if sheet not in TABLES and openpyxl.utils.cell.coordinate_to_tuple(at)[1] not in DATA.get(sheet, {})
        if re.search("[A-Za-z]{2}", value)
    }
    names = {*PLANNER.registry.nodes, *PLANNER.registry.roles}
    known = names | {"ms", "GiB", "GPU", "token", "1", "owned", "rented", "Recipes", "bf16", "h100-sxm-80gb"}
    code = re.compile(r"[\w.>×^+*/()\[\], ≤≥<>=-]+")  # formulas in words: names and signs
    assert {
        (s, v)
        for s, v in left
        if v not in known and not (s in {"Calculation", "Variants"} and code.fullmatch(v))
    } == set()


@pytest.mark.slow
def test_charts_and_messages_are_chinese() -> None:
    with zipfile.ZipFile(io.BytesIO(made_of(QUICK, "zh").xlsx)) as package:
        parts = {name: package.read(name).decode() for name in package.namelist() if name.endswith(".xml")}
    charts = [text for name, text in parts.items() if name.startswith("xl/charts/")]
    assert charts
    for text in charts:
        titles = re.findall("<a:t>([^<]*)</a:t>", text)
        assert CHINESE.search(titles[0]), titles
        assert '<a:ea typeface="Microsoft YaHei">' in text
    sheets = "".join(text for name, text in parts.items() if name.startswith("xl/worksheets/"))
    messages = re.findall(r' error="([^"]*)"', sheets) + re.findall(r' errorTitle="([^"]*)"', sheets)
    assert messages
    assert all(CHINESE.search(message) for message in messages)
    assert 'name val="Microsoft YaHei"' in parts["xl/styles.xml"]
    assert re.search("<dc:language[^>]*>zh<", parts["docProps/core.xml"])


@pytest.mark.slow
def test_a_customer_s_changes_come_back_from_a_chinese_workbook(tmp_path: Path) -> None:
    """What is read of it is what is read of the English one, and its language."""
    read = {}
    for code in ("en", "zh"):
        path = tmp_path / f"{code}.xlsx"
        path.write_bytes(build(PLANNER, parse(f'language = "{code}"\n{TEXT}', PLANNER)).xlsx)
        read[code] = run("read", path).output
    assert read["zh"] == read["en"].replace(
        'template = "one-page"\n', 'template = "one-page"\nlanguage = "zh"\n'
    )
    assert parse(read["zh"], PLANNER).language == "zh"


@pytest.mark.slow
def test_workbooks_in_two_languages_do_not_differ(tmp_path: Path) -> None:
    for code in ("en", "zh"):
        (tmp_path / f"{code}.xlsx").write_bytes(
            build(PLANNER, parse(f'language = "{code}"\n{TEXT}', PLANNER)).xlsx
        )
    (tmp_path / "plan.toml").write_text(TEXT)
    told = run("diff", tmp_path / "en.xlsx", tmp_path / "zh.xlsx").output
    assert told == "inputs:\n  about: language en -> zh\nresults: no difference\n"
    assert run("diff", tmp_path / "plan.toml", tmp_path / "zh.xlsx").output == told
    (tmp_path / "plan.toml").write_text(TEXT.replace("electricity_price = 0.2", "electricity_price = 0.4"))
    told = run("diff", tmp_path / "plan.toml", tmp_path / "zh.xlsx").output
    assert "token/usd" in told


RECIPE = """
title = "Angebot"
language = "de"
results = ["decode_latency"]

[texts]
"Result" = "Ergebnis"
"Decode latency" = "Dauer eines Schritts"
"fits" = "passt"
"does not fit, {gb} GB missing" = "passt nicht, {gb} GB fehlen"
"For" = "Für"
"""


def german(folder: Path) -> Planner:
    """A planner with a plugin whose recipe brings some German."""
    (folder / "angebot.toml").write_text(RECIPE, encoding="utf-8")
    (folder / "ours.py").write_text(
        "from pathlib import Path\nfrom tokensheet.plugin import hookimpl\n\n\n@hookimpl\ndef tokensheet_templates():\n"
        '    return [Path(__file__).with_name("angebot.toml")]\n'
    )
    return Planner.of(files=(folder / "ours.py",))


@pytest.mark.slow
def test_a_recipe_brings_a_language_of_its_own(tmp_path: Path) -> None:
    """Its words stand where it has some, English ones elsewhere, and those are told."""
    planner = german(tmp_path)
    given = proposal(template="angebot", customer="Kunde")
    made = build(planner, given)
    told = cells(made, values=True)
    assert (made.language, told["Summary", "A4"], told["Summary", "A5"]) == (
        "de",
        "Ergebnis",
        "Dauer eines Schritts",
    )
    assert {"passt"} & {value for (sheet, _), value in told.items() if sheet == "Summary"}
    assert told["About", "A2"] == "Für"
    assert "Unit" in made.untranslated
    assert "Result" not in made.untranslated
    assert build(planner, given.model_copy(update={"language": "en"})).language == "en"
    chinese = cells(build(planner, given.model_copy(update={"language": "zh"})), values=True)
    assert chinese["Summary", "A4"] == "结果"


@pytest.mark.slow
def test_exporting_tells_what_stays_english(tmp_path: Path) -> None:
    german(tmp_path)
    file = tmp_path / "plan.toml"
    file.write_text(TEXT.replace(QUICK, "angebot"), encoding="utf-8")
    done = run("--plugin", tmp_path / "ours.py", "export", file, "-o", tmp_path)
    assert done.exit_code == 0, done.output
    assert re.search(r"note: \d+ texts have no words in de and stand in English: '", done.output)
    done = run("--plugin", tmp_path / "ours.py", "export", file, "-o", tmp_path, "--language", "zh", "--json")
    assert "have no words" not in done.output
    done = run("export", file.with_name("plan.toml"), "-o", tmp_path, "--language", "zz")
    assert (done.exit_code, done.output.count("\n")) == (1, 1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('language = "zz"', "line 1: language 'zz': no words of it; known are en, zh"),
        ('language = "Chinese"', "line 1: language: String should match pattern"),
        ("language = 1", "line 1: language: Input should be a valid string"),
    ],
)
def test_an_unknown_language_of_a_proposal_is_told(line: str, words: str) -> None:
    with pytest.raises(ProposalError) as told:
        parse(f"{line}\n{TEXT}", PLANNER)
    assert words in str(told.value)
