"""Reads the source of a formula's function into expression trees, one a step and one for the result."""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from tokensheet import tree
from tokensheet.constants import Constant
from tokensheet.source import Place, found, span_of
from tokensheet.tree import Node, Span
from tokensheet.vocabulary import BY_FUNCTION, HINTS, WORDS

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.And: "and",
    ast.Or: "or",
}

REFUSED: dict[type[ast.AST], str] = {
    ast.If: "write `a if test else b`",
    ast.For: "a formula has no loops; find the closed form",
    ast.While: "a formula has no loops; find the closed form",
    ast.AugAssign: "give the new value a name of its own",
    ast.Subscript: "a formula sees numbers only; make it an input or a record's field",
    ast.JoinedStr: "a formula sees numbers only",
    ast.Lambda: "write the expression itself",
    ast.ListComp: "a formula has no loops; find the closed form",
    ast.GeneratorExp: "a formula has no loops; find the closed form",
    ast.Import: "import at the top of the module",
    ast.ImportFrom: "import at the top of the module",
    ast.FloorDiv: "use math.floor(a / b)",
    ast.Mod: "write a - b * math.floor(a / b)",
}


@dataclass(frozen=True, slots=True)
class Step:
    """A named intermediate result: a row of the workbook of its own."""

    name: str
    tree: Node
    span: Span


@dataclass(frozen=True, slots=True)
class Body:
    """What was read: parameters with defaults, steps, result, and where the function stands."""

    parameters: tuple[str, ...]
    defaults: Mapping[str, Any]
    steps: tuple[Step, ...]
    result: Node
    place: Place

    def surely(self) -> frozenset[str]:
        """Parameters that are read whatever branches the conditionals take."""
        read = tree.strict_names(self.result)
        for step in reversed(self.steps):
            if step.name in read:
                read |= tree.strict_names(step.tree)
        return frozenset(read & set(self.parameters))


def read(function: Callable[..., Any]) -> Body:
    """The trees of a formula's function.

    Raises:
        FormulaError: the source is not at hand, or a piece of it has no cell form.
    """
    node, place = found(function)
    return _Reader(place, function.__globals__, function.__closure__ is not None).body(node, function)


