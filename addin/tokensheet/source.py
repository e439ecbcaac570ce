"""Where a formula's function stands: its `def` in the text of its file, and errors with line and caret."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tokensheet.errors import FormulaError
from tokensheet.tree import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Place:
    """A function's place in its file, for messages with line and caret."""

    function: str
    file: str
    line: int
    lines: tuple[str, ...]

    def error(self, span: Span, what: str, hint: str) -> FormulaError:
        """The error at one place of the source, with file, line, caret and hint."""
        line = span.line or self.line
        text = self.lines[line - 1].rstrip("\n") if 0 < line <= len(self.lines) else ""
        column, end = (len(text.encode()[:at].decode(errors="ignore")) for at in (span.column, span.end))
        caret = " " * column + "^" * max(1, end - column)
        shown = f"\n    {text}\n    {caret}" if text else ""
        return FormulaError(f"{self.function}: {what}; {hint}\n  {self.file}:{line}{shown}")


def found(function: Callable[..., Any]) -> tuple[ast.FunctionDef, Place]:
    """The `def` of a function and its place.

    Raises:
        FormulaError: the source is not at hand.
    """
    code = getattr(function, "__code__", None)
    if code is None:
        name = getattr(function, "__name__", type(function).__name__)
        raise FormulaError(f"{name}: has no source in Python; a formula is a plain function")
    # All text given to exec is called so, and from Python 3.13 on that of `python -c`: it may be another function's.
    somewhere = code.co_filename != "<string>"
    lines = tuple(linecache.getlines(code.co_filename, function.__globals__)) if somewhere else ()
    place = Place(function.__name__, code.co_filename, code.co_firstlineno, lines)
    if not lines:
        raise place.error(
            NOWHERE, "its source is not in a file", "define it in a module, not in exec or a prompt"
        )
    node = _functions("".join(lines)).get((function.__name__, code.co_firstlineno))
    if node is None:
        raise place.error(
            NOWHERE, "no `def` of this name stands here", "a formula is a plain function, not a lambda"
        )
    return node, place


@lru_cache(maxsize=64)
def _functions(source: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions of a module by name and line, that of the first decorator and that of `def`."""
    found: dict[tuple[str, int], ast.FunctionDef] = {}
    for node in _definitions(ast.parse(source)):
        for line in (node.lineno, *(d.lineno for d in node.decorator_list)):
            found.setdefault((node.name, line), node)
    return found


def _definitions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """Functions at any depth of blocks and bodies; expressions hold none."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            continue
        if isinstance(child, ast.FunctionDef):
            yield child
        yield from _definitions(child)


def span_of(node: ast.AST) -> Span:
    """The piece of text that a node was read from."""
    if not isinstance(node, (ast.expr, ast.stmt)):
        return NOWHERE
    column, end = node.col_offset, node.end_col_offset
    return Span(
        node.lineno, column, end if end is not None and node.end_lineno == node.lineno else column + 1
    )
