"""A company's looks: what is taken from its workbook, how it is applied, and what an untrusted file cannot do."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner
from openpyxl.styles import Font, NamedStyle, PatternFill
from openxml_audit import OpenXmlValidator

import tokensheet
from tests.tools.recipe_workbooks import proposal
from tests.workbook.test_lint import unexplained
from tokensheet import recipe, recipe_files
from tokensheet.cli.commands import tokensheet as commands
from tokensheet.errors import ExportError, TokensheetError
from tokensheet.planning import Planner
from tokensheet.workbook import brand as brands
from tokensheet.workbook import package
from tokensheet.workbook.brand import brand
from tokensheet.workbook.build import Export, build
from tokensheet.workbook.charts import COLORS
from tokensheet.workbook.color import GRAPHIC, TEXT, WHITE, contrast, on
from tokensheet.workbook.picture import picture
from tokensheet.workbook.theme import Theme

PLANNER = tokensheet.planner()
Parts = dict[str, bytes]
ACCENTS = ("C8102E", "005F83", "F2A900", "6D8D24", "7A4B94", "00A19B")


def png(width: int = 240, height: int = 60) -> bytes:
    """A red picture."""
    rows = b"".join(b"\0" + bytes((200, 16, 46)) * width for _ in range(height))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def jpeg(width: int, height: int) -> bytes:
    """The head of a picture: its marker, a comment, and the frame with its size."""
    frame = struct.pack(">BBHBHHB", 0xFF, 0xC0, 17, 8, height, width, 3) + bytes(9)
    return b"\xff\xd8" + b"\xff\xfe\x00\x06abcd" + frame


def saved(book: openpyxl.Workbook, change: Callable[[Parts], None] = lambda parts: None) -> bytes:
    """A workbook's bytes, its parts changed."""
    data, out = io.BytesIO(), io.BytesIO()
    book.save(data)
    with zipfile.ZipFile(data) as opened:
        parts = {name: opened.read(name) for name in opened.namelist()}
    change(parts)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, part in parts.items():
            made.writestr(name, part)
    return out.getvalue()


def themed(
    accents: tuple[str, ...] = ACCENTS, major: str = "Georgia", minor: str = "Verdana", asian: str = ""
) -> Any:
    """Changes the theme of a package."""

    def change(parts: Parts) -> None:
        text = parts["xl/theme/theme1.xml"].decode()
        for i, color in enumerate(accents, 1):
            text = re.sub(rf'(<a:accent{i}>\s*<a:srgbClr val=")\w+', rf"\g<1>{color}", text)
        for kind, font in (("major", major), ("minor", minor)):
            text = re.sub(rf'(<a:{kind}Font>\s*<a:latin typeface=")[^"]*', rf"\g<1>{font}", text)
        text = re.sub(r'(<a:minorFont>.*?<a:ea typeface=")', rf"\g<1>{asian}", text, flags=re.S)
        parts["xl/theme/theme1.xml"] = text.encode()

    return change


def with_logo(
    data: bytes, name: str = "image1.png", change: Callable[[Parts], None] = lambda parts: None
) -> Any:
    def both(parts: Parts) -> None:
        change(parts)
        parts[f"xl/media/{name}"] = data

    return both


def with_styles(**fonts: Font) -> openpyxl.Workbook:
    """A workbook whose first cells have named styles."""
    book = openpyxl.Workbook()
    for row, (name, font) in enumerate(fonts.items(), 1):
        style = NamedStyle(name.replace("_", " "), font=font)
        book.add_named_style(style)
        book.worksheets[0].cell(row, 1, "x").style = style.name
    return book


def with_fills(*colors: str, font: str = "Tahoma") -> openpyxl.Workbook:
    """A workbook whose cells are filled and have a font."""
    book = openpyxl.Workbook()
    for row, color in enumerate(colors, 1):
        cell: Any = book.worksheets[0].cell(row, 1, "x")
        cell.fill, cell.font = PatternFill("solid", fgColor=color), Font(name=font, bold=row % 2 == 0)
    return book


