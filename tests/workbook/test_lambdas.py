"""LAMBDA names answer as the add-in's functions do, a failure is an error value, and nothing else changes."""

from __future__ import annotations

import io
import random
import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

import tokensheet
from tests.tools import ironcalc_engine, stored
from tests.tools.lambda_calls import agree, answers, call, disagreements
from tests.tools.office import Office, Value
from tests.tools.planbook import formula_cells, only_formulas
from tests.workbook.test_lint import unexplained
from tests.workbook.test_validator import KNOWN, findings
from tokensheet.cli import tokensheet as command
from tokensheet.declare import at
from tokensheet.errors import ExportError
from tokensheet.failure import Failure
from tokensheet.formula import Formula, formula
from tokensheet.functions import Functions
from tokensheet.hookspecs import hookimpl
from tokensheet.planning import Planner
from tokensheet.plugins import load
from tokensheet.proposal import Proposal
from tokensheet.schema.profile import Profile
from tokensheet.workbook.build import Export, build
from tokensheet.workbook.contents import contents_of
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.lambda_functions import PREFIX, asked
from tokensheet.workbook.lambdas import WorkbookFunctions

PLANNER = tokensheet.planner()
FUNCTIONS = Functions(PLANNER)
GIVEN = {
    "title": "Functions",
    "template": "one-page",
    "workload": {"model": "llama-2-70b", "context": 4096, "prompt": 512, "output": 256, "gpus": 8},
    "assumptions": {"electricity_price": 0.1, "pue": 1.2},
    "results": ["decode_latency", "tokens_per_dollar", "ridge_batch"],
    "candidates": [
        {"name": "owned", "gpu": "h100-sxm-80gb", "system": "li-8xh100", "batch": 16, "kv": "fp8"},
        {"name": "rented", "gpu": "rtx-4090", "rent_per_gpu_hour": 2.5, "batch": "max"},
    ],
}
HEADLINE = (
    "WEIGHT_BYTES",
    "KV_BYTES",
    "COST_PER_HOUR",
    "GPUS_NEEDED",
    "MEMORY_PER_DEVICE",
    "FITS",
    "MAX_BATCH",
    "DECODE_LATENCY",
    "TOKENS_PER_SECOND",
    "TOKENS_PER_SECOND_PER_USER",
    "TOKENS_PER_DOLLAR",
    "PREFILL_LATENCY",
    "REQUEST_LATENCY",
    "USD_PER_MILLION_TOKENS",
)
EXAMPLE_ROWS = range(5, 5 + len(HEADLINE) + 1)
"""Of the Functions sheet: the headline functions and the proposal's own result."""


@pytest.fixture(scope="module")
def export() -> Export:
    return build(PLANNER, Proposal.model_validate(GIVEN), lambdas=True)


