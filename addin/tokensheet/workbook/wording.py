"""The Texts sheet: words that formulas give and labels that programs look for, in the language of the workbook.

Formulas read their words here, so that a formula has the same text in every language; `tokensheet read`
finds the rows of About by it.
"""

from __future__ import annotations

from tokensheet.texts import Phrase, say
from tokensheet.workbook import styles
from tokensheet.workbook.cells import Book, page
from tokensheet.workbook.layout import TEXTS
from tokensheet.workbook.plan import FIRST_ROW

FITS, MISSING, NO_ANSWER = say("fits"), say("does not fit, {gb} GB missing"), say("no answer")
HOLD, FAILS = say("all hold"), say("{check}: no")
FOR, PREPARED, DATE = say("For"), say("Prepared by"), say("Date")
VALID, TEMPLATE, ABOUT_IT = say("Valid until"), say("Template"), say("About")
LANGUAGE = "language"

WORDS = (FITS, MISSING, NO_ANSWER, HOLD, FAILS)
LABELS = (FOR, PREPARED, DATE, VALID, TEMPLATE, ABOUT_IT)


def word(phrase: Phrase) -> str:
    """Address of a word that a formula gives; its slots are still open."""
    return f"{TEXTS}!$B${FIRST_ROW + 1 + WORDS.index(phrase)}"


def with_slot(phrase: Phrase, text: str) -> str:
    """Formula of a word with a formula's value in its only slot."""
    slot = phrase.english[phrase.english.index("{") : phrase.english.index("}") + 1]
    return f'SUBSTITUTE({word(phrase)},"{slot}",{text})'


def texts_sheet(book: Book) -> None:
    """English words beside those of the workbook's language."""
    sheet = book.sheet(TEXTS, "66727F")
    book.title(
        sheet, say("Texts"), say("Words that formulas give, and labels by which programs read this file.")
    )
    book.header(sheet, FIRST_ROW - 1, (say("Text in English"), say("Text")))
    rows = [(LANGUAGE, book.texts.language)]
    rows += [(phrase.english, book.texts.words(phrase.english)) for phrase in (*WORDS, *LABELS)]
    for row, (english, text) in enumerate(rows, FIRST_ROW):
        book.text(sheet, row, 1, english, styles.NOTE)
        book.text(sheet, row, 2, text)
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 44, 44
    page(book, sheet, f"1:{FIRST_ROW - 1}", f"A{FIRST_ROW}", landscape=False)
