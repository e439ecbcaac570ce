"""IronCalc as a second opinion on workbooks: the same answers as `office.py`, in milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import ironcalc
from openpyxl.utils.cell import coordinate_to_tuple, get_column_letter

from tests.tools.office import Input, Value, Values
from tokensheet.workbook.finish import CellError


def values(path: Path | str, sets: Sequence[Input] = ()) -> Values:
    """Every cell of the workbook after setting inputs and recalculating all formulas."""
    model = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
    sheets = [sheet["name"] for sheet in model.get_worksheets_properties()]
    for sheet, address, value in sets:
        _put(model, sheets.index(sheet), *coordinate_to_tuple(address), value)
    model.evaluate()
    found: Values = {sheet: {} for sheet in sheets}
    for sheet_index, row, column in model.get_all_cells():
        raw = model.get_cell_value(sheet_index, row, column)
        if raw is not None:
            kind = model.get_cell_type(sheet_index, row, column)
            found[sheets[sheet_index]][f"{get_column_letter(column)}{row}"] = _value(raw, kind)
    return found


def _put(model: ironcalc.Model, sheet: int, row: int, column: int, value: float | str | None) -> None:
    if value is None:
        model.clear_cell_contents(sheet, row, column)
    elif isinstance(value, str):
        model.update_cell_with_text(sheet, row, column, value)
    else:
        model.update_cell_with_number(sheet, row, column, float(value))


def _value(raw: float | str | bool, kind: ironcalc.CellType) -> Value:
    if kind == ironcalc.CellType.ErrorValue:
        return CellError(raw)
    return raw if isinstance(raw, str) else float(raw)
