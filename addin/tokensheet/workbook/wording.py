"""The Texts sheet: words that formulas give and labels that programs look for, in the language of the workbook.

Formulas read their words here, so that a formula has the same text in every language; `tokensheet read`
finds the rows of About by it.
"""

from __future__ import annotations

from tokensheet.texts import Phrase, say
from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book, page
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.layout import FIRST_ROW, TEXTS

NO_ANSWER, HOLD, FAILS, NONE = say("no answer"), say("all hold"), say("{check}: no"), say("none")
LANGUAGE = "language"

LABELS = {
    "customer": say("For"),
    "prepared_by": say("Prepared by"),
    "date": say("Date"),
    "valid_until": say("Valid until"),
    "template": say("Template"),
    "about": say("About"),
}
"""Key of a proposal → the label of its row on About."""


def words_of(contents: Contents) -> list[str]:
    """Words that formulas give, in English: what plugins say of a plan, and the workbook's own."""
    said = [text for verdict in contents.verdicts for text in (verdict.holds, verdict.fails)]
    return list(dict.fromkeys([*said, NO_ANSWER.english, HOLD.english, FAILS.english, NONE.english]))


def word(contents: Contents, phrase: Phrase) -> str:
    """Address of a word that a formula gives; its slots are still open."""
    return f"{TEXTS}!$B${FIRST_ROW + 1 + words_of(contents).index(phrase.english)}"


def slot_of(english: str) -> str:
    """The only slot of a text, such as `{gb}`."""
    return english[english.index("{") : english.index("}") + 1]


def with_slot(contents: Contents, phrase: Phrase, text: str) -> str:
    """Formula of a word with a formula's value in its only slot."""
    return f'SUBSTITUTE({word(contents, phrase)},"{slot_of(phrase.english)}",{text})'


def texts_sheet(book: Book, contents: Contents) -> None:
    """English words beside those of the workbook's language."""
    sheet = book.sheet(TEXTS, "66727F")
    book.title(
        sheet, say("Texts"), say("Words that formulas give, and labels by which programs read this file.")
    )
    book.header(sheet, FIRST_ROW - 1, (say("Text in English"), say("Text")))
    rows = [(LANGUAGE, book.texts.language)]
    rows += [(english, book.texts.words(english)) for english in words_of(contents)]
    rows += [(phrase.english, book.texts.words(phrase.english)) for phrase in LABELS.values()]
    for row, (english, text) in enumerate(rows, FIRST_ROW):
        book.text(sheet, row, 1, english, styles.NOTE)
        book.text(sheet, row, 2, text)
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 44, 44
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"A{FIRST_ROW}", landscape=False)
