"""Reading a function's source: what becomes which tree, and what is refused with which words."""

from __future__ import annotations

import linecache
import math
from pathlib import Path
from typing import Any

import pytest

from tokensheet.declare import At
from tokensheet.errors import FormulaError
from tokensheet.printing.plain import plain
from tokensheet.reading import Body, read
from tokensheet.tree import Binary, Call, Choice, Name, Named, Number, Unary

HEAD = """\
import functools
import math
from math import ceil, log2
import numpy as np
from tokensheet.constants import SECONDS_PER_HOUR, Constant
from tokensheet.plugin import at, formula

LAYERS = 80
FLAG = True
BIG = Constant("BIG", 5.0, "byte", "a test's own")


def kept(function):
    @functools.wraps(function)
    def inside(*args, **kwargs):
        return function(*args, **kwargs)
    return inside


"""
LINES = HEAD.count("\n")


class Author:
    """Writes functions into a file and reads them, as a plugin's module is read."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "plan.py"

    def function(self, source: str, name: str = "f") -> Any:
        """The function `name` of a module with this text."""
        self.path.write_text(HEAD + source, encoding="utf-8")
        space: dict[str, Any] = {"__name__": "plan"}
        exec(compile(HEAD + source, str(self.path), "exec"), space)
        found = space[name]
        return getattr(found, "function", found)

    def read(self, source: str, name: str = "f") -> Body:
        return read(self.function(source, name))

    def refusal(self, source: str, name: str = "f") -> str:
        """The whole message, with the file's name alone and lines counted from the function."""
        with pytest.raises(FormulaError) as caught:
            self.read(source, name)
        return str(caught.value).replace(str(self.path), "plan.py")


@pytest.fixture
def author(tmp_path: Path) -> Author:
    return Author(tmp_path)


def body(*lines: str, parameters: str = "a, b") -> str:
    return f"def f({parameters}):\n" + "\n".join(f"    {line}" for line in lines) + "\n"


# ---- what is read

