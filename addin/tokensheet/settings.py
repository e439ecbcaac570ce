"""What a person sets once for the terminal, Excel and Python: plugin files, tables, choices between plugins.

They stand in `tokensheet.toml`, in the folder for settings of the system, or where TOKENSHEET_CONFIG says.
TOKENSHEET_PLUGINS and TOKENSHEET_CATALOGS add paths, TOKENSHEET_DISABLE names (see `plugins.load`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tokensheet import untrusted
from tokensheet.errors import SettingsError, first, hint, listed

FILE = "tokensheet.toml"
LARGEST_FILE = 1_000_000
CONFIG, PLUGINS, CATALOGS = "TOKENSHEET_CONFIG", "TOKENSHEET_PLUGINS", "TOKENSHEET_CATALOGS"

EXAMPLES: Mapping[str, str] = {
    "plugins": 'plugins = ["mine.py"]',
    "catalogs": 'catalogs = ["gpus.csv"]',
    "disable": 'disable = ["acme-gpus"]',
    "allow": 'allow = ["acme-gpus"]',
    "prefer": 'prefer = { h100-sxm-80gb = "acme_gpus" }',
    "profile": 'profile = "ideal"',
}


@dataclass(frozen=True)
class Settings:
    """Choices that hold for every question.

    Args:
        plugins: Python files that are plugins without packaging
        catalogs: tables of records, `.csv` or `.toml`
        disable: plugins to leave out, by name or distribution
        allow: the only plugins to load besides the program's own, by name or distribution; None for all
        prefer: id of a record or name of a formula → the plugin whose it is, where several offer it
        profile: id of the assumption set that is taken when a question names none
    """

    plugins: tuple[Path, ...] = ()
    catalogs: tuple[Path, ...] = ()
    disable: tuple[str, ...] = ()
    allow: tuple[str, ...] | None = None
    prefer: Mapping[str, str] = field(default_factory=dict)
    profile: str = "default"

    def plus(
        self, *, plugins: Iterable[Path] = (), catalogs: Iterable[Path] = (), disable: Iterable[str] = ()
    ) -> Settings:
        """These settings with more of the same; a path that is there already comes once."""
        return replace(
            self,
            plugins=_once((*self.plugins, *plugins)),
            catalogs=_once((*self.catalogs, *catalogs)),
            disable=tuple(dict.fromkeys((*self.disable, *disable))),
        )


def path() -> Path:
    """Where the settings are looked for."""
    stated = os.environ.get(CONFIG)
    if stated:
        return _expanded(stated, CONFIG)
    from platformdirs import user_config_path

    return user_config_path("tokensheet", appauthor=False) / FILE


def found() -> Settings:
    """The settings of the file, if there is one, and of the environment.

    Raises:
        SettingsError: the file cannot be read or has mistakes; lists all of them.
    """
    file = path()
    settings = read(file) if file.exists() or os.environ.get(CONFIG) else Settings()
    return settings.plus(plugins=_paths(PLUGINS), catalogs=_paths(CATALOGS))


def read(file: Path) -> Settings:
    """The settings of a file; paths in it are relative to its folder, `~` is the person's own.

    Raises:
        SettingsError: the file cannot be read or has mistakes; lists all of them.
    """
    try:
        data = untrusted.toml(untrusted.text(file, LARGEST_FILE))
    except OSError as error:
        raise SettingsError(
            f"{file}: {error.strerror or error}; mend or unset {CONFIG}, or write the file"
        ) from error
    except ValueError as error:
        raise SettingsError(f"{file}: {error}") from error
    problems = first(
        f"unknown key {key}{hint(key, EXAMPLES)}" if key not in EXAMPLES else f"write it as {EXAMPLES[key]}"
        for key, value in data.items()
        if key not in EXAMPLES or not _has_form(key, value)
    )
    if problems:
        raise SettingsError(listed(str(file), problems))
    folder = file.resolve().parent
    return Settings(
        plugins=tuple(folder / _expanded(p, str(file)) for p in data.get("plugins", ())),
        catalogs=tuple(folder / _expanded(p, str(file)) for p in data.get("catalogs", ())),
        disable=tuple(data.get("disable", ())),
        allow=tuple(data["allow"]) if "allow" in data else None,
        prefer=data.get("prefer", {}),
        profile=data.get("profile", "default"),
    )


def _has_form(key: str, value: Any) -> bool:
    if key == "profile":
        return isinstance(value, str) and bool(value)
    if key == "prefer":
        return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
    return isinstance(value, list) and all(isinstance(v, str) and v for v in value)


def _paths(variable: str) -> list[Path]:
    return [_expanded(p, variable) for p in os.environ.get(variable, "").split(os.pathsep) if p.strip()]


def _expanded(path: str, where: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise SettingsError(f"{where}: {path}: nobody has this home folder; write it without ~") from error


def _once(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple({p.absolute(): p for p in reversed(list(paths))}.values())[::-1]
