"""Colours and fonts of somebody's workbook: those of its theme by their place, those of its styles by name and use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from tokensheet.workbook.color import BLACK, WHITE, contrast, of_parts, parts

THEME_COLORS = ("lt1", "dk1", "lt2", "dk2", *(f"accent{i}" for i in range(1, 7)), "hlink", "folHlink")
"""Colours of a theme in the order in which cells number them."""
COLORED = 0.08
"""Difference of the strongest and the weakest part of a colour, from which on it is no grey."""
PAPER = 1.2
"""Contrast to white up to which a colour is as good as white."""
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})?([0-9A-Fa-f]{6})")


def colored(color: str) -> bool:
    """Whether a text is a colour, and no grey, white or black."""
    if not color or color in {WHITE, BLACK}:
        return False
    return max(parts(color)) - min(parts(color)) > COLORED


class BrandTheme:
    """A theme: colours by the name of their place, fonts of headings and of texts."""

    def __init__(self, root: Element) -> None:
        self.colors: dict[str, str] = {}
        for scheme in root.iter("clrScheme"):
            for place in scheme:
                for color in place:
                    text = color.get("val", "") if color.tag == "srgbClr" else color.get("lastClr", "")
                    if found := _HEX.fullmatch(text):
                        self.colors[place.tag] = found[1].upper()
        self.major, self.minor = (_face(root, kind, "latin") for kind in ("majorFont", "minorFont"))
        self.asian = _face(root, "minorFont", "ea")


def _face(root: Element, kind: str, script: str) -> str:
    found = root.find(f".//fontScheme/{kind}/{script}")
    return found.get("typeface", "").strip() if found is not None else ""


@dataclass
class _Style:
    """What a cell style says; empty where it says nothing."""

    font: str = ""
    color: str = ""
    fill: str = ""


class BrandStyles:
    """Named styles, and what the cells of a workbook use.

    Args:
        root: of the part with the styles
        theme: to which they may refer
        usual: colours that every new workbook has, which are no company's
    """

    def __init__(self, root: Element, theme: BrandTheme, usual: Collection[str]) -> None:
        self.theme, self.usual = theme, usual
        self.all_fonts, self.all_fills = list(_children(root, "fonts")), list(_children(root, "fills"))
        formats = [self._style(format) for format in _children(root, "cellStyleXfs")]
        self.named: dict[str, _Style] = {}
        for named in _children(root, "cellStyles"):
            place = _place(formats, named.get("xfId"))
            if place is not None:
                self.named[named.get("name", "").strip().lower()] = formats[place]
        self.used = [self._style(format) for format in _children(root, "cellXfs")]

    def color_of(self, names: Sequence[str]) -> str:
        """Colour of the fill, else of the letters, of the first named style that has one of a company."""
        styles = [style for name in names if (style := self.named.get(name))]
        colors = [c for style in styles for c in (style.fill, style.color) if c and c not in self.usual]
        return next((c for c in colors if contrast(c, WHITE) > PAPER), "")

    def font_of(self, names: Sequence[str]) -> str:
        """Font of the first named style that has one."""
        return next((s.font for name in names if (s := self.named.get(name)) and s.font), "")

    def fill_of(self, name: str) -> str:
        """Fill of a named style."""
        return self.named.get(name, _Style()).fill

    def usual_fill(self) -> str:
        """The fill that most formats of cells have."""
        return next(iter(_by_count(style.fill for style in self.used)), "")

    def fonts(self) -> list[str]:
        """Fonts of the formats of cells, those of most formats first."""
        return _by_count(style.font for style in self.used)

    def _style(self, format: Element) -> _Style:
        font = _place(self.all_fonts, format.get("fontId"))
        fill = _place(self.all_fills, format.get("fillId"))
        found = _Style()
        if font is not None:
            found.font, found.color = (
                self._font(self.all_fonts[font]),
                self._color(self.all_fonts[font].find("color")),
            )
        if fill is not None:
            found.fill = self._fill(self.all_fills[fill])
        return found

    def _font(self, font: Element) -> str:
        """Name of a font; that of the theme where it says so."""
        of_theme = {"major": self.theme.major, "minor": self.theme.minor}.get(_value(font, "scheme"), "")
        return of_theme or _value(font, "name").strip()

    def _fill(self, fill: Element) -> str:
        """Colour of a plain fill; empty for none and for greys."""
        pattern = fill.find("patternFill")
        if pattern is None or pattern.get("patternType") != "solid":
            return ""
        return self._color(pattern.find("fgColor"))

    def _color(self, color: Element | None) -> str:
        """A colour that is one, by its own digits or its place in the theme; its tint counts."""
        if color is None:
            return ""
        found = _HEX.fullmatch(color.get("rgb", ""))
        text = found[1].upper() if found else ""
        number = _place(THEME_COLORS, color.get("theme"))
        if number is not None:
            text = self.theme.colors.get(THEME_COLORS[number], "")
        tint = _number(color.get("tint", "0"))
        if not text:
            return ""
        shaded = of_parts(*(p * (1 + tint) if tint < 0 else p + (1 - p) * tint for p in parts(text)))
        return shaded if colored(shaded) else ""


def _by_count(texts: Iterator[str]) -> list[str]:
    """Texts that are not empty, the most frequent first; of several, the first met."""
    return [text for text, _ in Counter(text for text in texts if text).most_common()]


def _children(root: Element, name: str) -> Iterator[Element]:
    found = root.find(f".//{name}")
    yield from found if found is not None else ()


def _value(element: Element, name: str) -> str:
    found = element.find(name)
    return found.get("val", "") if found is not None else ""


def _place(items: Sequence[object], number: str | None) -> int | None:
    """A place in a list that a text says, if the list has it."""
    if number is None or not (number.isascii() and number.isdecimal()) or len(number) > 6:
        return None
    return int(number) if int(number) < len(items) else None


def _number(text: str) -> float:
    """A tint from -1 to 1; what is none is 0."""
    try:
        found = float(text)
    except ValueError:
        return 0.0
    return max(-1.0, min(1.0, found)) if found == found else 0.0