@pytest.fixture(scope="module")
def path(export: Export, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("lambdas") / "functions.xlsx"
    made.write_bytes(export.xlsx)
    return made


# ---- the answers

LLAMA, MIXTRAL, DEEPSEEK = "llama-2-70b", "mixtral-8x7b", "deepseek-v3"
H100, GAMER = "h100-sxm-80gb", "rtx-4090"
LATENCY = [
    [LLAMA, H100, 8, 4096],
    [LLAMA, H100, 8, 4096, 16],
    [LLAMA.upper(), H100, 8, 0, None, {"tp": 4, "pp": 2}],
    [MIXTRAL, H100, 2, 1000, 4, {"profile": "ideal", "weights": "fp8"}],
    [DEEPSEEK, "h200-sxm-141gb", 16, 8192, 64, {"tp": 8, "pp": 2, "weights": "fp8", "kv": "fp8"}],
    ["llama-3.1-8b", GAMER, 1, 4096, 1, {"profile": "llama.cpp", "weights": "q4_k_m"}],
    [LLAMA, H100, 8, 4096, 16, {"interconnect": "pcie4-x16", "profile": "li-2023"}],
    [LLAMA, H100, 8, 4096, 16, {"stage_interconnect": "eth-10", "pp": 2, "profile": "kipply-2022"}],
    [LLAMA, H100, 8, 4096, 16, {"bandwidth_efficiency": 0.5, "overlap_communication": 1}],
    [LLAMA, GAMER, 1, 4096],
    [LLAMA, H100, 3, 4096],
]
CASES: dict[str, list[list[Any]]] = {
    "KV_BYTES": [
        [LLAMA, 4096],
        [LLAMA, 4096, 8],
        [DEEPSEEK, 1, None, {"kv": "fp8"}],
        ["gemma-2-27b", 32768, 2, {"window_reserved_in_full": 1}],
        [LLAMA, 0, 2.5],
    ],
    "WEIGHT_BYTES": [[LLAMA], [MIXTRAL, {"weights": "fp8"}], [DEEPSEEK, {"weights": "q4_k_m"}]],
    "MEMORY_PER_DEVICE": LATENCY,
    "FITS": LATENCY,
    "GPUS_NEEDED": [
        [LLAMA, GAMER, 4096],
        [LLAMA, H100, 131072, 64, {"weights": "fp8", "memory_reserve": 0.2}],
    ],
    "MAX_BATCH": [
        [LLAMA, H100, 8, 4096],
        [LLAMA, H100, 8, 4096, {"tp": 4, "pp": 2}],
        [LLAMA, GAMER, 1, 4096],
    ],
    "DECODE_LATENCY": LATENCY,
    "PREFILL_LATENCY": LATENCY[1:],
    "REQUEST_LATENCY": [
        [LLAMA, H100, 8, 512, 256],
        [MIXTRAL, H100, 2, 1000, 1, 4, {"profile": "ideal"}],
        [DEEPSEEK, "h200-sxm-141gb", 16, 4000, 1000, 64, {"tp": 8, "pp": 2, "weights": "fp8"}],
        ["gemma-2-27b", H100, 1, 6000, 4000, 2],
        [LLAMA, GAMER, 2, 512, 256],
    ],
    "TOKENS_PER_SECOND": LATENCY,
    "TOKENS_PER_SECOND_PER_USER": LATENCY[:4],
    "COST_PER_HOUR": [
        [H100, 8],
        [GAMER, 8, {"system": "li-8x4090-pcie"}],
        [GAMER, 8, {"system": "li-8x4090-pcie", "system_price": 50000, "amortization_years": 3}],
        [H100, 8, {"rent_per_gpu_hour": 2.5}],
        [H100, 8, {"cost_per_hour": 12}],
    ],
    "TOKENS_PER_DOLLAR": [
        [LLAMA, H100, 8, 20, 4096],
        [LLAMA, H100, 8, 20, 4096, 64, {"utilization": 0.4}],
        [LLAMA, GAMER, 1, 1, 4096],
    ],
    "USD_PER_MILLION_TOKENS": [
        [LLAMA, H100, 8, 20, 512, 256],
        [MIXTRAL, H100, 2, 5, 1000, 500, 16, {"weights": "fp8", "tp": 2}],
    ],
    "RIDGE_BATCH": [[H100], [GAMER, {"weights": "fp8"}]],
}


@pytest.mark.slow
def test_functions_answer_as_the_add_in_does(path: Path) -> None:
    cases = [(name, values) for name, rows in CASES.items() for values in rows]
    told = [FUNCTIONS.call(*case) for case in cases]
    assert 0 < sum(isinstance(t, Failure) for t in told) < len(told) / 4, "answers, and plans that do not fit"
    assert disagreements(path, cases, FUNCTIONS) == []


@pytest.mark.slow
def test_every_function_of_the_workbook_has_a_case(path: Path) -> None:
    offered = {n for n in openpyxl.load_workbook(path).defined_names if not n.startswith(f"{PREFIX}PART.")}
    assert offered == {PREFIX + name for name in CASES}


CHOICES: dict[str, list[Any]] = {
    "context": [0, 1, 100, 4096, 32768, 131072],
    "batch": [None, 1, 2, 16, 100, 333.5],
    "prompt": [1, 512, 4000],
    "output": [1, 2, 256, 1000],
    "cost_per_hour": [1.5, 20],
    "gpus": [1, 2, 4, 8, 8, 8, 16],
    "tp": [1, 2, 4, 8],
    "pp": [1, 2],
    "dp": [1, 2],
    "ep": [1, 2, 8],
    "bandwidth_efficiency": [0.5, 0.9, 1.2],
    "uneven_sharding": [0, 1],
    "cached_prefix": [0, 100],
    "message_latency": [2e-5],
    "utilization": [0.3],
}
OPTIONAL = {"profile": 0.4, "weights": 0.3, "kv": 0.2, "tp": 0.3, "pp": 0.3, "bandwidth_efficiency": 0.2}
"""How often an option is given; all others in one call of ten."""


def random_call(source: random.Random) -> tuple[str, list[Any]]:
    registry = PLANNER.registry

    def some(name: str) -> Any:
        if name not in registry.roles:
            return source.choice(CHOICES[name])
        return source.choice(sorted(registry.catalog(registry.roles[name].kind).entries))

    roles = ("profile", "weights", "kv", "interconnect", "stage_interconnect", "system")
    name = source.choice(sorted(CASES))
    values: list[Any] = []
    for argument in FUNCTIONS.table[name].arguments:
        if argument.name == "options":
            known = [
                *roles,
                *(n for n in CHOICES if n not in {a.name for a in FUNCTIONS.table[name].arguments}),
            ]
            given = [
                n for n in known if source.random() < OPTIONAL.get(n, 0.1) and n not in {"batch", "gpus"}
            ]
            values.append({n: some(n) for n in given})
        else:
            values.append(some(argument.name))
    return name, values


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_random_calls_answer_as_the_add_in_does(path: Path, seed: int) -> None:
    source = random.Random(seed)
    assert disagreements(path, [random_call(source) for _ in range(200)], FUNCTIONS) == []


# ---- failures and forms of arguments

GOOD = '"llama-2-70b","h100-sxm-80gb",8,4096,16'
WRONG = [
    'TSX.KV_BYTES("llama-9",4096)',
    'TSX.KV_BYTES("llama-2*",4096)',
    'TSX.KV_BYTES("",4096)',
    "TSX.KV_BYTES(AZ99,4096)",
    "TSX.KV_BYTES(5,4096)",
    'TSX.KV_BYTES("llama-2-70b","4096")',
    'TSX.KV_BYTES("llama-2-70b","4k")',
    'TSX.KV_BYTES("llama-2-70b",AZ99)',
    'TSX.KV_BYTES("llama-2-70b",-1)',
    'TSX.KV_BYTES("llama-2-70b",TRUE)',
    'TSX.KV_BYTES("llama-2-70b",NA())',
    'TSX.KV_BYTES("llama-2-70b",1/0)',
    'TSX.KV_BYTES("llama-2-70b",4096,0)',
    'TSX.KV_BYTES("llama-2-70b",4096,"many")',
    'TSX.KV_BYTES("llama-2-70b",4096,NA())',
    'TSX.KV_BYTES("llama-2-70b",{1024;4096})',
    'TSX.KV_BYTES({"llama-2-70b","llama-2-7b"},4096)',
    'TSX.KV_BYTES("llama-2-70b",4096,{1,2})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,"kv=fp8")',
    'TSX.KV_BYTES("llama-2-70b",4096,1,8)',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"kv","fp8",1})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"kv","fp9"})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"kv",8})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"weights","fp9"})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"k*","fp8"})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"kv_format","fp8"})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"kv","fp8";"kv","bf16"})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"","fp8"})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"context",1})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"batch",2})',
    'TSX.KV_BYTES("llama-2-70b",4096,,{"batch",2})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"profile","best"})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"utilization",1.5})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"utilization","half"})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"kv_bytes",5})',
    'TSX.KV_BYTES("llama-2-70b",4096,1,{"kv_heads",64})',
    'TSX.DECODE_LATENCY("llama-2-70b","h101",8,4096)',
    'TSX.DECODE_LATENCY("llama-2-70b","h100-sxm-80gb",2.5,4096)',
    'TSX.DECODE_LATENCY("llama-2-70b","h100-sxm-80gb",0,4096)',
    'TSX.DECODE_LATENCY("llama-2-70b","rtx-4090",1,4096)',
    f'TSX.DECODE_LATENCY({GOOD},{{"tp",3}})',
    f'TSX.DECODE_LATENCY({GOOD},{{"tp",0}})',
    f'TSX.DECODE_LATENCY({GOOD},{{"tp","4"}})',
    f'TSX.DECODE_LATENCY({GOOD},{{"overlap_communication",0.5}})',
    f'TSX.DECODE_LATENCY({GOOD},{{"decode_latency",0.2}})',
    f'TSX.DECODE_LATENCY({GOOD},{{"memory_bandwidth",1E12}})',
    f'TSX.DECODE_LATENCY({GOOD},{{"system","none"}})',
    'TSX.TOKENS_PER_DOLLAR("llama-2-70b","h100-sxm-80gb",8,,4096)',
    'TSX.TOKENS_PER_DOLLAR("llama-2-70b","h100-sxm-80gb",8,-1,4096)',
    'TSX.USD_PER_MILLION_TOKENS("llama-2-70b","rtx-4090",1,1,512,256)',
    'TSX.MAX_BATCH("llama-2-70b","h100-sxm-80gb",8,"")',
]