A, B = Name("a"), Name("b")
EXPRESSIONS: dict[str, Any] = {
    "a": A,
    "1": Number(1.0),
    "1.5e-3": Number(0.0015),
    "True": Number(1.0),
    "-a": Unary("-", A),
    "+a": A,
    "a - b - 1": Binary("-", Binary("-", A, B), Number(1.0)),
    "a - (b - 1)": Binary("-", A, Binary("-", B, Number(1.0))),
    "a ** b ** 2": Binary("**", A, Binary("**", B, Number(2.0))),
    "-a ** 2": Unary("-", Binary("**", A, Number(2.0))),
    "(-a) ** 2": Binary("**", Unary("-", A), Number(2.0)),
    "a < b": Binary("<", A, B),
    "1 < a <= b": Binary("and", Binary("<", Number(1.0), A), Binary("<=", A, B)),
    "a == b != 1": Binary("and", Binary("==", A, B), Binary("!=", B, Number(1.0))),
    "a and b and 1": Binary("and", Binary("and", A, B), Number(1.0)),
    "a or b and 1": Binary("or", A, Binary("and", B, Number(1.0))),
    "not a": Unary("not", A),
    "a if a > b else b": Choice(Binary(">", A, B), A, B),
    "1 if a else 2 if b else 3": Choice(A, Number(1.0), Choice(B, Number(2.0), Number(3.0))),
    "(1 if a else 2) if b else 3": Choice(B, Choice(A, Number(1.0), Number(2.0)), Number(3.0)),
    "max(a, b, 1)": Call("max", (A, B, Number(1.0))),
    "min(a, b)": Call("min", (A, B)),
    "abs(a)": Call("abs", (A,)),
    "ceil(a)": Call("ceil", (A,)),
    "math.floor(a)": Call("floor", (A,)),
    "math.log(math.exp(math.sqrt(a)))": Call("log", (Call("exp", (Call("sqrt", (A,)),)),)),
    "a / SECONDS_PER_HOUR": Binary(
        "/", A, Named("SECONDS_PER_HOUR", 3600.0, "second/hour", "seconds in an hour")
    ),
    "a + BIG": Binary("+", A, Named("BIG", 5.0, "byte", "a test's own")),
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions(author: Author, text: str) -> None:
    """Python's own precedence, as a tree."""
    assert author.read(body(f"return {text}")).result == EXPRESSIONS[text]


def test_steps_and_docstring(author: Author) -> None:
    """Steps come in order, each by name; the docstring is no step."""
    found = author.read(body('"""Text."""', "one = a + 1", "two = one * b", "return two - one"))
    assert found.parameters == ("a", "b")
    assert [(s.name, plain(s.tree)) for s in found.steps] == [("one", "a + 1"), ("two", "one × b")]
    assert plain(found.result) == "two - one"
    assert found.defaults == {}
    assert (found.place.function, found.place.file, found.place.line) == ("f", str(author.path), LINES + 1)


def test_defaults_of_positional_and_keyword_parameters(author: Author) -> None:
    """Defaults are kept by name, whichever side of the star they stand on."""
    found = author.read(body("return a + b + c + d", parameters='a, b=at("x", y=1), *, c, d=2'))
    assert found.parameters == ("a", "b", "c", "d")
    assert sorted(found.defaults) == ["b", "d"]
    assert isinstance(found.defaults["b"], At)
    assert (found.defaults["b"].node, found.defaults["b"].under) == ("x", {"y": 1})
    assert found.defaults["d"] == 2


def test_annotations_of_parameters_are_allowed(author: Author) -> None:
    """An author may say float; it changes nothing."""
    assert author.read("def f(a: float, b: float) -> float:\n    return a * b\n").result == Binary("*", A, B)


def test_a_step_of_several_lines(author: Author) -> None:
    """Line breaks inside brackets are nothing."""
    assert author.read(body("one = (", "    a", "    + b", ")", "return one")).steps[0].tree == Binary(
        "+", A, B
    )


def test_decorators_do_not_matter(author: Author) -> None:
    """The function is found below its decorators, under `@formula` and without it."""
    text = '@formula(\n    unit="1",\n    source="x",\n)\ndef f(a):\n    """F."""\n    return a\n'
    assert author.read(text).result == A
    assert read(author.function("def f(a):\n    return a\n")).result == A


def test_two_functions_of_one_name(author: Author) -> None:
    """The one that was given is read, not the first of that name."""
    text = "def f(a):\n    return a + 1\n\ng = f\n\ndef f(a):\n    return a + 2\n"
    assert plain(author.read(text, "g").result) == "a + 1"
    assert plain(author.read(text, "f").result) == "a + 2"


def test_a_function_inside_a_function(author: Author) -> None:
    """Formulas made in a factory are read, as long as they use nothing of it."""
    text = "def make():\n    def g(a):\n        return a * 2\n    return g\n\nf = make()\n"
    assert plain(author.read(text).result) == "a × 2"


# ---- what is refused: text of the body → what and hint

GENERAL = "a formula is `name = expression` steps, then one return"
STEPS = "a formula is steps, then one return"
LOOP = "a formula has no loops; find the closed form"
NUMBERS = "a formula sees numbers only; make it an input or a record's field"
COMPARE = "compare numbers with < <= > >= == !="
WORDS = "the words are max, min, abs, math.ceil, math.floor, math.sqrt, math.exp, math.log"

REFUSED: dict[str, tuple[tuple[str, ...], str, str]] = {
    "for loop": (
        ("x = 0", "for i in a:", "    x = x + i", "return x"),
        "`for i in a:` has no cell form",
        LOOP,
    ),
    "while loop": (("while a:", "    b = 1", "return b"), "`while a:` has no cell form", LOOP),
    "if statement": (
        ("if a:", "    x = 1", "return x"),
        "`if a:` has no cell form",
        "write `a if test else b`",
    ),
    "if statement at the end": (
        ("if a:", "    return 1"),
        "`if a:` has no cell form",
        "write `a if test else b`",
    ),
    "augmented": (
        ("a += 1", "return a"),
        "`a += 1` has no cell form",
        "give the new value a name of its own",
    ),
    "reassigned": (
        ("x = a", "x = b", "return x"),
        "x is given a second value",
        "give the new value a name of its own",
    ),
    "parameter reassigned": (
        ("a = b", "return a"),
        "a is given a second value",
        "give the new value a name of its own",
    ),
    "annotated step": (
        ("x: float = a", "return x"),
        "a step has an annotation",
        "leave it out: every step is a number",
    ),
    "declared step": (("x: float", "return a"), "`x: float` has no cell form", GENERAL),
    "tuple assignment": (("x, y = a, b", "return x"), "`x, y = (a, b)` has no cell form", GENERAL),
    "double assignment": (("x = y = a", "return x"), "`x = y = a` has no cell form", GENERAL),
    "walrus": (("return (x := a) + x",), "`(x := a)` has no cell form", GENERAL),
    "return in the middle": (("return a", "return b"), "`return a` has no cell form", GENERAL),
    "import": (("import os", "return a"), "`import os` has no cell form", "import at the top of the module"),
    "import from": (
        ("from os import path", "return a"),
        "`from os import path` has no cell form",
        "import at the top of the module",
    ),
    "pass": (("pass", "return a"), "`pass` has no cell form", GENERAL),
    "assert": (("assert a > 0", "return a"), "`assert a > 0` has no cell form", GENERAL),
    "raise": (("raise ValueError",), "does not end with `return expression`", STEPS),
    "try": (("try:", "    x = a", "finally:", "    pass", "return x"), "`try:` has no cell form", GENERAL),
    "with": (("with a:", "    x = b", "return x"), "`with a:` has no cell form", GENERAL),
    "match": (
        ("match a:", "    case 1:", "        x = 2", "return x"),
        "`match a:` has no cell form",
        GENERAL,
    ),
    "inner function": (("def g(): return a", "return g()"), "`def g():` has no cell form", GENERAL),
    "docstring only": (('"""Text."""',), "is empty", STEPS),
    "no return": (("x = a",), "does not end with `return expression`", STEPS),
    "empty return": (("return",), "does not end with `return expression`", STEPS),
    "an expression alone": (("max(a, b)", "return a"), "`max(a, b)` has no cell form", GENERAL),
    "f-string": (('return f"{a}"',), "`f'{a}'` has no cell form", "a formula sees numbers only"),
    "text": (('return "a"',), "`'a'` has no cell form", GENERAL),
    "none": (("return None",), "`None` has no cell form", GENERAL),
    "complex": (("return 1j * a",), "`1j` has no cell form", GENERAL),
    "attribute": (("return a.real",), "`a.real` has no cell form", GENERAL),
    "constant of math": (("return math.pi * a",), "`math.pi` has no cell form", GENERAL),
    "subscript": (("return a[0]",), "`a[0]` has no cell form", NUMBERS),
    "lambda": (("return (lambda x: x)(a)",), "lambda x: x is not in the vocabulary", WORDS),
    "lambda step": (
        ("x = lambda: a", "return x"),
        "`lambda: a` has no cell form",
        "write the expression itself",
    ),
    "list": (("return max([a, b])",), "max takes two or more plain arguments", "write them out"),
    "comprehension": (("return [x for x in a]",), "`[x for x in a]` has no cell form", LOOP),
    "generator": (("x = (i for i in a)", "return x"), "`(i for i in a)` has no cell form", LOOP),
    "floor division": (("return a // b",), "`a // b` has no cell form", "use math.floor(a / b)"),
    "modulo": (("return a % b",), "`a % b` has no cell form", "write a - b * math.floor(a / b)"),
    "bits": (("return a & b",), "`a & b` has no cell form", "use + - * / **"),
    "inversion": (("return ~a",), "`~a` has no cell form", GENERAL),
    "membership": (("return a in b",), "`a in b` has no cell form", COMPARE),
    "identity": (("return a is b",), "`a is b` has no cell form", COMPARE),
    "star argument": (("return max(*a, b)",), "max takes two or more plain arguments", "write them out"),
    "keyword argument": (
        ("return max(a, b, key=abs)",),
        "max takes two or more plain arguments",
        "write them out",
    ),
    "too few arguments": (("return max(a)",), "max takes two or more plain arguments", "write them out"),
    "too many arguments": (
        ("return math.sqrt(a, b)",),
        "math.sqrt takes 1 plain arguments",
        "write them out",
    ),
    "logarithm to a base": (("return math.log(a, 2)",), "math.log takes 1 plain arguments", "write them out"),
    "unknown call": (("return f(a)",), "f is not in the vocabulary", WORDS),
    "power function": (("return math.pow(a, b)",), "pow is not in the vocabulary", "write x ** y"),
    "builtin pow": (("return pow(a, b)",), "pow is not in the vocabulary", "write x ** y"),
    "sum": (("return sum((a, b))",), "sum is not in the vocabulary", "write the terms with +"),
    "round": (("return round(a)",), "round is not in the vocabulary", "use math.floor(x + 0.5) or math.ceil"),
    "int": (("return int(a)",), "int is not in the vocabulary", "use math.floor"),
    "log2": (("return log2(a)",), "log2 is not in the vocabulary", "write math.log(x) / math.log(2)"),
    "numpy": (("return np.maximum(a, b)",), "np.maximum is not in the vocabulary", WORDS),
    "method": (("return a.max(b)",), "a is a parameter or a step, not a module", "give it another name"),
    "bare module number": (
        ("return a * LAYERS",),
        "LAYERS is a bare number of the module",
        'write LAYERS = Constant("LAYERS", 80, unit, meaning)',
    ),
    "module flag": (
        ("return a * FLAG",),
        "FLAG is neither a parameter nor a step",
        "add it to the parameters, or define it as a step above",
    ),
    "unknown name": (
        ("return a + c",),
        "c is neither a parameter nor a step",
        "add it to the parameters, or define it as a step above",
    ),
    "step before its line": (
        ("x = y", "y = a", "return x"),
        "y is neither a parameter nor a step",
        "add it to the parameters, or define it as a step above",
    ),
    "number too large": (("return a * 1e999",), "`1e309` has no cell form", "write a finite number"),
    "whole number too large": (
        ("return a * 1" + "0" * 400,),
        "`1" + "0" * 400 + "` has no cell form",
        "write a finite number",
    ),
    "infinite constant": (("return a * ENDLESS",), "ENDLESS is not finite", "use UNLIMITED"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(author: Author, case: str) -> None:
    """What has no cell form is refused in one line that says what and what to do instead."""
    lines, what, hint = REFUSED[case]
    text = 'ENDLESS = Constant("ENDLESS", float("inf"), "1", "")\n' + body(*lines)
    assert author.refusal(text).split("\n")[0] == f"f: {what}; {hint}"


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        (
            "def f(*a):\n    return 1\n",
            "takes *args, **kwargs or positional-only parameters",
            "name each parameter after its source",
        ),
        (
            "def f(**a):\n    return 1\n",
            "takes *args, **kwargs or positional-only parameters",
            "name each parameter after its source",
        ),
        (
            "def f(a, /):\n    return a\n",
            "takes *args, **kwargs or positional-only parameters",
            "name each parameter after its source",
        ),
        (
            "f = lambda a: a\n",
            "no `def` of this name stands here",
            "a formula is a plain function, not a lambda",
        ),
        (
            "async def f(a):\n    return a\n",
            "no `def` of this name stands here",
            "a formula is a plain function, not a lambda",
        ),
        (
            "@kept\ndef f(a):\n    return a\n",
            "no `def` of this name stands here",
            "a formula is a plain function, not a lambda",
        ),
        (
            "def make(c):\n    def f(a):\n        return a * c\n    return f\nf = make(2)\n",
            "c is neither a parameter nor a step",
            "closures have no cell form",
        ),
        ("f = math.sqrt\n", "has no source in Python", "a formula is a plain function"),
        ("f = functools.partial(max, 1)\n", "has no source in Python", "a formula is a plain function"),
        (
            "def f(max, a):\n    return max(a, 1)\n",
            "max is a parameter or a step, not a function",
            "give it another name",
        ),
        (
            "def f(math, a):\n    return math.floor(a)\n",
            "math is a parameter or a step, not a module",
            "give it another name",
        ),
        (
            "def f(a):\n    ceil = a + 1\n    return ceil(a)\n",
            "ceil is a parameter or a step, not a function",
            "give it another name",
        ),
    ],
)
def test_refused_functions(author: Author, text: str, what: str, hint: str) -> None:
    """What is no plain function of named numbers is refused as a whole."""
    found = author.refusal(text).split("\n")[0]
    assert found.partition(": ")[2] == f"{what}; {hint}"


def test_a_function_without_a_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text that was executed has no source to read."""
    space: dict[str, Any] = {}
    text = "def f(a):\n    return a\n"
    exec(text, space)
    # As Python 3.13 keeps the text of `python -c`, which is another one of the same name.
    monkeypatch.setitem(
        linecache.cache, "<string>", (len(text), None, text.replace("a", "b").splitlines(True), "<string>")
    )
    with pytest.raises(FormulaError) as caught:
        read(space["f"])
    assert str(caught.value) == (
        "f: its source is not in a file; define it in a module, not in exec or a prompt\n  <string>:1"
    )


# ---- whole messages: file, line, caret

WHOLE = {
    "an expression inside a step": (
        body("one = a + 1", "two = one * (b // 2) + 3", "return two"),
        f"""\
f: `b // 2` has no cell form; use math.floor(a / b)
  plan.py:{LINES + 3}
        two = one * (b // 2) + 3
                     ^^^^^^""",
    ),
    "a call": (
        body("return 2 * round(a, 2)"),
        f"""\
f: round is not in the vocabulary; use math.floor(x + 0.5) or math.ceil
  plan.py:{LINES + 2}
        return 2 * round(a, 2)
                   ^^^^^^^^^^^""",
    ),
    "a statement of several lines": (
        body("for i in range(3):", "    x = i", "return x"),
        f"""\
f: `for i in range(3):` has no cell form; a formula has no loops; find the closed form
  plan.py:{LINES + 2}
        for i in range(3):
        ^""",
    ),
    "a name": (
        body("return a * batches"),
        f"""\
f: batches is neither a parameter nor a step; add it to the parameters, or define it as a step above
  plan.py:{LINES + 2}
        return a * batches
                   ^^^^^^^""",
    ),
    "letters beyond ASCII on the line": (
        "def f(a, größe):\n    return größe * a[0]\n",
        f"""\
f: `a[0]` has no cell form; a formula sees numbers only; make it an input or a record's field
  plan.py:{LINES + 2}
        return größe * a[0]
                       ^^^^""",
    ),
    "a function as a whole": (
        "@formula(unit='1', source='x')\ndef f(*numbers):\n    return 1\n",
        f"""\
f: takes *args, **kwargs or positional-only parameters; name each parameter after its source
  plan.py:{LINES + 2}
    def f(*numbers):
    ^""",
    ),
}


@pytest.mark.parametrize("case", WHOLE)
def test_whole_messages(author: Author, case: str) -> None:
    """File, line, the line itself and a caret below the very piece."""
    text, message = WHOLE[case]
    assert author.refusal(text) == message


def test_what_is_read_is_what_runs(author: Author) -> None:
    """The tree and the function are two readings of one text: an edge of each is the same number."""
    function = author.function(body("x = max(a, b) if a != b else -1", "return x ** 2 - a / 4"))
    assert function(3.0, 2.0) == 3.0**2 - 3.0 / 4
    assert plain(read(function).result) == "x^2 - a / 4"
    assert math.isfinite(function(1.0, 1.0))
