"""A workbook as a sceptical customer meets it: own rows, missing prices, many candidates, and what is drawn of them."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import tokensheet
from tests.tools import ironcalc_engine
from tests.tools.office import Input, Values
from tests.tools.planbook import Planbook, planbook
from tokensheet.errors import ProposalError
from tokensheet.proposal import Proposal, parse
from tokensheet.recipe import parse as recipe_of
from tokensheet.workbook import styles
from tokensheet.workbook.build import Export, build
from tokensheet.workbook.cells import head_row
from tokensheet.workbook.finish import CellError

PLANNER = tokensheet.planner()
NO_PRICE = "h200-nvl-141gb"
TEXT = """
title = "A customer's"
template = "{template}"
[workload]
model = "llama-3.1-8b"
context = 4096
batch = 8
gpus = 1
[[candidates]]
name = "bought"
gpu = "h100-sxm-80gb"
[[candidates]]
name = "without a price"
gpu = "{no_price}"
[[candidates]]
name = "a server"
gpu = "h100-sxm-80gb"
gpus = 8
system = "hgx-h100"
"""
RED = "Device that serves it is in the catalogue, once: no"


def proposal(template: str, more: str = "") -> Proposal:
    return parse(TEXT.format(template=template, no_price=NO_PRICE) + more, PLANNER)


@cache
def exported(template: str) -> Export:
    return build(PLANNER, proposal(template))


@cache
def opened(template: str) -> Any:
    return openpyxl.load_workbook(io.BytesIO(exported(template).xlsx), data_only=True)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Planbook:
    return planbook(PLANNER, proposal("one-page"), tmp_path_factory.mktemp("customer") / "plan.xlsx")


def own_row(book: Planbook, id: str, chosen: bool = True, **changes: float | str) -> list[Input]:
    """A copy of the H100's row below the last one, with some numbers changed, and its choice by the first candidate."""
    sheet: Any = openpyxl.load_workbook(book.path)["Hardware"]
    rows = {str(c.value): c.row for c in sheet["A"] if c.value is not None}
    source, target = rows["h100-sxm-80gb"], max(rows.values()) + 1
    sets: list[Input] = []
    for head in sheet[5]:
        value = changes.get(head.value, sheet.cell(source, head.column).value) if head.value != "id" else id
        if value is not None and head.value not in {"source", "state"}:
            sets.append(("Hardware", f"{head.column_letter}{target}", value))
    return [*sets, ("Options", book.options["gpu"][0], id)] if chosen else sets


def said(book: Planbook, values: Values, row: str, index: int = 0) -> object:
    return values["Summary"][f"{'CDE'[index]}{book.summary[row]}"]


@pytest.mark.slow
def test_an_own_row_answers(book: Planbook) -> None:
    """The rows below fail for what is wrong with them, not because they are own."""
    values = ironcalc_engine.values(book.path, own_row(book, "ours", gpu_price=1000))
    cost = book.result(values, 0, "cost_per_hour")
    assert isinstance(cost, float) and cost < float(book.result(values, 2, "cost_per_hour")) / 8
    assert said(book, values, "Checks") == "all hold"


@pytest.mark.slow
@pytest.mark.parametrize("id", ["h100-sxm-80gb", "H100-SXM-80GB"])
def test_a_second_row_of_one_id_has_no_answer(id: str, book: Planbook) -> None:
    """A copied row whose id was forgotten: neither its numbers nor the others' are taken in silence."""
    values = ironcalc_engine.values(book.path, own_row(book, id, chosen=False, gpu_price=1))
    for index in (0, 2):
        assert book.result(values, index, "decode_latency") == CellError("#N/A")
        assert said(book, values, "Checks", index) == RED
    assert isinstance(book.result(values, 1, "decode_latency"), float)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "result"),
    [
        ({"gpu_price": -5}, "cost_per_hour"),
        ({"gpu_price": "33600"}, "cost_per_hour"),
        ({"memory_bandwidth": -1e12}, "decode_latency"),
    ],
)
def test_a_fact_below_0_or_a_text_is_no_fact(
    change: dict[str, float | str], result: str, book: Planbook
) -> None:
    values = ironcalc_engine.values(book.path, own_row(book, "ours", **change))
    assert book.result(values, 0, result) == CellError("#N/A")
    assert said(book, values, "Checks") != "all hold"


@pytest.mark.slow
def test_checks_tell_which_fact_is_missing() -> None:
    """1 where the catalogue states a fact, 0 where it does not; none counts among the checks above."""
    rows = {r[1]: r for r in opened("one-page")["Checks"].iter_rows(min_row=5, values_only=True) if r[1]}
    assert rows["gpu_price"][2:5] == (1, 0, 1)
    assert exported("one-page").summary[1]["reasons"]["cost_per_hour"].endswith("(list price of one device)")


@pytest.mark.slow
def test_a_stack_with_a_part_missing_is_not_drawn() -> None:
    """What is left of it would be the smallest bar of all."""
    names = [r[0] for r in opened("one-page")["Charts data"].iter_rows(min_row=1, values_only=True)]
    start = names.index("Cost of a million tokens") + 2
    rows = [
        [c.value for c in row]
        for row in opened("one-page")["Charts data"].iter_rows(min_row=start, max_row=start + 4)
    ]
    assert [r[0] for r in rows][-1] == "All parts"
    assert {r[3] for r in rows} == {"#N/A"}
    for i in (2, 4):
        assert 0 < rows[-1][i] == pytest.approx(sum(r[i] for r in rows[:-1]))