@pytest.mark.slow
def test_what_is_wrong_is_an_error_value(path: Path) -> None:
    """And stops a sum, as DESIGN's own failures do."""
    found = answers(path, [*WRONG, *(f"100+{text}+50" for text in WRONG)])
    calls = [*WRONG, *WRONG]
    assert [text for text, value in zip(calls, found, strict=True) if not isinstance(value, CellError)] == []


SAME: list[tuple[str, str]] = [
    ('TSX.KV_BYTES("llama-2-70b",4096)', 'TSX.KV_BYTES("llama-2-70b",4096,1)'),
    ('TSX.KV_BYTES("llama-2-70b",4096)', 'TSX.KV_BYTES("Llama-2-70B",4096,AZ99,AZ99)'),
    ('TSX.KV_BYTES("llama-2-70b",4096)', 'TSX.KV_BYTES("llama-2-70b",4096,,{"tp",4})'),
    ('TSX.KV_BYTES("llama-2-70b",4096)', 'TSX.KV_BYTES("llama-2-70b",4096,1,{"kv","";"",""})'),
    ('TSX.KV_BYTES("llama-2-70b",4096)', 'TSX.KV_BYTES("llama-2-70b",4096,1,AZ90:BA99)'),
    ('TSX.KV_BYTES("llama-2-70b",4096,2)', 'SUM(TSX.KV_BYTES("llama-2-70b",1024*4),TSX.KV_BYTES("llama-2-70b",4096))'),
    (
        'TSX.KV_BYTES("llama-2-70b",1)+TSX.KV_BYTES("llama-2-70b",3)',
        'SUM(MAP({1;3},LAMBDA(c,TSX.KV_BYTES("llama-2-70b",c))))',
    ),
    ('TSX.KV_BYTES("llama-2-70b",4096,1,{"kv","fp8"})', 'TSX.KV_BYTES("llama-2-70b",4096,1,{"KV","FP8";"pp",2})'),
]  # fmt: skip


