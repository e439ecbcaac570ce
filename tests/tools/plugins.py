"""Small plugins for tests: in memory, or as installed distributions that exist for one test only."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tokensheet.planning import Planner
from tokensheet.plugin import Profile, hookimpl
from tokensheet.plugins import load
from tokensheet.registry import Registry

DEFAULT = Profile(id="default", values={}, fitted_to="nothing", source="a test")

_numbers = itertools.count()


def plugin(*items: Any, **hooks: Any) -> Any:
    """An object that offers the items: formulas and declarations, and records by their kind.

    Args:
        items: formulas, declarations and records
        hooks: further hook implementations by name without `tokensheet_`: a list, or a function
    """
    offered: dict[str, Any] = {}
    for item in items:
        hook = f"{item.kind}s" if hasattr(type(item), "quantities") else "formulas"
        offered.setdefault(hook, []).append(item)
    functions = {f"tokensheet_{hook}": implementation(value) for hook, value in {**offered, **hooks}.items()}
    return SimpleNamespace(**functions)


def implementation(value: Any) -> Any:
    if callable(value):
        return hookimpl(value)
    return hookimpl(lambda: value)


def registry(*order: str, **plugins: Any) -> Registry:
    """The registry of these plugins alone, registered in a given order."""
    return planner(*order, **plugins).registry


def planner(*order: str, **plugins: Any) -> Planner:
    """A planner of these plugins alone, with an empty default profile."""
    named = {"base": plugin(DEFAULT), **plugins}
    names = order or tuple(named)
    return Planner(load(disable=["tokensheet"], modules=[(name, named[name]) for name in names]))


class Site:
    """A folder of installed distributions on the import path."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        monkeypatch.syspath_prepend(folder)

    def add(
        self,
        distribution: str,
        text: str = "",
        *,
        name: str = "extra",
        version: str = "1.0",
        points: Mapping[str, str] | None = None,
    ) -> str:
        """Installs a distribution with one module of this text; returns the module's name."""
        module = f"fake_plugin_{next(_numbers)}"
        (self.folder / f"{module}.py").write_text(text)
        info = self.folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        lines = [
            f"{n} = {target.format(module=module)}" for n, target in (points or {name: "{module}"}).items()
        ]
        (info / "entry_points.txt").write_text("[tokensheet]\n" + "\n".join(lines) + "\n")
        importlib.invalidate_caches()
        return module


def one_line(problems: Sequence[str]) -> list[str]:
    """The first line of each problem, which must say it all."""
    return [problem.split("\n")[0] for problem in problems]
