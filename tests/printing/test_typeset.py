"""Typeset mathematics says what the tree says: read back as a person reads it, it has the same value."""

from __future__ import annotations

import ast
import math

import pytest

import tokensheet
from tests.conftest import Golden
from tests.proof.test_random_trees import rows, syntax, trees
from tests.tools import mathml_reader
from tokensheet import tree
from tokensheet.failure import Failure, Value
from tokensheet.printing import latex, mathml
from tokensheet.printing.typeset import typeset
from tokensheet.tree import Binary, Call, Choice, Name, Named, Node, Number, Unary
from tokensheet.tree_walk import calculate
from tokensheet.vocabulary import WORDS

A, B, C, D = map(Name, "abcd")
PLANNER = tokensheet.planner()
SHOWN = ("decode_latency", "max_batch", "erlang_c", "ring_time", "fits", "queue_time_cv", "api_request_cost")
"""Formulas whose typeset form stands in the golden file."""

CASES: list[tuple[str, Node, str]] = [
    ("product", Binary("*", Binary("*", A, B), C), r"a \times b \times c"),
    ("product in a product", Binary("*", A, Binary("*", B, C)), r"a \times \left( b \times c \right)"),
    ("sum in a product", Binary("*", Binary("+", A, B), C), r"\left( a + b \right) \times c"),
    ("sum in a difference", Binary("-", A, Binary("+", B, C)), r"a-\left( b + c \right)"),
    ("difference in a sum", Binary("+", Binary("-", A, B), C), r"a-b + c"),
    ("quotient", Binary("/", Binary("+", A, B), Binary("-", C, D)), r"\frac{a + b}{c-d}"),
    ("chain", Binary("/", Binary("*", Binary("/", A, B), C), D), r"\frac{a \times c}{b \times d}"),
    ("quotient below", Binary("/", A, Binary("/", B, C)), r"\frac{a}{\frac{b}{c}}"),
    ("factor that is a quotient", Binary("*", A, Binary("/", B, C)), r"a \times \frac{b}{c}"),
    ("power of a power", Binary("**", Binary("**", A, B), C), r"\left( a^{b} \right)^{c}"),
    ("power in an exponent", Binary("**", A, Binary("**", B, C)), r"a^{b^{c}}"),
    ("power of a quotient", Binary("**", Binary("/", A, B), C), r"\left( \frac{a}{b} \right)^{c}"),
    ("power of a minus", Binary("**", Unary("-", A), B), r"\left( -a \right)^{b}"),
    ("minus of a power", Unary("-", Binary("**", A, B)), r"-a^{b}"),
    ("minus of a product", Unary("-", Binary("*", A, B)), r"-\left( a \times b \right)"),
    ("minus in a product", Binary("*", A, Unary("-", B)), r"a \times \left( -b \right)"),
    ("minus of a minus", Unary("-", Unary("-", A)), r"-\left( -a \right)"),
    ("power of a call", Binary("**", Call("max", (A, B)), C), r"\left( \max\left( a,\ b \right) \right)^{c}"),
    ("smallest of three", Call("min", (A, Binary("+", B, C), D)), r"\min\left( a,\ b + c,\ d \right)"),
    ("power of a ceiling", Binary("**", Call("ceil", (A,)), B), r"\left\lceil a \right\rceil^{b}"),
    ("root, floor, size", Call("sqrt", (Call("floor", (Call("abs", (A,)),)),)),
     r"\sqrt{\left\lfloor \left\vert a \right\vert \right\rfloor}"),
    ("logarithm", Binary("*", Call("log", (Binary("+", A, B),)), Call("exp", (C,))),
     r"\ln\left( a + b \right) \times \exp\left( c \right)"),
    ("large number", Binary("*", A, Number(1e300)), r"a \times 10^{300}"),
    ("power of a small number", Binary("**", Number(2.5e-7), A), r"\left( 2.5 \times 10^{-7} \right)^{a}"),
    ("constant", Binary("/", A, Named("SECONDS_PER_HOUR", 3600.0, "second/hour", "")),
     r"\frac{a}{\mathrm{SECONDS\_PER\_HOUR}}"),
    ("truth as a number", Binary("*", Binary("<", A, B), C), r"\left[ a < b \right] \times c"),
    ("number as a truth", Choice(A, B, C),
     r"\begin{cases} b & \text{if } a \ne 0 \\ c & \text{otherwise} \end{cases}"),
    ("not a number", Choice(Unary("not", A), B, C),
     r"\begin{cases} b & \text{if } a = 0 \\ c & \text{otherwise} \end{cases}"),
    ("choices in a row", Choice(Binary("<", A, B), A, Choice(Binary(">=", A, C), B, D)),
     r"\begin{cases} a & \text{if } a < b \\ b & \text{if } a \ge c \\ d & \text{otherwise} \end{cases}"),
    ("choice in a sum", Binary("+", Choice(A, B, C), D),
     r"\left( \begin{cases} b & \text{if } a \ne 0 \\ c & \text{otherwise} \end{cases} \right) + d"),
    ("logic", Binary("and", Binary("or", Binary("<", A, B), Binary("==", A, C)), Unary("not", Binary(">", A, D))),
     r"\left[ \left( a < b\text{ or }a = c \right)\text{ and }\text{ not }\left( a > d \right) \right]"),
]  # fmt: skip


