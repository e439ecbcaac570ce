"""Names that a spreadsheet or VBA cannot take, flags, and units that do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tokensheet.checking import check_truths, check_units, is_cell_address, name_problem
from tokensheet.errors import FormulaError
from tokensheet.reading import Body, read
from tokensheet.units import PLAIN, parse

# ---- names

CELL = "name {n} looks like cell {u}; choose a name such as {n}_value"
R1C1 = "name {n} looks like an R1C1 reference; choose a name such as {n}_value"
VBA = "name {n} is a word of VBA; choose a name such as {n}_count"
FORM = "name '{n}' must be lower case letters, digits and _, beginning with a letter"

NAMES: dict[str, str | None] = {
    "batch": None,
    "kv_bytes": None,
    "_private": None,
    "tp": None,
    "pp": None,
    "m": None,
    "k": None,
    "fp8_bytes": None,
    "layers2": None,
    "h100": CELL,
    "fp8": CELL,
    "tp8": CELL,
    "xfd1": CELL,
    "xfe1": None,
    "a1048576": CELL,
    "a1048577": None,
    "a0": None,
    "aaaa1": None,
    "r": R1C1,
    "c": R1C1,
    "rc": R1C1,
    "r1c1": R1C1,
    "r2": CELL,
    "r2c": R1C1,
    "rc2": CELL,
    "r1_bytes": R1C1,
    "rate": None,
    "capital": None,
    "step": VBA,
    "type": VBA,
    "next": VBA,
    "single": VBA,
    "byte": VBA,
    "currency": VBA,
    "if": VBA,
    "true": VBA,
    "Batch": FORM,
    "KV": FORM,
    "__twice": FORM,
    "2nd": FORM,
    "größe": FORM,
    "a-b": FORM,
    "a.b": FORM,
    "": FORM,
    "with space": FORM,
    "line\n": FORM,
    "x" * 60: None,
    "x" * 61: "name '{n}' is longer than 60 characters",
}


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    """A name that a workbook or VBA would take for something else is refused, with a way out."""
    wanted = NAMES[name]
    shown = repr(name)[1:-1]
    assert name_problem(name) == (None if wanted is None else wanted.format(n=shown, u=name.upper()))


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("sum", "SUM is a built-in spreadsheet function; choose a name such as sum_estimate"),
        ("effect", "EFFECT is a built-in spreadsheet function; choose a name such as effect_estimate"),
        ("xlookup", "XLOOKUP is a built-in spreadsheet function; choose a name such as xlookup_estimate"),
        ("lambda", "LAMBDA is a built-in spreadsheet function; choose a name such as lambda_estimate"),
        ("kv_bytes", None),
    ],
)
def test_names_of_functions(name: str, problem: str | None) -> None:
    """A function in cells must not hide one of the spreadsheet's own; a step may be called so."""
    assert name_problem(name, function=True) == problem
    assert name_problem(name) is None


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("A1", True), ("a1", True), ("XFD1048576", True), ("XFE1", False), ("ZZZ1", False),
        ("A1048577", False),
        ("A0", False), ("A01", False), ("1A", False), ("A", False), ("AAAA1", False), ("A1B", False),
    ],
)  # fmt: skip
def test_cell_addresses(name: str, is_one: bool) -> None:
    """Columns go to XFD, rows to 1048576, and no row begins with 0."""
    assert is_cell_address(name) is is_one


# ---- a function read from a file, as in test_reading.py

HEAD = "import math\nfrom tokensheet.constants import FLOPS_PER_MAC, SECONDS_PER_HOUR\n\n"


@pytest.fixture
def reader(tmp_path: Path) -> Any:
    def read_function(*lines: str, parameters: str) -> Body:
        text = HEAD + f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in lines)
        path = tmp_path / "plan.py"
        path.write_text(text)
        space: dict[str, Any] = {}
        exec(compile(text, str(path), "exec"), space)
        return read(space["f"])

    return read_function


UNITS = {
    "seconds": "second", "latency": "second", "bytes_held": "byte", "bandwidth": "byte/second",
    "batch": "sequence", "layers": "1", "flops": "flop", "peak": "flop/second", "hours": "hour",
    "price": "usd", "flag": "flag", "power": "kilowatt",
}  # fmt: skip


def units_of(reader: Any, lines: tuple[str, ...], unit: str) -> None:
    names = [n for n in UNITS if any(n in line for line in lines)]
    body = reader(*lines, parameters=", ".join(names))
    check_units(body, {n: parse(UNITS[n]) for n in names}, parse(unit))


