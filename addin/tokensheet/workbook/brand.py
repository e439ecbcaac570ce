"""A company's looks from a workbook of its own: fonts and colours of its theme and named styles, and its logo.

The file is somebody else's: it is read as a zip of XML, with bounds on every size and without entities; no
formula, macro or link in it is looked at.
"""

from __future__ import annotations

import io
import lzma
import posixpath
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tokensheet import untrusted
from tokensheet.errors import ExportError
from tokensheet.workbook.color import BLACK, WHITE, contrast, of_parts, parts
from tokensheet.workbook.picture import Picture, picture
from tokensheet.workbook.theme import Theme

LARGEST_FILE, LARGEST_PART, LARGEST_LOGO, MOST_PARTS = 20_000_000, 4_000_000, 2_000_000, 5_000
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
THEME_COLORS = ("lt1", "dk1", "lt2", "dk2", *(f"accent{i}" for i in range(1, 7)), "hlink", "folHlink")
"""Colours of a theme in the order in which cells number them."""
TITLES, BODIES = ("title", "heading 1", "heading 2"), ("normal",)

_DAMAGED = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, NotImplementedError, RuntimeError, EOFError, LookupError, OSError,
)  # fmt: skip
"""What reading a damaged or an encrypted package comes to."""
_T = TypeVar("_T")
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})?([0-9A-Fa-f]{6})")


def brand(path: Path) -> Theme:
    """The looks of a company's workbook.

    The accent is the colour of the named style Title, Heading 1 or Accent1, else the theme's first accent, else
    the fill that most of its cell styles have. Texts take the font of Normal, titles that of Title or Heading 1.
    The logo is the first PNG or JPEG picture.

    Raises:
        ExportError: the file cannot be read, or nothing in it is a company's own.
    """
    try:
        data = untrusted.content(path, LARGEST_FILE)
    except OSError as error:
        raise ExportError(f"{path}: {error.strerror or error}; give the path of an .xlsx file") from error
    except ValueError as error:
        raise ExportError(f"{path}: {error}; a brand workbook is small") from error
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            found = _looks(_Package(package, path))
    except (*_DAMAGED, ValueError) as error:
        raise ExportError(f"{path}: is no workbook that can be read ({error}); save it as .xlsx") from error
    if found == Theme():
        raise ExportError(
            f"{path}: has no theme, named style or picture of its own; set its theme's colours and fonts, or its styles"
        )
    return found


class _Package:
    """Parts of an untrusted package."""

    def __init__(self, package: zipfile.ZipFile, path: Path) -> None:
        self.package, self.path = package, path
        self.names = package.namelist()
        if len(self.names) > MOST_PARTS:
            raise ExportError(
                f"{path}: has {len(self.names)} parts; a brand workbook has at most {MOST_PARTS}"
            )

    def bytes(self, name: str, largest: int = LARGEST_PART) -> bytes:
        """A part; empty where there is none."""
        if name not in self.names:
            return b""
        with self.package.open(name) as stream:
            data = stream.read(largest + 1)
        if len(data) > largest:
            raise ExportError(f"{self.path}: {name} is larger than {largest:,} bytes; leave it out")
        return data

    def xml(self, name: str) -> Element | None:
        """A part as a tree; None where there is none."""
        data = self.bytes(name)
        if not data:
            return None
        try:
            text = data.decode("utf-8-sig")
            if "<!DOCTYPE" in text.upper():
                raise ValueError(f"{name}: has a document type")
            return ElementTree.fromstring(text)
        except (UnicodeDecodeError, ElementTree.ParseError) as error:
            raise ValueError(f"{name}: {error}") from error


def _looks(package: _Package) -> Theme:
    theme = _ThemePart(package.xml(_part(package, "theme", "xl/theme/theme1.xml")))
    styles = _Styles(package.xml("xl/styles.xml"), theme)
    accents = [c for i in range(1, 7) if (c := theme.colors.get(f"accent{i}", "")) and _colored(c)]
    own = [c for c in accents if c not in OFFICE]
    styled = [c for i in range(1, 7) if (c := styles.fill_of(f"accent{i}")) and c not in OFFICE]
    accent = next((c for c in (styles.color_of(TITLES), *styled[:1], *own[:1], styles.usual_fill()) if c), "")
    font = next((f for f in (styles.font_of(BODIES), theme.minor, styles.usual_font()) if _own_font(f)), "")
    title = next((f for f in (styles.font_of(TITLES), theme.major) if _own_font(f) and f != font), "")
    asian = theme.asian if font else ""
    return Theme(font, title, accent, tuple(styled or (accents if own else ())), _logo(package), asian)


def _colored(color: str) -> bool:
    """Whether a colour is one, and no grey, white or black."""
    return max(parts(color)) - min(parts(color)) > 0.08 and color not in {WHITE, BLACK}


def _own_font(name: str) -> bool:
    return 0 < len(name) <= LONGEST_FONT and name not in OFFICE_FONTS


def _part(package: _Package, kind: str, usual: str) -> str:
    """The part that the workbook calls its theme."""
    root = package.xml("xl/_rels/workbook.xml.rels")
    for relation in root if root is not None else ():
        if relation.get("Type", "").endswith(f"/{kind}"):
            return posixpath.normpath(posixpath.join("/xl", relation.get("Target", ""))).lstrip("/")
    return usual


