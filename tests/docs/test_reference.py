"""The reference in docs/ is what the registry says, and GitHub can show it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import tokensheet
from tokensheet.functions import Functions
from tokensheet.reference.markdown import FIRST, SECOND, documents, markdown, said

DOCS = Path(__file__).parents[2] / "docs"
SHOWN_BY_GITHUB = 512_000
"""Bytes of the largest page that GitHub typesets."""


@cache
def functions() -> Functions:
    return Functions(tokensheet.planner())


@cache
def written() -> dict[str, str]:
    return documents(functions())


def test_the_documents_are_made_from_the_registry(request: pytest.FixtureRequest) -> None:
    for name, text in written().items():
        if request.config.getoption("--update-golden"):
            (DOCS / name).write_text(text, encoding="utf-8", newline="\n")
        assert (DOCS / name).read_text(encoding="utf-8") == text, "run make goldens and read the difference"


@pytest.mark.parametrize("name", [FIRST, SECOND])
@pytest.mark.slow
def test_a_document_can_be_shown_and_its_links_lead_somewhere(name: str) -> None:
    assert len(written()[name].encode()) < SHOWN_BY_GITHUB
    for file, anchor in re.findall(r"^- \[.*?\]\((.*?)#(.*?)\)$", written()[name], re.M):
        titles = re.findall(r"^## (.*)$", written()[file or name], re.M)
        assert anchor in {re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in titles}


@pytest.mark.slow
def test_what_the_command_prints_has_all_of_both() -> None:
    text = markdown(functions())
    assert text.count("\n## ") == sum(part.count("\n## ") for part in written().values())
    assert [n for n in functions().table if f"\n### {n}\n" not in text] == []


@pytest.mark.slow
def test_every_formula_stands_in_words_and_typeset() -> None:
    names = functions().planner.registry.functions
    assert written()[FIRST].count("\n```math\n") == written()[FIRST].count("\n```text\n") == len(names)


@pytest.mark.slow
def test_rows_of_tables_have_the_cells_of_their_heading() -> None:
    for text in written().values():
        for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
            assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1, table[:200]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\n words", "two words"),
        ("a <b> & $1 to $2", r"a \<b> & \$1 to \$2"),
        ("*all* [this](there)", r"\*all\* \[this](there)"),
        ("`*` and `a<b` stay", "`*` and `a<b` stay"),
        ("a lone ` <", r"a lone ` \<"),
    ],
)
def test_texts_are_no_markup(text: str, shown: str) -> None:
    assert said(text) == shown