LOGO = picture(png())
CASES: tuple[tuple[str, bytes, Theme], ...] = (
    ("a theme", saved(openpyxl.Workbook(), themed()), Theme("Verdana", "Georgia", ACCENTS[0], ACCENTS)),
    ("greys are no accents", saved(openpyxl.Workbook(), themed(("808080", "005F83"))), Theme(
        "Verdana", "Georgia", "005F83", ("005F83", "9BBB59", "8064A2", "4BACC6", "F79646"))),
    ("Office's own theme with other fonts", saved(openpyxl.Workbook(), themed((), "Georgia", "Verdana")), Theme("Verdana", "Georgia")),
    ("Chinese font", saved(openpyxl.Workbook(), themed(asian="DengXian")), Theme(
        "Verdana", "Georgia", ACCENTS[0], ACCENTS, None, "DengXian")),
    ("a heading style", saved(with_styles(Heading_1=Font(name="Trebuchet MS", color="FF00843D"))), Theme("Trebuchet MS", "", "00843D")),
    ("the style before the theme", saved(with_styles(Title=Font(name="Georgia", color="FF112288")), themed()), Theme(
        "Verdana", "Georgia", "112288", ACCENTS)),
    ("fills of cells", saved(with_fills("FFFFD100", "FFFFD100", "FF000000")), Theme("Tahoma", "", "FFD100")),
    ("a logo alone", saved(openpyxl.Workbook(), with_logo(png())), Theme(logo=LOGO)),
    ("the first picture that can be used", saved(openpyxl.Workbook(), with_logo(
        png(), "image2.png", with_logo(b"GIF89a", "image1.png"))), Theme(logo=LOGO)),
)  # fmt: skip


@pytest.mark.parametrize(("data", "wanted"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_what_is_taken(data: bytes, wanted: Theme, tmp_path: Path) -> None:
    (tmp_path / "brand.xlsx").write_bytes(data)
    assert brand(tmp_path / "brand.xlsx") == wanted


def replaced(name: str, old: bytes, new: bytes) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        assert old in parts[name]
        parts[name] = parts[name].replace(old, new, 1)

    return change


def many(parts: Parts) -> None:
    parts |= {f"xl/x{i}.xml": b"" for i in range(package.MOST_PARTS)}


def huge(parts: Parts) -> None:
    parts["xl/styles.xml"] = b" " * (brands.LARGEST_PART + 1)


def large_logo(parts: Parts) -> None:
    parts["xl/media/image1.png"] = png() + bytes(brands.LARGEST_LOGO)


THEME = "xl/theme/theme1.xml"
BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><a:theme'
UNUSABLE: tuple[tuple[str, bytes, str], ...] = (
    ("nothing of its own", saved(openpyxl.Workbook()), "has no theme, named style or picture of its own"),
    ("no zip", b"colours", "is no workbook; give an .xlsx file with a company's looks"),
    (
        "an old file",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512),
        "is no workbook; give an .xlsx file with",
    ),
    ("entities", saved(openpyxl.Workbook(), replaced(THEME, b"<a:theme", BOMB)), "has a document type"),
    (
        "broken XML",
        saved(openpyxl.Workbook(), replaced(THEME, b"</a:theme>", b"")),
        "xl/theme/theme1.xml is damaged (no element found",
    ),
    (
        "other letters",
        saved(openpyxl.Workbook(), replaced(THEME, b"<a:theme", b"\xff<a:theme")),
        "xl/theme/theme1.xml is damaged (not well-formed",
    ),
    ("many parts", saved(openpyxl.Workbook(), many), "parts; at most 5,000 are read"),
    (
        "a huge part",
        saved(openpyxl.Workbook(), huge),
        "xl/styles.xml is larger than 4,000,000 bytes",
    ),
    (
        "a huge logo",
        saved(openpyxl.Workbook(), large_logo),
        "image1.png is larger than 1,000,000 bytes",
    ),
    (
        "a huge file",
        bytes(package.LARGEST_FILE + 1),
        "larger than 20,000,000 bytes",
    ),
)


@pytest.mark.parametrize(("data", "words"), [c[1:] for c in UNUSABLE], ids=[c[0] for c in UNUSABLE])
def test_what_cannot_be_used_is_told_in_one_line(data: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "brand.xlsx"
    file.write_bytes(data)
    with pytest.raises(ExportError) as told:
        brand(file)
    assert words in str(told.value)
    assert str(told.value).startswith(str(file))
    assert "\n" not in str(told.value)


def test_a_brand_that_is_not_there(tmp_path: Path) -> None:
    done = CliRunner().invoke(commands, ["export", "plan.toml", "--brand", str(tmp_path / "no.xlsx")])
    assert isinstance(done.exception, ExportError)
    assert (
        str(done.exception)
        == f"{tmp_path / 'no.xlsx'}: No such file or directory; give an .xlsx file with a company's looks"
    )


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(240, 60), (240, 60)),
        (jpeg(640, 480), (640, 480)),
        (png(1, 1)[:20], None),
        (png()[:16] + struct.pack(">II", 0, 5), None),
        (png()[:16] + struct.pack(">II", 20_000, 5), None),
        (b"\xff\xd8\xff\xe0\x00\x01", None),
        (b"\xff\xd8\xff", None),
        (b"<svg/>", None),
        (b"", None),
    ],
)
def test_sizes_of_pictures(data: bytes, size: tuple[int, int] | None) -> None:
    found = picture(data)
    assert (None if found is None else (found.width, found.height)) == size


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("000000", "FFFFFF", 21.0),
        ("FFFFFF", "FFFFFF", 1.0),
        ("777777", "FFFFFF", 4.478),
        ("FF0000", "0000FF", 2.149),
    ],
)
def test_contrast_is_that_of_wcag(one: str, other: str, wanted: float) -> None:
    assert contrast(one, other) == contrast(other, one) == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("accent", ["FFD100", "FFFFFF", "F8F8FF", "000000", "C8102E", "00FF00", "1B4F72"])
