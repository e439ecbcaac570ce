"""Proposal → rows: which choices, look-ups and formulas stand in a workbook, and the engine's value of each.

One graph serves all candidates, so that each row has one formula. What a candidate, the inputs, a
profile or a system may state for a formula's result gets rows before it: the first number found counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tokensheet.arguments import number
from tokensheet.binding import Chosen, followed, supplied
from tokensheet.compiling import Missing
from tokensheet.declare import Assumption, Input, Owner, Range
from tokensheet.errors import ExportError
from tokensheet.formula import Formula
from tokensheet.graph import Graph, Inner, Leaf, expand
from tokensheet.interpret import Failure, Interpreter, Value
from tokensheet.planning import Planner
from tokensheet.printing.excel import excel, number_text
from tokensheet.printing.plain import plain
from tokensheet.proposal import LARGEST, Proposal
from tokensheet.registry import Field
from tokensheet.schema import KINDS
from tokensheet.tree import Named, walk
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.layout import (
    INPUTS,
    CatalogTable,
    Cell,
    InputCell,
    Row,
    calculation_cell,
    option_cell,
)

NO_FACT = CellError("#N/A")
BATCH, BATCH_LIMIT = "batch", "max_batch"
FIRST_ROW = 5
"""First row of Calculation below its titles; Inputs and Options use the same."""


def cell_value(value: Value) -> Cell:
    """An engine's value as a cell holds it."""
    return CellError(value.code) if isinstance(value, Failure) else float(value)


