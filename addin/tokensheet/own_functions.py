"""Functions about the functions and the catalogue: EXPLAIN, WHY, BEST_CONFIG, TS_LIST, TS_SPEC, TS_OPTIONS, TS_VERSION."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokensheet import facts, schema
from tokensheet.arguments import is_array
from tokensheet.cell_function import Argument, CellFunction
from tokensheet.errors import ArgumentError, UnknownNameError, hint
from tokensheet.failure import Failure
from tokensheet.planning import Planner
from tokensheet.version import __version__

if TYPE_CHECKING:
    from tokensheet.functions import Functions

FUNCTION = "function"
ASKED = ("value", "unit", "source", "state", "plugin")
"""What TS_SPEC tells of a fact."""


class OwnFunctions:
    """The functions that belong to no formula.

    Args:
        functions: all functions, which these explain and list
    """

    def __init__(self, functions: Functions) -> None:
        self.functions, self.planner = functions, functions.planner

    def table(self) -> list[CellFunction]:
        """All of them."""
        function = Argument("function", 'name of a function in quotes, such as "decode_latency"')
        values = Argument("arguments", "its arguments, as in the function itself", False, True)
        return [
            CellFunction(
                "EXPLAIN",
                "The calculation behind a function, one row a node: name, formula in words, value, unit, source.",
                (function, values),
                self.explain,
            ),
            CellFunction(
                "WHY",
                "Why a function gives an error: one line; empty when it does not.",
                (function, values),
                self.why,
            ),
            CellFunction(
                "TS_LIST",
                "Ids of the catalogue: accelerators, links, systems, models, formats, profiles, prices or functions.",
                (Argument("kind", "what to list, such as accelerators"),),
                self.list_ids,
            ),
            CellFunction(
                "TS_SPEC",
                "One number or text of a catalogue record, with what its unit, source or state is.",
                (
                    Argument("id", "id of a record"),
                    Argument("field", "such as memory_bandwidth, price, parameters, kv; stale for a price"),
                    Argument("what", "value (the default), unit, source, state or plugin", False),
                ),
                self.spec,
            ),
            CellFunction(
                "TS_OPTIONS",
                "Options for the last argument of a function, from names and values.",
                (
                    Argument("name", "of an option"),
                    Argument("value", "of that option, and so on", True, True),
                ),
                self.options,
            ),
            CellFunction(
                "BEST_CONFIG",
                "The best plan for a model, or the best fleet for a demand: one row a plan, then why others are out.",
                (
                    Argument("model", self.functions.describe("model")),
                    Argument("context", self.functions.describe("context") + "; empty for a fleet", False),
                    Argument("options", self._search_options(), False),
                ),
                self.best_config,
            ),
            CellFunction("TS_VERSION", "Version of the program and of its catalogue.", (), self.version),
        ]

    def named(self, function: Any, values: Sequence[Any]) -> tuple[str, dict[str, Any]]:
        """The node and the arguments that a function's name and its arguments stand for."""
        if isinstance(function, Failure):
            raise function.error("function")
        if not isinstance(function, str):
            raise ArgumentError("the first argument is a function's name in quotes")
        asked = self.planner.registry.former.current(function.strip().lower())
        formula = self.planner.registry.functions.get(asked.upper())
        if formula is None:
            raise UnknownNameError(
                f"no function named {function}{hint(function, map(str.lower, self.planner.registry.functions))}"
            )
        names = formula.cell or ()
        if len(values) > len(names):
            raise ArgumentError(
                f"{function}: {len(values)} arguments given; it is {self.functions.table[formula.name.upper()].signature}"
            )
        given = {n: v for n, v in zip(names, values, strict=False) if v is not None}
        return formula.name, self.planner.merged(
            {k: v for k, v in given.items() if k != "options"}, given.get("options")
        )

    def explain(self, function: Any, *values: Any) -> Any:
        """Rows of name, formula, value, unit, source and owner."""
        name, given = self.named(function, values)
        lines, warnings = self.planner.explain(name, **given)
        rows: list[list[Any]] = [["name", "formula", "value", "unit", "source", "plugin"]]
        rows += [[x.key, x.words, x.value, x.unit, x.source, x.owner] for x in lines]
        rows += [["warning", w, "", "", "", ""] for w in warnings]
        return rows

    def why(self, function: Any, *values: Any) -> Any:
        """The reason of a failure, or empty text; rows for ranges."""
        name, _ = self.named(function, values)
        found = self.functions.call(name.upper(), values)  # as the cell itself answers
        if isinstance(found, list):
            return [[v.reason if isinstance(v, Failure) else "" for v in row] for row in found]
        return found.reason if isinstance(found, Failure) else ""

    def warnings(self, name: str, values: Sequence[Any]) -> list[str]:
        """What a person should know about an answer that stands: a context beyond the model's maximum."""
        if name not in self.planner.registry.functions:
            return []
        node, given = self.named(name, values)
        if any(is_array(value) for value in given.values()):
            return []
        bound, numbers = self.planner.bound(node, given)
        walk = bound.interpreter(numbers)
        walk.value(bound.graph.outputs[0])
        return walk.warnings()

    def list_ids(self, kind: Any) -> Any:
        """A column of ids."""
        word = kind_named(kind)
        if word == FUNCTION:
            return [[name] for name in sorted(self.functions.table)]
        return [[key] for key in sorted(self.planner.registry.catalog(word).entries)]

    def spec(self, id: Any, field: Any, what: Any = None) -> Any:
        """One fact of a record."""
        for value in (id, field, what):
            if isinstance(value, Failure):
                raise value.error("TS_SPEC")
        if not isinstance(id, str) or not isinstance(field, str):
            raise ArgumentError("id and field are texts")
        asked = str("value" if what is None or what == "" else what).strip().lower()
        if asked not in ASKED:
            raise ArgumentError(f"what is {asked!r}; write {', '.join(ASKED[:-1])} or {ASKED[-1]}")
        found = facts.fact(self.planner, id, field)
        return found if isinstance(found, Failure) else getattr(found, asked)

    def options(self, *values: Any) -> str:
        """Names and values as one text that any function takes as options."""
        if len(values) % 2:
            raise ArgumentError(f"{len(values)} arguments given; give pairs of name and value")
        parts = []
        for name, value in zip(values[::2], values[1::2], strict=True):
            for item in (name, value):
                if isinstance(item, Failure):
                    raise item.error("options")
                if is_array(item):
                    raise ArgumentError("a range was given; each name and value is one cell")
            if name is None or value is None or value == "":
                continue
            text = repr(float(value)) if isinstance(value, (int, float)) else str(value)
            if ";" in text or "=" in str(name):
                raise ArgumentError(f"{name} is {text!r:.40}; a value has no ; and a name no =")
            parts.append(f"{name}={text}")
        return "; ".join(parts)

    def best_config(self, model: Any, context: Any = None, options: Any = None) -> Any:
        """Rows of the best plans."""
        given = self.planner.merged({"model": model, "context": context}, options)
        try:
            from tokensheet.search.best import best, rows

            return rows(self.planner, best(self.planner, given))
        except ModuleNotFoundError as missing:
            raise ArgumentError(f"a search needs {missing.name}, which is not installed") from missing

    def _search_options(self) -> str:
        """What a search is given in its options."""
        searches = "; ".join(kit.search.words for kit in self.planner.registry.searches.values())
        return (
            f"all else that is given ({searches}), and what `tokensheet optimize --help` lists, such as goal"
        )

    def version(self) -> str:
        """`tokensheet 0.1.0, catalogue 1a2b3c4d`."""
        return f"tokensheet {__version__}, catalogue {self.hash[:8]}"

    @cached_property
    def hash(self) -> str:
        """Hash over all records of all kinds."""
        return catalog_hash(self.planner)


def kind_named(text: Any) -> str:
    """The kind of records that a word means, or `function`.

    Raises:
        UnknownNameError: it means none; lists the kinds.
    """
    if isinstance(text, Failure):
        raise text.error("kind")
    if str(text).strip().lower() in (FUNCTION, f"{FUNCTION}s"):
        return FUNCTION
    word = schema.kind_of(str(text))
    if word is None:
        kinds = ", ".join(k + "s" for k in schema.KINDS)
        raise UnknownNameError(f"no kind named {text}; kinds are {kinds}, {FUNCTION}s")
    return word


def catalog_hash(planner: Planner) -> str:
    """SHA-256 over all records of all kinds, the same for the same plugins and versions."""
    digest = hashlib.sha256()
    for kind in schema.KINDS:
        for entry in planner.registry.catalog(kind):
            digest.update(json.dumps([kind, entry.record.model_dump(mode="json")], sort_keys=True).encode())
    return digest.hexdigest()
