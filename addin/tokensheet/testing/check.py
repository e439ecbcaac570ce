"""The proof of one formula without a spreadsheet, and the judgement of a recalculated workbook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tokensheet.errors import listed
from tokensheet.failure import Failure, Value
from tokensheet.formula import Formula
from tokensheet.planning import Planner
from tokensheet.testing.agreement import Report, compare
from tokensheet.testing.alone import Alone, Inputs
from tokensheet.testing.sampling import COUNT, samples

if TYPE_CHECKING:
    from tokensheet.workbook.proof import Proof

SHOWN = 8


def check_formula(planner: Planner, name: str, count: int = COUNT, seed: int = 0) -> Report:
    """Function, tree, compiled scalar and compiled array of one formula give the same on generated inputs.

    Args:
        planner: of the plugins that offer the formula
        name: of the formula or check
        count: how many samples
        seed: another seed gives other samples

    Raises:
        AssertionError: they do not agree; shows the first samples on which they part.
        TokensheetError: the formula is broken; says why.
    """
    formula = planner.registry.definition(name)
    assert isinstance(formula, Formula), f"{name} is no formula"
    return checked(Alone(name, formula), samples(planner.registry, name, count, seed))


def checked(alone: Alone, rows: Sequence[Inputs], function: bool = True) -> Report:
    """The same for given inputs.

    Args:
        alone: the formula
        rows: its inputs
        function: whether there is a function to call

    Raises:
        AssertionError: two readings do not agree.
    """
    report = Report()
    arrays = alone.array(rows)
    for inputs, array in zip(rows, arrays, strict=True):
        wanted = alone.tree(inputs)
        if function:
            called = alone.function(inputs)
            if not (isinstance(called, Failure) and _has_failed_step(wanted)):
                compare(report, alone, inputs, wanted, "", called, "function")
        for by, found in (("compiled scalar", alone.scalar(inputs)), ("compiled array", array)):
            if found is not None:  # else the planner asks the tree, which is what `wanted` is
                compare(report, alone, inputs, wanted, "", found, by)
    if report.problems:
        raise AssertionError(listed(alone.name, report.problems[:SHOWN]))
    return report


def _has_failed_step(wanted: Mapping[str, Value]) -> bool:
    """Python calculates every step, read or not: where one has no answer, the call has none."""
    return any(isinstance(value, Failure) for step, value in wanted.items() if step)


def proof_of(planner: Planner, names: Iterable[str], count: int = COUNT, seed: int = 0) -> Proof:
    """A workbook in which each formula calculates generated samples, a sheet each.

    Recalculate its `data` in a spreadsheet program and give the values to `judged`.
    """
    from tokensheet.workbook.proof import proof_workbook

    formulas = {name: f for name in names if isinstance(f := planner.registry.definition(name), Formula)}
    return proof_workbook(formulas, {name: samples(planner.registry, name, count, seed) for name in formulas})


def judged(proof: Proof, values: Mapping[str, Mapping[str, float | str]], by: str) -> Report:
    """Compares all cells of a recalculated proof with the trees.

    Args:
        proof: the workbook as it was made
        values: sheet title → address → number, text or `CellError`
        by: the spreadsheet program, for messages
    """
    report = Report()
    for sheet in proof.sheets:
        alone = Alone(sheet.name, sheet.formula)
        cells = values.get(sheet.title, {})
        for row, inputs in enumerate(sheet.samples):
            wanted = alone.tree(inputs)
            for step, column in sheet.columns.items():
                found = cells.get(f"{column}{row + proof.first_row}")
                compare(report, alone, inputs, wanted, step, found, by)
    return report
