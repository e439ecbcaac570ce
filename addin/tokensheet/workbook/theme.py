"""A company's looks: the fonts and colours of a finished workbook, put in place of the usual ones in all its parts.

Sheets and charts are written in one look (`styles.py`, `charts.py`), where each colour has one meaning. A
theme says what stands in place of it, so that nothing that writes a cell needs to know of companies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace

from tokensheet.workbook import styles
from tokensheet.workbook.charts import COLORS
from tokensheet.workbook.color import WHITE, dark_enough, lighter, on, readable
from tokensheet.workbook.picture import Picture, place

ACCENT, HEADER, ON_ACCENT = (color[2:] for color in (styles.ACCENT, styles.HEADER, styles.ON_ACCENT))
TAB = re.compile(r'(<tabColor rgb="00)([0-9A-F]{6})(")')
_FONT = re.compile(r"(<font>(?:(?!</font>).)*</font>)")
_FACE = f'typeface="{styles.FACE}"'
_LATIN = re.compile(rf"<a:latin {_FACE}></a:latin>")
_COLOR = re.compile(r'(<a:srgbClr val=")([0-9A-F]{6})(")')
_SLOT = re.compile(r'(<a:(accent[1-6]|dk2|hlink)>\s*<a:srgbClr val=")[0-9A-F]{6}')
_TITLE_SIZE = '<sz val="16">'
LOGO_ROW_HEIGHT = 46.0
"""Points of the row that holds the logo."""


@dataclass(frozen=True)
class Theme:
    """What stands in place of the usual look; what is empty stays as usual.

    Attributes:
        font: of all texts
        title_font: of the sheets' titles
        accent: of titles, section rows and the first series of charts, as `1B4F72`
        charts: colours of series after the first, best first
        logo: on About and Summary
        asian_font: of Chinese and other texts that the font has no characters for
    """

    font: str = ""
    title_font: str = ""
    accent: str = ""
    charts: tuple[str, ...] = ()
    logo: Picture | None = None
    asian_font: str = ""

    def over(self, other: Theme) -> Theme:
        """This one; where it says nothing, the other."""
        return Theme(
            self.font or other.font,
            self.title_font or other.title_font,
            self.accent or other.accent,
            self.charts or other.charts,
            self.logo or other.logo,
            self.asian_font or other.asian_font,
        )

    def speaking(self, font: str) -> Theme:
        """The looks for a language that needs a font of its own; empty where it needs none."""
        if not font:
            return self
        own = self.asian_font or self.font or font
        return replace(self, font=own, asian_font=self.asian_font or font)

    @property
    def title_color(self) -> str:
        """The accent, dark enough for letters on white."""
        return readable(self.accent, WHITE)

    @property
    def series(self) -> tuple[str, ...]:
        """Colours of charts, as many as the usual ones: the theme's, then lighter ones of them."""
        own = tuple(dict.fromkeys(dark_enough(c) for c in (self.accent, *self.charts) if c))
        if not own:
            return COLORS
        found = list(own)
        for share in (0.35, 0.6):
            found += [lighter(color, share) for color in own]
        usual = [color for color in COLORS if color not in found]
        return tuple([*dict.fromkeys(found), *usual][: len(COLORS)])


def dress(entries: MutableMapping[str, bytes], theme: Theme, rows: Mapping[str, int]) -> None:
    """Changes the parts of a package to a theme's looks.

    Args:
        entries: name → content of each part; changed in place
        theme: the looks
        rows: part of each sheet that shows the logo → its row there, from 1
    """
    if theme.font or theme.accent:
        entries["xl/styles.xml"] = _styles(entries["xl/styles.xml"].decode(), theme).encode()
    for name in entries:
        if name.startswith("xl/charts/chart"):
            entries[name] = _chart(entries[name].decode(), theme).encode()
        elif name.startswith("xl/theme/"):
            entries[name] = _palette(entries[name].decode(), theme).encode()
        elif name.startswith("xl/worksheets/sheet") and theme.accent:
            entries[name] = _tab(entries[name].decode(), theme).encode()
    if theme.logo is not None:
        for part, row in rows.items():
            place(entries, part, theme.logo, row - 1)


def _styles(text: str, theme: Theme) -> str:
    def font(found: re.Match[str]) -> str:
        name = theme.title_font if _TITLE_SIZE in found[1] and theme.title_font else theme.font
        own = found[1]
        if name:
            own = re.sub(r'<name val="[^"]*">', lambda _: f'<name val="{_attribute(name)}">', own)
            own = own.replace('<scheme val="minor"></scheme>', "").replace('<family val="2"></family>', "")
        if theme.accent:
            own = own.replace(f'rgb="FF{ACCENT}"', f'rgb="FF{theme.title_color}"')
            own = own.replace(f'rgb="FF{ON_ACCENT}"', f'rgb="FF{on(theme.accent)}"')
        return own

    text = _FONT.sub(font, text)
    if theme.accent:
        text = text.replace(f'<fgColor rgb="FF{ACCENT}">', f'<fgColor rgb="FF{theme.accent}">')
        text = text.replace(f'<fgColor rgb="FF{HEADER}">', f'<fgColor rgb="FF{lighter(theme.accent, 0.85)}">')
    return text


def _chart(text: str, theme: Theme) -> str:
    if theme.font:
        asian = _attribute(theme.asian_font or theme.font)
        faces = f'<a:latin typeface="{_attribute(theme.font)}"></a:latin><a:ea typeface="{asian}"></a:ea>'
        text = _LATIN.sub(lambda _: faces, text)
    if theme.accent or theme.charts:
        own = dict(zip(COLORS, theme.series, strict=True))
        text = _COLOR.sub(lambda found: f"{found[1]}{own.get(found[2], found[2])}{found[3]}", text)
    return text


def _palette(text: str, theme: Theme) -> str:
    """The colours and fonts that the program offers the reader."""
    own: dict[str, str] = {}
    if theme.accent:
        own = {f"accent{i}": color for i, color in enumerate(theme.series[:6], 1)}
        own |= {"dk2": theme.title_color, "hlink": theme.title_color}
    text = _SLOT.sub(lambda found: f"{found[1]}{own[found[2]]}" if own else found[0], text)
    for kind, name in (("major", theme.title_font or theme.font), ("minor", theme.font)):
        if name:
            face = f'typeface="{_attribute(name)}"'
            pattern = rf'(<a:{kind}Font>\s*<a:latin [^>]*?)typeface="[^"]*"'
            text = re.sub(pattern, lambda found, face=face: found[1] + face, text)  # type: ignore[misc]
    return text


def _tab(text: str, theme: Theme) -> str:
    """Tabs of answers take the accent, all others a lighter one; those of inputs and checks keep their meaning."""
    own = {ACCENT: theme.accent, styles.ANSWER: theme.accent, styles.WORKINGS: lighter(theme.accent, 0.5)}
    return TAB.sub(lambda found: f"{found[1]}{own.get(found[2], found[2])}{found[3]}", text, count=1)


def _attribute(text: str) -> str:
    """A text inside quotes of XML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
