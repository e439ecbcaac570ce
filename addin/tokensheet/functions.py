"""The functions of cells, for every front door: names, arguments, descriptions, and what they answer.

Answers are plain values (float, text, bool), a `Failure`, or rows of these.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tokensheet import facts, schema
from tokensheet.arguments import error_cell, is_array
from tokensheet.declare import Assumption, Input
from tokensheet.errors import (
    ArgumentError,
    CellTextError,
    TokensheetError,
    UnknownNameError,
    hint,
)
from tokensheet.former import Former
from tokensheet.formula import Formula
from tokensheet.interpret import Failure
from tokensheet.planning import Planner
from tokensheet.version import __version__

LONGEST_TEXT = 255
FUNCTION = "function"
ASKED = ("value", "unit", "source", "state", "plugin")
"""What TS_SPEC tells of a fact."""
OPTIONS_TEXT = 'further names and values: two columns, or text such as "tp=4; profile=ideal"'


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a function in cells."""

    name: str
    text: str
    required: bool = True
    many: bool = False


@dataclass(frozen=True, slots=True)
class CellFunction:
    """A function in cells: what Excel's wizard and the reference show of it."""

    name: str
    text: str
    arguments: tuple[Argument, ...]
    answer: Callable[..., Any]
    unit: str = ""
    source: str = ""

    @property
    def signature(self) -> str:
        """`KV_BYTES(model, context, [batch], [options])`."""
        parts = [
            f"{a.name}, …" if a.many else a.name if a.required else f"[{a.name}]" for a in self.arguments
        ]
        return f"{self.name}({', '.join(parts)})"


