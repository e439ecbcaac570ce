"""Where the workbook recipes of this distribution lie."""

from __future__ import annotations

from pathlib import Path

import tokensheet

PLACES = (
    Path(tokensheet.__file__).parent / "_templates",  # in a wheel
    Path(tokensheet.__file__).parents[2] / "templates",  # in a checkout
)


def recipes() -> list[Path]:
    """The recipes' files, from the wheel or from the checkout that is installed in place."""
    folder = next((place for place in PLACES if place.is_dir()), None)
    return sorted(folder.glob("*.toml")) if folder else []
