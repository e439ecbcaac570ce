"""Which layers attend to everything, to a window or to a recurrent state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from tokensheet.config_import.keys import Fields

KINDS = {
    "full_attention": "full",
    "attention": "full",
    "global_attention": "full",
    "sliding_attention": "window",
    "chunked_attention": "window",
    "local_attention": "window",
    "linear_attention": "recurrent",
    "mamba": "recurrent",
}
"""Words of `layer_types` → kind of mixer; any other word stops the import."""


def listed_kinds(f: Fields, layers: int) -> Counter[str] | None:
    """Layers by kind as a list of the configuration names them; None without such a list."""
    names = f.listing("layer_types")
    if names is None:
        return None
    unknown = sorted({str(name) for name in names if not isinstance(name, str) or name not in KINDS})
    if unknown:
        f.problem(f"layer_types names {', '.join(unknown)[:80]}: these kinds of layers are not modelled")
        return None
    if layers and len(names) != layers:
        f.problem(f"layer_types has {len(names)} entries: {f.usual('layers')} is {layers}")
        return None
    return Counter(KINDS[name] for name in names)


def window_fields(f: Fields, layers: int, local: Callable[[int], bool] | None = None) -> dict[str, Any]:
    """`window` and `window_layers` of a record, where windows are in use.

    Args:
        f: the configuration
        layers: its number of layers
        local: whether the layer of this number is local, where no list says so; None: all layers are
    """
    kinds = listed_kinds(f, layers)
    window = f.whole("window")
    if not window or not f.flag("use_sliding_window", True):
        if kinds and kinds["window"] and f.flag("use_sliding_window", True):
            f.missing.append("window")
        return {}
    context = f.whole("max_context")
    if context and window >= context:
        f.assume(f"{f.key('window')} {window:,} is not below the longest context {context:,}: no window")
        return {}
    by_layer = sum(1 for layer in range(layers) if local is None or local(layer))
    count = by_layer if kinds is None else kinds["window"]
    return {"window": window, "window_layers": count} if count else {}


def every(period: int) -> Callable[[int], bool]:
    """Local layers where each `period`-th layer, counted from 1, is global."""
    return lambda layer: bool(period) and (layer + 1) % period != 0