FITS: list[tuple[tuple[str, ...], str]] = [
    (("return bytes_held / bandwidth",), "second"),
    (("return bytes_held / bandwidth + seconds",), "second"),
    (("return batch / seconds",), "token/second"),
    (("return layers * seconds + 0",), "second"),
    (("return max(0, seconds)",), "second"),
    (("return 0",), "second"),
    (("return 0 * bytes_held",), "second"),
    (("return seconds if flag else 0",), "second"),
    (("return 1 if seconds < latency else 0",), "flag"),
    (("return seconds < latency",), "flag"),
    (("return seconds > 0",), "flag"),
    (("return seconds < latency and bytes_held > 0",), "flag"),
    (("return not seconds",), "flag"),
    (("return seconds * SECONDS_PER_HOUR",), "second**2/hour"),
    (("return hours * SECONDS_PER_HOUR",), "second"),
    (("return FLOPS_PER_MAC * layers / peak",), "second"),
    (("return math.sqrt(bytes_held * bytes_held)",), "byte"),
    (("return math.sqrt(bytes_held) * math.sqrt(bytes_held)",), "byte"),
    (("return bytes_held ** 2 / bytes_held",), "byte"),
    (("return bytes_held ** 0.5 * bytes_held ** 0.5",), "byte"),
    (("return 1 / bandwidth ** -1",), "byte/second"),
    (("return bytes_held ** -1 * bytes_held",), "1"),
    (("return 2 ** layers",), "1"),
    (("return layers ** batch",), "1"),
    (("return math.exp(-seconds / latency)",), "1"),
    (("return math.log(bytes_held / bytes_held)",), "1"),
    (("return math.ceil(seconds / latency) * seconds",), "second"),
    (("return math.floor(bytes_held)",), "byte"),
    (("return -seconds",), "second"),
    (("return abs(-seconds)",), "second"),
    (("rate = bytes_held / seconds", "return rate / bandwidth"), "1"),
    (("part = price / hours", "whole = part * hours", "return whole"), "usd"),
]


@pytest.mark.parametrize(("lines", "unit"), FITS, ids=lambda v: " ".join(v) if isinstance(v, tuple) else v)
def test_units_that_fit(reader: Any, lines: tuple[str, ...], unit: str) -> None:
    """Counts are plain numbers, a literal 0 suits every unit, roots and powers of units are units."""
    units_of(reader, lines, unit)


MIXED: list[tuple[tuple[str, ...], str, str]] = [
    (("return seconds + bytes_held",), "second", "`+` mixes second and byte; convert one, or mend a unit"),
    (("return bytes_held - seconds",), "byte", "`-` mixes byte and second; convert one, or mend a unit"),
    (("return seconds + 1",), "second", "`+` mixes second and 1; convert one, or mend a unit"),
    (("return seconds + hours",), "second", "`+` mixes second and hour; convert one, or mend a unit"),
    (
        ("return max(seconds, bytes_held)",),
        "second",
        "max mixes second and byte; convert one, or mend a unit",
    ),
    (("return min(0, seconds, layers)",), "second", "min mixes second and 1; convert one, or mend a unit"),
    (
        ("return seconds if flag else bytes_held",),
        "second",
        "the conditional mixes second and byte; convert one, or mend a unit",
    ),
    (("return seconds < bytes_held",), "flag", "`<` mixes second and byte; convert one, or mend a unit"),
    (("return 0 < seconds < bytes_held",), "flag", "`<` mixes second and byte; convert one, or mend a unit"),
    (("return seconds == 1",), "flag", "`==` mixes second and 1; convert one, or mend a unit"),
    (
        ("return layers if seconds > bandwidth else 1",),
        "1",
        "`>` mixes second and byte/second; convert one, or mend a unit",
    ),
    (("return math.exp(seconds)",), "1", "exp of second; it takes a plain number; divide by a unit first"),
    (("return math.log(bytes_held)",), "1", "log of byte; it takes a plain number; divide by a unit first"),
    (("return layers ** seconds",), "1", "an exponent in second; an exponent is a plain number"),
    (
        ("return seconds ** layers",),
        "second",
        "second to a power that is not a literal; write the exponent as a number",
    ),
    (
        ("return bytes_held / bandwidth",),
        "byte",
        "the result is in second; the formula says unit byte; mend one of the two",
    ),
    (
        ("return seconds * latency",),
        "second",
        "the result is in second^2; the formula says unit second; mend one of the two",
    ),
    (("return layers",), "second", "the result is in 1; the formula says unit second; mend one of the two"),
    (
        ("return price / (power * hours)",),
        "usd/hour",
        "the result is in usd/(hour*kilowatt); the formula says unit usd/hour; mend one of the two",
    ),
    (
        ("return seconds < latency",),
        "second",
        "the result is in 1; the formula says unit second; mend one of the two",
    ),
    (
        ("x = seconds + bytes_held", "return layers"),
        "1",
        "`+` mixes second and byte; convert one, or mend a unit",
    ),
    (("x = 0", "return x + seconds"), "second", "`+` mixes 1 and second; convert one, or mend a unit"),
]


