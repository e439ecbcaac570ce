"""Planning functions as LAMBDA names for Excel 365 without Python: which ones a workbook offers, and what they share.

They look records up by id in the catalogue sheets and read nothing else of the workbook but the names and
ranges on the Functions sheet; nothing of the workbook reads them. `lambda_steps.py` writes the functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tokensheet.declare import Assumption, Input, Range
from tokensheet.formula import Formula
from tokensheet.graph import bounds, expand
from tokensheet.proposal import Proposal
from tokensheet.registry import Registry
from tokensheet.schema import KINDS
from tokensheet.texts import Phrase
from tokensheet.workbook.lambda_steps import PART, PART_COMMENT, Function, Offered, lambdas_of, names_read
from tokensheet.workbook.lambda_text import Lambda
from tokensheet.workbook.layout import FUNCTIONS
from tokensheet.workbook.plan import FIRST_ROW, PER_PLAN, Plan, described

HEADLINE = (
    "kv_bytes",
    "weight_bytes",
    "memory_per_device",
    "fits",
    "gpus_needed",
    "max_batch",
    "decode_latency",
    "prefill_latency",
    "request_latency",
    "tokens_per_second",
    "tokens_per_second_per_user",
    "cost_per_hour",
    "tokens_per_dollar",
    "usd_per_million_tokens",
)
"""What planners ask first; a plan's own results come after them."""
LARGEST_GRAPH = 300
"""Nodes of a function that is still written as a LAMBDA; Excel keeps all its steps at once."""
ID = "id"
"""Unit of a name that chooses a record."""


@dataclass(frozen=True)
class Known:
    """A name that arguments or options may have.

    Args:
        name: of a role, an input, an assumption, or a formula whose number may be stated
        text: what it is
        unit: of the number; `id` for a role
        kind: of record, for a role
        bounds: which numbers make sense
    """

    name: str
    text: Phrase
    unit: str
    kind: str = ""
    bounds: Range = Range()


def headline(registry: Registry, proposal: Proposal) -> dict[str, Function]:
    """The functions that become LAMBDAs, as far as their formulas are there and not too long."""
    formulas = registry.formulas()
    found = {}
    for name in dict.fromkeys((*HEADLINE, *proposal.results)):
        formula = formulas.get(name)
        if formula is None or formula.cell is None or name in registry.broken:
            continue
        pinned = [a for a in formula.cell if isinstance(registry.nodes.get(a), Formula)]
        graph = expand(registry, [name], pinned)
        if len(graph.nodes) <= LARGEST_GRAPH:
            found[name] = Function(formula, graph)
    return found


def assumed(functions: Iterable[Function]) -> set[str]:
    """Names for which the Profiles sheet needs a column: those that the functions read and profiles may state."""
    return {
        node.name for f in functions for node in f.graph.nodes.values() if not isinstance(node, Input)
    }


