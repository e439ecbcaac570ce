"""A call that states a number from which others of a record follow: it asks for the record with that number.

`KV_BYTES("llama-2-70b",4096,8,"kv_heads=64")` is asked of `llama-2-70b@kv_heads=64`, whose cache,
parameters and work follow from 64 heads. A number that nothing follows from is pinned as any other, but one
that has no node because a formula has its name belongs to the record: `FITS(…,"memory_bytes=40E9")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokensheet.arguments import is_array, number
from tokensheet.catalog import CHANGED
from tokensheet.registry import Registry


def reshaped(registry: Registry, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is given, with shaping numbers moved into the ids of their records.

    A range of numbers makes a range of ids. What cannot be moved stays: a number of a record that is
    not chosen, a range beside a range of ids; the binding then says what to write.
    """
    names = registry.of_records.keys() & given.keys()
    if not names:
        return given
    found = dict(given)
    for name in sorted(names):
        role, field = registry.of_records[name]
        id = found.get(role)
        if not isinstance(id, str) or not id:
            continue
        moved = _with(f"{id}{',' if CHANGED in id else CHANGED}{field}=", name, found[name])
        if moved is not None:
            found[role] = moved
            del found[name]
    return found


def _with(start: str, name: str, value: Any) -> Any:
    """An id, or rows of ids; None where some value is no number."""
    if is_array(value):
        ids = [_with(start, name, each) for each in (value.tolist() if hasattr(value, "tolist") else value)]
        return None if any(each is None for each in ids) else ids
    told = number(name, value)
    return f"{start}{told:.15g}" if isinstance(told, float) else None