class _ThemePart:
    """Colours by their place, and fonts."""

    def __init__(self, root: Element | None) -> None:
        self.colors: dict[str, str] = {}
        self.major = self.minor = self.asian = ""
        if root is None:
            return
        for scheme in root.iter(f"{_A}clrScheme"):
            for place in scheme:
                for color in place:
                    text = color.get("val", "") if color.tag == f"{_A}srgbClr" else color.get("lastClr", "")
                    if found := _HEX.fullmatch(text):
                        self.colors[place.tag.removeprefix(_A)] = found[1].upper()
        for fonts in root.iter(f"{_A}fontScheme"):
            self.major, self.minor = (_face(fonts, kind, "latin") for kind in ("majorFont", "minorFont"))
            self.asian = _face(fonts, "minorFont", "ea")


def _face(fonts: Element, kind: str, script: str) -> str:
    found = fonts.find(f"{_A}{kind}/{_A}{script}")
    return found.get("typeface", "").strip() if found is not None else ""


@dataclass
class _Style:
    """What a cell style says."""

    font: str = ""
    color: str = ""
    fill: str = ""


class _Styles:
    """Named styles and what cells use."""

    def __init__(self, root: Element | None, theme: _ThemePart) -> None:
        self.theme = theme
        self.named: dict[str, _Style] = {}
        self.used: list[_Style] = []
        if root is None:
            return
        fonts = list(_children(root, "fonts"))
        fills = list(_children(root, "fills"))

        def style(format: Element) -> _Style:
            font, fill = _item(fonts, format.get("fontId")), _item(fills, format.get("fillId"))
            return _Style(self.font(font), self.color(_child(font, "color")), self.fill(fill))

        formats = [style(f) for f in _children(root, "cellStyleXfs")]
        for named in _children(root, "cellStyles"):
            found = _item(formats, named.get("xfId"))
            if found is not None:
                self.named[named.get("name", "").strip().lower()] = found
        self.used = [style(f) for f in _children(root, "cellXfs")]

    def font(self, font: Element | None) -> str:
        """Name of a font; that of the theme where it says so."""
        scheme = _value(_child(font, "scheme"))
        of_theme = {"major": self.theme.major, "minor": self.theme.minor}.get(scheme, "")
        return of_theme or _value(_child(font, "name")).strip()

    def fill(self, fill: Element | None) -> str:
        """Colour of a plain fill; empty for none and for greys."""
        pattern = _child(fill, "patternFill")
        if pattern is None or pattern.get("patternType") != "solid":
            return ""
        return self.color(_child(pattern, "fgColor"))

    def color(self, color: Element | None) -> str:
        """A colour that is one, by its own digits or its place in the theme; its tint counts."""
        if color is None:
            return ""
        found = _HEX.fullmatch(color.get("rgb", ""))
        text = found[1].upper() if found else ""
        place = color.get("theme", "")
        if place.isdecimal() and int(place) < len(THEME_COLORS):
            text = self.theme.colors.get(THEME_COLORS[int(place)], "")
        try:
            tint = max(-1.0, min(1.0, float(color.get("tint", "0"))))
        except ValueError:
            tint = 0.0
        if not text or tint != tint:  # not a number
            return ""
        shaded = of_parts(*(p * (1 + tint) if tint < 0 else p + (1 - p) * tint for p in parts(text)))
        return shaded if _colored(shaded) else ""

    def color_of(self, names: tuple[str, ...]) -> str:
        """Colour of the letters, else of the fill, of the first named style that has one."""
        found = [s for n in names if (s := self.named.get(n))]
        colors = [c for s in found for c in (s.fill, s.color) if c and c not in OFFICE]
        return next((c for c in colors if contrast(c, WHITE) > 1.2), "")

    def font_of(self, names: tuple[str, ...]) -> str:
        """Font of the first named style."""
        return next((s.font for n in names if (s := self.named.get(n)) and s.font), "")

    def fill_of(self, name: str) -> str:
        """Fill of a named style."""
        return self.named.get(name, _Style()).fill

    def usual_fill(self) -> str:
        """The fill that most cell styles have."""
        return _most(style.fill for style in self.used)

    def usual_font(self) -> str:
        """The font that most cell styles have."""
        return _most(style.font for style in self.used if _own_font(style.font))


def _most(texts: Iterator[str]) -> str:
    """The text that occurs most; of several, the first."""
    return next((text for text, _ in Counter(t for t in texts if t).most_common(1)), "")


def _children(root: Element, name: str) -> Iterator[Element]:
    found = root.find(f"{_S}{name}")
    yield from found if found is not None else ()


def _child(element: Element | None, name: str) -> Element | None:
    return element.find(f"{_S}{name}") if element is not None else None


def _value(element: Element | None) -> str:
    return element.get("val", "") if element is not None else ""


def _item(items: list[_T], number: str | None) -> _T | None:
    return items[int(number)] if number and number.isdecimal() and int(number) < len(items) else None


def _logo(package: _Package) -> Picture | None:
    """The first picture that can be used."""
    for name in sorted(n for n in package.names if n.startswith("xl/media/")):
        if name.lower().endswith((".png", ".jpg", ".jpeg")):
            found = picture(package.bytes(name, LARGEST_LOGO))
            if found is not None:
                return found
    return None
