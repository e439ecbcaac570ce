"""The LibreOffice side of `office.py`: runs under a Python that can import `uno`, often the system's.

It starts one headless office and answers requests, one JSON object a line, until its input ends.
Nothing here may import the project or a package: this interpreter need not have any.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

# Calc's error numbers. The others have no one counterpart elsewhere and stay as Calc shows them:
# Err:502, "invalid argument", is #NUM!, #VALUE! or #REF! in other programs.
ERRORS = {
    503: "#NUM!",
    519: "#VALUE!",
    521: "#NULL!",
    523: "#NUM!",
    524: "#REF!",
    525: "#NAME?",
    532: "#DIV/0!",
    32767: "#N/A",
}
FILTERS = {".xlsx": "Calc MS Excel 2007 XML", ".pdf": "calc_pdf_Export", ".ods": "calc8"}
TEXT_RESULT, ANY_RESULT = 2, 1 | 2 | 4  # com.sun.star.sheet.FormulaResult
NOT_AVAILABLE = 32767
MANY_ERRORS = 20
SCRATCH = "asked for errors"


def column_name(index: int) -> str:
    """0 is A, 26 is AA."""
    name = ""
    while index >= 0:
        index, digit = divmod(index, 26)
        name = chr(65 + digit) + name
        index -= 1
    return name


class Worker:
    """One office process and the requests that it answers."""

    def __init__(self, soffice: str, profile: str, wait: float, extensions: str = "") -> None:
        import uno  # changes URE_BOOTSTRAP in the environment, which the office must not inherit
        from com.sun.star.beans import PropertyValue

        self.uno, self.property_value = uno, PropertyValue
        pipe = f"tokensheet{os.getpid()}"
        clean = {key: value for key, value in os.environ.items() if key != "URE_BOOTSTRAP"}
        self.process = subprocess.Popen(
            [
                soffice,
                f"-env:UserInstallation={Path(profile).as_uri()}",
                *([f"-env:BUNDLED_EXTENSIONS={Path(extensions).as_uri()}"] if extensions else ()),
                "--headless",
                "--norestore",
                "--nologo",
                "--nodefault",
                f"--accept=pipe,name={pipe};urp;",
            ],
            env=clean,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
        )
        self.context = context = self.connected(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext", wait)
        self.desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)

    def connected(self, url: str, wait: float) -> Any:
        local = self.uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        end = time.monotonic() + wait
        while True:
            try:
                return resolver.resolve(url)
            except Exception as problem:
                # The exception of a refused connection is a UNO type; any failure means "not yet".
                if self.process.poll() is not None:
                    raise RuntimeError(f"soffice ended with code {self.process.returncode}") from problem
                if time.monotonic() > end:
                    raise RuntimeError(f"soffice did not answer in {wait} s") from problem
                time.sleep(0.05)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Load a workbook or begin one, change inputs, recalculate everything, then read or store it."""
        document = self.desktop.loadComponentFromURL(
            Path(request["path"]).as_uri() if "path" in request else "private:factory/scalc",
            "_blank",
            0,
            (self.option("Hidden", True),),
        )
        if document is None:
            raise RuntimeError("LibreOffice did not open the file")
        try:
            document.enableAutomaticCalculation(False)  # else each cell that is set calculates its followers
            if "states" in request:
                return {"states": [self.state(document, sets) for sets in request["states"]]}
            for sheet, address, value in request.get("sets", ()):
                self.put(document, sheet, address, value)
            for place, text in request.get("typed", {}).items():
                self.type(document.Sheets.getByIndex(0), place, text)
            started = time.perf_counter()
            document.calculateAll()
            if request.get("time"):
                return {"seconds": time.perf_counter() - started}
            for column in request.get("fit", ()):
                document.Sheets.getByIndex(0).Columns.getByName(column).OptimalWidth = True
            if "store" in request:
                target = Path(request["store"])
                document.storeToURL(target.as_uri(), (self.option("FilterName", FILTERS[target.suffix]),))
                return {}
            return {sheet.Name: self.read(document, sheet) for sheet in list(document.Sheets)}
        finally:
            document.close(True)

    def state(self, document: Any, sets: list[list[Any]]) -> dict[str, Any]:
        """Values of the sheets with formulas after setting inputs, which are then as they were.

        Neighbours in a row are set at once.
        """
        ranges = [(cells, cells.getDataArray(), values) for cells, values in self.runs(document, sets)]
        for cells, _, values in ranges:
            if cells.queryFormulaCells(ANY_RESULT).getCount():
                raise RuntimeError(f"{cells.AbsoluteName} holds a formula; set inputs only")
            cells.setDataArray((tuple("" if value is None else value for value in values),))
        document.calculateAll()
        found = {
            sheet.Name: self.read(document, sheet)
            for sheet in list(document.Sheets)
            if sheet.queryFormulaCells(ANY_RESULT).getCount()
        }
        for cells, before, _ in ranges:
            cells.setDataArray(before)
        return found

    def runs(self, document: Any, sets: list[list[Any]]) -> list[tuple[Any, list[Any]]]:
        """Ranges of one row each, and what is to stand in them."""
        wanted: dict[tuple[str, int, int], Any] = {}
        for sheet, address, value in sets:
            letters = address.rstrip("0123456789")
            column = 0
            for letter in letters:
                column = column * 26 + ord(letter) - 64
            wanted[sheet, int(address[len(letters) :]), column] = value
        found: list[tuple[str, int, int, list[Any]]] = []
        for (sheet, row, column), value in sorted(wanted.items(), key=lambda item: item[0]):
            if found and found[-1][:2] == (sheet, row) and found[-1][2] + len(found[-1][3]) == column:
                found[-1][3].append(value)
            else:
                found.append((sheet, row, column, [value]))
        sheets = {name: document.Sheets.getByName(name) for name in {each[0] for each in found}}
        return [
            (sheets[s].getCellRangeByPosition(c - 1, r - 1, c - 2 + len(values), r - 1), values)
            for s, r, c, values in found
        ]

    def option(self, name: str, value: object) -> Any:
        option = self.property_value()
        option.Name, option.Value = name, value
        return option

    def put(self, document: Any, sheet: str, address: str, value: float | str | None) -> None:
        if not document.Sheets.hasByName(sheet):
            raise RuntimeError(f"no sheet {sheet!r}")
        cell = document.Sheets.getByName(sheet).getCellRangeByName(address)
        if value is None:
            cell.setFormula("")
        elif isinstance(value, str):
            cell.setString(value)
        else:
            cell.setValue(value)

    def type(self, sheet: Any, place: str, text: str) -> None:
        """Enter a formula as a person does; over several cells it is an array formula."""
        cells = sheet.getCellRangeByName(place)
        first = cells.getCellByPosition(0, 0)
        first.FormulaLocal = text
        if ":" in place:
            tokens = first.getTokens()
            first.setFormula("")
            cells.setArrayTokens(tokens)

    def read(self, document: Any, sheet: Any) -> dict[str, Any]:
        """Values by address: number, text, or {"error": text}; empty cells are left out.

        A call takes a millisecond or two, so that a sheet is asked for as a whole.
        """
        cursor = sheet.createCursor()
        cursor.gotoEndOfUsedArea(False)
        area = cursor.getRangeAddress()
        lines = sheet.getCellRangeByPosition(0, 0, area.EndColumn, area.EndRow).getDataArray()
        empty_texts = {
            (row, column)
            for block in sheet.queryFormulaCells(TEXT_RESULT).getRangeAddresses()
            for row in range(block.StartRow, block.EndRow + 1)
            for column in range(block.StartColumn, block.EndColumn + 1)
        }
        found = {
            (row, column): value
            for row, line in enumerate(lines)
            for column, value in enumerate(line)
            if value != "" or (row, column) in empty_texts
        }
        codes = self.errors(document, sheet, [place for place, value in found.items() if value is None])
        found |= {place: {"error": ERRORS.get(code, f"Err:{code}")} for place, code in codes.items()}
        names = [column_name(i) for i in range(area.EndColumn + 1)]
        return {f"{names[column]}{row + 1}": value for (row, column), value in found.items()}

    def errors(self, document: Any, sheet: Any, places: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
        """Error numbers of cells, which can be asked for one by one only; where many are #N/A, those are found at once."""
        codes: dict[tuple[int, int], int] = {}
        if len(places) > MANY_ERRORS:
            rows, columns = [row for row, _ in places], [column for _, column in places]
            area = (min(columns), min(rows), max(columns), max(rows))
            document.Sheets.insertNewByName(SCRATCH, document.Sheets.Count)
            try:
                scratch = document.Sheets.getByName(SCRATCH).getCellRangeByPosition(*area)
                scratch.setArrayFormula(f"=ISNA({sheet.getCellRangeByPosition(*area).AbsoluteName})")
                lines = scratch.getDataArray()
            finally:
                document.Sheets.removeByName(SCRATCH)
            codes = {(r, c): NOT_AVAILABLE for r, c in places if lines[r - area[1]][c - area[0]] == 1}
        for row, column in places:
            if (row, column) not in codes:
                codes[row, column] = sheet.getCellByPosition(column, row).getError()
        return codes

    def close(self) -> None:
        try:
            self.desktop.terminate()
        except Exception:
            self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def main(soffice: str, profile: str, wait: str, extensions: str = "") -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else prints must not end up between the answers
    worker = None
    try:
        for line in sys.stdin:
            try:
                worker = worker or Worker(soffice, profile, float(wait), extensions)
                answer: dict[str, Any] = {"result": worker.answer(json.loads(line))}
            except Exception as problem:
                answer = {"problem": f"{type(problem).__name__}: {problem}"}
            answers.write(json.dumps(answer) + "\n")
            answers.flush()
    finally:
        if worker:
            worker.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
