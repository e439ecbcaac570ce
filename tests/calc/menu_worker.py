"""The LibreOffice side of `test_menu.py`: opens a sheet, selects cells, chooses an entry of the menu.

Runs under a Python that can import `uno`, as `tests/tools/office_worker.py` does; one JSON object on standard input
says what to do, one on standard output what was seen.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from office_worker import Worker

ENTRIES = "/org.openoffice.Office.Addons/AddonUI/OfficeMenuBar/org.tokensheet.menu/Submenu"


def chosen(worker: Worker, book: str, steps: list[list[str]]) -> dict[str, Any]:
    """Open documents and values of the sheet after each step: selected cells and the entry's address."""
    document = worker.desktop.loadComponentFromURL(Path(book).as_uri(), "_blank", 0, ())
    frame = document.CurrentController.Frame
    helper = service(worker, "com.sun.star.frame.DispatchHelper")
    seen = []
    for cells, url in steps:
        frame.activate()
        document.CurrentController.select(document.Sheets.getByIndex(0).getCellRangeByName(cells))
        helper.executeDispatch(frame, url, "", 0, ())
        seen.append(opened(worker))
    return {"seen": seen, "entries": entries(worker)}


def opened(worker: Worker) -> list[str]:
    """Names of the open files; all but the first are closed again."""
    found, listed = [], worker.desktop.Components.createEnumeration()
    while listed.hasMoreElements():
        found.append(listed.nextElement())
    names = sorted(Path(document.URL).name for document in found)
    for document in found:
        if document.URL.endswith(".xlsx"):
            document.close(True)
    return names


def entries(worker: Worker) -> list[str]:
    """Addresses of the menu's entries as LibreOffice's configuration has them."""
    provider = service(worker, "com.sun.star.configuration.ConfigurationProvider")
    access = "com.sun.star.configuration.ConfigurationAccess"
    menu = provider.createInstanceWithArguments(access, (worker.option("nodepath", ENTRIES),))
    return [menu.getByName(name).URL for name in sorted(menu.ElementNames)]


def service(worker: Worker, name: str) -> Any:
    context = worker.context
    return context.ServiceManager.createInstanceWithContext(name, context)


def main(soffice: str, profile: str, extensions: str) -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    asked = json.load(sys.stdin)
    worker = Worker(soffice, profile, 60.0, extensions)
    try:
        json.dump(chosen(worker, asked["book"], asked["steps"]), answers)
        answers.flush()
    finally:
        worker.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