@pytest.mark.slow
def test_arguments_take_the_forms_of_cells(path: Path) -> None:
    """Left out, empty cells, ids without case, options with empty rows, one value at a time by MAP."""
    found = answers(path, [text for pair in SAME for text in pair])
    pairs = list(zip(found[::2], found[1::2], strict=True))
    assert [pair for pair, (a, b) in zip(SAME, pairs, strict=True) if a != b or isinstance(a, str)] == []


@pytest.mark.slow
def test_a_reader_adds_records(path: Path) -> None:
    """A device and a profile in the free rows of the catalogue sheets, with what they leave out as an error."""
    book = openpyxl.load_workbook(path)
    sets: list[tuple[str, str, float | str | None]] = []
    for title, own, source, changed, number in (
        ("Hardware", "my-gpu", H100, "memory_bandwidth", 5e12),
        ("Profiles", "my-profile", "ideal", "bandwidth_efficiency", 0.5),
    ):
        sheet = book[title]
        ids = [sheet.cell(r, 1).value for r in range(1, sheet.max_row + 1)]
        row, free = ids.index(source) + 1, len(ids) - ids[::-1].index(next(filter(None, ids[::-1]))) + 1
        for column in range(2, sheet.max_column):
            value: Any = sheet.cell(row, column).value
            place = sheet.cell(free, column).coordinate
            sets.append((title, place, number if sheet.cell(5, column).value == changed else value))
        sets.append((title, f"A{free}", own))
        if title == "Hardware":
            sets.append((title, f"A{free + 1}", "bare-gpu"))
    own_gpu, own_profile, bare = answers(
        path,
        [
            'TSX.DECODE_LATENCY("llama-2-70b","my-gpu",8,4096,16)',
            f'TSX.DECODE_LATENCY({GOOD},{{"profile","my-profile"}})',
            'TSX.DECODE_LATENCY("llama-2-70b","bare-gpu",8,4096,16)',
        ],
        sets,
    )
    given = {"model": LLAMA, "gpu": H100, "gpus": 8, "context": 4096, "batch": 16}
    assert agree(own_gpu, PLANNER.one("decode_latency", {**given, "memory_bandwidth": 5e12}))
    ideal = {"profile": "ideal", "bandwidth_efficiency": 0.5}
    assert agree(own_profile, PLANNER.one("decode_latency", {**given, **ideal}))
    assert isinstance(bare, CellError)


