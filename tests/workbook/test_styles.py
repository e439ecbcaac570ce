"""How numbers are shown: with their sign, whatever they become."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

import tokensheet
from tests.tools.recipe_workbooks import proposal
from tokensheet.workbook import styles
from tokensheet.workbook.build import build

SIGNED = "+0.0%;-0.0%;0.0%"


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (0.0, styles.PEOPLE), (40.68, styles.PEOPLE), (-40.68, styles.PEOPLE), (0.0461, styles.PEOPLE),
        (0.0099, styles.PLAIN), (-4e-6, styles.PLAIN), (1000.0, styles.HUNDREDS), (-273374.05, styles.HUNDREDS),
        ("fits", styles.PEOPLE), (4.8e12, styles.LONG), (-1e9, styles.LONG),
    ],
)  # fmt: skip
def test_numbers_for_people(value: object, form: str) -> None:
    assert styles.people(value) == form


@pytest.mark.slow
def test_no_format_hides_a_sign() -> None:
    """A format with conditions shows -5 as 5 in LibreOffice; the one of changes says the sign itself."""
    made = build(tokensheet.planner(), proposal(template="capacity-plan"))
    with zipfile.ZipFile(io.BytesIO(made.xlsx)) as package:
        cells = package.read("xl/styles.xml").decode()
        charts = [package.read(n).decode() for n in package.namelist() if n.startswith("xl/charts/")]
    forms = set(re.findall('formatCode="([^"]*)"', cells + "".join(charts)))
    assert {form for form in forms if ";" in form or "[" in form} <= {SIGNED}
