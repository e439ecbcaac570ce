"""Each word and operator at its edges: Python, tree, compiled code, and two spreadsheet programs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.tools import ironcalc_engine
from tests.tools.office import Office, Values
from tests.tools.trees import formula_of
from tokensheet import tree
from tokensheet.failure import Failure, Value
from tokensheet.reading import Body
from tokensheet.source import Place
from tokensheet.testing.alone import Alone
from tokensheet.tree import Binary, Call, Name, Node, Number, Unary
from tokensheet.units import PLAIN, parse
from tokensheet.vocabulary import BY_FUNCTION, HINTS, WORDS
from tokensheet.workbook.finish import CellError
from tokensheet.workbook.proof import Proof, proof_workbook

Edge = tuple[float, ...]
A, B = Name("a"), Name("b")

ABOVE, BELOW = 3.0000000000000004, 2.9999999999999996
"""The numbers next to 3."""

MORE: dict[str, tuple[Edge, ...]] = {
    "ceil": ((ABOVE,), (BELOW,), (-BELOW,), (1e-17,), (-1e-17,), (-0.0,), (1e16,), (1.5e300,)),
    "floor": ((ABOVE,), (BELOW,), (-BELOW,), (1e-17,), (-1e-17,), (-0.0,), (1e16,), (1.5e300,)),
    "sqrt": ((1e300,), (1e-320,)),
    "exp": ((-745.0,), (-800.0,), (-1e300,), (709.7,)),
    "abs": ((-1e300,),),
}
"""Edges on top of those that the vocabulary names."""

COMPARED: tuple[Edge, ...] = (
    (1, 1), (1, 2), (2, 1), (0, -0.0), (-1, 0), (1, 1 + 2.3e-16), (1, 1 + 1e-14), (1, 1 + 1e-12),
    (0.1 + 0.2, 0.3), (1e15 + 1, 1e15), (1e-300, 0), (1e300, 1e300),
)  # fmt: skip

OPERATORS: dict[str, tuple[Node, tuple[Edge, ...]]] = {
    "add": (Binary("+", A, B), ((1e308, 1e308), (0.1, 0.2), (1, 1e-16), (1e16, 1))),
    "sub": (Binary("-", A, B), ((1, 1 - 1e-16), (0.3, 0.1 + 0.2), (1, 1 + 2e-15), (1, 1 + 1e-13), (-1, -1))),
    "mul": (Binary("*", A, B), ((1e300, 1e10), (1e-300, 1e-300), (-2, 3), (0, -5))),
    "div": (Binary("/", A, B), ((1, 0), (0, 0), (1, 3), (-1, 2), (1e300, 1e-10), (1e-300, 1e300), (0, 5))),
    "pow": (
        Binary("**", A, B),
        (
            (0, 0), (0, 1), (0, 0.5), (0, -1), (-0.0, 2), (1, 1e300), (-1, 0.5), (-8, 1 / 3), (-2, 3),
            (-2, 2), (2, -2), (2, 0.5), (2, 1023), (10, 308), (10, 309), (1e300, 2), (0.75, 2400),
            (0.75, 4096), (0.5, 1074), (1e-200, 2), (1 + 1e-7, 1e9),
        ),
    ),
    "negated": (Unary("-", A), ((0,), (1,), (-1,), (1e300,))),
    "flipped": (Unary("not", A), ((0,), (-0.0,), (1,), (-1,), (2,), (1e-300,))),
    "less": (Binary("<", A, B), COMPARED),
    "at_most": (Binary("<=", A, B), COMPARED),
    "more": (Binary(">", A, B), COMPARED),
    "at_least": (Binary(">=", A, B), COMPARED),
    "equal": (Binary("==", A, B), COMPARED),
    "unequal": (Binary("!=", A, B), COMPARED),
    "both": (Binary("and", Binary("!=", A, Number(0.0)), Binary(">", Binary("/", B, A), Number(1.0))),
             ((0, 0), (0, 5), (2, 5), (2, 1), (-1, -3))),
    "either": (Binary("or", Binary("==", A, Number(0.0)), Binary(">", Binary("/", B, A), Number(1.0))),
               ((0, 0), (0, 5), (2, 5), (2, 1), (-1, -3))),
    "lazily": (tree.Choice(Binary("==", A, Number(0.0)), B, Binary("/", B, A)), ((0, 3), (2, 3), (-2, 3))),
}  # fmt: skip

# What is known to come out differently, in full: program → word → arguments → what the cell shows.
# The rest agrees to the last bit. Both programs round to about 15 digits before they compare or floor.
DEVIATIONS: dict[str, dict[str, dict[Edge, float | str]]] = {
    "LibreOffice": {
        "ceil": {(ABOVE,): 3.0, (-BELOW,): -3.0},
        "floor": {(BELOW,): 3.0},
        "sub": {(1, 1 - 1e-16): 0.0, (0.3, 0.1 + 0.2): 0.0, (1, 1 + 2e-15): 0.0},
        "pow": {(-8, 1 / 3): -2.0, (0.75, 4096): "#NUM!", (0.5, 1074): "#NUM!", (1e-200, 2): "#NUM!"},
        "less": {(1, 1 + 2.3e-16): 0.0},
        "at_most": {(0.1 + 0.2, 0.3): 1.0},
        "more": {(0.1 + 0.2, 0.3): 0.0},
        "at_least": {(1, 1 + 2.3e-16): 1.0},
        "equal": {(1, 1 + 2.3e-16): 1.0, (0.1 + 0.2, 0.3): 1.0},
        "unequal": {(1, 1 + 2.3e-16): 0.0, (0.1 + 0.2, 0.3): 0.0},
    },
    "IronCalc": {
        "ceil": {(ABOVE,): 3.0, (-BELOW,): -3.0},
        "floor": {(BELOW,): 3.0},
        "sub": {(0.3, 0.1 + 0.2): 0.0},
        "pow": {(0, 0): "#NUM!", (-8, 1 / 3): -2.0},
        "flipped": {(1e-300,): 1.0},
        "less": {(1, 1 + 2.3e-16): 0.0},
        "at_most": {(0.1 + 0.2, 0.3): 1.0, (1e15 + 1, 1e15): 1.0, (1e-300, 0): 1.0},
        "more": {(0.1 + 0.2, 0.3): 0.0, (1e15 + 1, 1e15): 0.0, (1e-300, 0): 0.0},
        "at_least": {(1, 1 + 2.3e-16): 1.0},
        "equal": {(1, 1 + 2.3e-16): 1.0, (0.1 + 0.2, 0.3): 1.0, (1e15 + 1, 1e15): 1.0, (1e-300, 0): 1.0},
        "unequal": {(1, 1 + 2.3e-16): 0.0, (0.1 + 0.2, 0.3): 0.0, (1e15 + 1, 1e15): 0.0, (1e-300, 0): 0.0},
    },
}  # fmt: skip

# Where the tree has no answer either, but the error value is another one.
OTHER_ERRORS: dict[str, dict[str, dict[Edge, str]]] = {
    "LibreOffice": {
        "sqrt": dict.fromkeys([(-0.5,), (-1.0,), (-1.5,), (-1e15,)], "Err:502"),
        "log": dict.fromkeys([(0.0,), (-0.5,), (-1.0,), (-1.5,), (-1e15,)], "Err:502"),
        "pow": {(0, -1): "#NUM!"},
    },
    "IronCalc": {"pow": {(10, 309): "#DIV/0!", (1e300, 2): "#DIV/0!"}},
}

LAZY = {"both", "either", "lazily"}
"""Of these the first argument decides whether the second, a division by the first, is looked at."""

PYTHON: dict[str, Callable[..., float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "negated": lambda a: -a,
    "flipped": lambda a: not a,
    "less": lambda a, b: a < b,
    "at_most": lambda a, b: a <= b,
    "more": lambda a, b: a > b,
    "at_least": lambda a, b: a >= b,
    "equal": lambda a, b: a == b,
    "unequal": lambda a, b: a != b,
    "both": lambda a, b: a != 0 and b / a > 1,
    "either": lambda a, b: a == 0 or b / a > 1,
    "lazily": lambda a, b: b if a == 0 else b / a,
} | {name: word.function for name, word in WORDS.items()}


@cache
def cases() -> dict[str, tuple[Alone, tuple[Edge, ...]]]:
    """Name → the word or operator as a formula of a and b, and its edges."""
    nodes: dict[str, tuple[Node, tuple[Edge, ...]]] = dict(OPERATORS)
    for name, word in WORDS.items():
        edges = word.edges + MORE.get(name, ())
        nodes[name] = (Call(name, (A, B)[: len(edges[0])]), edges)
    found = {}
    for name, (node, edges) in nodes.items():
        body = Body(("a", "b")[: len(edges[0])], {}, (), node, Place(name, "vocabulary.py", 1, ()))
        found[name] = (Alone(name, formula_of(name, body)), tuple(tuple(map(float, e)) for e in edges))
    return found


@cache
def proof() -> Proof:
    rows = {name: [dict(zip("ab", e, strict=False)) for e in edges] for name, (_, edges) in cases().items()}
    return proof_workbook({name: alone.formula for name, (alone, _) in cases().items()}, rows)


def in_python(name: str, edge: Edge) -> float | None:
    """Python's own answer, None where it has no finite real one."""
    try:
        found = PYTHON[name](*edge)
    except (ArithmeticError, ValueError):
        return None
    return None if isinstance(found, complex) or not math.isfinite(found) else float(found)


