"""The codes of error values, cross-checked in a second Basic: LibreOffice's, which others wrote than pyOpenVBA's.

It runs the shipped VBA as it is (Option VBASupport 1). It cannot show a sum over a failure: its cells turn an error
value into a text.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.tools.office import Office, _environment, require
from tokensheet.udf import border, vba

pytestmark = pytest.mark.slow

SUPPORT = "Option VBASupport 1\n"
IS_ERROR = 10
"""VarType of an error value, in both."""
CODES = {
    word: number
    for number, code in border.ERRORS.items()
    for word in border.WORDS
    if border.WORDS[word] == code
}
"""Number of each word that follows the mark."""

# Texts go in and out: numbers of a call arrive as 0 under VBASupport.
ASKING = """
Function Described(ByVal value) As String
    Described = VarType(value) & " " & CStr(value)
End Function

Function Marked(ByVal text As String) As String
    Marked = Described(TS_RESULT(text))
End Function

Function Failed(ByVal text As String) As String
    Failed = Described(TS_FAILED(text))
End Function

Function Made(ByVal number As String) As String
    Made = Described(CVErr(CLng(number)))
End Function

Function Table() As String
    Dim cells(1 To 2, 1 To 2) As Variant, answer As Variant
    cells(1, 1) = 1.5
    cells(1, 2) = "#TS!N/A a"
    cells(2, 1) = "text"
    cells(2, 2) = "#TS!DIV/0 b"
    answer = TS_RESULT(cells)
    Table = Described(answer(1, 1)) & "|" & Described(answer(1, 2)) & "|" & Described(answer(2, 1)) & "|" & Described(answer(2, 2))
End Function

Function Row() As String
    Dim answer As Variant
    answer = TS_RESULT(Array(2.5, "#TS!NUM a", "x"))
    Row = Described(answer(0)) & "|" & Described(answer(1)) & "|" & Described(answer(2))
End Function
"""


@pytest.fixture(scope="module")
def basic(office: Office, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Calls functions of the module above, all in one office."""
    profile = tmp_path_factory.mktemp("basic") / "profile"
    helpers = "\n".join(
        line for line in vba.helpers().splitlines() if not line.startswith(("Attribute ", "Option Private"))
    )
    modules = {vba.HELPERS: SUPPORT + helpers, "asking": SUPPORT + ASKING}

    def ask(*calls: tuple[Any, ...]) -> list[str]:
        soffice, python = require()
        done = subprocess.run(
            [python, str(Path(__file__).with_name("basic_worker.py")), soffice, str(profile)],
            input=json.dumps({"modules": modules, "calls": [["asking", *call] for call in calls]}),
            capture_output=True,
            encoding="utf-8",
            env=_environment(python),
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return list(json.loads(done.stdout))

    return ask


def test_the_codes_are_those_of_a_second_basic(basic: Any) -> None:
    """Marked text → error value → number; the same from CVErr itself."""
    assert CODES.keys() == border.WORDS.keys() and len(CODES) == 7
    made = basic(*(("Made", str(number)) for number in CODES.values()))
    assert made == [f"{IS_ERROR} Error {number}" for number in CODES.values()]
    assert basic(*(("Marked", f"{border.MARK}{word} a reason") for word in CODES)) == made
    assert basic(*(("Failed", f"{border.MARK}{word} a reason") for word in CODES)) == made


def test_arrays_and_failures_are_the_same_in_a_second_basic(basic: Any) -> None:
    assert basic(
        ("Table",),
        ("Row",),
        ("Marked", "no mark"),
        ("Marked", "#TS!SOMETHING a"),
        ("Failed", "Unexpected Python Error: Traceback\n  File x\nKeyError: 1\n"),
    ) == [
        "5 1.5|10 Error 2042|8 text|10 Error 2007",
        "5 2.5|10 Error 2036|8 x",
        "8 no mark",
        "10 Error 2015",
        "10 Error 2015",
    ]