@pytest.mark.parametrize(("node", "text"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_brackets_bars_and_braces(node: Node, text: str) -> None:
    """Letters stand for names, which LaTeX writes upright."""
    assert latex.latex(typeset(node)).replace("\\mathrm{a}", "a").replace("\\mathrm{b}", "b").replace(
        "\\mathrm{c}", "c"
    ).replace("\\mathrm{d}", "d") == text  # fmt: skip


def test_every_word_and_sign_is_among_the_cases() -> None:
    seen = {n.word for _, node, _ in CASES for n in tree.walk(node) if isinstance(n, Call)}
    signs = {n.op for _, node, _ in CASES for n in tree.walk(node) if isinstance(n, Binary)}
    assert seen == set(WORDS)
    assert signs >= tree.ARITHMETIC | tree.LOGIC


def same(a: Value, b: Value) -> bool:
    if isinstance(a, Failure) or isinstance(b, Failure):
        return isinstance(a, Failure) and isinstance(b, Failure)
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def test_random_trees_read_back_have_the_same_value() -> None:
    """Also where a bar brings the factors of a chain together."""
    apart = []
    for node in trees():
        name, read = mathml_reader.equation(mathml.equation("t", node))
        assert name == "t"
        for row in rows():
            values = {**row, "FLOPS_PER_MAC": 2.0, "MONTHS_PER_YEAR": 12.0}
            if not same(calculate(node, row.__getitem__, "t"), calculate(read, values.__getitem__, "t")):
                apart.append(f"{ast.unparse(syntax(node))} at {row}")
    assert apart == []


@pytest.mark.parametrize("name", sorted(PLANNER.registry.formulas()))
def test_every_formula_is_typeset_as_it_is_meant(name: str) -> None:
    """Read back, the typeset form is typeset the same again, and reads the same names."""
    body = PLANNER.registry.formulas()[name].body
    for step, node in (*((s.name, s.tree) for s in body.steps), (name, body.result)):
        text = mathml.equation(step, node)
        shown, read = mathml_reader.equation(text)
        constants = {n.name for n in tree.walk(node) if isinstance(n, Named)}
        assert shown == step and mathml.equation(step, read) == text
        assert set(tree.names(read)) == set(tree.names(node)) | constants


def test_names_are_shown_as_the_page_wants_them() -> None:
    text = mathml.equation(
        "x_y", Binary("<", Name("k"), Name("a_b")), lambda name: f'<a href="#{name}">{name}</a>'
    )
    assert (
        '<mi mathvariant="normal"><a href="#k">k</a></mi><mo>&lt;</mo><mi><a href="#a_b">a_b</a></mi>' in text
    )


def test_typeset_formulas(golden: Golden) -> None:
    lines = []
    for name in SHOWN:
        body = PLANNER.registry.formulas()[name].body
        steps = [*((s.name, s.tree) for s in body.steps), (name, body.result)]
        lines += [mathml.equation(*step) for step in steps] + [latex.equations(steps), ""]
    golden("typeset.txt", "\n".join(lines))
