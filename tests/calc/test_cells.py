"""Formulas typed into the cells of a real LibreOffice, compared with the engine's own answers."""

from __future__ import annotations

import csv
import time
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from tests.cells import cell
from tests.tools.fakewin import OMITTED, Windows, windows
from tests.tools.office import Office, Value
from tokensheet import celltext
from tokensheet.failure import Failure
from tokensheet.functions import Functions
from tokensheet.udf import border
from tokensheet.workbook.finish import CellError

ARTICLES = Path(__file__).parents[1] / "data" / "articles.csv"
KV_BYTES = 10737418240.0

IDS = {"accelerator": "h100-sxm-80gb", "model": "llama-2-70b", "link": "nvlink4"}
ENDINGS = {
    "percentile": "0.9",
    "share": "0.5",
    "rate": "0.5",
    "ep": "8",
    "cv": "0.5",
    "options": '"profile=ideal"',
}
NUMBERS = {"gpus": "8", "context": "4096", "prompt": "1000", "output": "200", "price": "2.5", "k": "4096"}
ANY = "8"
"""A value for each argument: by its kind of record, its name or the end of its name."""


OWN = {
    "EXPLAIN": '=EXPLAIN("kv_bytes","llama-2-70b",4096)',
    "WHY": '=WHY("kv_bytes","llama-9",4096)',
    "TS_LIST": '=TS_LIST("formats")',
    "TS_SPEC": '=TS_SPEC("h100-sxm-80gb","memory_bandwidth")',
    "TS_OPTIONS": '=TS_OPTIONS("tp",4,"pp",2)',
    "BEST_CONFIG": '=BEST_CONFIG("llama-2-70b",4096,"devices=h100-sxm-80gb; counts=8; batches=16")',
    "TS_VERSION": "=TS_VERSION()",
}


def asked(functions: Functions) -> dict[str, str]:
    """A formula for each function, by name."""
    found = dict(OWN)
    for name, function in functions.table.items():
        if name not in OWN:
            found[name] = f"={name}({','.join(some(a.name, functions) for a in function.arguments)})"
    return found


def some(argument: str, functions: Functions) -> str:
    """Text of a value that makes sense for an argument."""
    role = functions.planner.registry.roles.get(argument)
    if role:
        catalog = functions.planner.registry.catalog(role.kind)
        return f'"{IDS.get(role.kind) or min(catalog.entries)}"'
    return NUMBERS.get(argument) or ENDINGS.get(argument.rpartition("_")[2], ANY)


pytestmark = pytest.mark.slow


def as_in_calc(value: Any) -> Value:
    """A value of the engine as Calc holds it."""
    if isinstance(value, Failure):
        return CellError(value.code)
    if isinstance(value, str):
        return value
    return float(value or 0)


def grid(value: Any) -> list[list[Any]]:
    return value if isinstance(value, list) else [[value]]