class LambdaPlan:
    """The functions of one workbook: their names, and where on the Functions sheet their shared parts stand.

    Args:
        plan: of the workbook
        functions: what is asked for; those that read a kind of record without a sheet are left out
    """

    def __init__(self, plan: Plan, functions: Iterable[Function]) -> None:
        self.plan, self.registry = plan, plan.registry
        roles = self.registry.roles
        reads = {f.formula.name: names_read(f.graph, plan) | set(f.plain) for f in functions}
        self.functions = {
            f.formula.name: f
            for f in functions
            if all(roles[n].kind in plan.tables for n in reads[f.formula.name] if n in roles)
        }
        read = frozenset[str]().union(*(reads[name] for name in self.functions))
        arguments = dict.fromkeys(a for f in self.functions.values() for a in f.plain)
        self.offered = Offered(plan, self.functions, self._pinnable(read, arguments), self._roles(read), reads)
        self.arguments = [self._known(name) for name in arguments]
        self.options = [self._known(name) for name in self._options(read) if name not in arguments]

    # ---- which names there are

    def _pinnable(self, read: Iterable[str], arguments: Iterable[str]) -> frozenset[str]:
        stated = {column[0] for column in self.plan.tables["profile"].columns} | set(PER_PLAN) | set(arguments)
        for role in self.registry.roles.values():
            if role.supplies and role.kind in self.plan.tables:
                stated |= set(KINDS[role.kind].quantities())
        return frozenset(n for n in stated & set(read) if isinstance(self.registry.nodes.get(n), Formula))

    def _roles(self, read: frozenset[str]) -> frozenset[str]:
        return frozenset(
            role.name
            for role in self.registry.roles.values()
            if role.kind in self.plan.tables
            and (role.name in read or (role.supplies and read & set(KINDS[role.kind].quantities())))
        )

    def _options(self, read: frozenset[str]) -> Iterator[str]:
        """In the order in which a reader expects them."""
        yield from (role for role in self.registry.roles if role in self.offered.roles)
        for kind in (Input, Assumption):
            yield from (n for n, d in self.registry.nodes.items() if n in read and isinstance(d, kind))
        yield from sorted(self.offered.pinnable)

    def _known(self, name: str) -> Known:
        role = self.registry.roles.get(name)
        if role is not None:
            return Known(name, Phrase(role.text), ID, role.kind)
        definition = self.registry.nodes[name]
        return Known(name, described(definition), definition.unit, bounds=bounds(definition))

    # ---- where they stand

    @property
    def first_argument(self) -> int:
        """Row of the first argument on the Functions sheet: below the functions, a section and titles."""
        return FIRST_ROW + len(self.functions) + 3

    @property
    def first_option(self) -> int:
        """Row of the first option: below the arguments and a section."""
        return self.first_argument + len(self.arguments) + 1

    @property
    def last(self) -> int:
        """Row of the last option."""
        return self.first_option + len(self.options) - 1

    def row(self, name: str) -> int:
        """Row of an argument or option."""
        for first, known in ((self.first_argument, self.arguments), (self.first_option, self.options)):
            for offset, each in enumerate(known):
                if each.name == name:
                    return first + offset
        raise KeyError(name)

    def area(self, column: str) -> str:
        """The column of all names."""
        return f"{FUNCTIONS}!${column}${self.first_argument}:${column}${self.last}"

    # ---- the names

    @cached_property
    def lambdas(self) -> list[Lambda]:
        """Every name that the workbook gets: functions, their further parts, and what they share."""
        found = [each for f in self.functions.values() for each in lambdas_of(self.offered, f)]
        return [*found, *self._shared()]

    def _shared(self) -> Sequence[Lambda]:
        texts = {name: text.format(**self._areas()) for name, text in SHARED.items()}
        return [Lambda(f"{PART}{name}", text, PART_COMMENT) for name, text in texts.items()]

    def _areas(self) -> dict[str, str]:
        columns = {"names": "B", "units": "D", "above": "G", "least": "H", "most": "I", "whole": "J"}
        return {
            **{name: self.area(column) for name, column in columns.items()},
            "part": PART,
            "chosen": "".join(f",{self._in_catalogue(role)}" for role in sorted(self.offered.roles)),
        }

    def _in_catalogue(self, role: str) -> str:
        """That a record which options choose is there, whether an answer reads it or not."""
        chosen = f'{PART}OPTION(options,"{role}")'
        area = self.plan.tables[self.registry.roles[role].kind].area("id")
        return f'OR({chosen}="",ISNUMBER(XMATCH({chosen},{area},0)))'


SHARED = {
    # what a row of options says for a name; empty where there is none
    "OPTION": (
        'LAMBDA(options,name,IF(COLUMNS(options)<>2,"",LET(place,XMATCH(name,INDEX(options,0,1),0),'
        'value,INDEX(options,place,2),IF(ISNUMBER(place),IF(value="","",value),""))))'
    ),
    # a number in the range that the Functions sheet states for its name, else #N/A; empty stays empty
    "IN_RANGE": (
        "LAMBDA(name,value,LET(place,XMATCH(name,{names},0),above,INDEX({above},place),least,INDEX({least},place),"
        "most,INDEX({most},place),whole,INDEX({whole},place),"
        'IF(value="","",IF(AND(ISNUMBER(value),OR(above="",value>above),OR(least="",value>=least),'
        'OR(most="",value<=most),OR(whole<>1,value=INT(N(value)))),value,NA()))))'
    ),
    # the number that options state for a name, else another; empty where neither does
    "STATED": (
        "LAMBDA(options,name,otherwise,LET(value,{part}OPTION(options,name),"
        '{part}IN_RANGE(name,IF(value="",IF(otherwise="","",otherwise),value))))'
    ),
    # the same; #N/A where neither does
    "GIVEN": (
        "LAMBDA(options,name,otherwise,LET(value,{part}STATED(options,name,otherwise),"
        "IF(ISNUMBER(value),value,NA())))"
    ),
    "FIRST": 'LAMBDA(one,other,IF(one="",IF(other="","",other),one))',
    "FACT": "LAMBDA(value,IF(AND(ISNUMBER(value),value>=0),value,NA()))",
    # names are known and each given once, no value without a name, numbers in range, records in the catalogue
    "OPTIONS_HOLD": (
        'LAMBDA(options,IF(COLUMNS(options)<>2,IF(ROWS(options)*COLUMNS(options)=1,options="",FALSE),LET('
        "names,INDEX(options,0,1),values,INDEX(options,0,2),known,{names},units,{units},"
        'given,SUMPRODUCT(--(names<>"")),'
        'wrong,SUM(MAP(names,values,LAMBDA(name,value,IF(OR(name="",value=""),0,'
        'IF(INDEX(units,XMATCH(name,known,0))="id",0,'
        "IF(ISNUMBER({part}IN_RANGE(name,value)),0,1)))))),"
        'AND(wrong=0,SUMPRODUCT((names<>"")*(names=TRANSPOSE(known)))=given,'
        'SUMPRODUCT((names<>"")*(names=TRANSPOSE(names)))=given,SUMPRODUCT((names="")*(values<>""))=0{chosen}))))'
    ),
}
"""What all functions share."""
