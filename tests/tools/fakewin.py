"""Stand-ins for pywin32 and for Excel's objects, so that xlwings' own Windows code runs on Linux.

`windows()` loads the installed xlwings a second time as it is loaded on Windows: its import of functions,
its wrappers and its dispatch are the real ones, only what lies below them is made up. Everything is as
before when the block ends.
"""

from __future__ import annotations

import ctypes
import datetime
import importlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

OMITTED = -2147352572
"""What pywin32 gives for an argument that was left out."""

ERRORS = {
    "#NULL!": -2146826288,
    "#DIV/0!": -2146826281,
    "#VALUE!": -2146826273,
    "#REF!": -2146826265,
    "#NAME?": -2146826259,
    "#NUM!": -2146826252,
    "#N/A": -2146826246,
    "#SPILL!": -2146826243,
    "#CALC!": -2146826238,
}
"""What pywin32 gives for a cell with an error value."""

RANGE_INTERFACE = "{00020846-0000-0000-C000-000000000046}"
LOADED_AFRESH = ("xlwings", "tokensheet.udf.functions", "tokensheet.udf.cells", "tokensheet.buttons.excel")
PYWIN32 = ("pywintypes", "pythoncom", "win32api", "win32con", "win32gui", "win32event", "win32process")
WIN32COM = ("client", "client.dynamic", "server", "server.policy", "server.dispatcher", "server.exception")


class ComError(Exception):
    """pywin32's com_error."""


class ComObject:
    """What pywin32's classes of COM objects have in common."""


@dataclass(frozen=True)
class Money:
    """A number in a cell with a currency format."""

    number: float


def value(cell: Any) -> Any:
    """A cell's `Value`: money with four decimals, dates as dates."""
    return Decimal(f"{cell.number:.4f}") if isinstance(cell, Money) else cell


def value2(cell: Any) -> Any:
    """A cell's `Value2`: money with all digits, dates as numbers."""
    if isinstance(cell, datetime.datetime):
        return (cell - datetime.datetime(1899, 12, 30)) / datetime.timedelta(days=1)
    return cell.number if isinstance(cell, Money) else cell


class Sheet(ComObject):
    """A worksheet with a book around it."""

    def __init__(self, book: Book) -> None:
        self.Name, self.Parent = "Plan", book


class Range(ComObject):
    """A range of cells, given by rows."""

    CLSID = "{range}"
    _oleobj_ = SimpleNamespace(
        GetTypeInfo=lambda: SimpleNamespace(GetTypeAttr=lambda: SimpleNamespace(iid=RANGE_INTERFACE))
    )

    def __init__(self, rows: Sequence[Sequence[Any]], book: Book | None = None) -> None:
        self.rows, self.Worksheet = rows, Sheet(book or Book())
        self.Row = self.Column = 1
        self.Rows, self.Columns = SimpleNamespace(Count=len(rows)), SimpleNamespace(Count=len(rows[0]))
        self.Address = "$A$1"

    def _each(self, of: Any) -> Any:
        cells = tuple(tuple(map(of, row)) for row in self.rows)
        return cells[0][0] if len(cells) == 1 == len(cells[0]) else cells

    @property
    def Value(self) -> Any:
        return self._each(value)

    @property
    def Value2(self) -> Any:
        return self._each(value2)


