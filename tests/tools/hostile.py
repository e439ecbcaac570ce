"""Input that somebody made to break a reader: valid texts with damage, values of every kind, and how often they are tried.

TOKENSHEET_FUZZ=10000 tries as many, at random; without it few are tried, the same ones each time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tokensheet.errors import TokensheetError

ASKED = int(os.environ.get("TOKENSHEET_FUZZ", "0"))
LONGEST_MESSAGE = 110_000

PIECES = (
    "[", "]", "[[", "]]", "{", "}", '"', "'", '"""', "=", ".", ",", ";", ":", "#", "|", "\\", "\n", "\r", "\t", "\0",
    "\x7f", "\ufeff", "\u2028", "nan", "inf", "-inf", "-1", "0", "1e999", "1e-999", "9" * 400, "9" * 5000, "true",
    "2026-02-30", "[[candidates]]", "[workload]", "max", "../../etc/passwd", "=1+1", "@", "{0}", "{gb}", "%s", "é",
    "\U0001d7d8", "٣", "half a letter: \u0301", "a" * 300, "a." * 30, "<", ">", "&", "<!DOCTYPE x>", "_x0000_", "\x1b[0m",
)  # fmt: skip
"""What readers stumble on."""


def tried(examples: int) -> Callable[[Any], Any]:
    """A hypothesis test with so many examples where nobody asks for more; none of them is timed."""
    return settings(
        max_examples=ASKED or examples,
        deadline=None,
        derandomize=not ASKED,
        suppress_health_check=list(HealthCheck),
    )


@st.composite
def damaged(draw: Any, texts: Sequence[str], pieces: Sequence[str] = PIECES) -> str:
    """One of some texts with a few places cut out, doubled or filled with something else."""
    text: str = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.sampled_from((0, 0, 1, 3, 12, 80))))
        piece = draw(st.one_of(st.sampled_from(pieces), st.just(text[at:end] * 2), st.text(max_size=6)))
        text = text[:at] + piece + text[end:]
    return text


def storable(data: str) -> bytes:
    """Bytes of a text as a file holds them; half a character becomes damage in the file."""
    return data.encode("utf-8", "surrogatepass")


numbers = st.one_of(
    st.sampled_from(
        (0, -0.0, 1, -1, 0.5, 2**31, 2**63, 10**400, 1e300, -1e300, 1e-300, float("inf"), float("nan"))
    ),
    st.integers(),
    st.floats(),
)
words = st.one_of(st.sampled_from(PIECES), st.text(max_size=12))
scalars = st.one_of(numbers, words, st.booleans(), st.dates())
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(words, inner, max_size=3)),
    max_leaves=8,
)
"""A value of any kind that TOML has."""


def toml_of(value: Any) -> str:
    """A value as TOML, on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{quoted(k)} = {toml_of(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_of, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    return str(value).lower() if isinstance(value, bool | float) else str(value)


def quoted(text: str) -> str:
    """A text as TOML; half a character cannot stand in it."""
    whole = text.encode("utf-8", "ignore").decode()
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")


def answered(ask: Callable[[], Any]) -> Any:
    """What is answered, or None where the input is refused in words; everything else is a fault of the program."""
    try:
        return ask()
    except TokensheetError as error:
        assert str(error).strip()
        assert len(str(error)) < LONGEST_MESSAGE
        return None


def refused(ask: Callable[[], Any], words: str) -> None:
    """Fails unless the input is refused with these words."""
    with pytest.raises(TokensheetError) as caught:
        ask()
    assert words in str(caught.value)
    assert len(str(caught.value)) < LONGEST_MESSAGE