# ---- the sheet


@pytest.mark.slow
def test_examples_hold_the_functions_answers_and_follow_their_cells(path: Path) -> None:
    book = openpyxl.load_workbook(path)
    sheet: Any = book["Functions"]
    kept, calculated = stored.values(path)["Functions"], ironcalc_engine.values(path)["Functions"]
    rows = [r for r in EXAMPLE_ROWS if sheet.cell(r, 1).value]
    shown = [str(sheet.cell(r, 1).value).removeprefix(PREFIX) for r in rows]
    assert shown == [*HEADLINE, "RIDGE_BATCH"]
    for row in rows:
        assert isinstance(kept[f"C{row}"], float), sheet.cell(row, 1).value
        assert stored.same(kept[f"C{row}"], calculated[f"C{row}"], 1e-9)
        assert sheet.cell(row, 5).value == str(sheet.cell(row, 3).value).replace("$", "")
    cells = {sheet.cell(r, 2).value: f"C{r}" for r in range(rows[-1] + 1, sheet.max_row + 1)}
    sets: list[tuple[str, str, float | str | None]] = [
        ("Functions", cells["gpu"], GAMER),
        ("Functions", cells["batch"], 2.0),
        ("Functions", cells["system"], None),
        ("Functions", cells["tp"], 4.0),
        ("Functions", cells["pp"], 2.0),
    ]
    moved = ironcalc_engine.values(path, sets)["Functions"]
    given = {
        **GIVEN["workload"],
        **GIVEN["assumptions"],
        "gpu": GAMER,
        "batch": 2,
        "tp": 4,
        "pp": 2,
        "kv": "fp8",
    }  # type: ignore[dict-item]
    for row, name in zip(rows, shown, strict=True):
        names = [a.name for a in FUNCTIONS.table[name].arguments if a.name != "options"]
        own = {**given, "cost_per_hour": kept[cells["cost_per_hour"]]}
        options = {
            n: v for n, v in given.items() if n not in names and n not in ("model", "gpu", "gpus", "batch")
        }
        values = [own.get(n) for n in names] + [
            {n: v for n, v in options.items() if n not in EXAMPLE_ARGUMENTS}
        ]
        assert agree(moved[f"C{row}"], FUNCTIONS.call(name, values)), name


EXAMPLE_ARGUMENTS = ("context", "prompt", "output")
"""Arguments of some functions, which the options of the example calls leave out."""


@pytest.mark.slow
def test_names_keep_all_rules(export: Export, path: Path) -> None:
    """Lint and validator have nothing to say that they do not say of other workbooks."""
    assert unexplained(export.xlsx) == []
    assert findings(path) - set(KNOWN) == set()


