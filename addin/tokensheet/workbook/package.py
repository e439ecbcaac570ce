"""The parts of somebody else's .xlsx file: a zip of XML, with bounds on every size and without entities."""

from __future__ import annotations

import posixpath
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import ExpatError, ParserCreate

from tokensheet.errors import ExportError

LARGEST_FILE, LARGEST_PART, MOST_PARTS = 20_000_000, 40_000_000, 5_000
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""What the zip reader raises for a file that is none, is cut off, or is encrypted."""

Attributes = Mapping[str, str]


class Package:
    """An open package; use it with `with`.

    Args:
        path: of the file
        wanted: what to give instead, for the messages
        largest: bytes of a part at most

    Raises:
        ExportError: the file cannot be read, is no zip, or is beyond a bound.
    """

    def __init__(
        self, path: Path, wanted: str = "give an exported .xlsx file", largest: int = LARGEST_PART
    ) -> None:
        self.path, self.wanted, self.largest = path, wanted, largest
        try:
            if path.stat().st_size > LARGEST_FILE:
                raise self.error(f"larger than {LARGEST_FILE:,} bytes")
            self.zip = zipfile.ZipFile(path)
        except OSError as error:
            raise self.error(error.strerror or str(error)) from error
        except DAMAGED as error:
            raise self.error("is no workbook") from error
        self.names = frozenset(self.zip.namelist())
        if len(self.names) > MOST_PARTS:
            raise self.error(f"has {len(self.names):,} parts; at most {MOST_PARTS:,} are read")

    def __enter__(self) -> Package:
        return self

    def __exit__(self, *raised: object) -> None:
        self.zip.close()

    def error(self, problem: str) -> ExportError:
        """A problem with the file, in one line."""
        return ExportError(f"{self.path}: {problem}; {self.wanted}")

    def bytes(self, name: str) -> bytes:
        """A part; empty where there is none.

        Raises:
            ExportError: it is damaged or too large.
        """
        if name not in self.names:
            return b""
        try:
            if self.zip.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ValueError(name)
            with self.zip.open(name) as stream:
                data = stream.read(self.largest + 1)
        except (OSError, *DAMAGED) as error:
            raise self.error(f"{name} is damaged") from error
        if len(data) > self.largest:
            raise self.error(f"{name} is larger than {self.largest:,} bytes")
        return data

    def walk(
        self,
        name: str,
        start: Callable[[str, Attributes], None],
        end: Callable[[str], None] = lambda tag: None,
        text: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Calls for each element of a part and the text in it; tags come without their namespace.

        Nothing is kept, so that neither a deep nor a long part fills the memory.

        Raises:
            ExportError: it is no XML, or has a document type, which could hold entities.
        """

        def refuse(*declared: object) -> None:
            raise self.error(f"{name} has a document type")

        parser = ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = refuse
        parser.StartElementHandler = lambda tag, attributes: start(local(tag), attributes)
        parser.EndElementHandler = lambda tag: end(local(tag))
        parser.CharacterDataHandler = text
        try:
            parser.Parse(self.bytes(name), True)
        except (ExpatError, ValueError, LookupError) as error:  # the last for encodings that nobody knows
            raise self.error(f"{name} is damaged ({error})") from error

    def tree(self, name: str) -> Element:
        """The elements of a part that is small, without their namespaces; an empty one where there is no such part.

        Raises:
            ExportError: see `walk`.
        """
        builder = TreeBuilder()

        def start(tag: str, attributes: Attributes) -> None:
            builder.start(tag, dict(attributes))

        def end(tag: str) -> None:
            builder.end(tag)

        start("part", {})
        if name in self.names:
            self.walk(name, start, end, builder.data)
        end("part")
        return builder.close()

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """Relations of a part, of the package where it is empty: id → kind and the part that is meant."""
        folder, name = posixpath.split(part)
        found: dict[str, tuple[str, str]] = {}

        def relation(tag: str, a: Attributes) -> None:
            if tag == "Relationship":
                target = posixpath.normpath(posixpath.join("/", folder, a.get("Target", "")))
                found[a.get("Id", "")] = (a.get("Type", "").rpartition("/")[2], target.lstrip("/"))

        relations = posixpath.join(folder, "_rels", f"{name}.rels")
        if relations in self.names:
            self.walk(relations, relation)
        return found


def local(tag: str) -> str:
    """The name of a tag or attribute without its namespace."""
    return tag.rpartition(" ")[2]
