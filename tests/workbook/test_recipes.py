"""Workbook recipes: the built-in ones give whole workbooks, a plugin's are found, all mistakes are told at once."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import tokensheet
from tests.tools import ironcalc_engine, stored
from tests.tools.planbook import formula_cells, only_formulas
from tests.tools.recipe_workbooks import BUILT_IN, made_of, proposal
from tests.workbook.test_lint import unexplained
from tokensheet import recipe, recipe_files
from tokensheet.errors import ProposalError
from tokensheet.planning import Planner
from tokensheet.proposal import parse
from tokensheet.workbook.build import build

PLANNER = tokensheet.planner()
SHEETS = {
    "capacity-plan": {"Charts data", "Sensitivity", "Variants"},
    "cluster-build": {"Charts data", "Sensitivity", "Variants", "Bill of materials"},
    "cost-comparison": {"Charts data", "Sensitivity", "Variants"},
    "fleet-plan": {"Charts data", "Sensitivity", "Variants", "Series", "Series data"},
    "one-page": {"Charts data"},
}


def test_five_recipes_come_with_the_program() -> None:
    assert tuple(sorted(recipe_files.known(PLANNER))) == BUILT_IN


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "one-page" else pytest.mark.slow) for name in BUILT_IN]
)
def test_a_built_in_recipe_gives_its_rows_and_sheets(name: str, tmp_path: Path) -> None:
    """Its results on Summary, its sheets and no others of those that may be left out; rules kept; values right."""
    made = made_of(name, "en")
    wanted = recipe_files.find(PLANNER, name)
    assert list(made.summary[0]["results"]) == list(wanted.results)
    path = tmp_path / "plan.xlsx"
    path.write_bytes(made.xlsx)
    book: Any = openpyxl.load_workbook(path)
    optional = set().union(*SHEETS.values())
    assert set(book.sheetnames) & optional == SHEETS[name]
    assert unexplained(made.xlsx) == []
    cells = formula_cells(path)
    kept, calculated = (only_formulas(f(path), cells) for f in (stored.values, ironcalc_engine.values))
    assert stored.differences(kept, calculated, 1e-12) == []
    about = {str(row[0].value) for row in book["About"].iter_rows()}
    assert {p.heading for p in wanted.prose} <= about


def test_results_of_the_proposal_come_before_those_of_the_recipe() -> None:
    made = build(PLANNER, proposal(template="one-page", results=["max_batch"]))
    assert list(made.summary[0]["results"]) == ["max_batch"]


@pytest.mark.slow
def test_a_bill_of_materials_has_the_lines_of_the_system_chosen() -> None:
    """Each line in the column of the candidate that chose the system; their sum is the system's price."""
    made = made_of("cluster-build", "en")
    book: Any = openpyxl.load_workbook(io.BytesIO(made.xlsx), data_only=True)
    lines: Any = [
        r
        for r in book["Bill of materials"].iter_rows(min_row=6, values_only=True)
        if r[0] == "li-8x4090-pcie"
    ]
    assert len(lines) > 1
    assert all(line[6] == line[3] * line[4] and line[7] == 0 for line in lines)
    total = book["Bill of materials"]["G5"].value
    assert total == made.summary[0]["results"]["system_price"] == sum(line[6] for line in lines)


@pytest.mark.slow
def test_a_quote_has_margin_and_discount() -> None:
    """List price = cost / (1 - margin); price = list price less discount; what is left is the margin after discount."""
    results = made_of("cost-comparison", "en").summary[0]["results"]
    cost = results["cost_per_hour"]
    assert results["list_price_per_hour"] == pytest.approx(cost / 0.75)
    assert results["quote_per_hour"] == pytest.approx(cost / 0.75 * 0.9)
    assert results["margin_left"] == pytest.approx(1 - 0.75 / 0.9)
    assert results["quote_per_million"] == pytest.approx(1e6 / results["tokens_per_dollar"] / 0.75 * 0.9)


@pytest.mark.slow
def test_a_recipe_of_a_plugin_is_found(tmp_path: Path) -> None:
    file = tmp_path / "ours.py"
    (tmp_path / "ours.toml").write_text('title = "Ours"\nresults = ["kv_bytes"]\n')
    file.write_text(
        "from pathlib import Path\nfrom tokensheet.plugin import hookimpl\n\n\n@hookimpl\ndef tokensheet_templates():\n"
        '    return [Path(__file__).with_name("ours.toml")]\n'
    )
    planner = Planner.of(files=(file,))
    made = build(planner, proposal(template="ours"))
    assert list(made.summary[0]["results"]) == ["kv_bytes"]


def test_all_mistakes_of_a_recipe_are_told_at_once() -> None:
    text = (
        'title = ""\nsheet = ["Sensitivity"]\n[[charts]]\ntitle = "x"\nkind = "pie"\nrows = []\ncolour = 1\n'
    )
    with pytest.raises(ProposalError) as told:
        recipe.parse(text, PLANNER, "bad.toml")
    for words in (
        "title",
        "sheet: unknown key",
        "sheets",
        "charts.0.kind",
        "charts.0.rows",
        "charts.0.colour",
    ):
        assert words in str(told.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('title = "x"\nresults = ["decode_latencies"]', "nothing is called decode_latencies.*decode_latency"),
        (
            'title = "x"\n[[charts]]\ntitle = "y"\nkind = "points"\nrows = ["decode_latency"]',
            "chart 'y' has 1 rows; points takes 2",
        ),
        ("title = ", "bad.toml"),
    ],
)
def test_names_and_rows_of_a_recipe_are_checked(text: str, words: str) -> None:
    with pytest.raises(ProposalError, match=words):
        recipe.parse(text, PLANNER, "bad.toml")


def test_an_unknown_template_lists_the_nearest() -> None:
    with pytest.raises(ProposalError, match=r"no recipe is called one-pages.*one-page"):
        build(PLANNER, proposal(template="one-pages"))


def test_a_proposal_tells_an_unknown_template_beside_its_other_mistakes() -> None:
    text = 'title = "x"\ntemplate = "onepage"\n[workload]\nmodl = "y"\n[[candidates]]\nname = "a"\n'
    with pytest.raises(ProposalError) as told:
        parse(text, PLANNER)
    assert "line 2: template: no recipe is called onepage" in str(told.value)
    assert "line 4: unknown key modl" in str(told.value)