def number(value: Value) -> float | None:
    return None if isinstance(value, Failure) else value


@pytest.mark.parametrize("name", [*WORDS, *OPERATORS])
def test_all_readings_in_python_agree_at_the_edges(name: str) -> None:
    """Function, tree, compiled scalar and compiled array are equal to the last bit, or all have no answer."""
    alone, edges = cases()[name]
    rows = [dict(zip("ab", e, strict=False)) for e in edges]
    arrays = alone.array(rows)
    for edge, row, array in zip(edges, rows, arrays, strict=True):
        wanted = in_python(name, edge)
        if name in LAZY and edge[0] == 0:
            assert array is None, "arrays calculate both branches, and leave what fails in one to the tree"
            array = wanted
        found = (number(alone.tree(row)[""]), alone.scalar(row), array)
        assert found == (wanted, wanted, wanted), f"{name}{edge}"


@pytest.mark.parametrize("name", sorted(WORDS))
def test_arrays_of_one_kind_and_of_mixed_edges_agree(name: str) -> None:
    """The array form gives the same for one element as among others, where one of them has no answer."""
    alone, edges = cases()[name]
    rows = [dict(zip("ab", e, strict=False)) for e in edges]
    assert alone.array(rows) == [alone.array([row])[0] for row in rows]


CODES = [
    ("sqrt", (-1.0,), "#NUM!", "sqrt: `sqrt(a)` has no answer for -1"),
    ("log", (0.0,), "#NUM!", "log: `log(a)` has no answer for 0"),
    ("exp", (710.0,), "#NUM!", "exp: `exp(a)` has no answer for 710"),
    ("div", (1.0, 0.0), "#DIV/0!", "div: divides by zero: `b` is 0"),
    ("div", (1e300, 1e-10), "#NUM!", "div: `a / b` is beyond the largest number"),
    ("mul", (1e300, 1e10), "#NUM!", "mul: `a × b` is beyond the largest number"),
    ("add", (1e308, 1e308), "#NUM!", "add: `a + b` is beyond the largest number"),
    ("pow", (0.0, -1.0), "#DIV/0!", "pow: `a^b` divides by zero"),
    ("pow", (-1.0, 0.5), "#NUM!", "pow: `a^b` has no answer for -1 and 0.5"),
    ("pow", (1e300, 2.0), "#NUM!", "pow: `a^b` has no answer for 1e+300 and 2"),
]