class Components:
    """The modules of a VBA project."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if name not in self.texts:
            raise ComError(name)
        return name

    def Remove(self, name: str) -> None:
        del self.texts[name]

    def Import(self, path: str) -> None:
        text = Path(path).read_text(encoding="utf-8")
        self.texts[text.split('"')[1]] = text


@dataclass
class Application:
    """Excel, as far as an import of functions uses it."""

    Version: str = "16.0"
    Hwnd: int = 1
    options: dict[str, dict[str, Any]] = field(default_factory=dict)

    def MacroOptions(self, macro: str, **options: Any) -> None:
        self.options[macro.rpartition("!")[2]] = options


class Book(ComObject):
    """A workbook with a VBA project."""

    def __init__(self, name: str = "plan.xlsm") -> None:
        self.Name, self.Application = name, Application()
        self.VBProject = SimpleNamespace(VBComponents=Components())
        self.Worksheets = self.Sheets = ()


@dataclass
class Windows:
    """xlwings as on Windows."""

    xlwings: ModuleType
    udfs: ModuleType
    server: Any

    def call(self, name: str, *arguments: Any, module: str = "tokensheet.udf.functions") -> Any:
        """What Excel gets for a formula; lists stand for ranges."""
        passed = tuple(Range(a) if isinstance(a, list) else a for a in arguments)
        book = Book()
        return self.server.CallUDF(module, name, passed, None, Range([[None]], book))

    def imported(self, book: Book, module: str = "tokensheet.udf.functions") -> str:
        """The wrappers that xlwings puts into a workbook."""
        with redirect_stdout(io.StringIO()):
            self.udfs.import_udfs(module, book)
        return book.VBProject.VBComponents.texts["xlwings_udfs"]


def _module(name: str, **content: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(content)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)
    return module


def _pywin32() -> None:
    def same(thing: Any, *_: Any, **__: Any) -> Any:
        return thing

    for name in PYWIN32:
        _module(name)
    _module("win32timezone", TimeZoneInfo=SimpleNamespace(local=lambda: None, utc=lambda: None))
    _module("win32com")
    for name in WIN32COM:
        _module(f"win32com.{name}")
    wrapped = type("Wrapped", (), {})

    def unwrap(thing: Any) -> Any:
        if not isinstance(thing, wrapped):
            raise ComError("not a wrapped object")
        return thing

    _module("win32com.server.util", wrap=wrapped, unwrap=unwrap)
    add = {name: sys.modules[name].__dict__.update for name in sys.modules if name.startswith(("win", "py"))}
    add["pywintypes"](com_error=ComError, TimeType=datetime.datetime, IID=same)
    add["pythoncom"](
        com_error=ComError,
        ole_error=ComError,
        CoInitialize=lambda: None,
        IID_IDispatch="dispatch",
        IID_IEnumVARIANT="enumeration",
        TypeIIDs={"dispatch": type("PyIDispatch", (), {})},
        __file__="pythoncom.dll",
    )
    add["win32com.client"](
        Dispatch=same,
        DispatchEx=same,
        CDispatch=ComObject,
        DispatchBaseClass=ComObject,
        CoClassBaseClass=ComObject,
    )
    add["win32com.server.policy"](DefaultPolicy=object)
    add["win32com.server.exception"](COMException=Exception)
    add["win32process"](GetWindowThreadProcessId=lambda window: (1, 4242))


def _load() -> Windows:
    """Does what xlwings does at import on Windows."""
    xlwings = importlib.import_module("xlwings")
    library = ctypes.PyDLL
    ctypes.PyDLL = lambda path: SimpleNamespace(PyCom_PyObjectFromIUnknown=SimpleNamespace())  # type: ignore
    try:
        desktop = importlib.import_module("xlwings._xlwindows")
    finally:
        ctypes.PyDLL = library  # type: ignore[misc]
    xlwings.engines.add(xlwings.Engine(impl=desktop.engine))
    udfs = importlib.import_module("xlwings.udfs")
    server = importlib.import_module("xlwings.com_server")
    xlwings.func, xlwings.arg, xlwings.ret = udfs.xlfunc, udfs.xlarg, udfs.xlret
    return Windows(xlwings, udfs, server.XLPython())


def _ours(name: str) -> bool:
    first = name.partition(".")[0]
    return first in {*PYWIN32, "win32com", "win32timezone"} or name.startswith(LOADED_AFRESH)


def _in_package(name: str, module: ModuleType | None) -> None:
    """Puts a module into its package or out of it: `from package import module` looks there first."""
    parent, _, child = name.rpartition(".")
    if parent in sys.modules:
        content = vars(sys.modules[parent])
        content.pop(child, None)
        if module is not None:
            content[child] = module


@contextmanager
def windows() -> Iterator[Windows]:
    """xlwings' Windows code, loaded over stand-ins."""
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if _ours(name)}
    key = os.environ.pop("XLWINGS_LICENSE_KEY", None)
    missing = [name for name in ("oledll", "windll") if not hasattr(ctypes, name)]
    for name in missing:
        setattr(ctypes, name, SimpleNamespace(ole32=SimpleNamespace(CLSIDFromString=lambda *_: 0)))
    try:
        _pywin32()
        yield _load()
    finally:
        for name in [n for n in sys.modules if _ours(n)]:
            module = sys.modules.pop(name)
            if name == "xlwings.com_server":
                module.loop.close()
            _in_package(name, None)
        sys.modules.update(before)
        for name, module in before.items():
            _in_package(name, module)
        for name in missing:
            delattr(ctypes, name)
        if key is not None:
            os.environ["XLWINGS_LICENSE_KEY"] = key
