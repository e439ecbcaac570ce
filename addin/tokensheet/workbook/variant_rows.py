"""Rows of the Variants sheet: what each variant changes, its options, then the rows that candidates have."""

from __future__ import annotations

from collections.abc import Sequence

from openpyxl.utils import get_column_letter

from tokensheet.texts import Text, capital, say
from tokensheet.workbook import row_keys
from tokensheet.workbook.contents import Contents
from tokensheet.workbook.labels import spaced
from tokensheet.workbook.layout import (
    CALCULATION,
    CALCULATION_FIRST,
    FIRST_ROW,
    OPTIONS,
    OPTIONS_FIRST,
    SENSITIVITY,
    Cell,
    InputCell,
    row_across,
)
from tokensheet.workbook.rows import write_rows
from tokensheet.workbook.variants import Variant, Variants, own_value


def write_variants(variants: Variants) -> None:
    """Fills the calculation of the variants."""
    rows = _VariantRows(variants)
    rows.define()
    write_rows(variants)


class _VariantRows:
    def __init__(self, contents: Variants) -> None:
        self.contents, self.main, self.base = contents, contents.main, contents.base
        self.variants, self.choices = contents.variants, contents.choices
        self.row_of = contents.row_of

    def put(
        self,
        key: str,
        label: Text,
        unit: str,
        words: Text,
        values: Sequence[Cell],
        text: str | None,
        symbol: str = "",
    ) -> None:
        """A row whose formula is a text with `{c}` for the column's letter; data where there is none."""
        formula = None if text is None else lambda i: text.replace("{c}", letter(i))
        self.contents.add(key, label, unit, words, "", formula, values, symbol)

    def define(self) -> None:
        """What is varied and by how much, then the options of each variant."""
        many, row = self.variants, self.row_of
        self.contents.heading(say("What the variant changes"))
        self.put(
            row_keys.COLUMN, say("Place in the one-way table"), "1", "", [v.column or "" for v in many], None
        )
        chosen = f'INDEX({self.address("varied")},{{c}}{row[row_keys.COLUMN]})&""'
        self.put(
            row_keys.VARIED,
            say("Input that is changed"),
            "name",
            say("as chosen on Sensitivity"),
            [v.varied for v in many],
            f'IF({{c}}{row[row_keys.COLUMN]}="","",{chosen})',
        )
        at: list[Cell] = [float(self.choices.index(v.varied) + 1) if v.varied else "" for v in many]
        self.put(
            row_keys.NEAREST_CHOICE,
            say("Its first place in the list to choose from"),
            "row",
            "",
            at,
            f'IF({{c}}{row[row_keys.VARIED]}="","",MATCH({{c}}{row[row_keys.VARIED]},{self.address("choices")},0))',
        )
        near = f"{{c}}{row[row_keys.NEAREST_CHOICE]}"
        same = f"INDEX({self.address('choices')},{near})={{c}}{row[row_keys.VARIED]}"
        words = say("if it is that name as a whole, without wildcards")
        self.put(
            row_keys.CHOICE,
            say("Its place in the list to choose from"),
            "row",
            words,
            at,
            f'IF({near}="","",IF({same},{near},NA()))',
        )
        self.put(row_keys.DIRECTION, say("Lower or higher"), "1", "", [v.direction or "" for v in many], None)
        for key, end, label, values in (
            (row_keys.LEAST, "least", say("Least that is allowed"), [_or_empty(v.least) for v in many]),
            (row_keys.MOST, "most", say("Most that is allowed"), [_or_empty(v.most) for v in many]),
        ):
            bound = f"INDEX({self.address(end)},{{c}}{row[row_keys.CHOICE]})"
            text = f'IF({{c}}{row[row_keys.VARIED]}="","",IF({bound}="","",{bound}))'
            self.put(key, label, "SI", say("of what is changed, if it has a limit"), values, text)
        for axis in self.contents.addresses.lists:
            places: list[Cell] = [v.places.get(axis, "") for v in many]
            self.put(
                row_keys.place_in(axis),
                say("Place in the list: {name}", name=spaced(axis)),
                "1",
                "",
                places,
                None,
            )
        last = FIRST_ROW + len(self.main.rows) - 1
        first_letter = get_column_letter(CALCULATION_FIRST)
        end = get_column_letter(CALCULATION_FIRST + len(self.main.names) - 1)
        found = (
            f"INDEX({CALCULATION}!${first_letter}${FIRST_ROW}:${end}${last},"
            f"MATCH({{c}}{row[row_keys.VARIED]},{CALCULATION}!$B${FIRST_ROW}:$B${last},0),{self.address('candidate')})"
        )
        now = [self.now(v) for v in many]
        test = f'{{c}}{row[row_keys.VARIED]}=""'
        self.put(
            row_keys.NUMBER_NOW,
            say("Number in use"),
            "SI",
            say("from Calculation"),
            now,
            f'IF({test},"",{found})',
        )
        changed: list[Cell] = [v.changes[v.varied] if v.varied else "" for v in many]
        moved = f"{{c}}{row[row_keys.NUMBER_NOW]}*(1+{{c}}{row[row_keys.DIRECTION]}*{self.address('step')})"
        limited = f"MIN({{c}}{row[row_keys.MOST]},MAX({{c}}{row[row_keys.LEAST]},{moved}))"
        words = say("the number in use, one step lower or higher, within what is allowed")
        self.put(
            row_keys.NUMBER_CHANGED, say("Number changed"), "SI", words, changed, f'IF({test},"",{limited})'
        )
        self.contents.heading(say("Options of the variant"))
        for cell in self.contents.cells.options:
            self.define_option(cell)

    def define_option(self, cell: InputCell) -> None:
        """The candidate's own cell, unless the variant says otherwise."""
        name, label = cell.name, capital(cell.label)
        count, row, before = len(self.variants), self.row_of, '""'
        if name in self.main.cells.option_row:
            area = row_across(OPTIONS, OPTIONS_FIRST, len(self.main.names), self.main.cells.option_row[name])
            found = f"INDEX({area},{self.address('candidate')})"
            own = [_or_empty(own_value(self.main, self.base, name))] * count
            self.put(
                row_keys.own(name),
                say("{label}: the candidate's", label=label),
                cell.unit or "id",
                "",
                own,
                f'IF({found}="","",{found})',
            )
            before = f"{{c}}{row[row_keys.own(name)]}"
        values = [_or_empty(v) for v in cell.values]
        if any(name in v.places for v in self.variants):
            place, area = (
                f"{{c}}{row[row_keys.place_in(name)]}",
                f"{SENSITIVITY}!{self.contents.addresses.lists[name]}",
            )
            text = f'IF({place}="",{before},INDEX({area},{place}))'
            own = [
                v if name in w.places else _or_empty(own_value(self.main, self.base, name))
                for v, w in zip(values, self.variants, strict=True)
            ]
            self.put(
                row_keys.listed(name),
                say("{label}: from the list", label=label),
                cell.unit or "id",
                "",
                own,
                text,
            )
            before = f"{{c}}{row[row_keys.listed(name)]}"
        number = FIRST_ROW + len(self.contents.rows)
        text = f"IF({{c}}${row[row_keys.VARIED]}=$B{number},{{c}}${row[row_keys.NUMBER_CHANGED]},{before})"
        self.put(
            row_keys.of_variant(name),
            label,
            cell.unit or "id",
            say("changed, or the candidate's own"),
            values,
            text,
            name,
        )

    def now(self, variant: Variant) -> Cell:
        """The number in use that a variant changes."""
        if not variant.varied:
            return ""
        found = self.main.value(self.base, row_in_use(self.main, variant.varied))
        assert isinstance(found, float)
        return found

    def address(self, name: str) -> str:
        """Address of one of Sensitivity's inputs."""
        return f"{SENSITIVITY}!{getattr(self.contents.addresses, name)}"


def row_in_use(contents: Contents, name: str) -> str:
    """Key of the row of Calculation with the number in use for a name: a fact's or an input's."""
    return (
        name if name in contents.graph.nodes else next(n.key for n in contents.graph.leaves if n.name == name)
    )


def letter(index: int) -> str:
    """Letter of a variant's column."""
    return get_column_letter(CALCULATION_FIRST + index)


def _or_empty(value: float | str | None) -> Cell:
    return "" if value is None else value if isinstance(value, str) else float(value)