@pytest.mark.parametrize(("name", "edge", "code", "reason"), CODES)
def test_what_has_no_answer_says_why(name: str, edge: Edge, code: str, reason: str) -> None:
    """An element without a number has the error value of its kind and names the piece of the formula."""
    found = cases()[name][0].tree(dict(zip("ab", edge, strict=False)))[""]
    assert isinstance(found, Failure)
    assert (found.code, found.reason) == (code, reason)


def judge(values: Values, by: str) -> None:
    """Compares with the tree to the last bit; what differs must be exactly what the tables say."""
    different: dict[str, dict[Edge, float | str]] = {}
    errors: dict[str, dict[Edge, str]] = {}
    for sheet in proof().sheets:
        alone, edges = cases()[sheet.name]
        for row, edge in enumerate(edges):
            wanted = alone.tree(sheet.samples[row])[""]
            found = values[sheet.title].get(f"{sheet.columns['']}{row + proof().first_row}", "nothing")
            if isinstance(wanted, Failure) and isinstance(found, CellError):
                if found != wanted.code:
                    errors.setdefault(sheet.name, {})[edge] = str(found)
            elif isinstance(wanted, Failure) or not same(wanted, found, sheet.name):
                different.setdefault(sheet.name, {})[edge] = str(found) if isinstance(found, str) else found
    assert different == DEVIATIONS[by]
    assert errors == OTHER_ERRORS[by]


