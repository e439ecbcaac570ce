"""A function as named steps → LAMBDA names of a workbook, each within what Excel takes.

Knows the language of LAMBDA and LET and nothing of planning. Texts are written as Excel shows them
(`LAMBDA(context,[batch],LET(…))`) and are spelled for the file at the end.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tokensheet.celltext import LONGEST
from tokensheet.checking import is_cell_address
from tokensheet.errors import ExportError
from tokensheet.excel_words import EXCEL_FUNCTIONS
from tokensheet.texts import Text

MOST_STEPS = 120
"""Names in one LET; Excel takes 126."""
NEW = frozenset(["ISOMITTED", "LAMBDA", "LET", "MAP", "SEQUENCE", "XMATCH"])
"""Functions in use here that Excel 2010 does not know; a file says so by a prefix."""

_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"]|"")*")|(?P<sheet>'(?:[^']|'')*'!|\w+!)|(?P<number>\d+(?:\.\d+)?(?:E[+-]?\d+)?)"""
    r"""|(?P<cell>\$[A-Z]{1,3}\$\d+)|(?P<optional>\[[a-z]\w*\])|(?P<word>[A-Za-z_][\w.]*)""",
    re.ASCII,
)
_REFERENCE_WORD = re.compile(r"(R\d*C\d*|[RC]\d*|[RC]\d+_.*)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Lambda:
    """A defined name of a workbook that is a LAMBDA.

    Args:
        name: as cells call it
        text: as Excel shows it
        comment: what Excel shows beside the name
    """

    name: str
    text: str
    comment: Text = ""

    @property
    def stored(self) -> str:
        """The text as a file holds it: new functions and names of parameters and steps with their prefixes."""
        return spelled(self.text)


class Steps:
    """A function being written: its parameters, its steps in the order of calculation, each by its key.

    Args:
        parameters: names of the arguments
        optional: those that a call may leave out
    """

    def __init__(self, parameters: Sequence[str], optional: Collection[str] = ()) -> None:
        self.optional = frozenset(optional)
        self.names: dict[str, str] = {p: variable(p, ()) for p in parameters}
        self.parameters = tuple(self.names.values())
        self.texts: dict[str, str] = {}

    def __contains__(self, key: str) -> bool:
        return key in self.names

    def __getitem__(self, key: str) -> str:
        """The name under which the texts of later steps know a parameter or step."""
        return self.names[key]

    def add(self, key: str, text: str) -> str:
        """A further step; gives its name."""
        name = self.names[key] = variable(key, self.names.values())
        self.texts[name] = text
        return name

    def lambdas(self, name: str, part: str, result: str, comment: Text, part_comment: Text) -> list[Lambda]:
        """The function as a LAMBDA, and as further ones where it is too long for one.

        Each part ends in a call of the next, with all that is still read as arguments.

        Args:
            name: of the function
            part: of its further parts, before their number
            result: text of the answer
            comment: of the function
            part_comment: of its further parts

        Raises:
            ExportError: a single step is too long.
        """
        found: list[Lambda] = []
        steps = list(self.texts.items())
        known = [*self.parameters, *self.texts]
        last = {word: place for place, (_, text) in enumerate(steps) for word in words(text)}
        last |= dict.fromkeys(words(result), len(steps))
        start, own, heads = 0, name, [self._head(p) for p in self.parameters]
        while True:
            following = f"{part}{len(found) + 2}"
            for end in range(self._most(steps, start), start - 1, -1):
                live = [each for each in known[: len(self.parameters) + end] if last.get(each, -1) >= end]
                tail = f"{following}({','.join(live)})" if end < len(steps) else result
                text = _lambda(heads, steps[start:end], tail)
                if len(spelled(text)) <= LONGEST and (end > start or end == len(steps)):
                    break
            else:
                raise ExportError(
                    f"--lambda: {name} has a step of more than {LONGEST} characters, {steps[start][0]}; "
                    "leave the function out of the results"
                )
            found.append(Lambda(own, text, part_comment if found else comment))
            if end == len(steps):
                return found
            start, own, heads = end, following, live

    def _head(self, parameter: str) -> str:
        return f"[{parameter}]" if parameter in self.optional else parameter

    def _most(self, steps: Sequence[tuple[str, str]], start: int) -> int:
        """Where the rest begins at the latest: after as many steps as fit without what stands around them."""
        length, end = 0, start
        while end < min(len(steps), start + MOST_STEPS):
            length += len(spelled(",".join(steps[end]))) + 1
            if length > LONGEST:
                break
            end += 1
        return end


def variable(key: str, taken: Collection[str]) -> str:
    """A name for a parameter or step that Excel takes for nothing else, such as a cell's address."""
    name = re.sub(r"\W", "_", key)
    if not name[0].islower():
        name = f"own{name}"
    if is_cell_address(name) or _REFERENCE_WORD.match(name) or name.upper() in EXCEL_FUNCTIONS:
        name += "_"
    found, count = name, 1
    while found in taken:
        count += 1
        found = f"{name}_{count}"
    return found


def words(text: str) -> Iterator[str]:
    """Names of parameters and steps that a text reads; all else in it has a capital letter, a sign or quotes."""
    return (t[0].strip("[]") for t in _TOKEN.finditer(text) if _is_variable(t))


def spelled(text: str) -> str:
    """A text as Excel shows it, as a file holds it."""

    def token(found: re.Match[str]) -> str:
        if found["optional"]:
            return f"_xlop.{found[0][1:-1]}"
        if _is_variable(found):
            return f"_xlpm.{found[0]}"
        return f"_xlfn.{found[0]}" if found["word"] in NEW else found[0]

    return _TOKEN.sub(token, text)


def _is_variable(token: re.Match[str]) -> bool:
    return token["optional"] is not None or (token["word"] or "A")[0].islower()


def _lambda(heads: Sequence[str], steps: Sequence[tuple[str, str]], tail: str) -> str:
    body = f"LET({','.join(f'{name},{text}' for name, text in steps)},{tail})" if steps else tail
    return f"LAMBDA({','.join([*heads, body])})"
