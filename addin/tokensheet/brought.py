"""What plugins bring through a hook, item by item; a hook that fails or gives something else is told and left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pydantic import ValidationError

from tokensheet.catalog import pydantic_lines
from tokensheet.declare import Owner
from tokensheet.plugins import Plugins


def brought(
    plugins: Plugins, hook: str, wanted: tuple[type, ...], blame: Callable[[str, str], None]
) -> Iterator[tuple[Any, Owner]]:
    """Items of the wanted types with who brings them.

    Args:
        plugins: that are loaded
        hook: its name
        wanted: types of items
        blame: is told the plugin and the line of each problem
    """
    for found in plugins.found(hook):
        owner, where = found.plugin.owner, f"plugin {found.plugin.owner}: {hook}"
        try:
            items = found.call()
        except KeyboardInterrupt:
            raise
        except ValidationError as error:
            lines = "; ".join(pydantic_lines(error)).replace("\n  - ", "; ")
            blame(found.plugin.name, f"{where}: {error.title}: {lines}")
            continue
        except BaseException as error:
            blame(
                found.plugin.name, f"{where} failed: {type(error).__name__}: {' '.join(str(error).split())}"
            )
            continue
        if not isinstance(items, (list, tuple)):
            blame(found.plugin.name, f"{where} gave {type(items).__name__}; return a list")
            continue
        for item in items:
            if isinstance(item, wanted):
                yield item, owner
            else:
                names = " or ".join(w.__name__ for w in wanted)
                blame(found.plugin.name, f"{where} gave {item!r:.80}; each item is a {names}")