@pytest.mark.slow
def test_a_bill_of_materials_comes_to_the_price_of_the_machine() -> None:
    """Also of a system without a bill, and of devices whose price is an estimate."""
    sheet, results = opened("cluster-build")["Bill of materials"], exported("cluster-build").summary
    prices = [s["results"]["system_price"] for s in results]
    assert [sheet.cell(5, 7 + i).value for i in range(3)] == [prices[0], "#N/A", prices[2]]
    last = [sheet.cell(sheet.max_row, c).value for c in (2, 7, 8, 9)]
    assert last == ["price of the machine that no line lists", prices[0], "#N/A", prices[2]]


@pytest.mark.slow
def test_a_record_that_no_result_reads_is_told() -> None:
    """An offer moves nothing in a workbook that asks for nothing of offers: the candidate is not rented."""
    made = build(PLANNER, proposal("one-page", 'offer = "p024"\n'))
    assert made.summary[2]["unread"] == ["offer"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "results", [["decode_latency", "rent_per_million"], ["rent_per_million", "tokens_per_dollar"]]
)
def test_a_result_of_0_is_no_measure_of_sensitivity(results: list[str]) -> None:
    """No share of 0 is a change."""
    plan = proposal("capacity-plan").model_copy(update={"results": tuple(results)})
    book: Any = openpyxl.load_workbook(io.BytesIO(build(PLANNER, plan).xlsx), data_only=True)
    labels = {str(r[0]) for r in book["Sensitivity"].iter_rows(min_row=9, max_row=25, values_only=True)}
    assert not any("Rent of a million tokens" in label for label in labels)
    assert any(": change when lower" in label for label in labels)


def test_names_of_candidates_have_room() -> None:
    sheet: Any = openpyxl.Workbook().active
    head_row(sheet, 4, ["short"], 20)
    assert sheet.row_dimensions[4].height == 32
    head_row(sheet, 4, ["short", "x" * 60], 20)
    assert sheet.row_dimensions[4].height == 43.5


@pytest.mark.parametrize(
    ("values", "form"),
    [
        ([24.5, 7.25, CellError("#N/A")], styles.ALIGNED), ([0.0, 8.4], styles.ALIGNED),
        ([1872.3, 853.6], styles.HUNDREDS), ([1872.3, 3.1], styles.PEOPLE),
        ([0.004, 12.0], styles.PEOPLE), ([4.8e12, 3.0], styles.PEOPLE), ([CellError("#N/A")], styles.ALIGNED),
    ],
)  # fmt: skip
def test_numbers_of_a_row_stand_below_each_other(values: list[object], form: str) -> None:
    assert styles.across(values) == form


@pytest.mark.slow
def test_twelve_candidates_are_all_drawn_and_named() -> None:
    """The list of names stands beside points, not in their place; bars name each candidate."""
    candidates = [
        {"name": f"candidate {i}", "gpu": "h100-sxm-80gb", "gpus": 1, "batch": 2**i} for i in range(12)
    ]
    plan = proposal("capacity-plan").model_copy(update={"candidates": ()})
    plan = Proposal.model_validate({**plan.model_dump(), "candidates": candidates})
    sheet: Any = openpyxl.load_workbook(io.BytesIO(build(PLANNER, plan).xlsx))["Summary"]
    charts = {chart.title.tx.rich.p[0].r[0].t: chart for chart in sheet._charts}
    for title in ("Speed of a user against rate of a device", "Decode step under the roofline"):
        assert charts[title].legend.position == "r"
    assert charts["Memory of the fullest device"].x_axis.tickLblSkip == 1
    assert {c.anchor._from.col for c in sheet._charts} == {0, 4, 9}


@pytest.mark.slow
def test_a_capacity_plan_has_its_whole_sensitivity() -> None:
    """Eight inputs at a time and a grid of five: formulas that join the graph do not make it a large one."""
    sheet = opened("capacity-plan")["Sensitivity"]
    rows = {str(r[0]): r for r in sheet.iter_rows(min_row=9, values_only=True)}
    assert len([x for x in rows["Input"][2:] if x]) == 8
    assert len([r for r in sheet["A"] if r.value == "Decode latency, context:"]) == 5


@pytest.mark.slow
def test_a_recipe_says_what_is_varied_first(tmp_path: Path) -> None:
    """In its order, where it moves a result; the rest follows by what matters most."""
    (tmp_path / "ours.toml").write_text(
        'title = "Ours"\nresults = ["decode_latency", "cost_per_hour", "tokens_per_dollar"]\nsheets = ["Sensitivity"]\n'
        'vary = ["electricity_price", "hosting_per_hour", "gpu_price"]\n'
    )
    (tmp_path / "plan.toml").write_text(TEXT.format(template="ours.toml", no_price=NO_PRICE))
    from tokensheet.proposal import read

    made = build(PLANNER, read(tmp_path / "plan.toml", PLANNER))
    sheet: Any = openpyxl.load_workbook(io.BytesIO(made.xlsx), data_only=True)["Sensitivity"]
    names = [cell.value for cell in sheet[10]][2:]
    assert names[:2] == ["electricity_price", "gpu_price"] and len(names) > 4


def test_a_recipe_that_varies_what_is_not_there_is_told() -> None:
    text = 'title = "Ours"\nvary = ["gpu_price", "electricity_prices"]\n'
    with pytest.raises(ProposalError, match=r"line 2: no input.* electricity_prices; .*electricity_price"):
        recipe_of(text, PLANNER, "ours.toml")