def same(wanted: float, found: float | str, name: str) -> bool:
    """Equal; a power, root or logarithm of another library may differ in the last digit."""
    if isinstance(found, str):
        return False
    return math.isclose(wanted, found, rel_tol=1e-14) if name in {"pow", "exp", "log"} else wanted == found


def test_ironcalc_agrees_but_for_the_table(tmp_path: Path) -> None:
    """IronCalc gives the tree's number at every edge, except what DEVIATIONS lists."""
    judge(ironcalc_engine.values(written(tmp_path)), "IronCalc")


def test_libreoffice_agrees_but_for_the_table(office: Office, tmp_path: Path) -> None:
    """LibreOffice gives the tree's number at every edge, except what DEVIATIONS lists."""
    judge(office.values(written(tmp_path)), "LibreOffice")


def written(folder: Path) -> Path:
    path = folder / "vocabulary.xlsx"
    path.write_bytes(proof().data)
    return path


def test_the_words_are_these() -> None:
    """The vocabulary is closed: a new word needs a decision, edges and this line."""
    assert sorted(WORDS) == ["abs", "ceil", "exp", "floor", "log", "max", "min", "sqrt"]
    assert {name: word.function for name, word in WORDS.items()} == {
        "max": max, "min": min, "abs": abs, "ceil": math.ceil,
        "floor": math.floor, "sqrt": math.sqrt, "exp": math.exp, "log": math.log,
    }  # fmt: skip
    assert {BY_FUNCTION[word.function] for word in WORDS.values()} == set(WORDS)
    assert not set(HINTS) & set(WORDS)


@pytest.mark.parametrize("name", sorted(WORDS))
def test_every_word_names_edges(name: str) -> None:
    """Negative, zero, a half and something huge are among the edges of a word."""
    values = [v for edge in WORDS[name].edges for v in edge]
    assert min(values) < 0 < max(values)
    assert 0.0 in values
    assert max(values) >= 700
    assert any(v != v // 1 for v in values)


UNIT_RULES = [
    ("max", ("second", "second"), "second"),
    ("max", ("second", "byte"), None),
    ("min", ("byte", "byte", "byte"), "byte"),
    ("abs", ("byte/second",), "byte/second"),
    ("ceil", ("second",), "second"),
    ("floor", ("byte",), "byte"),
    ("sqrt", ("byte**2",), "byte"),
    ("sqrt", ("1",), "1"),
    ("exp", ("1",), "1"),
    ("exp", ("second",), None),
    ("log", ("second/second",), "1"),
    ("log", ("byte",), None),
]


@pytest.mark.parametrize(("name", "units", "result"), UNIT_RULES)
def test_unit_rules(name: str, units: tuple[str, ...], result: str | None) -> None:
    """A word's result has the unit that its rule says, or the word refuses."""
    found = WORDS[name].unit([parse(u) for u in units])
    assert found == (None if result is None else PLAIN if result == "1" else parse(result))
