"""Proposal → workbook bytes, text dump and summary: the one entry to this package."""

from __future__ import annotations

import gc
import io
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tokensheet.failure import Failure
from tokensheet.own_functions import catalog_hash
from tokensheet.planning import Planner
from tokensheet.proposal import Proposal
from tokensheet.recipe import Recipe
from tokensheet.recipe_files import brand_of, find, with_results
from tokensheet.texts import ENGLISH, Phrase, Text, Texts, say, source_text
from tokensheet.version import __version__
from tokensheet.workbook import lambda_functions, sheets
from tokensheet.workbook.asked import asked
from tokensheet.workbook.bill import bill_of_materials, system_role
from tokensheet.workbook.brand import brand
from tokensheet.workbook.cells import Book
from tokensheet.workbook.charts import draw
from tokensheet.workbook.charts_data import charts_data
from tokensheet.workbook.checks import checks
from tokensheet.workbook.contents import Contents, contents_of
from tokensheet.workbook.dump import dump
from tokensheet.workbook.finish import finish
from tokensheet.workbook.lambda_sheet import functions_sheet
from tokensheet.workbook.lambdas import WorkbookFunctions
from tokensheet.workbook.layout import (
    ABOUT,
    BILL,
    CALCULATION,
    CHARTS_DATA,
    CHECKS,
    FUNCTIONS,
    INPUTS,
    OPTIONS,
    SENSITIVITY,
    SERIES,
    SUMMARY,
    TEXTS,
)
from tokensheet.workbook.rows import write_rows
from tokensheet.workbook.sensitivity import SensitivitySheet
from tokensheet.workbook.series import all_series, started
from tokensheet.workbook.series_sheet import series, series_data
from tokensheet.workbook.theme import LOGO_ROW_HEIGHT, Theme, dress
from tokensheet.workbook.variants_sheet import variants_sheet
from tokensheet.workbook.varying import sensitivity_of
from tokensheet.workbook.wording import LABELS, texts_sheet

SHEETS = {
    CHARTS_DATA: say("What the charts on Summary draw."),
    SENSITIVITY: say(
        "What the results of one candidate hang on; its numbers are whole calculations on Variants."
    ),
    SERIES: say("One candidate over lists of numbers; what a list moves is calculated on Series data."),
    BILL: say("The lines of the systems that candidates chose."),
    TEXTS: say("Words that formulas give, and labels by which programs read this file."),
    FUNCTIONS: say("Planning functions for cells of Excel 365, as names of this workbook."),
}
"""What About says of sheets that a recipe may leave out."""


@dataclass(frozen=True)
class Export:
    """A finished workbook."""

    xlsx: bytes
    text: str
    summary: list[dict[str, Any]]
    """One mapping a candidate: name, results, the reason of each that has none, warnings, replaced formulas, unread."""
    language: str = ENGLISH
    untranslated: tuple[str, ...] = ()
    """Texts that the language has no words for, which stand in English."""


def build(
    planner: Planner,
    proposal: Proposal,
    texts: Texts | None = None,
    *,
    lambdas: bool = False,
    theme: Theme | None = None,
) -> Export:
    """The workbook of a proposal; the same input gives the same bytes.

    Args:
        planner: catalogue and formulas
        proposal: what is compared
        texts: the reader's language, if not the proposal's
        lambdas: whether Excel 365 gets planning functions as names of the workbook
        theme: a company's looks, which go over those of the recipe

    Raises:
        TokensheetError: the proposal asks for something that is not there.
    """
    with collection_paused():
        return _built(planner, proposal, texts, lambdas, theme or Theme())