class Plan:
    """All rows of one workbook.

    Attributes:
        graph: the nodes behind the asked results
        inputs: cells that count for all candidates
        options: cells of single candidates
        constants: named constants that formulas use
        tables: catalogue sheets by kind
        rows: the calculation, `row_of` their row numbers by key
    """

    def __init__(self, planner: Planner, proposal: Proposal) -> None:
        self.planner, self.registry, self.proposal = planner, planner.registry, proposal
        self.names = [c.name for c in proposal.candidates]
        self.given = [proposal.given(c) for c in proposal.candidates]
        largest = {BATCH: BATCH_LIMIT}
        self.graph: Graph = expand(self.registry, self._outputs(), linked=largest)
        self.roles = self._roles()
        self.tables = {kind: self._table(kind) for kind in self._kinds()}
        self.pinnable = self._pinnable()
        self.inputs, self.options = self._cells()
        self.constants = self._constants()
        self.rows: list[Row] = []
        self.row_of: dict[str, int] = {}
        self.input_row = {c.name: FIRST_ROW + i for i, c in enumerate(self.inputs)}
        self.option_row = {c.name: FIRST_ROW + i for i, c in enumerate(self.options)}
        first_constant = FIRST_ROW + len(self.inputs) + 2
        self.constant_row = {c.name: first_constant + i for i, c in enumerate(self.constants)}
        self.walks = [self._interpreter(i) for i in range(len(self.names))]
        self._write()

    # ---- what takes part

    def _outputs(self) -> list[str]:
        formulas = self.registry.formulas()
        wanted = [*self.proposal.results, *(c for r in self.proposal.results for c in formulas[r].checks)]
        if BATCH_LIMIT not in wanted:
            wanted.append(BATCH_LIMIT)
        for extra in ("fits", "memory_missing"):
            if extra not in wanted and extra in formulas:
                wanted.append(extra)
        return list(dict.fromkeys(wanted))

    def _roles(self) -> dict[str, str]:
        """Role reference as the graph has it → the role's own name."""
        found: dict[str, str] = {}
        for leaf in self.graph.leaves:
            if leaf.role and isinstance(leaf.definition, Field):
                found[leaf.role] = leaf.definition.role if ">" in leaf.role else leaf.role
        for reference in list(found):
            while ">" in reference:
                reference = reference.rsplit(">", 1)[0]
                found.setdefault(reference, self._role_of_reference(reference))
        for role in self.registry.roles.values():
            if role.supplies and any(role.name in g for g in self.given):
                found[role.name] = role.name
        return dict(sorted(found.items(), key=lambda item: item[0].count(">")))

    def _role_of_reference(self, reference: str) -> str:
        if ">" not in reference:
            return reference
        owner, attribute = reference.rsplit(">", 1)
        follows = (self._role_of_reference(owner), attribute)
        return next(r.name for r in self.registry.roles.values() if r.follows == follows)

    def _kinds(self) -> list[str]:
        used = {self.registry.roles[role].kind for role in self.roles.values()} | {"profile"}
        return [k for k in KINDS if k in used]

    def _table(self, kind: str) -> CatalogTable:
        entries = sorted(self.registry.catalog(kind), key=lambda e: e.record.id)
        texts = sorted(
            {r.follows[1] for r in self.registry.roles.values() if r.follows and r.follows[1] != "id"}
            & set(KINDS[kind].model_fields)
        )
        if kind == "profile":
            names = [n for n in self._profile_names(entries)]
            columns = [(n, self.registry.nodes[n].unit, _text(self.registry.nodes[n])) for n in names]
        else:
            columns = [(name, mark.unit, mark.text) for name, mark in KINDS[kind].quantities().items()]
        return CatalogTable(kind, entries, columns, texts)

    def _profile_names(self, entries: Iterable[Any]) -> list[str]:
        in_graph = {n.name for n in self.graph.nodes.values()}
        stated = {name for e in entries for name in e.record.values}
        assumed = {leaf.name for leaf in self.graph.leaves if isinstance(leaf.definition, Assumption)}
        return sorted((stated & in_graph) | assumed)

    def _pinnable(self) -> set[str]:
        """Formulas whose result a candidate, the inputs, a profile or a system may state."""
        inner = {n.name for n in self.graph.inner}
        stated = {name for g in self.given for name in g}
        stated |= {c[0] for c in self.tables["profile"].columns}
        for role in self.roles.values():
            if self.registry.roles[role].supplies:
                stated |= set(KINDS[self.registry.roles[role].kind].quantities())
        return (inner & stated) - {BATCH} | (inner & {"tp"})

    # ---- cells that the reader may change

    def _cells(self) -> tuple[list[InputCell], list[InputCell]]:
        inputs: list[InputCell] = []
        options: list[InputCell] = []
        common, single = self.proposal.common, [c.given for c in self.proposal.candidates]
        for name in self._choices():
            role = self.registry.roles.get(name)
            definition = self.registry.nodes.get(name)
            per_plan = name in ("gpu", "weights", "kv", "interconnect", "stage_interconnect", "system", "tp", BATCH)
            per_plan |= isinstance(definition, Input) and definition.per_plan
            own = per_plan or any(name in s for s in single)
            everywhere = not per_plan
            make = self._cell_of(name)
            if everywhere:
                start = common.get(name)
                if start is None and not own:
                    start = role.default if role else definition.default if isinstance(definition, Input) else None
                inputs.append(make([start]))
            if own:
                values = [s.get(name, None if everywhere else common.get(name)) for s in single]
                if not everywhere:
                    default = role.default if role else definition.default if isinstance(definition, Input) else None
                    values = [default if v is None else v for v in values]
                options.append(make(values))
        return inputs, options

    def _choices(self) -> list[str]:
        """Roles, inputs, assumptions and stated results, in the order in which a reader expects them."""
        roles = [r for r in self.registry.roles if r in self.roles.values() or r == "profile"]
        leaves = [leaf.name for leaf in self.graph.leaves if isinstance(leaf.definition, Input | Assumption)]
        stated = sorted(self.pinnable)
        inputs = [n for n in self.registry.nodes if n in leaves and isinstance(self.registry.nodes[n], Input)]
        if BATCH not in inputs:
            inputs.insert(0, BATCH)
        assumed = [n for n in self.registry.nodes if n in leaves and isinstance(self.registry.nodes[n], Assumption)]
        return [*roles, *inputs, *assumed, *stated]

    def _cell_of(self, name: str) -> Callable[[list[Any]], InputCell]:
        role = self.registry.roles.get(name)
        if role is not None:
            return lambda v: InputCell(name, role.text, "", v, role.kind, note=self.proposal.reasons.get(name, ""))
        definition = self.registry.nodes[name]
        bounds = definition.range if isinstance(definition, Input | Assumption) else Range()
        limits = tuple(
            (sign, bound)
            for sign, bound in ((">", bounds.above), (">=", bounds.minimum), ("<=", bounds.maximum))
            if bound is not None
        )
        note = self.proposal.reasons.get(name, "")
        label = definition.label if isinstance(definition, Formula) else definition.text
        return lambda v: InputCell(name, label, definition.unit, v, "", limits, bounds.whole, note)

    def _constants(self) -> list[Named]:
        found: dict[str, Named] = {}
        for node in self.graph.inner:
            for tree in (*(s.tree for s in node.formula.body.steps), node.formula.body.result):
                for part in walk(tree):
                    if isinstance(part, Named):
                        found.setdefault(part.name, part)
        return [found[n] for n in sorted(found)]

    # ---- the engine's values

    def _chosen(self, index: int) -> Chosen:
        roles = {k: v for k, v in self.given[index].items() if k in self.registry.roles}
        return self.planner.questions.choose(roles)

    def _interpreter(self, index: int) -> Interpreter:
        chosen = self._chosen(index)
        given = self.given[index]
        values: dict[str, float | Missing | Failure] = {}
        for leaf in self.graph.leaves:
            stated = number(leaf.name, given[leaf.name]) if leaf.name in given else None
            value: float | Missing | Failure
            if isinstance(leaf.definition, Field) and leaf.name not in given:
                value = self.planner.questions.fact(leaf, leaf.definition, self._following(chosen))
            elif stated is not None:
                value = stated
            else:
                value = self.planner.questions.leaf_value(leaf, chosen, set())
            values[leaf.key] = Failure("not given") if isinstance(value, Missing) else value
        pinned = {n: float(v) for n, v in chosen.values.items() if n in self.pinnable}
        pinned |= {n: v for n, v in supplied(self.registry, chosen).items() if n in self.pinnable}
        for name in self.pinnable:
            stated = number(name, given.get(name))
            if isinstance(stated, float):
                pinned[name] = stated
        size = given.get(BATCH)
        if size != LARGEST:
            stated = number(BATCH, size)
            default = self.registry.nodes[BATCH]
            pinned[BATCH] = stated if isinstance(stated, float) else float(getattr(default, "default", None) or 1)
        return Interpreter(self.graph, values, chosen.ids, pinned)

    def _following(self, chosen: Chosen) -> Chosen:
        """Chosen records by the graph's references: a chosen link stands where the device's own would."""
        entries = dict(chosen.entries)
        for reference, role in self.roles.items():
            if ">" in reference and role in entries:
                entries[reference] = entries[role]
        return Chosen(entries, chosen.profile)

    def value(self, index: int, key: str) -> Value:
        """The engine's value of a node for a candidate."""
        return self.walks[index].value(key)

    def is_number(self, index: int, name: str) -> float | None:
        """The number that a candidate gives for a name, if any."""
        raw = self.given[index].get(name)
        return None if raw is None or isinstance(raw, str) else float(raw)

    # ---- rows

    def _add(self, key: str, row: Row) -> int:
        self.rows.append(row)
        self.row_of[key] = FIRST_ROW + len(self.rows) - 1
        return self.row_of[key]

    def _heading(self, title: str) -> None:
        self.rows.append(Row(title, heading=True))

    def at(self, index: int, key: str) -> str:
        """Cell of a key in a candidate's column."""
        return calculation_cell(index, self.row_of[key])

    def _write(self) -> None:
        self._heading("Choices: ids and their places in the catalogue")
        self._write_choices()
        self._heading("Inputs and assumptions in use")
        for leaf in self.graph.leaves:
            if isinstance(leaf.definition, Input | Assumption):
                self._write_given(leaf.name, leaf.definition)
        for name in sorted(self.pinnable):
            self._write_stated(name)
        self._heading("Facts of the chosen records")
        for leaf in self.graph.leaves:
            if isinstance(leaf.definition, Field):
                self._write_fact(leaf, leaf.definition)
        self._heading("Calculation")
        for node in self.graph.inner:
            self._write_formula(node)

    def _write_choices(self) -> None:
        chosen = [self._chosen(i) for i in range(len(self.names))]
        for reference, role in {"profile": "profile", **self.roles}.items():
            declared = self.registry.roles[role]
            table = self.tables[declared.kind]
            key = f"id of {reference}"

            def formula(i: int, reference: str = reference, role: str = role) -> str:
                return self._id_formula(i, reference, role)

            ids: list[Cell] = []
            for c in chosen:
                entry: Any = c.profile if role == "profile" else followed(self.registry, reference, self._following(c))
                ids.append("" if isinstance(entry, Missing) else entry.record.id)
            self._add(key, Row(declared.text[:1].upper() + declared.text[1:], role, "id", "the option, else the input", "", formula, ids))
            places: list[Cell] = [table.position(str(v)) for v in ids]
            self._add(
                f"place of {reference}",
                Row(
                    f"Row of {role.replace('_', ' ')} in {table.sheet}",
                    f"{role} row",
                    "row",
                    f"place of the id in {table.sheet}",
                    "",
                    lambda i, k=key, t=table: f"MATCH({self.at(i, k)},{t.area('id')},0)",  # type: ignore[misc]
                    places,
                ),
            )

    def _id_formula(self, i: int, reference: str, role: str) -> str:
        cells = [option_cell(i, self.option_row[role])] if role in self.option_row else []
        if role in self.input_row:
            cells.append(f"{INPUTS}!$C${self.input_row[role]}")
        fallback = ""
        if ">" in reference:
            owner, attribute = reference.rsplit(">", 1)
            if attribute == "id":
                fallback = self.at(i, f"id of {owner}")
            else:
                table = self.tables[self.registry.roles[self._role_of_reference(owner)].kind]
                fallback = f'INDEX({table.area(attribute)},{self.at(i, f"place of {owner}")})&""'
        cells += [fallback] if fallback else []
        if len(cells) == 1:
            return f'{cells[0]}&""'
        text = cells[-1]
        for cell in reversed(cells[:-1]):
            text = f'IF({cell}<>"",{cell},{text})'
        return text

    def _sources(self, name: str) -> list[tuple[str, Callable[[int], str], list[Cell]]]:
        """Who may state a number, strongest first: (in words, cell, values); an empty text is no number."""
        found: list[tuple[str, Callable[[int], str], list[Cell]]] = []
        count = range(len(self.names))
        if name in self.option_row:
            row = self.option_row[name]
            own = [c.given for c in self.proposal.candidates]
            cell = next(c for c in self.options if c.name == name)
            values: list[Cell] = ["" if v is None or isinstance(v, str) else float(v) for v in cell.values]
            found.append(("option", lambda i: option_cell(i, row), values if own else values))
        if name in self.input_row:
            row_ = self.input_row[name]
            start = next(c for c in self.inputs if c.name == name).values[0]
            shared: Cell = "" if start is None or isinstance(start, str) else float(start)
            found.append(("input", lambda i: f"{INPUTS}!$C${row_}", [shared for _ in count]))
        return found

    def _write_chain(self, name: str, definition: Any, record_sources: list[tuple[str, Callable[[int], str], list[Cell]]]) -> tuple[str, list[Cell]]:
        """Rows that pick the first number stated; gives the last row's key and values."""
        key = f"stated {name}"
        label, unit = _label(definition), definition.unit
        chain = [*self._sources(name), *record_sources]
        words, formula, values = chain[-1]
        self._add(key, Row(f"{label}: {words}", f"{name} stated", unit, f"from the {words}", "", self._number_or_blank(formula), values))
        for words, cell, own in reversed(chain[:-1]):
            below, key = key, f"{words} {name}"
            values = [o if not isinstance(o, str) else v for o, v in zip(own, values, strict=True)]
            self._add(
                key,
                Row(
                    f"{label}: {words}",
                    f"{name} stated",
                    unit,
                    f"the {words} if it is a number, else the row above",
                    "",
                    lambda i, c=cell, b=below: f"IF(ISNUMBER({c(i)}),{c(i)},{self.at(i, b)})",  # type: ignore[misc]
                    values,
                ),
            )
        return key, values

    def _number_or_blank(self, cell: Callable[[int], str]) -> Callable[[int], str]:
        return lambda i: f'IF(ISNUMBER({cell(i)}),{cell(i)},"")'

    def _record_sources(self, name: str) -> list[tuple[str, Callable[[int], str], list[Cell]]]:
        """Profile and supplying records, strongest first."""
        found: list[tuple[str, Callable[[int], str], list[Cell]]] = []
        profile = self.tables["profile"]
        chosen = [self._chosen(i) for i in range(len(self.names))]
        for role in self.roles.values():
            declared = self.registry.roles[role]
            table = self.tables[declared.kind]
            if declared.supplies and name in KINDS[declared.kind].quantities():
                values: list[Cell] = []
                for c in chosen:
                    value = supplied(self.registry, c).get(name)
                    values.append("" if value is None else value)
                found.append(
                    (role, lambda i, t=table, r=role: f'IFERROR(INDEX({t.area(name)},{self.at(i, f"place of {r}")}),"")', values)  # type: ignore[misc]
                )
        if any(c[0] == name for c in profile.columns):
            stated: list[Cell] = []
            for c in chosen:
                stated_value = self.profile_value(name, c.profile)
                stated.append("" if stated_value is None else stated_value)
            found.append(("profile", lambda i: f"INDEX({profile.area(name)},{self.at(i, 'place of profile')})", stated))
        return found[::-1] if len(found) > 1 and found[-1][0] == "profile" else found

    def profile_value(self, name: str, entry: Any) -> float | None:
        """What a profile states for a name, its default included."""
        value = entry.record.values.get(name)
        if value is not None:
            return float(value)
        definition = self.registry.nodes[name]
        return definition.default if isinstance(definition, Assumption) else None

    def _write_given(self, name: str, definition: Input | Assumption) -> None:
        key, values = self._write_chain(name, definition, self._record_sources(name))
        final: list[Cell] = []
        for value in values:
            problem = isinstance(value, str) or definition.range.problem(float(value)) is not None
            final.append(NO_FACT if problem else value)
        self._add(
            name,
            Row(
                definition.text[:1].upper() + definition.text[1:],
                name,
                definition.unit,
                "the number stated, if it is in range",
                definition.source if isinstance(definition, Assumption) else "",
                lambda i: f"IF({_range_test(self.at(i, key), definition.range)},{self.at(i, key)},NA())",
                final,
            ),
        )

    def _write_stated(self, name: str) -> None:
        definition = self.registry.nodes[name]
        sources = self._record_sources(name)
        if not sources and name not in self.option_row and name not in self.input_row:
            return
        key, _ = self._write_chain(name, definition, sources)
        self.row_of[f"pin of {name}"] = self.row_of[key]

    def _write_fact(self, leaf: Leaf, field: Field) -> None:
        table = self.tables[self.registry.roles[field.role].kind]
        place = f"place of {leaf.role}"

        def formula(i: int) -> str:
            found = f"INDEX({table.area(field.field)},{self.at(i, place)})"
            return f"IF(ISNUMBER({found}),{found},NA())"

        values = []
        for walk_ in self.walks:
            value = walk_.values[leaf.key]
            values.append(NO_FACT if isinstance(value, Failure) else float(value))
        role = self.roles[leaf.role]
        self._add(
            leaf.key,
            Row(f"{field.text[:1].upper()}{field.text[1:]}", leaf.key, field.unit, f"{field.field} of the {role.replace('_', ' ')}", table.sheet, formula, values),
        )

    def _write_formula(self, node: Inner) -> None:
        body = node.formula.body
        prefix = f"{node.scope}: " if node.scope else ""
        places = {s.name: f"{node.key}.{s.name}" for s in body.steps}

        def cell(i: int) -> Callable[[str], str]:
            def address(name: str) -> str:
                if name in places:
                    return self.at(i, places[name])
                wire = node.wires[name]
                return self.at(i, wire) if isinstance(wire, str) else number_text(wire)

            return address

        words = {p: w if isinstance(w, str) else number_text(w) for p, w in node.wires.items()}
        for step in body.steps:
            values = [cell_value(w.all_steps(node.key)[step.name]) for w in self.walks]
            self._add(
                places[step.name],
                Row(
                    f"{prefix}  {step.name.replace('_', ' ')}",
                    places[step.name],
                    "",
                    plain(step.tree, lambda n: words.get(n, n)),
                    "",
                    lambda i, t=step.tree: excel(t, cell(i), self._constant),  # type: ignore[misc]
                    values,
                ),
            )
        label = prefix + (self.registry.definition(node.name).text if node.name == BATCH else node.formula.label)  # type: ignore[union-attr]
        text = plain(body.result, lambda n: words.get(n, n))
        checks = [c for c in node.checks if not self.graph.is_warning(c)]

        def own(i: int) -> str:
            result = excel(body.result, cell(i), self._constant)
            if not checks:
                return result
            tests = [f"{self.at(i, c)}=1" for c in checks]
            return f"IF({tests[0] if len(tests) == 1 else 'AND(' + ','.join(tests) + ')'},{result},NA())"

        final = [cell_value(w.value(node.key)) for w in self.walks]
        pin = f"pin of {node.name}"
        unit, source = node.formula.unit, node.formula.source
        if node.name == BATCH:
            option = self.option_row[BATCH]
            self._add(
                node.key,
                Row(
                    label,
                    node.key,
                    self.registry.nodes[BATCH].unit,
                    f"the option if it is a number, else {words['value']}",
                    "",
                    lambda i: f"IF(ISNUMBER({option_cell(i, option)}),{option_cell(i, option)},{own(i)})",
                    final,
                ),
            )
        elif pin in self.row_of:
            calculated = f"{node.key} calculated"
            values = [cell_value(w.calculated(node.key)) for w in self.walks]
            self._add(calculated, Row(f"{label}, calculated", calculated, unit, text, source, own, values))
            self._add(
                node.key,
                Row(
                    label,
                    node.key,
                    unit,
                    "the number stated, else calculated",
                    source,
                    lambda i: f"IF(ISNUMBER({self.at(i, pin)}),{self.at(i, pin)},{self.at(i, calculated)})",
                    final,
                ),
            )
        else:
            self._add(node.key, Row(label, node.key, unit, text, source, own, final))

    def _constant(self, named: Named) -> str:
        return f"{INPUTS}!$C${self.constant_row[named.name]}"

    # ---- the plan against the engine's own answers

    def verify(self) -> None:
        """Each result of each candidate equals what the functions answer.

        Raises:
            ExportError: the workbook and the functions part: a mistake in the program.
        """
        for i, given in enumerate(self.given):
            arguments: dict[str, Any] = {k: v for k, v in given.items() if v != LARGEST}
            if given.get(BATCH) == LARGEST:
                from tokensheet.arguments import NodeRef

                arguments[BATCH] = NodeRef(BATCH_LIMIT)
            for result in self.proposal.results:
                mine, engine = self.value(i, result), self.planner.one(result, arguments)
                same = (
                    isinstance(mine, Failure) == isinstance(engine, Failure)
                    if isinstance(mine, Failure) or isinstance(engine, Failure)
                    else abs(mine - engine) <= 1e-12 * abs(engine)
                )
                if not same:
                    raise ExportError(f"{self.names[i]}: {result} is {mine} in the workbook and {engine} by the function; please report this")

    def provenance(self) -> list[tuple[str, Owner]]:
        """Formula → owner, of all formulas used."""
        return [(n.name, self.registry.owners.get(n.name, Owner("tokensheet"))) for n in self.graph.inner]


def _text(definition: Any) -> str:
    return str(definition.summary if isinstance(definition, Formula) else definition.text)


def _label(definition: Any) -> str:
    if isinstance(definition, Formula):
        return definition.label
    text = str(definition.text)
    return text[:1].upper() + text[1:]


def _range_test(cell: str, bounds: Range) -> str:
    tests = [f"ISNUMBER({cell})"]
    if bounds.above is not None:
        tests.append(f"{cell}>{number_text(bounds.above)}")
    if bounds.minimum is not None:
        tests.append(f"{cell}>={number_text(bounds.minimum)}")
    if bounds.maximum is not None:
        tests.append(f"{cell}<={number_text(bounds.maximum)}")
    if bounds.whole:
        tests.append(f"{cell}=INT({cell})")
    # a text is larger than any number in a spreadsheet, so AND is safe: it gives FALSE through ISNUMBER
    return tests[0] if len(tests) == 1 else f"AND({','.join(tests)})"


__all__ = ["FIRST_ROW", "Mapping", "Plan", "cell_value"]
