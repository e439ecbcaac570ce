"""Native charts: they draw live cells, keep the rules that programs need, and stand without an answer."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import openpyxl
import pytest

import tokensheet
from tokensheet.proposal import Proposal
from tokensheet.workbook.build import Export, build
from tokensheet.workbook.finish import CellError

pytestmark = pytest.mark.slow

CANDIDATES = [
    {"name": "fits", "gpu": "h100-sxm-80gb", "gpus": 8, "batch": 16},
    {"name": "does not fit", "gpu": "rtx-4090", "gpus": 1, "batch": 16},
    {"name": "largest", "gpu": "h100-sxm-80gb", "gpus": 8, "batch": "max"},
]


def proposal(**more: Any) -> Proposal:
    given = {
        "title": "Charts",
        "workload": {"model": "llama-2-70b", "context": 4096},
        "candidates": CANDIDATES,
    }
    return Proposal.model_validate({**given, **more})


@pytest.fixture(scope="module")
def made() -> Export:
    return build(tokensheet.planner(), proposal())


@pytest.fixture(scope="module")
def parts(made: Export) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(made.xlsx)) as package:
        return {n: package.read(n).decode() for n in package.namelist() if n.startswith("xl/charts/")}


def references(parts: dict[str, str]) -> list[str]:
    return [ref for text in parts.values() for ref in re.findall(r"<(?:c:)?f>([^<]+)</(?:c:)?f>", text)]


def test_every_chart_of_the_recipe_is_drawn(made: Export) -> None:
    """Six on Summary; two tornados, six curves over the batch and a user against a device on Sensitivity."""
    book: Any = openpyxl.load_workbook(io.BytesIO(made.xlsx))
    assert len(book["Summary"]._charts) == 6
    assert len(book["Sensitivity"]._charts) == 9


def test_charts_draw_formula_cells_and_no_values_of_their_own(made: Export, parts: dict[str, str]) -> None:
    """Each cell that a series draws is a formula, an input, or a title; nothing is written into the chart."""
    book: Any = openpyxl.load_workbook(io.BytesIO(made.xlsx))
    for text in parts.values():
        assert "numLit" not in text and "numCache" not in text
    seen = 0
    for reference in references(parts):
        sheet, _, area = reference.rpartition("!")
        cells = book[sheet.strip("'")][area.replace("$", "")]
        flat = [c for row in cells for c in row] if isinstance(cells, tuple) else [cells]
        assert all(c.value is not None for c in flat), reference
        seen += sum(c.data_type == "f" for c in flat)
    assert seen > 100


def test_charts_keep_what_programs_need(parts: dict[str, str]) -> None:
    """Axes are seen, lines are not smoothed, gaps stay gaps."""
    assert parts
    for name, text in parts.items():
        assert '<delete val="1"' not in re.sub(r"<legendEntry>.*?</legendEntry>", "", text), name
        assert text.count('<delete val="0"') + text.count("<delete />") >= 2, name
        assert 'dispBlanksAs val="gap"' in text, name
        if "scatterChart" in text:
            assert text.count('<smooth val="0"') == text.count("<ser>"), name


def test_a_candidate_without_an_answer_has_no_bar(made: Export) -> None:
    """Its cells are #N/A, which programs leave out; its memory is drawn all the same."""
    sheet: Any = openpyxl.load_workbook(io.BytesIO(made.xlsx), data_only=True)["Charts data"]
    rows = {str(row[0].value): [c.value for c in row[2:5]] for row in sheet.iter_rows(min_row=5)}
    assert rows["Decode latency"][1] == CellError("#N/A")
    assert rows["Weights on the fullest device"][1] > 100
    assert isinstance(rows["Decode latency"][0], float)


def test_the_parts_of_memory_and_cost_add_up(made: Export) -> None:
    """Weights, cache, set aside and free are what is available; the parts of cost are the cost of a million tokens."""
    sheet: Any = openpyxl.load_workbook(io.BytesIO(made.xlsx), data_only=True)["Charts data"]
    rows = {str(row[0].value): [c.value for c in row[2:5]] for row in sheet.iter_rows(min_row=5)}
    answers = made.summary
    for i in (0, 2):
        memory = sum(
            rows[k][i]
            for k in (
                "Weights on the fullest device",
                "KV cache on a device",
                "Set aside on a device",
                "Memory left on a device",
            )
        )
        assert memory * 2**30 == pytest.approx(answers[i]["results"]["memory_available"])
        cost = sum(rows[f"{k} of a million tokens"][i] for k in ("Capital", "Power", "Hosting", "Rent"))
        assert cost == pytest.approx(1e6 / answers[i]["results"]["tokens_per_dollar"])


def test_a_plan_under_the_roofline_stays_below_its_roof(made: Export) -> None:
    sheet: Any = openpyxl.load_workbook(io.BytesIO(made.xlsx), data_only=True)["Charts data"]
    rows = {str(row[0].value): [c.value for c in row[2:5]] for row in sheet.iter_rows(min_row=5)}
    for i in (0, 2):
        x, y = rows["Operations a byte of a decode step"][i], rows["Operations a second reached"][i]
        knee, peak = rows["Knee of the roofline"][i], rows["Rate of computing in decode steps"][i]
        assert 0 < y <= min(1, x / knee) * peak


def test_a_chart_that_needs_an_input_of_its_own_is_left_out() -> None:
    """Without a price among the results there is no chart of cost, and no check of its inputs."""
    made = build(tokensheet.planner(), proposal(results=["decode_latency"]))
    book: Any = openpyxl.load_workbook(io.BytesIO(made.xlsx))
    titles = {c.value for c in book["Charts data"]["A"]}
    assert "Memory of the fullest device" in titles
    assert "Cost of a million tokens" not in titles
    assert not any("electricity" in str(c.value) for c in book["Checks"]["A"])
