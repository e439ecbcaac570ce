"""The proof: every registered formula is one number as Python, tree, compiled code and spreadsheet cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import tokensheet
from tests.proof.deviations import deviation
from tests.tools import ironcalc_engine
from tests.tools.office import Office, Values
from tokensheet.failure import Failure
from tokensheet.testing import Report, check_formula, judged, proof_of, samples
from tokensheet.testing.alone import Alone
from tokensheet.testing.check import checked
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.proof import Proof

PLANNER = tokensheet.planner()
NAMES = sorted(PLANNER.registry.formulas())
SEED = 1

RARE_EDGES = 0.002
"""Share of values that may agree only on the edge of a comparison or a floor."""


@cache
def proof() -> Proof:
    return proof_of(PLANNER, NAMES, seed=SEED)


def judge(values: Values, by: str) -> Report:
    """The comparison of all cells; what touches a documented deviation is put aside, and must be rare."""
    report = judged(proof(), values, by)
    unexplained = [line for line in report.problems if not explained(line)]
    assert unexplained == []
    assert len(report.problems) <= RARE_EDGES * report.compared, report.problems
    return report


def explained(line: str) -> bool:
    """Whether the sample that a line shows touches a documented deviation of powers."""
    name, _, shown = line.partition(": ")
    name, _, step = name.partition(".")
    inputs = {k: float(v) for k, v in (pair.split("=") for pair in shown.rpartition(" at ")[2].split(", "))}
    formula = PLANNER.registry.formulas()[name]
    values = {**inputs, **Alone(name, formula).tree(inputs)}
    trees = {s.name: s.tree for s in formula.body.steps} | {"": formula.body.result}
    return deviation(trees[step], values) is not None


@pytest.mark.parametrize("name", NAMES)
def test_function_tree_and_compiled_code_agree(name: str) -> None:
    """Calling the function, walking its tree and running its compiled forms give one answer to 1e-12."""
    report = check_formula(PLANNER, name)
    assert report.edges == []


@pytest.mark.slow
def test_samples_are_worth_the_proof() -> None:
    """Most samples of a formula give a number, and they do not all give the same one."""
    formulas = PLANNER.registry.formulas()
    poor = []
    for name in NAMES:
        alone = Alone(name, formulas[name])
        results = [alone.tree(row)[""] for row in samples(PLANNER.registry, name, seed=SEED)]
        numbers = [r for r in results if not isinstance(r, Failure)]
        if len(numbers) < len(results) // 2 or len(set(numbers)) < 2:
            poor.append(
                f"{name}: {len(numbers)} of {len(results)} are numbers, {len(set(numbers))} different"
            )
    assert poor == []


@pytest.mark.slow
def test_ironcalc_gives_the_same(tmp_path: Path) -> None:
    """The Excel text of every step and result, recalculated by IronCalc, is the tree's number to 1e-12."""
    report = judge(ironcalc_engine.values(written(tmp_path)), "IronCalc")
    assert report.compared == cells()
    assert len(report.edges) <= RARE_EDGES * report.compared, report.edges


@pytest.mark.slow
def test_libreoffice_gives_the_same(office: Office, tmp_path: Path) -> None:
    """The Excel text of every step and result, recalculated by LibreOffice, is the tree's number to 1e-12."""
    report = judge(office.values(written(tmp_path)), "LibreOffice")
    assert report.compared == cells()
    assert len(report.edges) <= RARE_EDGES * report.compared, report.edges


def written(folder: Path) -> Path:
    path = folder / "proof.xlsx"
    path.write_bytes(proof().data)
    return path


def cells() -> int:
    return sum(len(sheet.columns) * len(sheet.samples) for sheet in proof().sheets)


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda value: value * (1 + 1e-9), id="a number that is off by 1e-9"),
        pytest.param(lambda value: CellError("#N/A"), id="an error instead of a number"),
        pytest.param(lambda value: str(value), id="text instead of a number"),
        pytest.param(lambda value: 999.0, id="the stored value instead of a recalculated one"),
    ],
)
def test_a_wrong_cell_fails_the_proof(spoil: Callable[[float], float | str], tmp_path: Path) -> None:
    """The judge is no yes-man: each kind of wrong answer is reported."""
    values = ironcalc_engine.values(written(tmp_path))
    title = "weight_read_time"
    right = values[title]["D2"]
    assert isinstance(right, float)
    values[title]["D2"] = spoil(right)
    assert [line.split(":")[0] for line in judged(proof(), values, "a liar").problems if title in line] == [
        title
    ]


def test_a_wrong_function_fails_the_proof() -> None:
    """`check_formula` reports a function that is not its tree, with the sample."""
    right = PLANNER.registry.formulas()["kv_bytes"]
    wrong = replace(right, function=lambda batch, kv_bytes_per_sequence: batch + kv_bytes_per_sequence)
    wrong.__dict__["body"] = right.body
    with pytest.raises(AssertionError, match=r"kv_bytes: tree 6\.0, function 5\.0 at batch=2\.0"):
        checked(Alone("kv_bytes", wrong), [{"batch": 2.0, "kv_bytes_per_sequence": 3.0}])


def test_every_registered_formula_is_covered() -> None:
    """Nothing is left out: neither a formula of a plugin, nor a check, nor one that is broken."""
    registry = PLANNER.registry
    assert registry.check_all() == []
    assert registry.broken == {}
    assert set(NAMES) == set(registry.formulas())


@pytest.mark.slow
def test_every_step_of_a_formula_has_a_column_of_cells() -> None:
    formulas = PLANNER.registry.formulas()
    assert [sheet.name for sheet in proof().sheets] == NAMES
    for sheet in proof().sheets:
        body = formulas[sheet.name].body
        assert list(sheet.columns) == [*(s.name for s in body.steps), ""]
        assert len(sheet.samples) == 40
        assert all(set(row) == set(body.parameters) for row in sheet.samples)
