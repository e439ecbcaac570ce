"""The buttons in Excel's ribbon: their place in the add-in's file, and the shipped VBA run by an interpreter."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path
from typing import Any

import pytest
from openxml_audit import OpenXmlValidator

from tests.tools.fakewin import Windows
from tests.udf.interpreted import Sheet
from tokensheet.functions import Functions
from tokensheet.udf import addin, ribbon, vba

CUSTOM = f"{{{ribbon.SCHEMA}}}"
PACKAGE = "{http://schemas.openxmlformats.org/package/2006/relationships}"

# What Microsoft's schema of 2009 (MS-CUSTOMUI2) allows of the elements that are used here.
CHILDREN = {
    "customUI": {"ribbon"},
    "ribbon": {"tabs"},
    "tabs": {"tab"},
    "tab": {"group"},
    "group": {"button"},
    "button": set(),
}
ATTRIBUTES = {
    "customUI": set(),
    "ribbon": set(),
    "tabs": set(),
    "tab": {"idMso"},
    "group": {"id", "label"},
    "button": {"id", "label", "screentip", "supertip", "imageMso", "size", "onAction"},
}
LONGEST_TEXT = 1024
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@pytest.fixture(scope="module")
def package(functions: Functions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return addin.build(functions, tmp_path_factory.mktemp("ribbon"))[0]


def test_the_markup_is_what_the_schema_allows() -> None:
    ids = []
    root = ElementTree.fromstring(ribbon.markup())
    for element in root.iter():
        kind = element.tag.removeprefix(CUSTOM)
        assert {child.tag.removeprefix(CUSTOM) for child in element} <= CHILDREN[kind]
        assert set(element.keys()) <= ATTRIBUTES[kind], kind
        assert all(0 < len(text) <= LONGEST_TEXT for text in element.attrib.values())
        ids += [element.get("id")] if element.get("id") else []
    assert root.tag == f"{CUSTOM}customUI" and len(set(ids)) == len(ids) == 1 + len(ribbon.ALL)
    assert all(NAME.fullmatch(str(name)) for name in ids)


def test_every_button_has_its_procedure() -> None:
    """A name that is spelt otherwise there is found only when somebody presses the button."""
    procedures = re.findall(r"^Public Sub (\w+)\(control As IRibbonControl\)$", ribbon.callbacks(), re.M)
    assert procedures == [button.macro for button in ribbon.ALL]
    called = {b.get("onAction") for b in ElementTree.fromstring(ribbon.markup()).iter(f"{CUSTOM}button")}
    assert called == {f"{ribbon.BUTTONS}.{name}" for name in procedures}
    assert ribbon.callbacks().startswith(f'Attribute VB_Name = "{ribbon.BUTTONS}"\n')


def test_the_part_is_related_and_declared(package: Path) -> None:
    with zipfile.ZipFile(package) as file:
        assert file.testzip() is None and file.read(ribbon.PART).decode() == ribbon.markup()
        relations = ElementTree.fromstring(file.read(ribbon.RELATIONS)).findall(f"{PACKAGE}Relationship")
        types = ElementTree.fromstring(file.read("[Content_Types].xml"))
        names = file.namelist()
    assert len(set(names)) == len(names)
    ids = [relation.get("Id") for relation in relations]
    assert len(set(ids)) == len(ids)
    (own,) = [relation for relation in relations if relation.get("Type") == ribbon.RELATION]
    assert own.get("Target") == ribbon.PART and own.get("TargetMode") is None
    assert {str(r.get("Target")) for r in relations} <= set(names)
    defaults = {d.get("Extension"): d.get("ContentType") for d in types if d.get("Extension")}
    assert defaults["xml"] == "application/xml"


def findings(package: Path) -> list[str]:
    return [f"{error.part_uri}: {error.description}" for error in OpenXmlValidator().validate(package).errors]


@pytest.mark.slow
def test_a_validator_of_office_files_finds_nothing(package: Path) -> None:
    """It knows the schema of the buttons too."""
    assert findings(package) == []


@pytest.mark.parametrize(("old", "new"), [('size="large"', 'size="huge"'), ("<tabs>", "<tabs><button/>")])
@pytest.mark.slow
def test_the_validator_would_find_a_fault(package: Path, tmp_path: Path, old: str, new: str) -> None:
    with zipfile.ZipFile(package) as good, zipfile.ZipFile(tmp_path / "bad.xlam", "w") as bad:
        for entry in good.infolist():
            content = good.read(entry)
            if entry.filename == ribbon.PART:
                assert old.encode() in content
                content = content.replace(old.encode(), new.encode(), 1)
            bad.writestr(entry, content)
    assert any(ribbon.PART in line for line in findings(tmp_path / "bad.xlam"))


def test_nothing_else_in_the_file_is_touched(package: Path, tmp_path: Path) -> None:
    from pyopenvba import ExcelFile

    with ExcelFile.create_new(tmp_path / "plain.xlam") as book:
        book.save()
    ribbon.insert(tmp_path / "plain.xlam")
    with zipfile.ZipFile(tmp_path / "plain.xlam") as plain, zipfile.ZipFile(package) as whole:
        assert plain.namelist() == whole.namelist()
        same = set(plain.namelist()) - {"xl/vbaProject.bin"}
        assert all(plain.read(name) == whole.read(name) for name in same)
        dates = {entry.date_time for entry in whole.infolist()}
    assert len(dates) == 1


def test_the_project_knows_the_type_of_a_control(package: Path) -> None:
    """IRibbonControl is Office's."""
    from pyopenvba import ExcelFile

    with ExcelFile(package) as book:
        assert "Office" in {reference.name for reference in book.vba_project().references}


