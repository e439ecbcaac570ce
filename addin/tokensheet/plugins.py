"""Finds and loads plugins one by one: a broken one is reported in a line and the rest works."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import pluggy

from tokensheet import hookspecs
from tokensheet.declare import Owner
from tokensheet.errors import PluginError, TokensheetError, hint

OWN = "tokensheet"
"""The distribution of this program and its plugins."""

NOTHING = "it offers nothing; is @hookimpl missing above a hook?"
"""Said of a file that is a plugin by name only."""
NOT_ALLOWED = "the settings do not allow it"
HOOKS = tuple(sorted(name for name in vars(hookspecs) if name.startswith("tokensheet_")))


@dataclass(frozen=True)
class PluginInfo:
    """One plugin as `tokensheet plugins` shows it."""

    name: str
    distribution: str = ""
    version: str = ""
    state: str = "loaded"
    """loaded, failed or disabled."""
    reason: str = ""
    module: Any = field(default=None, compare=False, repr=False)

    @property
    def owner(self) -> Owner:
        """Who this is, for provenance."""
        return Owner(self.name, self.distribution, self.version)

    @property
    def line(self) -> str:
        """Why it is not there, in one line."""
        return f"plugin {self.owner}: {self.reason}"


@dataclass(frozen=True)
class Found:
    """One implementation of a hook and whose it is."""

    plugin: PluginInfo
    call: Callable[[], Any]


class Plugins:
    """The loaded plugins and their hook implementations, in an order that no installation changes."""

    def __init__(self, infos: Sequence[PluginInfo], manager: pluggy.PluginManager) -> None:
        self.infos = list(infos)
        self._manager = manager

    def found(self, hook: str) -> list[Found]:
        """Implementations of one hook, by plugin name."""
        by_name = {info.name: info for info in self.infos if info.module is not None}
        implementations = getattr(self._manager.hook, hook).get_hookimpls()
        found = [Found(by_name[i.plugin_name], i.function) for i in implementations]
        return sorted(found, key=lambda f: f.plugin.name)

    def fail(self, name: str, reason: str) -> None:
        """Marks a plugin as failed; its first reason stays."""
        self.infos = [
            replace(i, state="failed", reason=reason) if i.name == name and i.state == "loaded" else i
            for i in self.infos
        ]

    @property
    def failed(self) -> list[PluginInfo]:
        """Plugins that offer less than they promise."""
        return [i for i in self.infos if i.state == "failed"]


def load(
    *,
    disable: Iterable[str] = (),
    files: Iterable[Path] = (),
    catalogs: Iterable[Path] = (),
    modules: Iterable[tuple[str, Any]] = (),
    allow: Collection[str] | None = None,
) -> Plugins:
    """Loads installed plugins, single files, tables, and given modules.

    Args:
        disable: names of plugins or distributions to leave out; `TOKENSHEET_DISABLE` adds to them
        files: Python files that are plugins without packaging
        catalogs: tables of records, `.csv` or `.toml`: plugins without code
        modules: (name, module or object) pairs, for tests and embedding
        allow: names of the only plugins or distributions to load besides the program's own; None for all

    Raises:
        PluginError: a name to disable is not there.
    """
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    off = {*disable, *_words(os.environ.get("TOKENSHEET_DISABLE", ""))}
    infos: list[PluginInfo] = []
    seen_off: set[str] = set()
    files = list(files)
    for name, point in _installed():
        info = _of(name, point)
        if off & {name, point.name, info.distribution}:
            seen_off |= off & {name, point.name, info.distribution}
            infos.append(replace(info, state="disabled"))
            continue
        if os.environ.get("TOKENSHEET_NO_PLUGINS") and info.distribution != OWN:
            infos.append(replace(info, state="disabled", reason="TOKENSHEET_NO_PLUGINS is set"))
            continue
        if not _is_allowed(info, allow):
            infos.append(replace(info, state="disabled", reason=NOT_ALLOWED))
            continue
        infos.append(_register(manager, info, point.load))
    given: list[tuple[PluginInfo, Callable[[], Any]]] = [
        *((_of_file(path), _from_file(path)) for path in files),
        *((_of_file(path), _from_table(path)) for path in catalogs),
        *((PluginInfo(name), lambda module=module: module) for name, module in modules),
    ]
    alone = {path.stem for path in files}
    for info, import_it in given:
        if off & {info.name, info.distribution} - {""}:
            seen_off |= off & {info.name, info.distribution}
            infos.append(replace(info, state="disabled"))
        elif not _is_allowed(info, allow):
            infos.append(replace(info, state="disabled", reason=NOT_ALLOWED))
        elif info.name in {i.name for i in infos}:
            there = next(i.owner for i in infos if i.name == info.name)
            infos.append(
                replace(info, state="failed", reason=f"{there} has this name already; choose another")
            )
        else:
            infos.append(_register(manager, info, import_it))
            if (
                infos[-1].module is not None
                and info.name in alone
                and not manager.get_hookcallers(infos[-1].module)
            ):
                infos[-1] = replace(infos[-1], state="failed", reason=NOTHING)
    unknown = off - seen_off
    if unknown:
        known = {i.name for i in infos} | {i.distribution for i in infos if i.distribution}
        wrong = ", ".join(sorted(unknown))
        raise PluginError(f"cannot disable {wrong}: nothing is called so{hint(wrong, known, 'known')}")
    return Plugins(infos, manager)


def _is_allowed(info: PluginInfo, allow: Collection[str] | None) -> bool:
    return allow is None or info.distribution == OWN or info.name in allow or info.distribution in allow


def _words(text: str) -> list[str]:
    return [w for w in text.replace(",", " ").split() if w]


def _installed() -> list[tuple[str, EntryPoint]]:
    """Entry points with names that are unique: `distribution:name` where two share one."""
    return _scanned(tuple(sys.path))


@lru_cache(maxsize=4)
def _scanned(path: tuple[str, ...]) -> list[tuple[str, EntryPoint]]:
    """The same, looked for once in each process: it reads a file of every installed distribution."""
    points = sorted(entry_points(group=hookspecs.PROJECT), key=lambda p: (p.name, _dist(p)[0]))
    unique: dict[tuple[str, str], EntryPoint] = {(p.name, _dist(p)[0]): p for p in points}
    names = [p.name for p in unique.values()]
    return [(p.name if names.count(p.name) == 1 else f"{_dist(p)[0]}:{p.name}", p) for p in unique.values()]


def rescan() -> None:
    """Lets installed plugins be looked for again, in a process that stays while somebody installs one."""
    importlib.invalidate_caches()
    _scanned.cache_clear()


def _dist(point: EntryPoint) -> tuple[str, str]:
    return (point.dist.name, point.dist.version) if point.dist else ("", "")


def _of(name: str, point: EntryPoint) -> PluginInfo:
    distribution, version = _dist(point)
    return PluginInfo(name, distribution, version)


def _of_file(path: Path) -> PluginInfo:
    """A file's own name and, as its version, what it holds: the same on every machine."""
    try:
        version = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    except OSError:
        version = ""
    return PluginInfo(path.stem, path.name, version)


