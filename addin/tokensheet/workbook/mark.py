"""The mark of an export: a sum over its own content, by which a file that somebody changed is told from one that nobody did.

It guards against slips, and is no signature: whoever wants to can make one. Programs that save a workbook write
its parts in their own way, so that the mark is wrong even where no cell was changed: tried with LibreOffice and
openpyxl, not with Excel.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tokensheet.errors import ExportError
from tokensheet.workbook.package import Package

CORE = "docProps/core.xml"
LARGEST = 200_000_000
"""Bytes of all parts; more is no export."""

_END = b"</cp:coreProperties>"
_IDENTIFIER = b"<dc:identifier"
_MARK = re.compile(
    rb'<dc:identifier xmlns:dc="http://purl\.org/dc/elements/1\.1/">tokensheet sha256 ([0-9a-f]{64})</dc:identifier>'
    rb"(?=</cp:coreProperties>\Z)"
)
_LAST_LINE = re.compile(rb"## tokensheet sha256 ([0-9a-f]{64}) of all lines above\n\Z")
"""No title of a sheet is as long, and cells do not begin so."""


def with_mark(parts: Mapping[str, bytes]) -> bytes:
    """The document's properties with the mark of all parts, as the identifier that the standard has a place for.

    Args:
        parts: of the workbook, its properties among them and in canonical form

    Raises:
        ValueError: the properties are not in that form, or have an identifier already.
    """
    core = parts[CORE]
    if not core.endswith(_END) or _IDENTIFIER in core:
        raise ValueError(f"{CORE} cannot take a mark")
    told = f'<dc:identifier xmlns:dc="http://purl.org/dc/elements/1.1/">tokensheet sha256 {_sum(sorted(parts.items()))}</dc:identifier>'
    return core.removesuffix(_END) + told.encode() + _END


def text_with_mark(text: str) -> str:
    """A text with its mark as the last line."""
    return f"{text}## tokensheet sha256 {hashlib.sha256(text.encode()).hexdigest()} of all lines above\n"


def is_marked_text(data: bytes) -> bool:
    """Whether a text is as it was marked; line ends may have become those of Windows, as git makes them."""
    data = data.replace(b"\r\n", b"\n")
    found = _LAST_LINE.search(data)
    return found is not None and found[1].decode() == hashlib.sha256(data[: found.start()]).hexdigest()


def is_marked_workbook(path: Path) -> bool:
    """Whether a workbook's parts are as they were marked; no for a file that is none, or is beyond a bound."""
    try:
        with Package(path) as package:
            core = package.bytes(CORE)
            found = _MARK.search(core)
            if found is None or len(package.zip.namelist()) != len(package.names):
                return False
            return found[1].decode() == _sum(_bounded(package, core[: found.start()] + _END))
    except ExportError:
        return False


def _bounded(package: Package, core: bytes) -> Iterator[tuple[str, bytes]]:
    """The parts by name, the document's properties as given.

    Raises:
        ExportError: together they are larger than any export.
    """
    left = LARGEST
    for name in sorted(package.names):
        part = core if name == CORE else package.bytes(name)
        left -= len(part)
        if left < 0:
            raise package.error(f"larger than {LARGEST:,} bytes")
        yield name, part


def _sum(parts: Iterable[tuple[str, bytes]]) -> str:
    """A sum over names and bytes in this order, with their lengths, so that nothing can move from one to the next."""
    found = hashlib.sha256()
    for name, part in parts:
        encoded = name.encode()
        found.update(b"%d %d\n%b" % (len(encoded), len(part), encoded))
        found.update(part)
    return found.hexdigest()
