"""A picture in the finished package: its size, and the parts that place it on a sheet."""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import MutableMapping
from dataclasses import dataclass

EMU_A_POINT = 12_700
WIDEST, HIGHEST = 190.0, 40.0
"""Points of a logo at most."""
LARGEST_SIDE = 10_000
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/drawingml/2006/main"
TYPES = {"png": "image/png", "jpeg": "image/jpeg"}
_ID = re.compile(r'Id="rId(\d+)"')
_PROPERTIES = re.compile(r'<cNvPr id="(\d+)"')


@dataclass(frozen=True)
class Picture:
    """A picture file: `png` or `jpeg`, its bytes, its size in pixels."""

    kind: str
    data: bytes
    width: int
    height: int

    @property
    def points(self) -> tuple[float, float]:
        """Width and height of the logo."""
        scale = min(WIDEST / self.width, HIGHEST / self.height)
        return self.width * scale, self.height * scale


def picture(data: bytes) -> Picture | None:
    """The picture in a file's bytes; None where they are no PNG or JPEG of a usable size."""
    found: tuple[str, int, int] | None = None
    if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR" and len(data) >= 24:
        found = ("png", *struct.unpack(">II", data[16:24]))
    elif data[:3] == b"\xff\xd8\xff":
        size = _jpeg_size(data)
        found = ("jpeg", *size) if size else None
    if found is None or not all(0 < side <= LARGEST_SIDE for side in found[1:]):
        return None
    return Picture(found[0], data, found[1], found[2])


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the frame header."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        if length < 2:
            return None
        at += 2 + length
    return None


def place(entries: MutableMapping[str, bytes], sheet: str, logo: Picture, row: int) -> None:
    """Places the logo at the left of a row of a sheet, beside the charts that it may have.

    Args:
        entries: name → content of each part of the package; changed in place
        sheet: its part
        logo: the picture
        row: from 0
    """
    media = f"xl/media/logo.{logo.kind}"
    if media not in entries:
        entries[media] = logo.data
        _declare(entries, f'<Default ContentType="{TYPES[logo.kind]}" Extension="{logo.kind}"></Default>')
    drawing = _drawing_of(entries, sheet)
    id = _relate(entries, drawing, media, "image")
    text = entries[drawing].decode()
    number = max((int(n) for n in _PROPERTIES.findall(text)), default=0) + 1
    entries[drawing] = text.replace("</wsDr>", f"{_anchor(logo, id, number, row)}</wsDr>").encode()


def _anchor(logo: Picture, id: str, number: int, row: int) -> str:
    width, height = (round(side * EMU_A_POINT) for side in logo.points)
    return (
        f"<oneCellAnchor><from><col>0</col><colOff>38100</colOff><row>{row}</row><rowOff>38100</rowOff></from>"
        f'<ext cx="{width}" cy="{height}"></ext><pic>'
        f'<nvPicPr><cNvPr descr="logo" id="{number}" name="Logo"></cNvPr><cNvPicPr></cNvPicPr></nvPicPr>'
        f'<blipFill><a:blip xmlns:a="{MAIN}" xmlns:r="{RELATIONS}" r:embed="{id}"></a:blip>'
        f'<a:stretch xmlns:a="{MAIN}"><a:fillRect></a:fillRect></a:stretch></blipFill>'
        f'<spPr><a:xfrm xmlns:a="{MAIN}"><a:off x="0" y="0"></a:off><a:ext cx="{width}" cy="{height}"></a:ext></a:xfrm>'
        f'<a:prstGeom xmlns:a="{MAIN}" prst="rect"><a:avLst></a:avLst></a:prstGeom></spPr>'
        "</pic><clientData></clientData></oneCellAnchor>"
    )


def _drawing_of(entries: MutableMapping[str, bytes], sheet: str) -> str:
    """The part of a sheet's drawing; a new one where it has none."""
    relations = _relations(sheet)
    for line in re.findall(r"<Relationship [^>]*>", entries.get(relations, b"").decode()):
        if line_type := re.search(r'Type="[^"]*/drawing"', line):
            target = re.search(r'Target="([^"]*)"', line)
            assert line_type and target
            return posixpath.normpath(posixpath.join(posixpath.dirname(sheet), target[1])).lstrip("/")
    number = sum(name.startswith("xl/drawings/drawing") for name in entries) + 1
    part = f"xl/drawings/drawing{number}.xml"
    entries[part] = f'<wsDr xmlns="{DRAWING}"></wsDr>'.encode()
    _declare(
        entries,
        f'<Override ContentType="application/vnd.openxmlformats-officedocument.drawing+xml" PartName="/{part}"></Override>',
    )
    id = _relate(entries, sheet, part, "drawing")
    text = entries[sheet].decode()
    element = f'<drawing xmlns:r="{RELATIONS}" r:id="{id}"></drawing>'
    entries[sheet] = text.replace("</worksheet>", f"{element}</worksheet>").encode()
    return part


def _relate(entries: MutableMapping[str, bytes], source: str, target: str, kind: str) -> str:
    """Adds a relationship; gives its id."""
    name = _relations(source)
    text = entries.get(name, f'<Relationships xmlns="{PACKAGE}"></Relationships>'.encode()).decode()
    id = f"rId{max((int(n) for n in _ID.findall(text)), default=0) + 1}"
    path = posixpath.relpath(target, posixpath.dirname(source))
    line = f'<Relationship Id="{id}" Target="{path}" Type="{RELATIONS}/{kind}"></Relationship>'
    entries[name] = text.replace("</Relationships>", f"{line}</Relationships>").encode()
    return id


def _relations(part: str) -> str:
    folder, name = posixpath.split(part)
    return f"{folder}/_rels/{name}.rels"


def _declare(entries: MutableMapping[str, bytes], line: str) -> None:
    """Adds a content type; defaults stand before what overrides them."""
    name = "[Content_Types].xml"
    text = entries[name].decode()
    if line.startswith("<Default"):
        head, mark, rest = text.partition("<Default")
        entries[name] = f"{head}{line}{mark}{rest}".encode()
    else:
        entries[name] = text.replace("</Types>", f"{line}</Types>").encode()
