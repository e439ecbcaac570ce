"""A formula's graph → the steps of a LAMBDA: records by their ids, numbers that are given, the formulas' own trees.

Who gives a number counts as everywhere (`chosen.py`); a call names a thing as an argument or among its options, not in both.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokensheet import tree
from tokensheet.chosen import speakers
from tokensheet.declare import Input
from tokensheet.definition import Field
from tokensheet.graph import Inner, Leaf
from tokensheet.printing.excel import excel, number_text
from tokensheet.registry import Registry
from tokensheet.texts import Phrase, say
from tokensheet.workbook import row_keys
from tokensheet.workbook.lambda_functions import OPTIONS, PART, Function, Offered
from tokensheet.workbook.lambda_shared import PART_COMMENT
from tokensheet.workbook.lambda_text import Lambda, Steps
from tokensheet.workbook.shared_graph import role_of


def lambdas_of(offered: Offered, function: Function) -> list[Lambda]:
    """The LAMBDA of a function and its further parts."""
    return _Writer(offered, function).write()


class _Writer:
    def __init__(self, offered: Offered, function: Function) -> None:
        self.offered, self.function, self.contents = offered, function, offered.contents
        self.registry: Registry = self.contents.registry
        self.graph = function.graph
        self.steps = Steps(function.arguments, function.formula.optional)

    def write(self) -> list[Lambda]:
        function = self.function
        for argument in filter(function.is_optional, function.arguments):
            given = self.steps[argument]
            kept = given if argument == OPTIONS else f'IF({given}="","",{given})'
            self.steps.add(f"{argument} given", f'IF(ISOMITTED({given}),"",{kept})')
        valid = self.steps.add("valid", self.valid())
        result = self.node(self.graph.outputs[0])
        text = Phrase(function.formula.summary, optional=True)
        comment = say("{signature}: {text}", signature=function.signature, text=text)
        part = f"{PART}{function.formula.name.upper()}_"
        return self.steps.lambdas(function.name, part, f"IF({valid},{result},NA())", comment, PART_COMMENT)

    # ---- what the call gives

    def given(self, argument: str) -> str:
        """An argument as given; an empty text where it is left out."""
        return self.steps[f"{argument} given" if self.function.is_optional(argument) else argument]

    def valid(self) -> str:
        """Whether the call makes sense: single values, in range and in the catalogue, options that are known.

        A range would be taken for one number by MAX and AND, and an option that nobody reads for none.
        """
        function = self.function
        single = "*".join(f"ROWS({self.given(a)})*COLUMNS({self.given(a)})" for a in function.plain)
        found = [self.place(a) if a in self.registry.roles else self.argument(a) for a in function.plain]
        tests = [f"{single}=1", f"COUNT({','.join(found)})={len(found)}"] if function.plain else []
        if function.has_options:
            options = self.given(OPTIONS)
            tests.append(f"{PART}OPTIONS_HOLD({options})")
            twice = "&".join(f'{PART}OPTION({options},"{a}")' for a in function.plain)
            tests += [f'{twice}=""'] if twice else []
        return f"AND({','.join(tests or ['TRUE'])})"

    def option(self, name: str) -> str | None:
        """What the options say for a name; None where it cannot be an option."""
        known = name in self.offered.roles or name not in self.registry.roles
        if not self.function.has_options or name in self.function.plain or not known:
            return None
        return f'{PART}OPTION({self.given(OPTIONS)},"{name}")'

    # ---- records

    def id(self, reference: str) -> str:
        """The id of a record: chosen by the call, followed from another record, or the default; else empty."""
        key, role = row_keys.id_of(reference), role_of(self.registry, reference)
        if key in self.steps:
            return self.steps[key]
        if role in self.function.plain and not self.function.is_optional(role):
            return self.given(role)
        declared, (owner, _, attribute) = self.registry.roles[role], reference.rpartition(">")
        otherwise = '""' if declared.default is None else f'"{declared.default}"'
        if owner and attribute == "id":
            otherwise = self.id(owner)
        elif owner:
            table = self.contents.tables[self.registry.roles[role_of(self.registry, owner)].kind]
            otherwise = f'INDEX({table.area(attribute)},{self.place(owner)})&""'
        chosen = self.chosen_id(role)
        if chosen and otherwise == '""':
            return chosen
        return self.steps.add(key, f'IF({chosen}="",{otherwise},{chosen})' if chosen else otherwise)

    def chosen_id(self, role: str) -> str | None:
        """The id that the call says for a role; an empty text where it says none, None where it cannot."""
        if role in self.function.plain:
            return self.given(role)
        key, stated = f"{role} chosen", self.option(role)
        return self.steps[key] if key in self.steps else self.steps.add(key, stated) if stated else None

    def place(self, reference: str) -> str:
        """The place of a record in its sheet; no id is none, and neither is part of one with a `*`."""
        key = row_keys.place_of(reference)
        if key in self.steps:
            return self.steps[key]
        area = self.contents.tables[self.registry.roles[role_of(self.registry, reference)].kind].area("id")
        id = self.id(reference)
        return self.steps.add(key, f'XMATCH(IF({id}="",NA(),{id}),{area},0)')

    # ---- numbers that somebody states

    def records_that_state(self, name: str) -> list[str]:
        """Records that may state a number, strongest first."""
        found = []
        profile = self.contents.tables["profile"]
        for role in speakers(self.registry, name):
            if role == "profile":
                if any(column[0] == name for column in profile.columns):
                    found.append(f"INDEX({profile.area(name)},{self.place(role)})")
            elif role in self.offered.roles:
                area = self.contents.tables[self.registry.roles[role].kind].area(name)
                found.append(f'IF({self.id(role)}="","",INDEX({area},{self.place(role)}))')
        return found

    def stated(self, name: str, part: str = "STATED") -> str:
        """A number that somebody states, in range; an empty text where nobody does."""
        definition, options = self.registry.nodes[name], '""'
        default = definition.default if isinstance(definition, Input) else None
        otherwise = [*self.records_that_state(name), *([] if default is None else [number_text(default)])]
        if name in self.function.plain:
            given = self.given(name)
            otherwise = [given, *(otherwise if self.function.is_optional(name) else [])]
        elif self.function.has_options:
            options = self.given(OPTIONS)
        return f'{PART}{part}({options},"{name}",{_first(otherwise)})'

    def number(self, name: str) -> str:
        """The same; an error where nobody states one."""
        return self.stated(name, "GIVEN")

    def argument(self, name: str) -> str:
        """The number of an argument, whether the answer reads it or not."""
        key = row_keys.in_use(name)
        return self.steps[key] if key in self.steps else self.steps.add(key, self.number(name))

    # ---- nodes

    def node(self, key: str) -> str:
        """The step of a node; what it reads comes before it."""
        if key in self.steps and key not in self.function.arguments:
            return self.steps[key]
        node = self.graph.nodes[key]
        if isinstance(node, Inner):
            return self.steps.add(key, self.called(node) or self.unless_stated(node.name, self.checked(node)))
        if node.name in self.function.plain:
            return self.argument(node.name)
        if isinstance(node.definition, Field) and node.role:
            return self.steps.add(key, self.unless_stated(node.name, self.fact(node, node.definition)))
        return self.steps.add(key, self.number(node.name))

    def unless_stated(self, name: str, own: str) -> str:
        """A formula's text, unless its number is stated."""
        if name not in self.offered.pinnable:
            return own
        key = f"{name} stated"
        stated = self.steps[key] if key in self.steps else self.steps.add(key, self.stated(name))
        return f'IF({stated}="",{own},{stated})'

    def fact(self, leaf: Leaf, fact: Field) -> str:
        """A number of a record; an empty cell is none."""
        area = self.contents.tables[self.registry.roles[fact.role].kind].area(fact.field)
        return f"{PART}FACT(INDEX({area},{self.place(leaf.role)}))"

    def called(self, node: Inner) -> str | None:
        """A call of another function of the workbook that answers the same; None where there is none."""
        if node.key != node.name or node.key == self.graph.outputs[0]:
            return None
        other = self.offered.same(self.function, node.name)
        return None if other is None else f"{other.name}({','.join(map(self.given, other.arguments))})"

    def checked(self, node: Inner) -> str:
        """A formula's result, unless one of its checks says no."""
        tests = [f"{self.node(c)}=1" for c in self.graph.conditions(node)]
        result = self.text(node, node.formula.body.result)
        return f"IF(AND({','.join(tests)}),{result},NA())" if tests else result

    def text(self, node: Inner, part: tree.Node) -> str:
        """A tree of a formula as Excel's text."""
        own = {step.name: step.tree for step in node.formula.body.steps}

        def name(id: str) -> str:
            if id not in own:
                wire = node.wires[id]
                return self.node(wire) if isinstance(wire, str) else number_text(wire)
            key = row_keys.step(node.key, id)
            return self.steps[key] if key in self.steps else self.steps.add(key, self.text(node, own[id]))

        return excel(part, name)


def _first(texts: Sequence[str]) -> str:
    """The first of some texts that states something."""
    *others, last = texts or ('""',)
    for text in reversed(others):
        last = f"{PART}FIRST({text},{last})"
    return last
