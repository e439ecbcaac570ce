"""Languages of workbooks: tables of texts of the program, of plugins and of recipes, checked and put together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from tokensheet import untrusted
from tokensheet.declare import Assumption, At, Input, Owner
from tokensheet.definition import Field
from tokensheet.errors import ProposalError, TextsError, first, hint, listed
from tokensheet.formula import Formula
from tokensheet.registry import Registry
from tokensheet.schema import KINDS
from tokensheet.schema.profile import Profile
from tokensheet.schema.system import System
from tokensheet.texts import ENGLISH, Phrase, Texts, parts_of, slots_of, unit_text
from tokensheet.toml_lines import Lines
from tokensheet.tree import Named, walk

OWN = Path(__file__).parent / "translations"
"""Folder of the program's own tables."""
LARGEST_FILE = 1_000_000
CODE = r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"

Code = Annotated[str, StringConstraints(pattern=CODE)]
Words = Annotated[str, StringConstraints(min_length=1, max_length=1000)]


Face = Annotated[str, StringConstraints(max_length=31)]
"""Name of a font, as long as Excel takes it."""


class Table(BaseModel):
    """The file of one owner for one language."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    language: Code
    font: Face = ""
    """A font that has the language's characters, where those of English have not."""
    texts: dict[str, Words]
    """English → words of the language, with the same slots."""


@dataclass(frozen=True)
class Language:
    """All words of a language.

    Attributes:
        code: as in `zh`
        font: that has its characters; empty: the usual one
        words: English → words of the language
    """

    code: str
    font: str
    words: Mapping[str, str]

    @property
    def texts(self) -> Texts:
        """For writing with it."""
        return Texts(self.code, self.words)


def language(registry: Registry, code: str, own: Mapping[str, str] | None = None) -> Language:
    """The language of a code: words of the program, then of plugins, over which go those of a recipe.

    Args:
        registry: what plugins offer
        code: of the language
        own: words that a recipe brings for it

    Raises:
        TokensheetError: nobody has words of that language, or a table has mistakes.
    """
    if code == ENGLISH:
        return Language(code, "", dict(own or {}))
    tables = [table for table, _ in _tables(registry) if table.language == code]
    if not tables and not own:
        known = ", ".join(languages(registry))
        raise ProposalError(f"language {code!r}: no words of it; known are {known}; give [texts] in a recipe")
    words: dict[str, str] = {}
    for table in reversed(tables):
        words |= table.texts
    font = next((table.font for table in tables if table.font), "")
    return Language(code, font, words | dict(own or {}))


def checked_code(code: str) -> str:
    """The code of a language.

    Raises:
        TextsError: it is none.
    """
    if not re.match(CODE, code):
        raise TextsError(f"language {code!r}: is no code of a language; write one such as de or pt-BR")
    return code


def languages(registry: Registry) -> list[str]:
    """Codes of all languages that somebody has words of."""
    return sorted({ENGLISH} | {table.language for table, _ in _tables(registry)})


def own_texts() -> set[str]:
    """The English texts that the program itself has words for."""
    return {text for path in sorted(OWN.glob("*.toml")) for text in read_table(path).texts}


def known_texts(registry: Registry) -> set[str]:
    """Every English text that somebody can have words for."""
    said = {text for table, _ in _tables(registry) for text in table.texts}
    return said | texts_of(registry).keys() | optional_texts(registry)


def optional_texts(registry: Registry) -> set[str]:
    """What may stay English in a translated workbook, since it cites or describes.

    Parts of the sources of formulas, assumptions, profiles and bills of materials, what is on those bills, and what
    functions of cells answer.
    """
    found = {getattr(node, "source", "") for node in registry.nodes.values()}
    for entry in registry.catalog(Profile.kind):
        if isinstance(entry.record, Profile):
            found |= {entry.record.fitted_to, entry.record.source}
    for entry in registry.catalog(System.kind):
        if isinstance(entry.record, System):
            found |= {text for line in entry.record.bill for text in (line.source, line.item)}
    summaries = {formula.summary for formula in registry.formulas().values() if formula.cell is not None}
    return {part for source in found for part in parts_of(source)} | (summaries - {""})


