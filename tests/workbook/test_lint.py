"""Exported workbooks keep the rules of careful modellers, and the checker of those rules finds planted faults."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.styles import Protection
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

from tests.tools.planbook import Planbook
from tests.tools.workbook_lint import CALCULATED, RULES, Finding, Workbook, lint, name_problem
from tokensheet.planning import Planner
from tokensheet.proposal import Proposal
from tokensheet.workbook.build import build

PROPOSALS = sorted((Path(__file__).parents[2] / "workbooks").glob("*.toml"))


@dataclass(frozen=True)
class Deviation:
    """Where a rule is deliberately not kept."""

    rule: str
    pattern: str
    reason: str

    def covers(self, finding: Finding) -> bool:
        return (
            finding.rule == self.rule
            and re.fullmatch(self.pattern, f"{finding.place}: {finding.what}") is not None
        )


DEVIATIONS = (
    Deviation(
        "numbers",
        r"(?:Calculation|Variants|Series data)!\w+: number \S+ in =IF\(AND\(ISNUMBER\((\w+)\)(,\1(>=|<=|>)[-0-9.E+]+)+"
        r"(,\1=INT\(N\(\1\)\))?\),\1,NA\(\)\)",
        "bounds of an input are part of its definition; the rule of its cell says the same numbers",
    ),
    Deviation(
        "length",
        r"(?:Calculation|Variants)!\w+: 1\d\d characters: =IF\(AND\(SUMPRODUCT\(--\((\S+)=(\w+)\)\)=1,"
        r"INDEX\(\1,MATCH\(\2,\1,0\)\)=\2\),MATCH\(\2,\1,0\),NA\(\)\)",
        "the look-up of an id finds that very id and no second row of it",
    ),
    Deviation(
        "length",
        r"(?:Calculation|Variants)!\w+: 1[2-4]\d characters: =IF\(AND\(ISNUMBER\((INDEX\([^()]+\))\),\1>=0\),\1,NA\(\)\)",
        "the look-up of a fact takes neither a text nor a number below 0 from a reader's own row",
    ),
    Deviation(
        "nesting",
        r"(?:Calculation|Variants|Series data)!\w+: IF in IF, [2-4] deep: .*",
        "a formula's own choices and the guard of its checks stay one formula, as its Python function is one",
    ),
)


def unexplained(data: bytes) -> list[str]:
    return [str(f) for f in lint(data) if not any(d.covers(f) for d in DEVIATIONS)]


@pytest.mark.slow
@pytest.mark.parametrize("proposal", PROPOSALS, ids=lambda path: path.stem)
def test_exported_proposals_keep_all_rules(proposal: Path) -> None:
    """No finding but the deviations listed above, in the files that lie beside the proposals."""
    assert unexplained(proposal.with_suffix(".xlsx").read_bytes()) == []


@pytest.mark.slow
def test_a_workbook_of_many_functions_keeps_all_rules(book: Planbook) -> None:
    """No finding but the deviations listed above, each of which occurs."""
    found = lint(book.export.xlsx)
    assert [str(f) for f in found if not any(d.covers(f) for d in DEVIATIONS)] == []
    assert [d.rule for d in DEVIATIONS if not any(d.covers(f) for f in found)] == []


# ---- the checker itself

Plant = Callable[[Any], None]


def formula(text: str, address: str = "F30", sheet: str = "Calculation") -> Plant:
    def plant(book: Any) -> None:
        book[sheet][address].value = text
        book[sheet][address].data_type = "f"

    return plant


def cell(sheet: str, address: str, **attributes: Any) -> Plant:
    def plant(book: Any) -> None:
        for name, value in attributes.items():
            setattr(book[sheet][address], name, value)

    return plant


def name(text: str, target: str = "Inputs!$C$5") -> Plant:
    return lambda book: book.defined_names.__setitem__(text, DefinedName(text, attr_text=target))


def lambda_name(text: str, comment: str = "") -> Plant:
    definition = DefinedName("TSX.X", attr_text=f"_xlfn.LAMBDA(_xlpm.a,{text})", comment=comment)
    return lambda book: book.defined_names.__setitem__("TSX.X", definition)


def several(*plants: Plant) -> Plant:
    def plant(book: Any) -> None:
        for each in plants:
            each(book)

    return plant


def table(text: str, heads: tuple[Any, ...] = ("gpu", "price")) -> Plant:
    def plant(book: Any) -> None:
        sheet = book.create_sheet("Plain")
        sheet.append(heads)
        sheet.append([1, 2])
        sheet.add_table(Table(displayName=text, ref="A1:B2"))

    return plant


def listed(first: str, kind: str = "list") -> Plant:
    def plant(book: Any) -> None:
        validation = DataValidation(type=kind, formula1=first)  # type: ignore[arg-type]
        validation.add("C6")
        book["Inputs"].add_data_validation(validation)

    return plant


ITEMS = ",".join("a model with 20 char" for _ in range(19))

FAULTS: list[tuple[str, str, Plant]] = [
    ("brackets", "brackets", formula("=SUM(")),
    ("brackets", "end of formula", formula('=IF(F1="a,1,2)')),
    ("functions", "semicolon", formula("=SUM(F1;F2)")),
    ("functions", "SUMME", formula("=SUMME(F1,F2)")),
    ("functions", "OFFSET is volatile", formula("=OFFSET(F1,1,1)")),
    ("functions", "NOW is volatile", formula("=NOW()")),
    ("functions", "_XLFN.XLOOKUP", formula("=_xlfn.XLOOKUP(F1,F2,F3)")),
    ("functions", "KV_BYTES", formula('=KV_BYTES("llama-2-70b",1,1)')),
    ("numbers", "number 0.85", formula("=F1*0.85")),
    ("nesting", "2 deep", formula("=IF(F1=1,IF(F2=1,1,2),0)", sheet="Checks")),
    ("length", "characters", formula("=" + "+".join(["F100"] * 40))),
    ("length", "characters", formula("=F1+\nF2")),
    ("same_across", "beside", formula("=F29+1", "G30")),
    ("same_across", "among labels", formula("=F29+1", "B30")),
    ("references", "no sheet 'Prices'", formula("=Prices!A1")),
    ("references", "no sheet", formula("=[1]Inputs!A1")),
    ("references", "no cell and no name", formula("=Hardware[memory]")),
    ("references", "where one cell is needed", formula("=F1:F5*2")),
    ("references", "where one cell is needed", formula("=ABS(F1:F5)")),
    ("circles", "from itself", formula("=F30+1")),
    (
        "circles",
        "from itself",
        several(formula("=F31"), formula("=MAX(F29:F30)", "F31")),
    ),
    (
        "texts",
        "without quote prefix",
        cell("About", "B3", value='=HYPERLINK("http://x.example")', data_type="s"),
    ),
    ("texts", "without quote prefix", cell("About", "B3", value="-5 tokens")),
    ("locks", "does not look like it", cell("Inputs", "C6", protection=Protection(locked=True))),
    ("locks", "does not look like it", cell("Calculation", "F30", protection=Protection(locked=False))),
    ("locks", "formula is not locked", cell("Calculation", "F30", protection=Protection(locked=False))),
    ("locks", "is not protected", lambda book: setattr(book["Checks"].protection, "sheet", False)),
    ("locks", "without a rule", lambda book: book["Inputs"].data_validations.dataValidation.clear()),
    ("separation", "on a sheet of inputs", formula("=1+1", "C7", "Inputs")),
    ("separation", "on a sheet of inputs", formula("=1+1", "C7", "Hardware")),
    ("separation", "by itself", formula("=C5+C6", "C7", "Summary")),
    ("units", "no unit", cell("Calculation", "C30", value=None)),
    ("units", "no unit", cell("Inputs", "D7", value=None)),
    ("checks", "no overall flag", cell("Checks", "C5", value=1)),
    ("checks", "no such sheet", lambda book: book.remove(book["Checks"])),
    ("package", "external link", cell("About", "B3", hyperlink="http://x.example")),
    ("package", "hidden", lambda book: setattr(book["Models"], "sheet_state", "hidden")),
    ("package", "merged", lambda book: book["Summary"].merge_cells("A20:B21")),
    (
        "about",
        "no version",
        lambda book: book["About"].delete_cols(2),
    ),
    ("titles", "no title", lambda book: setattr(book["Models"], "_WorkbookChild__title", "'q'")),
    ("titles", "is taken", lambda book: setattr(book["Models"], "_WorkbookChild__title", "History")),
    ("names", "is a cell", name("H100")),
    ("names", "is a cell", name("TP8")),
    ("names", "row and column", name("R1C1")),
    ("names", "is no name", name("two words")),
    ("names", "is no cell of a sheet", name("memory", "B2")),
    ("names", "is no cell of a sheet", name("memory", "'Old Sheet'!B3")),
    ("names", "is no cell of a sheet", name("memory", "=Inputs!$C$5")),
    ("names", "is taken", several(name("hw_GPU"), name("hw_gpu"))),
    ("names", "is a cell", table("H100")),
    ("names", "is a cell", table("Q1")),
    ("names", "is taken", several(name("Prices"), table("prices"))),
    ("names", "not different texts", table("prices", ("GPU", "gpu"))),
    ("functions", "TSX.X", several(lambda_name("_xlpm.a"), formula("=TSX.X(F1)"))),
    ("lambdas", "characters", lambda_name("+".join(["_xlpm.a"] * 2000))),
    ("lambdas", "comment", lambda_name("_xlpm.a", "x" * 256)),
    ("lambdas", "brackets", lambda_name("MAX(_xlpm.a")),
    ("lambdas", "OFFSET", lambda_name("OFFSET(_xlpm.a,1,1)")),
    ("lambdas", "TSX.Y", lambda_name("TSX.Y(_xlpm.a)")),
    ("lambdas", "arguments", lambda_name(f"MAX({','.join(['1'] * 254)})")),
    ("lambdas", "no sheet", lambda_name("_xlpm.a+Prices!$A$1")),
    ("lambdas", "no cell and no name", lambda_name("_xlpm.a+_xlpm.b")),
    ("lambdas", "no cell and no name", lambda_name("_xlpm.a+Z1")),
    ("lists", "characters in the rule itself", listed(f'"{ITEMS}"')),
    ("lists", "no range", listed("Models!$A$6")),
    ("lists", "has no =", listed("=Models!$A$6:$A$9")),
    ("lists", "no sheet", listed("Modelle!$A$6:$A$9")),
    ("lists", "brackets", listed("AND(C6>1", "custom")),
    ("stored", "without a value", formula("=F29+1", "F999")),
]


@pytest.fixture(scope="module")
def plain() -> tuple[bytes, set[Finding]]:
    """A small workbook, and what is found once openpyxl has saved it again without values."""
    planner = Planner.of(disable=("models",))
    given = {"model": "classic-52b", "gpu": "classic-a100-40gb", "gpus": 4, "interconnect": "classic-nvlink3"}
    candidates = [{"name": name, "profile": "kipply-2022", **given} for name in ("one", "two")]
    proposal = {
        "title": "Small",
        "template": "one-page",
        "workload": {"context": 0},
        "results": ["decode_latency"],
        "candidates": candidates,
    }
    data = build(planner, Proposal.model_validate(proposal)).xlsx
    assert unexplained(data) == []
    short = resaved(data, shorten)
    return short, set(lint(resaved(short, lambda book: None)))


def shorten(book: Any) -> None:
    """Leaves the first rows of each sheet, so that the tests are fast."""
    for sheet in book.worksheets[2:]:
        sheet.delete_rows(10 if sheet.title not in CALCULATED else 60, 1000)


def resaved(data: bytes, plant: Plant) -> bytes:
    opened = openpyxl.load_workbook(io.BytesIO(data))
    plant(opened)
    saved = io.BytesIO()
    opened.save(saved)
    return saved.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "words", "plant"), FAULTS, ids=[f"{r} {w}" for r, w, _ in FAULTS])
def test_a_planted_fault_is_found(
    plain: tuple[bytes, set[Finding]], rule: str, words: str, plant: Plant
) -> None:
    """Each rule sees what it is there for, in a workbook that is sound otherwise."""
    data, before = plain
    new = [f for f in RULES[rule](Workbook(resaved(data, plant))) if f not in before]
    assert [f for f in new if words in f.what] != [], [str(f) for f in new][:5]


def test_every_rule_has_a_planted_fault() -> None:
    """No rule is there that never found anything."""
    assert {rule for rule, _, _ in FAULTS} == set(RULES)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        *(
            (n, "is a cell")
            for n in ("H100", "H200", "B200", "L4", "T4", "A10", "FP8", "INT4", "Q4", "TP8", "PP2")
        ),
        *(
            (n, "is a cell")
            for n in ("MI300", "NVL72", "P99", "HBM3", "V3", "XFD1048576", "h100", "R1", "K2")
        ),
        *((n, "is a reference by row and column") for n in ("R1C1", "C", "C1_cost", "R2C", "r")),
        *((n, "is a constant") for n in ("TRUE", "false")),
        *((n, "is no name") for n in ("a b", "1x", "total/cost", "", "x" * 256)),
        *(
            (n, "")
            for n in (
                "L40S",
                "A10G",
                "MI300X",
                "TP_8",
                "LLAMA3",
                "XFE1",
                "RTX40_90",
                "XFE4090",
                "in_gpu",
                "A1048577",
            )
        ),
    ],
)
def test_names_of_products_are_judged_as_spreadsheets_do(text: str, problem: str) -> None:
    """What looks like a cell, a reference or a constant is no name; what only resembles one is."""
    assert name_problem(text) == problem
