"""The process that calculates: one call a line on standard input, its rows a line on standard output.

It is apart from the web server so that a calculation that takes too long can be ended. The first line says
what to load, `{"through": "tokensheet", "cells": 200000, "plugins": []}`; then `["KV_BYTES", ["llama-2-70b", 4096]]`
is answered by `[[1342177280.0]]`. It ends when its input does.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tokensheet.errors import TokensheetError
from tokensheet.server.cells import failed

READY, PROBLEM = "ready", "problem"


@dataclass(frozen=True)
class Load:
    """What a process answers with."""

    through: str
    cells: int
    plugins: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    catalogs: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The same as the first line of the process."""
        return json.dumps(asdict(self)) + "\n"


def main() -> None:
    """Serves until the input ends; what plugins print goes to standard error."""
    lines, answers = sys.stdin, sys.stdout
    sys.stdout = sys.stderr

    def say(found: Any) -> None:
        answers.write(json.dumps(found, allow_nan=False) + "\n")
        answers.flush()

    try:
        asked = loaded(Load(**json.loads(lines.readline())))
    except TokensheetError as problem:
        say({PROBLEM: str(problem)})
        return
    say({READY: True})
    for line in lines:
        name, values = json.loads(line)
        say(answered(asked, name, values))


def loaded(load: Load) -> Any:
    """What answers calls under these settings.

    Raises:
        TokensheetError: what is asked for is not there.
    """
    from tokensheet.functions import Functions
    from tokensheet.planning import Planner
    from tokensheet.server.answering import answering

    planner = Planner.of(
        disable=load.disable, files=list(map(Path, load.plugins)), catalogs=list(map(Path, load.catalogs))
    )
    return answering(Functions(planner), load.through, load.cells)


def answered(asked: Any, name: str, values: Sequence[Any]) -> list[list[Any]]:
    """The rows of an answer; a fault of the program is told in the log and is an error in the cell."""
    try:
        rows: list[list[Any]] = asked(name, values)
        return rows
    except Exception as fault:  # one call must not end those after it
        traceback.print_exc(file=sys.stderr)
        return failed(f"{name}: the server failed ({type(fault).__name__}); its log tells more")


if __name__ == "__main__":
    main()
