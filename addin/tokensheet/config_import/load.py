"""Reads a configuration file that nobody vouches for: bounded in size, depth and number of values."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokensheet import untrusted
from tokensheet.config_import.errors import ConfigError

MAX_BYTES = 5_000_000

CONFIG = "config.json"
QUANTIZATION = "hf_quant_config.json"
"""The second file in which some checkpoints say how they are quantised."""


def read(source: str | Path | Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """A configuration and where it came from; a folder stands for the config.json in it."""
    if isinstance(source, Mapping):
        return checked(dict(source), "the configuration"), ""
    path = Path(source)
    if path.is_dir():
        path /= CONFIG
    return read_file(path), str(path)


def read_file(path: Path) -> dict[str, Any]:
    """One JSON file as a dictionary.

    Raises:
        ConfigError: it cannot be read, is too large or too deep, or is no JSON object.
    """
    try:
        content = untrusted.content(path, MAX_BYTES)
    except OSError as error:
        raise ConfigError(f"{path}", [f"it cannot be read: {error.strerror or error}"]) from error
    except ValueError as error:
        raise ConfigError(f"{path}", [f"it is {error}: no configuration is"]) from error
    return parse(content, str(path))


def parse(content: bytes | str, name: str) -> dict[str, Any]:
    """JSON text as a dictionary."""
    if len(content) > MAX_BYTES:
        raise ConfigError(name, [f"it is larger than {MAX_BYTES:,} bytes: no configuration is"])
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        value = json.loads(text, object_pairs_hook=_once)
    except RecursionError as error:
        raise ConfigError(name, [f"it is nested deeper than {untrusted.DEEPEST} levels"]) from error
    except ValueError as error:
        raise ConfigError(name, [f"it is not JSON: {error}"]) from error
    return checked(value, name)


def checked(value: Any, name: str) -> dict[str, Any]:
    """The same value, if it is an object of bounded depth and size."""
    if not isinstance(value, dict):
        raise ConfigError(name, ["it holds no JSON object"])
    try:
        untrusted.check(value)
    except ValueError as error:
        raise ConfigError(name, [str(error)]) from error
    return value


def neighbour(name: str, given: Mapping[str, Any] | None, path: str) -> dict[str, Any] | None:
    """A file beside the configuration: as given, or from the same folder."""
    if given is not None:
        found = given.get(name)
        if found is None:
            return None
        if isinstance(found, (str, bytes)):
            return parse(found, name)
        return checked(found, name)
    beside = Path(path).with_name(name) if path else None
    return read_file(beside) if beside is not None and beside.is_file() else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name in sorted(counts) if counts[name] > 1)
        raise ValueError(f"the key {twice:.60} stands twice in one object")
    return found