# ---- the procedures, run

PRESS = """
Sub Press{number}()
    Range("{selected}").Select
    {macro} Nothing
End Sub
"""
EXCEL_ONLY = {
    "ActiveWorkbook.FullName": "TestBook",
    "ThisWorkbook.FollowHyperlink": "Followed.Add",
    "Application.CalculateFull": 'Followed.Add "calculated"',
}
"""What the interpreter lacks: where the workbook lies, and what leads out of Excel."""
STUBS = """
Public TestBook As String
Public Followed As New Collection

Sub Lies(ByVal book As String)
    TestBook = book
End Sub

Function FollowedAt(ByVal i As Long) As String
    FollowedAt = Followed.Item(i)
End Function

Function FollowedCount() As Long
    FollowedCount = Followed.Count
End Function
"""


class Pressed(Sheet):
    """A sheet with the buttons above it."""

    def __init__(self, wrappers: str, excel: Windows, book: Path | str) -> None:
        text = ribbon.callbacks()
        for own, stub in EXCEL_ONLY.items():
            assert own in text
            text = text.replace(own, stub)
        super().__init__(wrappers, excel, text)
        self.app.add_module(STUBS, name="excel_only")
        self.app.run("Lies", str(book))

    def fill(self, *rows: tuple[Any, ...], first: int = 1) -> None:
        for i, row in enumerate(rows, first):
            for j, value in enumerate(row):
                if value is not None:
                    self.app.run("Fill", f"{'ABCD'[j]}{i}", value)

    def press(self, selected: str, macro: str = "TS_EXPORT_PLAN") -> list[str]:
        """Presses a button; what the message boxes said."""
        self.count += 1
        before = len(self.app.dialogs)
        code = PRESS.format(number=self.count, selected=selected, macro=macro)
        self.app.add_module(code, name=f"press{self.count}")
        self.app.run(f"Press{self.count}")
        return [dialog[1] for dialog in self.app.dialogs[before:]]

    @property
    def followed(self) -> list[str]:
        count = int(str(self.app.evaluate("FollowedCount()")))
        return [str(self.app.evaluate(f"FollowedAt({i})")) for i in range(1, count + 1)]


@pytest.fixture(scope="module")
def wrappers(functions: Functions) -> str:
    return vba.wrappers(functions)


@pytest.fixture
def asked(excel: Windows, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Any]:
    """What reaches the engine when a plan is exported; a workbook is made by another test."""
    from tests.udf.interpreted import BUTTONS

    excel.call("CALL_IN", "=1", module=BUTTONS)
    import sys

    module, found = sys.modules[BUTTONS], []

    def export(book: str, *given: Any) -> Path:
        found.append((book, *given[:-1]))
        return tmp_path / "made.xlsx"

    from openpyxl import Workbook

    Workbook().save(tmp_path / "made.xlsx")
    monkeypatch.setattr(module, "export_block", export)
    monkeypatch.setattr(module, "export_call", export)
    return found


@pytest.fixture
def sheet(wrappers: str, excel: Windows, tmp_path: Path) -> Pressed:
    return Pressed(wrappers, excel, tmp_path / "book.xlsm")


PLAN = (("model", "llama-2-70b"), ("gpu", "h100-sxm-80gb"), ("gpus", 8), ("context", 4096))