def _from_table(path: Path) -> Callable[[], Any]:
    def read_table() -> Any:
        from tokensheet.tables import plugin

        return plugin(path)

    return read_table


def _from_file(path: Path) -> Callable[[], ModuleType]:
    def load_file() -> ModuleType:
        name = f"tokensheet_file_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        if not path.is_file() or spec is None or spec.loader is None:
            raise PluginError(f"{path} is not a Python file; give the path of a .py file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    return load_file


def _register(manager: pluggy.PluginManager, info: PluginInfo, import_it: Callable[[], Any]) -> PluginInfo:
    try:
        module = import_it()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a plugin may exit at import; that is its failure, not ours
        return replace(info, state="failed", reason=f"not loaded: {_said(error)}")
    needs = getattr(module, "TOKENSHEET_API", hookspecs.API)
    if needs != hookspecs.API:
        return replace(
            info,
            state="failed",
            reason=f"needs API {needs}, this is API {hookspecs.API}: update one of the two",
        )
    try:
        manager.register(module, name=info.name)
    except (pluggy.PluginValidationError, ValueError) as error:
        if manager.get_plugin(info.name) is module:  # its hooks before the bad one are registered already
            manager.unregister(module)
        return replace(info, state="failed", reason=str(error).replace("\n", " "))
    problem = _hook_problem(manager, module)
    if problem:
        manager.unregister(module)
        return replace(info, state="failed", reason=problem)
    return replace(info, module=module)


def _hook_problem(manager: pluggy.PluginManager, module: Any) -> str:
    for caller in manager.get_hookcallers(module) or ():
        if not caller.has_spec():
            return f"unknown hook {caller.name}{hint(caller.name, HOOKS)}"
        for implementation in caller.get_hookimpls():
            if implementation.plugin is module and (implementation.wrapper or implementation.hookwrapper):
                return f"hook {caller.name} is a wrapper; offer a list instead"
    return ""


def _said(error: BaseException) -> str:
    if isinstance(error, TokensheetError):
        return str(error)
    text = " ".join(str(error).split())
    if isinstance(error, ImportError) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
