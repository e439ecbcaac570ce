"""LibreOffice Basic for `test_basic.py`: modules put into a new spreadsheet, functions of them called.

Runs under a Python that can import `uno`, as `tests/tools/office_worker.py` does; one JSON object on standard input:
texts of modules by name, and calls as module, function and arguments. The answers come on standard output.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from office_worker import Worker

ALWAYS = 4  # com.sun.star.document.MacroExecMode.ALWAYS_EXECUTE_NO_WARN
ADDRESS = "vnd.sun.star.script:Standard.{}.{}?language=Basic&location=document"


def answers(worker: Worker, modules: dict[str, str], calls: list[list[Any]]) -> list[Any]:
    """What each call gives."""
    document = worker.desktop.loadComponentFromURL(
        "private:factory/scalc",
        "_blank",
        0,
        (worker.option("Hidden", True), worker.option("MacroExecutionMode", ALWAYS)),
    )
    try:
        libraries = document.BasicLibraries
        if not libraries.hasByName("Standard"):
            libraries.createLibrary("Standard")
        library = libraries.getByName("Standard")
        for name, text in modules.items():
            library.insertByName(name, text)
        scripts = document.getScriptProvider()
        found = []
        for module, function, *arguments in calls:
            script = scripts.getScript(ADDRESS.format(module, function))
            found.append(script.invoke(tuple(arguments), (), ())[0])
        return found
    finally:
        document.close(True)


def main(soffice: str, profile: str) -> None:
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    asked = json.load(sys.stdin)
    worker = Worker(soffice, profile, 60.0)
    try:
        json.dump(answers(worker, asked["modules"], asked["calls"]), said)
        said.flush()
    finally:
        worker.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