@pytest.mark.slow
def test_a_selected_block_is_exported(sheet: Pressed, asked: list[Any], tmp_path: Path) -> None:
    sheet.fill(*PLAN)
    assert sheet.press("A1:B4") == []
    ((book, values, formulas),) = asked
    assert book == str(tmp_path / "book.xlsm")
    assert [list(row) for row in values] == [list(row) for row in PLAN]
    assert [str(row[1]) for row in formulas] == ["llama-2-70b", "h100-sxm-80gb", "8", "4096"]
    assert sheet.app.application.active_book.name == "made.xlsx"


def test_one_selected_cell_means_the_block_around_it(sheet: Pressed, asked: list[Any]) -> None:
    sheet.fill(*PLAN, first=2)
    sheet.fill(("elsewhere", 1), first=9)
    assert sheet.press("B3") == []
    assert [row[0] for row in asked[0][1]] == ["model", "gpu", "gpus", "context"]


def test_whole_columns_mean_the_cells_that_are_used(sheet: Pressed, asked: list[Any]) -> None:
    sheet.fill(*PLAN)
    assert sheet.press("A:B") == []
    assert len(asked[0][1]) == 4


def test_a_selected_function_is_exported_with_the_values_of_its_cells(
    sheet: Pressed, asked: list[Any]
) -> None:
    sheet.fill(*PLAN, ("tp", 4), ("pp", 2))
    sheet.formula("C1", "=1+KV_BYTES(B1,B4*2,,A5:B6)/2^30")
    assert sheet.press("C1") == []
    ((_, call),) = asked
    assert list(call[:4]) == ["KV_BYTES", "llama-2-70b", 8192, None]
    assert [list(row) for row in call[4]] == [["tp", 4], ["pp", 2]]


@pytest.mark.parametrize(
    ("selected", "said"),
    [
        ("A1:A4,D1:D4", "several blocks are selected; select the cells of a plan: names such as model"),
        ("C8:D9", "the selected cells are empty; select the cells of a plan"),
    ],
)
@pytest.mark.slow
def test_a_selection_that_is_no_plan_is_told(
    sheet: Pressed, asked: list[Any], selected: str, said: str
) -> None:
    sheet.fill(*PLAN)
    (told,) = sheet.press(selected)
    assert told.startswith(said) and asked == []


@pytest.mark.slow
def test_what_the_engine_refuses_is_told(sheet: Pressed, wrappers: str, excel: Windows) -> None:
    sheet.fill(*PLAN, ("gpuss", 8))
    (told,) = sheet.press("A1:B5")
    assert told.startswith("this sheet: nothing is called gpuss; nearest are gpus")
    unsaved = Pressed(wrappers, excel, "Book1")
    unsaved.fill(*PLAN)
    (told,) = unsaved.press("A1:B4")
    assert told.startswith("Book1 is not in a folder of this computer; save it there")


@pytest.mark.slow
def test_a_broken_formula_or_argument_is_told_once(sheet: Pressed) -> None:
    sheet.fill(*PLAN)
    sheet.formula("C1", "=KV_BYTES(B1,A1:A2)")
    (told,) = sheet.press("C1")
    assert told == "context is a range; a plan has one value of it"


def test_a_bug_is_told_by_the_last_line(
    sheet: Pressed, excel: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    from tests.udf.interpreted import BUTTONS

    excel.call("CALL_IN", "=1", module=BUTTONS)

    def broken(*_: Any) -> None:
        raise KeyError("bug")

    monkeypatch.setattr(sys.modules[BUTTONS], "export_block", broken)
    sheet.fill(*PLAN)
    assert sheet.press("A1:B4") == ["KeyError('bug')"]


@pytest.mark.parametrize(("pressed", "calculated"), [(6, ["calculated"]), (7, [])], ids=["yes", "no"])
@pytest.mark.slow
def test_cells_follow_a_new_catalogue_when_the_person_says_so(
    sheet: Pressed, pressed: int, calculated: list[str]
) -> None:
    """vbYes is 6, vbNo is 7."""
    sheet.app.answer_dialogs(pressed)
    (told,) = sheet.press("A1", "TS_REFRESH_CATALOGUE")
    assert re.match(r"tokensheet [\d.]+, catalogue [0-9a-f]{8}\nno record has changed", told)
    assert told.endswith("\n\nCalculate all open workbooks anew?")
    assert sheet.followed == calculated


@pytest.mark.slow
def test_the_reference_is_opened(sheet: Pressed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path)
    assert sheet.press("A1", "TS_OPEN_REFERENCE") == []
    assert sheet.followed == [str(tmp_path / "reference.html")]