@pytest.mark.parametrize(
    ("lines", "unit", "problem"), MIXED, ids=lambda v: " ".join(v) if isinstance(v, tuple) else ""
)
def test_units_that_do_not_fit(reader: Any, lines: tuple[str, ...], unit: str, problem: str) -> None:
    """A sum of two units, or a result in the wrong one, is refused with both units."""
    with pytest.raises(FormulaError) as caught:
        units_of(reader, lines, unit)
    assert str(caught.value).split("\n")[0] == f"f: {problem}"


def test_a_mixed_unit_has_line_and_caret(reader: Any, tmp_path: Path) -> None:
    """The caret stands below the part that does not fit."""
    with pytest.raises(FormulaError) as caught:
        units_of(reader, ("x = layers * 2", "return seconds + x * bytes_held"), "second")
    assert str(caught.value).replace(str(tmp_path), "…") == (
        "f: `+` mixes second and byte; convert one, or mend a unit\n"
        "  …/plan.py:6\n"
        "        return seconds + x * bytes_held\n"
        "                         ^^^^^^^^^^^^^^"
    )


# ---- the unit's own language

WRITTEN = {
    "1": PLAIN,
    "token": PLAIN,
    "flag": PLAIN,
    "byte/second": parse("byte") / parse("second"),
    "token/second": PLAIN / parse("second"),
    "usd/(kilowatt*hour)": parse("usd") / (parse("kilowatt") * parse("hour")),
    "usd/kilowatt/hour": parse("usd") / (parse("kilowatt") * parse("hour")),
    "byte*byte": parse("byte") ** 2,
    "byte^2": parse("byte") ** 2,
    "byte**-1": PLAIN / parse("byte"),
    "1/million": PLAIN / parse("million"),
    " byte / element ": parse("byte"),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_units_as_text(text: str) -> None:
    """Products, quotients, powers and brackets; counts are labels only."""
    assert parse(text) == WRITTEN[text]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("bytes", "'bytes' is not a unit; units are byte, flop, gram, hour, joule"),
        ("GB/s", "'GB' is not a unit"),
        ("", "cannot be read; write it as byte/second"),
        ("byte/", "ends too early"),
        ("byte second", "cannot be read after 'second'"),
        ("usd/(kilowatt*hour", "lacks a closing bracket"),
        ("byte%second", "cannot be read"),
        ("byte^", "cannot be read: a power is a whole number"),
        ("byte^second", "cannot be read: a power is a whole number"),
    ],
)
def test_units_that_cannot_be_read(text: str, problem: str) -> None:
    """What is wrong with a unit's text is said, with the words that are right."""
    with pytest.raises(ValueError, match=r"^unit") as caught:
        parse(text)
    assert problem in str(caught.value)


# ---- flags

TRUTHS = [
    "a > b", "not a", "not (a and b)", "a > b and b > 1", "a > b or not b", "1 if a and b else 2",
    "1 if a or b else 2", "1 if not (a or b) else 2", "(a > b) + (b > a)", "max(a > b, 0)",
    "1 if (a if b else a and b) else 2", "1 if a and (b or a) else 2", "a if a > b and b else b",
]  # fmt: skip
NO_TRUTHS = [
    "a and b", "a or b", "a > b and b", "max(a and b, 1)", "1 + (a or b)", "a if b else (a and b)",
    "1 if (a and b) == 1 else 2", "1 if (a and b) + 1 else 2", "-(a or b)",
    "(a > b and a) or b > 1",
]  # fmt: skip


@pytest.mark.parametrize("text", TRUTHS)
def test_flags_that_are_flags(reader: Any, text: str) -> None:
    """`and` and `or` of comparisons are flags; of numbers only where nothing but their truth matters."""
    found = reader(f"return {text}", parameters="a, b")
    check_truths(found.result, found.place)


@pytest.mark.parametrize("text", NO_TRUTHS)
def test_flags_that_are_none(reader: Any, text: str) -> None:
    """Python's `a and b` is b where a cell's is 1: refused, with what to write."""
    found = reader(f"return {text}", parameters="a, b")
    with pytest.raises(
        FormulaError, match=r"^f: `(and|or)` of a number gives no flag; compare it first: x != 0\n"
    ):
        check_truths(found.result, found.place)
