"""Icons of the add-in, drawn here: the grid of a sheet with one marked cell, as PNG files."""

from __future__ import annotations

import struct
import zlib

SIZES = (16, 32, 64, 80)
GREEN, WHITE, CLEAR = (33, 115, 70, 255), (255, 255, 255, 255), (0, 0, 0, 0)
MARKED = (1, 1)
CELLS = 3

Colour = tuple[int, int, int, int]


def icon(size: int, ground: Colour = GREEN) -> bytes:
    """A square icon.

    Args:
        size: in pixels
        ground: colour behind the grid
    """
    line = max(1, size // 16)
    edge = size // 8
    step = (size - 2 * edge - line) / CELLS
    marks = [round(edge + i * step) for i in range(CELLS + 1)]

    def colour(x: int, y: int) -> Colour:
        if not (marks[0] <= x < marks[-1] + line and marks[0] <= y < marks[-1] + line):
            return ground
        if any(m <= x < m + line or m <= y < m + line for m in marks):
            return WHITE
        cell = tuple(sum(v >= m for m in marks) - 1 for v in (x, y))
        return WHITE if cell == MARKED else ground

    return png([[colour(x, y) for x in range(size)] for y in range(size)])


def outline(size: int = 32) -> bytes:
    """White on nothing, as Microsoft 365 wants the second icon."""
    return icon(size, CLEAR)


def png(rows: list[list[Colour]]) -> bytes:
    """Pixels as a PNG file."""
    pixels = b"".join(b"\0" + b"".join(bytes(pixel) for pixel in row) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        for name, content in parts
    )
