"""The type library: the same bytes as LibreOffice's own program writes."""

from __future__ import annotations

import base64

from tokensheet.calc.typelib import MANY, ONE, type_library

# unoidl-write of LibreOffice 7.4.7 made this of one interface with three methods:
# KV_BYTES(any model, any context, any batch, any options), TS_OPTIONS(any name, sequence<any> value), TS_VERSION().
REFERENCE = """
VU5PSURM/wCPAQAAAQAAAAAqKiBDcmVhdGVkIGJ5IExpYnJlT2ZmaWNlIDcuNC43LjIgdW5vaWRsLXdyaXRlICoqAAUBAAAAGwAA
AGNvbS5zdW4uc3Rhci51bm8uWEludGVyZmFjZQAAAAAAAAAAAwAAAAgAAABLVl9CWVRFUwcAAABbXVtdYW55BAAAAAAFAAAAbW9k
ZWwDAAAAYW55AAcAAABjb250ZXh0mAAAgAAFAAAAYmF0Y2iYAACAAAcAAABvcHRpb25zmAAAgAEAAAAqAAAAY29tLnN1bi5zdGFy
LmxhbmcuSWxsZWdhbEFyZ3VtZW50RXhjZXB0aW9uCgAAAFRTX09QVElPTlN/AACAAgAAAAAEAAAAbmFtZZgAAIAABQAAAHZhbHVl
BQAAAFtdYW55AQAAANEAAIAKAAAAVFNfVkVSU0lPTn8AAIAAAAAAAQAAANEAAIBYRnVuY3Rpb25zAAABAAAAWwEAAEMAAAB0b2tl
bnNoZWV0AAABAAAAcwEAAGYBAABvcmcAiwEAAH4BAAA=
"""
COMMENT = "** Created by LibreOffice 7.4.7.2 unoidl-write **"
METHODS = {
    "KV_BYTES": [(name, ONE) for name in ("model", "context", "batch", "options")],
    "TS_OPTIONS": [("name", ONE), ("value", MANY)],
    "TS_VERSION": [],
}


def test_the_same_bytes_as_the_developers_kit() -> None:
    assert type_library("org.tokensheet.XFunctions", METHODS, COMMENT) == base64.b64decode(REFERENCE)


def test_the_comment_means_nothing() -> None:
    """Every place in the file moves with its length."""
    short, long = (type_library("a.b.XC", METHODS, comment) for comment in ("", "x" * 100))
    assert len(long) == len(short) + 102
    assert int.from_bytes(long[8:12], "little") == int.from_bytes(short[8:12], "little") + 102
