"""Every mistake a user can make, as one exception family; anything else is a bug and keeps its traceback."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice


class TokensheetError(Exception):
    """Something the user can mend: shown as one line, without a traceback.

    `code` is the error value that a cell shows.
    """

    code = "#VALUE!"


class ArgumentError(TokensheetError):
    """An argument of a function is missing, of the wrong kind or out of range."""


class UnknownNameError(TokensheetError):
    """A name is in no catalogue and no formula; the message lists the nearest ones."""


class MissingFactError(TokensheetError):
    """A record does not state a fact that the answer needs."""

    code = "#N/A"


class PlanError(TokensheetError):
    """The plan cannot be run: it does not fit, or its parts do not match."""

    code = "#N/A"


class CalculationError(TokensheetError):
    """Arithmetic has no answer: division by zero, overflow, a logarithm of nothing."""

    code = "#NUM!"


class DivisionError(CalculationError):
    """Division by zero."""

    code = "#DIV/0!"


class CellTextError(TokensheetError):
    """The text of a cell cannot be read as a formula."""

    code = "#NAME?"


class FormulaError(TokensheetError):
    """A formula definition breaks a rule of the formula language; carries file, line, caret and hint."""


class PluginError(TokensheetError):
    """A plugin cannot be loaded or offers something that cannot be used."""


class RecordError(PluginError):
    """A catalogue record holds impossible or missing values; lists all of them."""


class SettingsError(TokensheetError):
    """The settings file has mistakes; lists all of them."""


class ProposalError(TokensheetError):
    """A proposal file has mistakes; lists all of them."""


class TextsError(TokensheetError):
    """A table of texts in another language has mistakes; lists all of them."""


class ExportError(TokensheetError):
    """A workbook or another file cannot be written, or a workbook cannot be read."""


class RenamedWarning(FutureWarning):
    """A former name was used: it works for two minor versions more."""


MOST_ALIKE, MOST_VARIANTS = 3, 8
"""Names that are told as the nearest; more of them where all are variants of what was written."""
ON_WINDOWS = (
    'in the Command Prompt write "=KV_BYTES(""llama-2-70b"",4096,8)", in PowerShell '
    "'=KV_BYTES(\"llama-2-70b\",4096,8)' | tokensheet eval -"
)
"""Quotes of a cell's text as the terminals of Windows hand them on."""
MOST_TOLD, LONGEST_TOLD = 50, 2000
"""Problems of one input that are told; a file made to have millions is not searched for more."""


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Names that look most like `name`, best first.

    Variants of it, as h100-pcie is of h100, all come first, then what begins with it, as h100 does with h10.
    """
    candidates, word = list(known), name.lower().replace("_", "-")
    variants = [k for k in candidates if k.replace("_", "-").startswith(f"{word}-")]
    begun = [k for k in candidates if word and k.replace("_", "-").startswith(word) and k not in variants]
    alike = get_close_matches(name.lower(), candidates, n=MOST_ALIKE, cutoff=0.5)
    found = list(dict.fromkeys([*variants, *begun, *alike]))
    if len(found) < MOST_ALIKE:
        parts = word.split("-")
        found += [k for k in candidates if k not in found and any(len(p) > 2 and p in k for p in parts)]
    return found[: max(MOST_ALIKE, min(len(variants), MOST_VARIANTS))]


def hint(name: str, known: Iterable[str], word: str = "nearest") -> str:
    """`; nearest are a, b, c`, or the first known names when nothing is near."""
    names = sorted(known)
    close = nearest(name, names)
    if close:
        return f"; {word} {'is' if len(close) == 1 else 'are'} {', '.join(close)}"
    if not names:
        return "; there are none"
    return f"; known are {', '.join(names[:8])}{' …' if len(names) > 8 else ''}"


def first(problems: Iterable[str]) -> list[str]:
    """As many problems as are told, and one more if there are more; the others are never looked for."""
    return list(islice(problems, MOST_TOLD + 1))


def listed(title: str, problems: Sequence[str]) -> str:
    """The problems of one input in one text: a title, then one line each; what is too long to be read is cut."""
    shown = [p if len(p) <= LONGEST_TOLD else f"{p[:LONGEST_TOLD]} …" for p in problems[:MOST_TOLD]]
    if len(problems) == 1:
        return f"{title}: {shown[0]}"
    told = [f"  - {problem}" for problem in shown]
    if len(problems) > MOST_TOLD:
        return "\n".join([f"{title}: more than {MOST_TOLD} problems; the first are", *told])
    return "\n".join([f"{title}: {len(problems)} problems", *told])
