"""Answers in the terminal: `eval` for a cell's text, `explain` for the calculation behind one function call."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tokensheet.cli.help import WINDOWS, examples

if TYPE_CHECKING:
    from tokensheet.celltext import FunctionCall
    from tokensheet.cli.commands import CommandOptions
    from tokensheet.functions import Functions


@click.command(
    "eval",
    short_help="Answer a cell's text.",
    epilog=examples(
        """tokensheet eval '=KV_BYTES("llama-2-70b",4096,8)'""",
        """tokensheet eval '=DECODE_LATENCY("llama-3.1-70b","h100-sxm-80gb",8,4096,16,"weights=fp8")'""",
        "tokensheet eval - < cells.txt",
        note=WINDOWS,
    ),
)
@click.argument("text")
@click.pass_obj
def evaluate(options: CommandOptions, text: str) -> None:
    """Answer a cell's text, such as '=KV_BYTES("llama-2-70b",4096,8)'; - reads one a line from standard input."""
    from tokensheet.functions import Functions

    functions = Functions(options.planner())
    if text != "-":
        shown, failed = answer(text, functions)
        click.echo(shown)
        if not failed:
            warn(text, functions)
        sys.exit(1 if failed else 0)
    for line in sys.stdin:
        line = line.removeprefix("\ufeff")  # a mark that Windows writes before text
        if not line.strip():
            click.echo("")  # so that answers stay beside their questions
        else:
            shown, failed = answer(line.rstrip("\n"), functions)
            click.echo(shown)
            if not failed:
                warn(line, functions)


def warn(text: str, functions: Functions) -> None:
    """Tells the warnings of a cell that is one function call: its answer stands, but look at it."""
    from tokensheet.celltext import FunctionCall, parse
    from tokensheet.errors import TokensheetError

    try:
        part = parse(text)
        if isinstance(part, FunctionCall):
            for warning in functions.own.warnings(part.name, call_values(part, functions)):
                click.echo(f"warning: {warning}", err=True)
    except TokensheetError:
        return  # the answer said so


def answer(text: str, functions: Functions) -> tuple[str, bool]:
    """One line for one cell's text, and whether it failed."""
    from tokensheet.errors import TokensheetError
    from tokensheet.failure import Failure
    from tokensheet.sheet_words import run

    try:
        found = run(named(text, functions), functions)
    except TokensheetError as error:
        found = Failure(str(error), type(error))
    if isinstance(found, Failure):
        return f"{found.code}\t{one_line(found.reason)}", True
    if isinstance(found, list):
        rows = ";".join(",".join(_element(v) for v in row) for row in found)
        reasons = [one_line(v.reason) for row in found for v in row if isinstance(v, Failure)]
        return f"{{{rows}}}" + (f"\t{reasons[0]}" if reasons else ""), False
    return shown(found), False


def named(text: str, functions: Functions) -> str:
    """The text, unless it is a function's name alone.

    Raises:
        CellTextError: it is; says the arguments.
    """
    from tokensheet.errors import CellTextError

    function = functions.table.get(text.strip().removeprefix("=").upper())
    if function is not None:
        raise CellTextError(f"{function.name} is a function; give its arguments: ={function.signature}")
    return text


def one_line(text: str) -> str:
    """Text without line ends."""
    return " ".join(text.split())


def shown(value: Any) -> str:
    """A value with all its digits."""
    from tokensheet.cell_arithmetic import as_text

    return as_text(value)


def _element(value: Any) -> str:
    code = getattr(value, "code", None)
    if code is not None:
        return str(code)
    return '"' + value.replace('"', '""') + '"' if isinstance(value, str) else shown(value)


@click.command(
    short_help="Show the calculation behind a call, step by step.",
    epilog=examples("""tokensheet explain '=DECODE_LATENCY("llama-3.1-70b","h100-sxm-80gb",8,4096,16)'"""),
)
@click.argument("text")
@click.pass_obj
def explain(options: CommandOptions, text: str) -> None:
    """Print the calculation behind one function call, node by node."""
    from tokensheet.celltext import FunctionCall, parse
    from tokensheet.errors import CellTextError
    from tokensheet.failure import Failure
    from tokensheet.functions import Functions

    functions = Functions(options.planner())
    part = parse(named(text, functions))
    if not isinstance(part, FunctionCall):
        raise CellTextError(
            'explain takes one function call, such as =DECODE_LATENCY("llama-2-70b","h100-sxm-80gb",8,4096)'
        )
    values = call_values(part, functions)
    for value in values:
        if isinstance(value, Failure):
            raise value.error(part.name)
    rows = functions.own.explain(part.name, *values)
    for name, words, value, unit, source, owner in rows[1:]:
        if name == "warning":
            click.echo(f"warning: {words}")
            continue
        number = f"{value.code} ({value.reason})" if isinstance(value, Failure) else shown(value)
        tail = "  ".join(x for x in (unit, f"[{source}]" if source else "", owner) if x)
        click.echo(f"{name} = {words} = {number}  {tail}".rstrip())
    shown_answer, failed = answer(text, functions)
    click.echo(shown_answer)
    sys.exit(1 if failed else 0)


def call_values(part: FunctionCall, functions: Functions) -> list[Any]:
    """The arguments of a call as values."""
    from tokensheet.celltext import ArrayLiteral, Literal
    from tokensheet.sheet_words import run_part

    values: list[Any] = []
    for argument in part.arguments:
        match argument:
            case Literal(value=value):
                values.append(value)
            case ArrayLiteral(rows=rows):
                values.append([list(r) for r in rows])
            case _:
                values.append(run_part(argument, functions))
    return values