def test_whatever_the_accent_letters_can_be_read(accent: str) -> None:
    theme = Theme(accent=accent, charts=("FFFFFF", "FFFF00"))
    assert contrast(theme.title_color, WHITE) >= TEXT
    assert contrast(on(accent), accent) >= TEXT
    assert len(theme.series) == len(set(theme.series)) == len(COLORS)
    assert all(contrast(color, WHITE) >= 1.05 for color in theme.series)
    assert contrast(theme.series[0], WHITE) >= GRAPHIC


def test_a_theme_over_another() -> None:
    company, recipes = (
        Theme(font="Verdana", accent="C8102E"),
        Theme(font="Arial", title_font="Georgia", charts=("005F83",)),
    )
    assert company.over(recipes) == Theme("Verdana", "Georgia", "C8102E", ("005F83",))
    assert Theme().speaking("") == Theme()
    assert Theme().speaking("Microsoft YaHei") == Theme("Microsoft YaHei", asian_font="Microsoft YaHei")
    assert company.speaking("Microsoft YaHei").font == "Verdana"
    assert Theme("Verdana", asian_font="DengXian").speaking("Microsoft YaHei").font == "DengXian"


# ---- applied


@cache
def branded() -> Export:
    theme = Theme("Verdana & <Co>", "Georgia", "FFD100", ACCENTS, LOGO)
    return build(PLANNER, proposal(template="one-page"), theme=theme)


def parts_of(made: Export) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(made.xlsx)) as opened:
        names = [name for name in opened.namelist() if name.endswith((".xml", ".rels"))]
        return {name: opened.read(name).decode() for name in names}


@pytest.mark.slow
def test_the_looks_are_in_every_part() -> None:
    """Fonts, titles, section rows, tabs, charts and the palette that the program offers."""
    book: Any = openpyxl.load_workbook(io.BytesIO(branded().xlsx))
    summary, about, inputs = book["Summary"], book["About"], book["Inputs"]
    title = summary["A1"].font
    assert (title.name, title.color.rgb) == ("Georgia", f"FF{Theme(accent='FFD100').title_color}")
    assert {c.font.name for row in summary.iter_rows(min_row=4) for c in row if c.value} == {"Verdana & <Co>"}
    section = next(c for (c,) in about.iter_rows(max_col=1) if c.fill.fill_type == "solid")
    assert (section.fill.fgColor.rgb, section.font.color.rgb) == ("FFFFD100", "FF000000")
    assert summary["A4"].fill.fgColor.rgb == "FFFFF8D9"
    assert summary.sheet_properties.tabColor.rgb == "00FFD100"
    assert inputs.sheet_properties.tabColor.rgb == "00B8860B"
    assert inputs["C5"].fill.fgColor.rgb == "FFFFF8DC", "cells that may be changed look as ever"
    parts = parts_of(branded())
    charts = "".join(text for name, text in parts.items() if name.startswith("xl/charts/"))
    assert 'typeface="Verdana &amp; &lt;Co>"' in charts
    assert "Calibri" not in charts
    assert "1B4F72" not in charts
    assert "C8102E" in charts
    assert re.search(r'<a:accent2>\s*<a:srgbClr val="C8102E">', parts["xl/theme/theme1.xml"])