class _Reader:
    def __init__(self, place: Place, scope: Mapping[str, Any], closure: bool) -> None:
        self.place, self.scope, self.closure = place, scope, closure
        self.known: set[str] = set()

    def fail(self, node: ast.AST, what: str, hint: str) -> NoReturn:
        raise self.place.error(span_of(node), what, hint)

    def body(self, node: ast.FunctionDef, function: Callable[..., Any]) -> Body:
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.posonlyargs:
            self.fail(
                node,
                "takes *args, **kwargs or positional-only parameters",
                "name each parameter after its source",
            )
        parameters = tuple(a.arg for a in (*arguments.args, *arguments.kwonlyargs))
        defaults = dict(
            zip(
                reversed(parameters[: len(arguments.args)]),
                reversed(function.__defaults__ or ()),
                strict=False,
            )
        )
        defaults |= function.__kwdefaults__ or {}
        self.known = set(parameters)
        statements = node.body[1:] if ast.get_docstring(node) is not None else node.body
        steps: list[Step] = []
        for statement in statements[:-1]:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    if name in self.known:
                        self.fail(
                            statement,
                            f"{name} is given a second value",
                            "give the new value a name of its own",
                        )
                    steps.append(Step(name, self.node(value), span_of(statement)))
                    self.known.add(name)
                case ast.AnnAssign(target=ast.Name(), value=ast.expr()):
                    self.fail(statement, "a step has an annotation", "leave it out: every step is a number")
                case _:
                    self.refuse(statement)
        match statements[-1:]:
            case [ast.Return(value=ast.expr() as value)]:
                return Body(parameters, defaults, tuple(steps), self.node(value), self.place)
            case [last]:
                if type(last) in REFUSED:
                    self.refuse(last)
                self.fail(
                    last, "does not end with `return expression`", "a formula is steps, then one return"
                )
            case _:
                self.fail(node, "is empty", "a formula is steps, then one return")

    def refuse(self, node: ast.AST) -> NoReturn:
        text = ast.unparse(node).split("\n")[0]
        self.fail(
            node,
            f"`{text}` has no cell form",
            REFUSED.get(type(node), "a formula is `name = expression` steps, then one return"),
        )

    def node(self, n: ast.expr) -> Node:
        span = span_of(n)
        match n:
            case ast.Constant(value=bool(v)):
                return tree.Number(float(v), span)
            case ast.Constant(value=int() | float() as v):
                if abs(v) > sys.float_info.max:
                    self.fail(n, f"`{ast.unparse(n)}` has no cell form", "write a finite number")
                return tree.Number(float(v), span)
            case ast.Name(id=name):
                return self.name(n, name)
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return tree.Unary("-", self.node(a), span)
            case ast.UnaryOp(op=ast.UAdd(), operand=a):
                return self.node(a)
            case ast.UnaryOp(op=ast.Not(), operand=a):
                return tree.Unary("not", self.node(a), span)
            case ast.BinOp(left=a, op=op, right=b):
                if type(op) not in OPERATORS:
                    self.fail(
                        n, f"`{ast.unparse(n)}` has no cell form", REFUSED.get(type(op), "use + - * / **")
                    )
                return tree.Binary(OPERATORS[type(op)], self.node(a), self.node(b), span)
            case ast.BoolOp(op=op, values=values):
                return self.logic(n, OPERATORS[type(op)], [self.node(v) for v in values])
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self.comparison(n, left, ops, others)
            case ast.IfExp(test=t, body=a, orelse=b):
                return tree.Choice(self.node(t), self.node(a), self.node(b), span)
            case ast.Call(func=f, args=args, keywords=keywords):
                return self.call(n, f, args, keywords)
            case _:
                self.refuse(n)

    def name(self, n: ast.Name, name: str) -> Node:
        if name in self.known:
            return tree.Name(name, span_of(n))
        value = self.scope.get(name)
        if isinstance(value, Constant):
            if not math.isfinite(value):
                self.fail(n, f"{name} is not finite", "use UNLIMITED")
            return tree.Named(value.name, float(value), value.unit, value.text, span_of(n))
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            self.fail(
                n,
                f"{name} is a bare number of the module",
                f'write {name} = Constant("{name}", {value!r}, unit, meaning)',
            )
        hint = (
            "closures have no cell form"
            if self.closure
            else "add it to the parameters, or define it as a step above"
        )
        self.fail(n, f"{name} is neither a parameter nor a step", hint)

    def logic(self, n: ast.expr, op: str, parts: list[Node]) -> Node:
        whole = parts[0]
        for part in parts[1:]:
            whole = tree.Binary(op, whole, part, span_of(n))
        return whole

    def comparison(self, n: ast.expr, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]) -> Node:
        pairs: list[Node] = []
        for op, other in zip(ops, others, strict=True):
            if type(op) not in OPERATORS:
                self.fail(n, f"`{ast.unparse(n)}` has no cell form", "compare numbers with < <= > >= == !=")
            pairs.append(tree.Binary(OPERATORS[type(op)], self.node(left), self.node(other), span_of(n)))
            left = other
        return self.logic(n, "and", pairs)

    def call(self, n: ast.Call, f: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> Node:
        match f:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name)) if name in self.known:
                kind = "function" if isinstance(f, ast.Name) else "module"
                self.fail(n, f"{name} is a parameter or a step, not a {kind}", "give it another name")
            case ast.Name(id=name):
                function = self.scope.get(name, _BUILTINS.get(name))
            case ast.Attribute(value=ast.Name(id=base), attr=name) if self.scope.get(base) is math:
                function = getattr(math, name, None)
            case _:
                name, function = ast.unparse(f), None
        try:
            word = BY_FUNCTION.get(function)
        except TypeError:
            word = None
        if word is None:
            known = ", ".join(w.python for w in WORDS.values())
            self.fail(n, f"{name} is not in the vocabulary", HINTS.get(name, f"the words are {known}"))
        low, high = WORDS[word].arity
        if (
            keywords
            or any(isinstance(a, ast.Starred) for a in args)
            or not low <= len(args) <= (high or len(args))
        ):
            self.fail(
                n,
                f"{WORDS[word].python} takes {'two or more' if high is None else low} plain arguments",
                "write them out",
            )
        return tree.Call(word, tuple(self.node(a) for a in args), span_of(n))


_BUILTINS: dict[str, Any] = {"max": max, "min": min, "abs": abs}
