"""Colours as `RRGGBB`: contrast as WCAG defines it, lighter and darker ones."""

from __future__ import annotations

WHITE, BLACK = "FFFFFF", "000000"
TEXT, GRAPHIC = 4.5, 2.0
"""Least contrast of letters, and of areas of a chart, against what is behind them."""


def parts(color: str) -> tuple[float, float, float]:
    """Red, green and blue from 0 to 1."""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def of_parts(red: float, green: float, blue: float) -> str:
    """The colour of red, green and blue from 0 to 1; what is beyond is cut off."""
    return "".join(f"{round(255 * min(1.0, max(0.0, part))):02X}" for part in (red, green, blue))


def luminance(color: str) -> float:
    """Relative luminance, from 0 for black to 1 for white (WCAG 2.1)."""
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, from 1 to 21 (WCAG 2.1)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(color: str, other: str, share: float) -> str:
    """A colour with a share of another one."""
    own = [a + (b - a) * share for a, b in zip(parts(color), parts(other), strict=True)]
    return of_parts(*own)


def lighter(color: str, share: float) -> str:
    """A colour with a share of white."""
    return mixed(color, WHITE, share)


def readable(color: str, behind: str, least: float = TEXT) -> str:
    """The colour, darkened in steps until its contrast against what is behind it is enough."""
    for step in range(21):
        found = mixed(color, BLACK, step / 20)
        if contrast(found, behind) >= least:
            return found
    return BLACK


def dark_enough(color: str) -> str:
    """The colour, dark enough for an area on white."""
    return readable(color, WHITE, GRAPHIC)


def on(color: str) -> str:
    """White or black: whichever is read better on a colour."""
    return max((WHITE, BLACK), key=lambda ink: contrast(ink, color))