@pytest.mark.slow
def test_the_logo_is_on_about_and_summary_beside_the_charts() -> None:
    with zipfile.ZipFile(io.BytesIO(branded().xlsx)) as opened:
        assert opened.read("xl/media/logo.png") == png()
    parts = parts_of(branded())
    drawings = {
        name: text for name, text in parts.items() if re.fullmatch(r"xl/drawings/drawing\d+\.xml", name)
    }
    assert sorted(text.count("<pic>") for text in drawings.values()) == [1, 1]
    assert sorted(text.count("<graphicFrame>") for text in drawings.values()) == [0, 2]
    assert parts["[Content_Types].xml"].count('Extension="png"') == 1
    book: Any = openpyxl.load_workbook(io.BytesIO(branded().xlsx))
    assert len(book["Summary"]._charts) == 2
    assert book["About"].row_dimensions[2].height == book["Summary"].row_dimensions[3].height == 46
    assert book["About"]["A2"].value is None


@pytest.mark.slow
def test_numbers_and_formulas_are_the_same() -> None:
    """Looks change no cell but that About leaves a row for the logo."""
    plain = build(PLANNER, proposal(template="one-page"))
    sheets = [
        text.partition("## Summary")[2].rpartition("## tokensheet")[0]
        for text in (branded().text, plain.text)
    ]
    assert sheets[0] and sheets[0] == sheets[1]


@pytest.mark.slow
def test_a_branded_workbook_is_sound(tmp_path: Path) -> None:
    assert unexplained(branded().xlsx) == []
    path, plain = tmp_path / "branded.xlsx", tmp_path / "plain.xlsx"
    path.write_bytes(branded().xlsx)
    plain.write_bytes(build(PLANNER, proposal(template="one-page")).xlsx)
    kinds = [
        {(e.part_uri.rstrip("0123456789.xml"), e.description) for e in OpenXmlValidator().validate(p).errors}
        for p in (path, plain)
    ]
    assert kinds[0] - kinds[1] == set()


@pytest.mark.slow
def test_the_same_brand_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "brand.xlsx").write_bytes(CASES[0][1])
    made = [
        build(PLANNER, proposal(template="one-page"), theme=brand(tmp_path / "brand.xlsx")).xlsx
        for _ in range(2)
    ]
    assert made[0] == made[1]


@pytest.mark.slow
def test_a_usual_workbook_has_the_usual_looks() -> None:
    parts = parts_of(build(PLANNER, proposal(template="one-page")))
    assert not any(name.startswith("xl/media") for name in parts)
    assert 'name val="Calibri"' in parts["xl/styles.xml"]


# ---- recipes


def ours(folder: Path, look: str) -> Planner:
    """A planner with a plugin whose recipe has a look."""
    (folder / "ours.toml").write_text(f'title = "Ours"\nresults = ["kv_bytes"]\n[look]\n{look}\n')
    (folder / "ours.py").write_text(
        "from pathlib import Path\nfrom tokensheet.plugin import hookimpl\n\n\n@hookimpl\ndef tokensheet_templates():\n"
        '    return [Path(__file__).with_name("ours.toml")]\n'
    )
    return Planner.of(files=(folder / "ours.py",))


@pytest.mark.slow
def test_a_recipe_has_looks_and_a_brand_beside_it(tmp_path: Path) -> None:
    """What the recipe says goes over its brand; what `--brand` says goes over both."""
    (tmp_path / "acme.xlsx").write_bytes(CASES[0][1])
    planner = ours(tmp_path, 'brand = "acme.xlsx"\naccent = "#00843d"')
    own = parts_of(build(planner, proposal(template="ours")))["xl/styles.xml"]
    assert ('name val="Verdana"' in own, 'fgColor rgb="FF00843D"' in own) == (True, True)
    asked = parts_of(build(planner, proposal(template="ours"), theme=Theme(accent="112288")))["xl/styles.xml"]
    assert ('name val="Verdana"' in asked, 'fgColor rgb="FF112288"' in asked) == (True, True)


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ('accent = "red"', "line 4: look.accent: String should match pattern"),
        ('acent = "#112288"', "line 4: look.acent: unknown key; nearest is accent"),
        ('brand = "../acme.xlsx"', "line 4: look.brand: String should match pattern"),
        ('brand = "/etc/acme.xlsx"', "line 4: look.brand: String should match pattern"),
        ('charts = ["#112288", "1"]', "look.charts.1: String should match pattern"),
        ('brand = "no.xlsx"', "template ours: no no.xlsx beside it"),
    ],
)
def test_mistakes_of_a_look_are_told(look: str, words: str, tmp_path: Path) -> None:
    planner = ours(tmp_path, look)
    with pytest.raises(TokensheetError) as told:
        build(planner, proposal(template="ours"))
    assert words in str(told.value)


def test_our_recipes_have_no_looks_of_their_own() -> None:
    assert {recipe_files.find(PLANNER, name).look for name in recipe_files.known(PLANNER)} == {recipe.Look()}
