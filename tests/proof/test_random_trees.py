"""Random formulas in all readings: a wrong precedence, bracket or rounding anywhere would show."""

from __future__ import annotations

import ast
import importlib.util
import random
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from tests.proof.deviations import deviation
from tests.tools import ironcalc_engine
from tests.tools.office import Office, Values
from tests.tools.trees import formula_of
from tokensheet import constants, tree
from tokensheet.checking import check_truths
from tokensheet.formula import Formula
from tokensheet.reading import Body, Step
from tokensheet.source import Place
from tokensheet.testing import Report
from tokensheet.testing.agreement import compare
from tokensheet.testing.alone import Alone
from tokensheet.testing.check import checked
from tokensheet.tree import Binary, Call, Choice, Name, Named, Node, Number, Unary
from tokensheet.vocabulary import WORDS
from tokensheet.workbook.proof import Proof, proof_workbook

COUNT, ROWS, DEPTH = 300, 12, 5
NAMES = ("a", "b", "c", "d", "e")
NOWHERE = Place("random", "random.py", 1, ())
CONSTANTS = (constants.FLOPS_PER_MAC, constants.MONTHS_PER_YEAR)


class Grower:
    """Grows trees of the whole vocabulary that pass the checks at load."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def number(self, depth: int) -> Node:
        """A tree whose value is a number."""
        kind = self.rng.choice(
            ("sum", "sum", "product", "product", "power", "call", "choice", "minus", "truth")
        )
        if depth == 0 or self.rng.random() < 0.1:
            return self.leaf()
        below = depth - 1
        match kind:
            case "sum":
                return Binary(self.rng.choice("+-"), self.number(below), self.number(below))
            case "product":
                return Binary(self.rng.choice("*/"), self.number(below), self.number(below))
            case "power":
                exponent = self.rng.choice((Number(2.0), Number(3.0), Unary("-", Number(1.0)), self.leaf()))
                return Binary("**", self.number(min(below, 2)), exponent)
            case "call":
                word = self.rng.choice([w for w in WORDS if w != "exp"])
                count = self.rng.choice((2, 3)) if WORDS[word].arity[1] is None else 1
                return Call(word, tuple(self.number(below) for _ in range(count)))
            case "choice":
                return Choice(self.test(below), self.number(below), self.number(below))
            case "minus":
                return Unary("-", self.number(below))
            case _:
                return self.truth(below)

    def truth(self, depth: int) -> Node:
        """A tree whose value is 0 or 1 by its form."""
        below = max(0, depth - 1)
        kind = self.rng.choice(("comparison", "logic", "not"))
        if kind == "logic" and depth > 0:
            return Binary(self.rng.choice(("and", "or")), self.truth(below), self.truth(below))
        if kind == "not":
            return Unary("not", self.test(below))
        op = self.rng.choice(sorted(tree.COMPARISONS))
        return Binary(op, self.number(below), self.number(below))

    def test(self, depth: int) -> Node:
        """A tree that stands as a condition: here `a and b` of plain numbers is allowed."""
        below = max(0, depth - 1)
        if depth > 0 and self.rng.random() < 0.4:
            return Binary(self.rng.choice(("and", "or")), self.test(below), self.test(below))
        return self.truth(below) if self.rng.random() < 0.6 else self.number(below)

    def leaf(self) -> Node:
        """A name, a literal or a constant."""
        if self.rng.random() < 0.65:
            return Name(self.rng.choice(NAMES))
        if self.rng.random() < 0.15:
            constant = self.rng.choice(CONSTANTS)
            return Named(constant.name, float(constant), constant.unit, constant.text)
        return Number(self.rng.choice((0.0, 0.5, 1.0, 2.0, 3.0, 7.0, 10.0, 0.1, 1e6)))

    def row(self) -> dict[str, float]:
        """Numbers for all names: small, of both signs, often equal or whole."""
        values = (-3.0, -1.5, -1.0, 0.0, 0.25, 1.0, 2.0, 2.5, 5.0, 1e-3, 1e3)
        row = {n: self.rng.choice(values) for n in NAMES}
        for name in NAMES:
            if self.rng.random() < 0.5:
                row[name] = self.rng.uniform(-10, 10)
        return row


@cache
def trees() -> list[Node]:
    grower = Grower(7)
    return [grower.number(DEPTH) for _ in range(COUNT)]


@cache
def rows() -> tuple[dict[str, float], ...]:
    grower = Grower(8)
    return tuple(grower.row() for _ in range(ROWS))


def syntax(node: Node) -> ast.expr:
    """The tree as Python's own syntax tree, which Python itself writes with the brackets it needs."""
    signs: dict[str, ast.operator] = {
        "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div(), "**": ast.Pow()
    }  # fmt: skip
    comparisons: dict[str, ast.cmpop] = {
        "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(), "==": ast.Eq(), "!=": ast.NotEq()
    }  # fmt: skip
    match node:
        case Number(value=v):
            return ast.Constant(v)
        case Named(name=n) | Name(id=n):
            return ast.Name(n)
        case Unary(op=op, operand=a):
            return ast.UnaryOp(ast.USub() if op == "-" else ast.Not(), syntax(a))
        case Binary(op=op, left=a, right=b) if op in tree.LOGIC:
            return ast.BoolOp(ast.And() if op == "and" else ast.Or(), [syntax(a), syntax(b)])
        case Binary(op=op, left=a, right=b) if op in comparisons:
            return ast.Compare(syntax(a), [comparisons[op]], [syntax(b)])
        case Binary(op=op, left=a, right=b):
            return ast.BinOp(syntax(a), signs[op], syntax(b))
        case Choice(test=t, then=a, otherwise=b):
            return ast.IfExp(syntax(t), syntax(a), syntax(b))
        case Call(word=word, args=args):
            return ast.Call(ast.Name(WORDS[word].python), [syntax(a) for a in args], [])


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """All trees as functions of one module, written by `ast.unparse`."""
    lines = ["import math", "from tokensheet.constants import FLOPS_PER_MAC, MONTHS_PER_YEAR"]
    lines += ["from tokensheet.plugin import formula"]
    for i, node in enumerate(trees()):
        lines += [f'@formula(unit="1", source="random")\ndef t{i}({", ".join(NAMES)}):\n    "Random."']
        lines += [f"    return {ast.unparse(syntax(node))}"]
    path = tmp_path_factory.mktemp("random") / "random_trees.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location("random_trees", path)
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_trees_read_back_from_python_are_the_same(module: ModuleType) -> None:
    """Reading what Python writes for a tree gives the tree, whatever brackets it needs."""
    read = [getattr(module, f"t{i}").body.result for i in range(COUNT)]
    wrong = [ast.unparse(syntax(t)) for i, t in enumerate(trees()) if read[i] != t]
    assert wrong == []
    for node in trees():
        check_truths(node, NOWHERE)