class Functions:
    """All functions of one planner."""

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.table: dict[str, CellFunction] = {}
        for name, formula in planner.registry.functions.items():
            self.table[name] = self._of_formula(name, formula)
        for function in self._own():
            self.table[function.name] = function
        for old, former in planner.registry.former.items():
            if former.alias.new.upper() in self.table:
                self.table[old.upper()] = self._former(old.upper(), former)

    def call(self, name: str, values: Sequence[Any]) -> Any:
        """The answer of a function; a wrong question is a Failure like any other."""
        function = self.table.get(name)
        if function is None:
            if name.lower() in self.planner.registry.broken:
                return Failure(self.planner.registry.broken[name.lower()], UnknownNameError)
            near = hint(name.lower(), (n.lower() for n in self.table))
            return Failure(f"no function named {name}{near}", CellTextError)
        try:
            return function.answer(*values)
        except TokensheetError as error:
            return Failure(f"{name}: {error}", type(error))
        except TypeError:
            if len(values) > len(function.arguments) and not any(a.many for a in function.arguments):
                return Failure(
                    f"{name}: {len(values)} arguments given; it is {function.signature}", ArgumentError
                )
            if len(values) < sum(a.required for a in function.arguments):
                return Failure(
                    f"{name}: {len(values)} arguments given; it is {function.signature}", ArgumentError
                )
            raise

    def _former(self, name: str, former: Former) -> CellFunction:
        """A function under its former name."""
        function = self.table[former.alias.new.upper()]

        def answer(*values: Any) -> Any:
            return self.table[former.new_name().upper()].answer(*values)

        return replace(function, name=name, text=f"Former name: {former.alias.text}.", answer=answer)

    # ---- functions of formulas

    def _of_formula(self, name: str, formula: Formula) -> CellFunction:
        described = []
        for argument in formula.cell or ():
            described.append(Argument(argument, self._describe(argument), argument not in formula.optional))
        names = formula.cell or ()
        node, planner = formula.name, self.planner
        has_options = "options" in names
        numbers = tuple(n for n in names if n != "options")

        def answer(*values: Any) -> Any:
            if len(values) > len(names):
                raise ArgumentError(f"{len(values)} arguments given; it is {self.table[name].signature}")
            given = {n: v for n, v in zip(numbers, values, strict=False) if v is not None and v != ""}
            if has_options and len(values) == len(names) and values[-1] is not None:
                given = planner.merged(given, values[-1])
            for required in numbers:
                if required not in formula.optional:
                    given[required] = self._present(required, given.get(required))
            return self.shaped(planner.answer(node, given), name)

        text = f"{formula.summary} Unit: {formula.unit}."
        if len(text) > LONGEST_TEXT:
            text = formula.summary
        return CellFunction(name, text, tuple(described), answer, formula.unit, formula.source)

    def _present(self, argument: str, value: Any) -> Any:
        """A required argument; an empty cell of it is an error and never the estimate behind its name.

        Raises:
            ArgumentError: it is empty.
        """
        role = self.planner.registry.roles.get(argument)
        definition = self.planner.registry.nodes.get(argument)
        meaning = role.text if role else getattr(definition, "summary", "") or getattr(definition, "text", "")
        lacking = f"{argument} is not given ({meaning})"
        if value is None:
            raise ArgumentError(lacking)
        if isinstance(value, (list, tuple)):
            return [
                [Failure(lacking) if v is None or v == "" else v for v in row]
                if isinstance(row, (list, tuple))
                else Failure(lacking)
                if row is None or row == ""
                else row
                for row in value
            ]
        return value

    def _describe(self, argument: str) -> str:
        if argument == "options":
            return OPTIONS_TEXT
        role = self.planner.registry.roles.get(argument)
        if role is not None:
            return f"{role.text}: id of the {role.kind} catalogue"
        definition = self.planner.registry.nodes.get(argument)
        if isinstance(definition, Input | Assumption):
            default = "" if definition.default is None else f"; {definition.default:g} by default"
            return f"{definition.text}{default}"
        return definition.summary if isinstance(definition, Formula) else argument

    def shaped(self, found: Any, name: str) -> Any:
        """An answer as plain values and rows, failures named after the function."""
        if isinstance(found, Failure):
            return Failure(f"{name}: {found.reason}", found.kind)
        if not hasattr(found, "values"):
            return found
        values = found.values
        flat: list[Any] = values.reshape(-1).tolist()
        for i, failure in found.failures().items():
            flat[i] = Failure(f"{name}: {failure.reason}", failure.kind)
        if values.ndim == 1:
            return [flat]
        width = values.shape[-1]
        return [flat[i : i + width] for i in range(0, len(flat), width)]

    # ---- functions about the functions

    def _own(self) -> list[CellFunction]:
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
                "The cheapest (or, with goal=latency, fastest) hardware for a model: one row a plan, then why others are out.",
                (
                    Argument("model", self._describe("model")),
                    Argument("context", self._describe("context")),
                    Argument(
                        "options",
                        "goal, max_latency, min_tokens_per_second, max_cost_per_hour, devices, counts, batches, formats, "
                        "links, stages, cost_basis, and any assumption",
                        False,
                    ),
                ),
                self.best_config,
            ),
            CellFunction("TS_VERSION", "Version of the program and of its catalogue.", (), self.version),
        ]

    def _named(self, function: Any, values: Sequence[Any]) -> tuple[str, dict[str, Any]]:
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
                f"{function}: {len(values)} arguments given; it is {self.table[formula.name.upper()].signature}"
            )
        given = {n: v for n, v in zip(names, values, strict=False) if v is not None}
        return formula.name, self.planner.merged(
            {k: v for k, v in given.items() if k != "options"}, given.get("options")
        )

    def explain(self, function: Any, *values: Any) -> Any:
        """Rows of name, formula, value, unit, source and owner."""
        name, given = self._named(function, values)
        lines, warnings = self.planner.explain(name, **given)
        rows: list[list[Any]] = [["name", "formula", "value", "unit", "source", "plugin"]]
        rows += [[x.key, x.words, x.value, x.unit, x.source, x.owner] for x in lines]
        rows += [["warning", w, "", "", "", ""] for w in warnings]
        return rows

    def why(self, function: Any, *values: Any) -> Any:
        """The reason of a failure, or empty text; rows for ranges."""
        name, given = self._named(function, values)
        found = self.shaped(self.planner.answer(name, given), name.upper())
        if isinstance(found, list):
            return [[v.reason if isinstance(v, Failure) else "" for v in row] for row in found]
        return found.reason if isinstance(found, Failure) else ""

    def warnings(self, name: str, values: Sequence[Any]) -> list[str]:
        """What a person should know about an answer that stands: a context beyond the model's maximum."""
        if name not in self.planner.registry.functions:
            return []
        node, given = self._named(name, values)
        if any(is_array(value) for value in given.values()):
            return []
        bound, numbers = self.planner.bound(node, given)
        walk = bound.interpreter(numbers)
        walk.value(bound.graph.outputs[0])
        return walk.warnings()

    def list_ids(self, kind: Any) -> Any:
        """A column of ids."""
        word = self.kind(kind)
        if word == FUNCTION:
            return [[name] for name in sorted(self.table)]
        return [[key] for key in sorted(self.planner.registry.catalog(word).entries)]

    def kind(self, text: Any) -> str:
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
            if ";" in text or "=" in text:
                raise ArgumentError(f"{name} is {text!r:.40}; a value has no ; and no =")
            parts.append(f"{name}={text}")
        return "; ".join(parts)

    def best_config(self, model: Any, context: Any, options: Any = None) -> Any:
        """Rows of the best plans."""
        from tokensheet.best import best, rows

        try:
            return rows(
                best(self.planner, self.planner.merged({"model": model, "context": context}, options))
            )
        except ModuleNotFoundError as missing:
            raise ArgumentError(f"a search needs {missing.name}, which is not installed") from missing

    def version(self) -> str:
        """`tokensheet 0.1.0, catalogue 1a2b3c4d`."""
        return f"tokensheet {__version__}, catalogue {self.catalog_hash[:8]}"

    @cached_property
    def catalog_hash(self) -> str:
        """Hash over all records of all kinds."""
        return catalog_hash(self.planner)


def catalog_hash(planner: Planner) -> str:
    """SHA-256 over all records of all kinds, the same for the same plugins and versions."""
    digest = hashlib.sha256()
    for kind in schema.KINDS:
        for entry in planner.registry.catalog(kind):
            digest.update(json.dumps([kind, entry.record.model_dump(mode="json")], sort_keys=True).encode())
    return digest.hexdigest()


def failure(code: str, reason: str) -> Failure:
    """An error value of cells with its reason."""
    return Failure(reason, error_cell(code).kind)
