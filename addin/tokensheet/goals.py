"""What plugins declare about the search for a plan: what it is asked, varies, wants, must hold and tells.

A `Search` is one question, such as the cheapest fleet for a demand; every other part names the searches it is
for, so that a plugin can give another's search one more goal, target or axis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SearchPart:
    """Any of the declarations below.

    Args:
        name: what people write for it; a search has it once for each kind of part
        text: what it is, for people
        searches: names of the searches that it is for; none for a `Search` itself
    """

    name: str
    text: str
    searches: tuple[str, ...] = ()

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the nodes whose results it reads."""
        return ()

    @property
    def fills(self) -> tuple[str, ...]:
        """Names of the inputs and roles that it gives."""
        return ()


@dataclass(frozen=True, slots=True)
class Search(SearchPart):
    """A question that many plans may answer.

    Args:
        asks: inputs, roles and targets that must be given; where several searches have all, it is the one with most
        demands: groups of inputs; at least one name is given, all of one group
        takes: other inputs that people often give
        like: a search whose parts are this one's too, unless it has its own of the same name
    """

    asks: tuple[str, ...] = ()
    demands: tuple[tuple[str, ...], ...] = ()
    takes: tuple[str, ...] = ()
    like: str = ""

    @property
    def fills(self) -> tuple[str, ...]:
        """Inputs that people may give, what must be given aside."""
        return (*(name for group in self.demands for name in group), *self.takes)

    @property
    def words(self) -> str:
        """What must be given, in words."""
        return self.spelled(str)

    def spelled(self, spell: Callable[[str], str]) -> str:
        """What must be given, in words, each name as people write it where they are: `--request-rate`."""
        asked = ", ".join(map(spell, self.asks))
        ways = " or ".join(spell(name) for group in self.demands for name in group)
        return f"{asked} and {ways}" if ways else asked


@dataclass(frozen=True, slots=True)
class Axis(SearchPart):
    """Something that a search varies.

    Args:
        of: the input, or the role whose records are tried
        values: tried unless somebody says; None is the record that the role follows
        every: all records of the role are tried unless somebody says; with neither, it is varied when somebody says
        splits: input of which this one is a factor: where the factors together do not divide it is no candidate
        avoids: attributes of a record that keep it out unless it is named, and what each says of it
    """

    of: str = ""
    values: tuple[float | str | None, ...] = ()
    every: bool = False
    splits: str = ""
    avoids: tuple[tuple[str, str], ...] = ()

    @property
    def fills(self) -> tuple[str, ...]:
        """What is varied."""
        return (self.of, self.splits) if self.splits else (self.of,)


@dataclass(frozen=True, slots=True)
class Goal(SearchPart):
    """What a search can make as small, or as large, as it gets; people choose one by its name.

    Args:
        node: whose result is wanted small
        most: it is wanted large instead
        then: nodes wanted small, one after another, where plans are even
        bound: node that is quick to calculate, never worse than `node`, with a result wherever that has one:
            plans whose bound is worse than the best found need no calculation
    """

    node: str = ""
    most: bool = False
    then: tuple[str, ...] = ()
    bound: str = ""

    @property
    def nodes(self) -> tuple[str, ...]:
        """What decides, and the bound."""
        return tuple(filter(None, (self.node, *self.then, self.bound)))


@dataclass(frozen=True, slots=True)
class Target(SearchPart):
    """What a plan must hold: a node at most, or at least, the number given under the target's name.

    A target whose name is an input's is given to the formulas as well, and has that input's default.

    Args:
        node: whose result is compared
        least: it must be at least the number
        gives: input that takes the number
        lightest: the same result at the lightest load: what a plan that holds no target at any load lacks
        fullest: the same result at the largest load that holds all targets: which of them binds
    """

    node: str = ""
    least: bool = False
    gives: str = ""
    lightest: str = ""
    fullest: str = ""

    @property
    def nodes(self) -> tuple[str, ...]:
        """What is compared."""
        return tuple(filter(None, (self.node, self.lightest, self.fullest)))

    @property
    def fills(self) -> tuple[str, ...]:
        """What takes the number."""
        return (self.gives,) if self.gives else ()


@dataclass(frozen=True, slots=True)
class Front(SearchPart):
    """Two nodes that are best small: plans that no other beats in both are told.

    Args:
        pair: the nodes
    """

    pair: tuple[str, ...] = ()

    @property
    def nodes(self) -> tuple[str, ...]:
        """The pair."""
        return self.pair


@dataclass(frozen=True, slots=True)
class Shown(SearchPart):
    """A node that is told of each plan; the name is the node's.

    Args:
        head: what a narrow column of it is called; the name by default
        codes: what the node's numbers mean where they are codes
    """

    head: str = ""
    codes: Mapping[float, str] = field(default_factory=dict)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The node."""
        return (self.name,)


@dataclass(frozen=True, slots=True)
class Basis(SearchPart):
    """A word of an option that changes what candidates cost; the first word declared is the default.

    Args:
        option: name of the option
        role: whose records must state a fact or a price
        needs: fact of the record without which it is tried only when it is named
        number: input that takes the median of a fact of other records, those that belong to the role's record
        kind: of those other records
        by: their attribute that holds the id of the role's record
        fact: the fact
        where: attribute → value of those that count
        sets: inputs with fixed numbers
    """

    option: str = ""
    role: str = ""
    needs: str = ""
    number: str = ""
    kind: str = ""
    by: str = ""
    fact: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    sets: Mapping[str, float] = field(default_factory=dict)

    @property
    def fills(self) -> tuple[str, ...]:
        """What is given."""
        return tuple(filter(None, (self.role, self.number, *self.sets)))