def column(index: int) -> str:
    return ("" if index < 26 else chr(64 + index // 26)) + chr(65 + index % 26)


def test_every_function_answers_in_a_cell(calc: Office, functions: Functions) -> None:
    """One row a function; those with several cells show their first, as Calc does."""
    formulas = asked(functions)
    assert formulas.keys() == functions.table.keys()
    found = calc.typed({f"A{i}": text for i, text in enumerate(formulas.values(), 1)})
    for i, (name, text) in enumerate(formulas.items(), 1):
        assert found[f"A{i}"] == as_in_calc(grid(cell(text))[0][0]), f"{name}: {text}"


def test_most_of_the_answers_above_are_numbers(functions: Functions) -> None:
    """Errors on both sides would be equal too."""
    numbers = [name for name, text in asked(functions).items() if isinstance(grid(cell(text))[0][0], float)]
    assert len(numbers) >= 0.9 * len(functions.table)


def test_the_numbers_of_the_articles(calc: Office) -> None:
    """Array constants, nesting, powers and the spreadsheet's own functions around ours."""
    with ARTICLES.open(encoding="utf-8", newline="") as lines:
        cases = list(csv.DictReader(lines))
    found = calc.typed({f"A{i}": case["cell"] for i, case in enumerate(cases, 1)})
    for i, case in enumerate(cases, 1):
        assert found[f"A{i}"] == pytest.approx(float(case["expected"]), rel=1e-6), case["id"]
        assert found[f"A{i}"] == pytest.approx(cell(case["cell"]), rel=1e-12), case["id"]


@pytest.mark.parametrize(
    ("place", "shape"),
    [("C1:C3", [["C1"], ["C2"], ["C3"]]), ("C1:E1", [["C1", "D1", "E1"]]), ("C1:E3", None)],
    ids=["column", "row", "block"],
)
def test_a_range_keeps_its_shape(calc: Office, place: str, shape: list[list[str]] | None) -> None:
    values: dict[str, float | str] = {
        f"{c}{r}": 512.0 * r * (i + 1) for i, c in enumerate("CDE") for r in (1, 2, 3)
    }
    shape = shape or [[f"{c}{r}" for c in "CDE"] for r in (1, 2, 3)]
    target = f"G1:{column(5 + len(shape[0]))}{len(shape)}"
    found = calc.typed({target: f'=KV_BYTES("llama-2-70b",{place},8)'}, values)
    for i, row in enumerate(shape):
        for j, source in enumerate(row):
            assert found[f"{column(6 + j)}{i + 1}"] == KV_BYTES * float(values[source]) / 4096


def test_ranges_in_several_arguments_are_spread(calc: Office) -> None:
    """A column of models beside a row of contexts is a table."""
    models = ("llama-2-70b", "llama-2-7b")
    values: dict[str, float | str] = {"A2": models[0], "A3": models[1], "B1": 512.0, "C1": 4096.0}
    found = calc.typed({"E1:F2": "=KV_BYTES(A2:A3,B1:C1)"}, values)
    for i, model in enumerate(models):
        for j, context in enumerate((512, 4096)):
            assert found[f"{'EF'[j]}{i + 1}"] == cell(f'=KV_BYTES("{model}",{context})')


def test_options_in_each_form(calc: Office) -> None:
    call = '=DECODE_LATENCY("llama-2-70b","a100-sxm-80gb",8,4096,16'
    forms = ("D1:E3", '{"tp",4;"pp",2}', '"tp=4; pp=2"', 'TS_OPTIONS("tp",E1,"pp",E2)')
    typed = {f"A{i}": f"{call},{form})" for i, form in enumerate(forms, 1)}
    values: dict[str, float | str] = {"D1": "tp", "E1": 4, "D2": "pp", "E2": 2}
    found = calc.typed(typed | {"A5": f"{call})"}, values)
    assert {found[f"A{i}"] for i in range(1, 5)} == {cell(f'{call},"tp=4; pp=2")')}
    assert found["A5"] == cell(f"{call})") != found["A1"]


FAILURES = {
    '=KV_BYTES("llama-9",4096)': "#VALUE!",
    '=KV_BYTES("llama-2-70b","")': "#VALUE!",
    '=KV_BYTES("llama-2-70b","4k")': "#VALUE!",
    '=KV_BYTES("llama-2-70b",-1)': "#VALUE!",
    '=TOKENS_PER_SECOND("llama-2-70b","rtx-4090",1,4096)': "#N/A",
    '=KV_BYTES("llama-2-70b",4096,8,"kvv=fp8")': "#VALUE!",
    '=KV_BYTES("llama-2-70b",NA())': "#N/A",
    '=KV_BYTES("llama-2-70b",1/0)': "#DIV/0!",
    "=KV_BYTES()": "#VALUE!",
    "=KV_BYTES(1,2,3,4,5)": "Err:504",
    '=KV_BYTES("llama-2-70b",KV_BYTES("llama-9",{1,2}))': "#VALUE!",
}


def test_a_failure_is_an_error_value_of_its_kind(calc: Office) -> None:
    found = calc.typed({f"A{i}": text for i, text in enumerate(FAILURES, 1)})
    assert {t: found[f"A{i}"] for i, t in enumerate(FAILURES, 1)} == {
        t: CellError(e) for t, e in FAILURES.items()
    }


def test_a_failure_stops_a_sum(calc: Office) -> None:
    """100 and 50 with a failure between them are not 150."""
    found = calc.typed(
        {
            "A2": '=KV_BYTES("llama-9",4096)',
            "B1": "=SUM(A1:A3)",
            "B2": "=IFERROR(A2,-1)",
            "B3": "=ISERROR(A2)",
            "B4": '=ISNA(TOKENS_PER_SECOND("llama-2-70b","rtx-4090",1,4096))',
        },
        {"A1": 100, "A3": 50},
    )
    assert found["B1"] == CellError("#VALUE!")
    assert (found["B2"], found["B3"], found["B4"]) == (-1, 1, 1)


def test_one_failing_element_leaves_the_others(calc: Office) -> None:
    values: dict[str, float | str] = {"C1": 512, "C2": "4k", "C4": -1, "C5": 4096}
    found = calc.typed({"D1:D5": '=KV_BYTES("llama-2-70b",C1:C5,8)', "E1": "=SUM(D1:D5)"}, values)
    wrong = CellError("#VALUE!")
    assert [found[f"D{i}"] for i in range(1, 6)] == [KV_BYTES / 8, wrong, wrong, wrong, KV_BYTES]
    assert found["E1"] == wrong


def test_an_error_cell_is_not_an_empty_cell(calc: Office) -> None:
    """Alone it passes through; in a range Calc refuses the whole call before it asks."""
    typed = {
        "F1": "=NA()",
        "A1": '=KV_BYTES("llama-2-70b",4096,F1)',
        "A2": '=SUM(KV_BYTES("llama-2-70b",4096,F1:F2))',
        "A3": '=KV_BYTES("llama-2-70b",4096,8,F1)',
    }
    found = calc.typed(typed, {"F2": 1})
    assert (found["A1"], found["A3"]) == (CellError("#N/A"), CellError("#N/A"))
    assert found["A2"] == CellError("Err:504")


def test_an_empty_cell_is_0_to_calc(calc: Office) -> None:
    """Where 0 can be nothing else it is the default; a batch of 0 is refused, a context of 0 is a context."""
    typed = {
        "A1": '=KV_BYTES("llama-2-70b",4096,8,C1)',
        "A2": '=KV_BYTES("llama-2-70b",4096,C1)',
        "A3": '=KV_BYTES("llama-2-70b",4096,,"kv=fp8")',
        "A4": "=KV_BYTES(C1,4096)",
        "A5": '=KV_BYTES("llama-2-70b",C1)',
        "A6": '=SUM(KV_BYTES("llama-2-70b",4096,C1:C2))',
        "A7": '=KV_BYTES("llama-2-70b",C1:C1)',
        "A8": '=KV_BYTES("llama-2-70b",D1:D1,D2:D2)',
    }
    found = calc.typed(typed, {"D1": 4096.0, "D2": 8.0})
    assert found["A1"] == KV_BYTES
    assert found["A7"] == CellError("#VALUE!") and found["A8"] == KV_BYTES
    assert found["A2"] == CellError("#VALUE!")
    assert found["A3"] == KV_BYTES / 16
    assert found["A4"] == CellError("#VALUE!")
    assert found["A5"] == 0
    assert found["A6"] == KV_BYTES / 4


def test_why_tells_the_reason(calc: Office) -> None:
    texts = (
        '=WHY("kv_bytes","llama-9",4096)',
        '=WHY("kv_bytes","llama-2-70b",4096)',
        '=WHY("kv_bytes","llama-2-70b",,8)',
    )
    found = calc.typed({f"A{i}": text for i, text in enumerate(texts, 1)})
    assert [found.get(f"A{i}", "") for i in range(1, 4)] == [cell(text) for text in texts]


def test_rows_of_several_kinds(calc: Office) -> None:
    """The calculation behind a number: names, texts and numbers, in as many cells as it needs."""
    text = '=EXPLAIN("kv_bytes","llama-2-70b",4096)'
    rows = cell(text)
    target = f"A1:{column(len(rows[0]) - 1)}{len(rows)}"
    found = calc.typed({target: text})
    for i, row in enumerate(rows, 1):
        for j, value in enumerate(row):
            assert found.get(f"{column(j)}{i}", "") == as_in_calc(value)


def test_a_workbook_file_with_full_names(calc: Office, tmp_path: Path) -> None:
    """Any LibreOffice reads those; LibreOffice 25.2 reads and writes the plain names too, 7.4 does not."""
    book = Workbook()
    assert book.active
    book.active["A1"] = '=ORG.TOKENSHEET.FUNCTIONS.KV_BYTES("llama-2-70b",4096,8,{"kv","fp8";"tp",8})'
    book.save(tmp_path / "full.xlsx")
    assert calc.values(tmp_path / "full.xlsx")["Sheet"] == {"A1": KV_BYTES / 2}


def test_two_thousand_cells_ask_one_process(calc: Office, tmp_path: Path) -> None:
    """A process for each cell would take minutes."""
    book = Workbook()
    assert book.active
    for i in range(1, 2001):
        book.active.append([i, f'=ORG.TOKENSHEET.FUNCTIONS.KV_BYTES("llama-2-70b",A{i},8)'])
    book.save(tmp_path / "many.xlsx")
    began = time.perf_counter()
    found = calc.values(tmp_path / "many.xlsx")["Sheet"]
    assert time.perf_counter() - began < 30
    assert all(found[f"B{i}"] == KV_BYTES * i / 4096 for i in range(1, 2001))


@pytest.fixture(scope="module")
def excel() -> Any:
    with windows() as loaded:
        yield loaded


def test_every_function_answers_in_excel(excel: Windows, functions: Functions) -> None:
    """The formulas that stand in Calc's cells above, through xlwings' own dispatch."""
    for name, text in asked(functions).items():
        part = celltext.parse(text)
        assert isinstance(part, celltext.FunctionCall)
        values = [a.value if isinstance(a, celltext.Literal) else a for a in part.arguments]
        found = excel.call(name, *values)
        wanted = border.answer(cell(text))
        if isinstance(wanted, list) and len(wanted) == 1:
            wanted = wanted[0] if len(wanted[0]) > 1 else wanted[0][0]
        assert found == wanted, f"{name}: {text}"


def test_the_same_numbers_as_in_excel(excel: Windows, calc: Office) -> None:
    """Through xlwings' own dispatch, with ranges for cells."""
    values: dict[str, float | str] = {
        "A1": "llama-2-70b",
        "A2": "h100-sxm-80gb",
        "A3": 8,
        "A4": 4096,
        "A5": 16,
    }
    calls = {
        "KV_BYTES": ("A1", "A4", "A5"),
        "DECODE_LATENCY": ("A1", "A2", "A3", "A4", "A5"),
        "MAX_BATCH": ("A1", "A2", "A3", "A4"),
        "FITS": ("A1", "A2", "A3", "A4", "A5"),
        "RIDGE_BATCH": ("A2",),
        "COST_PER_HOUR": ("A2", "A3"),
    }
    found = calc.typed({f"B{i}": f"={n}({','.join(p)})" for i, (n, p) in enumerate(calls.items(), 1)}, values)
    for i, (name, places) in enumerate(calls.items(), 1):
        assert found[f"B{i}"] == excel.call(name, *([[values[place]]] for place in places), OMITTED)
