"""Fonts, fills and number formats: one place, so that every sheet looks like one workbook."""

from __future__ import annotations

from collections.abc import Sequence

from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.styles.differential import DifferentialStyle

FACE = "Calibri"
INK, QUIET, ACCENT, INPUT_INK = "FF1F2933", "FF66727F", "FF1B4F72", "FF0B3D91"
ON_ACCENT, HEADER = "FFFFFFFF", "FFDCE6EC"
"""Letters of section rows, and the fill of column titles."""

ANSWER, WORKINGS = "1E6B34", "66727F"
"""Tabs of sheets with answers, and of those that lead to them."""

BODY = Font(name=FACE, size=10, color=INK)
BOLD = Font(name=FACE, size=10, color=INK, bold=True)
NOTE = Font(name=FACE, size=9, color=QUIET)
TITLE = Font(name=FACE, size=16, color=ACCENT, bold=True)
SECTION = Font(name=FACE, size=11, color=ON_ACCENT, bold=True)
INPUT = Font(name=FACE, size=10, color=INPUT_INK)

SECTION_FILL = PatternFill("solid", fgColor=ACCENT)
HEADER_FILL = PatternFill("solid", fgColor=HEADER)
INPUT_FILL = PatternFill("solid", fgColor="FFFFF8DC")
SPARE_FILL = PatternFill("solid", fgColor="FFFCFCF5")

_LINE = Side(style="thin", color="FFD0D7DE")
UNDER = Border(bottom=_LINE)
BOX = Border(left=_LINE, right=_LINE, top=_LINE, bottom=_LINE)

LEFT = Alignment(horizontal="left", vertical="top")
WRAP = Alignment(horizontal="left", vertical="top", wrap_text=True)
BESIDE = Alignment(horizontal="left", vertical="top", indent=1)
"""Text to the right of a number."""
RIGHT = Alignment(horizontal="right", vertical="top")
RIGHT_WRAP = Alignment(horizontal="right", vertical="top", wrap_text=True)
SHRUNK = Alignment(horizontal="left", vertical="top", shrink_to_fit=True)
RIGHT_SHRUNK = Alignment(horizontal="right", vertical="top", shrink_to_fit=True)
"""Names that may be longer than their column."""
HEAD = Alignment(horizontal="center", vertical="center", wrap_text=True)

OPEN = Protection(locked=False)

BAD = DifferentialStyle(font=Font(color="FF9C1C1C", bold=True), fill=PatternFill(bgColor="FFFBE3E3"))

WHOLE, PLAIN, LONG = "#,##0", "General", "##0.0##E+0"
PEOPLE, ALIGNED, HUNDREDS = "#,##0.00##", "#,##0.0000", "#,##0.0"
"""Numbers that come and go with the inputs. No format has conditions: LibreOffice leaves out the minus sign there."""


def people(value: object) -> str:
    """How a number for people is shown: fewer decimals where it is large, all digits where it is small."""
    size = abs(value) if isinstance(value, (int, float)) else 1
    if size >= 1e9:  # digits of a bandwidth would not find room in a column
        return LONG
    return PLAIN if 0 < size < 0.01 else HUNDREDS if size >= 1000 else PEOPLE


def across(values: Sequence[object]) -> str:
    """One form for the numbers of a row, so that their points stand below each other; `PEOPLE` where none suits all."""
    sizes = [abs(v) for v in values if isinstance(v, (int, float)) and v != 0]
    least, most = min(sizes, default=1), max(sizes, default=1)
    if most >= 1e9 or least < 0.01:
        return PEOPLE
    return ALIGNED if most < 1000 else HUNDREDS if least >= 10 else PEOPLE


def number_format(unit: str, value: object = None) -> str:
    """How numbers of a unit are shown: whole bytes and counts, large rates with exponents by threes, decimals as they are."""
    large = isinstance(value, (int, float)) and abs(value) >= 1000
    if isinstance(value, (int, float)) and abs(value) >= (1e9 if unit.endswith("/second") else 1e15):
        return LONG
    if unit in {"byte", "flop", "token", "byte/second", "flop/second"} or large:
        return WHOLE
    return PLAIN
