"""A plan that stands in a sheet, as the text of a proposal: a block of names and values, or one function's call.

A block has names in its first column, such as `model`, `gpus`, `context`, `tp`, and one plan in each further
column. A row whose cells call functions, `=TOKENS_PER_SECOND(…)`, asks for those results.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from tokensheet import arguments
from tokensheet.errors import ArgumentError, ProposalError, TokensheetError, hint, listed
from tokensheet.failure import Failure
from tokensheet.formula import Formula
from tokensheet.formula_text import called
from tokensheet.functions import Functions
from tokensheet.needs import needs
from tokensheet.proposal_text import proposal_text, shared
from tokensheet.recipe_files import STANDARD, find, known

TITLES = ("name", "plan", "candidate")
"""First words of the row that names the plans; nothing at all does so too."""
TEXTS = ("title", "customer", "prepared_by", "about", "template")
DATES = ("date", "valid_until")
OPTIONS = "options"
DAY_ZERO = dt.date(1899, 12, 30)

Rows = Sequence[Sequence[Any]]


def of_block(values: Rows, formulas: Rows, functions: Functions, title: str) -> str:
    """A proposal from a block of cells.

    Args:
        values: of the cells by rows: number, text, truth, None for empty, Failure for an error value
        formulas: what stands in the same cells; a text that begins with `=` is a formula
        functions: what may be called
        title: of the proposal, where no row gives one

    Raises:
        ProposalError: lists every row that is not understood.
    """
    return _Block(functions, title, max((len(row) for row in values), default=0) - 1).text(values, formulas)


def of_call(name: str, values: Sequence[Any], functions: Functions, title: str) -> str:
    """A proposal from one function's call.

    Args:
        name: of the function
        values: of its arguments
        functions: what may be called
        title: of the proposal

    Raises:
        TokensheetError: the function is none of a formula, or an argument is not a single value.
    """
    planner = functions.planner
    formula = planner.registry.functions.get(name.upper())
    if formula is None:
        raise ArgumentError(f"{name} is no function of a formula{hint(name, planner.registry.functions)}")
    names = [n for n in formula.cell or () if n != OPTIONS]
    given = {n: v for n, v in zip(names, values, strict=False) if not _is_empty(v)}
    options = values[len(names)] if OPTIONS in (formula.cell or ()) and len(values) > len(names) else None
    given = planner.merged(given, options)
    for key, value in given.items():
        if isinstance(value, Failure):
            raise value.error(key)
        if arguments.is_array(value):
            raise ArgumentError(f"{key} is a range; a plan has one value of it")
    unknown = [unknown_name(key, functions) for key in given if not is_known(key, functions)]
    if unknown:
        raise ProposalError(listed(name, unknown))
    usual = find(planner, "").results if STANDARD in known(planner) else ()
    others = [r for r in usual if r != formula.name] if needs(planner.registry, usual) <= given.keys() else []
    facts = {"title": title, "results": [*others, formula.name]}
    return proposal_text(planner.registry, facts, given, {formula.name.replace("_", " "): {}})


class _Block:
    """The rows of one block, read one after the other; problems are gathered."""

    def __init__(self, functions: Functions, title: str, plans: int) -> None:
        self.functions, self.registry = functions, functions.planner.registry
        self.facts: dict[str, Any] = {"title": title}
        self.results: dict[str, None] = {}
        self.names: list[str] = [f"Plan {i}" for i in range(1, plans + 1)]
        self.plans: list[dict[str, Any]] = [{} for _ in range(plans)]
        self.named: set[str] = set()
        self.told: set[str] = set()
        self.problems: list[str] = []

    def text(self, values: Rows, formulas: Rows) -> str:
        if not self.plans:
            raise ProposalError(
                "this sheet: one column is given; give names such as model, gpus, context and beside them their values"
            )
        first = True
        for row, written in zip(values, formulas, strict=True):
            if all(_is_empty(cell) for cell in row):
                continue
            self.row(row[0], list(row[1:]), [str(w) for w in written[1:]], first)
            first = False
        plans: dict[str, dict[str, Any]] = {}
        for name, plan in zip(self.names, self.plans, strict=True):
            if name in plans:
                self.problems.append(f"two plans are called {name}")
            if plan:
                plans[name] = plan
            elif name in self.named:
                self.problems.append(f"plan {name} has no values")
        if not plans:
            self.problems.append("no row has a name such as model, gpus or context")
        if self.problems:
            raise ProposalError(listed("this sheet", list(dict.fromkeys(self.problems))))
        if self.results:
            self.facts["results"] = list(self.results)
        common = shared(plans)
        own = {n: {k: v for k, v in p.items() if k not in common} for n, p in plans.items()}
        return proposal_text(self.registry, self.facts, common, own)

    def row(self, label: Any, cells: list[Any], formulas: list[str], first: bool) -> None:
        """One row; its name decides what it is."""
        if isinstance(label, Failure) or not (label is None or isinstance(label, str)):
            self.problems.append(f"a name is {getattr(label, 'reason', label)}; names are texts")
            return
        key = (label or "").strip().lower().replace(" ", "_")
        try:
            key = self.registry.former.current(key)
        except TokensheetError as error:
            self.problems.append(str(error))
            return
        if first and (not key or key in TITLES):
            titles = [_shown([cell]) for cell in cells]
            self.names = [title or name for name, title in zip(self.names, titles, strict=True)]
            self.named = set(filter(None, titles))
            return
        failed = [c for c in cells if isinstance(c, Failure)]
        ours = [name for formula in formulas for name in called(formula) if name in self.functions.table]
        known = is_known(key, self.functions)
        if ours and (not known or isinstance(self.registry.nodes.get(key), Formula)):
            nodes = (self.registry.functions.get(name) for name in ours)  # none for WHY, EXPLAIN and so on
            self.results.update(dict.fromkeys(node.name for node in nodes if node is not None))
        elif failed:
            self.problems.append(f"{label}: {failed[0].reason}")
        elif key in TEXTS or key in DATES:
            self.fact(key, next((c for c in cells if not _is_empty(c)), None))
        elif key == OPTIONS:
            self.options(cells)
        elif known:
            self.give(key, cells)
        elif key:
            self.problems.append(unknown_name(str(label).strip(), self.functions))
        else:
            self.problems.append(f"{_shown(cells)} has no name beside it")

    def fact(self, key: str, value: Any) -> None:
        if _is_empty(value):
            return
        if key in DATES:
            day = _day(value)
            if day is None:
                self.problems.append(f"{key} is {value!r:.40}; enter a date, or write it as 2026-03-04")
                return
            value = day
        if key in self.told:
            self.problems.append(f"{key} is given twice")
        self.told.add(key)
        self.facts[key] = value if key in DATES else str(value)

    def options(self, cells: list[Any]) -> None:
        for plan, cell in zip(self.plans, cells, strict=True):
            try:
                given = arguments.options(cell)
            except TokensheetError as error:
                self.problems.append(str(error))
                continue
            for key, value in given.items():
                if is_known(key, self.functions):
                    self.take(plan, key, value)
                else:
                    self.problems.append(unknown_name(key, self.functions))

    def give(self, key: str, cells: list[Any]) -> None:
        for plan, cell in zip(self.plans, cells, strict=True):
            if not _is_empty(cell):
                self.take(plan, key, cell)

    def take(self, plan: dict[str, Any], key: str, value: Any) -> None:
        if key in plan:
            self.problems.append(f"{key} is given twice")
        plan[key] = value


def is_known(key: str, functions: Functions) -> bool:
    """Whether a proposal takes a value for a name."""
    registry = functions.planner.registry
    return key in registry.roles or (key in registry.nodes and "." not in key)


def unknown_name(name: str, functions: Functions) -> str:
    """That a name means nothing, with the nearest ones that do."""
    registry = functions.planner.registry
    return f"nothing is called {name}{hint(name.lower(), registry.known)}"


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _shown(cells: Sequence[Any]) -> str:
    full = [c for c in cells if not _is_empty(c)]
    return ", ".join(
        f"{c:g}" if isinstance(c, float) else str(getattr(c, "reason", c)).strip() for c in full
    )[:60]


def _day(value: Any) -> dt.date | None:
    """A date from a date, from its text, or from the number that a sheet keeps it as."""
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, dt.date):
        return value
    try:
        if isinstance(value, str):
            return dt.date.fromisoformat(value.strip())
        return DAY_ZERO + dt.timedelta(days=int(value)) if value >= 1 else None
    except (ValueError, TypeError, OverflowError):
        return None
