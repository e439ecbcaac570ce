"""The type library of the extension: the one UNO interface that its functions make up, as a binary file.

LibreOffice calls an add-in only through an interface that it knows. Its own program that writes such
files comes with the developer's kit, which nobody has; the format is public (`unoidl`, described in
LibreOffice's source) and small, so it is written here, for whatever functions the plugins offer.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

MAGIC = b"UNOIDL\xff\0"
MODULE, INTERFACE = 0, 5
IN = 0
BASE = "com.sun.star.uno.XInterface"
REFUSAL = "com.sun.star.lang.IllegalArgumentException"
ANSWER = "[][]any"
ONE, MANY = "any", "[]any"
"""Types of an argument: a value, range or nothing; and any number of these."""

Parameters = Sequence[tuple[str, str]]
"""Name and type of each argument."""


def type_library(interface: str, methods: Mapping[str, Parameters], comment: str = "") -> bytes:
    """A file with one interface.

    Args:
        interface: full name with its modules, `org.tokensheet.XFunctions`
        methods: arguments of each method, by name
        comment: stands in the file and means nothing

    Returns:
        Bytes of an `.rdb` file in the format of LibreOffice 4.1 and later.
    """
    *modules, name = interface.split(".")
    file = _File(MAGIC + bytes(8) + (b"\0" + comment.encode("ascii") + b"\0" if comment else b""))
    payload = file.interface(methods)
    for inner, module in zip([name, *reversed(modules)], [*reversed(modules), ""], strict=True):
        named = file.text(inner)
        here = len(file.content)
        if module:
            file.content += struct.pack("<BI", MODULE, 1)
        file.content += struct.pack("<II", named, payload)
        payload = here
    struct.pack_into("<II", file.content, len(MAGIC), payload, 1)
    return bytes(file.content)


class _File:
    """Content so far, and where in it each name stands."""

    def __init__(self, start: bytes) -> None:
        self.content = bytearray(start)
        self.places: dict[str, int] = {}

    def interface(self, methods: Mapping[str, Parameters]) -> int:
        """Writes the interface; each answer is rows of cells. Returns where it begins."""
        here = len(self.content)
        self.byte(INTERFACE)
        self.names(BASE)
        self.names()
        self.number(0)
        self.number(len(methods))
        for method, parameters in methods.items():
            self.name(method)
            self.name(ANSWER)
            self.number(len(parameters))
            for parameter, kind in parameters:
                self.byte(IN)
                self.name(parameter)
                self.name(kind)
            self.names(REFUSAL)
        return here

    def byte(self, value: int) -> None:
        self.content.append(value)

    def number(self, value: int) -> None:
        self.content += struct.pack("<I", value)

    def names(self, *names: str) -> None:
        """How many names, and each of them."""
        self.number(len(names))
        for name in names:
            self.name(name)

    def name(self, name: str) -> None:
        """A name with its length, or where it stood before."""
        if name in self.places:
            self.number(self.places[name] | 0x80000000)
            return
        self.places[name] = len(self.content)
        self.number(len(name))
        self.content += name.encode("ascii")

    def text(self, name: str) -> int:
        """A name that ends with a zero byte. Returns where it begins."""
        here = len(self.content)
        self.content += name.encode("ascii") + b"\0"
        return here
