"""Texts that the program and its plugins show, in the reader's language; what users and records say is never translated.

A `Phrase` is such a text, known by its English words, with `{slots}`; a plain `str` is data. Tables of a
language map English to its own words, so that a text whose English was changed falls back to English
instead of saying what it no longer means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

ENGLISH = "en"

_SLOT = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"[a-z_]+", re.IGNORECASE)
_KEYWORD = re.compile(r"(?<![\w.])(?:if|then|else|and|or|not)(?= )")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text to be translated.

    Args:
        english: the words, which are also its key in the tables of languages
        slots: name → what stands in place of `{name}`: data, or a phrase of its own
        capital: whether it begins with a capital letter, whatever its words do
        symbols: whether all that is not in slots is signs and names of the code, which no language translates
        optional: whether it may stand in English in every language, as a citation does
    """

    english: str
    slots: Mapping[str, Text] = field(default_factory=dict)
    capital: bool = False
    symbols: bool = False
    optional: bool = False


Text: TypeAlias = str | Phrase
"""Data as it stands, or a phrase in the reader's language."""


def say(english: str, /, **slots: Text | float) -> Phrase:
    """The phrase of an English text; numbers in slots as `%g` writes them."""
    return Phrase(english, {k: v if isinstance(v, str | Phrase) else f"{v:g}" for k, v in slots.items()})


def capital(text: Text) -> Text:
    """The text with a capital letter."""
    return replace(text, capital=True) if isinstance(text, Phrase) else text[:1].upper() + text[1:]


def unit_text(unit: str) -> Phrase:
    """A unit such as `byte/second`: each of its words is translated."""
    return _by_word(unit, _WORD)


def expression_text(expression: str) -> Phrase:
    """A formula in words: names stay, `if`, `then` and their like are translated."""
    return _by_word(expression, _KEYWORD)


def parts_of(source: str) -> list[str]:
    """What a source names, one after the other: `one article: its chapter; another article`."""
    return [part for part in source.split("; ") if part]


def source_text(source: str) -> Phrase:
    """A source: parts that a language has words for are translated, citations stay as they are."""
    parts = parts_of(source)
    slots = {f"p{i}": Phrase(part, optional=True) for i, part in enumerate(parts)}
    return Phrase("; ".join(f"{{{name}}}" for name in slots), slots, symbols=True)


def _by_word(text: str, word: re.Pattern[str]) -> Phrase:
    """The text with a slot for each word that a pattern finds."""
    names = {found: f"w{i}" for i, found in enumerate(dict.fromkeys(word.findall(text)))}
    template = word.sub(lambda found: f"{{{names[found[0]]}}}", text)
    return Phrase(template, {name: Phrase(found) for found, name in names.items()}, symbols=True)


def slots_of(text: str) -> set[str]:
    """Names of the slots in a text."""
    return set(_SLOT.findall(text))


def filled(text: str, slots: Mapping[str, str]) -> str:
    """The text with what stands in its slots; a slot that nothing is given for stays as it is."""
    return _SLOT.sub(lambda found: slots.get(found[1], found[0]), text)


@dataclass
class Texts:
    """The reader's language.

    Args:
        language: its code
        table: English → words of the language

    Attributes:
        missing: English texts that were asked for and have no words, in the order of the first asking
    """

    language: str = ENGLISH
    table: Mapping[str, str] = field(default_factory=dict)
    missing: dict[str, None] = field(default_factory=dict, compare=False)

    def __call__(self, text: Text) -> str:
        """What the reader sees."""
        if isinstance(text, str):
            return text
        if text.symbols or not text.english:
            words = text.english
        else:
            words = self.table.get(text.english, text.english) if text.optional else self.words(text.english)
        words = filled(words, {k: self(v) for k, v in text.slots.items()})
        return words[:1].upper() + words[1:] if text.capital else words

    def words(self, english: str) -> str:
        """The language's words for an English text, slots open; the English ones where it has none."""
        found = self.table.get(english)
        if found is not None:
            return found
        if self.language != ENGLISH:
            self.missing[english] = None
        return english