@contextmanager
def collection_paused() -> Iterator[None]:
    """No search for cyclic garbage meanwhile: a workbook is a hundred thousand objects, and all of them stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _built(planner: Planner, proposal: Proposal, texts: Texts | None, lambdas: bool, theme: Theme) -> Export:
    recipe = find(planner, proposal.template, proposal.folder)
    proposal = with_results(proposal, planner)
    given = {name for candidate in proposal.candidates for name in proposal.given(candidate)}
    proposal = started(proposal, recipe)
    shown = asked(contents_of(planner, proposal), recipe)
    functions = lambda_functions.asked(planner.registry, proposal) if lambdas else {}
    contents = contents_of(planner, proposal, shown.rows(), lambda_functions.profiled(functions.values()))
    contents.verify()
    write_rows(contents)
    language = recipe.spoken(planner, proposal.language or "")
    theme = theme.over(look_of(recipe, planner, proposal)).speaking(language.font)
    book = Book(texts or language.texts, logo_row=LOGO_ROW_HEIGHT if theme.logo else 0)
    book.workbook.remove(book.workbook.worksheets[0])
    sheets.summary(book, contents)
    sheets.inputs(book, contents)
    sheets.options(book, contents)
    sheets.calculation(book, contents)
    checks(book, contents)
    if shown.charts:
        first = charts_data(book, contents, shown.charts)
        draw(book, book.workbook[SUMMARY], contents, shown.charts, first)
    if BILL in recipe.sheets and system_role(contents):
        bill_of_materials(book, contents)
    found = sensitivity_of(contents, recipe) if SENSITIVITY in recipe.sheets else None
    if found is not None:
        SensitivitySheet(book, found).write()
        variants_sheet(book, found)
    lists = all_series(contents, shown.series)
    if lists is not None:
        series(book, lists)
        series_data(book, lists)
    for table in contents.tables.values():
        sheets.catalog(book, contents, table)
    texts_sheet(book, contents)
    if lambdas:
        functions_sheet(book, WorkbookFunctions(contents, functions.values()))
    sheets.about(book, about_lines(planner, contents, recipe, book.workbook.sheetnames))
    book.workbook.move_sheet(ABOUT, -len(book.workbook.sheetnames) + 1)
    book.workbook.active = 1
    properties = book.workbook.properties
    properties.title, properties.creator = proposal.title, proposal.prepared_by or "tokensheet"
    properties.language = language.code
    stream = io.BytesIO()
    book.workbook.save(stream)
    xlsx = finish(stream.getvalue(), book.values, change=lambda parts, of: dress(parts, theme, logo_rows(of)))
    return Export(xlsx, dump(book), summary(contents, given), book.texts.language, tuple(book.texts.missing))


def look_of(recipe: Recipe, planner: Planner, proposal: Proposal) -> Theme:
    """The looks that a recipe states."""
    look, file = recipe.look, brand_of(recipe, planner, proposal.template, proposal.folder)
    accent, *charts = (color.lstrip("#").upper() for color in (look.accent, *look.charts))
    own = Theme(look.font, look.title_font, accent, tuple(charts))
    return own if file is None else own.over(brand(file))


def logo_rows(parts: Mapping[str, str]) -> dict[str, int]:
    """The part of each sheet that shows the logo → its row."""
    return {parts[title]: row for title, row in sheets.LOGO.items()}


def about_lines(
    planner: Planner, contents: Contents, recipe: Recipe, titles: Sequence[str]
) -> list[tuple[Text, Text]]:
    """Rows of the About sheet: label and text; a row without text begins a section."""
    proposal = contents.proposal
    records = [e for chosen in contents.chosen for e in (*chosen.entries.values(), chosen.profile)]
    used = {owner.plugin for _, owner in contents.provenance()} | {entry.owner.plugin for entry in records}
    lines: list[tuple[Text, Text]] = [("", proposal.title)]
    facts = {key: str(getattr(proposal, key) or "") for key in LABELS}
    facts["about"] = " ".join(proposal.about.split())
    lines += [(LABELS[key], text) for key, text in facts.items() if text]
    lines += [(Phrase(prose.heading), Phrase(" ".join(prose.text.split()))) for prose in recipe.prose]
    lines += [
        (say("How to use"), ""),
        (
            INPUTS,
            say("Numbers and choices of all candidates. Yellow cells may be changed; everything follows."),
        ),
        (OPTIONS, say("The candidates side by side: device, count, parallel degrees, formats, batch.")),
        (SUMMARY, say("The results, in ms and GiB, and whether each plan fits.")),
        (CALCULATION, say("One formula a row: label, unit, formula in words and source. SI units.")),
        (CHECKS, say("Whether records were found, inputs are in range and plans can run.")),
        (
            say("Catalogue"),
            say(
                "{sheets}: facts with sources; own rows may be added below.",
                sheets=", ".join(t.sheet for t in contents.tables.values()),
            ),
        ),
        *((sheet, SHEETS[sheet]) for sheet in SHEETS if sheet in titles),
        (say("Protection"), say("Sheets are protected without a password, against slips only.")),
        (say("Made with"), ""),
        (say("Program"), f"tokensheet {__version__}"),
        (say("Catalogue hash"), catalog_hash(planner)),
        (say("Rebuild"), say("tokensheet export, with the proposal file and these versions")),
    ]
    for info in planner.registry.plugins.infos:
        what: Text = Phrase("used" if info.name in used else info.state)
        if info.reason:
            what = say("{state}: {reason}", state=what, reason=info.reason)
        version = f"{info.distribution} {info.version}".strip()
        text = say("{version}, {what}", version=version, what=what) if version else what
        lines.append((say("Plugin {name}", name=info.name), text))
    lines += [(say("Replaced formula"), text) for text in replaced(contents)]
    profiles = dict.fromkeys(walk.ids["profile"] for walk in contents.walks)
    for profile in profiles:
        entry = planner.registry.catalog("profile").find(profile)
        lines.append(
            (
                say("Profile {profile}", profile=profile),
                source_text(f"{getattr(entry.record, 'fitted_to', '')}; {entry.record.source}"),
            )
        )
    return lines


def summary(contents: Contents, given: Container[str]) -> list[dict[str, Any]]:
    """Results of each candidate, for the terminal and for programs; `given` are names that the proposal says."""
    found = []
    for i, name in enumerate(contents.names):
        results: dict[str, Any] = {}
        reasons: dict[str, str] = {}
        for result in contents.proposal.results:
            value = contents.value(i, result)
            results[result] = None if isinstance(value, Failure) else value
            if isinstance(value, Failure):
                reasons[result] = value.reason
        warnings = contents.walks[i].warnings()
        found.append(
            {
                "name": name,
                "results": results,
                "reasons": reasons,
                "warnings": warnings,
                "replaced": replaced(contents),
                "unread": [name for name in unread(contents, i) if name in given],
            }
        )
    return found


def unread(contents: Contents, index: int) -> list[str]:
    """Names that are given for a candidate and that nothing in its workbook reads."""
    read = {node.name for node in contents.graph.nodes.values()} | contents.registry.limits.keys()
    read |= {"profile", *contents.roles.values()}
    return [name for name in contents.said.given[index] if name not in read]


def replaced(contents: Contents) -> list[str]:
    """A line for each formula used that stands in for another plugin's."""
    owners = dict(contents.provenance())
    return [
        f"{name} by {owner}, in place of {owner.replaced}" for name, owner in owners.items() if owner.replaced
    ]
