"""The guides name what is there: links, functions, keys and settings. Their commands: test_commands.py."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import tokensheet
from tests.cells import cell, functions
from tests.tools import guide_picture
from tests.tools.pages import blocks
from tokensheet import settings
from tokensheet.cli.commands import tokensheet as program
from tokensheet.desktop import conf
from tokensheet.failure import Failure
from tokensheet.proposal import Proposal
from tokensheet.recipe import Recipe
from tokensheet.recipe_files import known

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [*sorted((DOCS / "guide").glob("*.md")), DOCS / "verified.md"]
pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def anchors(page: Path) -> set[str]:
    """Places that a link into a page may name."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pages
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pages
def test_a_folder_of_a_person_is_quoted(page: Path) -> None:
    """Names of people have spaces."""
    lines = [line for block in blocks(page) if not block.language for line in block.text.splitlines()]
    assert [line for line in lines if re.search(r'(?<!")%[A-Z]+%', line) and "xcopy" not in line] == []


@pages
def test_functions_are_functions(page: Path) -> None:
    text = page.read_text(encoding="utf-8").replace("ORG.TOKENSHEET.FUNCTIONS.", "")
    own = {"SUM", "ISNA", "IF", "NA", "ROW", "INDEX", "IFERROR", "MAP", "LAMBDA"}
    for name in re.findall(r"\b([A-Z][A-Z0-9_]+)\(", text):
        assert name in functions().table or name in own, name


def test_the_settings_of_the_administrators_page(tmp_path: Path) -> None:
    (block,) = [b for b in blocks(DOCS / "guide" / "administrators.md") if b.language == "toml"]
    file = tmp_path / "tokensheet.toml"
    file.write_text(block.text, encoding="utf-8")
    read = settings.read(file)
    assert read.allow == ("acme-gpus",) and read.prefer == {"h100-sxm-80gb": "acme-gpus"}
    assert read.catalogs == (tmp_path / "prices-2026.csv",)


def test_the_add_in_settings_of_the_administrators_page() -> None:
    texts = [b.text for b in blocks(DOCS / "guide" / "administrators.md") if '"UDF MODULES"' in b.text]
    (text,) = texts
    assert set(conf.parsed(text)) == {conf.INTERPRETER, conf.MODULES, conf.ADD_WORKBOOK}


def test_the_version_in_the_page_has_the_form_of_the_functions_answer() -> None:
    text = (DOCS / "guide" / "administrators.md").read_text(encoding="utf-8")
    form = re.compile(r"tokensheet [\d.]+, catalogue [0-9a-f]{8}")
    assert form.fullmatch(functions().own.version()) and len(form.findall(text)) == 2
    assert f"tokensheet[excel]=={tokensheet.__version__}" in text


@pytest.mark.slow
@pytest.mark.parametrize("picture", guide_picture.PICTURES)
def test_the_pictures_show_what_the_functions_answer_today(picture: str) -> None:
    """To the digits that a reader takes in; python -m tests.tools.guide_picture makes them anew."""
    shown = guide_picture.values_of((DOCS / "guide" / f"{picture}.png").read_bytes())
    asked = guide_picture.expected(picture)
    assert asked
    for place, formula in asked.items():
        found = cell(formula)
        rows = found if isinstance(found, list) else [[found]]
        first = re.fullmatch(r"([A-Z])(\d+)", place)
        assert first
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                there = shown[f"{chr(ord(first[1]) + j)}{int(first[2]) + i}"]
                wanted = value.code if isinstance(value, Failure) else pytest.approx(value, rel=1e-3)
                assert there == wanted, formula


def test_every_picture_is_shown_and_there() -> None:
    shown = {
        name for page in PAGES for name in re.findall(r"\((\w+)\.png\)", page.read_text(encoding="utf-8"))
    }
    assert shown == {path.stem for path in (DOCS / "guide").glob("*.png")} == set(guide_picture.PICTURES)


@pytest.mark.slow
def test_the_page_on_proposals_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both files are exported, the second with the recipe of one's own; the commands are run."""
    monkeypatch.chdir(tmp_path)
    page = blocks(DOCS / "guide" / "proposals.md")
    for block in page:
        if block.note:
            Path(block.note.removeprefix("file: ")).write_text(block.text, encoding="utf-8")
    assert "no answer" not in run("export plan.toml")
    Path("customer.xlsx").write_bytes(Path("plan.xlsx").read_bytes())
    commands = [line for b in page if not b.language for line in b.text.splitlines()]
    assert len(commands) == 3
    for command in commands:
        name, _, arguments = command.partition(" ")
        assert name == "tokensheet"
        told = run(arguments)
        assert "changed:" not in told and ("diff" not in command or told == "no difference\n")
    text = Path("plan.toml").read_text(encoding="utf-8")
    Path("own.toml").write_text(text.replace('"fleet-plan"', '"acme-recipe.toml"'), encoding="utf-8")
    told = run("export own.toml")
    assert "memory_per_device" in told
    dump = Path("own.txt").read_text(encoding="utf-8")
    for words in ("How to read it", "Dearer electricity", "Valid until"):
        assert words in dump
    with zipfile.ZipFile("own.xlsx") as package:
        parts = "".join(package.read(n).decode() for n in package.namelist() if "charts/chart" in n)
    for title in ("Time of a step, with its band", "Tokens per dollar over the price of electricity"):
        assert title in parts


def run(arguments: str) -> str:
    """What a command of the program says."""
    done = CliRunner().invoke(program, arguments.split())
    assert done.exit_code == 0, done.output
    return str(done.stdout)


def test_the_page_on_proposals_names_every_key_and_recipe() -> None:
    text = (DOCS / "guide" / "proposals.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`\[*([a-z_]+)\]*`", text))
    assert set(Proposal.model_fields) <= named
    assert set(Recipe.model_fields) <= named
    assert set(known(functions().planner)) <= set(re.findall(r"`([a-z-]+)`", text))
