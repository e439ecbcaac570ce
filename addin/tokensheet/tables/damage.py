"""What a spreadsheet does to the cells of a CSV file when it opens and saves them, and how to tell.

Excel takes texts that look like numbers, dates, times, truth or formulas for that, and saves what it
shows: an id `3-4` comes back as `04-Mar`, `1e5` as `1.00E+05`, 141557760000 as `1.41558E+11`. What was
lost cannot be had back, so such cells are refused, before and after.
"""

from __future__ import annotations

import re

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTH = rf"(?:{_MONTHS}|january|february|march|april|june|july|august|september|october|november|december)"
_NUMBER = re.compile(r"[+-]?[$€£]?\(?\d[\d.,'  ]*\)?(?:e[+-]?\d+)?\s*%?", re.IGNORECASE)
_DATES = (
    re.compile(r"\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?"),
    re.compile(rf"\d{{1,4}}[-/. ]?{_MONTH}(?:[-/. ,]{{0,2}}\d{{1,4}})?", re.IGNORECASE),
    re.compile(rf"{_MONTH}[-/. ,]{{0,2}}\d{{1,4}}(?:, ?\d{{4}})?", re.IGNORECASE),
    re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?", re.IGNORECASE),
)
_SIX_DIGITS = re.compile(r"\d[.,]\d{5}E\+\d{2,}")

ADVICE = "write it so that it cannot be taken for one"


def text_problem(text: str) -> str | None:
    """Why a text does not survive being opened and saved in Excel, or None."""
    if text[0] in "=+@" or (text[0] == "-" and len(text) > 1):
        return f"begins with {text[0]}, which Excel takes for a formula; begin it with a letter"
    if text.lower() in {"true", "false"}:
        return f"Excel takes for a truth value; {ADVICE}"
    if any(date.fullmatch(text) for date in _DATES):
        return f"Excel takes for a date or has made of another text; {ADVICE}"
    if _NUMBER.fullmatch(text):
        return f"Excel takes for a number or has made of another text; {ADVICE}"
    if set(text) == {"#"}:
        return "is what Excel saves of a column that is too narrow; widen it and enter the value again"
    return None


def number_problem(text: str) -> str | None:
    """Why a number has lost digits in Excel, or None."""
    if set(text) == {"#"}:
        return "is what Excel saves of a column that is too narrow; widen it and enter the value again"
    if _SIX_DIGITS.fullmatch(text):
        return "has the six digits that Excel saves of a long number; enter it again, in a column with a unit"
    return None
