"""A company's looks from a workbook of its own: fonts and colours of its theme and named styles, and its logo.

The file is somebody else's: theme, styles and pictures are read with bounds on their size; no formula, macro or
link in it is looked at.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from tokensheet.errors import ExportError
from tokensheet.workbook.brand_styles import BrandStyles, BrandTheme, colored
from tokensheet.workbook.package import Package
from tokensheet.workbook.picture import Picture, picture
from tokensheet.workbook.theme import Theme

LARGEST_PART, LARGEST_LOGO = 4_000_000, 1_000_000
LONGEST_FONT = 31
OFFICE = {
    "4F81BD", "C0504D", "9BBB59", "8064A2", "4BACC6", "F79646",
    "5B9BD5", "ED7D31", "A5A5A5", "FFC000", "4472C4", "70AD47",
    "156082", "E97132", "196B24", "0F9ED5", "A02B93", "4EA72E",
}  # fmt: skip
"""Accents that programs give to every new workbook: they are no company's."""
OFFICE_FONTS = {
    "Calibri",
    "Calibri Light",
    "Cambria",
    "Aptos",
    "Aptos Narrow",
    "Aptos Display",
    "Arial",
    "Carlito",
}
"""Fonts that programs give to every new workbook; a company that has one of them keeps ours."""
TITLES, BODIES = ("title", "heading 1", "heading 2"), ("normal",)
ACCENTS = tuple(f"accent{i}" for i in range(1, 7))
WANTED = "give an .xlsx file with a company's looks"


def brand(path: Path) -> Theme:
    """The looks of a company's workbook.

    The accent is the colour of the named style Title, Heading 1 or Accent1, else the theme's first accent, else
    the fill that most of its cell styles have. Texts take the font of Normal, titles that of Title or Heading 1.
    The logo is the first PNG or JPEG picture.

    Raises:
        ExportError: the file cannot be read, or nothing in it is a company's own.
    """
    with Package(path, WANTED, LARGEST_PART) as package:
        looks = package.tree(_theme_part(package))
        found = _looks(BrandTheme(looks), package.tree("xl/styles.xml"), _logo(package))
    if found == Theme():
        raise ExportError(
            f"{path}: has no theme, named style or picture of its own; set its theme's colours and fonts, or its styles"
        )
    return found


def _looks(theme: BrandTheme, part: Element, logo: Picture | None) -> Theme:
    styles = BrandStyles(part, theme, OFFICE)
    accents = [color for name in ACCENTS if colored(color := theme.colors.get(name, ""))]
    own = [color for color in accents if color not in OFFICE]
    styled = [color for name in ACCENTS if (color := styles.fill_of(name)) and color not in OFFICE]
    chosen = (styles.color_of(TITLES), *styled[:1], *own[:1], styles.usual_fill())
    accent = next((color for color in chosen if color), "")
    fonts = (styles.font_of(BODIES), theme.minor, *styles.fonts())
    font = next((name for name in fonts if _own_font(name)), "")
    title = next(
        (name for name in (styles.font_of(TITLES), theme.major) if _own_font(name) and name != font), ""
    )
    series = tuple(styled or (accents if own else ()))
    return Theme(font, title, accent, series, logo, theme.asian if font else "")


def _own_font(name: str) -> bool:
    return 0 < len(name) <= LONGEST_FONT and name not in OFFICE_FONTS


def _theme_part(package: Package) -> str:
    """The part that the workbook calls its theme."""
    related = package.related("xl/workbook.xml").values()
    return next((part for kind, part in related if kind == "theme"), "xl/theme/theme1.xml")


def _logo(package: Package) -> Picture | None:
    """The first picture that can be used; each is part of every workbook, so it must not be large."""
    for name in sorted(n for n in package.names if n.startswith("xl/media/")):
        if name.lower().endswith((".png", ".jpg", ".jpeg")):
            data = package.bytes(name)
            if len(data) > LARGEST_LOGO:
                raise package.error(f"{name} is larger than {LARGEST_LOGO:,} bytes")
            if (found := picture(data)) is not None:
                return found
    return None
