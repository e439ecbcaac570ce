"""The terminal front door: `tokensheet`."""

from __future__ import annotations

import io
import sys
import warnings
from typing import Any

from tokensheet.cli.commands import tokensheet
from tokensheet.errors import RenamedWarning, TokensheetError


def main() -> None:
    """Runs the command line; the user's mistakes are one line without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        _any_letter(stream)
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.isatty():
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    warnings.showwarning = _told(warnings.showwarning)
    try:
        tokensheet.main(standalone_mode=True, prog_name="tokensheet")
    except TokensheetError as error:
        print(f"tokensheet: {error}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(1)


def _any_letter(stream: Any) -> None:
    """Lets a stream take every letter: Windows opens files and pipes in a code page that lacks most of them."""
    if not isinstance(stream, io.TextIOWrapper):
        return
    if stream.isatty():
        stream.reconfigure(errors="replace")
    else:
        stream.reconfigure(encoding="utf-8")


def _told(other: Any) -> Any:
    """Shows the use of a former name as one line, all other warnings as before."""

    def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, RenamedWarning):
            print(f"tokensheet: warning: {message}", file=sys.stderr)
        else:
            other(message, category, *place, **more)

    return show
