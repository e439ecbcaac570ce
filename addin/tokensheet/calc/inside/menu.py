"""The LibreOffice side of the menu: reads the selected cells, asks the person's Python, shows what it says.

This file goes into the extension as it is and runs in LibreOffice's own Python, as `component.py` does.
"""

from __future__ import annotations

from typing import Any

import uno  # type: ignore[import-not-found, unused-ignore]
import unohelper  # type: ignore[import-not-found, unused-ignore]
from com.sun.star.task import XJobExecutor
from tokensheet_process import (  # type: ignore[import-not-found, unused-ignore]
    PYTHON,
    NoAnswerError,
)

NAME = "org.tokensheet.Menu"
TITLE = "Tokensheet"
HOW = "select the cells of a plan: names such as model, gpus, context in the first column, and beside them their values"
CELLS = "com.sun.star.sheet.SheetCellRange"
ONE = "com.sun.star.sheet.SheetCell"
FAILED = 4  # com.sun.star.sheet.FormulaResult.ERROR
YES = 2  # com.sun.star.awt.MessageBoxResults.YES
YES_OR_NO = 3  # com.sun.star.awt.MessageBoxButtons.BUTTONS_YES_NO
OK = 1


class Menu(unohelper.Base, XJobExecutor):  # type: ignore[misc, unused-ignore]
    """The entries of the menu; LibreOffice names the one that was chosen."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.desktop = self.service("com.sun.star.frame.Desktop")

    def trigger(self, chosen: str) -> None:
        """Does what an entry says, and tells why not."""
        try:
            getattr(self, chosen)()
        except NoAnswerError as reason:
            self.tell(str(reason))

    def export(self) -> None:
        """Makes a planning workbook of the selected cells and opens it."""
        document = self.desktop.getCurrentComponent()
        cells = self.chosen(document)
        if cells is None:
            self.tell(HOW)
            return
        path = (
            uno.fileUrlToSystemPath(document.getURL())
            if document.getURL().startswith("file:")
            else document.getURL()
        )
        made = self.asked(
            "@export", [path or "this workbook", values(cells), [list(r) for r in cells.getFormulaArray()]]
        )
        if made:
            self.desktop.loadComponentFromURL(uno.systemPathToFileUrl(made), "_blank", 0, ())

    def refresh(self) -> None:
        """Reads the catalogue again; the person decides whether cells follow."""
        changes = self.asked("@refresh", [])
        if (
            changes
            and self.tell(f"{changes}\n\nCalculate all open spreadsheets anew?", "QUERYBOX", YES_OR_NO) == YES
        ):
            for document in each(self.desktop.getComponents()):
                if hasattr(document, "calculateAll"):
                    document.calculateAll()

    def reference(self) -> None:
        """Opens the page of all functions in the browser."""
        page = self.asked("@reference", [])
        if page:
            self.service("com.sun.star.system.SystemShellExecute").execute(
                uno.systemPathToFileUrl(page), "", 0
            )

    def chosen(self, document: Any) -> Any:
        """The selected cells that are used; for one cell the block around it; None when it is something else."""
        selected = document.getCurrentSelection() if hasattr(document, "Sheets") else None
        if selected is None or not selected.supportsService(CELLS):
            return None
        sheet = selected.getSpreadsheet()
        cursor = sheet.createCursorByRange(selected)
        if selected.supportsService(ONE):
            cursor.collapseToCurrentRegion()
            return cursor
        place = selected.getRangeAddress()
        cursor.gotoEndOfUsedArea(False)
        end = cursor.getRangeAddress()
        last = min(place.EndColumn, end.EndColumn), min(place.EndRow, end.EndRow)
        if last[0] < place.StartColumn or last[1] < place.StartRow:
            return None
        return sheet.getCellRangeByPosition(place.StartColumn, place.StartRow, *last)

    def asked(self, name: str, question: list[Any]) -> str:
        """What the person's Python says; empty after a problem, which is shown."""
        answer = PYTHON.ask(name, question)
        if "problem" in answer:
            self.tell(answer["problem"])
        return str(answer.get("text", ""))

    def service(self, name: str) -> Any:
        """One of LibreOffice's own services."""
        return self.context.ServiceManager.createInstanceWithContext(name, self.context)

    def tell(self, text: str, kind: str = "WARNINGBOX", buttons: int = OK) -> int:
        """Shows a message; which button was pressed."""
        window = self.desktop.getCurrentFrame().getContainerWindow()
        box = window.getToolkit().createMessageBox(
            window, uno.Enum("com.sun.star.awt.MessageBoxType", kind), buttons, TITLE, text
        )
        pressed: int = box.execute()
        return pressed


def values(cells: Any) -> list[list[Any]]:
    """Values by rows: number, text, None for an empty cell, an error by its name."""
    rows: list[list[Any]] = [
        [None if value == "" else value for value in row] for row in cells.getDataArray()
    ]
    first = cells.getRangeAddress()
    for place in cells.queryFormulaCells(FAILED).getRangeAddresses():
        for row in range(place.StartRow, place.EndRow + 1):
            for column in range(place.StartColumn, place.EndColumn + 1):
                rows[row - first.StartRow][column - first.StartColumn] = {"error": "#VALUE!"}
    return rows


def each(components: Any) -> list[Any]:
    """The open documents."""
    found, listed = [], components.createEnumeration()
    while listed.hasMoreElements():
        found.append(listed.nextElement())
    return found


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Menu, NAME, (NAME,))
