"""Texts: phrases are translated with their slots, data stays, what has no words stands in English and is told."""

from __future__ import annotations

import pytest

from tokensheet.texts import Phrase, Text, Texts, capital, expression_text, say, slots_of, unit_text

WORDS = {
    "fits": "放得下",
    "{count} rows of {what}": "{what}的 {count} 行",
    "memory": "显存",
    "second": "秒",
    "byte": "字节",
    "if": "若",
    "then": "则",
    "else": "否则",
    "not": "非",
    "and": "且",
    "ein": "ein",
}
CASES: tuple[tuple[Text, str, str], ...] = (
    ("fits", "fits", "fits"),  # data, whatever it says
    (say("fits"), "fits", "放得下"),
    (say("{count} rows of {what}", count=3, what="H100"), "3 rows of H100", "H100的 3 行"),
    (say("{count} rows of {what}", count=0.25, what=say("memory")), "0.25 rows of memory", "显存的 0.25 行"),
    (say("{count} rows of {what}", count=1, what="{count}"), "1 rows of {count}", "{count}的 1 行"),
    (capital(say("memory")), "Memory", "显存"),
    (capital("ein Wort"), "Ein Wort", "Ein Wort"),
    (capital(say("ein")), "Ein", "Ein"),
    (unit_text("byte/second"), "byte/second", "字节/秒"),
    (unit_text("byte*byte/(second)"), "byte*byte/(second)", "字节*字节/(秒)"),
    (unit_text("1"), "1", "1"),
    (unit_text(""), "", ""),
    (
        expression_text("if not if_a and x.then > 0 then max(a, b) else 2 × c"),
        "if not if_a and x.then > 0 then max(a, b) else 2 × c",
        "若 非 if_a 且 x.then > 0 则 max(a, b) 否则 2 × c",
    ),
    (Phrase(""), "", ""),
)


@pytest.mark.parametrize(("text", "english", "chinese"), CASES)
def test_a_text_in_two_languages(text: Text, english: str, chinese: str) -> None:
    assert Texts()(text) == english
    assert Texts("zh", WORDS)(text) == chinese


def test_what_has_no_words_stands_in_english_and_is_told_once() -> None:
    texts = Texts("zh", WORDS)
    assert [texts(say("fits")), texts(say("no answer")), texts(say("no answer")), texts("data")] == [
        "放得下",
        "no answer",
        "no answer",
        "data",
    ]
    assert list(texts.missing) == ["no answer"]
    english = Texts()
    assert english(say("no answer")) == "no answer"
    assert not english.missing


def test_slots() -> None:
    assert slots_of("{a} of {b_2}, {a}") == {"a", "b_2"}
    assert Texts()(say("{a} and {b}", a="x")) == "x and {b}"
    assert Texts()(say("{a.__class__}", a="x")) == "{a.__class__}"