@pytest.mark.slow
def test_excel_has_room_for_the_steps(path: Path) -> None:
    """Excel keeps the names of a call and of those that it calls at once, 1,024 at most."""
    names = {n: str(d.attr_text) for n, d in openpyxl.load_workbook(path).defined_names.items()}

    def kept(name: str) -> int:
        called = set(re.findall(r"TSX\.[\w.]+", names[name])) - {name}
        return declared(names[name]) + max(map(kept, called), default=0)

    most = {name: kept(name) for name in names}
    assert 600 < max(most.values()) < 1000, most


def declared(text: str) -> int:
    """Parameters and steps of a LAMBDA: words that stand where a name is given, not where it is read."""
    *parameters, body = arguments(text)
    return len(parameters) + (len(arguments(body)) // 2 if body.startswith("_xlfn.LET(") else 0)


def arguments(text: str) -> list[str]:
    """Arguments of the function with which a text begins."""
    found, depth = [""], 0
    for part in re.findall(r'"[^"]*"|[^"]', text[text.index("(") + 1 : -1]):
        depth += (part in "({") - (part in ")}")
        if part == "," and not depth:
            found.append("")
        else:
            found[-1] += part
    return found


@pytest.mark.slow
def test_nothing_else_of_the_workbook_depends_on_them(export: Export, path: Path, tmp_path: Path) -> None:
    """Without the option the file has neither sheet nor names; with it, all other sheets say the same."""
    plain = build(PLANNER, Proposal.model_validate(GIVEN))
    bare = tmp_path / "plain.xlsx"
    bare.write_bytes(plain.xlsx)
    without: Any = openpyxl.load_workbook(bare)
    assert not without.defined_names and "Functions" not in without.sheetnames
    with zipfile.ZipFile(bare) as package:
        assert not [part for part in package.namelist() if b"_xlfn" in package.read(part)]
    one, other = stored.values(bare), stored.values(path)
    assert other.keys() - one.keys() == {"Functions"}
    for title in one.keys() - {"Profiles", "About"}:
        assert one[title] == other[title], title
    formulas = formula_cells(path)
    assert [
        at
        for at, text in formulas.items()
        if "Functions!" in text or (PREFIX in text) != (at[0] == "Functions")
    ] == []


@pytest.mark.slow
def test_functions_do_not_depend_on_the_language(export: Export, tmp_path: Path) -> None:
    """The same names with the same texts; the calls give the same values beside Chinese words."""
    chinese = build(PLANNER, Proposal.model_validate({**GIVEN, "language": "zh"}), lambdas=True)
    path = tmp_path / "chinese.xlsx"
    path.write_bytes(chinese.xlsx)
    one, other = (
        [line for line in made.text.splitlines() if line.startswith("name ")] for made in (export, chinese)
    )
    assert one == other
    assert openpyxl.load_workbook(path)["Functions"]["A4"].value == "函数"
    cells = {f"C{row}" for row in EXAMPLE_ROWS}
    kept, calculated = (f(path)["Functions"] for f in (stored.values, ironcalc_engine.values))
    assert all(stored.same(kept[at], calculated[at], 1e-9) for at in cells)


@pytest.mark.slow
def test_the_same_bytes_each_time(export: Export) -> None:
    again = build(PLANNER, Proposal.model_validate(GIVEN), lambdas=True)
    assert (again.xlsx, again.text) == (export.xlsx, export.text)


@pytest.mark.slow
def test_libreoffice_opens_it_and_calculates_all_else(path: Path, office: Office) -> None:
    """It knows no LAMBDA: the examples become errors there, and no other cell."""
    cells = formula_cells(path)
    kept, calculated = (only_formulas(f(path), cells) for f in (stored.values, office.values))
    examples: dict[str, Value] = calculated.pop("Functions")
    kept.pop("Functions")
    assert stored.differences(kept, calculated, 1e-12) == []
    assert all(isinstance(value, CellError) for value in examples.values())


# ---- which functions there are


@formula(unit="second", source="test", cell="model, gpu, gpus, context, [batch], [options]")
def two_steps(decode_latency, later=at("decode_latency", context=8192)):  # type: ignore[no-untyped-def]
    """Time of a decode step now and of one at a context of 8,192."""
    return decode_latency + later


class Doubled:
    """A plugin with a function of its own, and a profile that states a fact and a result."""

    @staticmethod
    @hookimpl
    def tokensheet_formulas() -> list[Formula]:
        return [two_steps]

    @staticmethod
    @hookimpl
    def tokensheet_profiles() -> list[Profile]:
        stated = {"memory_bandwidth": 1e12, "state_bytes": 7.0, "bandwidth_efficiency": 0.7}
        return [Profile(id="stated", name="stated", source="test", values=stated, fitted_to="nothing")]


@pytest.mark.slow
def test_a_plugins_result_and_a_profile_that_states_facts(tmp_path: Path) -> None:
    planner = Planner(load(modules=[("doubled", Doubled)]))
    assert planner.registry.problems == []
    proposal = Proposal.model_validate({**GIVEN, "results": ["two_steps"]})
    path = tmp_path / "plugin.xlsx"
    path.write_bytes(build(planner, proposal, lambdas=True).xlsx)
    cases = [
        (name, [*given, *([] if name in ("WEIGHT_BYTES", "KV_BYTES") else [4]), options])
        for name, given in {
            "TWO_STEPS": [LLAMA, H100, 8, 4096],
            "DECODE_LATENCY": [LLAMA, H100, 8, 4096],
            "FITS": [LLAMA, H100, 8, 4096],
            "TOKENS_PER_SECOND": [LLAMA, H100, 8, 4096],
        }.items()
        for options in ({}, {"profile": "stated"}, {"profile": "stated", "tp": 4, "pp": 2})
    ]
    assert disagreements(path, cases, Functions(planner)) == []


def test_functions_that_are_too_long_are_left_out() -> None:
    """Hundreds of steps of queueing are no name of a workbook; their functions stay the add-in's."""
    proposal = Proposal.model_validate({**GIVEN, "results": ["ttft", "kv_bytes"]})
    assert [name.upper() for name in asked(PLANNER.registry, proposal)] == [*HEADLINE]


def test_functions_whose_catalogue_is_not_there_are_left_out() -> None:
    contents = contents_of(PLANNER, Proposal.model_validate(GIVEN))
    functions = asked(PLANNER.registry, Proposal.model_validate({**GIVEN, "results": ["api_request_cost"]}))
    assert "price" not in contents.tables and "api_request_cost" in functions
    assert "api_request_cost" not in WorkbookFunctions(contents, functions.values()).functions
    with pytest.raises(ExportError, match="no function reads only Hardware, "):
        WorkbookFunctions(contents, [functions["api_request_cost"]])


@pytest.mark.slow
def test_the_command_takes_the_option(tmp_path: Path) -> None:
    source = tmp_path / "plan.toml"
    source.write_text(
        'title = "Small"\ntemplate = "one-page"\nresults = ["kv_bytes"]\n[workload]\nmodel = "llama-2-7b"\n'
        'context = 100\n[[candidates]]\nname = "one"\ngpu = "rtx-4090"\ngpus = 1\n'
    )
    done = CliRunner().invoke(command, ["export", "--lambda", str(source)])
    assert done.exit_code == 0, done.output
    names = openpyxl.load_workbook(io.BytesIO((tmp_path / "plan.xlsx").read_bytes())).defined_names
    assert f"{PREFIX}KV_BYTES" in names
    assert f"name {PREFIX}KV_BYTES\t_xlfn.LAMBDA(" in (tmp_path / "plan.txt").read_text()
    assert call("KV_BYTES", [LLAMA, 1, None, {}]) == 'TSX.KV_BYTES("llama-2-70b",1.0)'


@pytest.mark.slow
def test_the_guides_calls_have_the_values_that_it_says(path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "guide" / "lambda.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `=(.+)` \| (.+) \|$", page, re.M)
    found = answers(path, [call for call, _ in rows])
    assert [v if isinstance(v, str) else f"{v:.0f}" for v in found] == [value for _, value in rows]
    functions = page[page.index("The functions are") : page.index("and the results")]
    assert set(re.findall(r"`(\w+)`", functions)) == set(HEADLINE)