@pytest.mark.slow
def test_functions_trees_and_compiled_code_agree(module: ModuleType) -> None:
    """Python's own answer is the tree's and the compiled code's, errors included."""
    compared = 0
    for i, node in enumerate(trees()):
        formula: Formula = getattr(module, f"t{i}")
        known = [row for row in rows() if deviation(node, row) is None]
        compared += checked(Alone(f"t{i}", formula), known).compared
    assert compared > COUNT * ROWS


@cache
def proof() -> Proof:
    """One sheet: each tree is a column."""
    steps = tuple(Step(f"t{i}", node, tree.NOWHERE) for i, node in enumerate(trees()))
    formula = formula_of("random", Body(NAMES, {}, steps, Number(0.0), NOWHERE))
    return proof_workbook({"random": formula}, {"random": rows()})


def minus_of_product(node: Node) -> bool:
    """IronCalc drops the brackets of `-(a*b)` and `-(a/b)` when it loads a file, and then reads -a*b."""
    return any(
        isinstance(n, Unary) and n.op == "-" and isinstance(n.operand, Binary) and n.operand.op in {"*", "/"}
        for n in tree.walk(node)
    )


def judge(values: Values, by: str) -> None:
    report, sheet = Report(), proof().sheets[0]
    for i, node in enumerate(trees()):
        alone = Alone(f"t{i}", formula_of(f"t{i}", Body(NAMES, {}, (), node, NOWHERE)))
        for row, inputs in enumerate(rows()):
            found = values[sheet.title].get(f"{sheet.columns[f't{i}']}{row + proof().first_row}")
            compare(report, alone, inputs, alone.tree(inputs), "", found, by)
    assert report.compared == COUNT * ROWS
    unexplained = []
    for line in report.problems:
        name = line.partition(": ")[0]
        pairs = (pair.split("=") for pair in line.rpartition(" at ")[2].split(", "))
        node = trees()[int(name[1:])]
        if by == "IronCalc" and minus_of_product(node):
            continue
        if deviation(node, {k: float(v) for k, v in pairs}) is None:
            unexplained.append(f"{line}\n    {ast.unparse(syntax(node))}")
    assert unexplained == []
    assert len(report.edges) + len(report.problems) < 0.02 * report.compared
    assert report.errors < 0.5 * report.compared


def test_ironcalc_agrees(tmp_path: Path) -> None:
    """IronCalc reads the printed text as the tree means it."""
    judge(ironcalc_engine.values(written(tmp_path)), "IronCalc")


@pytest.mark.slow
def test_libreoffice_agrees(office: Office, tmp_path: Path) -> None:
    """LibreOffice reads the printed text as the tree means it."""
    judge(office.values(written(tmp_path)), "LibreOffice")


def written(folder: Path) -> Path:
    path = folder / "random.xlsx"
    path.write_bytes(proof().data)
    return path
