"""Proposal → workbook bytes, text dump and summary: the one entry to this package."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokensheet.functions import catalog_hash
from tokensheet.interpret import Failure
from tokensheet.planning import Planner
from tokensheet.proposal import Proposal
from tokensheet.recipe import Recipe, find, with_results
from tokensheet.version import __version__
from tokensheet.workbook import sheets
from tokensheet.workbook.bill import bill_of_materials, system_role
from tokensheet.workbook.cells import Book
from tokensheet.workbook.charts import affordable, charts_data, draw, drawable
from tokensheet.workbook.dump import dump
from tokensheet.workbook.finish import finish
from tokensheet.workbook.layout import (
    ABOUT,
    BILL,
    CALCULATION,
    CHARTS_DATA,
    CHECKS,
    INPUTS,
    OPTIONS,
    SENSITIVITY,
    SUMMARY,
)
from tokensheet.workbook.plan import Plan
from tokensheet.workbook.rows import write_rows
from tokensheet.workbook.sensitivity import SensitivitySheet, sensitivity_of, variants_sheet

SHEETS = {
    CHARTS_DATA: "What the charts on Summary draw.",
    SENSITIVITY: "What the results of one candidate hang on; its numbers are whole calculations on Variants.",
    BILL: "The lines of the systems that candidates chose.",
}
"""What About says of sheets that a recipe may leave out."""


@dataclass(frozen=True)
class Export:
    """A finished workbook."""

    xlsx: bytes
    text: str
    summary: list[dict[str, Any]]
    """One mapping a candidate: name, results, the reason of each that has none, warnings, replaced formulas."""


def build(planner: Planner, proposal: Proposal) -> Export:
    """The workbook of a proposal; the same input gives the same bytes.

    Raises:
        TokensheetError: the proposal asks for something that is not there.
    """
    recipe = find(planner, proposal.template)
    proposal = with_results(proposal, planner)
    plain = Plan(planner, proposal)
    pictures = drawable(plain, recipe)
    swept = [row for row in recipe.sweep if affordable(plain, [row])] if SENSITIVITY in recipe.sheets else []
    plan = Plan(planner, proposal, [*(row for chart in pictures for row in chart.rows), *swept])
    plan.verify()
    write_rows(plan)
    book = Book()
    book.workbook.remove(book.workbook.worksheets[0])
    sheets.summary(book, plan)
    sheets.inputs(book, plan)
    sheets.options(book, plan)
    sheets.calculation(book, plan)
    sheets.checks(book, plan)
    if pictures:
        first = charts_data(book, plan, pictures)
        draw(book, book.workbook[SUMMARY], plan, pictures, first)
    if BILL in recipe.sheets and system_role(plan):
        bill_of_materials(book, plan)
    found = sensitivity_of(plan, recipe) if SENSITIVITY in recipe.sheets else None
    if found is not None:
        SensitivitySheet(book, found).write()
        variants_sheet(book, found)
    for table in plan.tables.values():
        sheets.catalog(book, plan, table)
    sheets.about(book, about_lines(planner, plan, recipe, book.workbook.sheetnames))
    book.workbook.move_sheet(ABOUT, -len(book.workbook.sheetnames) + 1)
    book.workbook.active = 1
    properties = book.workbook.properties
    properties.title, properties.creator = proposal.title, proposal.prepared_by or "tokensheet"
    stream = io.BytesIO()
    book.workbook.save(stream)
    return Export(finish(stream.getvalue(), book.values), dump(book), summary(plan))


def about_lines(planner: Planner, plan: Plan, recipe: Recipe, titles: Sequence[str]) -> list[tuple[str, str]]:
    """Rows of the About sheet: label and text; a row without text begins a section."""
    proposal = plan.proposal
    records = [e for chosen in plan.chosen for e in (*chosen.entries.values(), chosen.profile)]
    used = {owner.plugin for _, owner in plan.provenance()} | {entry.owner.plugin for entry in records}
    lines = [("", proposal.title)]
    facts = (
        ("For", proposal.customer),
        ("Prepared by", proposal.prepared_by),
        ("Date", str(proposal.date or "")),
        ("Valid until", str(proposal.valid_until or "")),
        ("Template", proposal.template),
        ("About", " ".join(proposal.about.split())),
    )
    lines += [(a, b) for a, b in facts if b]
    lines += [(prose.heading, " ".join(prose.text.split())) for prose in recipe.prose]
    lines += [
        ("How to use", ""),
        (INPUTS, "Numbers and choices of all candidates. Yellow cells may be changed; everything follows."),
        (OPTIONS, "The candidates side by side: device, count, parallel degrees, formats, batch."),
        (SUMMARY, "The results, in ms and GiB, and whether each plan fits."),
        (CALCULATION, "One formula a row: label, unit, formula in words and source. SI units."),
        (CHECKS, "Whether records were found, inputs are in range and plans can run."),
        (
            "Catalogue",
            f"{', '.join(t.sheet for t in plan.tables.values())}: facts with sources; own rows may be added below.",
        ),
        *((sheet, SHEETS[sheet]) for sheet in SHEETS if sheet in titles),
        ("Protection", "Sheets are protected without a password, against slips only."),
        ("Made with", ""),
        ("Program", f"tokensheet {__version__}"),
        ("Catalogue hash", catalog_hash(planner)),
        ("Rebuild", "tokensheet export, with the proposal file and these versions"),
    ]
    for info in planner.registry.plugins.infos:
        what = (
            "used"
            if info.name in used
            else "loaded"
            if info.state == "loaded"
            else f"{info.state}: {info.reason}"
        )
        lines.append((f"Plugin {info.name}", f"{info.distribution} {info.version}, {what}".strip(", ")))
    lines += [("Replaced formula", text) for text in replaced(plan)]
    profiles = dict.fromkeys(walk.ids["profile"] for walk in plan.walks)
    for profile in profiles:
        entry = planner.registry.catalog("profile").find(profile)
        lines.append(
            (f"Profile {profile}", f"{getattr(entry.record, 'fitted_to', '')}; {entry.record.source}")
        )
    return lines


def summary(plan: Plan) -> list[dict[str, Any]]:
    """Results of each candidate, for the terminal and for programs."""
    found = []
    for i, name in enumerate(plan.names):
        results: dict[str, Any] = {}
        reasons: dict[str, str] = {}
        for result in plan.proposal.results:
            value = plan.value(i, result)
            results[result] = None if isinstance(value, Failure) else value
            if isinstance(value, Failure):
                reasons[result] = value.reason
        warnings = plan.walks[i].warnings()
        found.append(
            {
                "name": name,
                "results": results,
                "reasons": reasons,
                "warnings": warnings,
                "replaced": replaced(plan),
            }
        )
    return found


def replaced(plan: Plan) -> list[str]:
    """A line for each formula used that stands in for another plugin's."""
    owners = dict(plan.provenance())
    return [
        f"{name} by {owner}, in place of {owner.replaced}" for name, owner in owners.items() if owner.replaced
    ]