def texts_of(registry: Registry) -> dict[str, str]:
    """English texts of what is declared → the plugin that declares it first; empty for the program itself."""
    found: dict[str, str] = {}
    for name, node in registry.nodes.items():
        owner = registry.owners[name].plugin if name in registry.owners else ""
        if isinstance(node, Field):
            continue  # records say it, which come below
        own = _of_formula(registry, name, node) if isinstance(node, Formula) else _of_input(node)
        found |= {text: owner for text in own if text not in found}
    for verdict in registry.verdicts:
        owner = registry.owners[verdict.check].plugin
        found |= {text: owner for text in (verdict.text, verdict.holds, verdict.fails) if text not in found}
    for name, role in registry.roles.items():
        found |= {text: "" for text in (role.text, name.replace("_", " ")) if text not in found}
    for kind in KINDS.values():
        for quantity in kind.quantities().values():
            texts = [quantity.text, *_unit_words(quantity.unit)]
            found |= {text: "" for text in texts if text not in found}
    return found


def _of_formula(registry: Registry, name: str, formula: Formula) -> list[str]:
    """Its label, its steps, the constants that it names, what it calls nodes under other inputs, and units."""
    trees = [*(step.tree for step in formula.body.steps), formula.body.result]
    constants = [part for tree in trees for part in walk(tree) if isinstance(part, Named)]
    elsewhere = [p for p, target in registry.parameters(name, formula).items() if isinstance(target, At)]
    names = [word.replace("_", " ") for word in (*(step.name for step in formula.body.steps), *elsewhere)]
    units = [formula.unit, *(constant.unit for constant in constants)]
    words = [word for unit in units for word in _unit_words(unit)]
    return [formula.label, *names, *(constant.text for constant in constants), *words]


def _of_input(node: Input | Assumption) -> list[str]:
    """Its text and unit, and where workbooks list numbers of it, its name in words."""
    listed = isinstance(node, Input) and (node.limit or node.list_axis)
    name = [node.name.replace("_", " ")] if listed else []
    return [node.text, *name, *_unit_words(node.unit)]


def _unit_words(unit: str) -> list[str]:
    return [word.english for word in unit_text(unit).slots.values() if isinstance(word, Phrase)]


def problems_of(texts: Mapping[str, str], lines: Lines, known: set[str] | None = None) -> list[str]:
    """A line for each text with other slots than its key, or, where all keys are known, with an unknown one."""
    return first(_problems_of(texts, lines, known))


def _problems_of(texts: Mapping[str, str], lines: Lines, known: set[str] | None) -> Iterator[str]:
    for english, words in texts.items():
        place = lines.of(("texts", english))
        if known is not None and english not in known:
            yield f"{place}texts: no text says {english!r}{hint(english, known)}"
        elif slots_of(english) != slots_of(words):
            wanted = ", ".join(f"{{{name}}}" for name in sorted(slots_of(english))) or "none"
            yield f"{place}texts: {words!r} has other slots than {english!r}; use {wanted}"


def read_table(path: Path, known: set[str] | None = None) -> Table:
    """The table in a file.

    Args:
        path: of the file
        known: all English texts there are, where others are mistakes

    Raises:
        TextsError: lists every mistake with its line.
    """
    try:
        text = untrusted.text(path, LARGEST_FILE)
        table = Table.model_validate(untrusted.toml(text))
    except OSError as error:
        raise TextsError(f"{path}: {error.strerror or error}; give the path of a .toml file") from error
    except ValidationError as error:
        lines = Lines(text)
        found = [
            f"{lines.of(tuple(e['loc']))}{'.'.join(map(str, e['loc']))}: {e['msg']}"
            for e in error.errors(include_url=False)
        ]
        raise TextsError(listed(path.name, found)) from error
    except ValueError as error:
        raise TextsError(f"{path.name}: {error}") from error
    problems = problems_of(table.texts, Lines(text), known)
    if problems:
        raise TextsError(listed(path.name, problems))
    return table


def _tables(registry: Registry) -> Iterator[tuple[Table, Owner]]:
    """Those of the program, then those of plugins."""
    for path in sorted(OWN.glob("*.toml")):
        yield read_table(path), Owner("tokensheet")
    for path, owner in registry.texts():
        try:
            yield read_table(path), owner
        except TextsError as error:
            raise TextsError(f"plugin {owner}: {error}") from error
