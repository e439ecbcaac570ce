"""What passes a value beyond all floats on, so that looking at the end of a calculation is enough."""

from __future__ import annotations

import math

import pytest

from tokensheet.printing.python import carried, scalar_code
from tokensheet.tree import Binary, Call, Choice, Name, Node, Number, Unary

A, B, C = map(Name, "abc")
CASES: list[tuple[Node, set[str]]] = [
    (Binary("-", Binary("+", A, B), C), {"a", "b", "c"}),
    (Binary("*", A, B), {"a", "b"}),
    (Binary("/", Unary("-", A), B), {"a"}),
    (Binary("/", A, Binary("+", B, C)), {"a"}),
    (Binary("+", Call("max", (A, B)), C), {"c"}),
    (Binary("**", A, B), set()),
    (Binary("<", A, B), set()),
    (Choice(Binary(">", C, Number(0.0)), Binary("+", A, B), Binary("*", A, C)), {"a"}),
    (Binary("+", Binary("*", Call("min", (A, Number(1.0))), B), C), {"b", "c"}),
]


@pytest.mark.parametrize(("tree", "names"), CASES)
def test_what_is_said_to_pass_on_does(tree: Node, names: set[str]) -> None:
    """With inf or nan in a name that passes on, the value is none."""
    assert carried(tree) == names
    words = {"max": max, "min": min, "pow": math.pow}
    code = scalar_code(tree, {name: name for name in "abc"})
    for name in "abc":
        answers = [
            eval(code, words, {**dict.fromkeys("abc", other), name: beyond})
            for beyond in (math.inf, -math.inf, math.nan)
            for other in (0.5, 2.0)
        ]
        if name in carried(tree):
            assert not any(map(math.isfinite, answers)), name
